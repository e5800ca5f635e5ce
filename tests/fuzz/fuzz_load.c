/* Fuzzes load averages and pressure. */
#include "runner/facts/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_loadavg load;
    struct ng_pressure pressure;
    const char *text = size > 0 ? (const char *)data : "";
    if (ng_loadavg_parse(&load, text, size) != (load.one >= 0)) {
        __builtin_trap(); /* a load that is understood is a number */
    }
    if (ng_uptime_parse(&load, text, size) != (load.one >= 0)) {
        __builtin_trap();
    }
    (void)ng_pressure_parse(&pressure, text, size);
    return 0;
}
