/* lua: a check that is written in Lua. Commands that it runs are probes: it is run again from its
 * start, with what they said, until it wants no more; so it stays a pure function. */
#include "runner/conditions/lua.h"

#include "runner/base/digest.h"
#include "runner/base/strv.h"
#include "runner/base/text.h"
#include "runner/conditions/outcome.h"
#include "runner/result/script_call.h"

static const struct ng_field fields[] = {
    {.name = "check",
        .type = NG_FIELD_SCRIPT,
        .offset = offsetof(struct ng_lua_params, check),
        .flags = NG_REQUIRED,
        .help = "the file of Lua, beside the plan or shipped, with or without \".lua\""},
    {.name = "args",
        .type = NG_FIELD_VALUES,
        .offset = offsetof(struct ng_lua_params, args),
        .help = "what the check finds in args; it may also stand beside the name: "
                "{lua: no_backup_job, host: nas}"},
};

/* Where its commands are looked up, or noted to be asked. */
struct asking {
    const struct ng_condition_site *site;
    const struct ng_script *script;
    struct ng_probe_list *wanted; /* NULL: nothing more can be asked */
    struct ng_outcome *outcome;   /* NULL: not to be told */
    unsigned rests_on;            /* enum ng_condition_rests */
};

/* A name for a command, the same whenever the script runs: its place among the script's commands,
 * and its words. */
static const char *probe_name(
    struct ng_arena *arena, const struct ng_script *script, const struct ng_script_ask *ask) {
    struct ng_buf words;
    char digest[NG_DIGEST_TEXT];
    ng_buf_init(&words, 1024 * 1024);
    ng_shell_quote_all(&words, ask->argv);
    ng_digest(ng_buf_text(&words), words.len, digest);
    const char *shown = ng_text_clean_dup(arena, ng_buf_text(&words), words.len, NG_TEXT_LINE, 120);
    ng_buf_release(&words);
    return ng_arena_printf(arena, "%s %d: %s (%.8s)", script->name, ask->number, shown, digest);
}

static bool ask_probe(
    void *context, const struct ng_script_ask *ask, struct ng_script_answer *answer) {
    struct asking *asking = context;
    asking->rests_on |= NG_RESTS_ON_PROBES;
    struct ng_arena *arena = asking->wanted != NULL ? asking->wanted->arena : asking->site->arena;
    const char *name = probe_name(arena, asking->script, ask);
    const struct ng_probe_result *result = ng_probe_find(asking->site->probes, ask->host, name);
    if (result == NULL) {
        if (asking->wanted != NULL) {
            ng_probe_want(asking->wanted, ask->host, name, ask->timeout_ns, ask->argv);
        }
        return false;
    }
    if (asking->outcome != NULL) {
        ng_outcome_look(asking->outcome, ng_arena_printf(arena, "command on %s", ask->host->name),
            "%s: %s", name,
            result->failed != NULL ? result->failed
                                   : ng_arena_printf(arena, "status %d", result->status));
    }
    *answer = (struct ng_script_answer){
        .failed = result->failed,
        .status = result->status,
        .out = result->out,
        .err = result->err,
        .out_len = result->out_len,
        .err_len = result->err_len,
        .cut = result->cut,
    };
    return true;
}

static struct ng_script_call call_of(
    const struct ng_lua_params *params, struct asking *asking, struct ng_arena *arena) {
    return (struct ng_script_call){
        .script = params->check,
        .args = params->args,
        .place = NG_SCRIPT_PRECONDITION,
        .arena = arena,
        .plan = asking->site->plan,
        .facts = asking->site->facts,
        .earlier = asking->site->earlier,
        .seed = asking->site->seed,
        .ask = ask_probe,
        .context = asking,
    };
}

/* What it looks at is not known: the ends of links and the paths of volumes are, also for guards.
 */
static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    (void)params;
    for (size_t i = 0; i < plan->link_count; i++) {
        for (size_t j = 0; j < NG_COUNT(plan->links[i].ends); j++) {
            const struct ng_interface *at = &plan->links[i].ends[j].at;
            ng_collect_needs_interface(&by_host[ng_site_index(plan, at->host)], at->name);
        }
    }
    for (size_t i = 0; i < plan->volume_count; i++) {
        const struct ng_volume *volume = &plan->volumes[i];
        ng_collect_needs_path(&by_host[ng_site_index(plan, volume->on)], volume->path);
    }
}

