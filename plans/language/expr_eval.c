/* expr_eval.c - the value of an expression over measured repeats. */
#include <math.h>
#include <stdlib.h>

#include "plans/language/expr.h"
#include "plans/language/plan.h"
#include "runner/base/stats.h"

/* Which value of a metric counts: its median, or, inside a function, that of one repeat. */
enum { BY_MEDIAN = -1 };

static bool eval(const struct ng_expr *expr, const struct ng_expr_env *env, int repeat, double *out,
    struct ng_err *err);

static bool no_value(const struct ng_expr *expr, const char *where, struct ng_err *err) {
    return ng_err_set(err, NG_ERR_ENGINE, "no value of %s of phase %s%s", expr->metric->name,
        expr->phase->name, where);
}

static bool eval_metric(const struct ng_expr *expr, const struct ng_expr_env *env, int repeat,
    double *out, struct ng_err *err) {
    const double *values = NULL;
    size_t count = 0;
    if (!env || !env->metric(env->context, expr->phase, expr->metric, &values, &count) ||
        count == 0) {
        return no_value(expr, "", err);
    }
    if (repeat == BY_MEDIAN) {
        *out = ng_stats_median(values, count);
    } else {
        *out = values[count > 1 ? repeat : 0]; /* count_repeats: they are one or all as many */
    }
    return true;
}

static bool eval_baseline(
    const struct ng_expr *expr, const struct ng_expr_env *env, double *out, struct ng_err *err) {
    if (!env || !env->baseline || !env->baseline(env->context, expr->phase, expr->metric, out)) {
        return no_value(expr, " in the baseline run", err);
    }
    return true;
}

/* The number of repeats of the metrics in an expression; one repeat counts for any number. */
static bool count_repeats(
    const struct ng_expr *expr, const struct ng_expr_env *env, size_t *n, struct ng_err *err) {
    if (!expr) {
        return true;
    }
    if (expr->op != NG_EXPR_METRIC) {
        return count_repeats(expr->a, env, n, err) && count_repeats(expr->b, env, n, err);
    }
    const double *values = NULL;
    size_t count = 0;
    if (!env || !env->metric(env->context, expr->phase, expr->metric, &values, &count) ||
        count == 0) {
        return no_value(expr, "", err);
    }
    if (count > 1 && *n > 1 && count != *n) {
        return ng_err_set(err, NG_ERR_ENGINE,
            "%s of phase %s has %zu values, the metric beside it %zu", expr->metric->name,
            expr->phase->name, count, *n);
    }
    *n = count > *n ? count : *n;
    return true;
}

static bool apply(
    const struct ng_expr *expr, const double *values, size_t n, double *out, struct ng_err *err) {
    bool spread = expr->op == NG_EXPR_STDDEV || expr->op == NG_EXPR_CV;
    if (spread && n < 2) {
        return ng_err_set(err, NG_ERR_ENGINE, "a spread needs at least 2 repeats, and there is 1");
    }
    if (expr->op == NG_EXPR_MIN) {
        *out = ng_stats_percentile(values, n, 0);
    } else if (expr->op == NG_EXPR_MAX) {
        *out = ng_stats_percentile(values, n, 100);
    } else if (expr->op == NG_EXPR_MEAN) {
        *out = ng_stats_mean(values, n);
    } else if (expr->op == NG_EXPR_MEDIAN) {
        *out = ng_stats_median(values, n);
    } else if (expr->op == NG_EXPR_STDDEV) {
        *out = ng_stats_stddev(values, n);
    } else if (expr->op == NG_EXPR_PERCENTILE) {
        *out = ng_stats_percentile(values, n, expr->value);
    } else {
        *out = ng_stats_mean(values, n);
        if (*out == 0) {
            return ng_err_set(err, NG_ERR_ENGINE, "cv of a mean of 0 has no value");
        }
        *out = ng_stats_stddev(values, n) / fabs(*out);
    }
    return true;
}

