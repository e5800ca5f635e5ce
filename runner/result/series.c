/* series.c - a metric over the time of a repeat, kept short without losing what stands out. */
#include <math.h>

#include "runner/result/result.h"

static double sample_of(double value) {
    return isfinite(value) && value >= 0 ? value : (double)NAN;
}

/** Lowest and highest of some samples; NaN when there is none. */
static void extremes(const double *samples, size_t count, double out[2]) {
    out[0] = out[1] = (double)NAN;
    for (size_t i = 0; i < count; i++) {
        double value = sample_of(samples[i]);
        out[0] = isnan(out[0]) || value < out[0] ? value : out[0];
        out[1] = isnan(out[1]) || value > out[1] ? value : out[1];
    }
}

static struct ng_series *add(struct ng_arena *arena, struct ng_repeat *repeat) {
    repeat->series = ng_arena_grow(arena, repeat->series, repeat->series_count,
        &repeat->series_capacity, sizeof *repeat->series);
    struct ng_series *series = &repeat->series[repeat->series_count++];
    *series = (struct ng_series){0};
    return series;
}

void ng_repeat_sample(struct ng_arena *arena, struct ng_repeat *repeat,
    const struct ng_metric_def *metric, int64_t step_ns, const double *samples, size_t count) {
    size_t together = 1; // samples in a step
    int64_t long_step = step_ns;
    if (count > NG_SERIES_MAX) {
        together = (count + NG_SERIES_MAX / 2 - 1) / (NG_SERIES_MAX / 2);
    }
    if (count < 2 || step_ns <= 0 ||
        __builtin_mul_overflow(step_ns, (int64_t)together, &long_step)) {
        return;
    }
    struct ng_series *series = add(arena, repeat);
    series->metric = ng_arena_strdup(arena, metric->name);
    series->dim = metric->dim;
    series->spelling = metric->spelling;
    series->step_ns = long_step;
    series->per_step = together > 1 ? 2 : 1;
    size_t steps = (count + together - 1) / together;
    series->value_count = series->value_capacity = steps * (size_t)series->per_step;
    series->values = ng_arena_array(arena, series->value_count, sizeof *series->values);
    for (size_t i = 0; i < steps; i++) {
        size_t first = i * together;
        size_t here = count - first < together ? count - first : together;
        if (together == 1) {
            series->values[i] = sample_of(samples[i]);
        } else {
            extremes(samples + first, here, &series->values[2 * i]);
        }
    }
}
