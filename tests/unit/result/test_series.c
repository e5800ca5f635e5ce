/* test_series.c - samples over time: what is kept of them, and that it is read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/base/guard.h"
#include "runner/result/result.h"
#include "runner/result/store.h"

static const struct ng_metric_def bw = {"bw", {1, -1}, NG_SPELLING_PLAIN, NG_BETTER_HIGHER, "", ""};
enum { LONG = 3600 };

static const struct ng_series *sampled(struct ng_result *result, const double *samples, size_t n) {
    struct ng_phase_result *phase = ng_result_add_phase(result);
    phase->name = phase->engine = "p";
    struct ng_repeat *repeat = ng_phase_add_repeat(&result->arena, phase);
    ng_repeat_sample(&result->arena, repeat, &bw, NG_NS_PER_S, samples, n);
    return repeat->series_count > 0 ? &repeat->series[0] : NULL;
}

static void test_few_are_kept(void **state) {
    (void)state;
    struct ng_result *result = ng_result_new();
    const double samples[] = {3, (double)NAN, 0, -1, (double)INFINITY, 5};
    const struct ng_series *series = sampled(result, samples, NG_COUNT(samples));
    assert_non_null(series);
    assert_int_equal(series->per_step, 1);
    assert_int_equal(series->value_count, NG_COUNT(samples));
    assert_true(series->values[0] == 3 && series->values[2] == 0 && series->values[5] == 5);
    assert_true(isnan(series->values[1]) && isnan(series->values[3]) && isnan(series->values[4]));
    assert_null(sampled(result, samples, 1));
    assert_null(sampled(result, samples, 0));
    ng_result_free(result);
}

/** A stall of one second in an hour is still there, and so is a peak. */
static void test_a_stall_survives(void **state) {
    (void)state;
    struct ng_result *result = ng_result_new();
    double samples[LONG];
    for (size_t i = 0; i < LONG; i++) {
        samples[i] = 100;
    }
    samples[1234] = 0;
    samples[2345] = 900;
    samples[LONG - 1] = 7; // the last bucket may be shorter
    const struct ng_series *series = sampled(result, samples, LONG);
    assert_true(series->value_count <= NG_SERIES_MAX);
    assert_int_equal(series->per_step, 2);
    assert_int_equal(series->step_ns, 9 * NG_NS_PER_S);
    assert_int_equal(series->value_count, 800);
    assert_true(series->values[1234 / 9 * 2] == 0 && series->values[1234 / 9 * 2 + 1] == 100);
    assert_true(series->values[2345 / 9 * 2] == 100 && series->values[2345 / 9 * 2 + 1] == 900);
    assert_true(series->values[798] == 7 && series->values[799] == 100);
    ng_result_free(result);
}

static void test_bounds(void **state) {
    (void)state;
    struct ng_result *result = ng_result_new();
    static double samples[NG_SERIES_MAX + 1];
    assert_int_equal(sampled(result, samples, NG_SERIES_MAX)->value_count, NG_SERIES_MAX);
    const struct ng_series *series = sampled(result, samples, NG_SERIES_MAX + 1);
    assert_int_equal(series->per_step, 2);
    assert_int_equal(series->value_count, 534); // 801 in steps of 3: 267
    struct ng_repeat *repeat = &result->phases[0].repeats[0];
    ng_repeat_sample(&result->arena, repeat, &bw, INT64_MAX, samples, NG_SERIES_MAX + 1);
    ng_repeat_sample(&result->arena, repeat, &bw, 0, samples, 3);
    assert_int_equal(repeat->series_count, 1);
    ng_result_free(result);
}

static void test_round_trip(void **state) {
    (void)state;
    struct ng_result *result = ng_result_new();
    const double samples[] = {1.0 / 3, (double)NAN, 0, 1e300};
    sampled(result, samples, NG_COUNT(samples));
    struct ng_buf first;
    struct ng_buf again;
    struct ng_err err = {0};
    ng_buf_init(&first, NG_RESULT_BYTES_MAX);
    ng_buf_init(&again, NG_RESULT_BYTES_MAX);
    ng_result_write(result, &first);
    assert_non_null(
        strstr(ng_buf_text(&first), "{\"metric\": \"bw\", \"per_step\": 1, \"spelling\": "
                                    "\"plain\", \"step_ns\": 1000000000, \"unit\": \"byte/s\", "
                                    "\"values\": [0.3333333333333333, null, 0.0, "));
    struct ng_result *read = ng_result_read(first.data, first.len, &err);
    if (read == NULL) {
        fail_msg("%s", err.text);
    }
    ng_result_write(read, &again);
    assert_string_equal(ng_buf_text(&first), ng_buf_text(&again));
    ng_buf_release(&first);
    ng_buf_release(&again);
    ng_result_free(read);
    ng_result_free(result);
}

static void test_damage(void **state) {
    (void)state;
    struct ng_result *result = ng_result_new();
    const double samples[] = {1, 2};
    sampled(result, samples, NG_COUNT(samples));
    struct ng_buf text;
    struct ng_err err = {0};
    ng_buf_init(&text, NG_RESULT_BYTES_MAX);
    ng_result_write(result, &text);
    char *values = strstr(text.data, "[1.0, 2.0]");
    assert_non_null(values);
    memcpy(values, "[1.0, \"\"]", 9);
    values[9] = ' ';
    assert_null(ng_result_read(text.data, text.len, &err));
    assert_non_null(strstr(err.text, "series: [0]: values: [1]: expected a number or null"));
    ng_buf_release(&text);
    ng_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_are_kept),
        cmocka_unit_test(test_a_stall_survives),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
