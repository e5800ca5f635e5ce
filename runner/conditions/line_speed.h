/**
 * line_speed.h - how fast one end of a link is: of a card, a bond, a bridge or a VLAN, and what a
 * queueing discipline leaves of it.
 */
#ifndef NG_CONDITIONS_LINE_SPEED_H
#define NG_CONDITIONS_LINE_SPEED_H

#include "runner/conditions/link_end.h"

struct ng_line_speed {
    int64_t one;        /* bit/s that one flow can reach; 0: unknown */
    int64_t many;       /* that all flows together can reach; 0: unknown */
    const char *duplex; /* "full", "half", "unknown"; "" where there is none (bridges) */
    const char *why;    /* why it is unknown, or what it rests on; NULL: read from a card */
    const char
        *broken; /* what is wrong with the line itself: no carrier, LACP in pieces; or NULL */
    const char *remark; /* what a reader should know: a slave that is down; or NULL */
};

struct ng_line_speed ng_line_speed(
    struct ng_arena *arena, const struct ng_facts *facts, const struct ng_netif *netif);

#endif
