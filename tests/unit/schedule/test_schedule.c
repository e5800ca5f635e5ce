/* test_schedule.c - phases times repeats in order, selections, costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/schedule/schedule.h"
#include "tests/unit/result/lab.h"

static const int64_t GIB = INT64_C(1) << 30;

static const char plan_text[] =
    "repeat: 2\nphases:\n"
    "  - name: wire\n    lab: 10 s\n    repeat: 1\n"
    "  - name: write\n    needs: [wire]\n    lab: {time: 5 s, size: 1 GiB, volume: v}\n"
    "  - name: read\n    needs: [write]\n    lab: {time: 5 s, size: 2 GiB, volume: v, guess: "
    "true}\n"
    "  - name: other\n    lab: {time: 1 s, size: 4 GiB, volume: w}\n    repeat: 3\n"
    "  - name: unknown\n    lab: {volume: w}\n    repeat: 1\n";

static void steps_are(const struct ng_schedule *schedule, const char *want) {
    struct ng_buf got;
    ng_buf_init(&got, 4096);
    for (size_t i = 0; i < schedule->count; i++) {
        ng_buf_addf(&got, "%s%s/%d", i > 0 ? " " : "", schedule->steps[i].phase->name,
            schedule->steps[i].repeat);
    }
    assert_string_equal(ng_buf_text(&got), want);
    ng_buf_release(&got);
}

static struct ng_schedule *choose(const struct ng_plan *plan, const char *a, const char *b) {
    const char *const names[] = {a, b};
    const struct ng_selection only = {names, b != NULL ? 2 : 1};
    struct ng_err err = {0};
    struct ng_schedule *schedule = ng_schedule_new(plan, &only, 7, &err);
    if (schedule == NULL) {
        fail_msg("%s", err.text);
    }
    return schedule;
}

static void test_all(void **state) {
    (void)state;
    struct ng_plan *plan = lab_plan(plan_text);
    struct ng_schedule *schedule = ng_schedule_new(plan, NULL, 42, NULL);
    steps_are(schedule, "wire/1 write/1 write/2 read/1 read/2 other/1 other/2 other/3 unknown/1");
    assert_int_equal(schedule->seed, 42);
    assert_int_equal(schedule->time_ns, (10 + 2 * 5 + 2 * 5 + 3) * NG_NS_PER_S);
    assert_true(schedule->time_is_guess);
    assert_true(schedule->written == 2 * GIB + 2 * (2 * GIB) + 3 * (4 * GIB));
    // Repeats of a phase share its file; phases may not.
    assert_true(ng_schedule_footprint(schedule, &plan->volumes[0]) == 3 * GIB);
    assert_true(ng_schedule_footprint(schedule, &plan->volumes[1]) == 4 * GIB);
    ng_schedule_free(schedule);
    const struct ng_selection none = {NULL, 0};
    schedule = ng_schedule_new(plan, &none, 42, NULL);
    assert_int_equal(schedule->count, 9);
    ng_schedule_free(schedule);
    ng_plan_free(plan);
}

static void test_selection(void **state) {
    (void)state;
    struct ng_plan *plan = lab_plan(plan_text);
    struct ng_schedule *schedule = choose(plan, "read", NULL);
    steps_are(schedule, "wire/1 write/1 write/2 read/1 read/2");
    assert_true(ng_schedule_footprint(schedule, &plan->volumes[1]) == 0);
    ng_schedule_free(schedule);
    schedule = choose(plan, "other", "wire"); // in the plan's order, whatever was said
    steps_are(schedule, "wire/1 other/1 other/2 other/3");
    assert_false(schedule->time_is_guess);
    ng_schedule_free(schedule);
    schedule = choose(plan, "wire", "wire");
    steps_are(schedule, "wire/1");
    ng_schedule_free(schedule);
    schedule = choose(plan, "unknown", NULL);
    assert_true(schedule->time_is_guess && schedule->time_ns == 0);
    ng_schedule_free(schedule);
    ng_plan_free(plan);
}

static void test_unknown_phase(void **state) {
    (void)state;
    struct ng_plan *plan = lab_plan(plan_text);
    const struct {
        const char *name, *message;
    } rows[] = {
        {"wrtie", "the plan has no phase \"wrtie\"; did you mean \"write\"?"},
        {"nothing-like-it", "the plan has no phase \"nothing-like-it\": nasgate show lists"},
        {"", "the plan has no phase \"\""},
        {"a\x1b[31m\nb", "the plan has no phase \"a b\""},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const char *const names[] = {"wire", rows[i].name};
        const struct ng_selection only = {names, 2};
        struct ng_err err = {0};
        assert_null(ng_schedule_new(plan, &only, 7, &err));
        assert_int_equal(err.kind, NG_ERR_USAGE);
        if (strncmp(err.text, rows[i].message, strlen(rows[i].message)) != 0) {
            fail_msg("%s", err.text);
        }
    }
    ng_plan_free(plan);
}

static void test_too_many_steps(void **state) {
    (void)state;
    struct ng_buf text;
    ng_buf_init(&text, 1 << 20);
    ng_buf_adds(&text, "repeat: 1000\nphases:\n");
    for (int i = 0; i < 101; i++) {
        ng_buf_addf(&text, "  - name: p%d\n    lab: 1 h\n", i);
    }
    struct ng_plan *plan = lab_plan(ng_buf_text(&text));
    struct ng_err err = {0};
    assert_null(ng_schedule_new(plan, NULL, 7, &err));
    assert_int_equal(err.kind, NG_ERR_LIMIT);
    assert_non_null(strstr(err.text, "101000 steps, at most 100000"));
    struct ng_schedule *schedule = choose(plan, "p7", NULL);
    assert_int_equal(schedule->count, 1000);
    ng_schedule_free(schedule);
    ng_plan_free(plan);
    ng_buf_release(&text);
}

/** Phases with the same data lie on the volume once, with the largest of them. */
static void test_shared_data(void **state) {
    (void)state;
    struct ng_plan *plan = lab_plan("phases:\n"
                                    "  - name: a\n    lab: {size: 2 GiB, volume: v, data: x}\n"
                                    "  - name: b\n    lab: {size: 5 GiB, volume: v, data: x}\n"
                                    "  - name: c\n    lab: {size: 1 GiB, volume: v, data: y}\n"
                                    "  - name: d\n    lab: {size: 3 GiB, volume: w, data: x}\n"
                                    "  - name: e\n    lab: {size: 7 GiB, volume: v}\n");
    struct ng_schedule *schedule = ng_schedule_new(plan, NULL, 7, NULL);
    assert_true(ng_schedule_footprint(schedule, &plan->volumes[0]) == 13 * GIB);
    assert_true(ng_schedule_footprint(schedule, &plan->volumes[1]) == 3 * GIB);
    ng_schedule_free(schedule);
    ng_plan_free(plan);
}

/** Sums stop at the largest number instead of running over. */
static void test_saturates(void **state) {
    (void)state;
    struct ng_plan *plan = lab_plan("repeat: 1000\nphases:\n"
                                    "  - name: a\n    lab: {size: 8000000 TiB, volume: v}\n"
                                    "  - name: b\n    lab: {size: 8000000 TiB, volume: v}\n");
    struct ng_schedule *schedule = ng_schedule_new(plan, NULL, 7, NULL);
    assert_true(schedule->written == INT64_MAX);
    assert_true(ng_schedule_footprint(schedule, &plan->volumes[0]) == INT64_MAX);
    ng_schedule_free(schedule);
    ng_schedule_free(NULL);
    ng_plan_free(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_selection),
        cmocka_unit_test(test_unknown_phase),
        cmocka_unit_test(test_too_many_steps),
        cmocka_unit_test(test_shared_data),
        cmocka_unit_test(test_saturates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
