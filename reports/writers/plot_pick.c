/* plot_pick.c - what of a phase is worth a drawing. */
#include "reports/writers/plot_pick.h"

#include <math.h>
#include <string.h>

#include "runner/base/guard.h"
#include "runner/result/words.h"

static bool is(const char *text, size_t len, const char *word) {
    return strlen(word) == len && memcmp(text, word, len) == 0;
}

/** "write.bw", or one figure of its repeats such as "median(write.bw)". */
static bool speaks_of(const struct ng_judged *judged, const char *metric) {
    static const char *const figures[] = {"median", "mean", "min", "max"};
    struct ng_judged_parts parts = ng_judged_split(judged);
    size_t len = (size_t)parts.left_len;
    if (is(parts.left, len, metric)) {
        return true;
    }
    for (size_t i = 0; i < NG_COUNT(figures); i++) {
        size_t head = strlen(figures[i]) + 1;
        if (len > head + 1 && parts.left[len - 1] == ')' && parts.left[head - 1] == '(' &&
            is(parts.left, head - 1, figures[i])) {
            return is(parts.left + head, len - head - 1, metric);
        }
    }
    return false;
}

static void add_limit(struct ng_plot_pick *out, double value, const char *sign, bool broken) {
    if (isfinite(value) && out->limit_count < NG_PLOT_LIMITS) {
        out->limits[out->limit_count++] = (struct ng_plot_limit){value, sign, broken};
        out->broken = out->broken || broken;
    }
}

/** A sign of ours, whatever the file says. */
static const char *sign_of(const char *comparison) {
    static const char *const signs[][2] = {{">=", "\xE2\x89\xA5"}, {"<=", "\xE2\x89\xA4"},
        {">", ">"}, {"<", "<"}, {"==", "="}, {"!=", "\xE2\x89\xA0"}};
    for (size_t i = 0; comparison != NULL && i < NG_COUNT(signs); i++) {
        if (strcmp(comparison, signs[i][0]) == 0) {
            return signs[i][1];
        }
    }
    return "";
}

void ng_plot_pick_limits(
    const struct ng_phase_result *phase, const char *metric, struct ng_plot_pick *out) {
    out->limit_count = 0;
    out->broken = false;
    for (size_t i = 0; i < phase->judged_count; i++) {
        const struct ng_judged *judged = &phase->judged[i];
        bool broken = judged->held == NG_BROKEN;
        if (!judged->gates || !speaks_of(judged, metric)) {
            continue;
        }
        if (judged->within) {
            bool low = judged->left < judged->limit;
            add_limit(out, judged->limit, sign_of(">="), broken && low);
            add_limit(out, judged->high, sign_of("<="), broken && !low);
        } else {
            add_limit(out, judged->limit, sign_of(judged->comparison), broken);
        }
    }
}

size_t ng_series_steps(const struct ng_series *series) {
    return series->value_count / (size_t)series->per_step;
}

const struct ng_series *ng_plot_series(const struct ng_repeat *repeat, const char *metric) {
    for (size_t i = 0; i < repeat->series_count; i++) {
        const struct ng_series *series = &repeat->series[i];
        // A result may come from anywhere.
        if ((metric == NULL || strcmp(series->metric, metric) == 0) && series->step_ns > 0 &&
            (series->per_step == 1 || series->per_step == 2) &&
            series->value_count <= NG_SERIES_MAX && ng_series_steps(series) >= 2) {
            return series;
        }
    }
    return NULL;
}

static void take(struct ng_plot_pick *out, const char *metric, struct ng_dim dim,
    enum ng_spelling spelling, enum ng_better better, bool over_time) {
    out->metric = metric;
    out->dim = dim;
    out->spelling = spelling;
    out->better = better;
    out->over_time = over_time;
}

static bool pick_series(const struct ng_phase_result *phase, struct ng_plot_pick *out) {
    for (size_t i = 0; i < phase->repeat_count; i++) {
        const struct ng_series *series = ng_plot_series(&phase->repeats[i], NULL);
        if (series != NULL) {
            take(out, series->metric, series->dim, series->spelling, NG_BETTER_HIGHER, true);
            ng_plot_pick_limits(phase, series->metric, out);
            return true;
        }
    }
    return false;
}

static bool pick_measure(const struct ng_phase_result *phase, struct ng_plot_pick *out) {
    const struct ng_repeat *first = NULL;
    int best = -1; // 0: measured, 1: has a limit, 2: broke it
    for (size_t i = 0; i < phase->repeat_count && first == NULL; i++) {
        first = ng_repeat_counts(&phase->repeats[i]) ? &phase->repeats[i] : NULL;
    }
    for (size_t i = 0; first != NULL && i < first->measure_count; i++) {
        const struct ng_measure *measure = &first->measures[i];
        struct ng_plot_pick limits = {0};
        ng_plot_pick_limits(phase, measure->metric, &limits);
        int rank = limits.broken ? 2 : limits.limit_count > 0 ? 1 : 0;
        if (isfinite(measure->value) && rank > best) {
            best = rank;
            *out = limits;
            take(out, measure->metric, measure->dim, measure->spelling, measure->better, false);
        }
    }
    return best >= 0;
}

bool ng_plot_pick(const struct ng_phase_result *phase, struct ng_plot_pick *out) {
    *out = (struct ng_plot_pick){0};
    return pick_series(phase, out) || pick_measure(phase, out);
}
