// The record link: what it writes, what it passes on, and what happens when it cannot write.
#include "tests/unit/transport/calls.h"

#include <jansson.h>
#include <sys/stat.h>

#include "runner/base/digest.h"
#include "runner/transport/evidence.h"
#include "runner/transport/record.h"

#define SEED UINT64_C(18446744073709551615)

enum { LINES_MAX = 64 };

struct fixture {
    struct ng_loop *loop;
    struct ng_transport *record;
    char *dir;
    json_t *lines[LINES_MAX];
    size_t count;
};

static char *path_in(const char *dir, const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static int setup(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    assert_true(ng_dir_create_temp("ng-test", &fixture->dir, NULL));
    fixture->loop = ng_loop_new(NULL);
    assert_non_null(fixture->loop);
    char run[32];
    struct ng_transport *local = ng_local_new(fixture->loop, unique_run(run), NULL);
    assert_non_null(local);
    const struct ng_clock *clock = ng_loop_clock(fixture->loop);
    const struct ng_evidence_head head = {.run_id = "run-1",
        .seed = SEED,
        .started_wall_ns = ng_clock_wall(clock) - NG_NS_PER_S,
        .version = NG_VERSION,
        .plan_file = "plan.yaml"};
    fixture->record =
        ng_record_new(local, fixture->dir, &head, clock, ng_clock_mono(clock) - NG_NS_PER_S, NULL);
    assert_non_null(fixture->record);
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    struct fixture *fixture = *state;
    ng_transport_free(fixture->record);
    ng_loop_free(fixture->loop);
    for (size_t i = 0; i < fixture->count; i++) {
        json_decref(fixture->lines[i]);
    }
    assert_true(ng_dir_remove(fixture->dir, NULL));
    free(fixture->dir);
    free(fixture);
    return 0;
}

/** Reads the index as it is at this moment, which is also what a kill -9 would leave. */
static void read_index(struct fixture *fixture) {
    FILE *file = fopen(path_in(fixture->dir, "index.jsonl"), "r");
    assert_non_null(file);
    static char line[65536];
    while (fgets(line, sizeof line, file)) {
        assert_true(fixture->count < LINES_MAX);
        assert_non_null(strchr(line, '\n'));
        json_t *value = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(value);
        fixture->lines[fixture->count++] = value;
    }
    fclose(file);
}

static const char *text_at(const struct fixture *fixture, size_t line, const char *key) {
    assert_true(line < fixture->count);
    const char *text = json_string_value(json_object_get(fixture->lines[line], key));
    assert_non_null(text);
    return text;
}

static int64_t int_at(const struct fixture *fixture, size_t line, const char *key) {
    assert_true(line < fixture->count);
    const json_t *value = json_object_get(fixture->lines[line], key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static void check_object(const struct fixture *fixture, const char *digest, const char *content) {
    char name[128];
    char own[NG_DIGEST_TEXT];
    snprintf(name, sizeof name, "objects/%s", digest);
    char *data = NULL;
    size_t len = 0;
    assert_true(ng_file_read(path_in(fixture->dir, name), 1 << 20, &data, &len, NULL));
    assert_string_equal(data, content);
    assert_string_equal(ng_digest(data, len, own), digest);
    free(data);
}

static void test_one_command(void **state) {
    struct fixture *fixture = *state;
    const char *argv[] = {"sh", "-c", "cat; printf err >&2; exit 3", NULL};
    struct ng_request request = request_of(argv);
    request.stdin_data = "input";
    request.stdin_len = 5;
    request.out_cap = 4;
    struct waited waited = {0};
    submit(&waited, fixture->record, &request);
    ng_loop_run(fixture->loop, waited_done, &waited);
    read_index(fixture);
    assert_int_equal(fixture->count, 4);

    assert_string_equal(text_at(fixture, 0, "format"), "nasgate-evidence");
    assert_int_equal(int_at(fixture, 0, "version"), 1);
    assert_string_equal(text_at(fixture, 0, "run"), "run-1");
    assert_string_equal(text_at(fixture, 0, "seed"), "18446744073709551615");
    struct ng_clock clock = ng_clock_real();
    int64_t age = ng_clock_wall(&clock) - int_at(fixture, 0, "started");
    assert_true(age >= NG_NS_PER_S && age < 60 * NG_NS_PER_S);

    assert_string_equal(text_at(fixture, 1, "event"), "start");
    assert_string_equal(text_at(fixture, 1, "host"), "here");
    assert_string_equal(text_at(fixture, 1, "purpose"), "a test");
    assert_int_equal(int_at(fixture, 1, "deadline_ns"), 60 * NG_NS_PER_S);
    assert_int_equal(int_at(fixture, 1, "port"), 0);
    const json_t *words = json_object_get(fixture->lines[1], "argv");
    assert_int_equal(json_array_size(words), 3);
    assert_string_equal(json_string_value(json_array_get(words, 2)), argv[2]);
    check_object(fixture, text_at(fixture, 1, "stdin"), "input");

    assert_string_equal(text_at(fixture, 2, "event"), "ready");
    assert_string_equal(text_at(fixture, 3, "event"), "end");
    for (size_t i = 1; i < 4; i++) {
        assert_int_equal(int_at(fixture, i, "id"), 1);
    }
    assert_string_equal(text_at(fixture, 3, "how"), "exited");
    assert_int_equal(int_at(fixture, 3, "status"), 3);
    check_object(fixture, text_at(fixture, 3, "out"), "inpu");
    check_object(fixture, text_at(fixture, 3, "err"), "err");
    assert_int_equal(int_at(fixture, 3, "out_len"), 4);
    assert_int_equal(int_at(fixture, 3, "out_cut"), 1);
    assert_int_equal(int_at(fixture, 3, "err_len"), 3);
    assert_int_equal(int_at(fixture, 3, "err_cut"), 0);

    // What is written is what is told: the law of replay.
    assert_int_equal(waited.reply.id, 1);
    assert_int_equal(waited.reply.start_ns, int_at(fixture, 1, "at"));
    assert_int_equal(waited.reply.ready_ns, int_at(fixture, 2, "at"));
    assert_int_equal(waited.reply.end_ns, int_at(fixture, 3, "at"));
    assert_true(waited.reply.start_ns >= NG_NS_PER_S);
    assert_int_equal(
        int_at(fixture, 3, "duration_ns"), waited.reply.end_ns - waited.reply.start_ns);
    assert_int_equal(int_at(fixture, 3, "user_ns"), waited.reply.user_ns);
    assert_string_equal(waited.reply.out, "inpu");
    struct ng_err err = {0};
    assert_false(ng_record_failed(fixture->record, &err));
    assert_int_equal(err.kind, NG_ERR_NONE);
    waited_release(&waited);
}

static void test_not_started(void **state) {
    struct fixture *fixture = *state;
    const char *argv[] = {"ng-no-such-program", "\xff\xfe", NULL};
    struct ng_request request = request_of(argv);
    request.purpose = NULL;
    struct waited waited = {0};
    submit(&waited, fixture->record, &request);
    ng_loop_run(fixture->loop, waited_done, &waited);
    read_index(fixture);
    assert_int_equal(fixture->count, 3); // never ready
    assert_true(json_is_null(json_object_get(fixture->lines[1], "stdin")));
    const json_t *words = json_object_get(fixture->lines[1], "argv");
    assert_string_equal(json_string_value(json_array_get(words, 1)), "\xef\xbf\xbd\xef\xbf\xbd");
    assert_string_equal(text_at(fixture, 2, "how"), "not started");
    assert_string_equal(text_at(fixture, 2, "why"), "ng-no-such-program: not found in PATH");
    assert_int_equal(waited.reply.ready_ns, 0);
    waited_release(&waited);
}

/** The key names the request, not its outcome, and counts equal ones. */
static void test_keys(void **state) {
    (void)state;
    struct ng_evidence evidence = {.index = -1, .occurrences = json_object()};
    static const char *const a[] = {"x", "y", NULL};
    static const char *const b[] = {"x", "y", "", NULL};
    static const char *const c[] = {"xy", NULL};
    struct ng_request requests[] = {
        {.host = "h", .argv = a},
        {.host = "h", .argv = a, .stdin_data = "", .stdin_len = 0},
        {.host = "h", .argv = a, .stdin_data = "s", .stdin_len = 1},
        {.host = "g", .argv = a},
        {.host = "h", .argv = b},
        {.host = "h", .argv = c},
    };
    char keys[6][NG_EVIDENCE_KEY];
    for (size_t i = 0; i < 6; i++) {
        ng_evidence_key(&evidence, &requests[i], keys[i]);
        assert_string_equal(strchr(keys[i], '#'), "#1");
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(keys[i], keys[j]);
        }
    }
    char again[NG_EVIDENCE_KEY];
    requests[0].purpose = "other";
    requests[0].deadline_ns = 5;
    ng_evidence_key(&evidence, &requests[0], again);
    assert_memory_equal(again, keys[0], NG_DIGEST_TEXT - 1);
    assert_string_equal(strchr(again, '#'), "#2");
    // printf 'h\0002\000x\000y\000-' | sha256sum
    static const char text[] = "h\0002\0x\0y\0-";
    char digest[NG_DIGEST_TEXT];
    ng_digest(text, sizeof text - 1, digest);
    assert_memory_equal(again, digest, NG_DIGEST_TEXT - 1);
    json_decref(evidence.occurrences);
}

static void test_stop_and_free(void **state) {
    struct fixture *fixture = *state;
    const char *argv[] = {"sleep", "300", NULL};
    struct ng_request request = request_of(argv);
    struct waited first = {0};
    struct waited second = {0};
    struct ng_call *call = submit(&first, fixture->record, &request);
    submit(&second, fixture->record, &request);
    ng_transport_stop(fixture->record, call);
    ng_loop_run(fixture->loop, waited_done, &first);
    ng_transport_free(fixture->record); // ends the second, which is evidence too
    fixture->record = NULL;
    assert_true(second.ended);
    read_index(fixture);
    size_t stops = 0;
    size_t ends = 0;
    for (size_t i = 1; i < fixture->count; i++) {
        const char *event = text_at(fixture, i, "event");
        stops += strcmp(event, "stop") == 0 ? 1 : 0;
        if (strcmp(event, "end") == 0) {
            ends++;
            assert_string_equal(text_at(fixture, i, "how"), "stopped");
        }
    }
    assert_int_equal(stops, 1);
    assert_int_equal(ends, 2);
    assert_int_equal(second.reply.id, 2);
    waited_release(&first);
    waited_release(&second);
}

/** Equal outputs are one file, which is not written again. */
static void test_objects_once(void **state) {
    struct fixture *fixture = *state;
    struct waited waited = {0};
    struct stat before;
    struct stat after;
    char name[128];
    char digest[NG_DIGEST_TEXT];
    snprintf(name, sizeof name, "objects/%s", ng_digest("same", 4, digest));
    run_sh(&waited, fixture->loop, fixture->record, "printf same");
    waited_release(&waited);
    assert_int_equal(stat(path_in(fixture->dir, name), &before), 0);
    run_sh(&waited, fixture->loop, fixture->record, "printf same; printf same >&2");
    waited_release(&waited);
    assert_int_equal(stat(path_in(fixture->dir, name), &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_false(ng_record_failed(fixture->record, NULL));
}

static void test_write_failure_is_kept(void **state) {
    struct fixture *fixture = *state;
    assert_true(ng_dir_remove(path_in(fixture->dir, "objects"), NULL));
    struct waited waited = {0};
    run_sh(&waited, fixture->loop, fixture->record, "printf lost");
    assert_int_equal(waited.reply.how, NG_ENDED_EXITED); // the run itself goes on
    assert_string_equal(waited.reply.out, "lost");
    waited_release(&waited);
    struct ng_err err = {0};
    assert_true(ng_record_failed(fixture->record, &err));
    assert_int_equal(err.kind, NG_ERR_FILE);
    assert_non_null(strstr(err.text, "cannot write objects/"));
    assert_true(ng_record_failed(fixture->record, NULL));
}

static void test_folder_must_be_empty(void **state) {
    struct fixture *fixture = *state;
    const struct ng_clock *clock = ng_loop_clock(fixture->loop);
    const char *const folders[] = {fixture->dir, "/nowhere/evidence"};
    for (size_t i = 0; i < NG_COUNT(folders); i++) {
        struct ng_err err = {0};
        struct ng_transport *local = ng_local_new(fixture->loop, "run-2", NULL);
        const struct ng_evidence_head head = {.run_id = "run-2", .seed = 1};
        assert_null(ng_record_new(local, folders[i], &head, clock, 0, &err));
        assert_int_equal(err.kind, NG_ERR_FILE);
        assert_non_null(strstr(err.text, folders[i]));
    }
}

#define WITH_LINKS(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_LINKS(test_one_command),
        WITH_LINKS(test_not_started),
        cmocka_unit_test(test_keys),
        WITH_LINKS(test_stop_and_free),
        WITH_LINKS(test_objects_once),
        WITH_LINKS(test_write_failure_is_kept),
        WITH_LINKS(test_folder_must_be_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
