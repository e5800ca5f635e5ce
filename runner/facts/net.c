/* From frames to all facts of the network. */
#include "runner/facts/net.h"

#include <string.h>

#include "runner/facts/scan.h"

static const struct ng_source *find(const struct ng_facts *facts, struct ng_arena *arena,
    const char *stem, size_t number, const char *part) {
    return ng_frames_find(&facts->frames, ng_arena_printf(arena, "%s.%zu.%s", stem, number, part));
}

/* A bond whose text ends early has fewer slaves than the kernel knows of it. */
static void compare_bonds(struct ng_facts *facts, struct ng_arena *arena, bool read) {
    for (size_t i = 0; i < facts->bonds.count; i++) {
        struct ng_bond *bond = &facts->bonds.items[i];
        const struct ng_netif *netif = ng_netifs_find(&facts->netifs, bond->name);
        const size_t known = netif == NULL ? 0 : netif->lowers.count;
        if (!read) {
            ng_bond_doubt(bond, "/proc/net/bonding was not read to its end");
        } else if (known > bond->slave_count) {
            ng_bond_doubt(
                bond, ng_arena_printf(arena, "sysfs has %zu slaves of it, /proc/net/bonding %zu",
                          known, bond->slave_count));
        }
    }
}

static void read_interfaces(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_source *net = ng_frames_find(&facts->frames, "net");
    const struct ng_source *vlans = ng_frames_find(&facts->frames, "vlans");
    const struct ng_source *bonds = ng_frames_find(&facts->frames, "bonding");
    const struct ng_source *addresses = ng_frames_find(&facts->frames, "addresses");
    ng_netifs_parse(&facts->netifs, arena, net->text, net->len);
    ng_netifs_vlans(&facts->netifs, arena, vlans->text, vlans->len);
    ng_bonds_parse(&facts->bonds, arena, bonds->text, bonds->len);
    ng_netifs_settle(&facts->netifs, arena);
    compare_bonds(facts, arena, ng_source_read(bonds));
    ng_netifs_addresses(&facts->netifs, arena, addresses->text, addresses->len);
    if (!ng_source_read(addresses)) {
        facts->netifs.addresses_why = ng_source_why(&facts->frames, addresses, "ip addr", arena);
    }
}

/** One call of ethtool. */
struct call {
    struct ng_facts *facts;
    struct ng_arena *arena;
    size_t number; /* of the interface */
    const char *name;
};

static const struct ng_source *answer(const struct call *call, const char *part) {
    return find(call->facts, call->arena, "nic", call->number, part);
}

/* Why a call gave nothing: its own words, where it failed. */
static void explain(
    const struct call *call, const char *part, const char *option, const char **why) {
    const struct ng_source *source = answer(call, part);
    if (*why != NULL && !ng_source_read(source)) {
        *why = ng_source_why(&call->facts->frames, source,
            ng_arena_printf(call->arena, "ethtool %s%s", option, call->name), call->arena);
    }
}

static void read_list(const struct call *call, const char *part, const char *option,
    void (*parse)(struct ng_nic_list *, struct ng_arena *, const char *, size_t),
    struct ng_nic_list *list) {
    const struct ng_source *source = answer(call, part);
    parse(list, call->arena, source->text, source->len);
    explain(call, part, option, &list->why);
}

static void read_nic(const struct call *call, struct ng_nic *nic) {
    const struct ng_source *settings = answer(call, "settings");
    const struct ng_source *rings = answer(call, "rings");
    ng_ethtool_settings(&nic->settings, settings->text, settings->len);
    explain(call, "settings", "", &nic->settings.why);
    ng_ethtool_rings(&nic->ring_maximums, &nic->rings, call->arena, rings->text, rings->len);
    explain(call, "rings", "-g ", &nic->ring_maximums.why);
    explain(call, "rings", "-g ", &nic->rings.why);
    read_list(call, "features", "-k ", ng_ethtool_features, &nic->features);
    read_list(call, "pause", "-a ", ng_ethtool_pause, &nic->pause);
    read_list(call, "coalesce", "-c ", ng_ethtool_coalesce, &nic->coalesce);
    read_list(call, "driver", "-i ", ng_ethtool_driver, &nic->driver);
    read_list(call, "stats", "-S ", ng_ethtool_stats, &nic->stats);
}

static void read_nics(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_source *tool = ng_frames_find(&facts->frames, "ethtool");
    if (!ng_source_read(tool)) {
        facts->ethtool_why = ng_source_why(&facts->frames, tool, "ethtool", arena);
        return;
    }
    for (size_t number = 1; number <= NG_NICS_MAX; number++) {
        const struct ng_source *name = find(facts, arena, "nic", number, "name");
        if (!ng_source_read(name)) {
            return;
        }
        facts->nics.items = ng_arena_grow(arena, facts->nics.items, facts->nics.count,
            &facts->nics.capacity, sizeof *facts->nics.items);
        struct ng_nic *nic = &facts->nics.items[facts->nics.count++];
        *nic = (struct ng_nic){.name = name->text};
        const struct call call = {facts, arena, number, name->text};
        read_nic(&call, nic);
    }
}

static void read_qdiscs(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_source *source = ng_frames_find(&facts->frames, "qdiscs");
    ng_qdiscs_parse(&facts->qdiscs, arena, source->text, source->len);
    if (!ng_source_read(source)) {
        facts->qdiscs.why = ng_source_why(&facts->frames, source, "tc qdisc show", arena);
    }
}

static void read_routes(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t number = 1; number <= NG_ROUTES_MAX; number++) {
        const struct ng_source *peer = find(facts, arena, "route", number, "peer");
        if (!ng_source_read(peer)) {
            return;
        }
        facts->routes.items = ng_arena_grow(arena, facts->routes.items, facts->routes.count,
            &facts->routes.capacity, sizeof *facts->routes.items);
        struct ng_route *route = &facts->routes.items[facts->routes.count++];
        *route = (struct ng_route){.peer = peer->text};
        const struct ng_source *answered = find(facts, arena, "route", number, "get");
        ng_route_parse(route, arena, answered->text, answered->len);
        if (!ng_source_read(answered)) {
            route->why = ng_source_why(&facts->frames, answered,
                ng_arena_printf(arena, "ip route get %s", peer->text), arena);
        }
    }
}

static void read_sysctls(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_source *source = ng_frames_find(&facts->frames, "sysctls");
    ng_sysctls_parse(&facts->sysctls, arena, source->text, source->len);
    if (!ng_source_read(source)) {
        facts->sysctls_why = ng_source_why(&facts->frames, source, "/proc/sys", arena);
    }
}

void ng_net_read(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_source *clock = ng_frames_find(&facts->frames, "clock");
    read_interfaces(facts, arena);
    read_nics(facts, arena);
    read_qdiscs(facts, arena);
    read_routes(facts, arena);
    read_sysctls(facts, arena);
    (void)ng_wallclock_parse(&facts->clock, clock->text, clock->len);
}

const char *ng_facts_sysctl(
    const struct ng_facts *facts, struct ng_arena *arena, const char *path, const char **why) {
    const struct ng_sysctl *found = ng_sysctls_find(&facts->sysctls, path);
    *why = NULL;
    if (found != NULL && found->value != NULL) {
        return found->value;
    }
    *why = found != NULL ? ng_arena_printf(arena, "/proc/sys/%s cannot be read", path)
           : facts->sysctls_why != NULL ? facts->sysctls_why
                                        : ng_arena_printf(arena, "there is no /proc/sys/%s", path);
    return NULL;
}
