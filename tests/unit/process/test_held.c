// Children that pass wishes on: what goes down their standard input, and when they are ended here.
#include "tests/unit/process/children.h"

#include <signal.h>

#include "runner/base/buf.h"
#include "runner/base/guard.h"

struct held {
    struct watched watched; // first: its callbacks take this for it
    struct ng_buf output;
    const char *stop_at[3]; // stop when this has been printed
    size_t stops;
};

static void on_output(void *context, const char *bytes, size_t len) {
    struct held *held = context;
    ng_buf_add(&held->output, bytes, len);
    while (held->stops < NG_COUNT(held->stop_at) && held->stop_at[held->stops] &&
           strstr(ng_buf_text(&held->output), held->stop_at[held->stops])) {
        held->stops++;
        ng_child_stop(held->watched.child);
    }
}

/** Runs `sh -c SCRIPT` as a held child with DATA in front of what it hears. */
static void run_held(struct held *held, const char *script, const char *data, int64_t grace_ns) {
    struct ng_loop *loop = ng_loop_new(NULL);
    const char *argv[] = {"sh", "-c", script, NULL};
    struct ng_child_spec spec = spec_of(&held->watched, argv);
    ng_buf_init(&held->output, 1 << 20);
    spec.held = true;
    spec.stdin_data = data;
    spec.stdin_len = strlen(data);
    spec.output = on_output;
    spec.grace_ns = grace_ns;
    run_spec(&held->watched, loop, &spec);
    ng_loop_free(loop);
}

static void release(struct held *held) {
    ng_buf_release(&held->output);
    watched_release(&held->watched);
}

static void test_signs_of_life(void **state) {
    (void)state;
    struct held held = {0};
    run_held(
        &held, "read -r a; read -r b; read -r c; echo \"$a $b $c\"; exit 3", "data\n", SECONDS(1));
    assert_int_equal(held.watched.end.how, NG_CHILD_EXITED);
    assert_int_equal(held.watched.end.status, 3);
    assert_string_equal(ng_buf_text(&held.output), "data . .\n");
    assert_int_equal(held.watched.end.out_len, 0); // it went to the listener
    release(&held);
}

/** A wish to stop is a line, no signal; so is the second; more of them change nothing. */
static void test_rungs(void **state) {
    (void)state;
    struct held held = {.stop_at = {"ready", NULL}};
    run_held(&held,
        "trap 'exit 9' INT; echo ready; while read -r a; do [ $a != i ] || exit 4; done", "data\n",
        SECONDS(60));
    assert_int_equal(held.watched.end.how, NG_CHILD_STOPPED);
    assert_int_equal(held.watched.end.status, 4);
    assert_false(held.watched.end.by_kill);
    release(&held);

    held = (struct held){.stop_at = {"ready", "asked", NULL}};
    run_held(&held,
        "echo ready; while read -r a; do [ $a != i ] || break; done; echo asked; "
        "while read -r a; do [ $a != i ] || exit 5; done",
        "data\n", SECONDS(60));
    assert_int_equal(held.watched.end.how, NG_CHILD_STOPPED);
    assert_int_equal(held.watched.end.status, 5);
    assert_false(held.watched.end.by_kill);
    release(&held);

    held = (struct held){.stop_at = {"ready", "asked", "again"}};
    run_held(&held,
        "echo ready; while read -r a; do [ $a != i ] || break; done; echo asked; "
        "while read -r a; do [ $a != i ] || break; done; echo again; "
        "read -r a && [ $a = . ] && exit 6",
        "data\n", SECONDS(60));
    assert_int_equal(held.watched.end.how, NG_CHILD_STOPPED);
    assert_int_equal(held.watched.end.status, 6);
    assert_false(held.watched.end.by_kill);
    release(&held);
}

/** The other end has some seconds more than the grace to tell what came of it. */
static void test_no_answer(void **state) {
    (void)state;
    struct held held = {.stop_at = {"ready", NULL}};
    const struct ng_clock clock = ng_clock_real();
    const int64_t began = ng_clock_mono(&clock);
    run_held(&held, "echo ready; exec sleep 60", "data\n", MILLIS(100));
    assert_true(ng_clock_mono(&clock) - began >= NG_CHILD_HELD_NS);
    assert_int_equal(held.watched.end.status, -SIGKILL);
    release(&held);
}

/** A child that reads nothing cannot be told anything: its input is ended instead. */
static void test_full_pipe(void **state) {
    (void)state;
    enum { MUCH = 1 << 20 };
    char *much = malloc(MUCH + 1);
    assert_non_null(much);
    memset(much, 'x', MUCH);
    much[MUCH] = '\0';
    struct held held = {.stop_at = {"ready", NULL}};
    run_held(&held, "echo ready; sleep 0.2; exec wc -c", much, SECONDS(20));
    assert_int_equal(held.watched.end.how, NG_CHILD_STOPPED);
    assert_int_equal(held.watched.end.status, 0);
    assert_true(strtol(strchr(ng_buf_text(&held.output), '\n'), NULL, 10) < MUCH);
    release(&held);
    free(much);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signs_of_life),
        cmocka_unit_test(test_rungs),
        cmocka_unit_test(test_no_answer),
        cmocka_unit_test(test_full_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
