// The watchdog and the link to other hosts, in every shell: reached by a prefix, on this machine.
#include "tests/unit/transport/calls.h"
#include "tests/unit/transport/shells.h"

#include <signal.h>
#include <sys/stat.h>

#include "runner/base/guard.h"
#include "runner/base/strv.h"
#include "runner/process/child.h"
#include "runner/transport/hosts.h"

enum { SHELLS = NG_COUNT(shells), PREFIX_WORDS = 5 };

struct fixture {
    struct ng_loop *loop;
    struct ng_transport *link;
    char run[32];
    char *tmp;
    char script[SHELLS][1024];
    const char *prefix[SHELLS][PREFIX_WORDS];
    struct ng_reach reach[SHELLS + 3];
    size_t shells, count;
};

static void add_shells(struct fixture *fixture) {
    for (size_t i = 0; i < SHELLS; i++) {
        if (!is_there(shells[i].need)) {
            continue;
        }
        const bool busybox = strncmp(shells[i].before, "ln ", 3) == 0;
        const char *const words[PREFIX_WORDS] = {
            i == SHELLS - 1 ? "bash" : "sh", "-c", fixture->script[i], "x", NULL};
        snprintf(fixture->script[i], sizeof fixture->script[i], "%s%sshift; exec %s \"$@\"",
            busybox           ? tools
            : i + 1 == SHELLS ? blind
                              : "",
            shells[i].before, shells[i].shell);
        memcpy(fixture->prefix[i], words, sizeof words);
        fixture->reach[fixture->count++] =
            (struct ng_reach){.host = shells[i].host, .prefix = fixture->prefix[i]};
    }
}

static int setup(void **state) {
    static const char *const nowhere[] = {"/no/such/program", NULL};
    static const char *const deaf[] = {"sh", "-c", "echo I am no shell >&2; exit 3", NULL};
    static const char *const noisy[] = {"sh", "-c",
        "printf 'Welcome!\\nNG no mark'; printf 'a banner\\n' >&2; exec \"$@\"", "x", NULL};
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    unsetenv("TMPDIR");
    assert_true(ng_dir_create_temp("ng-test", &fixture->tmp, NULL));
    setenv("TMPDIR", fixture->tmp, 1);
    fixture->loop = ng_loop_new(NULL);
    struct ng_transport *local = ng_local_new(fixture->loop, unique_run(fixture->run), NULL);
    assert_non_null(local);
    add_shells(fixture);
    fixture->shells = fixture->count;
    fixture->reach[fixture->count++] = (struct ng_reach){.host = "nowhere", .prefix = nowhere};
    fixture->reach[fixture->count++] = (struct ng_reach){.host = "deaf", .prefix = deaf};
    fixture->reach[fixture->count++] = (struct ng_reach){.host = "noisy", .prefix = noisy};
    fixture->link =
        ng_hosts_new(local, fixture->loop, fixture->run, fixture->reach, fixture->count, NULL);
    assert_non_null(fixture->link);
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    struct fixture *fixture = *state;
    ng_transport_free(fixture->link);
    ng_loop_free(fixture->loop);
    bool empty = false;
    assert_true(ng_dir_is_empty(fixture->tmp, &empty, NULL));
    assert_true(empty); // neither here nor by the watchdog
    assert_true(ng_dir_remove(fixture->tmp, NULL));
    free(fixture->tmp);
    free(fixture);
    return 0;
}

static void run_request(
    struct fixture *fixture, struct waited *waited, const struct ng_request *request) {
    submit(waited, fixture->link, request);
    ng_loop_run(fixture->loop, waited_done, waited);
    print_message("%s: %s %d %s%s\n", request->host, ng_ended_word(waited->reply.how),
        waited->reply.status, waited->reply.by_kill ? "killed " : "", waited->reply.why);
}

static struct ng_request request_to(const char *host, const char *const *argv) {
    struct ng_request request = request_of(argv);
    request.host = host;
    return request;
}

