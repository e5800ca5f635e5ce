/* Network interfaces: /sys/class/net and the addresses that `ip` prints. */
#include "runner/facts/netif.h"

#include <string.h>

#include "runner/facts/scan.h"

static const char *const counter_words[] = {
#define X(name, word) word,
    NG_COUNTERS(X)
#undef X
};

const char *ng_counter_word(enum ng_counter counter) {
    return counter_words[counter];
}

static struct ng_netif *find_or_add(
    struct ng_netifs *netifs, struct ng_arena *arena, struct ng_span name) {
    /* Lines of one interface follow each other: the last one is tried first. */
    for (size_t i = netifs->count; i > 0; i--) {
        if (ng_span_is(name, netifs->items[i - 1].name)) {
            return &netifs->items[i - 1];
        }
    }
    if (name.len == 0) {
        return NULL;
    }
    if (netifs->count >= NG_NETIFS_MAX) {
        netifs->cut = "there are more interfaces than can be kept";
        netifs->addresses_why = netifs->cut;
        return NULL;
    }
    netifs->items = ng_arena_grow(
        arena, netifs->items, netifs->count, &netifs->capacity, sizeof *netifs->items);
    struct ng_netif *netif = &netifs->items[netifs->count++];
    *netif = (struct ng_netif){.name = ng_span_dup(arena, name),
        .duplex = "unknown",
        .operstate = "unknown",
        .carrier = "unknown",
        .kind = "",
        .carrier_changes = -1};
    for (size_t i = 0; i < NG_COUNT(netif->counters); i++) {
        netif->counters[i] = -1;
    }
    return netif;
}

static void add_name(struct ng_netif_names *names, struct ng_arena *arena, const char *name) {
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->items[i], name) == 0) {
            return;
        }
    }
    if (names->count < NG_LOWERS_MAX) {
        names->items =
            ng_arena_grow(arena, names->items, names->count, &names->capacity, sizeof(char *));
        names->items[names->count++] = name;
    }
}

void ng_netifs_stack(
    struct ng_netifs *netifs, struct ng_arena *arena, const char *upper, const char *lower) {
    /* Adding one may move the other: places are looked up anew. */
    if (strcmp(upper, lower) == 0 ||
        find_or_add(netifs, arena, ng_span(upper, strlen(upper))) == NULL ||
        find_or_add(netifs, arena, ng_span(lower, strlen(lower))) == NULL) {
        return;
    }
    struct ng_netif *top = find_or_add(netifs, arena, ng_span(upper, strlen(upper)));
    struct ng_netif *bottom = find_or_add(netifs, arena, ng_span(lower, strlen(lower)));
    add_name(&top->lowers, arena, bottom->name);
    add_name(&bottom->uppers, arena, top->name);
}

/* The kernel says "unknown" as -1, as its unsigned forms, as 0, and as a read error. */
static int64_t speed_of(struct ng_span value) {
    int64_t mbit;
    if (!ng_span_int(value, &mbit) || mbit <= 0 || mbit == 65535 || mbit >= UINT32_MAX) {
        return 0;
    }
    return mbit * 1000000;
}

static int64_t count_of(struct ng_span value) {
    int64_t number;
    return ng_span_int(value, &number) && number >= 0 ? number : -1;
}

static void set_counter(struct ng_netif *netif, struct ng_span file, struct ng_span value) {
    for (size_t i = 0; i < NG_COUNT(counter_words); i++) {
        if (ng_span_is(file, counter_words[i])) {
            netif->counters[i] = count_of(value);
        }
    }
}

static void set(
    struct ng_netif *netif, struct ng_arena *arena, struct ng_span file, struct ng_span value) {
    int64_t number;
    if (ng_span_is(file, "mtu")) {
        netif->mtu = ng_span_int(value, &number) && number > 0 ? number : 0;
    } else if (ng_span_is(file, "speed")) {
        netif->speed = speed_of(value);
    } else if (ng_span_is(file, "duplex")) {
        netif->duplex = ng_span_dup(arena, value);
    } else if (ng_span_is(file, "operstate")) {
        netif->operstate = ng_span_dup(arena, value);
    } else if (ng_span_is(file, "carrier")) {
        netif->carrier = ng_span_dup(arena, value);
    } else if (ng_span_is(file, "devtype")) {
        netif->kind = ng_span_dup(arena, value);
    } else if (ng_span_is(file, "carrier_changes")) {
        netif->carrier_changes = count_of(value);
    } else if (ng_span_begins(file, "statistics/")) {
        set_counter(netif, ng_span_after(file, "statistics/"), value);
    }
}

