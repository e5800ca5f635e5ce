// The local link: environment, private folders, all ways to end.
#include "tests/unit/transport/calls.h"

#include <signal.h>
#include <sys/stat.h>

#include "runner/base/guard.h"

struct fixture {
    struct ng_loop *loop;
    struct ng_transport *local;
    char run[32];
    char *tmp; /* TMPDIR of this test: what is left there was not removed */
};

static int setup(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    unsetenv("TMPDIR");
    assert_true(ng_dir_create_temp("ng-test", &fixture->tmp, NULL));
    setenv("TMPDIR", fixture->tmp, 1);
    fixture->loop = ng_loop_new(NULL);
    assert_non_null(fixture->loop);
    fixture->local = ng_local_new(fixture->loop, unique_run(fixture->run), NULL);
    assert_non_null(fixture->local);
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    struct fixture *fixture = *state;
    ng_transport_free(fixture->local);
    ng_loop_free(fixture->loop);
    bool empty = false;
    assert_true(ng_dir_is_empty(fixture->tmp, &empty, NULL));
    assert_true(empty);
    assert_true(ng_dir_remove(fixture->tmp, NULL));
    free(fixture->tmp);
    free(fixture);
    return 0;
}

static void test_words(void **state) {
    (void)state;
    static const char *const words[] = {
        [NG_ENDED_EXITED] = "exited",
        [NG_ENDED_SIGNALLED] = "signalled",
        [NG_ENDED_DEADLINE] = "deadline",
        [NG_ENDED_STOPPED] = "stopped",
        [NG_ENDED_NOT_STARTED] = "not started",
        [NG_ENDED_STUCK] = "stuck",
    };
    for (size_t i = 0; i < NG_COUNT(words); i++) {
        assert_string_equal(ng_ended_word((enum ng_ended_how)i), words[i]);
    }
}

static void test_environment(void **state) {
    struct fixture *fixture = *state;
    setenv("HOME", "/nowhere/home", 1);
    setenv("PATH", "/usr/bin:/bin:/usr/sbin", 1);
    setenv("NG_TEST_INHERITED", "1", 1);
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    setenv("USER", "me", 1);
    unsetenv("LOGNAME");
    unsetenv("SSH_AUTH_SOCK");
    char run[32];
    struct ng_transport *local = ng_local_new(fixture->loop, unique_run(run), NULL);
    assert_non_null(local);
    struct waited waited = {0};
    run_sh(&waited, fixture->loop, local, "env | grep -v ^PWD= | sort; pwd; echo $TMPDIR");
    assert_int_equal(waited.reply.how, NG_ENDED_EXITED);
    char *folder = strrchr(waited.reply.out, '\n');
    *folder = '\0';
    folder = strrchr(waited.reply.out, '\n') + 1;
    char expected[1024];
    snprintf(expected, sizeof expected,
        "HOME=/nowhere/home\nLANG=C\nLC_ALL=C\nNASGATE_CHILD=%s.1\n"
        "PATH=/usr/bin:/bin:/usr/sbin:/usr/local/sbin:/usr/local/bin:/"
        "sbin\nTMPDIR=%s\nTZ=UTC\nUSER=me\n%s\n%s",
        run, folder, folder, folder);
    assert_string_equal(waited.reply.out, expected);
    assert_int_equal(strncmp(folder, fixture->tmp, strlen(fixture->tmp)), 0);
    folder = strdup(folder);
    waited_release(&waited);
    ng_transport_free(local);
    assert_int_equal(access(folder, F_OK), -1);
    free(folder);
}

static void test_folders_are_private(void **state) {
    struct fixture *fixture = *state;
    struct waited waited = {0};
    for (int i = 0; i < 2; i++) {
        run_sh(&waited, fixture->loop, fixture->local,
            "ls -A; stat -c %a ..; mkdir -p a/b; : >a/b/c; ln -s /etc link");
        assert_string_equal(waited.reply.out, "700\n"); // empty each time
        assert_string_equal(waited.reply.err, "");
        waited_release(&waited);
    }
}

