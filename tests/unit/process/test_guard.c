// The guard: after a kill -9 of the runner nothing of the run is left, and nothing of the guard.
#include "tests/unit/process/children.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "runner/base/files.h"

/** Waits until `holds` is true, looking every 10 ms: there is no event for the end of a stranger.
 */
static bool within(int64_t limit_ns, bool (*holds)(const void *context), const void *context) {
    struct ng_clock clock = ng_clock_real();
    int64_t until = ng_clock_mono(&clock) + limit_ns;
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    while (!holds(context)) {
        if (ng_clock_mono(&clock) > until) {
            return false;
        }
        nanosleep(&pause, NULL);
    }
    return true;
}

static bool none_left(const void *run_id) {
    return count_marked(run_id, true) == 0;
}

static bool gone(const void *pid) {
    struct ng_proc proc;
    return !ng_proc_read(*(const pid_t *)pid, &proc) || ng_proc_ended(&proc);
}

static void make_run_id(char id[32], const char *what) {
    snprintf(id, 32, "g%ld-%s", (long)getpid(), what);
}

static bool all_up(void *context) {
    (void)context;
    return access("one", F_OK) == 0 && access("two", F_OK) == 0 && access("three", F_OK) == 0 &&
           access("four", F_OK) == 0;
}

static void nothing(void *context) {
    (void)context;
}

static void never(void *context, struct ng_child_end *end) {
    (void)context;
    (void)end;
}

/** The runner that will be killed: a plain child, one of another session, a daemon of init's, and
 * one that has something to put in order. */
static void doomed_runner(const char *run_id, int told) {
    struct ng_guard *guard = ng_guard_new(run_id, NULL);
    struct ng_loop *loop = ng_loop_new(NULL);
    if (!guard || !loop) {
        _exit(1);
    }
    static const char *const scripts[] = {
        "trap '' INT TERM HUP; : >one; sleep 300",
        "setsid sh -c ': >two; sleep 300' & wait",
        "setsid sh -c '(: >three; exec sleep 300) & exit' </dev/null >/dev/null 2>&1 & sleep 300",
        "trap 'rm four; exit' INT; : >four; sleep 300 & while :; do wait $!; done",
    };
    for (int i = 0; i < 4; i++) {
        char marker[64];
        snprintf(marker, sizeof marker, "%s.%d", run_id, i + 1);
        const char *argv[] = {"sh", "-c", scripts[i], NULL};
        struct ng_child_spec spec = {
            .argv = argv,
            .env = test_env,
            .marker = marker,
            .deadline_ns = SECONDS(300),
            .ended = never,
        };
        (void)ng_child_start(loop, &spec);
    }
    (void)ng_timer_start(loop, 0, MILLIS(5), nothing, NULL);
    ng_loop_run(loop, all_up, NULL);
    if (write(told, "u", 1) != 1) {
        _exit(1);
    }
    close(told);
    pause();
    _exit(1);
}

static pid_t find_guard(pid_t parent) {
    DIR *dir = opendir("/proc");
    assert_non_null(dir);
    pid_t found = 0;
    const struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) {
        struct ng_proc proc;
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && ng_proc_read(pid, &proc) && proc.ppid == parent &&
            strcmp(proc.name, "ng-guard") == 0) {
            found = pid;
        }
    }
    closedir(dir);
    return found;
}

struct guard_search {
    pid_t parent;
    pid_t *guard;
};

static bool guard_found(const void *context) {
    const struct guard_search *search = context;
    *search->guard = find_guard(search->parent);
    return *search->guard > 0;
}

/** The guard of a runner, which takes its name only a moment after it was made. */
static pid_t guard_of(pid_t parent) {
    pid_t guard = 0;
    struct guard_search search = {.parent = parent, .guard = &guard};
    assert_true(within(SECONDS(10), guard_found, &search));
    return guard;
}

