/* lua.c - a phase that is a script. It is run from its start with the answers of the commands that
 * it asked for, until it asks for no more; so it stays a pure function of evidence. */
#include "runner/engines/lua.h"

#include "runner/engines/answer.h"
#include "runner/engines/helpers.h"
#include "runner/engines/script.h"

#define AT(member) offsetof(struct ng_lua_phase, member)

static const struct ng_field fields[] = {
    {.name = "check",
        .type = NG_FIELD_SCRIPT,
        .offset = AT(check),
        .flags = NG_REQUIRED,
        .help = "the file of Lua, beside the plan or shipped, with or without \".lua\""},
    {.name = "args",
        .type = NG_FIELD_VALUES,
        .offset = AT(args),
        .help = "what the script finds in args"},
    {.name = "metrics",
        .type = NG_FIELD_METRICS,
        .offset = AT(metrics),
        .flags = NG_REQUIRED,
        .help = "what it measures: {jobs: count, latency: {unit: ms, better: lower}}; each must "
                "be measured, and no other can be"},
};

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    const struct ng_lua_phase *p = params;
    if (p->metrics.count == 0) {
        ng_diag_error(diags, ng_field_place(node, "metrics"), "no-metric",
            "metrics: a phase measures something; name at least one metric and its unit");
    }
}

static const struct ng_metric_def *own_metrics(const void *params, size_t *count) {
    const struct ng_lua_phase *p = params;
    *count = p->metrics.count;
    return p->metrics.items;
}

/* How long it takes is not known before it asks. */
static void estimate(const void *params, struct ng_cost *cost) {
    (void)params;
    cost->time_ns = 0;
}

/* What it asks of whom is not known either. */
static size_t hosts(const void *params, const struct ng_host *out[2]) {
    (void)params;
    out[0] = out[1] = NULL;
    return 0;
}

static bool build(const struct ng_site *site, struct ng_commands *out, struct ng_err *err) {
    (void)site;
    (void)err;
    out->count = 0;
    return true;
}

static struct ng_script_call call_of(const struct ng_site *site, struct ng_script_asking *asking) {
    const struct ng_lua_phase *p = site->phase->params;
    return ng_script_call_of(site, NG_SCRIPT_PHASE, p->check, p->args, &p->metrics, asking);
}

static void next(const struct ng_site *site, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t reply_count, struct ng_commands *more) {
    struct ng_script_asking asking = {site, commands, replies, reply_count, more};
    struct ng_script_call call = call_of(site, &asking);
    ng_script_run(&call);
}

static bool parse(const struct ng_site *site, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t reply_count, struct ng_repeat *repeat, bool *transient,
    struct ng_err *err) {
    *transient = false;
    struct ng_script_asking asking = {site, commands, replies, reply_count, NULL};
    struct ng_script_call call = call_of(site, &asking);
    if (reply_count > 0) {
        repeat->start_ns = replies[0].start_ns;
        repeat->duration_ns = replies[reply_count - 1].end_ns - replies[0].start_ns;
    }
    ng_script_run(&call);
    const bool ok = ng_script_take(site, &call, repeat, err);
    ng_script_look(site->arena, commands, replies, reply_count, &repeat->records);
    return ok;
}

const struct ng_engine ng_lua_engine = {
    .kind =
        {
            .record = {.name = "lua",
                .fields = fields,
                .count = NG_COUNT(fields),
                .size = sizeof(struct ng_lua_phase),
                .help = "runs a script of the plan's own that measures"},
            .check = check,
            .own_metrics = own_metrics,
            .estimate = estimate,
        },
    .hosts = hosts,
    .build = build,
    .next = next,
    .parse = parse,
};
