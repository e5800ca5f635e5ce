/* Fuzzes the files of cpufreq. */
#include <stdint.h>

#include "runner/facts/cpufreq.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    const char *text = size > 0 ? (const char *)data : "";
    ng_arena_init(&arena);
    struct ng_cpufreq cpufreq = {0};
    ng_cpufreq_parse(&cpufreq, &arena, text, size);
    ng_arena_release(&arena);
    return 0;
}
