/** test_units.c - what can be written, what is meant by what cannot, and plain numbers. */
#include "runner/base/units.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "runner/base/files.h"
#include "runner/base/guard.h"

static void quantities_are_understood(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
        struct ng_dim dim;
    } cases[] = {
        {"0 B", 0, {1, 0}},
        {"512 B", 512, {1, 0}},
        {"1 kB", 1e3, {1, 0}},
        {"1.5 MB", 1.5e6, {1, 0}},
        {"2 GB", 2e9, {1, 0}},
        {"3 TB", 3e12, {1, 0}},
        {"128 KiB", 131072, {1, 0}},
        {"1 MiB", 1048576, {1, 0}},
        {"30 GiB", 32212254720.0, {1, 0}},
        {"1TiB", 1099511627776.0, {1, 0}},
        {"8 bit", 1, {1, 0}},
        {"8 kbit", 1000, {1, 0}},
        {"8 Mbit", 1e6, {1, 0}},
        {"8 Gbit", 1e9, {1, 0}},
        {"8 Tbit", 1e12, {1, 0}},
        {"10Gbit/s", 1.25e9, {1, -1}},
        {"10 Gbps", 1.25e9, {1, -1}},
        {"1 Mbps", 125000, {1, -1}},
        {"1 kbps", 125, {1, -1}},
        {"1 Tbps", 1.25e11, {1, -1}},
        {"1 bit/s", 0.125, {1, -1}},
        {"400 MB/s", 4e8, {1, -1}},
        {"1 MiB/s", 1048576, {1, -1}},
        {"1 B/s", 1, {1, -1}},
        {"130 ns", 130e-9, {0, 1}},
        {"130 us", 130e-6, {0, 1}},
        {"250 ms", 0.25, {0, 1}},
        {"0.3 ms", 0.0003, {0, 1}},
        {"10 s", 10, {0, 1}},
        {"2 m", 120, {0, 1}},
        {"2 min", 120, {0, 1}},
        {"1 h", 3600, {0, 1}},
        {"1 d", 86400, {0, 1}},
        {"1e3 IOPS", 1000, {0, -1}},
        {"1391.5 IOPS", 1391.5, {0, -1}},
        {"5 /s", 5, {0, -1}},
        {"5/s", 5, {0, -1}},
        {"95%", 0.95, {0, 0}},
        {"95 %", 0.95, {0, 0}},
        {"99.5%", 0.995, {0, 0}},
        {"7%", 0.07, {0, 0}},
        {"4", 4, {0, 0}},
        {"1.5E-3", 0.0015, {0, 0}},
        {"2e+2", 200, {0, 0}},
        {" \t4  GiB \t", 4294967296.0, {1, 0}},
        {"007 s", 7, {0, 1}},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct ng_quantity q = {-1, {9, 9}};
        struct ng_err err = {NG_ERR_NONE, ""};
        if (!ng_quantity_parse(cases[i].text, &q, &err)) {
            fail_msg("%s: %s", cases[i].text, err.text);
        }
        if (q.value != cases[i].value || !ng_dim_equal(q.dim, cases[i].dim)) {
            fail_msg("%s: %.17g data %d time %d", cases[i].text, q.value, q.dim.data, q.dim.time);
        }
        assert_int_equal(err.kind, NG_ERR_NONE);
    }
}

static void other_texts_are_refused_with_advice(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "\"\": no number at the start; write digits and a unit"},
        {"GiB", "\"GiB\": no number at the start"},
        {"fast", "\"fast\": no number at the start"},
        {"+5 s", "\"+5 s\": no number at the start"},
        {"nan", "no number at the start"},
        {"inf s", "no number at the start"},
        {"0x10 B", "\"0x10 B\": unknown unit \"x10 B\""},
        {"-5 s", "\"-5 s\": a quantity is never negative; leave the sign out"},
        {".5 s", "\".5 s\": the number has no digit before its dot; write 0.5"},
        {"5. s", "the number is followed by \". s\"; write numbers with a dot"},
        {"2,5 GB", "\"2,5 GB\": the number is followed by \",5 GB\"; write numbers with a dot"},
        {"1_000 B", "without grouping"},
        {"1'000 B", "without grouping"},
        {"1e999 B", "\"1e999 B\": the number is too large; use a larger unit"},
        {"1e308 TB", "\"1e308 TB\": the quantity is too large"},
        {"30 KB", "\"30 KB\": unknown unit \"KB\"; write kB or KiB"},
        {"30 parsecs", "unknown unit \"parsecs\"; write a size (kB MB GB TB"},
        {"5 m s", "unknown unit \"m s\""},
        {"5 GB GB", "unknown unit \"GB GB\""},
        {"1 e3", "unknown unit \"e3\""},
        {"10 \x1B[31mGB", "\"10 GB\": unknown unit \"GB\""},
        {"10 s\n", "unknown unit"},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct ng_quantity q = {-1, {9, 9}};
        struct ng_err err = {NG_ERR_NONE, ""};
        assert_false(ng_quantity_parse(cases[i].text, &q, &err));
        assert_int_equal(err.kind, NG_ERR_FORMAT);
        if (strstr(err.text, cases[i].message) == NULL) {
            fail_msg("%s: %s", cases[i].text, err.text);
        }
        assert_true(q.value == -1);
        assert_false(ng_quantity_parse(cases[i].text, &q, NULL));
    }
}

