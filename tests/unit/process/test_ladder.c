// How children end that do not want to, and those that leave others behind.
#include "tests/unit/process/children.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

/** A child in the background that holds none of the outputs. */
#define QUIETLY " </dev/null >/dev/null 2>&1 &"

static void test_deadline(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    const char *argv[] = {"sh", "-c", "printf before; exec sleep 300", NULL};
    struct ng_child_spec spec = spec_of(&watched, argv);
    spec.deadline_ns = MILLIS(300);
    int64_t before = ng_clock_mono(ng_loop_clock(fixture->loop));
    run_spec(&watched, fixture->loop, &spec);
    int64_t took = ng_clock_mono(ng_loop_clock(fixture->loop)) - before;
    assert_int_equal(watched.end.how, NG_CHILD_DEADLINE);
    assert_int_equal(watched.end.status, -SIGINT);
    assert_false(watched.end.by_kill);
    assert_string_equal(watched.end.out, "before"); // what came until then is kept
    assert_true(took >= MILLIS(300) && took < SECONDS(20));
    watched_release(&watched);
}

static void test_polite_end(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    const char *argv[] = {"sh", "-c",
        "trap 'echo partial; exit 3' INT; : >armed; while :; do sleep 0.05; done", NULL};
    struct ng_child_spec spec = spec_of(&watched, argv);
    run_and_stop(&watched, fixture->loop, &spec, "armed", 1);
    assert_int_equal(watched.end.how, NG_CHILD_STOPPED);
    assert_int_equal(watched.end.status, 3);
    assert_false(watched.end.by_kill);
    assert_string_equal(watched.end.out, "partial\n");
    assert_int_equal(watched.end.leftovers, 0);
    watched_release(&watched);
}

static void check_ignores_int(struct fixture *fixture, int stops, int64_t grace_ns) {
    struct watched watched = {0};
    const char *argv[] = {"sh", "-c", "trap '' INT; : >armed; sleep 300; sleep 300", NULL};
    struct ng_child_spec spec = spec_of(&watched, argv);
    spec.grace_ns = grace_ns;
    run_and_stop(&watched, fixture->loop, &spec, "armed", stops);
    assert_int_equal(watched.end.how, NG_CHILD_STOPPED);
    assert_int_equal(watched.end.status, -SIGKILL);
    assert_true(watched.end.by_kill);
    assert_int_equal(count_marked(watched.marker, false), 0);
    assert_int_equal(unlink("armed"), 0);
    watched_release(&watched);
}

static void test_ignores_int(void **state) {
    check_ignores_int(*state, 1, MILLIS(50));
}

/** A second stop does not wait for the grace: with 30 s of it this test would be killed by ctest.
 */
static void test_stop_twice(void **state) {
    check_ignores_int(*state, 2, SECONDS(300));
    check_ignores_int(*state, 5, SECONDS(300));
}

/** Sessions and double forks: what fio's workers and daemons do. */
static void test_nobody_hides(void **state) {
    struct fixture *fixture = *state;
    static const char *const scripts[] = {
        // A worker of its own session, whose parent lives on.
        "trap '' INT; setsid sleep 300" QUIETLY " : >armed; wait; sleep 300",
        // A double fork: the parent in between is gone, and the worker belongs to init.
        "trap '' INT; setsid sh -c 'setsid sleep 300 & exit'" QUIETLY " wait; : >armed; sleep 300",
        // The environment is gone, but the parent is not when the ladder begins.
        "trap '' INT; env -i /usr/bin/setsid /bin/sleep 300" QUIETLY " : >armed; sleep 300",
        // The same, and the parent itself goes on SIGINT.
        "env -i /usr/bin/setsid /bin/sh -c 'trap \"\" INT; : >armed; sleep 300'" QUIETLY
        " trap 'exit 0' INT; while :; do sleep 0.05; done",
        // It forks on and on.
        "trap '' INT; f() { setsid sleep 300" QUIETLY
        " sleep 0.01; }; : >armed; while :; do f; done",
    };
    for (size_t i = 0; i < NG_COUNT(scripts); i++) {
        struct watched watched = {0};
        const char *argv[] = {"sh", "-c", scripts[i], NULL};
        struct ng_child_spec spec = spec_of(&watched, argv);
        spec.grace_ns = MILLIS(100);
        run_and_stop(&watched, fixture->loop, &spec, "armed", 1);
        assert_int_equal(watched.end.how, NG_CHILD_STOPPED);
        assert_int_equal(watched.end.by_kill, i != 3);
        assert_true(i != 3 || watched.end.leftovers == 2);
        assert_int_equal(count_marked(watched.marker, false), 0);
        assert_int_equal(unlink("armed"), 0);
        watched_release(&watched);
    }
}