/** A folder that was left empty may serve the next, but never two at the same time. */
static void test_folders_at_the_same_time(void **state) {
    struct fixture *fixture = *state;
    struct waited waited[2] = {{0}};
    run_sh(&waited[0], fixture->loop, fixture->local, "true");
    waited_release(&waited[0]);
    const char *argv[] = {"sh", "-c", "pwd; ls -A; : >x; sleep 0.1", NULL};
    struct ng_request request = request_of(argv);
    submit(&waited[0], fixture->local, &request);
    submit(&waited[1], fixture->local, &request);
    ng_loop_run(fixture->loop, waited_done, &waited[0]);
    ng_loop_run(fixture->loop, waited_done, &waited[1]);
    assert_string_not_equal(waited[0].reply.out, waited[1].reply.out);
    for (int i = 0; i < 2; i++) {
        char *newline = strchr(waited[i].reply.out, '\n');
        assert_string_equal(newline, "\n"); // the folder's name, and nothing in it
        *newline = '\0';
        assert_int_equal(access(waited[i].reply.out, F_OK), -1);
        waited_release(&waited[i]);
    }
}

static void test_reply(void **state) {
    struct fixture *fixture = *state;
    struct waited waited = {0};
    run_sh(&waited, fixture->loop, fixture->local, "sleep 0.1; printf o; printf e >&2; exit 5");
    assert_true(waited.ready);
    assert_int_equal(waited.reply.how, NG_ENDED_EXITED);
    assert_int_equal(waited.reply.status, 5);
    assert_string_equal(waited.reply.out, "o");
    assert_string_equal(waited.reply.err, "e");
    assert_int_equal(waited.reply.id, 0);
    assert_true(waited.reply.start_ns > 0);
    assert_true(waited.reply.ready_ns >= waited.reply.start_ns);
    assert_true(waited.reply.end_ns - waited.reply.start_ns >= 100 * NG_NS_PER_MS);
    assert_true(waited.reply.end_ns - waited.reply.start_ns < 30 * NG_NS_PER_S);
    assert_true(waited.reply.max_rss > 0);
    waited_release(&waited);
    run_sh(&waited, fixture->loop, fixture->local, "kill -9 $$");
    assert_int_equal(waited.reply.how, NG_ENDED_SIGNALLED);
    assert_int_equal(waited.reply.status, SIGKILL);
    waited_release(&waited);
}

static void test_not_started(void **state) {
    struct fixture *fixture = *state;
    const char *argv[] = {"ng-no-such-program", NULL};
    struct ng_request request = request_of(argv);
    struct waited waited = {0};
    struct ng_call *call = submit(&waited, fixture->local, &request);
    ng_transport_stop(fixture->local, call);
    ng_loop_run(fixture->loop, waited_done, &waited);
    assert_int_equal(waited.reply.how, NG_ENDED_NOT_STARTED);
    assert_string_equal(waited.reply.why, "ng-no-such-program: not found in PATH");
    assert_false(waited.ready);
    waited_release(&waited);
}

static void test_caps_and_deadline(void **state) {
    struct fixture *fixture = *state;
    const char *argv[] = {"head", "-c", "3000000", "/dev/zero", NULL};
    struct ng_request request = request_of(argv);
    request.out_cap = 7;
    struct waited waited = {0};
    submit(&waited, fixture->local, &request);
    ng_loop_run(fixture->loop, waited_done, &waited);
    assert_int_equal(waited.reply.out_len, 7);
    assert_int_equal(waited.reply.out_cut, 3000000 - 7);
    waited_release(&waited);

    const char *noisy[] = {"sh", "-c", "head -c 2000000 /dev/zero >&2; exec sleep 300", NULL};
    request = request_of(noisy);
    request.deadline_ns = 500 * NG_NS_PER_MS;
    submit(&waited, fixture->local, &request);
    ng_loop_run(fixture->loop, waited_done, &waited);
    assert_int_equal(waited.reply.how, NG_ENDED_DEADLINE);
    assert_int_equal(waited.reply.status, -SIGINT);
    assert_int_equal(waited.reply.err_len, NG_ERR_CAP);
    assert_int_equal(waited.reply.err_cut, 2000000 - NG_ERR_CAP);
    waited_release(&waited);
}

