// How a command ended, from how its connection did; what ssh says, and what to do about it.
#include "tests/unit/transport/calls.h"

#include "runner/base/arena.h"
#include "runner/base/guard.h"
#include "runner/transport/settle.h"
#include "runner/transport/ssh_words.h"

#define T "NG0123456789"

static const char *const prefix[] = {"docker", "exec", "nas", NULL};
static const struct ng_reach by_ssh = {.host = "nas", .target = "root@box"};
static const struct ng_reach by_prefix = {.host = "nas", .prefix = prefix};

static const struct {
    const char *name;
    const struct ng_reach *reach;
    enum ng_ended_how how; /* of the connection */
    int status;
    const char *out, *err;
    enum ng_ended_how expected;
    int expected_status;
    bool by_kill;
    const char *why; /* a part of it; "" for none at all */
} cases[] = {
    {"done", &by_ssh, NG_ENDED_EXITED, 0, T " S\nx\n" T " E 0 self\n", "", NG_ENDED_EXITED, 0,
        false, ""},
    {"failed", &by_ssh, NG_ENDED_EXITED, 9, T " S\n\n" T " E 9 self\n", "", NG_ENDED_EXITED, 9,
        false, ""},
    {"status 255 of its own", &by_ssh, NG_ENDED_EXITED, 255, T " S\n\n" T " E 255 self\n", "",
        NG_ENDED_EXITED, 255, false, ""},
    {"a signal", &by_ssh, NG_ENDED_EXITED, 139, T " S\n\n" T " E 139 self\n", "",
        NG_ENDED_SIGNALLED, 11, false, ""},
    {"polite deadline", &by_ssh, NG_ENDED_DEADLINE, 0, T " S\n\n" T " E 130 asked\n", "",
        NG_ENDED_DEADLINE, -2, false, ""},
    {"killed", &by_ssh, NG_ENDED_STOPPED, 0, T " S\n\n" T " E 137 asked-killed\n", "",
        NG_ENDED_STOPPED, -9, true, ""},
    {"ended by itself just before", &by_ssh, NG_ENDED_DEADLINE, 0, T " S\n\n" T " E 0 self\n", "",
        NG_ENDED_EXITED, 0, false, ""},
    {"the connection did not end", &by_ssh, NG_ENDED_STOPPED, -9, T " S\n\n" T " E 4 self\n", "",
        NG_ENDED_EXITED, 4, false, ""},
    {"no answer", &by_ssh, NG_ENDED_DEADLINE, -9, T " S\nx", "", NG_ENDED_DEADLINE, 0, false,
        "nas did not tell that it has ended"},
    {"silence", &by_ssh, NG_ENDED_EXITED, 130, T " S\n\n" T " E 130 silence\n", "", NG_ENDED_LOST,
        0, false, "heard nothing from here"},
    {"lost", &by_ssh, NG_ENDED_EXITED, 255, T " S\nx",
        "client_loop: send disconnect: Broken pipe\n", NG_ENDED_LOST, 0, false,
        "the connection to nas was lost: client_loop: send disconnect"},
    {"ssh killed", &by_ssh, NG_ENDED_SIGNALLED, 9, T " S\nx", T " S\n", NG_ENDED_LOST, 0, false,
        "the connection to nas was lost"},
    {"refused login", &by_ssh, NG_ENDED_EXITED, 255, "",
        "root@box: Permission denied (publickey).\n", NG_ENDED_NOT_STARTED, 0, false,
        "root@box refuses the login"},
    {"unknown words", &by_ssh, NG_ENDED_EXITED, 255, "", "a\nsomething new\n\n",
        NG_ENDED_NOT_STARTED, 0, false, "something new"},
    {"no words", &by_ssh, NG_ENDED_EXITED, 255, "", "", NG_ENDED_NOT_STARTED, 0, false,
        "ssh gave no reason"},
    {"another shell", &by_ssh, NG_ENDED_EXITED, 2, "", "exec: Command not found.\n",
        NG_ENDED_NOT_STARTED, 0, false,
        "the login shell of nas did not run /bin/sh (it ended with 2)"},
    {"no input", &by_prefix, NG_ENDED_EXITED, 1, "", "", NG_ENDED_NOT_STARTED, 0, false,
        "docker exec -i"},
    {"no such command", &by_prefix, NG_ENDED_EXITED, 127, T " N command\n", "",
        NG_ENDED_NOT_STARTED, 0, false, "fio: command not found on nas"},
    {"no folder", &by_prefix, NG_ENDED_EXITED, 127, T " N folder\n", "", NG_ENDED_NOT_STARTED, 0,
        false, "no folder for temporary files"},
    {"no ssh here", &by_ssh, NG_ENDED_NOT_STARTED, 0, "", "", NG_ENDED_NOT_STARTED, 0, false,
        "nas cannot be reached: why not"},
    {"late before it started", &by_ssh, NG_ENDED_DEADLINE, -9, "Welcome", "", NG_ENDED_NOT_STARTED,
        0, false, "did not start the command in time: Welcome"},
    {"stopped before it started", &by_ssh, NG_ENDED_STOPPED, -2, "", "", NG_ENDED_STOPPED, 0, false,
        "nas had not started it yet"},
};

