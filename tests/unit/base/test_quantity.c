/** test_quantity.c - quantities as people read them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runner/base/guard.h"
#include "runner/base/units.h"

struct example {
    double value;
    struct ng_dim dim;
    const char *text;
};

static void assert_formats(const struct example *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char out[NG_QUANTITY_TEXT];
        struct ng_quantity q = {cases[i].value, cases[i].dim};
        assert_ptr_equal(ng_quantity_format(q, out), out);
        if (strcmp(out, cases[i].text) != 0) {
            fail_msg("%.17g: \"%s\", not \"%s\"", cases[i].value, out, cases[i].text);
        }
    }
}

static void sizes(void **state) {
    (void)state;
    static const struct example cases[] = {
        {0, {1, 0}, "0 B"},
        {1, {1, 0}, "1 B"},
        {0.5, {1, 0}, "0.5 B"},
        {999, {1, 0}, "999 B"},
        {1000, {1, 0}, "1 kB"},
        {1024, {1, 0}, "1 KiB"},
        {1536, {1, 0}, "1.536 kB"},
        {9000, {1, 0}, "9 kB"},
        {1025, {1, 0}, "1.025 kB"},
        {12345, {1, 0}, "12.06 KiB"},
        {131072, {1, 0}, "128 KiB"},
        {1048576, {1, 0}, "1 MiB"},
        {1572864, {1, 0}, "1536 KiB"},
        {32212254720.0, {1, 0}, "30 GiB"},
        {1099511627776.0, {1, 0}, "1 TiB"},
        {16e9, {1, 0}, "16 GB"}, /* a whole number of KiB as well, but nobody would say so */
        {1234567890, {1, 0}, "1.15 GiB"},
        {44420448256.5, {1, 0}, "41.37 GiB"},
        {1073700000.5, {1, 0}, "1 GiB"}, /* rounding reaches the next unit */
        {1e15 + 1, {1, 0}, "909.5 TiB"},
        {1e18, {1, 0}, "1000000 TB"},
        {999949999, {1, 0}, "953.6 MiB"},
        {1e17, {1, 0}, "100000 TB"},
        {-1e6, {1, 0}, "-1 MB"},
        {-1048576, {1, 0}, "-1 MiB"},
    };
    assert_formats(cases, NG_COUNT(cases));
}

static void rates_and_iops(void **state) {
    (void)state;
    static const struct example cases[] = {
        {443.2e6, {1, -1}, "443.2 MB/s"},
        {1048576, {1, -1}, "1.049 MB/s"},
        {1.25e9, {1, -1}, "1.25 GB/s"},
        {99.996e6, {1, -1}, "100 MB/s"},
        {0, {1, -1}, "0 B/s"},
        {1391, {0, -1}, "1391 IOPS"},
        {1391.4, {0, -1}, "1391 IOPS"},
        {13914, {0, -1}, "13910 IOPS"},
        {193212.67, {0, -1}, "193200 IOPS"},
        {12.345, {0, -1}, "12.35 IOPS"},
        {0.01, {0, -1}, "0.01 IOPS"},
        {1e6, {2, -1}, "1000000 bytes^2/s"},
        {1e30, {2, 0}, "1e+30 bytes^2"},
    };
    assert_formats(cases, NG_COUNT(cases));
}

static void durations(void **state) {
    (void)state;
    static const struct example cases[] = {
        {130e-6, {0, 1}, "130 us"},
        {0.25, {0, 1}, "250 ms"},
        {1e-9, {0, 1}, "1 ns"},
        {0.4e-9, {0, 1}, "0.4 ns"},
        {999.96e-6, {0, 1}, "1 ms"},
        {1.3010489e-3, {0, 1}, "1.301 ms"},
        {0, {0, 1}, "0 s"},
        {59.5, {0, 1}, "59.5 s"},
        {90, {0, 1}, "90 s"},
        {120, {0, 1}, "2 min"},
        {7199, {0, 1}, "120 min"},
        {7200, {0, 1}, "2 h"},
        {172800, {0, 1}, "2 d"},
        {1e-30, {0, 1}, "1e-21 ns"},
        {-0.002, {0, 1}, "-2 ms"},
    };
    assert_formats(cases, NG_COUNT(cases));
}

static void plain_numbers(void **state) {
    (void)state;
    static const struct example cases[] = {
        {0, {0, 0}, "0"},
        {4, {0, 0}, "4"},
        {1234567, {0, 0}, "1234567"}, /* a count is exact */
        {0.95, {0, 0}, "0.95"},
        {0.123456, {0, 0}, "0.1235"},
        {1234.56, {0, 0}, "1235"},
        {0.000012345, {0, 0}, "0.00001234"},
        {1e-9, {0, 0}, "1e-09"},
        {1e20, {0, 0}, "1e+20"},
        {-3, {0, 0}, "-3"},
        {(double)NAN, {0, 0}, "unknown"},
        {(double)NAN, {1, -1}, "unknown"},
        {(double)INFINITY, {1, 0}, "infinite"},
        {-(double)INFINITY, {1, 0}, "-infinite"},
    };
    assert_formats(cases, NG_COUNT(cases));
}

static void rates_in_bits(void **state) {
    (void)state;
    static const struct {
        double bytes_per_s;
        const char *text;
    } cases[] = {
        {1.17625e9, "9.41 Gbit/s"},
        {1.25e9, "10 Gbit/s"},
        {125, "1 kbit/s"},
        {0, "0 bit/s"},
        {117.6e6, "940.8 Mbit/s"},
        {1.25e13, "100 Tbit/s"},
        {-125000, "-1 Mbit/s"},
        {(double)NAN, "unknown"},
        {1e308, "infinite"},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        char out[NG_QUANTITY_TEXT];
        assert_ptr_equal(ng_rate_format_bits(cases[i].bytes_per_s, out), out);
        assert_string_equal(out, cases[i].text);
    }
}

static void what_is_printed_can_be_written_in_a_plan(void **state) {
    (void)state;
    static const struct ng_dim dims[] = {{1, 0}, {1, -1}, {0, 1}, {0, -1}, {0, 0}};
    for (size_t d = 0; d < NG_COUNT(dims); d++) {
        for (double value = 1.2345e-8; value < 1e16; value *= 3.7) {
            char out[NG_QUANTITY_TEXT];
            struct ng_quantity q, given = {value, dims[d]};
            ng_quantity_format(given, out);
            struct ng_err err;
            if (!ng_quantity_parse(out, &q, &err)) {
                fail_msg("%s", err.text);
            }
            assert_true(ng_dim_equal(q.dim, dims[d]));
            assert_true(fabs(q.value - value) <= 0.0005001 * value);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(rates_and_iops),
        cmocka_unit_test(durations),
        cmocka_unit_test(plain_numbers),
        cmocka_unit_test(rates_in_bits),
        cmocka_unit_test(what_is_printed_can_be_written_in_a_plan),
    };
    return cmocka_run_group_tests_name("quantity", tests, NULL, NULL);
}
