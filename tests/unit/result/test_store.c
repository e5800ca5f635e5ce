/* test_store.c - results as JSON and back: bytes, keys, numbers, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/files.h"
#include "runner/base/guard.h"
#include "runner/result/shape.h"
#include "runner/result/store.h"
#include "runner/result/unit_text.h"

static const struct ng_metric_def bw = {"bw", {1, -1}, NG_SPELLING_PLAIN, NG_BETTER_HIGHER, "", ""};

static struct ng_result *sample(void) {
    struct ng_result *result = ng_result_new();
    struct ng_arena *arena = &result->arena;
    result->run_id = "run";
    result->plan_name = "plan";
    result->seed = UINT64_MAX;
    result->started_wall_ns = INT64_C(1796038200123456789);
    ng_result_warn(result, "a \"quoted\" \\ warning\twith\nlines \xff and \xe2\x82\xac");
    ng_records_add(arena, &result->params, "size", "%d GiB", 30);
    ng_result_add_host(result)->name = "a";
    struct ng_condition_result *condition = ng_result_add_condition(result);
    condition->id = condition->kind = "idle";
    ng_records_add(arena, &condition->looked_at, "load", "0.1");
    struct ng_phase_result *phase = ng_result_add_phase(result);
    phase->name = "p";
    phase->engine = "fio";
    struct ng_repeat *repeat = ng_phase_add_repeat(arena, phase);
    const double values[] = {0.1, 1e22, 5e-324, DBL_MAX, 0.0, -1.0 / 3, 123456789012345680, 7};
    for (size_t i = 0; i < NG_COUNT(values); i++) {
        ng_repeat_measure(arena, repeat, &bw, values[i]);
    }
    ng_repeat_find(arena, repeat, NG_FINDING_WARNING, "rule", "%s", "text");
    ng_repeat_add_evidence(arena, repeat, 0);
    ng_repeat_add_evidence(arena, repeat, UINT32_MAX);
    ng_phase_add_judged(arena, phase)->text = "bw > 1 MB/s";
    return result;
}

static char *text_of(const struct ng_result *result) {
    struct ng_buf text;
    ng_buf_init(&text, NG_RESULT_BYTES_MAX);
    ng_result_write(result, &text);
    return ng_buf_detach(&text);
}

static struct ng_result *reread(const char *text) {
    struct ng_err err = {0};
    struct ng_result *result = ng_result_read(text, strlen(text), &err);
    if (result == NULL) {
        fail_msg("%s", err.text);
    }
    return result;
}

static void test_round_trip(void **state) {
    (void)state;
    struct ng_result *first = sample();
    char *text = text_of(first);
    struct ng_result *second = reread(text);
    char *again = text_of(second);
    assert_string_equal(text, again);
    assert_true(second->seed == UINT64_MAX);
    assert_true(second->started_wall_ns == first->started_wall_ns);
    const struct ng_repeat *a = &first->phases[0].repeats[0];
    const struct ng_repeat *b = &second->phases[0].repeats[0];
    assert_int_equal(b->measure_count, a->measure_count);
    for (size_t i = 0; i < a->measure_count; i++) {
        assert_memory_equal(&a->measures[i].value, &b->measures[i].value, sizeof(double));
        assert_true(ng_dim_equal(b->measures[i].dim, NG_DIM_RATE));
    }
    assert_true(b->evidence[1] == UINT32_MAX);
    assert_true(isnan(second->phases[0].judged[0].left));
    assert_string_equal(
        second->warnings[0], "a \"quoted\" \\ warning\twith\nlines \xef\xbf\xbd and \xe2\x82\xac");
    assert_null(second->baseline);
    free(text);
    free(again);
    ng_result_free(first);
    ng_result_free(second);
}

/** A file read back can be added to: arrays know their capacity. */
static void test_grow_after_reading(void **state) {
    (void)state;
    struct ng_result *first = sample();
    char *text = text_of(first);
    struct ng_result *second = reread(text);
    ng_result_warn(second, "more");
    ng_result_add_phase(second)->name = "q";
    assert_int_equal(second->warning_count, 2);
    assert_string_equal(second->phases[0].name, "p");
    assert_non_null(ng_result_phase(second, "q"));
    assert_null(ng_result_phase(second, "r"));
    free(text);
    ng_result_free(first);
    ng_result_free(second);
}