static void ends(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct ng_marks marks;
        ng_marks_init(&marks, T, 1000);
        ng_marks_feed(&marks, cases[i].out, strlen(cases[i].out));
        struct ng_reply reply = {.how = cases[i].how,
            .status = cases[i].status,
            .by_kill = cases[i].status == -9,
            .out = ng_xstrdup(""),
            .err = ng_xstrdup(cases[i].err),
            .err_len = strlen(cases[i].err),
            .user_ns = 5,
            .max_rss = 5};
        if (cases[i].how == NG_ENDED_NOT_STARTED) {
            snprintf(reply.why, sizeof reply.why, "why not");
        }
        ng_settle(cases[i].reach, "fio", &marks, &reply);
        print_message("%s: %s\n", cases[i].name, reply.why);
        assert_int_equal(reply.how, cases[i].expected);
        assert_int_equal(reply.status, cases[i].expected_status);
        assert_int_equal(reply.by_kill, cases[i].by_kill);
        assert_int_equal(reply.user_ns, 0);
        assert_int_equal(reply.max_rss, 0);
        assert_non_null(strstr(reply.why, cases[i].why));
        assert_null(strstr(reply.why, T)); // marks are for nobody to read
        assert_true(cases[i].why[0] != '\0' || reply.why[0] == '\0');
        ng_reply_release(&reply);
        ng_marks_release(&marks);
    }
}

/** What shells and ssh say around a command is not what it said. */
static void errors_of_its_own(void **state) {
    (void)state;
    static const char said[] = "Warning: Permanently added 'box'\n" T " S\nown words\n\n" T
                               " E 0 self\nShared connection closed.\n";
    struct ng_marks marks;
    ng_marks_init(&marks, T, 1000);
    ng_marks_feed(&marks, T " S\nout\n\n" T " E 0 self\n", strlen(T) * 2 + 19);
    struct ng_reply reply = {.err = ng_xstrdup(said), .err_len = sizeof said - 1};
    ng_settle(&by_ssh, "fio", &marks, &reply);
    assert_string_equal(reply.err, "own words\n");
    assert_int_equal(reply.err_len, 10);
    assert_string_equal(reply.out, "out\n");
    ng_reply_release(&reply);
    ng_marks_release(&marks);
}

static void words_of_ssh(void **state) {
    (void)state;
    static const struct {
        const char *said, *words;
        bool known;
    } rows[] = {
        {"ssh: Could not resolve hostname nas: Name or service not known\r\n",
            "the name in root@box cannot be resolved", true},
        {"ssh: connect to host box port 22: Connection refused\n", "nothing accepts connections at",
            true},
        {"ssh: connect to host box port 22: Connection timed out\n", "root@box does not answer",
            true},
        {"ssh: connect to host box port 22: No route to host\n", "there is no route to root@box",
            true},
        {"@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.\n",
            "has changed", true},
        {"Host key verification failed.\n", "is not known", true},
        {"command-line: line 0: Bad configuration option: nonsense\n", "does not know an option",
            true},
        {"mux_client_hello: \033[31mnew trouble\n", "mux_client_hello: new trouble", false},
        {"", "", false},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        char words[NG_SSH_WORDS];
        assert_int_equal(
            ng_ssh_words("root@box", rows[i].said, strlen(rows[i].said), words), rows[i].known);
        print_message("%s\n", words);
        assert_non_null(strstr(words, rows[i].words));
    }
    char words[NG_SSH_WORDS];
    char target[300];
    memset(target, 'x', sizeof target - 1);
    target[sizeof target - 1] = '\0';
    assert_true(ng_ssh_words(target, "Permission denied (a)", 21, words));
    assert_true(strlen(words) < NG_SSH_WORDS);
    assert_non_null(strstr(words, "no password is ever asked for"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends), cmocka_unit_test(errors_of_its_own),
        cmocka_unit_test(words_of_ssh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
