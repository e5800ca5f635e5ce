// The replay link: which recorded command answers a request.
#include "tests/unit/transport/calls.h"

#include <jansson.h>

#include "runner/transport/evidence.h"
#include "runner/transport/head.h"
#include "runner/transport/replay.h"

struct fixture {
    char *dir;
    struct ng_evidence evidence;
    int count;
    struct ng_tape *tape;
    struct ng_loop *loop;
    struct ng_transport *replay;
};

static int setup(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    assert_true(ng_dir_create_temp("ng-test", &fixture->dir, NULL));
    assert_true(ng_evidence_open(&fixture->evidence, fixture->dir, NULL));
    const struct ng_evidence_head head = {.run_id = "run-1", .version = "1", .plan_file = "p.yaml"};
    ng_evidence_line(&fixture->evidence, ng_head_write(&head));
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    struct fixture *fixture = *state;
    ng_transport_free(fixture->replay);
    ng_loop_free(fixture->loop);
    ng_tape_free(fixture->tape);
    assert_true(ng_dir_remove(fixture->dir, NULL));
    free(fixture->dir);
    free(fixture);
    return 0;
}

static struct ng_request reading(const char *const *argv, const char *purpose) {
    struct ng_request request = request_of(argv);
    request.purpose = purpose;
    return request;
}

static const char *const cat[] = {"cat", "counter", NULL};
static const char *const ls[] = {"ls", NULL};

/** A command that ended with this status. */
static void record(
    struct fixture *fixture, const char *const *argv, const char *purpose, int status) {
    char key[NG_EVIDENCE_KEY];
    const struct ng_request request = reading(argv, purpose);
    json_t *words = json_array();
    for (size_t i = 0; argv[i]; i++) {
        json_array_append_new(words, json_string(argv[i]));
    }
    fixture->count++;
    ng_evidence_line(&fixture->evidence,
        json_pack("{s:s, s:i, s:i, s:s, s:s, s:o, s:s}", "event", "start", "id", fixture->count,
            "at", fixture->count * 10, "host", request.host, "purpose", purpose, "argv", words,
            "key", ng_evidence_key(&fixture->evidence, &request, key)));
    ng_evidence_line(&fixture->evidence,
        json_pack("{s:s, s:i, s:i, s:s, s:i}", "event", "end", "id", fixture->count, "at",
            fixture->count * 10 + 5, "how", "exited", "status", status));
}

static void play(struct fixture *fixture) {
    ng_evidence_close(&fixture->evidence);
    fixture->tape = ng_tape_read(fixture->dir, NULL);
    assert_non_null(fixture->tape);
    fixture->loop = ng_loop_new_by_hand(0, 0);
    fixture->replay = ng_replay_new(fixture->tape, fixture->loop);
}

/** The status of the answer; -1: the evidence has none. */
static int ask(struct fixture *fixture, const char *const *argv, const char *purpose) {
    struct waited waited = {0};
    const struct ng_request request = reading(argv, purpose);
    submit(&waited, fixture->replay, &request);
    ng_loop_run(fixture->loop, waited_done, &waited);
    const int status = waited.reply.how == NG_ENDED_EXITED ? waited.reply.status : -1;
    ng_reply_release(&waited.reply);
    return status;
}

static void record_three(struct fixture *fixture) {
    record(fixture, cat, "hook of phase a", 1);
    record(fixture, cat, "hook of phase b", 2);
    record(fixture, cat, "hook of phase c", 3);
    record(fixture, cat, "hook of phase c", 4);
    play(fixture);
}

static void test_the_same_plan(void **state) {
    record_three(*state);
    assert_int_equal(ask(*state, cat, "hook of phase a"), 1);
    assert_int_equal(ask(*state, cat, "hook of phase b"), 2);
    assert_int_equal(ask(*state, cat, "hook of phase c"), 3);
    assert_int_equal(ask(*state, cat, "hook of phase c"), 4);
}

static void test_what_is_left_out_keeps_its_answers(void **state) {
    const struct fixture *fixture = *state;
    record_three(*state);
    assert_int_equal(ask(*state, cat, "hook of phase a"), 1);
    assert_int_equal(ask(*state, cat, "hook of phase c"), 3);
    assert_int_equal(ask(*state, cat, "hook of phase c"), 4);
    assert_null(ng_replay_unknown(fixture->replay, NULL));
    assert_int_equal(ask(*state, cat, "hook of phase c"), -1); /* that of b is not given away */
    assert_non_null(strstr(ng_replay_unknown(fixture->replay, NULL), "not that many runs of: cat"));
}

static void test_another_command_for_a_known_purpose(void **state) {
    struct fixture *fixture = *state;
    record(fixture, cat, "hook of phase a", 1);
    record(fixture, ls, "hook of phase b", 2);
    play(fixture);
    assert_int_equal(ask(fixture, ls, "hook of phase a"), -1);
    assert_int_equal(ask(fixture, ls, "hook of phase b"), 2);
}

static void test_purposes_that_the_evidence_does_not_know(void **state) {
    record_three(*state); /* such as those of an older version: the order alone */
    assert_int_equal(ask(*state, cat, "x"), 1);
    assert_int_equal(ask(*state, cat, "hook of phase b"), 2);
    assert_int_equal(ask(*state, cat, "y"), 3);
    assert_int_equal(ask(*state, cat, "y"), 4);
    assert_int_equal(ask(*state, cat, "y"), -1);
}

static void test_keys_for_a_purpose(void **state) {
    (void)state;
    json_t *counts = json_object();
    char one[NG_EVIDENCE_KEY];
    char two[NG_EVIDENCE_KEY];
    ng_evidence_key_for(counts, "aa#1", "p", one);
    ng_evidence_key_for(counts, "aa#7", "p", two);
    assert_int_equal(strcspn(one, "#"), NG_DIGEST_TEXT - 1);
    assert_memory_equal(one, two, NG_DIGEST_TEXT - 1);
    assert_string_equal(strchr(one, '#'), "#1");
    assert_string_equal(strchr(two, '#'), "#2");
    ng_evidence_key_for(counts, "aa#1", "q", two);
    assert_string_not_equal(one, two);
    ng_evidence_key_for(counts, "aap", "", two);
    assert_string_not_equal(one, two);
    json_decref(counts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_same_plan, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_left_out_keeps_its_answers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_another_command_for_a_known_purpose, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_purposes_that_the_evidence_does_not_know, setup, teardown),
        cmocka_unit_test(test_keys_for_a_purpose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
