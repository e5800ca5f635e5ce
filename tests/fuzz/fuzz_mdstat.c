/* Fuzzes the two md parsers together: the input is split at its first NUL. */
#include <stdint.h>
#include <string.h>

#include "runner/facts/mdstat.h"

/* What is not "no" says what was seen, and how far it is has a meaning. */
static void check(enum ng_answer answer, const char *why, double percent) {
    bool known = percent >= 0 || (percent > -1.5 && percent < -0.5);
    if ((answer != NG_ANSWER_NO && why[0] == '\0') || !known) {
        __builtin_trap();
    }
}

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
            check(md.arrays[i].busy, md.arrays[i].busy_why, md.arrays[i].percent);
            check(md.arrays[i].degraded, md.arrays[i].degraded_why, -1);
        }
        if (md.kind == NG_MD_UNRAID) {
            check(md.unraid.busy, md.unraid.busy_why, md.unraid.percent);
            check(md.unraid.degraded, md.unraid.degraded_why, -1);
        }
        ng_arena_release(&arena);
    }
    return 0;
}
