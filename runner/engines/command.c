/* command.c - any command on a host. How long it took is measured here; what it printed is turned
 * into metrics by a script of the plan's own. */
#include "runner/engines/command.h"

#include <string.h>

#include "runner/base/clock.h"
#include "runner/engines/answer.h"
#include "runner/engines/helpers.h"
#include "runner/engines/script.h"

/* How long it may take where the phase has no timeout. */
#define DEADLINE_NS (600 * NG_NS_PER_S)

#define AT(member) offsetof(struct ng_command_phase, member)

static const struct ng_field extract_fields[] = {
    {.name = "check",
        .type = NG_FIELD_SCRIPT,
        .offset = offsetof(struct ng_extract, check),
        .flags = NG_REQUIRED,
        .help = "the file of Lua, beside the plan or shipped, with or without \".lua\""},
    {.name = "args",
        .type = NG_FIELD_VALUES,
        .offset = offsetof(struct ng_extract, args),
        .help = "what the script finds in args"},
};

static const struct ng_record extract_record = {"extract", extract_fields, NG_COUNT(extract_fields),
    sizeof(struct ng_extract), "check", "A script that turns the output of a command into metrics"};

static const char *const statuses[] = {"zero", "any", NULL};

static const struct ng_field fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = AT(host),
        .flags = NG_REQUIRED,
        .help = "where it runs"},
    {.name = "argv",
        .type = NG_FIELD_TEXTS,
        .offset = AT(argv),
        .flags = NG_REQUIRED,
        .help = "its words, never taken apart by a shell: [openssl, speed, -seconds, \"1\"]"},
    {.name = "status",
        .type = NG_FIELD_CHOICE,
        .offset = AT(status),
        .choices = statuses,
        .fallback = "zero",
        .help = "with which exit status it counts; \"any\" leaves that to the script, by status()"},
    {.name = "extract",
        .type = NG_FIELD_RECORD,
        .offset = AT(extract),
        .record = &extract_record,
        .help = "the script that makes metrics of what it printed"},
    {.name = "metrics",
        .type = NG_FIELD_METRICS,
        .offset = AT(metrics),
        .help = "what the script measures: {rate: MB/s}; each must be measured, and no other can "
                "be"},
};

static const struct ng_metric_def metrics[] = {
    {"duration", NG_TIME_INIT, NG_BETTER_LOWER, "from its start to its end", "the runner's clock"},
};

static void check_argv(
    const struct ng_command_phase *p, const struct ng_node *node, struct ng_diags *diags) {
    if (p->argv.count == 0 || p->argv.items[0][0] == '\0') {
        ng_diag_error(diags, ng_field_place(node, "argv"), "argv",
            "argv: the first word is the command; it must not be empty");
    } else if (p->argv.count == 1 && strchr(p->argv.items[0], ' ') != NULL) {
        ng_diag_error(diags, ng_field_place(node, "argv"), "argv",
            "argv: a list of words, which no shell takes apart; write [%.*s, ...]",
            (int)strcspn(p->argv.items[0], " "), p->argv.items[0]);
    }
}

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    const struct ng_command_phase *p = params;
    check_argv(p, node, diags);
    if (p->extract == NULL && p->metrics.count > 0) {
        ng_diag_error(diags, ng_field_place(node, "metrics"), "no-extract",
            "metrics: nothing measures them; add \"extract: FILE\", a script that does");
    }
    if (p->extract == NULL && p->status == 1) {
        ng_diag_error(diags, ng_field_place(node, "status"), "no-extract",
            "status: any needs a script that judges it; add \"extract: FILE\"");
    }
    for (size_t i = 0; i < p->metrics.count; i++) {
        if (strcmp(p->metrics.items[i].name, metrics[0].name) == 0) {
            ng_diag_error(diags, ng_field_place(node, "metrics"), "duplicate-name",
                "metrics: \"%s\" is measured by nasgate itself; choose another name",
                metrics[0].name);
        }
    }
}

static const struct ng_metric_def *own_metrics(const void *params, size_t *count) {
    const struct ng_command_phase *p = params;
    *count = p->metrics.count;
    return p->metrics.items;
}

/* How long a command takes is not known before it ran. */
static void estimate(const void *params, struct ng_cost *cost) {
    (void)params;
    cost->time_ns = 0;
}

static size_t hosts(const void *params, const struct ng_host *out[2]) {
    const struct ng_command_phase *p = params;
    out[0] = p->host;
    return 1;
}

static bool build(const struct ng_site *site, struct ng_commands *out, struct ng_err *err) {
    (void)err;
    const struct ng_command_phase *p = site->phase->params;
    struct ng_command *command = ng_commands_add(out, "measure", p->host);
    for (size_t i = 0; i < p->argv.count; i++) {
        ng_strv_push(&command->argv, p->argv.items[i]);
    }
    command->deadline_ns = ng_site_deadline(site, DEADLINE_NS);
    command->measures = true;
    return true;
}

static bool extract(const struct ng_site *site, const struct ng_reply *reply,
    struct ng_repeat *repeat, struct ng_err *err) {
    const struct ng_command_phase *p = site->phase->params;
    const struct ng_script_answer output = ng_script_answer_of(site->arena, reply);
    struct ng_script_call call = ng_script_call_of(
        site, NG_SCRIPT_METRICS, p->extract->check, p->extract->args, &p->metrics, NULL);
    call.output = &output;
    ng_script_run(&call);
    return ng_script_take(site, &call, repeat, err);
}

static bool parse(const struct ng_site *site, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t reply_count, struct ng_repeat *repeat, bool *transient,
    struct ng_err *err) {
    *transient = false;
    const struct ng_command_phase *p = site->phase->params;
    const struct ng_reply *reply = &replies[0];
    if (reply_count == 0 || commands->count == 0) {
        return ng_err_set(err, NG_ERR_INTERNAL, "the command was not started");
    }
    const char *name = p->argv.items[0];
    if (!ng_reply_exited(name, reply, err) || !ng_reply_whole(name, reply, err)) {
        return false;
    }
    ng_records_add(site->arena, &repeat->records, "status", "%d", reply->status);
    if (reply->status != 0 && p->status == 0) {
        return ng_err_set(err, NG_ERR_ENGINE, "%s failed with status %d: %s", name, reply->status,
            ng_reply_words(site->arena, reply));
    }
    if (reply->leftovers > 0) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_INCONCLUSIVE, "leftovers",
            "%s left %d process%s behind, which %s ended: it went on when it had returned", name,
            reply->leftovers, reply->leftovers == 1 ? "" : "es",
            reply->leftovers == 1 ? "was" : "were");
    }
    ng_measure(site, repeat, &ng_command_engine, "duration",
        (double)(reply->end_ns - reply->start_ns) / (double)NG_NS_PER_S);
    return p->extract == NULL || extract(site, reply, repeat, err);
}

const struct ng_engine ng_command_engine = {
    .kind =
        {
            .record = {.name = "command",
                .fields = fields,
                .count = NG_COUNT(fields),
                .size = sizeof(struct ng_command_phase),
                .help = "runs a command on a host; a script turns its output into metrics"},
            .metrics = metrics,
            .metric_count = NG_COUNT(metrics),
            .check = check,
            .own_metrics = own_metrics,
            .estimate = estimate,
        },
    .hosts = hosts,
    .build = build,
    .parse = parse,
};
