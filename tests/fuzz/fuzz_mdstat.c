/* Fuzzes the two md parsers together: the input is split at its first NUL. */
#include <stdint.h>
#include <string.h>

#include "runner/facts/mdstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = size > 0 ? (const char *)data : "";
    const char *end = memchr(text, '\0', size);
    size_t first = end == NULL ? size : (size_t)(end - text);
    size_t rest = end == NULL ? 0 : size - first - 1;
    for (int platform = NG_PLATFORM_UNKNOWN; platform <= NG_PLATFORM_OMV; platform++) {
        struct ng_arena arena;
        struct ng_md md;
        ng_arena_init(&arena);
        ng_mdstat_parse(&md, &arena, text, first);
        ng_md_sysfs_parse(&md, &arena, text + size - rest, rest);
        ng_md_judge(&md, &arena, (enum ng_platform)platform);
        for (size_t i = 0; i < md.count; i++) {
            if (md.arrays[i].busy == NG_ANSWER_YES && md.arrays[i].action == NULL) {
                __builtin_trap(); /* what is busy says with what */
            }
        }
        ng_arena_release(&arena);
    }
    return 0;
}
