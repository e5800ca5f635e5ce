/* junit_phase.c - one phase as a JUnit suite: "measured", and a case per threshold. */
#include <stdbool.h>
#include <string.h>

#include "reports/writers/junit_suite.h"
#include "reports/writers/junit_text.h"
#include "runner/base/buf.h"
#include "runner/result/words.h"

enum { CELL = 200 };

/** A table as text under a heading; nothing for an empty one. */
static void add_grid(struct ng_buf *out, const char *heading, const struct ng_grid *grid) {
    if (grid->row_count > 0) {
        ng_buf_addf(out, "%s%s\n", out->len > 0 ? "\n" : "", heading);
        ng_grid_text(grid, "  ", CELL, 0, out);
    }
}

/** What people want to read beside the outcome. Jenkins shows 1,000 characters of a passed case. */
static const char *output_of(struct ng_junit_doc *doc, const struct ng_view_phase *shown) {
    struct ng_buf out;
    ng_buf_init(&out, 4 * (size_t)NG_JUNIT_BODY);
    add_grid(&out, "metrics", &shown->metrics);
    add_grid(&out, "predictions (they never fail)", &shown->predictions);
    add_grid(&out, "findings", &shown->findings);
    add_grid(&out, "recorded", &shown->records);
    const char *hooks = ng_junit_hooks_at(doc, shown->phase->name, true);
    ng_buf_adds(&out, hooks != NULL && out.len > 0 ? "\n" : "");
    ng_buf_adds(&out, hooks != NULL ? hooks : "");
    const char *text = out.len > 0 ? ng_junit_body(doc->arena, ng_buf_text(&out)) : NULL;
    ng_buf_release(&out);
    return text;
}

static bool has_doubt(const struct ng_phase_result *phase) {
    for (size_t i = 0; i < phase->repeat_count; i++) {
        if (ng_repeat_is_disowned(&phase->repeats[i])) {
            return true;
        }
    }
    return false;
}

/** Whether a script says that the phase fails. */
static bool script_fails(const struct ng_phase_result *phase) {
    for (size_t i = 0; i < phase->repeat_count; i++) {
        for (size_t j = 0; j < phase->repeats[i].finding_count; j++) {
            if (phase->repeats[i].findings[j].weight == NG_FINDING_FAIL) {
                return phase->verdict == NG_VERDICT_FAIL;
            }
        }
    }
    return false;
}

/** Whether a hook after the phase did not come to its end. */
static bool hook_died(const struct ng_phase_result *phase) {
    for (size_t i = 0; i < phase->repeat_count; i++) {
        for (size_t j = 0; j < phase->repeats[i].finding_count; j++) {
            if (phase->repeats[i].findings[j].weight == NG_FINDING_ERROR) {
                return true;
            }
        }
    }
    return false;
}

static bool has_broken(const struct ng_phase_result *phase) {
    for (size_t i = 0; i < phase->judged_count; i++) {
        if (phase->judged[i].gates && phase->judged[i].held == NG_BROKEN) {
            return true;
        }
    }
    return false;
}

static bool was_measured(const struct ng_phase_result *phase) {
    bool all = phase->repeat_count > 0;
    for (size_t i = 0; i < phase->repeat_count; i++) {
        all = all && ng_repeat_counts(&phase->repeats[i]);
    }
    return all && phase->repeat_count >= (size_t)phase->planned_repeats;
}

static const char *error_type(const char *reason) {
    if (strstr(reason, "interrupted") != NULL) {
        return "nasgate.interrupted";
    }
    bool late = strstr(reason, "deadline") != NULL || strstr(reason, "timeout") != NULL;
    return late ? "nasgate.timeout" : "nasgate.tool";
}

