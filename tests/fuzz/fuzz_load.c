/* Fuzzes load averages and pressure. */
#include <stdint.h>

#include "runner/facts/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    const char *text = size > 0 ? (const char *)data : "";
    ng_arena_init(&arena);
    struct ng_loadavg load;
    struct ng_pressure pressure;
    if (ng_loadavg_parse(&load, text, size) != (load.one >= 0)) {
        __builtin_trap();
    }
    (void)ng_uptime_parse(&load, text, size);
    (void)ng_pressure_parse(&pressure, text, size);
    ng_arena_release(&arena);
    return 0;
}