static void wrong_units_get_the_right_one(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"KB", "kB or KiB"},
        {"K", "kB or KiB"},
        {"k", "kB or KiB"},
        {"kb", "kbit or kB"},
        {"Kb", "kbit or kB"},
        {"Mb", "Mbit or MB"},
        {"mb", "Mbit or MB"},
        {"mB", "MB"},
        {"M", "MB or MiB"},
        {"gb", "Gbit or GB"},
        {"G", "GB or GiB"},
        {"gib", "GiB"},
        {"GIB", "GiB"},
        {"Gi", "GiB"},
        {"mib/s", "MiB/s"},
        {"gbit", "Gbit"},
        {"GBit/s", "Gbit/s"},
        {"gbit/S", "Gbit/s"},
        {"Gbits/sec", "Gbit/s"},
        {"Gbit/second", "Gbit/s"},
        {"MB/sec", "MB/s"},
        {"Mb/s", "Mbit/s or MB/s"},
        {"KB/s", "kB/s or KiB/s"},
        {"MBytes", "MB or MiB"},
        {"MBytes/sec", "MB/s or MiB/s"},
        {"KBytes", "kB or KiB"},
        {"bytes", "B"},
        {"Bytes/s", "B/s"},
        {"GBps", "GB/s"},
        {"MiBps", "MiB/s"},
        {"gbps", "Gbps"},
        {"Kbps", "kbps"},
        {"mbps", "Mbps"},
        {"bps", "bit/s"},
        {"b", "bit or B"},
        {"bits", "bit"},
        {"sec", "s"},
        {"secs", "s"},
        {"seconds", "s"},
        {"S", "s"},
        {"msec", "ms"},
        {"MS", "ms"},
        {"usec", "us"},
        {"\xC2\xB5s", "us"},
        {"\xCE\xBCs", "us"},
        {"minutes", "min"},
        {"mins", "min"},
        {"hours", "h"},
        {"H", "h"},
        {"days", "d"},
        {"iops", "IOPS"},
        {"IOps", "IOPS"},
        {"IO/s", "IOPS"},
        {"ops/s", "IOPS"},
        {"kIOPS", "IOPS"},
        {"1/s", "/s"},
        {"percent", "%"},
        {"furlong", NULL},
        {"s/s", NULL},
        {"/", NULL},
        {"", NULL},
        {"a unit of more than twenty-four bytes", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        double factor = -1;
        struct ng_dim dim;
        const char *hint = "untouched";
        assert_false(ng_unit_find(cases[i][0], strlen(cases[i][0]), &factor, &dim, &hint));
        const char *want = cases[i][1] == NULL ? "none" : cases[i][1];
        const char *got = hint == NULL ? "none" : hint;
        if (strcmp(got, want) != 0) {
            fail_msg("%s: hint %s, not %s", cases[i][0], got, want);
        }
        assert_false(ng_unit_find(cases[i][0], strlen(cases[i][0]), &factor, &dim, NULL));
        assert_true(factor == -1);
    }
}

static void a_unit_need_not_be_terminated(void **state) {
    (void)state;
    double factor;
    struct ng_dim dim;
    assert_true(ng_unit_find("MB/s >= 4", 4, &factor, &dim, NULL));
    assert_true(factor == 1e6 && ng_dim_equal(dim, NG_DIM_RATE));
    assert_true(ng_unit_find("MB/s >= 4", 2, &factor, &dim, NULL));
    assert_true(factor == 1e6 && ng_dim_equal(dim, NG_DIM_SIZE));
    assert_true(ng_unit_find("msx", 1, &factor, &dim, NULL));
    assert_true(factor == 60 && ng_dim_equal(dim, NG_DIM_TIME));
}

static void fractions_scale_exactly(void **state) {
    (void)state;
    assert_true(ng_unit_scale(95, 1.0 / 100) == 0.95);
    assert_true(ng_unit_scale(130, 1e-6) == 0.00013);
    assert_true(ng_unit_scale(3, 1e-9) == 3e-9);
    assert_true(ng_unit_scale(2.5, 1e6) == 2.5e6);
    assert_true(ng_unit_scale(10, 1) == 10);
}

