/* junit_cases.c - a result as suites and cases of JUnit: the run, its preconditions, its phases. */
#include "reports/writers/junit_cases.h"

#include <string.h>

#include "reports/writers/junit_suite.h"
#include "reports/writers/junit_text.h"
#include "runner/base/buf.h"
#include "runner/result/verdict.h"
#include "runner/result/words.h"

static size_t red_cases(const struct ng_junit_doc *doc) {
    return ng_junit_count(doc, NULL, NG_JUNIT_FAILURE) + ng_junit_count(doc, NULL, NG_JUNIT_ERROR);
}

static size_t phases_not_run(const struct ng_result *result) {
    size_t count = 0;
    for (size_t i = 0; i < result->phase_count; i++) {
        enum ng_verdict verdict = result->phases[i].verdict;
        count += verdict == NG_VERDICT_SKIPPED || verdict == NG_VERDICT_NONE ? 1 : 0;
    }
    return count;
}

/** Expected, seen, source, remedy, and all that was looked at. */
static const char *explain(struct ng_junit_doc *doc, const struct ng_condition_result *condition) {
    const struct {
        const char *name, *value;
    } lines[] = {
        {"state", ng_condition_is_allowed(condition) ? NG_UNKNOWN_ALLOWED : NULL},
        {"expected", condition->expected},
        {"seen", condition->seen},
        {"source", condition->source},
        {"what to do", condition->remedy},
    };
    struct ng_buf out;
    ng_buf_init(&out, 4 * (size_t)NG_JUNIT_BODY);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (lines[i].value != NULL) {
            ng_buf_addf(&out, "%s%s: %s", out.len > 0 ? "\n" : "", lines[i].name,
                ng_junit_line(doc->arena, lines[i].value, NG_JUNIT_VALUE, "-"));
        }
    }
    for (size_t i = 0; i < condition->looked_at.count; i++) {
        const struct ng_record_item *item = &condition->looked_at.items[i];
        ng_buf_addf(&out, "%slooked at %s: %s", out.len > 0 ? "\n" : "",
            ng_junit_line(doc->arena, item->key, NG_JUNIT_MESSAGE, "-"),
            ng_junit_line(doc->arena, item->value, NG_JUNIT_VALUE, "-"));
    }
    if (ng_condition_stops(condition)) {
        ng_buf_addf(&out, "\n%zu phases were not run because of the preconditions.",
            phases_not_run(doc->view->result));
    }
    const char *text = ng_arena_strdup(doc->arena, ng_buf_text(&out));
    ng_buf_release(&out);
    return text;
}

static void set_lease(
    struct ng_junit_doc *doc, struct ng_junit_case *item, const struct ng_lease_result *lease) {
    struct ng_buf words;
    ng_buf_init(&words, NG_JUNIT_BODY);
    ng_lease_words(lease, &words);
    const char *text = ng_arena_strdup(doc->arena, ng_buf_text(&words));
    ng_buf_release(&words);
    switch (lease->state) {
    case NG_LEASE_HELD:
    case NG_LEASE_FREE:
        item->output = ng_junit_body(doc->arena, text);
        break;
    case NG_LEASE_BUSY:
        ng_junit_set(doc, item, NG_JUNIT_ERROR, "nasgate.busy", text,
            ng_arena_printf(doc->arena, "%zu phases were not run because the unit is leased.",
                phases_not_run(doc->view->result)));
        break;
    case NG_LEASE_FAILED:
    case NG_LEASE_LOST:
        ng_junit_set(doc, item, NG_JUNIT_ERROR, "nasgate.lease", text, NULL);
        break;
    case NG_LEASE_NOT_ASKED:
        ng_junit_set(doc, item, NG_JUNIT_SKIPPED, NULL, "the run ended before it was taken", NULL);
        break;
    }
}

/** A case per unit. */
static void add_leases(struct ng_junit_doc *doc) {
    const struct ng_result *result = doc->view->result;
    if (result->lease_count == 0) {
        return;
    }
    struct ng_junit_suite *suite = ng_junit_add_suite(doc, "lease", result->started_wall_ns);
    ng_junit_add_run_verdict(doc, suite);
    for (size_t i = 0; i < result->lease_count; i++) {
        const struct ng_lease_result *lease = &result->leases[i];
        set_lease(doc, ng_junit_add_case(doc, suite, lease->host, result->lease_line), lease);
    }
}

