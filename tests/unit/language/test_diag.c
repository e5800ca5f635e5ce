/* test_diag.c - messages: order, bounds, spelling; names; the table of rules. */
#include "tests/unit/language/vocabulary_fixture.h"

#include <dirent.h>
#include <stdio.h>

#include "plans/language/rules.h"
#include "runner/base/files.h"

static void test_order(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_diags diags = {.arena = &arena};
    ng_diag_error(&diags, (struct ng_pos){"b", 1, 1}, "type", "six");
    ng_diag_warning(&diags, (struct ng_pos){"a", 2, 9}, "type", "three");
    ng_diag_error(&diags, (struct ng_pos){"a", 2, 10}, "type", "four");
    ng_diag_error(&diags, (struct ng_pos){"a", 10, 1}, "type", "five");
    ng_diag_error(&diags, (struct ng_pos){"a", 2, 1}, "type", "two %s", "\x1b[31m\nlines");
    ng_diag_error(&diags, (struct ng_pos){"a", 0, 0}, "file", "one");
    ng_diag_error(&diags, (struct ng_pos){"a", 2, 10}, "type", "four");
    ng_diags_sort(&diags);
    assert_int_equal(diags.errors, 5); /* what stood twice counts once */
    assert_int_equal(diags.warnings, 1);
    struct ng_buf out;
    ng_buf_init(&out, 4096);
    ng_diags_format(&diags, &out);
    assert_string_equal(ng_buf_text(&out), "a: error: one [file]\n"
                                           "a:2:1: error: two  lines [type]\n"
                                           "a:2:9: warning: three [type]\n"
                                           "a:2:10: error: four [type]\n"
                                           "a:10:1: error: five [type]\n"
                                           "b:1:1: error: six [type]\n");
    ng_buf_release(&out);
    ng_arena_release(&arena);
}

static void test_bound(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_diags diags = {.arena = &arena};
    for (int i = 0; i < NG_DIAGS_MAX + 5; i++) {
        ng_diag_warning(&diags, (struct ng_pos){"a", i + 1, 1}, "type", "w");
    }
    assert_false(ng_diags_full(&diags));
    for (int i = 0; i < NG_DIAGS_MAX + 3; i++) {
        ng_diag_error(&diags, (struct ng_pos){"a", i + 1, 1}, "type", "e");
    }
    assert_true(ng_diags_full(&diags));
    assert_int_equal(diags.count, NG_DIAGS_MAX);
    assert_int_equal(diags.errors, NG_DIAGS_MAX + 3);
    assert_int_equal(diags.dropped, NG_DIAGS_MAX + 8);
    for (size_t i = 0; i < diags.count; i++) {
        assert_int_equal(diags.items[i].severity, NG_SEVERITY_ERROR);
    }
    assert_string_equal(ng_diag_quote(&diags, "x"), "");
    struct ng_buf out;
    ng_buf_init(&out, 1 << 20);
    ng_diags_format(&diags, &out);
    assert_non_null(strstr(ng_buf_text(&out), "... and 208 more, not shown\n"));
    ng_buf_release(&out);
    ng_arena_release(&arena);
}

static void test_quote_and_hint(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_diags diags = {.arena = &arena};
    assert_string_equal(ng_diag_quote(&diags, "a\nb"), "\"a b\"");
    char text[400] = "";
    for (int i = 0; i < 81; i++) {
        strcat(text, "ä");
    }
    assert_int_equal(strlen(ng_diag_quote(&diags, text)), 2 + 160 + strlen("…"));
    text[160] = '\0';
    assert_int_equal(strlen(ng_diag_quote(&diags, text)), 2 + 160);
    static const char *const words[] = {"protocol", "port"};
    assert_string_equal(ng_diag_hint(&diags, "protocl", words, 2), "; did you mean \"protocol\"?");
    assert_string_equal(ng_diag_hint(&diags, "zzzz", words, 2), "");
    ng_arena_release(&arena);
}

