/**
 * netif.h - network interfaces: /sys/class/net and the addresses that `ip` prints.
 */
#ifndef NG_FACTS_NETIF_H
#define NG_FACTS_NETIF_H

#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"

enum { NG_NETIFS_MAX = 4096, NG_ADDRESSES_MAX = 256 };

struct ng_netif {
    const char *name;
    int64_t mtu;            /* bytes; 0: unknown */
    int64_t speed;          /* bit/s; 0: unknown (-1, 65535, EINVAL ... all mean that) */
    const char *duplex;     /* "full", "half", "unknown" */
    const char *operstate;  /* "up", "down", "unknown" ... */
    const char *carrier;    /* "1", "0", "unknown" */
    const char **addresses; /* without prefix length; the order of `ip` */
    size_t address_count, address_capacity;
};

struct ng_netifs {
    struct ng_netif *items;
    size_t count, capacity;
    const char *addresses_why; /* why addresses are unknown, or not all of them known; NULL */
    const char *cut;           /* says so when there are more interfaces than are kept, or NULL */
};

/** Lines `NAME/FILE<TAB>VALUE`; `!NAME/FILE` for what could not be read. */
void ng_netifs_parse(
    struct ng_netifs *netifs, struct ng_arena *arena, const char *text, size_t len);
/** The output of `ip -o addr show`, iproute2's or BusyBox's. */
void ng_netifs_addresses(
    struct ng_netifs *netifs, struct ng_arena *arena, const char *text, size_t len);
const struct ng_netif *ng_netifs_find(const struct ng_netifs *netifs, const char *name);
/** The first address that other machines can use: IPv4, then IPv6, then 169.254; never fe80::.
 * NULL: there is none. */
const char *ng_netif_address(const struct ng_netif *netif);

#endif
