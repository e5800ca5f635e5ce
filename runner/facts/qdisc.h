/**
 * qdisc.h - queueing disciplines, as `tc qdisc show` lists them: what an earlier experiment left.
 */
#ifndef NG_FACTS_QDISC_H
#define NG_FACTS_QDISC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"

enum { NG_QDISCS_MAX = 1024 };

struct ng_qdisc {
    const char *kind; /* "fq_codel", "tbf" ... */
    const char *device;
    const char *text; /* the line, clean */
    bool shapes;      /* it limits, delays, drops or polices: tbf, netem, htb, hfsc, cake ... */
    int64_t rate;     /* tbf and cake: bit/s, 0: none or not understood */
};

struct ng_qdiscs {
    struct ng_qdisc *items;
    size_t count, capacity;
    const char *why; /* why they are unknown, or NULL */
};

void ng_qdiscs_parse(
    struct ng_qdiscs *qdiscs, struct ng_arena *arena, const char *text, size_t len);
/** tc's rates: "1Gbit", "940Mbit", "2500Kbit", "800bit"; 0 when not understood. */
int64_t ng_tc_rate(const char *text, size_t len);

#endif