/* What says how interfaces are stacked. False for any other file. */
static bool set_layer(struct ng_netifs *netifs, struct ng_arena *arena, struct ng_netif *netif,
    struct ng_span file, struct ng_span value) {
    const char *name = netif->name;
    if (ng_span_is(file, "device")) {
        netif->physical = true;
    } else if (ng_span_begins(file, "lower/")) {
        struct ng_span lower = ng_span_after(file, "lower/");
        ng_netifs_stack(netifs, arena, name, ng_span_dup(arena, lower));
    } else if (ng_span_begins(file, "brif/")) {
        netif->kind = "bridge";
        ng_netifs_stack(netifs, arena, name, ng_span_dup(arena, ng_span_after(file, "brif/")));
    } else if (ng_span_is(file, "bonding/slaves")) {
        struct ng_span word;
        netif->kind = "bond";
        while (ng_span_word(&value, &word)) {
            ng_netifs_stack(netifs, arena, name, ng_span_dup(arena, word));
        }
    } else {
        return false;
    }
    return true;
}

void ng_netifs_parse(
    struct ng_netifs *netifs, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        bool unreadable = ng_span_begins(line, "!");
        if (unreadable) {
            line = ng_span(line.at + 1, line.len - 1);
        }
        struct ng_span name = ng_span_until(&line, '/');
        struct ng_span file = ng_span_until(&line, '\t');
        struct ng_span value = ng_span_trim(line);
        struct ng_netif *netif = file.len == 0 ? NULL : find_or_add(netifs, arena, name);
        if (netif != NULL && !unreadable && !set_layer(netifs, arena, netif, file, value) &&
            value.len > 0) {
            set(netif, arena, file, value);
        }
    }
}

/* "4: eth0    inet 192.0.2.2/24 brd ...", with "eth0@if5" for eth0 in some versions. */
static void parse_address(struct ng_netifs *netifs, struct ng_arena *arena, struct ng_span line) {
    struct ng_span number, name, family, address;
    if (!ng_span_word(&line, &number) || !ng_span_word(&line, &name) ||
        !ng_span_word(&line, &family) || !ng_span_word(&line, &address) ||
        (!ng_span_is(family, "inet") && !ng_span_is(family, "inet6"))) {
        return;
    }
    struct ng_netif *netif = find_or_add(netifs, arena, ng_span_until(&name, '@'));
    address = ng_span_until(&address, '/');
    if (netif == NULL || address.len == 0) {
        return;
    }
    if (netif->address_count >= NG_ADDRESSES_MAX) {
        netifs->addresses_why =
            ng_arena_printf(arena, "%s has more addresses than can be kept", netif->name);
        return;
    }
    netif->addresses = ng_arena_grow(arena, netif->addresses, netif->address_count,
        &netif->address_capacity, sizeof *netif->addresses);
    netif->addresses[netif->address_count++] = ng_span_dup(arena, address);
}

void ng_netifs_addresses(
    struct ng_netifs *netifs, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        parse_address(netifs, arena, line);
    }
}

const struct ng_netif *ng_netifs_find(const struct ng_netifs *netifs, const char *name) {
    for (size_t i = 0; i < netifs->count; i++) {
        if (strcmp(netifs->items[i].name, name) == 0) {
            return &netifs->items[i];
        }
    }
    return NULL;
}

/* Lower is better; 3 cannot be used. */
static int rank(const char *address) {
    if (strchr(address, ':') != NULL) {
        return strncmp(address, "fe80:", 5) == 0 ? 3 : 1;
    }
    return strncmp(address, "169.254.", 8) == 0 ? 2 : 0;
}

const char *ng_netif_address(const struct ng_netif *netif) {
    const char *best = NULL;
    for (size_t i = 0; i < netif->address_count; i++) {
        const char *address = netif->addresses[i];
        if (rank(address) < (best == NULL ? 3 : rank(best))) {
            best = address;
        }
    }
    return best;
}

bool ng_netif_has_address(const struct ng_netif *netif, const char *address) {
    for (size_t i = 0; i < netif->address_count; i++) {
        if (strcmp(netif->addresses[i], address) == 0) {
            return true;
        }
    }
    return false;
}
