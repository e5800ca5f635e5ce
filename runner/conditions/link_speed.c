/* link_speed: both ends of a link run at the speed that the plan states, in full duplex. */
#include <string.h>

#include "runner/base/units.h"
#include "runner/conditions/line_speed.h"

enum { FLOWS_ONE, FLOWS_MANY };

struct params {
    const struct ng_link *link;
    int flows;
};

static const char *const flows[] = {"one", "many", NULL};

static const struct ng_field fields[] = {
    {.name = "link",
        .type = NG_FIELD_LINK,
        .offset = offsetof(struct params, link),
        .flags = NG_REQUIRED,
        .help = "the link whose two ends must run at its speed"},
    {.name = "flows",
        .type = NG_FIELD_CHOICE,
        .offset = offsetof(struct params, flows),
        .choices = flows,
        .fallback = "one",
        .help = "whether the link's speed is that of one flow, or of many over all slaves of a "
                "bond"},
};

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    ng_need_link(plan, ((const struct params *)params)->link, by_host);
}

static const char *rate(struct ng_arena *arena, int64_t bits) {
    char text[NG_QUANTITY_TEXT];
    return ng_arena_strdup(arena, ng_rate_format_bits((double)bits / 8, text));
}

/* The end's speed for so many flows, or 0 after the reason was told. */
static int64_t speed_of(
    struct ng_outcome *outcome, const struct ng_end *end, const struct params *given) {
    if (!ng_outcome_end(outcome, end)) {
        return 0;
    }
    struct ng_arena *arena = outcome->site->arena;
    const struct ng_line_speed line = ng_line_speed(arena, end->facts, end->netif);
    const int64_t speed = given->flows == FLOWS_ONE ? line.one : line.many;
    ng_look_end(outcome, end);
    if (line.remark != NULL) {
        ng_outcome_look(
            outcome, ng_arena_printf(arena, "remark on %s", end->where), "%s", line.remark);
    }
    if (line.broken != NULL) {
        ng_outcome_see(outcome, NG_BROKEN, "%s: %s", end->where, line.broken);
        ng_outcome_advise(outcome, "see to the cable, the port and the switch of %s", end->where);
        return 0;
    }
    if (strcmp(line.duplex, "half") == 0) {
        ng_outcome_see(outcome, NG_BROKEN, "%s runs in half duplex", end->where);
        ng_outcome_advise(
            outcome, "let both sides negotiate: ethtool -s %s autoneg on", end->interface);
    }
    if (speed == 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the speed of %s is unknown: %s", end->where,
            line.why != NULL ? line.why : "nothing tells it");
        ng_outcome_advise(outcome,
            "write \"unknown: allow\" for virtual cards, which have no speed, and let a phase "
            "measure it");
        return 0;
    }
    if (strcmp(line.duplex, "unknown") == 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the duplex of %s is unknown", end->where);
        ng_outcome_advise(
            outcome, "look by hand on %s: ethtool %s", end->host->name, end->interface);
    }
    if (line.one != line.many && given->flows == FLOWS_ONE) {
        ng_outcome_look(outcome, ng_arena_printf(arena, "flows of %s", end->where),
            "one flow takes one slave: %s; many flows %s", rate(arena, line.one),
            rate(arena, line.many));
    }
    return speed;
}

/* Slower than stated is broken; faster only where both ends are, since a switch may convert. */
static void compare(struct ng_outcome *outcome, const struct ng_link *link,
    const struct ng_end ends[2], const int64_t speed[2]) {
    struct ng_arena *arena = outcome->site->arena;
    const int64_t other = speed[0] != 0 && speed[1] != 0 ? 1 : 0;
    for (size_t i = 0; i < 2; i++) {
        if (speed[i] == 0) {
            continue;
        }
        const bool slow = link->speed > 0 && speed[i] < link->speed;
        const bool fast =
            link->speed > 0 && speed[i] > link->speed && (other == 0 || speed[1 - i] > link->speed);
        const bool differ = link->speed == 0 && other != 0 && speed[0] != speed[1];
        ng_outcome_see(outcome, slow || fast || differ ? NG_BROKEN : NG_HELD, "%s runs at %s%s%s",
            ends[i].where, rate(arena, speed[i]),
            slow   ? ", slower than "
            : fast ? ", faster than "
                   : "",
            slow || fast ? rate(arena, link->speed) : "");
        if (slow) {
            ng_outcome_advise(outcome,
                "see to the cable, the port and the switch of %s, and to what it negotiates "
                "(ethtool %s); one flow of a bond takes one slave",
                ends[i].where, ends[i].interface);
        } else if (fast) {
            ng_outcome_advise(
                outcome, "correct the link's speed: limits and shares are computed from it");
        } else if (differ) {
            ng_outcome_advise(outcome, "state the link's speed to say which end is right");
        }
    }
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    const struct ng_link *link = given->link;
    const struct ng_end ends[2] = {ng_end_read(site, link, 0), ng_end_read(site, link, 1)};
    struct ng_outcome outcome = ng_outcome_begin(site, out, link->name,
        ng_arena_printf(site->arena,
            "/sys/class/net, ethtool, tc and /proc/net/bonding on %s and %s", ends[0].host->name,
            ends[1].host->name));
    if (link->speed > 0) {
        ng_outcome_expect(&outcome, "both ends of %s run at %s%s, full duplex", link->name,
            rate(site->arena, link->speed), given->flows == FLOWS_ONE ? "" : " over many flows");
    } else {
        ng_outcome_expect(
            &outcome, "both ends of %s run at the same speed, full duplex", link->name);
    }
    const int64_t speed[2] = {
        speed_of(&outcome, &ends[0], given), speed_of(&outcome, &ends[1], given)};
    compare(&outcome, link, ends, speed);
}

static const char *trace(const struct ng_condition_site *site, const void *params) {
    return ng_link_trace(site, ((const struct params *)params)->link);
}

const struct ng_condition ng_condition_link_speed = {
    .kind = {.record = {.name = "link_speed",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "link",
                 .help = "both ends of a link run at its speed, in full duplex"},
        .guards = true},
    .reads = NG_GROUP_CARDS | NG_GROUP_INTERFACES,
    .needs = needs,
    .evaluate = evaluate,
    .trace = trace,
};
