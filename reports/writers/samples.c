/* samples.c - each metric of each phase as one figure over the repeats. */
#include "reports/writers/samples.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "reports/writers/view_parts.h"
#include "runner/base/stats.h"

/* Powers of ten up to this one are exact, so that the rounded value prints as it was rounded. */
enum { EXACT_POWER = 22 };

struct list {
    struct ng_sample *items;
    size_t count, capacity;
};

static bool is_listed(const struct list *list, size_t from, const char *metric) {
    for (size_t i = from; i < list->count; i++) {
        if (strcmp(list->items[i].metric, metric) == 0) {
            return true;
        }
    }
    return false;
}

static void add(struct list *list, const struct ng_phase_result *phase,
    const struct ng_measure *measure, struct ng_arena *arena) {
    const double *values;
    size_t count = ng_view_values(phase, measure->metric, &values, arena);
    if (count == 0) {
        return;
    }
    list->items =
        ng_arena_grow(arena, list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] = (struct ng_sample){
        .phase = phase,
        .metric = measure->metric,
        .dim = measure->dim,
        .better = measure->better,
        .count = count,
        .median = ng_stats_median(values, count),
        .min = ng_stats_percentile(values, count, 0.0),
        .max = ng_stats_percentile(values, count, 100.0),
        .stddev = count > 1 ? ng_stats_stddev(values, count) : (double)NAN,
    };
}

static bool is_disowned(const struct ng_phase_result *phase) {
    for (size_t i = 0; i < phase->repeat_count; i++) {
        if (ng_repeat_is_disowned(&phase->repeats[i])) {
            return true;
        }
    }
    return false;
}

size_t ng_samples(
    const struct ng_result *result, struct ng_arena *arena, const struct ng_sample **samples) {
    struct list list = {0};
    for (size_t i = 0; i < result->phase_count; i++) {
        const struct ng_phase_result *phase = &result->phases[i];
        size_t from = list.count;
        if (is_disowned(phase)) {
            continue; // no chart over runs may take it for a measurement
        }
        for (size_t j = 0; j < phase->repeat_count; j++) {
            const struct ng_repeat *repeat = &phase->repeats[j];
            for (size_t k = 0; ng_repeat_counts(repeat) && k < repeat->measure_count; k++) {
                if (!is_listed(&list, from, repeat->measures[k].metric)) {
                    add(&list, phase, &repeat->measures[k], arena);
                }
            }
        }
    }
    *samples = list.items;
    return list.count;
}

double ng_round_digits(double value, int digits) {
    if (value == 0.0 || !isfinite(value)) {
        return value;
    }
    int power = digits - 1 - (int)floor(log10(fabs(value)));
    if (power < -EXACT_POWER || power > EXACT_POWER) {
        return value;
    }
    double scale = pow(10.0, power < 0 ? -power : power);
    return power < 0 ? round(value / scale) * scale : round(value * scale) / scale;
}
