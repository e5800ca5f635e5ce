/* Fuzzes the list of arrays and what shares disks. The token is a fixed one, so that inputs can
 * hold frames. */
#include <stdint.h>

#include "runner/facts/arrays_share.h"
#include "runner/facts/collect.h"

enum { SHARES_MAX = 4 };

static void check_texts(const struct ng_array *array) {
    bool texts = array->kind != NULL && array->name != NULL && array->seen != NULL &&
                 array->trace != NULL && array->busy_why != NULL && array->degraded_why != NULL;
    if (!texts || (array->busy == NG_ANSWER_YES && array->busy_why[0] == '\0') ||
        (array->degraded == NG_ANSWER_YES && array->degraded_why[0] == '\0')) {
        __builtin_trap(); /* whoever reads the list shows them */
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    struct ng_share share;
    ng_arena_init(&arena);
    const struct ng_facts *facts =
        ng_facts_parse(&arena, "here", "token", size > 0 ? (const char *)data : "", size);
    ng_arrays_share_path(facts, "/", &arena, &share);
    for (size_t i = 0; i < facts->arrays.count; i++) {
        const struct ng_array *array = &facts->arrays.items[i];
        check_texts(array);
        if (i >= SHARES_MAX) {
            continue;
        }
        ng_arrays_share_array(facts, array->name, &arena, &share);
        if (share.items[i].disks == NG_ANSWER_NO) {
            __builtin_trap(); /* it shares its disks with itself */
        }
    }
    ng_arena_release(&arena);
    return 0;
}