/** A phase without a verdict: the run ended before it was judged. */
static const char *add_unjudged(
    struct ng_junit_doc *doc, struct ng_junit_case *item, const struct ng_phase_result *phase) {
    const bool interrupted = doc->view->result->interrupted != 0;
    if (phase->repeat_count == 0) {
        const char *reason =
            interrupted ? "not run: the run was interrupted" : "not run: the run ended before";
        ng_junit_set(doc, item, NG_JUNIT_SKIPPED, NULL, reason, NULL);
        return reason;
    }
    const char *reason = interrupted ? "the run was interrupted in this phase"
                                     : "the run was cut short in this phase";
    ng_junit_set(doc, item, NG_JUNIT_ERROR, "nasgate.interrupted", reason, NULL);
    return reason;
}

/** A phase that a script may have failed. */
static const char *add_failure(struct ng_junit_doc *doc, struct ng_junit_case *item,
    const struct ng_phase_result *phase, const char *reason, const char *hooks) {
    const bool before =
        phase->repeat_count == 0 && !has_broken(phase); /* a hook before it says so */
    if (before || script_fails(phase)) {
        ng_junit_set(doc, item, NG_JUNIT_FAILURE, "nasgate.script", reason, hooks);
        return was_measured(phase) ? NULL : reason;
    }
    if (hook_died(phase)) { /* beside the threshold that failed */
        ng_junit_set(doc, item, NG_JUNIT_ERROR, "nasgate.script",
            "a hook after the phase did not come to its end", hooks);
    }
    return NULL;
}

static const char *add_error(struct ng_junit_doc *doc, struct ng_junit_case *item,
    const struct ng_phase_result *phase, const char *reason, const char *hooks) {
    const char *type = error_type(reason);
    if (!was_measured(phase) || strcmp(type, "nasgate.interrupted") == 0) {
        ng_junit_set(doc, item, NG_JUNIT_ERROR, type, reason, hooks);
        return reason;
    }
    if (hook_died(phase)) {
        ng_junit_set(doc, item, NG_JUNIT_ERROR, "nasgate.script", reason, hooks);
    }
    return NULL;
}

/** The case that says whether there is a number at all. Returns why thresholds say nothing, or
 * NULL. */
static const char *add_measured(
    struct ng_junit_doc *doc, struct ng_junit_suite *suite, const struct ng_view_phase *shown) {
    const struct ng_phase_result *phase = shown->phase;
    struct ng_junit_case *item = ng_junit_add_case(doc, suite, "measured", phase->line);
    const char *reason = shown->reason;
    const char *hooks = ng_junit_hooks_at(doc, phase->name, false);
    item->time_ns = shown->duration_ns;
    item->output = output_of(doc, shown);
    switch (phase->verdict) {
    case NG_VERDICT_SKIPPED:
        ng_junit_set(doc, item, NG_JUNIT_SKIPPED, NULL, reason, hooks);
        return reason;
    case NG_VERDICT_NONE:
        return add_unjudged(doc, item, phase);
    case NG_VERDICT_ERROR:
        return add_error(doc, item, phase, reason, hooks);
    case NG_VERDICT_INCONCLUSIVE:
        if (has_doubt(phase) || phase->repeat_count == 0) {
            ng_junit_set(doc, item, NG_JUNIT_ERROR, "nasgate.inconclusive", reason, hooks);
            return reason;
        }
        return NULL;
    case NG_VERDICT_FAIL:
        return add_failure(doc, item, phase, reason, hooks);
    case NG_VERDICT_PASS:
        break;
    }
    return NULL;
}

/** Rule, resolved limit, measured value, margin, and the metrics with their spread. */
static const char *explain(struct ng_junit_doc *doc, const struct ng_view_phase *shown,
    const struct ng_judged *judged, size_t row) {
    const struct ng_grid *limits = &shown->limits;
    struct ng_buf out;
    ng_buf_init(&out, 4 * (size_t)NG_JUNIT_BODY);
    static const char *const names[] = {"rule", "state", "measured", "limit", "margin", "interval"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = ng_grid_cell(limits, row, i);
        if (value[0] != '\0') {
            ng_buf_addf(&out, "%s: %s\n", names[i],
                i == 0 ? ng_junit_line(doc->arena, judged->text, CELL, "-") : value);
        }
    }
    ng_buf_addf(&out, "n: %zu\n", shown->counted);
    ng_grid_text(&shown->metrics, "  ", CELL, 0, &out);
    const char *text = ng_arena_strdup(doc->arena, ng_buf_text(&out));
    ng_buf_release(&out);
    return text;
}

