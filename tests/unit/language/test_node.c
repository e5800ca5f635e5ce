/* test_node.c - YAML becomes a located tree; scalars are what the YAML 1.2 core schema says. */
#include "tests/unit/language/vocabulary_fixture.h"

#include <stdio.h>

struct parsed {
    struct ng_arena arena;
    struct ng_diags diags;
    struct ng_node *root;
};

static void parse(struct parsed *parsed, const char *text) {
    *parsed = (struct parsed){0};
    ng_arena_init(&parsed->arena);
    parsed->diags.arena = &parsed->arena;
    parsed->root = ng_node_parse(&parsed->arena, "f", text, strlen(text), &parsed->diags);
}

static void release(struct parsed *parsed) {
    ng_arena_release(&parsed->arena);
}

static void assert_place(const struct ng_node *node, int line, int column, int text_column) {
    assert_int_equal(node->pos.line, line);
    assert_int_equal(node->pos.column, column);
    assert_int_equal(node->text_column, text_column);
}

static void test_places(void **state) {
    (void)state;
    struct parsed p;
    parse(&p, "a: plain\n"
              "\"b\": \"quoted\"\n"
              "c: [x, 'y y', {z: \"\\u00e4\"}]\n"
              "d: |\n"
              "  block\n"
              "ä: &n named\n"
              "e: *n\n"
              "f: two\n"
              "  lines\n"
              "g: &q 'it''s'\n");
    assert_int_equal(p.diags.errors, 0);
    assert_place(ng_node_get(p.root, "a"), 1, 4, 4);
    assert_place(ng_node_get(p.root, "b"), 2, 6, 7);
    assert_true(ng_node_get(p.root, "b")->quoted);
    const struct ng_node *c = ng_node_get(p.root, "c");
    assert_int_equal(c->count, 3);
    assert_place(c, 3, 4, 0);
    assert_place(c->items[0], 3, 5, 5);
    assert_place(c->items[1], 3, 8, 9);
    assert_place(ng_node_get(c->items[2], "z"), 3, 19, 0); /* an escape: not as it stands */
    assert_string_equal(ng_node_get(c->items[2], "z")->text, "ä");
    assert_place(ng_node_get(p.root, "d"), 4, 4, 0);
    assert_string_equal(ng_node_get(p.root, "d")->text, "block\n");
    assert_place(ng_node_get(p.root, "ä"), 6, 7, 7);
    assert_ptr_equal(ng_node_get(p.root, "e"), ng_node_get(p.root, "ä"));
    assert_place(ng_node_get(p.root, "f"), 8, 4, 0);
    assert_string_equal(ng_node_get(p.root, "f")->text, "two lines");
    assert_place(ng_node_get(p.root, "g"), 10, 4, 0);
    assert_place(p.root->keys[4], 6, 1, 1);
    release(&p);
}

static void test_place_in_text(void **state) {
    (void)state;
    struct parsed p;
    parse(&p, "- äö x\n- \"äö x\"\n- >\n  x\n");
    assert_int_equal(ng_node_place(p.root->items[0], 5).column, 6);
    assert_int_equal(ng_node_place(p.root->items[1], 5).column, 7);
    assert_int_equal(ng_node_place(p.root->items[2], 1).column, 3);
    release(&p);
}

static void test_lookup(void **state) {
    (void)state;
    struct parsed p;
    parse(&p, "a: 1\n");
    assert_null(ng_node_get(p.root, "b"));
    assert_null(ng_node_get(ng_node_get(p.root, "a"), "a"));
    assert_null(ng_node_get(NULL, "a"));
    release(&p);
}

static void test_core(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum ng_core core;
    } cases[] = {
        {"", NG_CORE_NULL},
        {"~", NG_CORE_NULL},
        {"null", NG_CORE_NULL},
        {"NULL", NG_CORE_NULL},
        {"nULL", NG_CORE_STRING},
        {"true", NG_CORE_BOOL},
        {"False", NG_CORE_BOOL},
        {"tRUE", NG_CORE_STRING},
        {"yes", NG_CORE_DISPUTED},
        {"No", NG_CORE_DISPUTED},
        {"ON", NG_CORE_DISPUTED},
        {"off", NG_CORE_DISPUTED},
        {"y", NG_CORE_DISPUTED},
        {"nope", NG_CORE_STRING},
        {"0", NG_CORE_INT},
        {"-7", NG_CORE_INT},
        {"+7", NG_CORE_INT},
        {"0x1F", NG_CORE_INT},
        {"0xg", NG_CORE_STRING},
        {"0x", NG_CORE_STRING},
        {"0644", NG_CORE_DISPUTED},
        {"00", NG_CORE_DISPUTED},
        {"-01", NG_CORE_DISPUTED},
        {"0o17", NG_CORE_DISPUTED},
        {"0b101", NG_CORE_DISPUTED},
        {"1_000", NG_CORE_DISPUTED},
        {"1_000.5", NG_CORE_DISPUTED},
        {"_1", NG_CORE_STRING},
        {"1:30", NG_CORE_DISPUTED},
        {"1:30:00.5", NG_CORE_DISPUTED},
        {"1:300", NG_CORE_STRING},
        {"a:30", NG_CORE_STRING},
        {"2026-11-30", NG_CORE_DISPUTED},
        {"2026-1-3", NG_CORE_DISPUTED},
        {"2026-11-30T10:00:00Z", NG_CORE_DISPUTED},
        {"2026-11-30x", NG_CORE_STRING},
        {"2026-11", NG_CORE_STRING},
        {"1.5", NG_CORE_FLOAT},
        {".5", NG_CORE_FLOAT},
        {"4.", NG_CORE_FLOAT},
        {"1e3", NG_CORE_FLOAT},
        {"1e", NG_CORE_STRING},
        {".", NG_CORE_STRING},
        {"-.inf", NG_CORE_FLOAT},
        {".NaN", NG_CORE_FLOAT},
        {".nAn", NG_CORE_STRING},
        {"30 GiB", NG_CORE_STRING},
        {"10.0.0.1", NG_CORE_STRING},
        {"1.2.3", NG_CORE_STRING},
        {"-", NG_CORE_STRING},
        {"+", NG_CORE_STRING},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct ng_node node = {.kind = NG_NODE_SCALAR, .text = cases[i].text};
        if (ng_node_core(&node) != cases[i].core) {
            print_error("%s: %d\n", cases[i].text, ng_node_core(&node));
        }
        assert_int_equal(ng_node_core(&node), cases[i].core);
        node.quoted = true;
        assert_int_equal(ng_node_core(&node), NG_CORE_STRING);
    }
}