/** What is saved before the end says so itself. */
static void test_unfinished(void **state) {
    (void)state;
    struct ng_result *result = ng_result_new();
    char *text = text_of(result);
    assert_non_null(strstr(text, "\"complete\": false"));
    assert_non_null(strstr(text, "\"exit_code\": 5"));
    assert_non_null(strstr(text, "\"ended\": null"));
    assert_non_null(strstr(text, "cut short"));
    free(text);
    ng_result_free(result);
}

static void check_shape(const struct ng_shape *shape, const json_t *schema, const json_t *root);

static const json_t *schema_of_items(const json_t *property, const json_t *root) {
    const char *ref =
        json_string_value(json_object_get(json_object_get(property, "items"), "$ref"));
    assert_non_null(ref);
    const char prefix[] = "#/definitions/";
    assert_int_equal(strncmp(ref, prefix, strlen(prefix)), 0);
    return json_object_get(json_object_get(root, "definitions"), ref + strlen(prefix));
}

/** Rows are sorted, and the schema has exactly them. */
static void check_shape(const struct ng_shape *shape, const json_t *schema, const json_t *root) {
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *required = json_object_get(schema, "required");
    assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
    assert_int_equal(json_object_size(properties), shape->count);
    assert_int_equal(json_array_size(required), shape->count);
    for (size_t i = 0; i < shape->count; i++) {
        const struct ng_member *member = &shape->members[i];
        const json_t *property = json_object_get(properties, member->key);
        assert_true(i == 0 || strcmp(shape->members[i - 1].key, member->key) < 0);
        assert_non_null(property);
        assert_string_equal(json_string_value(json_array_get(required, i)), member->key);
        if (member->kind == NG_MEMBER_LIST) {
            check_shape(member->items, schema_of_items(property, root), root);
        } else if (member->kind == NG_MEMBER_WORD) {
            const json_t *words = json_object_get(property, "enum");
            size_t count = 0;
            for (; member->words[count] != NULL; count++) {
                assert_string_equal(
                    json_string_value(json_array_get(words, count)), member->words[count]);
            }
            assert_int_equal(json_array_size(words), count);
        } else if (member->optional) {
            const json_t *type = json_object_get(property, "type");
            assert_string_equal(json_string_value(json_array_get(type, 1)), "null");
        }
    }
}

static void test_schema(void **state) {
    (void)state;
    json_error_t err;
    json_t *root = json_load_file(NG_SOURCE_DIR "/reports/schemas/result.schema.json", 0, &err);
    assert_non_null(root);
    check_shape(&ng_shape_result, root, root);
    json_decref(root);
}

struct damage {
    const char *find, *replace; /* the first occurrence */
    const char *message;
};

static const struct damage damages[] = {
    {"\"nasgate-result\"", "\"other\"", "this is no result of nasgate"},
    {"\"version\": 1", "\"version\": 2", "version 2, this nasgate reads version 1"},
    {"\"run_id\": \"run\",", "", "the key \"run_id\" is missing"},
    {"\"run_id\"", "\"x\": 1, \"run_id\"", "unknown key \"x\""},
    {"\"run_id\"", "\"run_id\": \"a\", \"run_id\"", "duplicate object key"},
    {"\"run_id\": \"run\"", "\"run_id\": null", "run_id: expected a text, found null"},
    {"\"attempts\": 0", "\"attempts\": -1",
        "phases: [0]: repeats: [0]: attempts: expected 0 .. 2147483647, found -1"},
    {"\"attempts\": 0", "\"attempts\": 2147483648", "found 2147483648"},
    {"\"attempts\": 0", "\"attempts\": 1.0", "expected a whole number, found a number"},
    {"\"line\": null", "\"line\": 0", "expected null where there is none, found 0"},
    {"4294967295", "4294967296", "evidence: [1]: expected a whole number from 0"},
    {"\"not judged\"", "\"green\"",
        "verdict: expected a word such as \"not judged\", found \"green\""},
    {"\"byte/s\"", "\"MB/s\"", "unit: expected a unit such as \"byte/s\""},
    {"\"18446744073709551615\"", "\"18446744073709551616\"", "seed: expected a decimal number"},
    {"\"18446744073709551615\"", "18446744073709551", "seed: expected a decimal number"},
    {"\"18446744073709551615\"", "\"007\"", "seed: expected a decimal number"},
    {"\"complete\": false", "\"complete\": 0", "complete: expected true or false, found a whole"},
    {"\"warnings\": [", "\"warnings\": [7, ",
        "warnings: [0]: expected a text, found a whole number"},
    {"\"value\": 0.1", "\"value\": \"0.1\"", "value: expected a number or null, found a text"},
    {"\"hosts\": [", "\"hosts\": [[], ", "hosts: [0]: expected an object, found a list"},
    {"\"hosts\": [", "\"hosts\": {", "line"},
    {"{", "[", "line"},
};

