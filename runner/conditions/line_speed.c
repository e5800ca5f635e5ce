/* How fast one end of a link is. */
#include "runner/conditions/line_speed.h"

#include <string.h>

#include "runner/base/units.h"

enum { DEPTH_MAX = 8 };

static bool is(const char *text, const char *word) {
    return strcmp(text, word) == 0;
}

static const char *rate(struct ng_arena *arena, int64_t bits) {
    char text[NG_QUANTITY_TEXT];
    return ng_arena_strdup(arena, ng_rate_format_bits((double)bits / 8, text));
}

/* A card: sysfs first, ethtool where sysfs does not know. */
static struct ng_line_speed card(
    struct ng_arena *arena, const struct ng_facts *facts, const struct ng_netif *netif) {
    const struct ng_nic *nic = ng_nics_find(&facts->nics, netif->name);
    struct ng_line_speed line = {
        .one = netif->speed, .many = netif->speed, .duplex = netif->duplex};
    if (line.one == 0 && nic != NULL) {
        line.one = line.many = nic->settings.speed;
    }
    if (!is(line.duplex, "full") && !is(line.duplex, "half")) {
        line.duplex = nic != NULL ? nic->settings.duplex : "unknown";
    }
    const char *driver = nic != NULL ? ng_nic_value(&nic->driver, "driver") : NULL;
    const bool constant = driver != NULL && (is(driver, "veth") || is(driver, "tun"));
    if (constant && line.one > 0) {
        line.remark = ng_arena_printf(
            arena, "%s is a constant of %s, not a measurement", rate(arena, line.one), driver);
    }
    if (is(netif->carrier, "0") || is(netif->operstate, "down") ||
        is(netif->operstate, "lowerlayerdown")) {
        line.broken = ng_arena_printf(arena, "%s is down (state %s, carrier %s)", netif->name,
            netif->operstate, netif->carrier);
    } else if (line.one == 0) {
        line.why = ng_arena_printf(arena, "the driver of %s does not tell it", netif->name);
    }
    if (nic != NULL && line.one > 0 && nic->settings.partner > 0 &&
        nic->settings.partner < nic->settings.supported) {
        line.remark = ng_arena_printf(arena, "the partner of %s offers at most %s, %s can do %s",
            netif->name, rate(arena, nic->settings.partner), netif->name,
            rate(arena, nic->settings.supported));
    } else if (nic != NULL && nic->settings.advertised > 0 &&
               nic->settings.advertised < nic->settings.supported) {
        line.remark =
            ng_arena_printf(arena, "%s offers at most %s, though it can do %s", netif->name,
                rate(arena, nic->settings.advertised), rate(arena, nic->settings.supported));
    }
    return line;
}

/* One flow takes one slave; only round-robin spreads it. */
static struct ng_line_speed bond_line(struct ng_arena *arena, const struct ng_bond *bond) {
    struct ng_line_speed line = {.duplex = "full"};
    int64_t slowest = 0, sum = 0;
    size_t up = 0;
    for (size_t i = 0; i < bond->slave_count; i++) {
        const struct ng_bond_slave *slave = &bond->slaves[i];
        if (slave->up != NG_ANSWER_YES) {
            line.remark = ng_arena_printf(arena, "%s of %s is not up", slave->name, bond->name);
            continue;
        }
        if (bond->mode == NG_BOND_ACTIVE_BACKUP && bond->active[0] != '\0' &&
            !is(slave->name, bond->active)) {
            continue;
        }
        up++;
        if (slave->speed == 0) {
            line.why = ng_arena_printf(arena, "the speed of %s is unknown", slave->name);
        }
        slowest = slowest == 0 || slave->speed < slowest ? slave->speed : slowest;
        sum += slave->speed;
        line.duplex = is(slave->duplex, "full") ? line.duplex : slave->duplex;
    }
    if (up == 0) {
        line.broken = ng_arena_printf(arena, "no slave of %s is up", bond->name);
    } else if (bond->mode == NG_BOND_LACP && bond->sound == NG_ANSWER_NO) {
        line.broken = ng_arena_printf(arena, "LACP of %s does not work: %s", bond->name, bond->why);
    } else if (bond->mode == NG_BOND_UNKNOWN) {
        line.why = bond->why;
    }
    if (line.why == NULL && line.broken == NULL) {
        line.one = bond->mode == NG_BOND_ROUND_ROBIN ? sum : slowest;
        line.many = bond->mode == NG_BOND_BROADCAST ? slowest : sum;
    }
    if (line.remark == NULL && bond->mode == NG_BOND_LACP && bond->sound == NG_ANSWER_UNKNOWN) {
        line.remark = bond->why;
    }
    return line;
}

