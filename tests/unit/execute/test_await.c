/* How often the run looks while it waits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/base/clock.h"
#include "runner/execute/await.h"

#define S NG_NS_PER_S
#define H (3600 * S)

static void pauses(void **state) {
    (void)state;
    static const struct {
        int64_t left, at_most, remaining, pause;
    } rows[] = {
        {3 * H, 12 * H, 12 * H, 30 * S}, /* far from the end */
        {60 * S, 12 * H, H, 15 * S},     /* near it, more often */
        {8 * S, 12 * H, H, 5 * S},       /* never more often than that */
        {0, 12 * H, H, 5 * S},
        {-1, 12 * H, H, 30 * S}, /* nobody knows when */
        {-1, 12 * H, 80 * S, 10 * S},
        {3 * H, 2 * S, 2 * S, 2 * S}, /* the last look is at the end of the time */
        {0, 2 * S, 2 * S, S / 10},    /* a short wait looks often */
        {0, 2 * S, S / 100, S / 100},
        {0, 1, 1, NG_NS_PER_MS}, /* never at once */
        {INT64_MAX, INT64_MAX, INT64_MAX, 30 * S},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const int64_t pause = ng_await_pause(rows[i].left, rows[i].at_most, rows[i].remaining);
        if (pause != rows[i].pause) {
            fail_msg("row %zu: %lld", i, (long long)pause);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pauses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