static void add_threshold(struct ng_junit_doc *doc, struct ng_junit_suite *suite,
    const struct ng_view_phase *shown, const struct ng_judged *judged, size_t row) {
    struct ng_junit_case *item = ng_junit_add_case(doc, suite, judged->text, judged->line);
    if (judged->held == NG_HELD) {
        return;
    }
    struct ng_buf words;
    ng_buf_init(&words, NG_JUNIT_BODY);
    ng_judged_words(judged, &words);
    const char *more = explain(doc, shown, judged, row);
    const char *message = ng_buf_text(&words);
    if (judged->held == NG_BROKEN) {
        ng_junit_set(doc, item, NG_JUNIT_FAILURE, "nasgate.threshold", message, more);
    } else {
        ng_junit_set(doc, item, NG_JUNIT_ERROR,
            judged->held == NG_UNDECIDED ? "nasgate.inconclusive" : "nasgate.unmeasured", message,
            more);
    }
    ng_buf_release(&words);
}

/** Whatever the parts say: a phase that is red in the result is red in its suite. */
static void keep_red(
    struct ng_junit_doc *doc, struct ng_junit_suite *suite, const struct ng_view_phase *shown) {
    size_t red =
        ng_junit_count(doc, suite, NG_JUNIT_FAILURE) + ng_junit_count(doc, suite, NG_JUNIT_ERROR);
    if (red > 0) {
        return;
    }
    if (shown->phase->verdict == NG_VERDICT_FAIL) {
        ng_junit_set(
            doc, &suite->cases[0], NG_JUNIT_FAILURE, "nasgate.threshold", shown->reason, NULL);
    } else if (shown->phase->verdict == NG_VERDICT_INCONCLUSIVE) {
        ng_junit_set(
            doc, &suite->cases[0], NG_JUNIT_ERROR, "nasgate.inconclusive", shown->reason, NULL);
    } else if (shown->phase->verdict == NG_VERDICT_ERROR) {
        ng_junit_set(
            doc, &suite->cases[0], NG_JUNIT_ERROR, error_type(shown->reason), shown->reason, NULL);
    }
}

void ng_junit_add_phase(struct ng_junit_doc *doc, const struct ng_view_phase *shown) {
    const struct ng_phase_result *phase = shown->phase;
    int64_t start = phase->repeat_count > 0 ? phase->repeats[0].start_ns : 0;
    int64_t wall = doc->view->result->started_wall_ns;
    int64_t started;
    if (__builtin_add_overflow(wall, start, &started)) {
        started = wall;
    }
    struct ng_junit_suite *suite = ng_junit_add_suite(doc, phase->name, started);
    ng_junit_add_property(doc, suite, "nasgate.verdict", ng_verdict_word(phase->verdict));
    ng_junit_add_property(doc, suite, "nasgate.engine", phase->engine);
    ng_junit_add_property(doc, suite, "nasgate.subject", phase->subject);
    const char *unjudged = add_measured(doc, suite, shown);
    size_t row = 0;
    for (size_t i = 0; i < phase->judged_count; i++) {
        const struct ng_judged *judged = &phase->judged[i];
        if (!judged->gates) {
            continue;
        }
        /* A script may fail a phase without a number; that is no error of the threshold. */
        const bool moot = judged->held == NG_UNKNOWN && script_fails(phase);
        const char *why = unjudged == NULL && moot ? shown->reason : unjudged;
        if (why == NULL) {
            add_threshold(doc, suite, shown, judged, row);
        } else {
            struct ng_junit_case *item = ng_junit_add_case(doc, suite, judged->text, judged->line);
            ng_junit_set(doc, item, NG_JUNIT_SKIPPED, NULL,
                ng_arena_printf(doc->arena, "not judged: %s", why), NULL);
        }
        row++;
    }
    keep_red(doc, suite, shown);
}