struct stopper {
    struct waited waited;
    struct ng_transport *transport;
    struct ng_call *call;
};

static void stop_when_ready(void *context) {
    struct stopper *stopper = context;
    waited_ready(&stopper->waited);
    ng_transport_stop(stopper->transport, stopper->call);
    ng_transport_stop(stopper->transport, stopper->call);
}

static void stopped(void *context, struct ng_reply *reply) {
    waited_ended(&((struct stopper *)context)->waited, reply);
}

static void test_stop(void **state) {
    struct fixture *fixture = *state;
    const char *argv[] = {"sleep", "300", NULL};
    struct ng_request request = request_of(argv);
    request.stdin_data = "";
    request.grace_ns = 300 * NG_NS_PER_S;
    struct stopper stopper = {.transport = fixture->local};
    struct ng_call_events events = {
        .ready = stop_when_ready, .ended = stopped, .context = &stopper};
    stopper.call = ng_transport_submit(fixture->local, &request, &events);
    stopper.waited.submitted = true;
    ng_loop_run(fixture->loop, waited_done, &stopper.waited);
    assert_int_equal(stopper.waited.reply.how, NG_ENDED_STOPPED);
    ng_reply_release(&stopper.waited.reply);
}

/** What is left when the link goes is ended first, and told. */
static void test_free_ends_calls(void **state) {
    struct fixture *fixture = *state;
    const char *argv[] = {"sh", "-c", "trap '' INT; sleep 300; sleep 300", NULL};
    const char *none[] = {"ng-no-such-program", NULL};
    struct ng_request request = request_of(argv);
    struct ng_request missing = request_of(none);
    struct waited waited[3] = {{0}};
    submit(&waited[0], fixture->local, &request);
    submit(&waited[1], fixture->local, &missing);
    submit(&waited[2], fixture->local, &request);
    ng_transport_free(fixture->local);
    fixture->local = NULL;
    assert_int_equal(waited[0].reply.how, NG_ENDED_STOPPED);
    assert_int_equal(waited[1].reply.how, NG_ENDED_NOT_STARTED);
    assert_int_equal(waited[2].reply.how, NG_ENDED_STOPPED);
    for (int i = 0; i < 3; i++) {
        assert_true(waited[i].ended);
        waited_release(&waited[i]);
    }
}

/** The scratch folder was taken away: a reason, later, and no crash. */
static void test_no_folder(void **state) {
    struct fixture *fixture = *state;
    assert_true(ng_dir_remove(fixture->tmp, NULL));
    const char *argv[] = {"true", NULL};
    struct ng_request request = request_of(argv);
    struct waited waited = {0};
    struct ng_call *call = submit(&waited, fixture->local, &request);
    ng_transport_stop(fixture->local, call);
    ng_loop_run(fixture->loop, waited_done, &waited);
    assert_int_equal(waited.reply.how, NG_ENDED_NOT_STARTED);
    assert_non_null(strstr(waited.reply.why, fixture->tmp));
    assert_string_equal(waited.reply.out, "");
    waited_release(&waited);

    struct ng_err err = {0};
    assert_null(ng_local_new(fixture->loop, "x", &err));
    assert_int_equal(err.kind, NG_ERR_FILE);
    assert_int_equal(mkdir(fixture->tmp, 0700), 0);
    ng_transport_free(NULL);
}

#define WITH_LINK(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        WITH_LINK(test_environment),
        WITH_LINK(test_folders_are_private),
        WITH_LINK(test_folders_at_the_same_time),
        WITH_LINK(test_reply),
        WITH_LINK(test_not_started),
        WITH_LINK(test_caps_and_deadline),
        WITH_LINK(test_stop),
        WITH_LINK(test_free_ends_calls),
        WITH_LINK(test_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
