// A child from start to report: outputs, inputs, environment, and failures to start.
#include "tests/unit/process/children.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

static void test_exit_status(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    run_sh(&watched, fixture->loop, "printf out; printf error >&2; exit 7");
    assert_int_equal(watched.end.how, NG_CHILD_EXITED);
    assert_int_equal(watched.end.status, 7);
    assert_true(watched.ready);
    assert_string_equal(watched.end.out, "out");
    assert_int_equal(watched.end.out_len, 3);
    assert_string_equal(watched.end.err, "error");
    assert_int_equal(watched.end.err_len, 5);
    assert_int_equal(watched.end.leftovers, 0);
    assert_string_equal(watched.end.why, "");
    watched_release(&watched);
}

static void test_signalled(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    run_sh(&watched, fixture->loop, "kill -KILL $$");
    assert_int_equal(watched.end.how, NG_CHILD_SIGNALLED);
    assert_int_equal(watched.end.status, SIGKILL);
    assert_false(watched.end.by_kill);
    watched_release(&watched);
    // We ignore SIGPIPE; a child must not.
    run_sh(&watched, fixture->loop, "kill -PIPE $$; sleep 300");
    assert_int_equal(watched.end.how, NG_CHILD_SIGNALLED);
    assert_int_equal(watched.end.status, SIGPIPE);
    watched_release(&watched);
}

static void touch(const char *path, mode_t mode) {
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
    assert_true(fd >= 0);
    close(fd);
}

static void test_not_started(void **state) {
    struct fixture *fixture = *state;
    touch("plain", 0644);
    touch("script", 0644);
    FILE *script = fopen("script", "w");
    assert_non_null(script);
    fputs("#!/nowhere/interpreter\n", script);
    fclose(script);
    assert_int_equal(chmod("script", 0755), 0);
    touch("ng-plain", 0644);
    char path[96];
    snprintf(path, sizeof path, "PATH=%s:/usr/bin", fixture->scratch);
    const char *env[] = {path, NULL};
    static const struct {
        const char *program, *cwd, *why;
    } cases[] = {
        {"ng-no-such-program", NULL, "ng-no-such-program: not found in PATH"},
        {"/nowhere/fio", NULL, "/nowhere/fio: No such file or directory"},
        {"./plain", NULL, "./plain: is there but not an executable file"},
        {"ng-plain", NULL, "ng-plain: is there but not an executable file"}, // in PATH
        {"./script", NULL, "./script: No such file or directory"},
        {"/tmp", NULL, "/tmp: is there but not an executable file"},
        {"true", "/nowhere", "the working folder /nowhere: No such file or directory"},
        {"./plain/x", NULL, "./plain/x: Not a directory"},
        {NULL, NULL, "there is no command"},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        const char *argv[] = {cases[i].program, NULL};
        struct watched watched = {0};
        struct ng_child_spec spec = spec_of(&watched, argv);
        spec.cwd = cases[i].cwd;
        spec.env = env;
        spec.stdin_data = "text";
        spec.stdin_len = 4;
        start(&watched, fixture->loop, &spec);
        ng_child_stop(watched.child); // has no effect, and does no harm
        ng_loop_run(fixture->loop, watched_done, &watched);
        assert_int_equal(watched.end.how, NG_CHILD_NOT_STARTED);
        assert_string_equal(watched.end.why, cases[i].why);
        assert_false(watched.ready);
        assert_string_equal(watched.end.out, "");
        assert_string_equal(watched.end.err, "");
        watched_release(&watched);
    }
}

static void test_environment(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(setenv("NG_TEST_INHERITED", "1", 1), 0);
    struct watched watched = {0};
    const char *argv[] = {"env", NULL};
    const char *env[] = {"PATH=/nowhere:/usr/bin:/bin", "B=two words", NULL};
    struct ng_child_spec spec = spec_of(&watched, argv);
    spec.env = env;
    run_spec(&watched, fixture->loop, &spec);
    char expected[256];
    snprintf(expected, sizeof expected,
        "PATH=/nowhere:/usr/bin:/bin\nB=two words\nNASGATE_CHILD=%s\n", watched.marker);
    assert_string_equal(watched.end.out, expected);
    watched_release(&watched);

    // The search is in the child's PATH, not in ours.
    env[0] = "PATH=/nowhere";
    spec = spec_of(&watched, argv);
    spec.env = env;
    run_spec(&watched, fixture->loop, &spec);
    assert_int_equal(watched.end.how, NG_CHILD_NOT_STARTED);
    watched_release(&watched);
}

static void test_surroundings(void **state) {
    struct fixture *fixture = *state;
    int inherited =
        open("/dev/null", O_RDONLY); // without close-on-exec, as a careless parent has it
    assert_true(inherited >= 0);
    struct ng_loop *loop = ng_loop_new(NULL);
    assert_non_null(loop);
    struct watched watched = {0};
    // Own session and group; the null device as input; pipes that /dev/stdout can be opened on.
    run_sh(&watched, loop,
        "read -r stat </proc/$$/stat; set -- $stat; [ $5 = $$ ] && [ $6 = $$ ] && echo session;"
        "readlink /proc/$$/fd/0; echo reopened >/dev/stdout; pwd");
    char expected[256];
    snprintf(expected, sizeof expected, "session\n/dev/null\nreopened\n%s\n", fixture->scratch);
    assert_string_equal(watched.end.out, expected);
    watched_release(&watched);

    const char *argv[] = {"ls", "/proc/self/fd", NULL};
    struct ng_child_spec spec = spec_of(&watched, argv);
    run_spec(&watched, loop, &spec);
    assert_string_equal(watched.end.out, "0\n1\n2\n3\n"); // 3 is the folder that ls reads
    watched_release(&watched);
    ng_loop_free(loop);
    close(inherited);
}

