/* mtu_match: both ends of a link and all that lies below them are configured with the link's MTU,
 * and packets of that size pass between them in both directions. */
#include <inttypes.h>
#include <string.h>

#include "runner/conditions/mtu_path.h"

enum { DIRECTIONS_BOTH, DIRECTIONS_ONE };
enum { MTU_PROVABLE_MIN = 576, MTU_PROVABLE_MAX = 65500 }; /* what an echo can carry */

struct params {
    const struct ng_link *link;
    int directions;
};

static const char *const directions[] = {"both", "one", NULL};

static const struct ng_field fields[] = {
    {.name = "link",
        .type = NG_FIELD_LINK,
        .offset = offsetof(struct params, link),
        .flags = NG_REQUIRED,
        .help = "the link whose two ends are compared, and whose path is proven"},
    {.name = "directions",
        .type = NG_FIELD_CHOICE,
        .offset = offsetof(struct params, directions),
        .choices = directions,
        .fallback = "both",
        .help = "how many directions must be proven; one where an end cannot send probes"},
};

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    ng_need_link(plan, ((const struct params *)params)->link, by_host);
}

/* The MTU to prove: what the plan states, else what both ends have. 0: there is none. */
static int64_t wanted_mtu(const struct ng_link *link, const struct ng_end ends[2]) {
    int64_t mtu = link->mtu;
    if (mtu == 0 && ends[0].netif != NULL && ends[1].netif != NULL &&
        ends[0].netif->mtu == ends[1].netif->mtu) {
        mtu = ends[0].netif->mtu;
    }
    return mtu;
}

static bool is_provable(const struct ng_link *link, int64_t mtu) {
    return !ng_link_is_inside(link) && mtu >= MTU_PROVABLE_MIN && mtu <= MTU_PROVABLE_MAX;
}

static void probes(
    const struct ng_condition_site *site, const void *params, struct ng_probe_list *wanted) {
    const struct ng_link *link = ((const struct params *)params)->link;
    const struct ng_end ends[2] = {ng_end_read(site, link, 0), ng_end_read(site, link, 1)};
    const int64_t mtu = wanted_mtu(link, ends);
    for (size_t i = 0; i < 2 && is_provable(link, mtu); i++) {
        ng_mtu_path_probes(site, &ends[i], &ends[1 - i], mtu, wanted);
    }
}

/* The MTU of one end, or 0 after the reason was told. */
static int64_t mtu_of(struct ng_outcome *outcome, const struct ng_end *end) {
    if (!ng_outcome_end(outcome, end)) {
        return 0;
    }
    ng_look_end(outcome, end);
    if (end->netif->mtu <= 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the MTU of %s could not be read", end->where);
        ng_outcome_advise(
            outcome, "read it by hand on %s: ip link show dev %s", end->host->name, end->interface);
        return 0;
    }
    return end->netif->mtu;
}

/* `count` is 1 where both ends are one and the same interface. */
static void compare(struct ng_outcome *outcome, const struct ng_link *link,
    const struct ng_end ends[2], const int64_t mtu[2], size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (mtu[i] == 0) {
            continue;
        }
        bool wrong = (link->mtu > 0 && mtu[i] != link->mtu) ||
                     (link->mtu == 0 && mtu[1 - i] != 0 && mtu[0] != mtu[1]);
        ng_outcome_see(
            outcome, wrong ? NG_BROKEN : NG_HELD, "%s has MTU %" PRId64, ends[i].where, mtu[i]);
        if (wrong && link->mtu > 0) {
            ng_outcome_advise(outcome,
                "set it: \"ip link set dev %s mtu %" PRId64
                "\" on %s, and on what lies between; or correct the link's mtu",
                ends[i].interface, link->mtu, ends[i].host->name);
        } else if (wrong) {
            ng_outcome_advise(outcome,
                "give both ends the same MTU, or state the link's mtu to say which is right");
        }
    }
}

static void judge_layer(struct ng_outcome *outcome, const struct ng_end *end,
    const struct ng_netif *layer, int64_t mtu) {
    if (layer->mtu <= 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the MTU of %s, a layer of %s, could not be read",
            layer->name, end->where);
    } else if (layer->mtu < mtu) {
        ng_outcome_see(outcome, NG_BROKEN,
            "%s, a layer of %s, has MTU %" PRId64 ": larger frames are dropped without a word",
            layer->name, end->where, layer->mtu);
    } else {
        return; /* a VLAN may lie on a larger device */
    }
    ng_outcome_advise(outcome, "set it: \"ip link set dev %s mtu %" PRId64 "\" on %s", layer->name,
        mtu, end->host->name);
}

/* All that carries an end: a bridge and its ports, a bond and its slaves, what a VLAN lies on. */
static void judge_layers(struct ng_outcome *outcome, const struct ng_end *end, int64_t mtu) {
    struct ng_layers layers;
    if (end->netif == NULL || end->netif->mtu <= 0 || mtu <= 0) {
        return;
    }
    if (end->top != end->netif) {
        judge_layer(outcome, end, end->top, mtu);
    }
    ng_netifs_below(&end->facts->netifs, end->top, &layers);
    for (size_t i = 0; i < layers.count; i++) {
        if (layers.items[i] != end->netif) {
            judge_layer(outcome, end, layers.items[i], mtu);
        }
    }
    if (layers.cut) {
        ng_outcome_see(
            outcome, NG_UNKNOWN, "%s has more than %d layers", end->where, NG_LAYERS_MAX);
        ng_outcome_advise(outcome, "name the device itself as the end of the link");
    }
}

