/* test_stats.c - statistics against known values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "runner/base/guard.h"
#include "runner/base/stats.h"

#define NEAR(got, want, share) assert_true(fabs((got) - (want)) <= (share)*fabs(want))

static void test_order(void **state) {
    (void)state;
    const double odd[] = {5, 1, 3};
    const double even[] = {4, 1, 3, 2};
    assert_true(ng_stats_median(odd, 3) == 3);
    assert_true(ng_stats_median(even, 4) == 2.5);
    assert_true(ng_stats_median(odd, 1) == 5);
    assert_true(odd[0] == 5 && odd[1] == 1); // inputs are not sorted in place
    assert_true(ng_stats_percentile(even, 4, 0) == 1);
    assert_true(ng_stats_percentile(even, 4, 100) == 4);
    assert_true(ng_stats_percentile(even, 4, 25) == 1.75); // type 7, as in R and numpy
    NEAR(ng_stats_percentile(even, 4, 95), 3.85, 1e-15);
    assert_true(ng_stats_percentile(even, 4, -5) == 1 && ng_stats_percentile(even, 4, 500) == 4);
    assert_true(ng_stats_percentile(odd, 1, 99) == 5);
}

static void test_spread(void **state) {
    (void)state;
    const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    assert_true(ng_stats_mean(values, 8) == 5);
    NEAR(ng_stats_stddev(values, 8), 2.13808993529939517, 1e-15); // sqrt(32 / 7)
    assert_true(ng_stats_stddev(values, 1) == 0);
    const double same[] = {1e9, 1e9, 1e9};
    assert_true(ng_stats_stddev(same, 3) == 0);
}

/** Quantiles of Student's t, two-sided, as R's qt(1 - (1 - level) / 2, n - 1) gives them. */
static void test_interval(void **state) {
    (void)state;
    const struct {
        size_t n;
        double level, t;
    } rows[] = {
        {2, 0.50, 1.0},
        {2, 0.95, 12.706204736432095},
        {2, 0.99, 63.65674116287399},
        {2, 0.999, 636.6192487687196},
        {3, 0.95, 4.302652729911275},
        {4, 0.95, 3.182446305284263},
        {5, 0.90, 2.131846786326649},
        {11, 0.95, 2.228138851986273},
        {31, 0.99, 2.749995653567231},
        {101, 0.95, 1.983971518523553},
        {1001, 0.95, 1.962339080582489},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        // n values of which the mean is 10: the half width is t * s / sqrt(n).
        double values[1001];
        size_t n = rows[i].n;
        for (size_t j = 0; j < n; j++) {
            values[j] = 10 + (j == 0 ? 1.0 : -1.0 / (double)(n - 1));
        }
        double low;
        double high;
        assert_true(ng_stats_interval(values, n, rows[i].level, &low, &high));
        double half = rows[i].t * ng_stats_stddev(values, n) / sqrt((double)n);
        NEAR(high - ng_stats_mean(values, n), half, 1e-9);
        NEAR(ng_stats_mean(values, n) - low, half, 1e-9);
    }
}

static void test_no_interval(void **state) {
    (void)state;
    const double values[] = {1, 2, 3};
    double low = -7;
    double high = -7;
    assert_false(ng_stats_interval(values, 1, 0.95, &low, &high));
    assert_false(ng_stats_interval(values, 3, 0, &low, &high));
    assert_false(ng_stats_interval(values, 3, 1, &low, &high));
    assert_false(ng_stats_interval(values, 3, (double)NAN, &low, &high));
    assert_true(low == -7 && high == -7);
    const double same[] = {4, 4, 4};
    assert_true(ng_stats_interval(same, 3, 0.95, &low, &high));
    assert_true(low == 4 && high == 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
