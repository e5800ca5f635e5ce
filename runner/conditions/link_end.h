/**
 * link_end.h - one end of a link as its host tells it: interface, address, and the route to the
 * other end. Shared by the preconditions that speak of links.
 */
#ifndef NG_CONDITIONS_LINK_END_H
#define NG_CONDITIONS_LINK_END_H

#include "runner/conditions/outcome.h"

struct ng_end {
    const struct ng_host *host;
    const struct ng_facts *facts;
    const char *interface;        /* as the plan names it */
    const char *where;            /* "nas:eth4" */
    const struct ng_netif *netif; /* NULL: the host has none of that name, or it is unknown */
    const struct ng_netif *top; /* what carries the address: netif, or a bridge, bond or VLAN above
                                   it; NULL with netif */
    const char *address;        /* as the plan states it, else as the host says; or NULL */
    const char *address_why;    /* why there is none, or NULL */
};

/** Reads the end `index` (0 or 1) of a link. */
struct ng_end ng_end_read(
    const struct ng_condition_site *site, const struct ng_link *link, size_t index);
/** Both ends are on one host: nothing between them leaves it. */
bool ng_link_is_inside(const struct ng_link *link);
/** Says why an end's interface is not there, with what to do; true when it is there. */
bool ng_outcome_end(struct ng_outcome *outcome, const struct ng_end *end);
/** For the report: MTU, speed, duplex, state and layers of an end. */
void ng_look_end(struct ng_outcome *outcome, const struct ng_end *end);

/** How traffic from one end reaches the other. */
enum ng_way {
    NG_WAY_UNKNOWN,
    NG_WAY_LINK,  /* it leaves by the link's interface, or by what lies above it */
    NG_WAY_OTHER, /* by another interface */
    NG_WAY_LOCAL, /* not at all */
    NG_WAY_NONE,  /* there is no route */
};
/** The route from `end` to `peer`, from the first facts or from the probe; with `why` set where it
 * is unknown. Never NULL. */
const struct ng_route *ng_end_route(
    const struct ng_condition_site *site, const struct ng_end *end, const struct ng_end *peer);
/** Whether the route was asked for: by the collector, or by a probe that has answered. */
bool ng_route_was_asked(
    const struct ng_condition_site *site, const struct ng_end *end, const struct ng_end *peer);
enum ng_way ng_end_way(const struct ng_end *end, const struct ng_route *route);
/** "10.0.0.2 by eth0, from 10.0.0.1" */
const char *ng_route_words(struct ng_arena *arena, const struct ng_route *route);

/** For condition.h's trace: how often the carrier of both ends, and of what lies below them, has
 * come and gone. */
const char *ng_link_trace(const struct ng_condition_site *site, const struct ng_link *link);
/** Asks the collector for both interfaces, and for the routes to addresses that the plan states. */
void ng_need_link(
    const struct ng_plan *plan, const struct ng_link *link, struct ng_collect_needs *by_host);
/** Wants the route to the other end as a probe where the collector could not be asked for it. */
void ng_want_route(const struct ng_condition_site *site, struct ng_probe_list *wanted,
    const struct ng_end *end, const struct ng_end *peer);

#endif