static void dimensions_have_words(void **state) {
    (void)state;
    static const struct {
        struct ng_dim dim;
        const char *word;
    } cases[] = {
        {{1, 0}, "size"},
        {{0, 1}, "duration"},
        {{1, -1}, "rate"},
        {{0, -1}, "IOPS"},
        {{0, 0}, "number"},
        {{2, -1}, "bytes^2/s"},
        {{2, -2}, "bytes^2/s^2"},
        {{-1, 1}, "s/bytes"},
        {{1, 1}, "bytes*s"},
        {{3, 0}, "a high power of bytes or seconds"},
        {{-128, 127}, "a high power of bytes or seconds"},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        assert_string_equal(ng_dim_word(cases[i].dim), cases[i].word);
    }
    assert_true(ng_dim_equal(NG_DIM_RATE, (struct ng_dim){1, -1}));
    assert_false(ng_dim_equal(NG_DIM_RATE, NG_DIM_SIZE));
    assert_false(ng_dim_equal(NG_DIM_IOPS, NG_DIM_RATE));
}

static void numbers_are_scanned_as_far_as_they_go(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t used;
        double value;
    } cases[] = {
        {"0", 1, 0},
        {"12.50x", 5, 12.5},
        {"250..400", 3, 250},
        {"250 .. 400", 3, 250},
        {"5.", 1, 5},
        {"5.MB", 1, 5},
        {"1e", 1, 1},
        {"1e+", 1, 1},
        {"1e+3", 4, 1000},
        {"1E3d", 3, 1000},
        {"1.5e-2", 6, 0.015},
        {"1,5", 1, 1},
        {"0x10", 1, 0},
        {"0.1", 3, 0.1},
        {"9007199254740993", 16, 9007199254740992.0},
        {"1e-999", 6, 0},
        {"1.7976931348623157e308", 22, DBL_MAX},
        {"", 0, -1},
        {".5", 0, -1},
        {"-5", 0, -1},
        {"+5", 0, -1},
        {" 5", 0, -1},
        {"e5", 0, -1},
        {"nan", 0, -1},
        {"inf", 0, -1},
        {"1e309", 0, -1},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        double value = -1;
        size_t used = ng_number_scan(cases[i].text, strlen(cases[i].text), &value);
        if (used != cases[i].used || value != cases[i].value) {
            fail_msg("%s: %zu bytes, %.17g", cases[i].text, used, value);
        }
    }
    double value = -1;
    assert_int_equal(ng_number_scan("12345", 3, &value), 3); /* need not be terminated */
    assert_true(value == 123);
    char digits[200];
    memset(digits, '9', sizeof digits);
    assert_int_equal(ng_number_scan(digits, 127, &value), 127);
    assert_int_equal(ng_number_scan(digits, 128, &value), 0);
}

static void data_numbers_read_back_exactly(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "0"},
        {1, "1"},
        {-17, "-17"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {2.0 / 3, "0.6666666666666666"},
        {934268000, "934268000"},
        {17535714055.219631, "17535714055.21963"},
        {1e15, "1000000000000000"},
        {9007199254740992.0, "9007199254740992"},
        {1e300, "1e+300"},
        {1.5e-7, "1.5e-07"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {(double)NAN, "null"},
        {(double)INFINITY, "null"},
        {-(double)INFINITY, "null"},
    };
    char out[NG_QUANTITY_TEXT];
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        assert_string_equal(ng_number_format(cases[i].value, out), cases[i].text);
    }
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) { /* any bit pattern */
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double value, back = 0;
        memcpy(&value, &seed, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        ng_number_format(fabs(value), out);
        assert_int_equal(ng_number_scan(out, strlen(out), &back), strlen(out));
        assert_true(back == fabs(value));
    }
}

static bool set_comma_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "cs_CZ.UTF-8", "pl_PL.UTF-8"};
    for (size_t i = 0; i < NG_COUNT(names); i++) {
        if (setlocale(LC_ALL, names[i]) != NULL && *localeconv()->decimal_point != '.') {
            return true;
        }
    }
    setlocale(LC_ALL, "C");
    return false;
}

/** Has a locale made in a private folder, where the machine has the sources for one. */
static bool make_comma_locale(const char *folder) {
    char locale[4096];
    snprintf(locale, sizeof locale, "%s/de_DE.UTF-8", folder);
    pid_t pid = fork();
    if (pid == 0) {
        execlp("localedef", "localedef", "--quiet", "-i", "de_DE", "-f", "UTF-8", locale,
            (char *)NULL);
        _exit(127);
    }
    int status = -1;
    waitpid(pid, &status, 0);
    setenv("LOCPATH", folder, 1);
    bool made = set_comma_locale();
    unsetenv("LOCPATH");
    return made;
}

