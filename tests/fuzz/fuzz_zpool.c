/* Fuzzes the reader of zpool status and of zpool list: the input is split at its first NUL. */
#include <stdint.h>
#include <string.h>

#include "runner/facts/arrays.h"
#include "runner/facts/zpool.h"

static void check(const struct ng_zpool *pool, struct ng_arena *arena) {
    struct ng_array array = {
        .busy_why = "", .degraded_why = "", .seen = "", .trace = "", .percent = -1, .left_ns = -1};
    ng_zpool_judge(pool, arena, &array);
    const bool told = array.busy_why[0] != '\0';
    if (told != (array.busy != NG_ANSWER_NO) || array.percent > 100 ||
        (array.busy != NG_ANSWER_YES && array.action != NULL)) {
        __builtin_trap(); /* what is not idle says why */
    }
    if ((array.degraded_why[0] != '\0') != (array.degraded != NG_ANSWER_NO)) {
        __builtin_trap();
    }
    if (array.busy == NG_ANSWER_NO && pool->odd != NULL) {
        __builtin_trap(); /* what is not understood is not idle */
    }
    for (size_t i = 0; i < pool->vdev_count; i++) {
        (void)ng_zpool_block(&pool->vdevs[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = size > 0 ? (const char *)data : "";
    const char *end = memchr(text, '\0', size);
    size_t first = end == NULL ? size : (size_t)(end - text);
    size_t rest = end == NULL ? 0 : size - first - 1;
    struct ng_arena arena;
    struct ng_zpools pools = {0};
    ng_arena_init(&arena);
    ng_zpools_parse(&pools, &arena, text, first);
    ng_zpools_parse_list(&pools, &arena, text + size - rest, rest);
    if (pools.count == 0 && !pools.none && pools.why == NULL) {
        __builtin_trap(); /* nothing is a reason */
    }
    for (size_t i = 0; i < pools.count; i++) {
        check(&pools.items[i], &arena);
    }
    ng_arena_release(&arena);
    return 0;
}
