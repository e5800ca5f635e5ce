/* The state of a host: its interfaces, what they are made of and how they are bonded. */
#include <string.h>

#include "runner/base/units.h"
#include "runner/facts/state_parts.h"

static const char *join(struct ng_arena *arena, const char *const *names, size_t count) {
    const char *text = "";
    for (size_t i = 0; i < count && i < 16; i++) {
        text = ng_arena_printf(arena, "%s%s%s", text, i == 0 ? "" : " ", names[i]);
    }
    return count > 16 ? ng_arena_printf(arena, "%s and %zu more", text, count - 16) : text;
}

/* The ends of containers have neither a device nor an address: there are hundreds on some hosts. */
static bool is_shown(const struct ng_netif *netif) {
    return strcmp(netif->name, "lo") != 0 &&
           (netif->physical || netif->address_count > 0 || netif->lowers.count > 0);
}

static void describe_speed(const struct ng_state_thing *thing, const struct ng_netif *netif) {
    char text[NG_QUANTITY_TEXT];
    if (netif->speed > 0) {
        ng_state_known(thing, "speed", "%s", ng_rate_format_bits((double)netif->speed / 8, text));
        ng_state_known(thing, "duplex", "%s", netif->duplex);
    } else if (netif->physical) {
        ng_state_unknown(thing, "speed",
            "the kernel tells none: the link is down, or its driver "
            "knows none");
    }
}

static void describe_counters(const struct ng_state_thing *thing, const struct ng_netif *netif) {
    static const enum ng_counter bad[] = {NG_COUNTER_RX_ERRORS, NG_COUNTER_TX_ERRORS,
        NG_COUNTER_RX_DROPPED, NG_COUNTER_TX_DROPPED, NG_COUNTER_RX_CRC_ERRORS,
        NG_COUNTER_RX_MISSED_ERRORS};
    struct ng_arena *arena = thing->state->arena;
    const char *text = "";
    for (size_t i = 0; i < NG_COUNT(bad); i++) {
        if (netif->counters[bad[i]] > 0) {
            text = ng_arena_printf(arena, "%s%s%s %lld", text, *text == '\0' ? "" : ", ",
                ng_counter_word(bad[i]), (long long)netif->counters[bad[i]]);
        }
    }
    if (*text != '\0') {
        ng_state_known(thing, "errors since boot", "%s", text);
    }
    if (netif->carrier_changes > 2) {
        ng_state_known(
            thing, "carrier changes", "%lld since boot", (long long)netif->carrier_changes);
    }
}

static void describe_netif(
    struct ng_state *state, const struct ng_facts *facts, const struct ng_netif *netif) {
    const struct ng_state_thing thing = {state, NG_STATE_LINKS, netif->name, "/sys/class/net"};
    const struct ng_state_thing address = {state, NG_STATE_LINKS, netif->name, "ip addr"};
    if (netif->mtu > 0) {
        ng_state_known(&thing, "mtu", "%lld", (long long)netif->mtu);
    } else {
        ng_state_unknown(&thing, "mtu", "its file cannot be read");
    }
    ng_state_known(&thing, "state", "%s", netif->operstate);
    describe_speed(&thing, netif);
    if (netif->kind[0] != '\0') {
        ng_state_known(&thing, "kind", "%s", netif->kind);
    }
    if (netif->lowers.count > 0) {
        ng_state_known(
            &thing, "over", "%s", join(state->arena, netif->lowers.items, netif->lowers.count));
    }
    if (netif->address_count > 0) {
        ng_state_known(&address, "addresses", "%s",
            join(state->arena, netif->addresses, netif->address_count));
    } else if (facts->netifs.addresses_why != NULL) {
        ng_state_unknown(&address, "addresses", "%s", facts->netifs.addresses_why);
    }
    describe_counters(&thing, netif);
}

static void describe_bond(struct ng_state *state, const struct ng_bond *bond) {
    const struct ng_state_thing thing = {state, NG_STATE_LINKS, bond->name, "/proc/net/bonding"};
    ng_state_text(&thing, "bond mode", bond->mode_text[0] != '\0' ? bond->mode_text : NULL, NULL);
    if (bond->hash[0] != '\0') {
        ng_state_known(&thing, "hash policy", "%s", bond->hash);
    }
    if (bond->active[0] != '\0') {
        ng_state_known(&thing, "active slave", "%s", bond->active);
    }
    if (bond->sound == NG_ANSWER_YES) {
        ng_state_known(&thing, "bond", "sound");
    } else if (bond->sound == NG_ANSWER_NO) {
        ng_state_known(&thing, "bond", "%s", bond->why != NULL ? bond->why : "not sound");
    } else {
        ng_state_unknown(&thing, "bond", "%s", bond->why != NULL ? bond->why : "it was not told");
    }
}

void ng_state_links(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_state_thing all = {state, NG_STATE_LINKS, "", "/sys/class/net"};
    const struct ng_source *net = ng_frames_find(&facts->frames, "net");
    if (!ng_source_read(net)) {
        ng_state_unknown(&all, "interfaces", "%s",
            ng_source_why(&facts->frames, net, "/sys/class/net", state->arena));
    } else if (facts->netifs.count == 0) {
        ng_state_unknown(&all, "interfaces", "/sys/class/net names none, not even lo");
    }
    if (facts->netifs.cut != NULL) {
        ng_state_unknown(&all, "more interfaces", "%s", facts->netifs.cut);
    }
    for (size_t i = 0; i < facts->netifs.count; i++) {
        if (is_shown(&facts->netifs.items[i])) {
            describe_netif(state, facts, &facts->netifs.items[i]);
        }
    }
    for (size_t i = 0; i < facts->bonds.count; i++) {
        describe_bond(state, &facts->bonds.items[i]);
    }
}
