/**
 * route.h - which way a packet to one address takes: `ip route get ADDRESS` of new and old
 * iproute2 and of BusyBox.
 */
#ifndef NG_FACTS_ROUTE_H
#define NG_FACTS_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"

enum { NG_ROUTES_MAX = 256 };

struct ng_route {
    const char *peer;   /* the address that was asked for; set by the caller */
    const char *type;   /* "unicast", "local", "unreachable", "blackhole" ...; NULL: unknown */
    const char *device; /* NULL: not told */
    const char *source; /* the address it leaves with; NULL: not told */
    const char *via;    /* the gateway; NULL: on the link */
    int64_t mtu;        /* stated for this route or learned; 0: none */
    bool learned;       /* it expires: the kernel learned it from an earlier probe or test */
    int64_t expires_s;  /* of a learned one; 0: not told */
    const char *why;    /* why the route is unknown, or NULL */
};

struct ng_routes {
    struct ng_route *items;
    size_t count, capacity;
};

/** Reads the text into a route whose `peer` is set. Without a route in it, `why` says so. */
void ng_route_parse(struct ng_route *route, struct ng_arena *arena, const char *text, size_t len);
/** The route to `peer`, or NULL. */
const struct ng_route *ng_routes_find(const struct ng_routes *routes, const char *peer);
/** True when packets to it never leave the host. */
bool ng_route_is_local(const struct ng_route *route);

#endif
