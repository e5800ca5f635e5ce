/* test_schema.c - the JSON Schema and the reference page hold what the tables hold. */
#include "tests/unit/language/vocabulary_fixture.h"

#include <stdio.h>

#include "plans/language/rules.h"
#include "plans/language/schema.h"
#include "plans/language/schema_parts.h"
#include "runner/base/files.h"
#include "runner/base/units.h"

static json_t *at(json_t *schema, const char *path) {
    char copy[256];
    snprintf(copy, sizeof copy, "%s", path);
    char *rest = NULL;
    for (char *key = strtok_r(copy, "/", &rest); key; key = strtok_r(NULL, "/", &rest)) {
        schema = json_is_array(schema) ? json_array_get(schema, strtoul(key, NULL, 10))
                                       : json_object_get(schema, key);
    }
    if (!schema) {
        fail_msg("nothing at %s", path);
    }
    return schema;
}

static const char *text_at(json_t *schema, const char *path) {
    return json_string_value(at(schema, path));
}

static void test_shape(void **state) {
    (void)state;
    json_t *schema = ng_schema_build(&fixture_vocabulary);
    assert_string_equal(text_at(schema, "$schema"), "http://json-schema.org/draft-07/schema#");
    assert_true(json_is_false(at(schema, "additionalProperties")));
    assert_string_equal(text_at(schema, "required/0"), "nasgate");
    assert_int_equal(json_array_size(at(schema, "required")), 4);
    assert_string_equal(text_at(schema, "properties/phases/items/$ref"), "#/definitions/phase");
    assert_int_equal(json_array_size(at(schema, "definitions/phase/oneOf")), 5);
    assert_string_equal(
        text_at(schema, "definitions/phase/properties/fio/$ref"), "#/definitions/engine-fio");
    json_t *fio = at(schema, "definitions/engine-fio");
    assert_string_equal(text_at(fio, "type"), "object");
    assert_int_equal(json_array_size(at(fio, "required")), 3);
    assert_string_equal(text_at(fio, "properties/rw/anyOf/0/enum/1"), "write");
    assert_true(json_is_true(at(fio, "properties/direct/anyOf/0/enum/1")));
    assert_string_equal(text_at(fio, "properties/direct/anyOf/0/enum/2"), "true");
    assert_int_equal(json_integer_value(at(fio, "properties/iodepth/anyOf/0/maximum")), 1024);
    assert_int_equal(json_integer_value(at(fio, "properties/iodepth/default")), 1);
    assert_true(json_is_true(at(fio, "properties/end_fsync/default")));
    assert_string_equal(text_at(fio, "properties/bs/default"), "4 KiB");
    assert_string_equal(text_at(fio, "properties/bs/markdownDescription"),
        "block size\n\nRange: 512 B .. 256 MiB. Default: `4 KiB`.");
    json_decref(schema);
}

static void test_short_forms(void **state) {
    (void)state;
    json_t *schema = ng_schema_build(&fixture_vocabulary);
    json_t *mounted = at(schema, "definitions/precondition-mounted");
    assert_string_equal(text_at(mounted, "oneOf/0/type"), "string");
    assert_string_equal(text_at(mounted, "oneOf/1/properties/unknown/default"), "stop");
    /* its other field is required: the short form would never be enough */
    assert_null(json_object_get(at(schema, "definitions/precondition-free_space"), "oneOf"));
    assert_string_equal(text_at(schema, "definitions/host/oneOf/0/anyOf/0/enum/0"), "local");
    assert_int_equal(
        json_integer_value(at(schema, "definitions/link/properties/ends/minItems")), 2);
    assert_string_equal(text_at(schema, "definitions/param/oneOf/2/type"), "null");
    json_decref(schema);
}