/** It ended by itself, but a grandchild holds its output: one second more, then that one goes too.
 */
static void test_output_held_open(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    int64_t before = ng_clock_mono(ng_loop_clock(fixture->loop));
    run_sh(
        &watched, fixture->loop, "setsid sh -c 'echo late; exec sleep 300' & echo first; exit 4");
    int64_t took = ng_clock_mono(ng_loop_clock(fixture->loop)) - before;
    assert_int_equal(watched.end.how, NG_CHILD_EXITED);
    assert_int_equal(watched.end.status, 4);
    assert_int_equal(watched.end.leftovers, 1);
    assert_non_null(strstr(watched.end.out, "first\n"));
    assert_non_null(strstr(watched.end.out, "late\n"));
    assert_true(took >= NG_CHILD_DRAIN_NS && took < SECONDS(20));
    assert_int_equal(count_marked(watched.marker, false), 0);
    watched_release(&watched);
}

/** Its outputs are closed, so nobody would look (see test_guard.c); one that is swept leaves none.
 */
static void test_swept(void **state) {
    struct fixture *fixture = *state;
    const char *const argv[] = {"/bin/sh", "-c",
        "setsid sleep 300 >/dev/null 2>&1 & setsid sleep 300 >/dev/null 2>&1 & exit 3", NULL};
    struct watched watched = {0};
    struct ng_child_spec spec = spec_of(&watched, argv);
    spec.swept = true;
    run_spec(&watched, fixture->loop, &spec);
    assert_int_equal(watched.end.how, NG_CHILD_EXITED);
    assert_int_equal(watched.end.status, 3);
    assert_int_equal(watched.end.leftovers, 2);
    assert_int_equal(count_marked(watched.marker, false), 0);
    watched_release(&watched);
}

static void test_output_closed_late(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    run_sh(&watched, fixture->loop, "(sleep 0.2; echo late) & exit 0");
    assert_int_equal(watched.end.how, NG_CHILD_EXITED);
    assert_int_equal(watched.end.leftovers, 0);
    assert_string_equal(watched.end.out, "late\n");
    watched_release(&watched);
}

/** Who holds the output is none of ours: neither marker nor parentage. It is left alone. */
static void test_output_held_by_stranger(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    run_sh(&watched, fixture->loop,
        "(env -i /bin/sh -c 'echo $$ >stranger; exec /bin/sleep 300' &) & wait;"
        "while ! [ -s stranger ]; do sleep 0.01; done");
    assert_int_equal(watched.end.how, NG_CHILD_EXITED);
    assert_int_equal(watched.end.leftovers, 0);
    assert_non_null(strstr(watched.end.why, "could not be found"));
    FILE *file = fopen("stranger", "r");
    assert_non_null(file);
    char line[32] = "";
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_int_equal(kill((pid_t)strtol(line, NULL, 10), SIGKILL), 0);
    watched_release(&watched);
}

/** A stop that comes when it is dead already but not yet reaped does not claim the merit. */
static void test_stop_too_late(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    const char *argv[] = {"sh", "-c", "exit 9", NULL};
    struct ng_child_spec spec = spec_of(&watched, argv);
    start(&watched, fixture->loop, &spec);
    siginfo_t info = {0};
    assert_int_equal(waitid(P_ALL, 0, &info, WEXITED | WNOWAIT), 0);
    ng_child_stop(watched.child);
    ng_loop_run(fixture->loop, watched_done, &watched);
    assert_int_equal(watched.end.how, NG_CHILD_EXITED);
    assert_int_equal(watched.end.status, 9);
    watched_release(&watched);
}

