/**
 * verdict.h - from measurements to verdicts, and from verdicts to the exit code. Pure.
 */
#ifndef NG_RESULT_VERDICT_H
#define NG_RESULT_VERDICT_H

#include "plans/language/plan.h"
#include "runner/result/result.h"

/**
 * Adds a phase of the plan to the result before it runs: name, engine, volume as subject, line,
 * repeats, and its thresholds and predictions as unknown ("not judged"), so that a report lists
 * them whatever happens. Returned as by ng_result_add_phase.
 */
struct ng_phase_result *ng_result_expect(
    struct ng_result *result, const struct ng_phase *phase, int planned_repeats);

/**
 * Judges all thresholds and predictions of a phase whose repeats are complete, and sets verdict and
 * reason. A phase that already has a verdict (the executor's skipped or error) is left alone.
 *
 *  - skipped: a script says that there is nothing to measure, no repeat counts, and no script says
 * anything worse (then that: fail, else error, else inconclusive);
 *  - else fail: a script says so, and no finding makes a number doubtful;
 *  - else error: a planned repeat is missing, not valid or partial;
 *  - else error, when a hook after the phase did not come to its end; but fail when a threshold is
 * broken without a doubt and none is unknown;
 *  - else inconclusive: a script says so, or says fail beside a doubt;
 *  - else error: a threshold names a value that was not measured (its phase, the baseline);
 *  - else inconclusive: a finding makes a number doubtful, whatever side it is on;
 *  - else fail: a threshold is broken;
 *  - else inconclusive: a threshold is undecided (its interval straddles the limit, there is no
 * interval, or it needs a number of a phase that is inconclusive);
 *  - else pass. A phase without thresholds passes when it was measured.
 *
 * Predictions are judged alike and never change the verdict; those of a phase that ends in error or
 * inconclusive are unknown, since nobody stands behind its numbers. Values of other phases and of
 * the baseline count only when that phase was measured, in all its repeats, and believed (pass or
 * fail); the baseline's
 * value of a metric is the median of its repeats. With phase->confidence the left side is evaluated
 * per repeat, and the t interval of the mean of those samples must lie on one side of the limit;
 * limits that vary per repeat are evaluated by their median. min, max, stddev, cv and percentiles
 * speak of the repeats as a whole and have no samples: a left side with one of them is judged by
 * its value.
 */
void ng_phase_judge(
    struct ng_result *result, const struct ng_phase *phase, const struct ng_result *baseline);

#define NG_EXIT_CODES(X)                                                                           \
    X(NG_EXIT_PASS, 0, "pass: every phase passed")                                                 \
    X(NG_EXIT_FAIL, 1, "fail: a threshold failed, or a script says so")                            \
    X(NG_EXIT_USAGE, 2, "usage or plan error: nothing was contacted")                              \
    X(NG_EXIT_PRECONDITION, 3, "precondition broken or unknown: nothing was measured")             \
    X(NG_EXIT_BUSY, 4, "the lab is busy")                                                          \
    X(NG_EXIT_ERROR, 5,                                                                            \
        "error: an engine, a host or a file; or a promised metric was not measured")               \
    X(NG_EXIT_INCONCLUSIVE, 6, "inconclusive: the numbers cannot be stood behind")                 \
    X(NG_EXIT_NOT_RESTORED, 7, "the lab was not restored")                                         \
    X(NG_EXIT_INTERNAL, 70, "internal error")                                                      \
    X(NG_EXIT_HUP, 129, "hung up")                                                                 \
    X(NG_EXIT_INT, 130, "interrupted")                                                             \
    X(NG_EXIT_TERM, 143, "terminated")

enum ng_exit {
#define X(name, code, words) name = code,
    NG_EXIT_CODES(X)
#undef X
};
const char *ng_exit_words(int code);
/**
 * The exit code of a finished result: interrupted; then 1, 7, 4, 3, 5, 6 in this order, so
 * that tolerating trouble of the lab never hides a real failure. Skipped phases alone change
 * nothing, but a run in which no phase was measured is 5, whatever a hook after it doubts, and so
 * is one that is not complete or has a phase without a verdict.
 */
int ng_result_exit(const struct ng_result *result);

#endif