/* Every object is closed, every reference leads somewhere, every property says what it is. */
static void walk(json_t *node, json_t *root, const char *key) {
    const char *reference = json_string_value(json_object_get(node, "$ref"));
    if (reference) {
        assert_int_equal(json_object_size(node), 1); /* draft-07 ignores what stands beside it */
        assert_non_null(at(root, reference + 2));
    }
    json_t *properties = json_object_get(node, "properties");
    if (properties && json_object_get(node, "type")) {
        assert_true(json_is_false(json_object_get(node, "additionalProperties")));
        const char *name = NULL;
        json_t *property = NULL;
        json_object_foreach(properties, name, property) {
            if (!json_object_get(property, "$ref") && !json_object_get(property, "description")) {
                fail_msg("%s/%s has no description", key, name);
            }
        }
    }
    if (json_object_get(node, "pattern") && strcmp(key, "propertyNames") != 0 &&
        strcmp(key, "parameter") != 0) {
        assert_non_null(json_object_get(node, "patternErrorMessage"));
    }
    const char *name = NULL;
    json_t *child = NULL;
    size_t i = 0;
    json_object_foreach(node, name, child) {
        walk(child, root, name);
    }
    json_array_foreach(node, i, child) {
        walk(child, root, key);
    }
}

static void test_closed(void **state) {
    (void)state;
    json_t *schema = ng_schema_build(&fixture_vocabulary);
    walk(schema, schema, "");
    json_decref(schema);
    const struct ng_vocabulary nothing = {0};
    schema = ng_schema_build(&nothing);
    walk(schema, schema, "");
    assert_null(json_object_get(at(schema, "definitions/phase"), "oneOf"));
    json_decref(schema);
}

static void test_same_bytes(void **state) {
    (void)state;
    char *texts[2];
    for (int i = 0; i < 2; i++) {
        json_t *schema = ng_schema_build(&fixture_vocabulary);
        texts[i] = json_dumps(schema, JSON_INDENT(2));
        json_decref(schema);
    }
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

/* The patterns and the page name the units that the parser knows, each in its dimension. */
static void test_units(void **state) {
    (void)state;
    static const struct ng_dim dims[] = {{1, 0}, {1, -1}, {0, 1}, {0, -1}, {0, 0}};
    for (size_t i = 0; i < NG_COUNT(dims); i++) {
        const char *const *units = ng_schema_units(dims[i]);
        for (size_t u = 0; units[u]; u++) {
            double factor = 0;
            struct ng_dim dim;
            assert_true(ng_unit_find(units[u], strlen(units[u]), &factor, &dim, NULL));
            assert_true(ng_dim_equal(dim, dims[i]));
        }
    }
}

static void test_reference(void **state) {
    (void)state;
    struct ng_buf out;
    ng_buf_init(&out, 1 << 20);
    ng_reference_write(&fixture_vocabulary, &out);
    static const char *const parts[] = {
        "# The plan language\n",
        "| `nasgate` | whole number | 1 | required | format version of the plan |\n",
        "| `phases` | see below | | required | what is measured, in this order |\n",
        "\n### host\n\nA machine that commands run on.\n\nShort form: the value of `via` alone.\n",
        "| `ends` | list of maps: link end | 2 | required |",
        "\n#### mount\n",
        "\n### free_space\n",
        "| `unknown` | one of `stop`, `allow` |  | `stop` |",
        "| `bs` | size | 512 B .. 256 MiB | `4 KiB` | block size |\n",
        "past the page cache \\| or not",
        "| `write.bw` | rate | higher | bytes written per second | write.bw_bytes |\n",
        "| duration | `ns` `us` `ms` `s` `m` `min` `h` `d` |\n",
        "| `unknown-key` | ",
    };
    for (size_t i = 0; i < NG_COUNT(parts); i++) {
        if (!strstr(ng_buf_text(&out), parts[i])) {
            fail_msg("not on the page: %s", parts[i]);
        }
    }
    for (size_t i = 0; i < ng_rule_count; i++) {
        assert_non_null(strstr(ng_buf_text(&out), ng_rules[i].word));
    }
    assert_int_equal(out.cut, 0);
    ng_buf_release(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_short_forms),
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
