/* Bonds as /proc/net/bonding tells them: blocks of "Key: value", divided by "Slave Interface:". */
#include "runner/facts/bonding.h"

#include <inttypes.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/scan.h"

static struct ng_bond *bond_of(
    struct ng_bonds *bonds, struct ng_arena *arena, struct ng_span name) {
    if (bonds->count > 0 && ng_span_is(name, bonds->items[bonds->count - 1].name)) {
        return &bonds->items[bonds->count - 1];
    }
    if (name.len == 0 || bonds->count >= NG_BONDS_MAX) {
        return NULL;
    }
    bonds->items =
        ng_arena_grow(arena, bonds->items, bonds->count, &bonds->capacity, sizeof *bonds->items);
    struct ng_bond *bond = &bonds->items[bonds->count++];
    *bond = (struct ng_bond){.name = ng_span_dup(arena, name),
        .mode_text = "",
        .hash = "",
        .active = "",
        .aggregator = -1,
        .ports = -1};
    return bond;
}

static enum ng_bond_mode mode_of(struct ng_span text) {
    static const struct {
        const char *part;
        enum ng_bond_mode mode;
    } rows[] = {
        {"802.3ad", NG_BOND_LACP},
        {"(round-robin)", NG_BOND_ROUND_ROBIN},
        {"(active-backup)", NG_BOND_ACTIVE_BACKUP},
        {"(xor)", NG_BOND_XOR},
        {"(broadcast)", NG_BOND_BROADCAST},
        {"transmit load balancing", NG_BOND_TLB},
        {"adaptive load balancing", NG_BOND_ALB},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (ng_span_after(text, rows[i].part).at != NULL) {
            return rows[i].mode;
        }
    }
    return NG_BOND_UNKNOWN;
}

static enum ng_answer up_of(struct ng_span value) {
    return ng_span_is(value, "up")     ? NG_ANSWER_YES
           : ng_span_is(value, "down") ? NG_ANSWER_NO
                                       : NG_ANSWER_UNKNOWN;
}

static int64_t number_of(struct ng_span value) {
    int64_t number;
    return ng_span_int(value, &number) && number >= 0 ? number : -1;
}

/* "1000 Mbps", "Unknown" */
static int64_t speed_of(struct ng_span value) {
    int64_t mbit;
    if (!ng_span_digits(&value, &mbit) || mbit <= 0 || mbit >= 65535 * INT64_C(1000) ||
        !ng_span_is(ng_span_trim(value), "Mbps")) {
        return 0;
    }
    return mbit * 1000000;
}

static const char *clean(struct ng_arena *arena, struct ng_span value) {
    return value.len == 0 ? "" : ng_text_clean_dup(arena, value.at, value.len, NG_TEXT_LINE, 200);
}

static void set_slave(struct ng_bond_slave *slave, struct ng_span key, struct ng_span value) {
    if (ng_span_is(key, "MII Status")) {
        slave->up = up_of(value);
    } else if (ng_span_is(key, "Speed")) {
        slave->speed = value.len > 0 ? speed_of(value) : slave->speed;
    } else if (ng_span_is(key, "Duplex")) {
        slave->duplex = ng_span_is(value, "full")   ? "full"
                        : ng_span_is(value, "half") ? "half"
                                                    : "unknown";
    } else if (ng_span_is(key, "Aggregator ID")) {
        slave->aggregator = number_of(value);
    } else if (ng_span_is(key, "Link Failure Count")) {
        slave->failures = number_of(value);
    }
}

static void set_bond(
    struct ng_bond *bond, struct ng_arena *arena, struct ng_span key, struct ng_span value) {
    if (ng_span_is(key, "Bonding Mode")) {
        bond->mode = mode_of(value);
        bond->mode_text = clean(arena, value);
    } else if (ng_span_is(key, "Transmit Hash Policy")) {
        bond->hash = clean(arena, value);
    } else if (ng_span_is(key, "Currently Active Slave")) {
        bond->active = clean(arena, value);
    } else if (ng_span_is(key, "MII Status")) {
        bond->up = up_of(value);
    } else if (ng_span_is(key, "Aggregator ID")) {
        bond->aggregator = number_of(value);
    } else if (ng_span_is(key, "Number of ports")) {
        bond->ports = number_of(value);
    } else if (ng_span_is(key, "Partner Mac Address") && value.len > 0) {
        bond->partner = ng_span_is(value, "00:00:00:00:00:00") ? NG_ANSWER_NO : NG_ANSWER_YES;
    }
}

