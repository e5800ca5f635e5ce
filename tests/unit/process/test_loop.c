// The loop itself: timers and signals.
#include "tests/unit/process/children.h"

#include <signal.h>

#include "runner/process/loop_inner.h"

struct counter {
    struct ng_loop *loop;
    struct ng_timer *timer;
    int fired, until;
    int told[4];
    int told_count;
};

static void count_and_stop(void *context) {
    struct counter *counter = context;
    if (++counter->fired == counter->until) {
        ng_timer_stop(counter->timer);
        counter->timer = NULL;
    }
}

static bool counted(void *context) {
    const struct counter *counter = context;
    return counter->fired >= counter->until;
}

static void test_timers(void **state) {
    struct fixture *fixture = *state;
    struct counter counter = {.loop = fixture->loop, .until = 3};
    int64_t before = ng_clock_mono(ng_loop_clock(fixture->loop));
    counter.timer = ng_timer_start(fixture->loop, MILLIS(5), MILLIS(5), count_and_stop, &counter);
    ng_loop_run(fixture->loop, counted, &counter);
    assert_int_equal(counter.fired, 3);
    assert_null(counter.timer);
    assert_true(ng_clock_mono(ng_loop_clock(fixture->loop)) - before >= MILLIS(14));

    // A single shot, stopped outside; another one that is never reached; one left to the loop.
    struct counter once = {.until = 1};
    struct ng_timer *far = ng_timer_start(fixture->loop, SECONDS(300), 0, count_and_stop, &counter);
    once.timer = ng_timer_start(fixture->loop, 0, 0, count_and_stop, &once);
    ng_loop_run(fixture->loop, counted, &once);
    ng_timer_stop(far);
    ng_timer_stop(NULL);
    (void)ng_timer_start(fixture->loop, SECONDS(300), 0, count_and_stop, &counter);
    assert_int_equal(counter.fired, 3);
}

static void test_rounding(void **state) {
    (void)state;
    assert_int_equal(ng_loop_ms(-5), 0);
    assert_int_equal(ng_loop_ms(0), 0);
    assert_int_equal(ng_loop_ms(1), 1);
    assert_int_equal(ng_loop_ms(NG_NS_PER_MS), 1);
    assert_int_equal(ng_loop_ms(NG_NS_PER_MS + 1), 2);
    assert_int_equal(ng_loop_ms(INT64_MAX), INT64_MAX / NG_NS_PER_MS + 1);
}

static void remember(void *context, int number) {
    struct counter *counter = context;
    counter->told[counter->told_count++] = number;
}

static bool told_all(void *context) {
    const struct counter *counter = context;
    return counter->told_count >= counter->until;
}

static void test_signals(void **state) {
    struct fixture *fixture = *state;
    struct counter counter = {.until = 1};
    assert_int_equal(ng_loop_signal(fixture->loop), 0);
    ng_loop_on_signal(fixture->loop, remember, &counter);
    raise(SIGTERM);
    ng_loop_run(fixture->loop, told_all, &counter);
    assert_int_equal(ng_loop_signal(fixture->loop), SIGTERM);
    counter.until = 2;
    raise(SIGINT);
    ng_loop_run(fixture->loop, told_all, &counter);
    assert_int_equal(ng_loop_signal(fixture->loop), SIGTERM); // the first stays
    assert_int_equal(counter.told[0], SIGTERM);
    assert_int_equal(counter.told[1], SIGINT);
}

/** After the loop, the program can die of the signal like any other. */
static void test_default_afterwards(void **state) {
    (void)state;
    struct ng_loop *loop = ng_loop_new(NULL);
    assert_non_null(loop);
    ng_loop_free(loop);
    ng_loop_free(NULL);
    struct sigaction now;
    assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
    assert_int_equal(sigaction(SIGTERM, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_timers, fixture_setup, fixture_teardown),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test_setup_teardown(test_signals, fixture_setup, fixture_teardown),
        cmocka_unit_test(test_default_afterwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