static void add_conditions(struct ng_junit_doc *doc) {
    const struct ng_result *result = doc->view->result;
    if (result->condition_count == 0) {
        return;
    }
    struct ng_junit_suite *suite =
        ng_junit_add_suite(doc, "preconditions", result->started_wall_ns);
    ng_junit_add_run_verdict(doc, suite);
    ng_junit_add_property(doc, suite, "nasgate.version", result->version);
    ng_junit_add_property(doc, suite, "nasgate.run", result->run_id);
    ng_junit_add_property(doc, suite, "nasgate.plan", result->plan_digest);
    for (size_t i = 0; i < result->condition_count; i++) {
        const struct ng_condition_result *condition = &result->conditions[i];
        struct ng_junit_case *item = ng_junit_add_case(doc, suite, condition->id, condition->line);
        const char *more = explain(doc, condition);
        if (!ng_condition_stops(condition)) {
            item->output = ng_junit_body(doc->arena, more);
            continue;
        }
        const char *message =
            ng_arena_printf(doc->arena, "%s: expected %s, seen %s", ng_held_word(condition->held),
                condition->expected != NULL ? condition->expected : "that it holds",
                condition->seen != NULL ? condition->seen : "nothing");
        ng_junit_set(doc, item, NG_JUNIT_ERROR, "nasgate.precondition", message, more);
    }
}

/**
 * Trouble of the run as a whole. Also the net below everything: a run that is not green has
 * something red here when nothing else is, and a run without any case has one.
 */
static void add_run(struct ng_junit_doc *doc) {
    const struct ng_view *view = doc->view;
    const struct ng_result *result = view->result;
    bool red = red_cases(doc) > 0;
    bool cut = !result->complete && result->interrupted == 0;
    if (result->error == NULL && result->not_restored == NULL && !cut && doc->count > 0 &&
        (red || view->exit_code == 0)) {
        return;
    }
    struct ng_junit_suite *suite = ng_junit_add_suite(doc, "run", result->started_wall_ns);
    ng_junit_add_run_verdict(doc, suite);
    struct ng_junit_case *ended = ng_junit_add_case(doc, suite, "completed", 0);
    if (result->error != NULL) {
        ng_junit_set(doc, ended, NG_JUNIT_ERROR, "nasgate.run", result->error, NULL);
    } else if (cut) {
        ng_junit_set(doc, ended, NG_JUNIT_ERROR, "nasgate.interrupted", view->why, NULL);
    } else if (result->not_restored == NULL && !red && view->exit_code != 0) {
        ng_junit_set(doc, ended, NG_JUNIT_ERROR,
            result->interrupted != 0 ? "nasgate.interrupted" : "nasgate.run", view->why,
            view->exit_words);
    }
    if (result->not_restored != NULL) {
        struct ng_junit_case *restored = ng_junit_add_case(doc, suite, "lab restored", 0);
        ng_junit_set(
            doc, restored, NG_JUNIT_ERROR, "nasgate.not-restored", result->not_restored, NULL);
    }
}

/** The plan's word for this machine: no report names it otherwise. */
static const char *hostname(const struct ng_result *result, struct ng_arena *arena) {
    for (size_t i = 0; i < result->host_count; i++) {
        const struct ng_host_result *host = &result->hosts[i];
        if (host->via != NULL && strcmp(host->via, "local") == 0) {
            return ng_junit_line(arena, host->name, NG_JUNIT_PART, "localhost");
        }
    }
    return "localhost";
}

void ng_junit_build(const struct ng_view *view, struct ng_arena *arena, struct ng_junit_doc *doc) {
    *doc = (struct ng_junit_doc){
        .arena = arena,
        .view = view,
        .hostname = hostname(view->result, arena),
    };
    add_leases(doc);
    add_conditions(doc);
    ng_junit_add_hooks(doc, false);
    for (size_t i = 0; i < view->result->phase_count; i++) {
        ng_junit_add_phase(doc, &view->phases[i]);
    }
    ng_junit_add_hooks(doc, true);
    add_run(doc);
    ng_junit_make_unique(doc);
}
