/**
 * judge.h - one threshold or prediction against what was measured; the inner part of verdict.h.
 */
#ifndef NG_RESULT_JUDGE_H
#define NG_RESULT_JUDGE_H

#include "plans/language/plan.h"
#include "runner/result/result.h"

struct ng_judging {
    struct ng_result *result;         /* its arena takes texts */
    const struct ng_result *baseline; /* or NULL */
    const struct ng_phase *phase;
    const struct ng_phase_result *measured; /* of this phase */
    size_t samples;                         /* repeats that count */
};

/** Copies what the plan says of a threshold; values are NaN and it is unknown: not judged. */
void ng_judged_expect(struct ng_arena *arena, const struct ng_threshold *threshold, bool gates,
    struct ng_judged *out);
/** The same, and judges it. */
void ng_judged_fill(const struct ng_judging *judging, const struct ng_threshold *threshold,
    bool gates, struct ng_judged *out);
/**
 * The distance to the limit as a share of the limit; for `within` the distance to the nearest end
 * as a share of the width of the range, so that 0.5 is its middle. > 0 on the good side, < 0 on the
 * bad one, 0 on the limit; NaN when the limit, or the width, is 0. For == and != only the bad or
 * the good side has a distance.
 */
double ng_margin(enum ng_comparison comparison, double left, double right, double high);

#endif
