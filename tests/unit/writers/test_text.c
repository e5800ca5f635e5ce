/* test_text.c - foreign text as short lines, code spans, headings, names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "reports/writers/cut.h"
#include "reports/writers/junit_text.h"
#include "reports/writers/markdown_text.h"
#include "runner/base/guard.h"

static void test_cut(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct {
        const char *text, *want;
    } rows[] = {
        {"", ""},
        {"12345678", "12345678"},
        {"123456789", "12345..."},
        {"äöüäöüäö", "äöüäöüäö"},
        {"äöüäöüäöü", "äöüäö..."},
        {"  a\n b\t", "a  b"},
        {NULL, ""},
        {"\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80"
         "123456",
            "\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80"
            "12..."},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        assert_string_equal(ng_cut_line(&arena, rows[i].text, 8), rows[i].want);
    }
    ng_arena_release(&arena);
}

static void test_code(void **state) {
    (void)state;
    const struct {
        const char *text;
        bool table;
        const char *want;
    } rows[] = {
        {"plain", false, "`plain`"},
        {"", false, "`-`"},
        {" \n ", true, "`-`"},
        {"a`b", false, "``a`b``"},
        {"`a", false, "`` `a ``"},
        {"a```", false, "```` a``` ````"},
        {"`", false, "`` ` ``"},
        {"a|b", false, "`a|b`"},
        {"a|b||c", true, "`a\\|b\\|\\|c`"},
        {"a\\|b", true, "`a\\\\x7Cb`"},
        {"a\\|b", false, "`a\\|b`"},
        {"two\nlines", true, "`two lines`"},
        {"<script>", true, "`<script>`"},
        {"end\\", true, "`end\\`"},
        {"\x1b[31m\xff", true, "`\xef\xbf\xbd`"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_buf out;
        ng_buf_init(&out, 1000);
        ng_md_code(&out, rows[i].text, 120, rows[i].table);
        assert_string_equal(ng_buf_text(&out), rows[i].want);
        ng_buf_release(&out);
    }
}

static void test_heading(void **state) {
    (void)state;
    const struct {
        const char *text, *want;
    } rows[] = {
        {"backup-path-10g", "backup-path-10g"},
        {"a_b.c", "a-b-c"},
        {"www.example.org", "www-example-org"},
        {"10.5 Gbit", "10.5 Gbit"},
        {"# <b>x</b> [l](u) *y*", "bxb lu y"},
        {"trailing. ", "trailing-"},
        {"", "unnamed"},
        {"***", "unnamed"},
        {"  a   b ", "a b"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_buf out;
        ng_buf_init(&out, 1000);
        ng_md_heading(&out, rows[i].text);
        assert_string_equal(ng_buf_text(&out), rows[i].want);
        ng_buf_release(&out);
    }
}

static void test_fenced(void **state) {
    (void)state;
    struct ng_buf out;
    ng_buf_init(&out, 1000);
    ng_md_fenced(&out, "sh", "echo ```x````");
    assert_string_equal(ng_buf_text(&out), "`````sh\necho ```x````\n`````\n");
    ng_buf_release(&out);
}

static const struct ng_column columns[] = {
    {"name", NG_COLUMN_FOREIGN},
    {"n", NG_COLUMN_NUMBER},
    {"empty", NG_COLUMN_WORDS},
    {"note", NG_COLUMN_WORDS},
};

static void test_grid(void **state) {
    (void)state;
    struct ng_arena arena;
    struct ng_buf out;
    struct ng_grid grid = {columns, NG_COUNT(columns), NULL, 0, 0};
    ng_arena_init(&arena);
    ng_buf_init(&out, 1000);
    ng_grid_text(&grid, "  ", 20, 0, &out);
    ng_md_grid(&out, &grid, 120);
    assert_string_equal(ng_buf_text(&out), "");
    const char *a[] = {"größe|x", "7", NULL, "yes"};
    const char *b[] = {"y\n\x1b[1mz", "1234", NULL, NULL};
    ng_grid_add(&arena, &grid, a);
    ng_grid_add(&arena, &grid, b);
    ng_grid_text(&grid, "  ", 20, 0, &out);
    assert_string_equal(ng_buf_text(&out), "  name        n  note\n"
                                           "  größe|x     7  yes\n"
                                           "  y z      1234\n");
    ng_buf_clear(&out);
    ng_md_grid(&out, &grid, 120);
    assert_string_equal(ng_buf_text(&out), "\n| name | n | note |\n| --- | ---: | --- |\n"
                                           "| `größe\\|x` | 7 | yes |\n| `y z` | 1234 | - |\n");
    ng_buf_release(&out);
    ng_arena_release(&arena);
}

/** Lines are made to fit by the widest foreign column, and the others only if that is not enough.
 */
static void test_grid_fits(void **state) {
    (void)state;
    static const struct ng_column heads[] = {
        {"what", NG_COLUMN_FOREIGN}, {"n", NG_COLUMN_NUMBER}, {"why", NG_COLUMN_FOREIGN}};
    static const char *const row[] = {
        "twenty characters ok", "7", "a reason of more than forty characters, all in one sentence"};
    const struct {
        size_t line;
        const char *text;
    } rows[] = {
        {0, "what                  n  why\n"
            "twenty characters ok  7  a reason of more than forty characters, all in one "
            "sentence\n"},
        {84, "what                  n  why\n"
             "twenty characters ok  7  a reason of more than forty characters, all in one "
             "sentence\n"},
        {50, "what                  n  why\n"
             "twenty characters ok  7  a reason of more than ...\n"},
        {38, "what               n  why\n"
             "twenty charact...  7  a reason of m...\n"},
        {1, "what              n  why\n"
            "twenty charac...  7  a reason of m...\n"},
    };
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_grid grid = {heads, NG_COUNT(heads), NULL, 0, 0};
    ng_grid_add(&arena, &grid, row);
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_buf out;
        ng_buf_init(&out, 1000);
        ng_grid_text(&grid, "", 200, rows[i].line, &out);
        assert_string_equal(ng_buf_text(&out), rows[i].text);
        ng_buf_release(&out);
    }
    struct ng_grid left = ng_grid_without(&arena, &grid, 1, "7");
    assert_int_equal(left.row_count, 0);
    left = ng_grid_without(&arena, &grid, 1, "8");
    assert_int_equal(left.row_count, 1);
    ng_arena_release(&arena);
}

static void test_junit(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    assert_string_equal(ng_junit_part(&arena, "a.b/c d\\e"), "a-b-c-d-e");
    assert_string_equal(ng_junit_part(&arena, ""), "unnamed");
    assert_string_equal(ng_junit_line(&arena, "\x1b[0m", 200, "nothing"), "nothing");
    char *big = ng_arena_alloc(&arena, 20 << 20);
    memset(big, 'x', (20 << 20) - 1);
    assert_true(strlen(ng_junit_body(&arena, big)) < NG_JUNIT_BODY + 200);
    assert_int_equal(strlen(ng_junit_line(&arena, big, 200, "")), 200);
    assert_string_equal(ng_junit_body(&arena, "a\r\nb\rc"), "a\nb\nc");
    ng_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_code),
        cmocka_unit_test(test_heading),
        cmocka_unit_test(test_fenced),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_grid_fits),
        cmocka_unit_test(test_junit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