static void test_describe(void **state) {
    (void)state;
    struct parsed p;
    parse(&p, "- a\n- 4\n- true\n-\n- [x]\n- []\n- {}\n- {a: b}\n- yes\n- \"4\"\n");
    static const char *const expected[] = {"the text \"a\"", "the number 4", "true", "nothing",
        "a list", "an empty list", "an empty map", "a map", "the text \"yes\"", "the text \"4\""};
    for (size_t i = 0; i < NG_COUNT(expected); i++) {
        assert_string_equal(ng_node_describe(&p.diags, p.root->items[i]), expected[i]);
    }
    release(&p);
}

/* After what can be left out, the rest of the tree is there to be checked. */
static void test_goes_on(void **state) {
    (void)state;
    struct parsed p;
    parse(&p, "a: 1\na: 2\n<<: {x: y}\nb: !t 3\n[c]: 4\nd: 5\n");
    assert_int_equal(p.diags.errors, 4);
    assert_int_equal(p.root->count, 3);
    assert_string_equal(ng_node_get(p.root, "a")->text, "1");
    assert_string_equal(ng_node_get(p.root, "d")->text, "5");
    release(&p);
}

static void test_yaml_directive(void **state) {
    (void)state;
    struct parsed p;
    parse(&p, "%YAML 1.2\n---\na: 1\n...\n# the end\n");
    assert_int_equal(p.diags.errors, 0);
    assert_string_equal(ng_node_get(p.root, "a")->text, "1");
    release(&p);
    parse(&p, "%YAML 3.0\n---\na: 1\n");
    assert_int_equal(p.diags.errors, 1);
    release(&p);
}

/* Large maps: duplicates are found, and finding them is no matter of minutes. */
static void test_many_keys(void **state) {
    (void)state;
    struct ng_buf text;
    ng_buf_init(&text, NG_PLAN_BYTES_MAX);
    for (int i = 0; i < 50000; i++) {
        ng_buf_addf(&text, "key%d: %d\n", i, i);
    }
    ng_buf_adds(&text, "key777: again\n");
    struct parsed p;
    parse(&p, ng_buf_text(&text));
    assert_int_equal(p.diags.errors, 1);
    assert_int_equal(p.diags.items[0].pos.line, 50001);
    assert_string_equal(p.diags.items[0].rule, "duplicate-key");
    assert_non_null(strstr(p.diags.items[0].text, "first at line 778"));
    assert_int_equal(p.root->count, 50000);
    release(&p);
    ng_buf_release(&text);
}

static void test_bounds(void **state) {
    (void)state;
    struct parsed p;
    char *text = ng_xmalloc(NG_PLAN_BYTES_MAX + 2);
    memset(text, '[', NG_PLAN_BYTES_MAX + 1);
    text[NG_PLAN_BYTES_MAX + 1] = '\0';
    parse(&p, text); /* one byte too many */
    assert_string_equal(p.diags.items[0].rule, "too-large");
    assert_int_equal(p.diags.items[0].pos.line, 0);
    release(&p);
    text[NG_PLAN_BYTES_MAX] = '\0';
    parse(&p, text);
    assert_string_equal(p.diags.items[0].rule, "too-deep");
    release(&p);
    for (int depth = NG_NODE_DEPTH_MAX; depth <= NG_NODE_DEPTH_MAX + 1; depth++) {
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        text[2 * depth] = '\0';
        parse(&p, text);
        assert_int_equal(p.diags.errors, depth > NG_NODE_DEPTH_MAX);
        release(&p);
    }
    memset(text, '-', NG_PLAN_BYTES_MAX); /* "- - - -" in one line is nesting, too */
    for (int i = 1; i < NG_PLAN_BYTES_MAX; i += 2) {
        text[i] = ' ';
    }
    parse(&p, text);
    assert_string_equal(p.diags.items[0].rule, "too-deep");
    release(&p);
    for (int i = 0; i < NG_PLAN_BYTES_MAX; i += 4) {
        memcpy(text + i, "- a\n", 4);
    }
    parse(&p, text);
    assert_string_equal(p.diags.items[0].rule, "too-large");
    release(&p);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_place_in_text),
        cmocka_unit_test(test_lookup),
        cmocka_unit_test(test_core),
        cmocka_unit_test(test_describe),
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_yaml_directive),
        cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
