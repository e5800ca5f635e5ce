/* Scripts that measure: asked like any other, believed no more than any other. */
#include "runner/engines/script.h"

#include <string.h>

#include "runner/base/digest.h"
#include "runner/base/text.h"
#include "runner/engines/answer.h"
#include "runner/engines/helpers.h"

enum { SALT = 0x6c7561, SHOWN_MAX = 200 };

/* The command of that number was run, or is the next one. */
static bool answer_ask(
    void *context, const struct ng_script_ask *ask, struct ng_script_answer *answer) {
    struct ng_script_asking *asking = context;
    struct ng_arena *arena = asking->site->arena;
    const size_t index = (size_t)ask->number - 1;
    if (index < asking->commands->count && index < asking->count) {
        return ng_script_answer_find(
            arena, &asking->commands->items[index], &asking->replies[index], ask, answer);
    }
    if (asking->more != NULL && index == asking->commands->count) {
        ng_script_command(arena, asking->more, ask);
    }
    return false;
}

struct ng_script_call ng_script_call_of(const struct ng_site *site, enum ng_script_place place,
    const struct ng_script *script, const struct ng_value *args, const struct ng_metrics *metrics,
    struct ng_script_asking *asking) {
    return (struct ng_script_call){
        .script = script,
        .args = args,
        .place = place,
        .arena = site->arena,
        .plan = site->plan,
        .facts = site->facts,
        .result = site->result,
        .phase = site->phase,
        .number = site->repeat,
        .metrics = metrics->items,
        .metric_count = metrics->count,
        .seed = ng_site_bits(site, SALT),
        .ask = asking != NULL ? answer_ask : NULL,
        .context = asking,
        .reason = "",
        .printed = "",
    };
}

void ng_script_run(struct ng_script_call *call) {
    if (call->plan->lua != NULL) {
        call->plan->lua->run(call);
    } else {
        call->error = "there is no Lua here";
    }
}

static const struct ng_script_measure *measure_of(
    const struct ng_script_call *call, const struct ng_metric_def *metric) {
    for (size_t i = 0; i < call->measure_count; i++) {
        if (call->measures[i].metric == metric) {
            return &call->measures[i];
        }
    }
    return NULL;
}

static bool take_measures(
    const struct ng_site *site, const struct ng_script_call *call, struct ng_repeat *repeat) {
    bool all = true;
    for (size_t i = 0; i < call->metric_count; i++) {
        const struct ng_script_measure *measure = measure_of(call, &call->metrics[i]);
        if (measure != NULL) {
            ng_repeat_measure(site->arena, repeat, measure->metric, measure->value);
        }
        all = all && measure != NULL;
    }
    return all;
}

static void take_records(
    const struct ng_site *site, const struct ng_script_call *call, struct ng_repeat *repeat) {
    char digest[NG_DIGEST_TEXT];
    ng_records_add(site->arena, &repeat->records, "script", "%s, SHA-256 %.16s", call->script->name,
        ng_digest(call->script->text, call->script->len, digest));
    if (call->expected != NULL) {
        ng_records_add(site->arena, &repeat->records, "expected", "%s", call->expected);
    }
    for (size_t i = 0; i < call->records.count; i++) {
        ng_records_add(site->arena, &repeat->records, call->records.items[i].key, "%s",
            call->records.items[i].value);
    }
    if (call->said == NG_SCRIPT_HELD && call->reason[0] != '\0') {
        ng_records_add(site->arena, &repeat->records, "said", "%s", call->reason);
    }
    if (call->printed[0] != '\0') {
        ng_records_add(site->arena, &repeat->records, "printed", "%s",
            ng_text_clean_dup(
                site->arena, call->printed, strlen(call->printed), NG_TEXT_LINE, SHOWN_MAX));
    }
}

static void find(const struct ng_site *site, const struct ng_script_call *call,
    enum ng_finding_weight weight, struct ng_repeat *repeat) {
    ng_repeat_find(site->arena, repeat, weight, NG_RULE_SCRIPT, "%s%s%s", call->reason,
        call->remedy != NULL ? "; " : "", call->remedy != NULL ? call->remedy : "");
}

/* The first metric of the plan that was not measured. */
static const char *missing(const struct ng_script_call *call) {
    for (size_t i = 0; i < call->metric_count; i++) {
        if (measure_of(call, &call->metrics[i]) == NULL) {
            return call->metrics[i].name;
        }
    }
    return "";
}

bool ng_script_take(const struct ng_site *site, const struct ng_script_call *call,
    struct ng_repeat *repeat, struct ng_err *err) {
    take_records(site, call, repeat);
    if (call->error != NULL) {
        return ng_err_set(err, NG_ERR_ENGINE, "%s", call->error);
    }
    if (call->waits) {
        return ng_err_set(err, NG_ERR_ENGINE,
            "%s did not come to its end: a command that it asks for was not run",
            call->script->name);
    }
    const bool all = take_measures(site, call, repeat);
    switch (call->said) {
    case NG_SCRIPT_SKIP:
        find(site, call, NG_FINDING_SKIP, repeat);
        return ng_err_set(err, NG_ERR_ENGINE, "skipped: %s", call->reason);
    case NG_SCRIPT_FAIL:
        find(site, call, NG_FINDING_FAIL, repeat);
        return true;
    case NG_SCRIPT_BROKEN:
    case NG_SCRIPT_UNKNOWN:
        find(site, call, NG_FINDING_INCONCLUSIVE, repeat);
        return true;
    case NG_SCRIPT_HELD:
    case NG_SCRIPT_NOTHING:
        break;
    }
    if (!all) {
        repeat->partial = call->measure_count > 0;
        return ng_err_set(err, NG_ERR_ENGINE,
            "%s did not measure \"%s\", which the plan's metrics name; let it call metric(\"%s\", "
            "...) or say why not",
            call->script->name, missing(call), missing(call));
    }
    return true;
}