static void test_loop_free_ends_all(void **state) {
    (void)state;
    struct ng_loop *loop = ng_loop_new(NULL);
    assert_non_null(loop);
    struct watched stubborn = {0};
    struct watched missing = {0};
    const char *argv[] = {
        "sh", "-c", "trap '' INT TERM; setsid sleep 300" QUIETLY " echo up; sleep 300", NULL};
    struct ng_child_spec spec = spec_of(&stubborn, argv);
    start(&stubborn, loop, &spec);
    const char *none[] = {"ng-no-such-program", NULL};
    spec = spec_of(&missing, none);
    start(&missing, loop, &spec);
    ng_loop_free(loop);
    assert_true(stubborn.ended);
    assert_int_equal(stubborn.end.how, NG_CHILD_STOPPED);
    assert_int_equal(count_marked(stubborn.marker, false), 0);
    assert_true(missing.ended);
    assert_int_equal(missing.end.how, NG_CHILD_NOT_STARTED);
    watched_release(&stubborn);
    watched_release(&missing);
}

/** A tracer that never waits: the traced child then cannot be reaped by its parent, not even dead.
 */
static pid_t trace(pid_t pid) {
    int told[2];
    assert_int_equal(pipe(told), 0);
    pid_t tracer = fork();
    if (tracer == 0) {
        signal(SIGCHLD, SIG_DFL); // the loop's handler is inherited, and must not wake us
        char word = ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0 ? 'y' : 'n';
        if (write(told[1], &word, 1) != 1) {
            _exit(1);
        }
        pause();
        _exit(0);
    }
    char word = 'n';
    assert_int_equal(read(told[0], &word, 1), 1);
    close(told[0]);
    close(told[1]);
    if (word == 'y') {
        return tracer;
    }
    kill(tracer, SIGKILL);
    waitpid(tracer, NULL, 0);
    return 0;
}

static bool armed(void *context) {
    (void)context;
    return access("armed", F_OK) == 0;
}

static void nothing(void *context) {
    (void)context;
}

static pid_t pid_of_marked(const char *marker) {
    struct ng_tree tree;
    ng_tree_init(&tree, marker, false, 0);
    ng_tree_scan(&tree, 0);
    const struct ng_tree_member *member = ng_tree_survivor(&tree);
    pid_t pid = member ? member->proc.pid : 0;
    ng_tree_release(&tree);
    return pid;
}

static void test_stuck(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    const char *argv[] = {"sh", "-c", ": >armed; exec sleep 300", NULL};
    struct ng_child_spec spec = spec_of(&watched, argv);
    start(&watched, fixture->loop, &spec);
    struct ng_timer *turn = ng_timer_start(fixture->loop, 0, MILLIS(5), nothing, NULL);
    ng_loop_run(fixture->loop, armed, NULL);
    ng_timer_stop(turn);
    pid_t pid = pid_of_marked(watched.marker);
    pid_t tracer = trace(pid);
    if (tracer == 0) {
        ng_child_stop(watched.child);
        ng_loop_run(fixture->loop, watched_done, &watched);
        watched_release(&watched);
        print_message("skipped: this user must not trace processes\n");
        skip();
    }
    ng_child_stop(watched.child);
    ng_child_stop(watched.child);
    ng_loop_run(fixture->loop, watched_done, &watched);
    assert_int_equal(watched.end.how, NG_CHILD_STUCK);
    assert_non_null(strstr(watched.end.why, "SIGKILL does not end it: sleep (pid "));
    assert_non_null(strstr(watched.end.why, "is in state "));
    watched_release(&watched);

    // When it comes free after all, it is reaped in passing.
    kill(tracer, SIGKILL);
    waitpid(tracer, NULL, 0);
    run_sh(&watched, fixture->loop, "sleep 0.1");
    assert_int_equal(watched.end.how, NG_CHILD_EXITED);
    watched_release(&watched);
    errno = 0;
    assert_int_equal(waitpid(pid, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

#define WITH_LOOP(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_LOOP(test_deadline),
        WITH_LOOP(test_polite_end),
        WITH_LOOP(test_ignores_int),
        WITH_LOOP(test_stop_twice),
        WITH_LOOP(test_nobody_hides),
        WITH_LOOP(test_output_held_open),
        WITH_LOOP(test_swept),
        WITH_LOOP(test_output_closed_late),
        WITH_LOOP(test_output_held_by_stranger),
        WITH_LOOP(test_stop_too_late),
        cmocka_unit_test(test_loop_free_ends_all),
        WITH_LOOP(test_stuck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