/* The inner expression once per repeat; functions do not nest. */
static bool eval_function(
    const struct ng_expr *expr, const struct ng_expr_env *env, double *out, struct ng_err *err) {
    size_t n = 1;
    if (!count_repeats(expr->a, env, &n, err)) {
        return false;
    }
    double *values = ng_xmalloc(n * sizeof *values);
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        ok = eval(expr->a, env, (int)i, &values[i], err);
    }
    ok = ok && apply(expr, values, n, out, err);
    free(values);
    return ok;
}

static bool eval_two(const struct ng_expr *expr, const struct ng_expr_env *env, int repeat,
    double *out, struct ng_err *err) {
    double a = 0, b = 0;
    if (!eval(expr->a, env, repeat, &a, err) || !eval(expr->b, env, repeat, &b, err)) {
        return false;
    }
    if (expr->op == NG_EXPR_ADD) {
        *out = a + b;
    } else if (expr->op == NG_EXPR_SUB) {
        *out = a - b;
    } else if (expr->op == NG_EXPR_MUL) {
        *out = a * b;
    } else if (b == 0) {
        return ng_err_set(err, NG_ERR_ENGINE, "division by zero");
    } else {
        *out = a / b;
    }
    return true;
}

static bool eval(const struct ng_expr *expr, const struct ng_expr_env *env, int repeat, double *out,
    struct ng_err *err) {
    bool ok = true;
    switch (expr->op) {
    case NG_EXPR_NUMBER:
        *out = expr->value;
        break;
    case NG_EXPR_METRIC:
        ok = eval_metric(expr, env, repeat, out, err);
        break;
    case NG_EXPR_BASELINE:
        ok = eval_baseline(expr, env, out, err);
        break;
    case NG_EXPR_NEGATE:
        ok = eval(expr->a, env, repeat, out, err);
        *out = ok ? -*out : 0;
        break;
    case NG_EXPR_ADD:
    case NG_EXPR_SUB:
    case NG_EXPR_MUL:
    case NG_EXPR_DIV:
        ok = eval_two(expr, env, repeat, out, err);
        break;
    case NG_EXPR_MIN:
    case NG_EXPR_MAX:
    case NG_EXPR_MEAN:
    case NG_EXPR_MEDIAN:
    case NG_EXPR_STDDEV:
    case NG_EXPR_CV:
    case NG_EXPR_PERCENTILE:
        ok = eval_function(expr, env, out, err);
        break;
    }
    if (ok && !isfinite(*out)) {
        return ng_err_set(err, NG_ERR_ENGINE, "the value is too large or no number");
    }
    return ok;
}

bool ng_expr_eval(
    const struct ng_expr *expr, const struct ng_expr_env *env, double *out, struct ng_err *err) {
    double value = 0;
    if (!eval(expr, env, BY_MEDIAN, &value, err)) {
        return false;
    }
    *out = value;
    return true;
}

bool ng_comparison_holds(enum ng_comparison comparison, double left, double right, double high) {
    switch (comparison) {
    case NG_CMP_LE:
        return left <= right;
    case NG_CMP_LT:
        return left < right;
    case NG_CMP_GE:
        return left >= right;
    case NG_CMP_GT:
        return left > right;
    case NG_CMP_EQ:
        return left == right;
    case NG_CMP_NE:
        return left < right || left > right;
    case NG_CMP_WITHIN:
        return left >= right && left <= high;
    }
    return false;
}

const char *ng_comparison_text(enum ng_comparison comparison) {
    static const char *const texts[] = {
        [NG_CMP_LE] = "<=",
        [NG_CMP_LT] = "<",
        [NG_CMP_GE] = ">=",
        [NG_CMP_GT] = ">",
        [NG_CMP_EQ] = "==",
        [NG_CMP_NE] = "!=",
        [NG_CMP_WITHIN] = "within",
    };
    return texts[comparison];
}