/* Of several ports, devices count before what only virtual machines use. */
static struct ng_line_speed ports(
    struct ng_arena *arena, const struct ng_facts *facts, const struct ng_netif *netif, int depth);

static struct ng_line_speed any(
    struct ng_arena *arena, const struct ng_facts *facts, const struct ng_netif *netif, int depth) {
    const struct ng_bond *bond = ng_bonds_find(&facts->bonds, netif->name);
    if (depth > DEPTH_MAX) {
        return (struct ng_line_speed){.duplex = "unknown", .why = "it has too many layers"};
    }
    if (bond != NULL) {
        return bond_line(arena, bond);
    }
    return netif->lowers.count > 0 ? ports(arena, facts, netif, depth) : card(arena, facts, netif);
}

static struct ng_line_speed ports(
    struct ng_arena *arena, const struct ng_facts *facts, const struct ng_netif *netif, int depth) {
    struct ng_line_speed line = {.duplex = "unknown"};
    size_t seen = 0;
    bool devices = false;
    for (size_t i = 0; i < netif->lowers.count; i++) {
        const struct ng_netif *port = ng_netifs_find(&facts->netifs, netif->lowers.items[i]);
        devices = devices || (port != NULL && (port->physical || port->lowers.count > 0));
    }
    for (size_t i = 0; i < netif->lowers.count; i++) {
        const struct ng_netif *port = ng_netifs_find(&facts->netifs, netif->lowers.items[i]);
        if (port == NULL || (devices && !port->physical && port->lowers.count == 0)) {
            continue;
        }
        const struct ng_line_speed one = any(arena, facts, port, depth + 1);
        if (seen++ == 0) {
            line = one;
        } else if (one.one != line.one || one.many != line.many) {
            line = (struct ng_line_speed){.duplex = "",
                .why = ng_arena_printf(arena,
                    "%s has ports of different speeds: name the port itself as the end",
                    netif->name)};
            return line;
        }
    }
    if (seen == 0) {
        line.why = ng_arena_printf(arena, "nothing is known of what lies below %s", netif->name);
    }
    return line;
}

/* What tbf or cake leaves of it, on the interface or on what lies below; others are told. */
static void shape(struct ng_arena *arena, const struct ng_facts *facts, const char *device,
    struct ng_line_speed *line) {
    for (size_t i = 0; i < facts->qdiscs.count; i++) {
        const struct ng_qdisc *qdisc = &facts->qdiscs.items[i];
        if (!qdisc->shapes || !is(qdisc->device, device)) {
            continue;
        }
        line->remark =
            ng_arena_printf(arena, "a queueing discipline shapes %s: %s", device, qdisc->text);
        if (qdisc->rate > 0) {
            line->one = line->one == 0 || qdisc->rate < line->one ? qdisc->rate : line->one;
            line->many = line->many == 0 || qdisc->rate < line->many ? qdisc->rate : line->many;
            line->why = NULL;
        }
    }
}

struct ng_line_speed ng_line_speed(
    struct ng_arena *arena, const struct ng_facts *facts, const struct ng_netif *netif) {
    struct ng_line_speed line = any(arena, facts, netif, 0);
    struct ng_layers layers;
    shape(arena, facts, netif->name, &line);
    ng_netifs_below(&facts->netifs, netif, &layers);
    for (size_t i = 0; i < layers.count; i++) {
        shape(arena, facts, layers.items[i]->name, &line);
    }
    return line;
}
