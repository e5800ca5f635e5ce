/* stats.c - statistics over few repeats: order statistics, spread, Student's t interval. */
#include "runner/base/stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/arena.h"

static int compare(const void *a, const void *b) {
    double x;
    double y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

double ng_stats_percentile(const double *values, size_t n, double p) {
    double *sorted = ng_xmalloc(n * sizeof *sorted);
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare);
    double at = (double)(n - 1) * fmin(fmax(p, 0.0), 100.0) / 100.0;
    size_t below = (size_t)at;
    size_t above = below + 1 < n ? below + 1 : below;
    double result = sorted[below];
    if (above != below) {
        result += (at - (double)below) * (sorted[above] - sorted[below]);
    }
    free(sorted);
    return result;
}

double ng_stats_median(const double *values, size_t n) {
    return ng_stats_percentile(values, n, 50.0);
}

double ng_stats_mean(const double *values, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
    }
    return sum / (double)n;
}

double ng_stats_stddev(const double *values, size_t n) {
    if (n < 2) {
        return 0.0;
    }
    double mean = ng_stats_mean(values, n);
    double squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    return sqrt(squares / (double)(n - 1));
}

/** The continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x) {
    const double tiny = DBL_MIN / DBL_EPSILON;
    double c = 1.0;
    double d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double h = d;
    for (int m = 1; m <= 500; m++) {
        double step = 1.0;
        double k = (double)m;
        double terms[2] = {k * (b - k) * x / ((a + 2.0 * k - 1.0) * (a + 2.0 * k)),
            -(a + k) * (a + b + k) * x / ((a + 2.0 * k) * (a + 2.0 * k + 1.0))};
        for (int i = 0; i < 2; i++) {
            d = 1.0 + terms[i] * d;
            d = 1.0 / (fabs(d) < tiny ? tiny : d);
            c = 1.0 + terms[i] / c;
            c = fabs(c) < tiny ? tiny : c;
            step = c * d;
            h *= step;
        }
        if (fabs(step - 1.0) < 4.0 * DBL_EPSILON) {
            break;
        }
    }
    return h;
}

/** The regularised incomplete beta function I_x(a, b). */
static double beta(double a, double b, double x) {
    if (x <= 0.0 || x >= 1.0) {
        return x <= 0.0 ? 0.0 : 1.0;
    }
    int sign;
    double front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) +
                       a * log(x) + b * log1p(-x));
    // The fraction converges fast only on this side; the other follows by symmetry.
    if (x < (a + 1.0) / (a + b + 2.0)) {
        return front * beta_fraction(a, b, x) / a;
    }
    return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

/** The probability that |T| > t for Student's T with `freedom` degrees of freedom. */
static double t_tails(double t, double freedom) {
    return beta(freedom / 2.0, 0.5, freedom / (freedom + t * t));
}

/** The t for which |T| <= t has the probability `level`. */
static double t_quantile(double level, double freedom) {
    double low = 0.0;
    double high = 1.0;
    while (t_tails(high, freedom) > 1.0 - level && high < 1e15) {
        high *= 2.0;
    }
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = low + (high - low) / 2.0;
        if (middle <= low || middle >= high) {
            break;
        }
        if (t_tails(middle, freedom) > 1.0 - level) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

bool ng_stats_interval(const double *values, size_t n, double level, double *low, double *high) {
    if (n < 2 || !(level > 0.0) || !(level < 1.0)) {
        return false;
    }
    double mean = ng_stats_mean(values, n);
    double half = t_quantile(level, (double)(n - 1)) * ng_stats_stddev(values, n) / sqrt((double)n);
    *low = mean - half;
    *high = mean + half;
    return true;
}