static void locales_change_nothing(void **state) {
    (void)state;
    char *folder;
    assert_true(ng_dir_create_temp("test-units", &folder, NULL));
    bool made = set_comma_locale() || make_comma_locale(folder);
    assert_true(ng_dir_remove(folder, NULL));
    free(folder);
    if (!made) {
        print_message("skipped: no locale with a decimal comma is installed or can be made\n");
        skip();
    }
    char out[NG_QUANTITY_TEXT], with_comma[8];
    snprintf(with_comma, sizeof with_comma, "%.1f", 1.5);
    assert_string_not_equal(with_comma, "1.5");
    struct ng_quantity q = {0, {0, 0}};
    assert_true(ng_quantity_parse("1.5 MB/s", &q, NULL));
    assert_true(q.value == 1.5e6);
    assert_false(ng_quantity_parse("1,5 MB/s", &q, NULL));
    assert_string_equal(ng_quantity_format(q, out), "1.5 MB/s");
    assert_string_equal(ng_rate_format_bits(1.17625e9, out), "9.41 Gbit/s");
    assert_string_equal(ng_number_format(0.1, out), "0.1");
    snprintf(with_comma, sizeof with_comma, "%.1f", 1.5); /* the caller's locale is as before */
    assert_string_not_equal(with_comma, "1.5");
    setlocale(LC_ALL, "C");
}

static void suggestions(void **state) {
    (void)state;
    static const struct {
        double number;
        const char *unit;
        struct ng_dim wanted;
        enum ng_spelling spelling;
        const char *text; /* NULL: none */
    } cases[] = {
        {10, "G", {1, -1}, NG_SPELLING_BITS, "10 Gbit/s"},
        {10, "G", {1, -1}, NG_SPELLING_PLAIN, "10 GB/s"},
        {1.5, "k", {1, -1}, NG_SPELLING_BITS, "1.5 kbit/s"},
        {2, "t", {1, -1}, NG_SPELLING_BITS, "2 Tbit/s"},
        {10, "gbit", {1, -1}, NG_SPELLING_BITS, "10 Gbit/s"},
        {10, "Gb", {1, -1}, NG_SPELLING_BITS, "Gbit/s or GB/s"},
        {10, "Mb/s", {1, -1}, NG_SPELLING_BITS, "Mbit/s or MB/s"},
        {50, "k", {0, -1}, NG_SPELLING_PLAIN, "50000"},
        {1.5, "M", {0, 0}, NG_SPELLING_PLAIN, "1500000"},
        {5, "M", {0, 1}, NG_SPELLING_PLAIN, NULL},
        {5, "sec", {0, 1}, NG_SPELLING_PLAIN, "5 s"},
        {5, "M", {1, 0}, NG_SPELLING_PLAIN, "MB or MiB"},
        {5, "sec", {1, 0}, NG_SPELLING_PLAIN, NULL},
        {5, "furlongs", {1, -1}, NG_SPELLING_BITS, NULL},
        {5, "", {1, -1}, NG_SPELLING_BITS, NULL},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        char out[NG_QUANTITY_TEXT] = "untouched";
        bool any = ng_unit_suggest(cases[i].number, cases[i].unit, strlen(cases[i].unit),
            cases[i].wanted, cases[i].spelling, out);
        assert_int_equal(any, cases[i].text != NULL);
        assert_string_equal(out, any ? cases[i].text : "untouched");
    }
    struct ng_quantity quantity;
    struct ng_err err = {0};
    assert_true(ng_quantity_parse_as("5 s", NG_DIM_RATE, &quantity, &err));
    assert_true(ng_dim_equal(quantity.dim, NG_DIM_TIME));
    assert_false(ng_quantity_parse_as("5 quux", NG_DIM_RATE, &quantity, &err));
    assert_string_equal(err.text, "\"5 quux\": unknown unit \"quux\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_are_understood),
        cmocka_unit_test(other_texts_are_refused_with_advice),
        cmocka_unit_test(wrong_units_get_the_right_one),
        cmocka_unit_test(a_unit_need_not_be_terminated),
        cmocka_unit_test(fractions_scale_exactly),
        cmocka_unit_test(dimensions_have_words),
        cmocka_unit_test(numbers_are_scanned_as_far_as_they_go),
        cmocka_unit_test(data_numbers_read_back_exactly),
        cmocka_unit_test(locales_change_nothing),
        cmocka_unit_test(suggestions),
    };
    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