/** How many processes carry this run's mark. */
static size_t marked(const struct fixture *fixture) {
    char command[200];
    snprintf(command, sizeof command,
        "grep -l -F -e NASGATE_REMOTE=%s. /proc/[0-9]*/environ 2>/dev/null | wc -l", fixture->run);
    FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c) */
    assert_non_null(pipe);
    char line[40] = "";
    assert_non_null(fgets(line, sizeof line, pipe));
    pclose(pipe);
    return (size_t)strtoul(line, NULL, 10);
}

/** The same request to every shell at the same time, and the same expectation of all replies. */
struct everyone {
    struct fixture *fixture;
    struct waited waited[SHELLS];
    struct ng_call *calls[SHELLS];
};

static bool all_ended(void *context) {
    const struct everyone *everyone = context;
    for (size_t i = 0; i < everyone->fixture->shells; i++) {
        if (!everyone->waited[i].ended) {
            return false;
        }
    }
    return true;
}

static void ask_everyone(struct everyone *everyone, const struct ng_request *like) {
    struct ng_request request = *like;
    for (size_t i = 0; i < everyone->fixture->shells; i++) {
        request.host = everyone->fixture->reach[i].host;
        everyone->calls[i] = submit(&everyone->waited[i], everyone->fixture->link, &request);
    }
}

static void hear_everyone(struct everyone *everyone, void (*expect)(const struct ng_reply *)) {
    ng_loop_run(everyone->fixture->loop, all_ended, everyone);
    for (size_t i = 0; i < everyone->fixture->shells; i++) {
        const struct ng_reply *reply = &everyone->waited[i].reply;
        print_message("%s: %s %d%s %s\n", everyone->fixture->reach[i].host,
            ng_ended_word(reply->how), reply->status, reply->by_kill ? " killed" : "", reply->why);
        assert_int_equal(everyone->waited[i].ready, reply->how != NG_ENDED_NOT_STARTED);
        expect(reply);
        waited_release(&everyone->waited[i]);
    }
    assert_int_equal(marked(everyone->fixture), 0);
}

static void run_everywhere(struct fixture *fixture, const struct ng_request *like,
    void (*expect)(const struct ng_reply *)) {
    struct everyone everyone = {.fixture = fixture};
    ask_everyone(&everyone, like);
    hear_everyone(&everyone, expect);
}

static void expect_plain(const struct ng_reply *reply) {
    assert_int_equal(reply->how, NG_ENDED_EXITED);
    assert_int_equal(reply->status, 7);
    assert_string_equal(reply->out, "a\nb");
    assert_string_equal(reply->err, "err");
    assert_int_equal(reply->leftovers, 0);
}

static void outputs_and_status(void **state) {
    const char *argv[] = {"sh", "-c", "printf 'a\\nb'; printf err >&2; exit 7", NULL};
    const struct ng_request request = request_of(argv);
    run_everywhere(*state, &request, expect_plain);
}

static void expect_words(const struct ng_reply *reply) {
    assert_string_equal(reply->out,
        "<>< a  b ><it's><\"q\"><$(id) `id` $HOME><\\n!*?><two\nlines><-x><\xc3\xa4\xff>");
}

/** Words stay words, whatever stands in them. */
static void odd_words(void **state) {
    const char *argv[] = {"printf", "<%s>", "", " a  b ", "it's", "\"q\"", "$(id) `id` $HOME",
        "\\n!*?", "two\nlines", "-x", "\xc3\xa4\xff", NULL};
    const struct ng_request request = request_of(argv);
    run_everywhere(*state, &request, expect_words);
}

enum { MANY = 300000 };
static char many[MANY];

static void expect_many(const struct ng_reply *reply) {
    assert_int_equal(reply->out_len, MANY);
    assert_memory_equal(reply->out, many, MANY);
}

static void expect_script(const struct ng_reply *reply) {
    assert_string_equal(reply->out, "one\n");
    assert_int_equal(reply->status, 4);
}

static void expect_nothing(const struct ng_reply *reply) {
    assert_int_equal(reply->how, NG_ENDED_EXITED);
    assert_int_equal(reply->status, 0);
    assert_int_equal(reply->out_len, 0);
}