static void test_stdin(void **state) {
    struct fixture *fixture = *state;
    const size_t len = 5 * 1000 * 1000;
    char *data = malloc(len);
    assert_non_null(data);
    for (size_t i = 0; i < len; i++) {
        data[i] = (char)(i * 31 % 251);
    }
    struct watched watched = {0};
    const char *argv[] = {"cat", NULL};
    struct ng_child_spec spec = spec_of(&watched, argv);
    spec.stdin_data = data;
    spec.stdin_len = len;
    spec.out_cap = len;
    start(&watched, fixture->loop, &spec);
    char *expected = malloc(len);
    assert_non_null(expected);
    memcpy(expected, data, len);
    memset(data, 0, len); // it was copied
    free(data);
    ng_loop_run(fixture->loop, watched_done, &watched);
    assert_int_equal(watched.end.out_len, len);
    assert_int_equal(watched.end.out_cut, 0);
    assert_memory_equal(watched.end.out, expected, len);
    watched_release(&watched);

    // Who does not read is no error, and the rest of the input is dropped.
    const char *deaf[] = {"sh", "-c", "exec <&-; echo deaf", NULL};
    spec = spec_of(&watched, deaf);
    spec.stdin_data = expected;
    spec.stdin_len = len;
    run_spec(&watched, fixture->loop, &spec);
    assert_int_equal(watched.end.how, NG_CHILD_EXITED);
    assert_string_equal(watched.end.out, "deaf\n");
    watched_release(&watched);

    // No bytes at all are still an input of their own, at its end at once.
    spec = spec_of(&watched, argv);
    spec.stdin_data = "";
    run_spec(&watched, fixture->loop, &spec);
    assert_int_equal(watched.end.how, NG_CHILD_EXITED);
    assert_int_equal(watched.end.out_len, 0);
    watched_release(&watched);
    free(expected);
}

static void test_caps(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    const char *argv[] = {
        "sh", "-c", "head -c 20000000 /dev/zero; head -c 1001 /dev/zero >&2; echo end >&2", NULL};
    struct ng_child_spec spec = spec_of(&watched, argv);
    spec.out_cap = 1000;
    spec.err_cap = 1005;
    run_spec(&watched, fixture->loop, &spec);
    assert_int_equal(watched.end.how, NG_CHILD_EXITED);
    assert_int_equal(watched.end.status, 0);
    assert_int_equal(watched.end.out_len, 1000);
    assert_int_equal(watched.end.out_cut, 20000000 - 1000);
    assert_int_equal(watched.end.err_len, 1005);
    assert_int_equal(watched.end.err_cut, 0);
    assert_string_equal(watched.end.err + 1001, "end\n");
    watched_release(&watched);
}

static void test_usage(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    // The work is in a grandchild that the child waits for.
    run_sh(
        &watched, fixture->loop, "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; true");
    assert_int_equal(watched.end.status, 0);
    assert_true(watched.end.user_ns > MILLIS(5));
    assert_true(watched.end.user_ns < SECONDS(60));
    assert_true(watched.end.system_ns >= 0);
    assert_true(watched.end.max_rss > 100 * 1024);
    watched_release(&watched);
}

static void test_many_in_sequence(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    run_sh(&watched, fixture->loop, "true"); // whatever is opened once is open now
    watched_release(&watched);
    size_t before = count_fds();
    for (int i = 0; i < 1000; i++) {
        const char *argv[] = {i % 10 == 0 ? "ng-no-such-program" : "true", NULL};
        struct ng_child_spec spec = spec_of(&watched, argv);
        spec.stdin_data = i % 3 == 0 ? "x" : NULL;
        spec.stdin_len = 1;
        run_spec(&watched, fixture->loop, &spec);
        assert_int_equal(watched.end.how, i % 10 == 0 ? NG_CHILD_NOT_STARTED : NG_CHILD_EXITED);
        watched_release(&watched);
    }
    run_sh(&watched, fixture->loop, "true"); // lets the last handles close
    watched_release(&watched);
    assert_int_equal(count_fds(), before);
}

static bool all_ended(void *context) {
    const struct watched *all = context;
    for (int i = 0; i < 30; i++) {
        if (!all[i].ended) {
            return false;
        }
    }
    return true;
}

static void test_many_at_once(void **state) {
    struct fixture *fixture = *state;
    struct watched all[30] = {{0}};
    for (int i = 0; i < 30; i++) {
        char script[64];
        snprintf(script, sizeof script, "cat; exit %d", i);
        const char *argv[] = {"sh", "-c", script, NULL};
        struct ng_child_spec spec = spec_of(&all[i], argv);
        spec.stdin_data = "hello";
        spec.stdin_len = 5;
        start(&all[i], fixture->loop, &spec);
    }
    ng_loop_run(fixture->loop, all_ended, all);
    for (int i = 0; i < 30; i++) {
        assert_int_equal(all[i].end.how, NG_CHILD_EXITED);
        assert_int_equal(all[i].end.status, i);
        assert_string_equal(all[i].end.out, "hello");
        watched_release(&all[i]);
    }
}

#define WITH_LOOP(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_LOOP(test_exit_status),
        WITH_LOOP(test_signalled),
        WITH_LOOP(test_not_started),
        WITH_LOOP(test_environment),
        WITH_LOOP(test_surroundings),
        WITH_LOOP(test_stdin),
        WITH_LOOP(test_caps),
        WITH_LOOP(test_usage),
        WITH_LOOP(test_many_in_sequence),
        WITH_LOOP(test_many_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
