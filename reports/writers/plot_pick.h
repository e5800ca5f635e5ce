/**
 * plot_pick.h - what of a phase is worth a drawing: which metric, over what, against which limits.
 */
#ifndef NG_WRITERS_PLOT_PICK_H
#define NG_WRITERS_PLOT_PICK_H

#include <stdbool.h>

#include "runner/base/arena.h"
#include "runner/result/result.h"

enum { NG_PLOT_LIMITS = 4 };

/** A limit line. */
struct ng_plot_limit {
    double value;     /* base units */
    const char *sign; /* ">=", "<", spelled for people */
    bool broken;
};

struct ng_plot_pick {
    const char *metric;
    struct ng_dim dim;
    enum ng_spelling spelling;
    enum ng_better better;
    bool over_time; /* at least one repeat has samples of it; else it is shown per repeat */
    struct ng_plot_limit limits[NG_PLOT_LIMITS]; /* of thresholds that gate, in the plan's order */
    size_t limit_count;
    bool broken; /* one of them is */
};

/**
 * Picks the metric that has samples over time; without any, the one whose threshold is broken, else
 * the first that has a threshold, else the first measured. False when there is nothing to draw.
 */
bool ng_plot_pick(const struct ng_phase_result *phase, struct ng_plot_pick *out);
/** Only the limits of one metric: thresholds on itself or on its median, mean, min, max over the
 * repeats. */
void ng_plot_pick_limits(
    const struct ng_phase_result *phase, const char *metric, struct ng_plot_pick *out);

/** The samples of a metric in a repeat that can be drawn: at least two; NULL for none. */
const struct ng_series *ng_plot_series(const struct ng_repeat *repeat, const char *metric);
/** Steps of a series. */
size_t ng_series_steps(const struct ng_series *series);

#endif
