/* A loop does not wait for more than what it is asked to wait for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/process/loop.h"

static void set(void *context) {
    *(bool *)context = true;
}

static bool is_set(void *context) {
    return *(bool *)context;
}

/* The timer is due when the loop begins: it fires before the loop would wait for the late one. */
static void a_timer_that_is_due_ends_the_wait(void **state) {
    (void)state;
    struct ng_loop *loop = ng_loop_new(NULL);
    assert_non_null(loop);
    const struct ng_clock *clock = ng_loop_clock(loop);
    bool done = false;
    bool late = false;
    struct ng_timer *timer = ng_timer_start(loop, NG_NS_PER_MS, 0, set, &done);
    struct ng_timer *late_timer = ng_timer_start(loop, 20 * NG_NS_PER_S, 0, set, &late);
    int64_t start = ng_clock_mono(clock);
    while (ng_clock_mono(clock) - start < 5 * NG_NS_PER_MS) {}
    ng_loop_run(loop, is_set, &done);
    assert_true(done);
    assert_false(late);
    ng_timer_stop(timer);
    ng_timer_stop(late_timer);
    ng_loop_free(loop);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_timer_that_is_due_ends_the_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