/** A script and any other bytes on standard input arrive whole, and there is an end to them. */
static void standard_input(void **state) {
    static const char script[] = "echo \"$1\"\nexit 4\n";
    const char *cat[] = {"cat", NULL};
    const char *sh[] = {"/bin/sh", "-s", "--", "one", NULL};
    for (size_t i = 0; i < MANY; i++) {
        many[i] = (char)(i * 7 + i / 251);
    }
    struct ng_request request = request_of(cat);
    run_everywhere(*state, &request, expect_nothing); // not what is behind it
    request.stdin_data = "";
    run_everywhere(*state, &request, expect_nothing);
    request.stdin_data = many;
    request.stdin_len = MANY;
    run_everywhere(*state, &request, expect_many);
    request = request_of(sh);
    request.stdin_data = script;
    request.stdin_len = sizeof script - 1;
    run_everywhere(*state, &request, expect_script);
}

static void expect_environment(const struct ng_reply *reply) {
    assert_string_equal(reply->out, "C C UTC\nhere\nsbin\nSigIgn:\t0000000000000000\n700\n700\n");
}

static void environment(void **state) {
    const char *argv[] = {"sh", "-c",
        "echo $LC_ALL $LANG $TZ; test \"$TMPDIR\" = \"$PWD\" && touch here && ls; case $PATH in "
        "*:/usr/sbin*) echo sbin ;; esac; grep SigIgn /proc/self/status; stat -c %a . ..",
        NULL};
    const struct ng_request request = request_of(argv);
    run_everywhere(*state, &request, expect_environment);
}

static void expect_missing(const struct ng_reply *reply) {
    assert_int_equal(reply->how, NG_ENDED_NOT_STARTED);
    assert_non_null(strstr(reply->why, "no-such-tool-here: command not found on "));
}

static void not_started(void **state) {
    struct fixture *fixture = *state;
    const char *missing[] = {"no-such-tool-here", "x", NULL};
    const char *argv[] = {"true", NULL};
    struct waited waited = {0};
    struct ng_request request = request_of(missing);
    run_everywhere(fixture, &request, expect_missing);
    request = request_to("nowhere", argv);
    run_request(fixture, &waited, &request);
    assert_int_equal(waited.reply.how, NG_ENDED_NOT_STARTED);
    assert_non_null(strstr(waited.reply.why, "nowhere cannot be reached: /no/such/program"));
    waited_release(&waited);
    request = request_to("deaf", argv);
    run_request(fixture, &waited, &request);
    assert_int_equal(waited.reply.how, NG_ENDED_NOT_STARTED);
    assert_non_null(strstr(waited.reply.why, "did not run /bin/sh (it ended with 3)"));
    assert_non_null(strstr(waited.reply.why, "I am no shell"));
    waited_release(&waited);
}

static void banners_are_ignored(void **state) {
    struct fixture *fixture = *state;
    const char *argv[] = {"sh", "-c", "echo own; echo own err >&2", NULL};
    struct waited waited = {0};
    const struct ng_request request = request_to("noisy", argv);
    run_request(fixture, &waited, &request);
    assert_string_equal(waited.reply.out, "own\n");
    assert_string_equal(waited.reply.err, "own err\n");
    waited_release(&waited);
}

static void expect_segv(const struct ng_reply *reply) {
    assert_int_equal(reply->how, NG_ENDED_SIGNALLED);
    assert_int_equal(reply->status, SIGSEGV);
}

static void signals_are_told(void **state) {
    const char *argv[] = {"sh", "-c", "kill -SEGV $$", NULL};
    const struct ng_request request = request_of(argv);
    run_everywhere(*state, &request, expect_segv);
}

enum { LARGE = 10485760, KEPT = 1000 };

static void expect_large(const struct ng_reply *reply) {
    assert_int_equal(reply->how, NG_ENDED_EXITED);
    assert_int_equal(reply->out_len, LARGE);
    assert_int_equal(reply->out_cut, 0);
}

