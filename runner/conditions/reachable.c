/* reachable: a host can be asked, or the ends of a link answer each other. */
#include "runner/conditions/reachable.h"

#include "runner/conditions/link_end.h"
#include "runner/conditions/ping_ask.h"

static const struct ng_field fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct ng_reachable_params, host),
        .help = "a host that commands must run on"},
    {.name = "link",
        .type = NG_FIELD_LINK,
        .offset = offsetof(struct ng_reachable_params, link),
        .help = "a link whose ends must answer each other's pings"},
};

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    const struct ng_reachable_params *given = params;
    if ((given->host == NULL) == (given->link == NULL)) {
        ng_diag_error(diags, ng_field_place(node, "link"), "missing-key",
            "reachable needs a host or a link, and not both: \"- reachable: nas\" or "
            "\"- reachable: {link: fiber}\"");
    }
}

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    const struct ng_reachable_params *given = params;
    if (given->link != NULL) {
        ng_need_link(plan, given->link, by_host);
    }
}

static void probes(
    const struct ng_condition_site *site, const void *params, struct ng_probe_list *wanted) {
    const struct ng_link *link = ((const struct ng_reachable_params *)params)->link;
    for (size_t i = 0; link != NULL && i < 2; i++) {
        const struct ng_end from = ng_end_read(site, link, i);
        const struct ng_end to = ng_end_read(site, link, 1 - i);
        if (to.address != NULL && from.facts->reason == NULL) {
            ng_want_ping(wanted, from.host, to.address);
        }
    }
}

static bool judge_host(struct ng_outcome *outcome, const struct ng_host *host) {
    const struct ng_facts *facts = ng_site_facts(outcome->site, host);
    if (facts->reason != NULL) {
        ng_outcome_see(outcome, NG_BROKEN, "%s cannot be asked: %s", host->name, facts->reason);
        ng_outcome_advise(
            outcome, "see that commands run on %s as the plan's hosts say", host->name);
        return false;
    }
    if (!facts->frames.complete) {
        ng_outcome_see(
            outcome, NG_UNKNOWN, "%s answered in part: %s", host->name, facts->frames.reason);
        ng_outcome_advise(outcome, "see what hangs on %s", host->name);
        return false;
    }
    return true;
}

static void judge_ping(
    struct ng_outcome *outcome, const struct ng_end *from, const struct ng_end *to) {
    struct ng_ping_probe ping;
    const char *why = NULL;
    const char *way = ng_arena_printf(
        outcome->site->arena, "%s to %s (%s)", from->host->name, to->where, to->address);
    if (!ng_ping_said(outcome->site, from->host, to->address, &ping, &why)) {
        ng_outcome_see(
            outcome, NG_UNKNOWN, "%s: %s", way, why != NULL ? why : "it was not asked for");
        ng_outcome_advise(outcome, "install iputils-ping on %s", from->host->name);
        return;
    }
    ng_outcome_look(outcome, way, "%d of %d answers%s%s", ping.answers, ping.sent,
        ping.message != NULL ? ", " : "", ping.message != NULL ? ping.message : "");
    if (ping.answers > 0) {
        ng_outcome_see(
            outcome, NG_HELD, "%s: %d of %d pings answered", way, ping.answers, ping.sent);
    } else if (ping.unreachable) {
        ng_outcome_see(outcome, NG_BROKEN, "%s: %s", way, ping.message);
        ng_outcome_advise(outcome, "see that both ends are up and have addresses of one subnet");
    } else if (ping.sent > 0) {
        /* A firewall may drop echo requests and let everything else pass. */
        ng_outcome_see(outcome, NG_UNKNOWN, "%s: no ping was answered", way);
        ng_outcome_advise(outcome,
            "see that %s is up; if a firewall drops echo requests there, allow them for the tests",
            to->host->name);
    } else {
        ng_outcome_see(outcome, NG_UNKNOWN, "%s: %s", way,
            ping.message != NULL ? ping.message : "ping printed no counts");
        ng_outcome_advise(outcome, "install iputils-ping on %s", from->host->name);
    }
}

static void judge_link(struct ng_outcome *outcome, const struct ng_link *link) {
    for (size_t i = 0; i < 2; i++) {
        const struct ng_end from = ng_end_read(outcome->site, link, i);
        const struct ng_end to = ng_end_read(outcome->site, link, 1 - i);
        if (!judge_host(outcome, from.host)) {
            continue;
        }
        if (to.address == NULL) {
            ng_outcome_see(
                outcome, NG_UNKNOWN, "the address of %s is unknown: %s", to.where, to.address_why);
            ng_outcome_advise(outcome, "state the address of %s in the link's ends", to.where);
            continue;
        }
        judge_ping(outcome, &from, &to);
    }
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct ng_reachable_params *given = params;
    if (given->link != NULL) {
        struct ng_outcome outcome = ng_outcome_begin(site, out, given->link->name,
            ng_arena_printf(site->arena, "pings between %s and %s",
                given->link->ends[0].at.host->name, given->link->ends[1].at.host->name));
        ng_outcome_expect(&outcome, "both ends of %s answer each other", given->link->name);
        judge_link(&outcome, given->link);
        return;
    }
    struct ng_outcome outcome = ng_outcome_begin(site, out, given->host->name,
        ng_arena_printf(site->arena, "the collector on %s", given->host->name));
    ng_outcome_expect(&outcome, "commands run on %s", given->host->name);
    if (judge_host(&outcome, given->host)) {
        ng_outcome_see(&outcome, NG_HELD, "%s answered", given->host->name);
    }
}

const struct ng_condition ng_condition_reachable = {
    .kind = {.record = {.name = "reachable",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct ng_reachable_params),
                 .shorthand = "host",
                 .help = "a host can be asked, or the ends of a link answer each other"},
        .check = check},
    .reads = NG_GROUP_INTERFACES,
    .needs = needs,
    .probes = probes,
    .evaluate = evaluate,
};
