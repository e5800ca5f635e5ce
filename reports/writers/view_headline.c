/* view_headline.c - the verdict of a run in a word, and the one sentence why. */
#include <stdbool.h>

#include "reports/writers/view_parts.h"
#include "runner/base/buf.h"
#include "runner/result/verdict.h"
#include "runner/result/words.h"

enum { WHY_MAX = 3000 };

/** "; and 2 more phases": the first says why, tables say the rest. */
static void add_more(struct ng_buf *why, size_t found, const char *what) {
    if (found > 1) {
        ng_buf_addf(why, "; and %zu more %s%s", found - 1, what, found > 2 ? "s" : "");
    }
}

/** "NAME: REASON" of the first phase with a verdict; false when there is none. */
static bool add_phases(
    const struct ng_result *result, enum ng_verdict verdict, struct ng_buf *why) {
    size_t found = 0;
    for (size_t i = 0; i < result->phase_count; i++) {
        const struct ng_phase_result *phase = &result->phases[i];
        if (phase->verdict != verdict) {
            continue;
        }
        if (found == 0) {
            ng_buf_addf(why, "%s: %s", phase->name,
                phase->reason != NULL ? phase->reason : ng_verdict_word(verdict));
        }
        found++;
    }
    add_more(why, found, "phase");
    return found > 0;
}

static bool add_conditions(const struct ng_result *result, struct ng_buf *why) {
    size_t found = 0;
    for (size_t i = 0; i < result->condition_count; i++) {
        const struct ng_condition_result *condition = &result->conditions[i];
        if (!ng_condition_stops(condition)) {
            continue;
        }
        if (found == 0) {
            ng_buf_addf(why, "%s is %s: expected %s, seen %s", condition->id,
                ng_held_word(condition->held),
                condition->expected != NULL ? condition->expected : "that it holds",
                condition->seen != NULL ? condition->seen : "nothing");
        }
        found++;
    }
    add_more(why, found, "precondition");
    return found > 0;
}

/** "ID is OUTCOME: REASON" of the first hook before or after the run with that outcome; before it,
 * any that stops the run. */
static bool add_hooks(
    const struct ng_result *result, bool after, enum ng_hook_outcome outcome, struct ng_buf *why) {
    size_t found = 0;
    for (size_t i = 0; i < result->hook_count; i++) {
        const struct ng_hook_result *hook = &result->hooks[i];
        const bool counts =
            after ? ng_hook_is_after_run(hook) && hook->outcome == outcome : ng_hook_stops(hook);
        if (!counts) {
            continue;
        }
        if (found == 0) {
            ng_buf_addf(why, "%s says %s: %s", hook->id, ng_hook_word(hook->outcome),
                hook->reason[0] != '\0' ? hook->reason : "no reason");
        }
        found++;
    }
    add_more(why, found, "hook");
    return found > 0;
}

/** Who has the units that another run has. */
static void add_busy(const struct ng_result *result, struct ng_buf *why) {
    size_t found = 0;
    for (size_t i = 0; i < result->lease_count; i++) {
        if (result->leases[i].state == NG_LEASE_BUSY) {
            ng_buf_adds(why, found++ > 0 ? "; " : "");
            ng_lease_words(&result->leases[i], why);
        }
    }
}

static size_t count(const struct ng_result *result, enum ng_verdict verdict) {
    size_t found = 0;
    for (size_t i = 0; i < result->phase_count; i++) {
        found += result->phases[i].verdict == verdict ? 1 : 0;
    }
    return found;
}

static void add_pass(const struct ng_result *result, struct ng_buf *why) {
    size_t passed = count(result, NG_VERDICT_PASS);
    size_t skipped = count(result, NG_VERDICT_SKIPPED);
    ng_buf_addf(why, "%zu %s passed", passed, passed == 1 ? "phase" : "phases");
    if (result->only_count > 0 && (size_t)result->plan_phases > result->phase_count) {
        ng_buf_addf(why, ", %zu of the plan's %d were not chosen",
            (size_t)result->plan_phases - result->phase_count, result->plan_phases);
    }
    if (skipped > 0) {
        ng_buf_addf(why, ", %zu %s skipped", skipped, skipped == 1 ? "was" : "were");
    }
}

static void add_error(const struct ng_result *result, struct ng_buf *why) {
    if (result->error != NULL) {
        ng_buf_adds(why, result->error);
    } else if (!add_phases(result, NG_VERDICT_ERROR, why) &&
               !(result->complete && add_hooks(result, true, NG_HOOK_ERROR, why))) {
        size_t left = count(result, NG_VERDICT_NONE);
        if (!result->complete) {
            ng_buf_addf(why, "the run was cut short: %zu of %zu phases have no verdict", left,
                result->phase_count);
        } else {
            ng_buf_adds(why, "no phase was measured, so nothing was proven");
        }
    }
}

static void add_interrupted(const struct ng_result *result, struct ng_buf *why) {
    size_t left = result->phase_count - count(result, NG_VERDICT_PASS) -
                  count(result, NG_VERDICT_FAIL) - count(result, NG_VERDICT_INCONCLUSIVE);
    ng_buf_addf(why, "signal %d ended the run: %zu of %zu phases were not finished",
        result->interrupted, left, result->phase_count);
    size_t failed = count(result, NG_VERDICT_FAIL);
    if (failed > 0) {
        ng_buf_adds(why, "; before that ");
        add_phases(result, NG_VERDICT_FAIL, why);
    }
}

static const char *headline(const struct ng_view *view, struct ng_buf *why) {
    const struct ng_result *result = view->result;
    switch (view->exit_code) {
    case NG_EXIT_PASS:
        add_pass(result, why);
        return "pass";
    case NG_EXIT_FAIL:
        if (!add_phases(result, NG_VERDICT_FAIL, why)) {
            add_hooks(result, true, NG_HOOK_FAIL, why);
        }
        return "FAIL";
    case NG_EXIT_BUSY:
        add_busy(result, why);
        return "BUSY";
    case NG_EXIT_PRECONDITION:
        if (!add_conditions(result, why)) {
            add_hooks(result, false, NG_HOOK_BROKEN, why);
        }
        return "PRECONDITION BROKEN";
    case NG_EXIT_INCONCLUSIVE:
        if (!add_phases(result, NG_VERDICT_INCONCLUSIVE, why) &&
            !add_hooks(result, true, NG_HOOK_BROKEN, why)) {
            add_hooks(result, true, NG_HOOK_UNKNOWN, why);
        }
        return "INCONCLUSIVE";
    case NG_EXIT_NOT_RESTORED:
        ng_buf_adds(why, result->not_restored != NULL ? result->not_restored : "");
        return "LAB NOT RESTORED";
    case NG_EXIT_INT:
    case NG_EXIT_TERM:
        add_interrupted(result, why);
        return "INTERRUPTED";
    default:
        add_error(result, why);
        return "ERROR";
    }
}

void ng_view_headline(struct ng_view *view, struct ng_arena *arena) {
    struct ng_buf why;
    ng_buf_init(&why, WHY_MAX);
    view->verdict = headline(view, &why);
    view->why = why.len > 0 ? ng_arena_strdup(arena, ng_buf_text(&why)) : view->exit_words;
    ng_buf_release(&why);
}