static void add_slave(struct ng_bond *bond, struct ng_arena *arena, struct ng_span name) {
    if (name.len == 0 || bond->slave_count >= NG_BOND_SLAVES_MAX) {
        return;
    }
    bond->slaves = ng_arena_grow(
        arena, bond->slaves, bond->slave_count, &bond->slave_capacity, sizeof *bond->slaves);
    bond->slaves[bond->slave_count++] = (struct ng_bond_slave){
        .name = clean(arena, name), .duplex = "unknown", .aggregator = -1, .failures = -1};
}

static void not_sound(struct ng_bond *bond, enum ng_answer sound, const char *why) {
    if (bond->sound != NG_ANSWER_NO) {
        bond->sound = sound;
        bond->why = why;
    }
}

static void judge_lacp(struct ng_bond *bond, struct ng_arena *arena) {
    bond->sound = NG_ANSWER_YES;
    if (bond->aggregator < 0 || bond->ports < 0 || bond->partner == NG_ANSWER_UNKNOWN) {
        not_sound(
            bond, NG_ANSWER_UNKNOWN, "the state of LACP is not printed (it is only for root)");
    }
    for (size_t i = 0; i < bond->slave_count; i++) {
        const struct ng_bond_slave *slave = &bond->slaves[i];
        if (slave->aggregator < 0 || bond->aggregator < 0) {
            not_sound(bond, NG_ANSWER_UNKNOWN,
                ng_arena_printf(arena, "the aggregator of %s is not printed", slave->name));
        } else if (slave->aggregator != bond->aggregator) {
            not_sound(bond, NG_ANSWER_NO,
                ng_arena_printf(arena,
                    "%s is in aggregator %" PRId64 ", the active one is %" PRId64, slave->name,
                    slave->aggregator, bond->aggregator));
        }
    }
    if (bond->ports >= 0 && (size_t)bond->ports != bond->slave_count) {
        not_sound(bond, NG_ANSWER_NO,
            ng_arena_printf(arena, "the active aggregator has %" PRId64 " of %zu ports",
                bond->ports, bond->slave_count));
    }
    if (bond->partner == NG_ANSWER_NO) {
        not_sound(bond, NG_ANSWER_NO, "there is no LACP partner: the switch does not speak it");
    }
}

static void judge(struct ng_bond *bond, struct ng_arena *arena) {
    if (bond->mode == NG_BOND_LACP) {
        judge_lacp(bond, arena);
    } else if (bond->mode == NG_BOND_UNKNOWN) {
        bond->why = bond->mode_text[0] == '\0'
                        ? "the mode of the bond is not printed"
                        : ng_arena_printf(
                              arena, "the mode \"%s\" of the bond is not known", bond->mode_text);
    } else {
        bond->sound = NG_ANSWER_YES;
    }
    if (bond->slave_count == 0) {
        bond->sound = bond->mode == NG_BOND_UNKNOWN ? NG_ANSWER_UNKNOWN : NG_ANSWER_NO;
        bond->why = bond->mode == NG_BOND_UNKNOWN ? bond->why : "the bond has no slaves";
    }
}

void ng_bonds_parse(struct ng_bonds *bonds, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    const bool cut = ng_span_cut(rest);
    while (ng_span_line(&rest, &line) && (rest.len > 0 || !cut)) {
        struct ng_bond *bond = bond_of(bonds, arena, ng_span_until(&line, '\t'));
        struct ng_span value = line;
        struct ng_span key = ng_span_trim(ng_span_until(&value, ':'));
        value = ng_span_trim(value);
        if (bond == NULL) {
            continue;
        }
        if (ng_span_is(key, "Slave Interface")) {
            add_slave(bond, arena, value);
        } else if (bond->slave_count > 0) {
            set_slave(&bond->slaves[bond->slave_count - 1], key, value);
        } else {
            set_bond(bond, arena, key, value);
        }
    }
    for (size_t i = 0; i < bonds->count; i++) {
        judge(&bonds->items[i], arena);
    }
}

void ng_bond_doubt(struct ng_bond *bond, const char *why) {
    not_sound(bond, NG_ANSWER_UNKNOWN, why);
}

const struct ng_bond *ng_bonds_find(const struct ng_bonds *bonds, const char *name) {
    for (size_t i = 0; i < bonds->count; i++) {
        if (strcmp(bonds->items[i].name, name) == 0) {
            return &bonds->items[i];
        }
    }
    return NULL;
}