static void expect_cut(const struct ng_reply *reply) {
    assert_int_equal(reply->how, NG_ENDED_EXITED);
    assert_int_equal(reply->out_len, KEPT);
    assert_int_equal(reply->out_cut, LARGE - KEPT);
}

static void expect_endless(const struct ng_reply *reply) {
    assert_int_equal(reply->how, NG_ENDED_DEADLINE);
    assert_int_equal(reply->status, -SIGINT);
    assert_int_equal(reply->out_len, KEPT);
}

/** Ten megabytes of any bytes, more than what is kept, and no end of them. */
static void large_outputs(void **state) {
    const char *argv[] = {"head", "-c", "10485760", "/dev/urandom", NULL};
    const char *endless[] = {"yes", NULL};
    struct ng_request request = request_of(argv);
    run_everywhere(*state, &request, expect_large);
    request.out_cap = KEPT;
    run_everywhere(*state, &request, expect_cut);
    request = request_of(endless);
    request.out_cap = KEPT;
    request.deadline_ns = NG_NS_PER_S;
    request.grace_ns = 20 * NG_NS_PER_S;
    run_everywhere(*state, &request, expect_endless);
}

static bool file_is_there(void *context) {
    return access(context, F_OK) == 0;
}

static void look_again(void *context) {
    (void)context;
}

/** Lets the loop turn until a command has made its file NAME.HOST. */
static void await_files(struct fixture *fixture) {
    for (size_t i = 0; i < fixture->shells; i++) {
        char file[200];
        snprintf(file, sizeof file, "%s/begun.%zu", fixture->tmp, i);
        struct ng_timer *look =
            ng_timer_start(fixture->loop, 0, 10 * NG_NS_PER_MS, look_again, NULL);
        ng_loop_run(fixture->loop, file_is_there, file);
        ng_timer_stop(look);
        assert_int_equal(unlink(file), 0);
    }
}

/** Runs a script everywhere, waits until each has made the file $0.I, and stops all so often. */
static void stop_everywhere(struct fixture *fixture, const char *script, int64_t grace_ns,
    int stops, void (*expect)(const struct ng_reply *)) {
    struct everyone everyone = {.fixture = fixture};
    for (size_t i = 0; i < fixture->shells; i++) {
        char file[200];
        snprintf(file, sizeof file, "%s/begun.%zu", fixture->tmp, i);
        const char *argv[] = {"sh", "-c", script, file, NULL};
        struct ng_request request = request_to(fixture->reach[i].host, argv);
        request.grace_ns = grace_ns;
        everyone.calls[i] = submit(&everyone.waited[i], fixture->link, &request);
    }
    await_files(fixture);
    for (size_t i = 0; i < fixture->shells; i++) {
        for (int j = 0; j < stops; j++) {
            ng_transport_stop(fixture->link, everyone.calls[i]);
        }
    }
    hear_everyone(&everyone, expect);
}

static void expect_salvaged(const struct ng_reply *reply) {
    assert_int_equal(reply->how, NG_ENDED_STOPPED);
    assert_int_equal(reply->status, 9);
    assert_string_equal(reply->out, "salvaged\n");
    assert_false(reply->by_kill);
}

/** SIGINT comes first, and what a command then says and does counts. */
static void polite_stop(void **state) {
    stop_everywhere(*state,
        "trap 'echo salvaged; exit 9' INT; touch $0; while :; do sleep 0.1; done", 20 * NG_NS_PER_S,
        1, expect_salvaged);
}

static void expect_killed(const struct ng_reply *reply) {
    assert_int_equal(reply->how, NG_ENDED_STOPPED);
    assert_int_equal(reply->status, -SIGKILL);
    assert_true(reply->by_kill);
}

/** Then SIGKILL, to all of it: children, other sessions, and what has lost its parent. */
static void stubborn_trees(void **state) {
    stop_everywhere(*state,
        "trap '' INT; setsid sh -c 'trap \"\" INT; (sleep 60 &); exec sleep 60' & "
        "(sleep 60 &); touch $0; while :; do sleep 60; done",
        NG_NS_PER_S, 1, expect_killed);
}