static void test_damage(void **state) {
    (void)state;
    struct ng_result *result = sample();
    char *text = text_of(result);
    for (size_t i = 0; i < NG_COUNT(damages); i++) {
        const char *at = strstr(text, damages[i].find);
        assert_non_null(at);
        struct ng_buf damaged;
        ng_buf_init(&damaged, NG_RESULT_BYTES_MAX);
        ng_buf_add(&damaged, text, (size_t)(at - text));
        ng_buf_adds(&damaged, damages[i].replace);
        ng_buf_adds(&damaged, at + strlen(damages[i].find));
        struct ng_err err = {0};
        assert_null(ng_result_read(damaged.data, damaged.len, &err));
        assert_int_equal(err.kind, NG_ERR_FORMAT);
        if (strstr(err.text, damages[i].message) == NULL) {
            fail_msg("damage %zu: %s", i, err.text);
        }
        ng_buf_release(&damaged);
    }
    free(text);
    ng_result_free(result);
}

/** No prefix of a result is a result. */
static void test_truncated(void **state) {
    (void)state;
    struct ng_result *result = sample();
    char *text = text_of(result);
    for (size_t len = 0; len + 1 < strlen(text); len++) {
        assert_null(ng_result_read(text, len, NULL));
    }
    free(text);
    ng_result_free(result);
}

static void test_files(void **state) {
    (void)state;
    struct ng_err err = {0};
    char *dir = NULL;
    char path[512];
    assert_true(ng_dir_create_temp("nasgate-test-store", &dir, &err));
    struct ng_result *result = sample();
    assert_true(ng_result_save(result, dir, &err));
    assert_true(ng_result_save(result, dir, &err)); // again, over the old one
    snprintf(path, sizeof path, "%s/result.json", dir);
    struct ng_result *from_dir = ng_result_load(dir, &err);
    struct ng_result *from_file = ng_result_load(path, &err);
    assert_non_null(from_dir);
    assert_non_null(from_file);
    assert_string_equal(from_dir->run_id, "run");
    assert_true(ng_file_write_atomic(path, "{}", 2, &err));
    assert_null(ng_result_load(path, &err));
    assert_non_null(strstr(err.text, "result.json: this is no result of nasgate"));
    snprintf(path, sizeof path, "%s/missing", dir);
    assert_null(ng_result_load(path, &err));
    assert_int_equal(err.kind, NG_ERR_FILE);
    assert_false(ng_result_save(result, path, &err));
    assert_int_equal(err.kind, NG_ERR_FILE);
    assert_true(ng_dir_remove(dir, &err));
    free(dir);
    ng_result_free(from_dir);
    ng_result_free(from_file);
    ng_result_free(result);
}

static void test_units(void **state) {
    (void)state;
    const struct {
        struct ng_dim dim;
        const char *text;
    } rows[] = {
        {{0, 0}, "1"},
        {{1, 0}, "byte"},
        {{0, 1}, "s"},
        {{1, -1}, "byte/s"},
        {{0, -1}, "1/s"},
        {{-1, -1}, "1/byte/s"},
        {{2, 3}, "byte^2*s^3"},
        {{-2, 1}, "s/byte^2"},
        {{127, -128}, "byte^127/s^128"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        char text[NG_UNIT_TEXT];
        struct ng_dim dim = {9, 9};
        assert_string_equal(ng_unit_text(rows[i].dim, text), rows[i].text);
        assert_true(ng_unit_text_read(text, &dim));
        assert_true(ng_dim_equal(dim, rows[i].dim));
    }
    static const char *const wrong[] = {"", "2", "byte^1", "bytes", "s*byte", "byte/s/s", "1*byte",
        "byte^", "byte^0", "byte^128", "1/s^99999999999999999999", "byte/", "byte s", "byte^+2"};
    for (size_t i = 0; i < NG_COUNT(wrong); i++) {
        struct ng_dim dim;
        if (ng_unit_text_read(wrong[i], &dim)) {
            fail_msg("\"%s\" was taken", wrong[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_grow_after_reading),
        cmocka_unit_test(test_unfinished),
        cmocka_unit_test(test_schema),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
