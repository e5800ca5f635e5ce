/* Fuzzes the device mapper: the input is split at its first NUL into table and status. What each
 * target says must add up, whatever it was read from. */
#include <stdint.h>
#include <string.h>

#include "runner/facts/dm.h"

static void check_target(
    const struct ng_blocks *blocks, const struct ng_dm_target *target, struct ng_arena *arena) {
    struct ng_dm_sync sync;
    struct ng_dm_cache cache;
    struct ng_dm_writecache write;
    struct ng_dm_state state;
    const char *group, *volume;
    if (ng_dm_sync_parse(target, arena, &sync) &&
        (sync.done > sync.total || strlen(sync.health) != (size_t)sync.devices)) {
        __builtin_trap();
    }
    if (ng_dm_cache_parse(blocks, target, arena, &cache) && !cache.failed && cache.dirty < -1) {
        __builtin_trap();
    }
    if (ng_dm_writecache_parse(blocks, target, arena, &write) && write.free > write.blocks) {
        __builtin_trap();
    }
    if (ng_dm_state_parse(target, arena, &state) && state.busy == NG_ANSWER_YES &&
        state.why[0] == '\0') {
        __builtin_trap(); /* what is busy says with what */
    }
    (void)ng_dm_volume(arena, target->device, &group, &volume);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = size > 0 ? (const char *)data : "";
    const char *end = memchr(text, '\0', size);
    size_t first = end == NULL ? size : (size_t)(end - text);
    size_t rest = end == NULL ? 0 : size - first - 1;
    struct ng_arena arena;
    struct ng_blocks blocks = {0};
    ng_arena_init(&arena);
    ng_dm_parse(&blocks, &arena, text, first, false);
    ng_dm_parse(&blocks, &arena, text + size - rest, rest, true);
    for (size_t i = 0; i < blocks.target_count; i++) {
        check_target(&blocks, &blocks.targets[i], &arena);
    }
    ng_arena_release(&arena);
    return 0;
}
