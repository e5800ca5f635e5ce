/** test_err.c - the error object: kinds, wrapping, bounds, one line. */
#include "runner/base/err.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_kind_has_its_word(void **state) {
    (void)state;
    static const char *const words[] = {"none", "usage", "plan", "file", "full", "host", "engine",
        "deadline", "format", "limit", "stopped", "internal"};
    for (size_t i = 0; i < NG_COUNT(words); i++) {
        assert_string_equal(ng_err_kind_word((enum ng_err_kind)i), words[i]);
    }
    assert_string_equal(ng_err_kind_word((enum ng_err_kind)NG_COUNT(words)), "internal");
}

static void set_replaces_and_returns_false(void **state) {
    (void)state;
    struct ng_err err = {NG_ERR_NONE, ""};
    assert_false(ng_err_set(&err, NG_ERR_FILE, "no %s", "file"));
    assert_int_equal(err.kind, NG_ERR_FILE);
    assert_string_equal(err.text, "no file");
    assert_false(ng_err_set(&err, NG_ERR_HOST, "gone"));
    assert_int_equal(err.kind, NG_ERR_HOST);
    assert_string_equal(err.text, "gone");
}

static void the_object_may_be_absent(void **state) {
    (void)state;
    assert_false(ng_err_set(NULL, NG_ERR_FILE, "%d", 1));
    assert_false(ng_err_set_errno(NULL, NG_ERR_FILE, ENOENT, "x"));
    assert_false(ng_err_wrap(NULL, "x"));
}

static void own_text_may_be_an_argument(void **state) {
    (void)state;
    struct ng_err err;
    ng_err_set(&err, NG_ERR_FILE, "inner");
    ng_err_set(&err, NG_ERR_PLAN, "outer (%s)", err.text);
    assert_string_equal(err.text, "outer (inner)");
    ng_err_wrap(&err, "again %s", err.text);
    assert_string_equal(err.text, "again outer (inner): outer (inner)");
}

static void errno_is_told_in_words(void **state) {
    (void)state;
    struct ng_err err;
    assert_false(ng_err_set_errno(&err, NG_ERR_FILE, ENOENT, "cannot open %s", "100%s"));
    assert_int_equal(err.kind, NG_ERR_FILE);
    assert_string_equal(err.text, "cannot open 100%s: No such file or directory");
}

static void wrapping_keeps_the_kind(void **state) {
    (void)state;
    struct ng_err err;
    ng_err_set(&err, NG_ERR_ENGINE, "rate %d%%", 5);
    assert_false(ng_err_wrap(&err, "phase %s", "seq"));
    assert_false(ng_err_wrap(&err, "run"));
    assert_int_equal(err.kind, NG_ERR_ENGINE);
    assert_string_equal(err.text, "run: phase seq: rate 5%");
}

static void a_failure_without_reason_is_a_bug(void **state) {
    (void)state;
    struct ng_err err = {NG_ERR_NONE, ""};
    ng_err_wrap(&err, "phase");
    assert_int_equal(err.kind, NG_ERR_INTERNAL);
    assert_string_equal(err.text, "phase: failed without a reason");
}

static void long_texts_are_cut_and_marked(void **state) {
    (void)state;
    char fits[NG_ERR_TEXT_MAX], over[NG_ERR_TEXT_MAX + 1];
    memset(fits, 'a', sizeof fits);
    fits[sizeof fits - 1] = '\0';
    memset(over, 'b', sizeof over);
    over[sizeof over - 1] = '\0';
    struct ng_err err;
    ng_err_set(&err, NG_ERR_FILE, "%s", fits);
    assert_string_equal(err.text, fits);
    ng_err_set(&err, NG_ERR_FILE, "%s", over);
    assert_int_equal(strlen(err.text), NG_ERR_TEXT_MAX - 1);
    assert_string_equal(err.text + NG_ERR_TEXT_MAX - 5, "b...");
    for (int i = 0; i < 3; i++) {
        ng_err_wrap(&err, "context");
    }
    assert_memory_equal(err.text, "context: context: context: bbb", 30);
    assert_string_equal(err.text + NG_ERR_TEXT_MAX - 5, "b...");
    ng_err_set_errno(&err, NG_ERR_FILE, ENOENT, "%s", over);
    assert_string_equal(err.text + NG_ERR_TEXT_MAX - 5, "b...");
}

static void cuts_never_split_a_code_point(void **state) {
    (void)state;
    for (size_t shift = 0; shift < 4; shift++) {
        char text[2 * NG_ERR_TEXT_MAX] = "";
        memset(text, 'x', shift);
        for (size_t i = shift; i + 3 < sizeof text; i += 3) {
            memcpy(text + i, "\xE2\x82\xAC", 4); /* euro sign */
        }
        struct ng_err err;
        ng_err_set(&err, NG_ERR_FILE, "%s", text);
        size_t len = strlen(err.text);
        assert_string_equal(err.text + len - 6, "\xE2\x82\xAC...");
        assert_int_equal((len - 3 - shift) % 3, 0);
    }
}

static void a_text_is_one_line(void **state) {
    (void)state;
    struct ng_err err;
    ng_err_set(&err, NG_ERR_FILE, "a\nb\r\tc\x1B[31md\x7F");
    assert_string_equal(err.text, "a b  c [31md ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_its_word),
        cmocka_unit_test(set_replaces_and_returns_false),
        cmocka_unit_test(the_object_may_be_absent),
        cmocka_unit_test(own_text_may_be_an_argument),
        cmocka_unit_test(errno_is_told_in_words),
        cmocka_unit_test(wrapping_keeps_the_kind),
        cmocka_unit_test(a_failure_without_reason_is_a_bug),
        cmocka_unit_test(long_texts_are_cut_and_marked),
        cmocka_unit_test(cuts_never_split_a_code_point),
        cmocka_unit_test(a_text_is_one_line),
    };
    return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
