/* Fuzzes the NFS client's statistics. */
#include <stdint.h>

#include "runner/facts/mountstats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    const char *text = size > 0 ? (const char *)data : "";
    ng_arena_init(&arena);
    struct ng_mountstats stats;
    ng_mountstats_parse(&stats, &arena, text, size);
    for (size_t i = 0; i < stats.count && i < 64; i++) {
        if (ng_mountstats_find(&stats, stats.items[i].point) == NULL) {
            __builtin_trap(); /* what is listed is found */
        }
    }
    ng_arena_release(&arena);
    return 0;
}