static void test_kill_9(void **state) {
    (void)state;
    char scratch[64];
    enter_scratch(scratch);
    char run_id[32];
    make_run_id(run_id, "kill");
    assert_int_equal(setenv("TMPDIR", scratch, 1), 0);
    char stem[48];
    snprintf(stem, sizeof stem, NG_SCRATCH_STEM, run_id);
    char *ours = NULL;
    char *other = NULL; // of the run that is called the same with a digit behind
    assert_true(ng_dir_create_temp(stem, &ours, NULL));
    snprintf(stem, sizeof stem, NG_SCRATCH_STEM "7", run_id);
    assert_true(ng_dir_create_temp(stem, &other, NULL));
    int told[2];
    assert_int_equal(pipe(told), 0); // without close-on-exec: as a CI job's output is
    pid_t runner = fork();
    if (runner == 0) {
        close(told[0]);
        doomed_runner(run_id, told[1]);
    }
    close(told[1]);
    char word = 0;
    assert_int_equal(read(told[0], &word, 1), 1);
    // Runner, guard and children live on and none of them but the runner held this pipe: it is at
    // its end.
    struct pollfd end = {.fd = told[0], .events = POLLIN};
    assert_int_equal(poll(&end, 1, 5000), 1);
    assert_int_equal(read(told[0], &word, 1), 0);
    close(told[0]);
    assert_true(count_marked(run_id, true) >= 6);
    pid_t guard = guard_of(runner);
    assert_int_equal(kill(guard, SIGINT), 0); // a Ctrl-C, an impatient CI: it stays
    assert_int_equal(kill(guard, SIGTERM), 0);
    assert_int_equal(kill(guard, SIGHUP), 0);

    assert_int_equal(kill(runner, SIGKILL), 0);
    assert_int_equal(waitpid(runner, NULL, 0), runner);
    assert_true(within(SECONDS(10), none_left, run_id));
    assert_true(within(SECONDS(10), gone, &guard));
    assert_int_equal(access("four", F_OK), -1); // what was asked first could put things in order
    assert_int_equal(access("one", F_OK), 0);
    assert_int_equal(access(ours, F_OK), -1);
    assert_int_equal(rmdir(other), 0);
    free(ours);
    free(other);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    leave_scratch(scratch);
}

static void test_orderly_end(void **state) {
    (void)state;
    char scratch[64];
    enter_scratch(scratch);
    char run_id[32];
    make_run_id(run_id, "order");
    ng_loop_free(ng_loop_new(NULL)); // what libuv opens once stays open
    size_t fds = count_fds();
    struct ng_guard *guard = ng_guard_new(run_id, NULL);
    assert_non_null(guard);
    pid_t pid = guard_of(getpid());
    struct ng_loop *loop = ng_loop_new(NULL);
    assert_non_null(loop);

    struct watched watched = {0};
    const char *daemon[] = {"sh", "-c",
        "setsid sh -c ': >up; exec sleep 300' </dev/null >/dev/null 2>&1 &"
        "while ! [ -e up ]; do sleep 0.01; done",
        NULL};
    struct ng_child_spec spec = spec_of(&watched, daemon);
    char marker[64];
    snprintf(marker, sizeof marker, "%s.1", run_id);
    spec.marker = marker;
    run_spec(&watched, loop, &spec);
    assert_int_equal(watched.end.how, NG_CHILD_EXITED);
    assert_int_equal(count_marked(run_id, true), 1); // it held no output: nobody looked for it
    watched_release(&watched);
    ng_loop_free(loop);
    ng_guard_release(guard);
    assert_int_equal(count_marked(run_id, true), 0);
    assert_true(gone(&pid));
    assert_int_equal(waitpid(pid, NULL, WNOHANG), -1); // it was reaped
    assert_int_equal(count_fds(), fds);
    ng_guard_release(NULL);
    leave_scratch(scratch);
}

/** The runs 7 and 77 are two runs. */
static void test_other_runs_are_left_alone(void **state) {
    (void)state;
    char run_id[32];
    make_run_id(run_id, "7");
    struct ng_guard *guard = ng_guard_new(run_id, NULL);
    assert_non_null(guard);
    struct ng_loop *loop = ng_loop_new(NULL);
    assert_non_null(loop);
    struct watched watched = {0};
    const char *argv[] = {"sleep", "300", NULL};
    struct ng_child_spec spec = spec_of(&watched, argv);
    char marker[64];
    snprintf(marker, sizeof marker, "%s7.1", run_id);
    spec.marker = marker;
    start(&watched, loop, &spec);
    ng_guard_release(guard);
    assert_int_equal(count_marked(marker, false), 1);
    ng_child_stop(watched.child);
    ng_loop_run(loop, watched_done, &watched);
    assert_int_equal(watched.end.how, NG_CHILD_STOPPED);
    assert_int_equal(watched.end.status, -SIGINT);
    watched_release(&watched);
    ng_loop_free(loop);
}

static void test_guard_gone_first(void **state) {
    (void)state;
    struct ng_guard *guard = ng_guard_new("g-none", NULL);
    assert_non_null(guard);
    pid_t pid = guard_of(getpid());
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_true(within(SECONDS(5), gone, &pid));
    ng_guard_release(guard); // neither a SIGPIPE nor a wait without end
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kill_9),
        cmocka_unit_test(test_orderly_end),
        cmocka_unit_test(test_other_runs_are_left_alone),
        cmocka_unit_test(test_guard_gone_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
