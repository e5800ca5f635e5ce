/**
 * stats.h - statistics over few repeats. n is at least 1 unless said otherwise. Inputs are not
 * changed.
 */
#ifndef NG_BASE_STATS_H
#define NG_BASE_STATS_H

#include <stdbool.h>
#include <stddef.h>

/** The mean of the two middle values for even n. */
double ng_stats_median(const double *values, size_t n);
double ng_stats_mean(const double *values, size_t n);
/** Sample standard deviation (n - 1); 0 for n = 1. */
double ng_stats_stddev(const double *values, size_t n);
/** p in 0 .. 100, linear interpolation between order statistics (Hyndman and Fan, type 7). */
double ng_stats_percentile(const double *values, size_t n, double p);
/**
 * Two-sided confidence interval of the mean by Student's t with n - 1 degrees of freedom; level in
 * (0, 1). False for n < 2. Quantile: bisection on the incomplete beta function (continued fraction,
 * Lentz).
 */
bool ng_stats_interval(const double *values, size_t n, double level, double *low, double *high);

#endif
