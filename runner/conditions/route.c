/* route: traffic from each end of a link to the other really leaves by the link's interface. */
#include <string.h>

#include "runner/conditions/link_end.h"

struct params {
    const struct ng_link *link;
};

static const struct ng_field fields[] = {
    {.name = "link",
        .type = NG_FIELD_LINK,
        .offset = offsetof(struct params, link),
        .flags = NG_REQUIRED,
        .help = "the link that traffic between its ends must take"},
};

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    ng_need_link(plan, ((const struct params *)params)->link, by_host);
}

static void probes(
    const struct ng_condition_site *site, const void *params, struct ng_probe_list *wanted) {
    const struct ng_link *link = ((const struct params *)params)->link;
    const struct ng_end ends[2] = {ng_end_read(site, link, 0), ng_end_read(site, link, 1)};
    for (size_t i = 0; i < 2 && !ng_link_is_inside(link); i++) {
        ng_want_route(site, wanted, &ends[i], &ends[1 - i]);
    }
}

static void see_local(
    struct ng_outcome *outcome, const struct ng_end *from, const struct ng_end *to) {
    ng_outcome_see(outcome, NG_BROKEN,
        "traffic from %s to %s (%s) never leaves the host: the test would talk to itself",
        from->host->name, to->where, to->address);
    ng_outcome_advise(outcome,
        "give %s an address that %s does not have itself: both ends may be one machine, or the "
        "address stands on the wrong one",
        to->where, from->host->name);
}

static void see_other(struct ng_outcome *outcome, const struct ng_end *from,
    const struct ng_end *to, const struct ng_route *route) {
    ng_outcome_see(outcome, NG_BROKEN, "traffic from %s to %s (%s) leaves by %s, not by %s",
        from->host->name, to->where, to->address, route->device, from->interface);
    ng_outcome_advise(outcome,
        "put the link into a subnet of its own, or add \"ip route add %s/%d dev %s\" on %s",
        to->address, strchr(to->address, ':') != NULL ? 128 : 32, from->interface,
        from->host->name);
}

static void judge(struct ng_outcome *outcome, const struct ng_end *from, const struct ng_end *to) {
    struct ng_arena *arena = outcome->site->arena;
    const struct ng_route *route = ng_end_route(outcome->site, from, to);
    ng_outcome_look(outcome, ng_arena_printf(arena, "route from %s", from->host->name), "%s",
        ng_route_words(arena, route));
    switch (ng_end_way(from, route)) {
    case NG_WAY_LINK:
        ng_outcome_see(outcome, NG_HELD, "traffic from %s to %s (%s) leaves by %s%s%s",
            from->host->name, to->where, to->address, route->device,
            route->via != NULL ? " via " : "", route->via != NULL ? route->via : "");
        return;
    case NG_WAY_OTHER:
        see_other(outcome, from, to, route);
        return;
    case NG_WAY_LOCAL:
        see_local(outcome, from, to);
        return;
    case NG_WAY_NONE:
        ng_outcome_see(outcome, NG_BROKEN, "%s has no route to %s (%s)", from->host->name,
            to->where, to->address);
        ng_outcome_advise(
            outcome, "bring %s up, with an address in the subnet of %s", from->where, to->address);
        return;
    case NG_WAY_UNKNOWN:
        break;
    }
    ng_outcome_see(outcome, NG_UNKNOWN, "the route from %s to %s is unknown: %s", from->host->name,
        to->where, route->why != NULL ? route->why : "it names no device");
    if (to->address == NULL) {
        ng_outcome_advise(outcome, "state the address of %s in the link's ends", to->where);
    } else {
        ng_outcome_advise(
            outcome, "look by hand on %s: ip route get %s", from->host->name, to->address);
    }
}

/* Two ends on one host: only loopback, named as such, is what it says. */
static void judge_inside(struct ng_outcome *outcome, const struct ng_end ends[2]) {
    if (strcmp(ends[0].interface, "lo") == 0 && strcmp(ends[1].interface, "lo") == 0) {
        ng_outcome_see(
            outcome, NG_HELD, "%s is the loopback interface, as the plan says", ends[0].where);
        return;
    }
    ng_outcome_see(outcome, NG_BROKEN,
        "both ends are on %s: traffic between them never leaves the host", ends[0].host->name);
    ng_outcome_advise(outcome,
        "put one end on another host, or into a network namespace (via: {prefix: [ip, netns, exec, "
        "NAME]})");
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct ng_link *link = ((const struct params *)params)->link;
    const struct ng_end ends[2] = {ng_end_read(site, link, 0), ng_end_read(site, link, 1)};
    struct ng_outcome outcome = ng_outcome_begin(site, out, link->name,
        ng_arena_printf(
            site->arena, "ip route get on %s and %s", ends[0].host->name, ends[1].host->name));
    ng_outcome_expect(&outcome, "traffic between %s and %s leaves by these interfaces",
        ends[0].where, ends[1].where);
    bool there = ng_outcome_end(&outcome, &ends[0]);
    there = ng_outcome_end(&outcome, &ends[1]) && there;
    if (!there) {
        return;
    }
    if (ng_link_is_inside(link)) {
        judge_inside(&outcome, ends);
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        judge(&outcome, &ends[i], &ends[1 - i]);
    }
}

const struct ng_condition ng_condition_route = {
    .kind = {.record = {.name = "route",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "link",
                 .help = "traffic between the ends of a link leaves by the link's interfaces"}},
    .reads = NG_GROUP_INTERFACES,
    .needs = needs,
    .probes = probes,
    .evaluate = evaluate,
};