static void probes(
    const struct ng_condition_site *site, const void *params, struct ng_probe_list *wanted) {
    const struct ng_lua_params *given = params;
    struct asking asking = {site, given->check, wanted, NULL, 0};
    if (site->plan->lua != NULL) {
        struct ng_script_call call = call_of(given, &asking, wanted->arena);
        site->plan->lua->run(&call);
    }
}

/* What stands in args.host, or the name of the check. */
static const char *subject_of(const struct ng_lua_params *params) {
    const struct ng_value *host = ng_value_get(params->args, "host");
    return host != NULL && host->kind == NG_VALUE_TEXT ? host->text : params->check->name;
}

static void tell(struct ng_outcome *outcome, const struct ng_script_call *call) {
    if (call->error != NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the check did not come to its end: %s", call->error);
        ng_outcome_advise(outcome, "correct %s, and try it with \"nasgate lua\" on this bundle",
            call->script->name);
    } else if (call->waits) {
        ng_outcome_see(
            outcome, NG_UNKNOWN, "a command that %s asks for was not run", call->script->name);
        ng_outcome_advise(outcome, "see in the run's evidence which of its commands were run");
    } else if (call->said == NG_SCRIPT_HELD) {
        ng_outcome_see(outcome, NG_HELD, "%s",
            call->reason[0] != '\0' ? call->reason : "the check is content");
    } else if (call->said == NG_SCRIPT_BROKEN || call->said == NG_SCRIPT_UNKNOWN) {
        ng_outcome_see(
            outcome, call->said == NG_SCRIPT_BROKEN ? NG_BROKEN : NG_UNKNOWN, "%s", call->reason);
    } else {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "%s came to its end and said neither held nor broken nor unknown", call->script->name);
        ng_outcome_advise(outcome, "let it end with held(), broken() or unknown()");
    }
    if (call->remedy != NULL) {
        ng_outcome_advise(outcome, "%s", call->remedy);
    }
    ng_outcome_advise(outcome,
        "see what %s does and what it looked at; the plan's folder or "
        "\"nasgate lua --show\" has its text",
        call->script->name);
}

/* What it recorded is whole only then: the next look would take what is missing for new. */
static bool came_to_an_end(const struct ng_script_call *call) {
    return call->error == NULL && !call->waits &&
           (call->said == NG_SCRIPT_HELD || call->said == NG_SCRIPT_BROKEN);
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct ng_lua_params *given = params;
    char digest[NG_DIGEST_TEXT];
    struct ng_outcome outcome = ng_outcome_begin(site, out, subject_of(given),
        ng_arena_printf(site->arena, "the check %s", given->check->name));
    struct asking asking = {site, given->check, NULL, &outcome, 0};
    struct ng_script_call call = call_of(given, &asking, site->arena);
    ng_outcome_look(&outcome, "check", "%s, SHA-256 %.16s", given->check->name,
        ng_digest(given->check->text, given->check->len, digest));
    ng_outcome_expect(&outcome, "%s holds", given->check->name);
    if (site->plan->lua == NULL) {
        ng_outcome_see(&outcome, NG_UNKNOWN, "there is no Lua here");
        ng_outcome_advise(&outcome, "run the plan with nasgate itself");
        return;
    }
    site->plan->lua->run(&call);
    if (site->kept != NULL && came_to_an_end(&call)) {
        struct ng_records *kept = ng_arena_alloc(site->arena, sizeof *kept);
        *kept = call.records;
        *site->kept = kept;
    }
    if (site->rests_on != NULL) {
        *site->rests_on = asking.rests_on | (call.looked_back ? NG_RESTS_ON_EARLIER : 0U);
    }
    if (call.expected != NULL) {
        ng_outcome_expect(&outcome, "%s", call.expected);
    }
    for (size_t i = 0; i < call.records.count; i++) {
        ng_outcome_look(&outcome, call.records.items[i].key, "%s", call.records.items[i].value);
    }
    ng_outcome_look(&outcome, "printed", "%s", call.printed);
    tell(&outcome, &call);
}

const struct ng_condition ng_condition_lua = {
    .kind = {.record = {.name = "lua",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct ng_lua_params),
                 .shorthand = "check",
                 .help = "a check that is written in Lua holds"},
        .beside = "args",
        .hooks = true},
    .reads = NG_GROUPS_ALL,
    .asks_again = true,
    .needs = needs,
    .probes = probes,
    .evaluate = evaluate,
};