/** Who has no patience asks a second time. */
static void impatience(void **state) {
    struct fixture *fixture = *state;
    const int64_t began = ng_clock_mono(ng_loop_clock(fixture->loop));
    stop_everywhere(fixture, "trap '' INT; touch $0; while :; do sleep 60; done", 50 * NG_NS_PER_S,
        2, expect_killed);
    assert_true(ng_clock_mono(ng_loop_clock(fixture->loop)) - began < 40 * NG_NS_PER_S);
}

static void expect_interrupted(const struct ng_reply *reply) {
    assert_int_equal(reply->how, NG_ENDED_STOPPED);
    assert_int_equal(reply->status, -SIGINT);
    assert_false(reply->by_kill);
}

/** An order that comes before the command has started, behind its input, is not lost. */
static void early_stop(void **state) {
    struct everyone everyone = {.fixture = *state};
    const struct ng_clock *clock = ng_loop_clock(everyone.fixture->loop);
    const int64_t began = ng_clock_mono(clock);
    const char *argv[] = {"sh", "-c", "exec sleep 60", NULL};
    struct ng_request request = request_of(argv);
    request.stdin_data = "x\n";
    request.stdin_len = 2;
    request.grace_ns = 50 * NG_NS_PER_S;
    ask_everyone(&everyone, &request);
    for (size_t i = 0; i < everyone.fixture->shells; i++) {
        ng_transport_stop(everyone.fixture->link, everyone.calls[i]);
    }
    hear_everyone(&everyone, expect_interrupted);
    assert_true(ng_clock_mono(clock) - began < 40 * NG_NS_PER_S);
}

static void expect_one_left(const struct ng_reply *reply) {
    assert_int_equal(reply->how, NG_ENDED_EXITED);
    assert_string_equal(reply->out, "done\n");
    assert_int_equal(reply->leftovers, 1);
}

/** What a command leaves behind when it has ended is killed, even where it holds the outputs. */
static void leftovers(void **state) {
    const char *argv[] = {"sh", "-c", "setsid sleep 60 & echo done", NULL};
    const struct ng_request request = request_of(argv);
    run_everywhere(*state, &request, expect_one_left);
}

static void readiness(void **state) {
    struct fixture *fixture = *state;
    if (!is_there("python3")) {
        return;
    }
    char script[600];
    const unsigned port = 20000 + (unsigned)getpid() % 10000;
    snprintf(script, sizeof script,
        "import socket,time\nprint('early',flush=True)\ns=socket.socket()\ns.setsockopt(1,2,1)\n"
        "s.bind(('127.0.0.1',%u))\ns.listen()\ntime.sleep(1.5)\nprint('late')",
        port);
    const char *server[] = {"python3", "-c", script, NULL};
    for (size_t i = 0; i < fixture->shells; i++) {
        struct waited waited = {0};
        struct ng_request request = request_to(fixture->reach[i].host, server);
        request.listen_port = (uint16_t)port;
        run_request(fixture, &waited, &request);
        assert_int_equal(waited.reply.status, 0);
        assert_true(waited.ready);
        assert_string_equal(waited.reply.out, "early\nlate\n");
        waited_release(&waited);
    }
    const char *deaf[] = {"true", NULL};
    struct waited waited = {0};
    struct ng_request request = request_to(fixture->reach[0].host, deaf);
    request.listen_port = (uint16_t)port;
    run_request(fixture, &waited, &request);
    assert_int_equal(waited.reply.how, NG_ENDED_EXITED);
    assert_false(waited.ready);
    waited_release(&waited);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(outputs_and_status),
        TEST(odd_words),
        TEST(standard_input),
        TEST(environment),
        TEST(not_started),
        TEST(banners_are_ignored),
        TEST(signals_are_told),
        TEST(large_outputs),
        TEST(polite_stop),
        TEST(stubborn_trees),
        TEST(impatience),
        TEST(early_stop),
        TEST(leftovers),
        TEST(readiness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
