/** test_clock.c - both clocks, and times as text. */
#include "runner/base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "runner/base/guard.h"

static void the_real_clock_goes_forward(void **state) {
    (void)state;
    struct ng_clock clock = ng_clock_real();
    int64_t before = ng_clock_mono(&clock);
    assert_true(before > 0);
    for (int i = 0; i < 1000; i++) {
        int64_t now = ng_clock_mono(&clock);
        assert_true(now >= before);
        before = now;
    }
    int64_t apart = ng_clock_wall(&clock) / NG_NS_PER_S - (int64_t)time(NULL);
    assert_true(apart >= -2 && apart <= 2);
    ng_clock_move(&clock, 1000 * NG_NS_PER_S); /* does not move the real one */
    assert_true(ng_clock_mono(&clock) < before + 500 * NG_NS_PER_S);
}

static void a_clock_by_hand_stands_still(void **state) {
    (void)state;
    struct ng_clock clock = ng_clock_at(5, 1000);
    assert_int_equal(ng_clock_mono(&clock), 5);
    assert_int_equal(ng_clock_wall(&clock), 1000);
    ng_clock_move(&clock, 7);
    assert_int_equal(ng_clock_mono(&clock), 12);
    assert_int_equal(ng_clock_wall(&clock), 1007);
}

static void times_are_utc_everywhere(void **state) {
    (void)state;
    static const struct {
        int64_t ns;
        const char *text, *compact;
    } cases[] = {
        {0, "1970-01-01T00:00:00Z", "19700101T000000Z"},
        {INT64_C(1796044025999999999), "2026-11-30T13:07:05Z", "20261130T130705Z"},
        {-1, "1969-12-31T23:59:59Z", "19691231T235959Z"},
        {-NG_NS_PER_S, "1969-12-31T23:59:59Z", "19691231T235959Z"},
        {INT64_C(951782400) * NG_NS_PER_S, "2000-02-29T00:00:00Z", "20000229T000000Z"},
        {INT64_MAX, "2262-04-11T23:47:16Z", "22620411T234716Z"},
        {INT64_MIN, "1677-09-21T00:12:43Z", "16770921T001243Z"},
    };
    static const char *const zones[] = {"UTC", "Pacific/Kiritimati", "EST5EDT"};
    for (size_t z = 0; z < NG_COUNT(zones); z++) {
        setenv("TZ", zones[z], 1);
        tzset();
        for (size_t i = 0; i < NG_COUNT(cases); i++) {
            char out[NG_TIME_TEXT];
            assert_string_equal(ng_time_format(cases[i].ns, out), cases[i].text);
            assert_string_equal(ng_time_format_compact(cases[i].ns, out), cases[i].compact);
        }
    }
}

static void durations_round_within_their_unit(void **state) {
    (void)state;
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        {0, "0 s"},
        {1, "1 ns"},
        {999, "999 ns"},
        {1000, "1 us"},
        {1499, "1 us"},
        {1500, "2 us"},
        {999499, "999 us"},
        {999500, "1 ms"},
        {250 * NG_NS_PER_MS, "250 ms"},
        {INT64_C(999499999), "999 ms"},
        {INT64_C(999500000), "1 s"},
        {INT64_C(12300000000), "12.3 s"},
        {INT64_C(12340000000), "12.3 s"},
        {10 * NG_NS_PER_S, "10 s"},
        {INT64_C(59949999999), "59.9 s"},
        {INT64_C(59950000000), "1 m 00 s"},
        {200 * NG_NS_PER_S, "3 m 20 s"},
        {INT64_C(3599499999999), "59 m 59 s"},
        {INT64_C(3599500000000), "1 h 00 m"},
        {3720 * NG_NS_PER_S, "1 h 02 m"},
        {86369 * NG_NS_PER_S, "23 h 59 m"},
        {86370 * NG_NS_PER_S, "1 d 00 h"},
        {266400 * NG_NS_PER_S, "3 d 02 h"},
        {-90 * NG_NS_PER_S, "-1 m 30 s"},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        char out[NG_TIME_TEXT];
        assert_string_equal(ng_duration_format(cases[i].ns, out), cases[i].text);
    }
    char out[NG_TIME_TEXT];
    assert_string_equal(ng_duration_format(INT64_MAX, out), "106752 d 00 h");
    assert_string_equal(ng_duration_format(INT64_MIN, out), "-106752 d 00 h");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_real_clock_goes_forward),
        cmocka_unit_test(a_clock_by_hand_stands_still),
        cmocka_unit_test(times_are_utc_everywhere),
        cmocka_unit_test(durations_round_within_their_unit),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
