/**
 * samples.h - each metric of each phase as one figure over the repeats: what data files are made
 * of.
 */
#ifndef NG_WRITERS_SAMPLES_H
#define NG_WRITERS_SAMPLES_H

#include <stddef.h>

#include "runner/base/arena.h"
#include "runner/result/result.h"

struct ng_sample {
    const struct ng_phase_result *phase;
    const char *metric;
    struct ng_dim dim;
    enum ng_better better;
    size_t count; /* repeats that count; at least 1 */
    double median, min, max;
    double stddev; /* NaN for one repeat */
};

/**
 * All metrics of all phases, in the order in which the phases and their repeats have them, in
 * `arena`; returns how many. Repeats that do not count have no part in it,
 * nor have phases with a repeat that a finding disowns.
 */
size_t ng_samples(
    const struct ng_result *result, struct ng_arena *arena, const struct ng_sample **samples);
/** A finite value rounded to so many significant digits, 1 to 15. */
double ng_round_digits(double value, int digits);

#endif
