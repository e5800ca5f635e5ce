/* sysctl: settings of a host's kernel have the values that the plan states. */
#include "runner/facts/sysctl.h"
#include "runner/conditions/outcome.h"

struct params {
    const struct ng_host *host;
    struct ng_pairs values;
};

static const struct ng_field fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct params, host),
        .flags = NG_REQUIRED,
        .help = "the host whose settings are read"},
    {.name = "values",
        .type = NG_FIELD_PAIRS,
        .offset = offsetof(struct params, values),
        .flags = NG_REQUIRED,
        .help = "settings by name, as in \"net.core.rmem_max: 16777216\"; lists of numbers are "
                "compared as numbers"},
};

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    (void)node;
    const struct params *given = params;
    for (size_t i = 0; i < given->values.count; i++) {
        const struct ng_pair *pair = &given->values.items[i];
        if (ng_sysctl_path(diags->arena, pair->key) == NULL) {
            ng_diag_error(diags, pair->pos, "name",
                "%s is no name of a setting: write it as sysctl prints it, such as "
                "\"net.ipv4.tcp_rmem\"",
                ng_diag_quote(diags, pair->key));
        }
    }
}

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    const struct params *given = params;
    for (size_t i = 0; i < given->values.count; i++) {
        ng_collect_needs_sysctl(
            &by_host[ng_site_index(plan, given->host)], given->values.items[i].key);
    }
}

static void judge(
    struct ng_outcome *outcome, const struct ng_host *host, const struct ng_pair *pair) {
    struct ng_arena *arena = outcome->site->arena;
    const char *path = ng_sysctl_path(arena, pair->key);
    const char *why = "it is no name of a setting";
    const char *value =
        path == NULL ? NULL
                     : ng_facts_sysctl(ng_site_facts(outcome->site, host), arena, path, &why);
    if (value == NULL) {
        /* Absent is unknown, not zero: a namespace or container hides what the kernel has. */
        ng_outcome_see(outcome, NG_UNKNOWN, "%s on %s is unknown: %s", pair->key, host->name, why);
        ng_outcome_advise(outcome, "look by hand on %s: sysctl %s", host->name, pair->key);
        return;
    }
    const bool same = ng_sysctl_equal(value, pair->value);
    ng_outcome_look(outcome, pair->key, "%s", value);
    ng_outcome_see(outcome, same ? NG_HELD : NG_BROKEN, "%s on %s is %s%s%s", pair->key, host->name,
        value, same ? "" : ", not ", same ? "" : pair->value);
    ng_outcome_advise(
        outcome, "set it on %s: sysctl -w %s=\"%s\"", host->name, pair->key, pair->value);
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    struct ng_outcome outcome = ng_outcome_begin(site, out, given->host->name,
        ng_arena_printf(site->arena, "/proc/sys on %s", given->host->name));
    const char *list = "";
    for (size_t i = 0; i < given->values.count; i++) {
        const struct ng_pair *pair = &given->values.items[i];
        list = ng_arena_printf(
            site->arena, "%s%s%s = %s", list, i == 0 ? "" : ", ", pair->key, pair->value);
    }
    ng_outcome_expect(&outcome, "%s on %s", list, given->host->name);
    for (size_t i = 0; i < given->values.count; i++) {
        judge(&outcome, given->host, &given->values.items[i]);
    }
    if (given->values.count == 0) {
        ng_outcome_see(&outcome, NG_HELD, "no setting is named");
    }
}

const struct ng_condition ng_condition_sysctl = {
    .kind = {.record = {.name = "sysctl",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "host",
                 .help = "settings of a host's kernel have the stated values"},
        .check = check},
    .reads = NG_GROUP_SYSCTLS,
    .needs = needs,
    .evaluate = evaluate,
};
