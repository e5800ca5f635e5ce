/**
 * load.h - the load averages and the pressure of a host.
 */
#ifndef NG_FACTS_LOAD_H
#define NG_FACTS_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ng_loadavg {
    double one, five, fifteen; /* over 1, 5, 15 minutes; -1: unknown */
    int64_t running, tasks;    /* -1: unknown */
};

/** /proc/loadavg: "0.20 0.18 0.12 1/80 11206". False: unknown. */
bool ng_loadavg_parse(struct ng_loadavg *load, const char *text, size_t len);
/** What `uptime` prints: what follows "load average:", or "load averages:" without commas. */
bool ng_uptime_parse(struct ng_loadavg *load, const char *text, size_t len);

/** A line of /proc/pressure/X: shares of time in percent, and microseconds in all. */
struct ng_pressure_line {
    double avg10, avg60, avg300; /* -1: the line is not there */
    int64_t total;               /* -1 */
};
struct ng_pressure {
    struct ng_pressure_line some, full; /* cpu has no `full` before 5.13 */
};
/** False where no line is understood: an empty text is what a kernel without it gives. */
bool ng_pressure_parse(struct ng_pressure *pressure, const char *text, size_t len);

#endif
