/* exit.c - from the verdicts of a run to the one exit code. */
#include "runner/result/verdict.h"

#include <signal.h>

const char *ng_exit_words(int code) {
    switch (code) {
#define X(name, number, words)                                                                     \
    case number:                                                                                   \
        return words;
        NG_EXIT_CODES(X)
#undef X
    default:
        return "unknown exit code";
    }
}

static size_t count(const struct ng_result *result, enum ng_verdict verdict) {
    size_t found = 0;
    for (size_t i = 0; i < result->phase_count; i++) {
        found += result->phases[i].verdict == verdict ? 1 : 0;
    }
    return found;
}

static bool stopped(const struct ng_result *result) {
    for (size_t i = 0; i < result->condition_count; i++) {
        if (ng_condition_stops(&result->conditions[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < result->hook_count; i++) {
        if (ng_hook_stops(&result->hooks[i])) {
            return true;
        }
    }
    return false;
}

/* What a hook says of the run, after it. */
static bool after_run(const struct ng_result *result, enum ng_hook_outcome outcome) {
    for (size_t i = 0; i < result->hook_count; i++) {
        if (ng_hook_is_after_run(&result->hooks[i]) && result->hooks[i].outcome == outcome) {
            return true;
        }
    }
    return false;
}

static bool busy(const struct ng_result *result) {
    for (size_t i = 0; i < result->lease_count; i++) {
        if (result->leases[i].state == NG_LEASE_BUSY) {
            return true;
        }
    }
    return false;
}

int ng_result_exit(const struct ng_result *result) {
    if (result->interrupted != 0) {
        return result->interrupted == SIGTERM  ? NG_EXIT_TERM
               : result->interrupted == SIGHUP ? NG_EXIT_HUP
                                               : NG_EXIT_INT;
    }
    if (count(result, NG_VERDICT_FAIL) > 0 || after_run(result, NG_HOOK_FAIL)) {
        return NG_EXIT_FAIL;
    }
    if (result->not_restored != NULL) {
        return NG_EXIT_NOT_RESTORED;
    }
    if (busy(result)) {
        return NG_EXIT_BUSY;
    }
    if (stopped(result)) {
        return NG_EXIT_PRECONDITION;
    }
    if (!result->complete || result->error != NULL || count(result, NG_VERDICT_ERROR) > 0 ||
        count(result, NG_VERDICT_NONE) > 0 || after_run(result, NG_HOOK_ERROR) ||
        after_run(result, NG_HOOK_INTERRUPTED)) {
        return NG_EXIT_ERROR;
    }
    // Nothing measured is never green: a run of skipped phases, or of none, has proven nothing.
    if (count(result, NG_VERDICT_PASS) + count(result, NG_VERDICT_INCONCLUSIVE) == 0) {
        return NG_EXIT_ERROR;
    }
    if (count(result, NG_VERDICT_INCONCLUSIVE) > 0 || after_run(result, NG_HOOK_BROKEN) ||
        after_run(result, NG_HOOK_UNKNOWN)) {
        return NG_EXIT_INCONCLUSIVE;
    }
    return NG_EXIT_PASS;
}
