// What the command that takes a lease is asked, and what is made of its words.
#include "tests/unit/transport/calls.h"

#include "runner/base/guard.h"
#include "runner/transport/lease.h"

static void requests(void **state) {
    (void)state;
    struct ng_strv argv = {0};
    struct ng_request request = {.host = "nas"};
    const struct ng_lease_holder holder = {
        .run = "run-1", .who = "ci@box", .job = "https://ci/1", .plan = "backup"};
    ng_lease_take(&holder, 600, &argv, &request);
    static const char *const expected[] = {
        "/bin/sh", "-s", "--", "take", "run-1", "600", "ci@box", "https://ci/1", "backup"};
    for (size_t i = 0; i < NG_COUNT(expected); i++) {
        assert_string_equal(request.argv[i], expected[i]);
    }
    assert_null(request.argv[NG_COUNT(expected)]);
    assert_true(request.ready_output);
    assert_true(request.stdin_len > 1000);
    ng_strv_release(&argv);
    request = (struct ng_request){.host = "nas"};
    ng_lease_look(&argv, &request);
    assert_string_equal(request.argv[3], "look");
    assert_false(request.ready_output);
    ng_strv_release(&argv);
}

static const struct {
    const char *text;
    enum ng_lease_said said;
    const char *who, *since, *job, *plan, *run, *why;
} cases[] = {
    {"", NG_LEASE_SAID_NOTHING, NULL, NULL, NULL, NULL, NULL, NULL},
    {"sh: something else\n", NG_LEASE_SAID_NOTHING, NULL, NULL, NULL, NULL, NULL, NULL},
    {"held=2026-11-30T12:00:00Z\n", NG_LEASE_SAID_HELD, NULL, "2026-11-30T12:00:00Z", NULL, NULL,
        NULL, NULL},
    {"held=now", NG_LEASE_SAID_HELD, NULL, "now", NULL, NULL, NULL, NULL},
    {"free=yes\n", NG_LEASE_SAID_FREE, NULL, NULL, NULL, NULL, NULL, NULL},
    {"busy=1.2.b.x.r\nwho=ci@box\nsince=t\njob=https://ci/1\nplan=p\nrun=r\n\n", NG_LEASE_SAID_BUSY,
        "ci@box", "t", "https://ci/1", "p", "r", NULL},
    {"leased=1.2.b.x.r\nwho=a\nwho=b\njob=\n", NG_LEASE_SAID_BUSY, "a", NULL, NULL, NULL, NULL,
        NULL},
    // The entry of another is its own affair: it cannot say that the lease is held, or failed.
    {"busy=x\nheld=now\nfailed=no\nfree=yes\nwho=x\n", NG_LEASE_SAID_BUSY, "x", NULL, NULL, NULL,
        NULL, NULL},
    {"who=x\nbusy=y\n", NG_LEASE_SAID_BUSY, NULL, NULL, NULL, NULL, NULL, NULL},
    {"failed=the folder is full\nwho=x\n", NG_LEASE_SAID_FAILED, NULL, NULL, NULL, NULL, NULL,
        "the folder is full"},
    {"busy=x\nwho=\033[31mred\033[0m\t\001\xff x\n", NG_LEASE_SAID_BUSY, "red \\x01\xef\xbf\xbd x",
        NULL, NULL, NULL, NULL, NULL},
};

static void same(const char *got, const char *expected) {
    if (!expected) {
        assert_null(got);
    } else {
        assert_non_null(got);
        assert_string_equal(got, expected);
    }
}

static void words(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct ng_arena arena;
        ng_arena_init(&arena);
        const struct ng_lease_words read =
            ng_lease_read(&arena, cases[i].text, strlen(cases[i].text));
        print_message("case %zu: %d %s\n", i, (int)read.said, read.who ? read.who : "");
        assert_int_equal(read.said, cases[i].said);
        same(read.who, cases[i].who);
        same(read.since, cases[i].since);
        same(read.job, cases[i].job);
        same(read.plan, cases[i].plan);
        same(read.run, cases[i].run);
        same(read.why, cases[i].why);
        ng_arena_release(&arena);
    }
}

enum { LONG = 100000 };

/** However much another writes into its entry, little of it is kept. */
static void bounds(void **state) {
    (void)state;
    static char text[LONG];
    struct ng_arena arena;
    ng_arena_init(&arena);
    memset(text, 'x', sizeof text);
    memcpy(text, "busy=1\nwho=", 11);
    struct ng_lease_words read = ng_lease_read(&arena, text, sizeof text);
    assert_true(strlen(read.who) <= 4 * NG_LEASE_WORD_MAX);
    memset(text, '\n', sizeof text);
    memcpy(text + sizeof text - 7, "busy=1\n", 7);
    read = ng_lease_read(&arena, text, sizeof text);
    assert_int_equal(read.said, NG_LEASE_SAID_NOTHING);
    ng_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests),
        cmocka_unit_test(words),
        cmocka_unit_test(bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