static void look_route(
    struct ng_outcome *outcome, const struct ng_end *from, const struct ng_end *to) {
    struct ng_arena *arena = outcome->site->arena;
    if (to->address != NULL) {
        ng_outcome_look(outcome, ng_arena_printf(arena, "route from %s", from->host->name), "%s",
            ng_route_words(arena, ng_end_route(outcome->site, from, to)));
    }
}

static void prove(struct ng_outcome *outcome, const struct params *given,
    const struct ng_end ends[2], int64_t mtu) {
    struct ng_mtu_path paths[2];
    for (size_t i = 0; i < 2; i++) {
        paths[i] = ng_mtu_path_judge(outcome->site, &ends[i], &ends[1 - i], mtu);
        ng_outcome_look(outcome,
            ng_arena_printf(outcome->site->arena, "path from %s", ends[i].host->name), "%s",
            paths[i].seen);
        look_route(outcome, &ends[i], &ends[1 - i]);
    }
    for (size_t i = 0; i < 2; i++) {
        const bool enough =
            given->directions == DIRECTIONS_ONE && paths[1 - i].proof == NG_PROOF_YES;
        const enum ng_held held = paths[i].proof == NG_PROOF_NO              ? NG_BROKEN
                                  : paths[i].proof == NG_PROOF_YES || enough ? NG_HELD
                                                                             : NG_UNKNOWN;
        ng_outcome_see(outcome, held, "%s", paths[i].seen);
        if (paths[i].remedy != NULL && held != NG_HELD) {
            ng_outcome_advise(outcome, "%s", paths[i].remedy);
        }
    }
}

static void not_proven(struct ng_outcome *outcome, const struct ng_link *link, int64_t mtu) {
    if (ng_link_is_inside(link)) {
        ng_outcome_look(outcome, "path", "%s",
            "not proven: both ends are on one host, so packets between them never leave it");
    } else if (mtu == 0) {
        ng_outcome_look(
            outcome, "path", "%s", "not proven: the ends do not agree on an MTU to prove");
    } else {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "the path is not proven: an echo carries no packet of %" PRId64 " bytes", mtu);
        ng_outcome_advise(outcome, "state an mtu of %d .. %d", MTU_PROVABLE_MIN, MTU_PROVABLE_MAX);
    }
}

static void expect(struct ng_outcome *outcome, const struct params *given) {
    const struct ng_link *link = given->link;
    const char *proof = ng_link_is_inside(link) ? ""
                        : given->directions == DIRECTIONS_ONE
                            ? ", and proven along the path in one direction"
                            : ", and proven along the path in both directions";
    if (link->mtu > 0) {
        ng_outcome_expect(outcome, "MTU %" PRId64 " configured on both ends of %s%s", link->mtu,
            link->name, proof);
    } else {
        ng_outcome_expect(
            outcome, "the same MTU configured on both ends of %s%s", link->name, proof);
    }
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    const struct ng_link *link = given->link;
    const struct ng_end ends[2] = {ng_end_read(site, link, 0), ng_end_read(site, link, 1)};
    const bool inside = ng_link_is_inside(link);
    const size_t count = inside && strcmp(ends[0].interface, ends[1].interface) == 0 ? 1 : 2;
    struct ng_outcome outcome = ng_outcome_begin(site, out, link->name,
        inside ? ng_arena_printf(site->arena, "/sys/class/net on %s", ends[0].host->name)
               : ng_arena_printf(site->arena, "/sys/class/net on %s and %s, and pings between them",
                     ends[0].host->name, ends[1].host->name));
    expect(&outcome, given);
    int64_t mtu[2] = {mtu_of(&outcome, &ends[0])};
    mtu[1] = count == 2 ? mtu_of(&outcome, &ends[1]) : mtu[0];
    compare(&outcome, link, ends, mtu, count);
    for (size_t i = 0; i < count; i++) {
        judge_layers(&outcome, &ends[i], link->mtu > 0 ? link->mtu : mtu[i]);
    }
    const int64_t wanted = wanted_mtu(link, ends);
    if (is_provable(link, wanted)) {
        prove(&outcome, given, ends, wanted);
    } else {
        not_proven(&outcome, link, wanted);
    }
}

static const char *trace(const struct ng_condition_site *site, const void *params) {
    return ng_link_trace(site, ((const struct params *)params)->link);
}

const struct ng_condition ng_condition_mtu_match = {
    .kind = {.record = {.name = "mtu_match",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "link",
                 .help = "both ends of a link have the same MTU, and packets of it pass"},
        .guards = true},
    .reads = NG_GROUP_INTERFACES,
    .needs = needs,
    .probes = probes,
    .evaluate = evaluate,
    .trace = trace,
};
