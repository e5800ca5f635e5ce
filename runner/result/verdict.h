/**
 * verdict.h - from measurements to verdicts, and from verdicts to the exit code. Pure.
 */
#ifndef NG_RESULT_VERDICT_H
#define NG_RESULT_VERDICT_H

#include "plans/language/plan.h"
#include "runner/result/result.h"

/**
 * Judges all thresholds and predictions of a phase whose repeats are complete, and sets verdict and
 * reason: error when a planned repeat is not valid or a named metric is missing; inconclusive when a finding says so or
 * an interval straddles its limit; fail when a threshold is broken; else pass. An error comes before
 * a failure, a failure before inconclusive only where it is certain: a finding that makes the number
 * doubtful makes the phase inconclusive, whatever side it is on. A phase without `pass:` passes when it was measured.
 */
void ng_phase_judge(struct ng_result *result, const struct ng_plan *plan,
    const struct ng_phase *phase, const struct ng_result *baseline);

#define NG_EXIT_CODES(X)                                                                           \
    X(NG_EXIT_PASS, 0, "pass: every phase passed")                                                 \
    X(NG_EXIT_FAIL, 1, "fail: a threshold failed")                                                 \
    X(NG_EXIT_USAGE, 2, "usage or plan error: nothing was contacted")                              \
    X(NG_EXIT_PRECONDITION, 3, "precondition broken or unknown: nothing was measured")             \
    X(NG_EXIT_BUSY, 4, "the lab is busy")                                                          \
    X(NG_EXIT_ERROR, 5, "error: an engine, a host or a file; or a promised metric was not measured") \
    X(NG_EXIT_INCONCLUSIVE, 6, "inconclusive: the numbers cannot be stood behind")                 \
    X(NG_EXIT_NOT_RESTORED, 7, "the lab was not restored")                                         \
    X(NG_EXIT_INTERNAL, 70, "internal error")                                                      \
    X(NG_EXIT_INT, 130, "interrupted")                                                             \
    X(NG_EXIT_TERM, 143, "terminated")

enum ng_exit {
#define X(name, code, words) name = code,
    NG_EXIT_CODES(X)
#undef X
};
const char *ng_exit_words(int code);
/** The exit code of a finished result (design: 1 before 7 before 5 before 6). */
int ng_result_exit(const struct ng_result *result);

#endif
