/**
 * expr.h - threshold expressions.
 *
 *   threshold  = sum comparison sum | sum "within" sum ".." sum
 *   comparison = "<=" | "<" | ">=" | ">" | "==" | "!="
 *   sum        = product { ("+" | "-") product }
 *   product    = factor { ("*" | "/") factor }
 *   factor     = number [unit] [ "of" factor ] | name | function "(" sum ")" | "(" sum ")"
 *              | "-" factor
 *   function   = min max mean median stddev cv p1 .. p99, p99.9
 *
 * "N% of X" is the only use of "of". LOW of "within LOW .. HIGH" may leave out the unit that HIGH
 * has.
 *
 * Names: a metric of this phase, `phase.metric` of an earlier one, `link.L.speed` (bytes per
 * second), `link.L.mtu`, `volume.V.disks`, `baseline` (the one metric of this phase on the left
 * side, in the baseline run), `baseline.METRIC` (METRIC as above). A name is letters, digits, "_",
 * "." and "-", so that "-" between two names needs blanks. A word that begins with a digit is a
 * name only if it begins with the name of a phase.
 *
 * Every name is resolved and every dimension checked when the plan is loaded. A function takes the
 * repeats of the metrics inside it; without one they are judged by their median. A bare number may
 * stand against IOPS, whose name says its unit; against sizes, rates and durations it is an error.
 */
#ifndef NG_LANGUAGE_EXPR_H
#define NG_LANGUAGE_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "plans/language/diag.h"
#include "plans/language/vocabulary.h"
#include "runner/base/err.h"
#include "runner/base/units.h"

struct ng_phase;
struct ng_plan;

enum { NG_EXPR_BYTES_MAX = 1000, NG_EXPR_DEPTH_MAX = 32 };

enum ng_expr_op {
    NG_EXPR_NUMBER,   /* value */
    NG_EXPR_METRIC,   /* phase, metric */
    NG_EXPR_BASELINE, /* phase, metric */
    NG_EXPR_ADD,
    NG_EXPR_SUB,
    NG_EXPR_MUL,
    NG_EXPR_DIV,
    NG_EXPR_NEGATE,
    NG_EXPR_MIN,
    NG_EXPR_MAX,
    NG_EXPR_MEAN,
    NG_EXPR_MEDIAN,
    NG_EXPR_STDDEV,     /* sample standard deviation, n - 1 */
    NG_EXPR_CV,         /* stddev / mean, no dimension */
    NG_EXPR_PERCENTILE, /* value is the percentage; linear interpolation between order statistics */
};

struct ng_expr {
    enum ng_expr_op op;
    struct ng_dim dim;
    double value;
    const struct ng_phase *phase; /* metric, baseline */
    const struct ng_metric_def *metric;
    const struct ng_expr *a, *b;
    int column; /* in the plan's line, for messages */
};

enum ng_comparison {
    NG_CMP_LE,
    NG_CMP_LT,
    NG_CMP_GE,
    NG_CMP_GT,
    NG_CMP_EQ,
    NG_CMP_NE,
    NG_CMP_WITHIN
};

struct ng_threshold {
    struct ng_pos pos;
    const char *text; /* as in the plan, after substitution; one clean line */
    enum ng_comparison comparison;
    const struct ng_expr *left;
    const struct ng_expr *right; /* the limit, or LOW of within */
    const struct ng_expr *high;  /* within only */
    /* how people read both sides: whoever writes bits reads bits, and a percentage where one is
     * written; else as the metrics on the left are read */
    enum ng_spelling spelling;
    bool needs_baseline;
};

/** Where the values of names come from. Both return false when there is no value. */
struct ng_expr_env {
    void *context;
    /** All valid repeats of a metric, in order, or the one that is asked about. Borrowed until the
     * next call. */
    bool (*metric)(void *context, const struct ng_phase *phase, const struct ng_metric_def *metric,
        const double **values, size_t *count);
    /** A metric in the baseline run. */
    bool (*baseline)(void *context, const struct ng_phase *phase,
        const struct ng_metric_def *metric, double *value);
};

/** Evaluates to one finite number in base units. Fails (NG_ERR_ENGINE) naming the value that is
 * missing or the division by zero. */
bool ng_expr_eval(
    const struct ng_expr *expr, const struct ng_expr_env *env, double *out, struct ng_err *err);

/** True for a name whose first part has a meaning of its own in thresholds ("of", "host.x"): no
 * metric and no phase can have it. */
bool ng_expr_is_reserved(const char *name);

/** Whether a comparison holds for numbers. For WITHIN both ends belong to the range. */
bool ng_comparison_holds(enum ng_comparison comparison, double left, double right, double high);
const char *ng_comparison_text(enum ng_comparison comparison);

#endif
