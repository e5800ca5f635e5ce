/**
 * netif.h - network interfaces: /sys/class/net, what lies below each of them, and the addresses
 * that `ip` prints.
 */
#ifndef NG_FACTS_NETIF_H
#define NG_FACTS_NETIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"

enum { NG_NETIFS_MAX = 4096, NG_ADDRESSES_MAX = 256, NG_LOWERS_MAX = 1024, NG_LAYERS_MAX = 64 };

/** The counters of /sys/class/net/NAME/statistics that are kept. */
#define NG_COUNTERS(X)                                                                             \
    X(NG_COUNTER_RX_BYTES, "rx_bytes")                                                             \
    X(NG_COUNTER_TX_BYTES, "tx_bytes")                                                             \
    X(NG_COUNTER_RX_PACKETS, "rx_packets")                                                         \
    X(NG_COUNTER_TX_PACKETS, "tx_packets")                                                         \
    X(NG_COUNTER_RX_ERRORS, "rx_errors")                                                           \
    X(NG_COUNTER_TX_ERRORS, "tx_errors")                                                           \
    X(NG_COUNTER_RX_DROPPED, "rx_dropped")                                                         \
    X(NG_COUNTER_TX_DROPPED, "tx_dropped")                                                         \
    X(NG_COUNTER_RX_CRC_ERRORS, "rx_crc_errors")                                                   \
    X(NG_COUNTER_RX_MISSED_ERRORS, "rx_missed_errors")                                             \
    X(NG_COUNTER_MULTICAST, "multicast")

enum ng_counter {
#define X(name, word) name,
    NG_COUNTERS(X)
#undef X
        NG_COUNTER_COUNT
};
const char *ng_counter_word(enum ng_counter counter);

/** Names of interfaces, each once. */
struct ng_netif_names {
    const char **items;
    size_t count, capacity;
};

struct ng_netif {
    const char *name;
    int64_t mtu;           /* bytes; 0: unknown */
    int64_t speed;         /* bit/s; 0: unknown (-1, 65535, EINVAL ... all mean that) */
    const char *duplex;    /* "full", "half", "unknown" */
    const char *operstate; /* "up", "down", "unknown" ... */
    const char *carrier;   /* "1", "0", "unknown" (so reads a carrier that is set to down) */
    const char *kind; /* DEVTYPE: "bond", "bridge", "vlan", "macvlan" ...; "": none or unknown */
    bool physical;    /* a device of a bus stands behind it */
    const char **addresses; /* without prefix length; the order of `ip` */
    size_t address_count, address_capacity;
    struct ng_netif_names lowers;       /* directly below: slaves, ports, the device of a VLAN */
    struct ng_netif_names uppers;       /* directly above: the same, seen from below */
    int64_t carrier_changes;            /* -1: unknown */
    int64_t counters[NG_COUNTER_COUNT]; /* -1: unknown */
};

struct ng_netifs {
    struct ng_netif *items;
    size_t count, capacity;
    const char *addresses_why; /* why addresses are unknown, or not all of them known; NULL */
    const char *cut;           /* says so when there are more interfaces than are kept, or NULL */
};

/** Lines `NAME/FILE<TAB>VALUE`; `!NAME/FILE` for what could not be read; `NAME/lower/LOWER<TAB>`
 * and `NAME/brif/PORT<TAB>` for layers, `NAME/device<TAB>` for what has a bus. */
void ng_netifs_parse(
    struct ng_netifs *netifs, struct ng_arena *arena, const char *text, size_t len);
/** The output of `ip -o addr show`, iproute2's or BusyBox's. */
void ng_netifs_addresses(
    struct ng_netifs *netifs, struct ng_arena *arena, const char *text, size_t len);
/** /proc/net/vlan/config: "eth0.100  | 100  | eth0", for kernels without lower_ links. */
void ng_netifs_vlans(
    struct ng_netifs *netifs, struct ng_arena *arena, const char *text, size_t len);
/** Adds what no file says: the port of Open vSwitch below its internal interface, by the names that
 * DSM gives them (ovs_eth0 over eth0). Call last. */
void ng_netifs_settle(struct ng_netifs *netifs, struct ng_arena *arena);

const struct ng_netif *ng_netifs_find(const struct ng_netifs *netifs, const char *name);
/** The first address that other machines can use: IPv4, then IPv6, then 169.254; never fe80::,
 * which needs a zone. NULL: it has none. */
const char *ng_netif_address(const struct ng_netif *netif);
bool ng_netif_has_address(const struct ng_netif *netif, const char *address);

/** Interfaces of a stack, nearest first, each once. */
struct ng_layers {
    const struct ng_netif *items[NG_LAYERS_MAX];
    size_t count;
    bool cut; /* there were more */
};
/** All that lies below an interface. */
void ng_netifs_below(
    const struct ng_netifs *netifs, const struct ng_netif *netif, struct ng_layers *layers);
/** All that lies above it. */
void ng_netifs_above(
    const struct ng_netifs *netifs, const struct ng_netif *netif, struct ng_layers *layers);
/** The interface that carries the address of `netif`: itself, or the nearest above that has a
 * usable address (the bridge of a port, the bond of a slave). NULL: none has. */
const struct ng_netif *ng_netifs_holder(
    const struct ng_netifs *netifs, const struct ng_netif *netif);

/** For the parsers of this folder: adds `lower` below `upper`; both are made where missing. */
void ng_netifs_stack(
    struct ng_netifs *netifs, struct ng_arena *arena, const char *upper, const char *lower);

#endif
