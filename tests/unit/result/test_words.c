/* test_words.c - numbers and judged thresholds as sentences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "runner/base/guard.h"
#include "runner/result/judge.h"
#include "runner/result/words.h"

static void test_share(void **state) {
    (void)state;
    const struct {
        double share;
        const char *text;
    } rows[] = {{0.219, "21.9%"}, {1, "100.0%"}, {0, "0%"}, {-0.5, "-50.0%"}, {9.99, "999.0%"},
        {12.5, "1250%"}, {-180.069, "-18007%"}, {0.00996, "1.0%"}, {0.001, "0.10%"},
        {0.000123, "0.012%"}, {1e-5, "0.0010%"}, {1e-30, "0.000000000%"}, {1e300, "very much"},
        {(double)INFINITY, "very much"}, {(double)NAN, "unknown"}};
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        char text[NG_QUANTITY_TEXT];
        assert_string_equal(ng_share_words(rows[i].share, text), rows[i].text);
    }
}

/** A spelling means something for one dimension only. */
static void test_value(void **state) {
    (void)state;
    const struct {
        double value;
        struct ng_dim dim;
        enum ng_spelling spelling;
        const char *text;
    } rows[] = {
        {1.25e9, {1, -1}, NG_SPELLING_PLAIN, "1.25 GB/s"},
        {1.25e9, {1, -1}, NG_SPELLING_BITS, "10 Gbit/s"},
        {1.25e9, {1, -1}, NG_SPELLING_SHARE, "1.25 GB/s"},
        {1.25e9, {1, 0}, NG_SPELLING_BITS, "1.25 GB"},
        {0.001, {0, 0}, NG_SPELLING_SHARE, "0.10%"},
        {0.001, {0, 0}, NG_SPELLING_PLAIN, "0.001"},
        {12, {0, 0}, NG_SPELLING_PLAIN, "12"},
        {1391, {0, -1}, NG_SPELLING_SHARE, "1391 IOPS"},
        {(double)NAN, {0, -1}, NG_SPELLING_PLAIN, "unknown"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        char text[NG_QUANTITY_TEXT];
        assert_string_equal(
            ng_value_words(rows[i].value, rows[i].dim, rows[i].spelling, text), rows[i].text);
    }
}

static void test_split(void **state) {
    (void)state;
    const struct {
        const char *text, *comparison, *left, *limit;
    } rows[] = {
        {"a.b  >=  95% of c", ">=", "a.b", "95% of c"},
        {"a<b", "<", "a", "b"},
        {"a within 1 .. 2 s", "within", "a", "1 .. 2 s"},
        {"no comparison", ">=", "no comparison", ""},
        {"", ">=", "", ""},
        {"a > b", NULL, "a > b", ""},
        {"a > b", "", "a > b", ""},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_judged judged = {.text = rows[i].text, .comparison = rows[i].comparison};
        struct ng_judged_parts parts = ng_judged_split(&judged);
        assert_int_equal(parts.left_len, strlen(rows[i].left));
        assert_int_equal(parts.limit_len, strlen(rows[i].limit));
        assert_int_equal(strncmp(parts.left, rows[i].left, strlen(rows[i].left)), 0);
        assert_int_equal(strncmp(parts.limit, rows[i].limit, strlen(rows[i].limit)), 0);
    }
}

static void test_margin(void **state) {
    (void)state;
    const struct {
        enum ng_comparison comparison;
        double left, low, high, margin;
    } rows[] = {
        {NG_CMP_GE, 110, 100, 0, 0.1},
        {NG_CMP_GT, 90, 100, 0, -0.1},
        {NG_CMP_LE, 90, 100, 0, 0.1},
        {NG_CMP_LT, 110, 100, 0, -0.1},
        {NG_CMP_GE, -110, -100, 0, -0.1},
        {NG_CMP_EQ, 100, 100, 0, 0},
        {NG_CMP_EQ, 90, 100, 0, -0.1},
        {NG_CMP_NE, 90, 100, 0, 0.1},
        {NG_CMP_NE, 100, 100, 0, 0},
        {NG_CMP_WITHIN, 110, 100, 200, 0.1},
        {NG_CMP_WITHIN, 190, 100, 200, 0.1},
        {NG_CMP_WITHIN, 150, 100, 200, 0.5}, // the middle of the range
        {NG_CMP_WITHIN, 807.9, 20, 3000, 0.26439597},
        {NG_CMP_WITHIN, 220, 100, 200, -0.2},
        {NG_CMP_WITHIN, 80, 100, 200, -0.2},
        {NG_CMP_WITHIN, 5, 0, 10, 0.5},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        double margin = ng_margin(rows[i].comparison, rows[i].left, rows[i].low, rows[i].high);
        assert_true(fabs(margin - rows[i].margin) < 1e-8);
    }
    assert_true(isnan(ng_margin(NG_CMP_LE, 3, 0, 0)));
    assert_true(isnan(ng_margin(NG_CMP_WITHIN, 3, 2, 2))); // a range without width
}

static void test_margin_words(void **state) {
    (void)state;
    const struct {
        double margin;
        const char *text;
    } rows[] = {{0.108, "10.8%"}, {-0.219, "-21.9%"}, {9.99, "999.0%"}, {10, "10x"}, {39.4, "39x"},
        {-11.6, "-12x"}, {1e11, "100000000000x"}, {1e13, "very much"},
        {(double)INFINITY, "very much"}, {(double)NAN, "unknown"}};
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        char text[NG_QUANTITY_TEXT];
        assert_string_equal(ng_margin_words(rows[i].margin, text), rows[i].text);
    }
}

/** Whatever a file says of itself, there is a sentence. */
static void test_odd(void **state) {
    (void)state;
    struct ng_judged judged = {.text = "x", .held = NG_BROKEN, .left = 2, .limit = 1};
    struct ng_buf out;
    ng_buf_init(&out, 1000);
    ng_judged_words(&judged, &out);
    assert_string_equal(ng_buf_text(&out), "x 2 is not 1");
    ng_buf_clear(&out);
    judged.held = NG_UNKNOWN;
    ng_judged_words(&judged, &out);
    assert_string_equal(ng_buf_text(&out), "x is unknown: no reason is recorded");
    ng_buf_release(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_margin),
        cmocka_unit_test(test_margin_words),
        cmocka_unit_test(test_odd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