static void test_names(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_names names;
    ng_names_init(&names, &arena);
    static const int things[5000];
    assert_null(ng_names_get(&names, "0"));
    for (size_t i = 0; i < NG_COUNT(things); i++) {
        assert_null(ng_names_add(&names, ng_arena_printf(&arena, "%zu", i), &things[i]));
    }
    assert_int_equal(names.count, NG_COUNT(things));
    for (size_t i = 0; i < NG_COUNT(things); i++) {
        assert_ptr_equal(ng_names_get(&names, ng_arena_printf(&arena, "%zu", i)), &things[i]);
    }
    assert_ptr_equal(ng_names_add(&names, "17", &things[0]), &things[17]);
    ng_names_set(&names, "17", &things[0]);
    assert_ptr_equal(ng_names_get(&names, "17"), &things[0]);
    assert_null(ng_names_get(&names, "5000"));
    ng_arena_release(&arena);
}

static void test_rules_sorted(void **state) {
    (void)state;
    for (size_t i = 0; i < ng_rule_count; i++) {
        assert_true(i == 0 || strcmp(ng_rules[i - 1].word, ng_rules[i].word) < 0);
        assert_true(strlen(ng_rules[i].meaning) > 10);
        assert_null(strchr(ng_rules[i].meaning, '|'));
        assert_true(ng_rules[i].meaning[strlen(ng_rules[i].meaning) - 1] != '.');
    }
}

static bool is_rule(const char *word) {
    for (size_t i = 0; i < ng_rule_count; i++) {
        if (strcmp(ng_rules[i].word, word) == 0) {
            return true;
        }
    }
    return false;
}

/* The word in a call that begins at `call`: the first string with a comma behind it. */
static bool rule_in_call(const char *call, char word[64]) {
    const char *end = strchr(call, ';');
    const char *quote = strchr(call, '"');
    while (quote && end && quote < end) {
        size_t len = strcspn(quote + 1, "\"");
        if (quote[len + 2] != ',') {
            quote = strchr(quote + len + 2, '"'); /* an argument of what gives the place */
            continue;
        }
        if (len == 0 || len > 63 || strspn(quote + 1, "abcdefghijklmnopqrstuvwxyz-") != len) {
            return false;
        }
        memcpy(word, quote + 1, len);
        word[len] = '\0';
        return true;
    }
    return false; /* a declaration, or the word comes by a variable */
}

static size_t check_source(const char *path) {
    static const char *const calls[] = {"ng_diag_error(", "ng_diag_warning(", "ng_expr_error("};
    char *text = NULL;
    size_t len = 0, found = 0;
    assert_true(ng_file_read(path, 1 << 20, &text, &len, NULL));
    for (size_t i = 0; i < NG_COUNT(calls); i++) {
        for (const char *at = strstr(text, calls[i]); at; at = strstr(at + 1, calls[i])) {
            char word[64];
            if (rule_in_call(at, word)) {
                found++;
                if (!is_rule(word)) {
                    fail_msg("%s: rule \"%s\" is not in plans/language/rules.c", path, word);
                }
            }
        }
    }
    free(text);
    return found;
}

static void test_rules_complete(void **state) {
    (void)state;
    static const char *const folders[] = {"plans/language", "runner/engines", "runner/conditions",
        "runner/cli", "runner/schedule", "lua/host"};
    size_t found = 0;
    for (size_t i = 0; i < NG_COUNT(folders); i++) {
        DIR *dir = opendir(folders[i]);
        for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
            char path[512];
            snprintf(path, sizeof path, "%s/%s", folders[i], entry->d_name);
            if (strlen(path) > 2 && strcmp(path + strlen(path) - 2, ".c") == 0) {
                found += check_source(path);
            }
        }
        if (dir) {
            closedir(dir);
        }
    }
    assert_true(found > 80);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_quote_and_hint),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_rules_sorted),
        cmocka_unit_test(test_rules_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
