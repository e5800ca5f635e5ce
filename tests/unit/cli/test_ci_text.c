/* test_ci_text.c - text of tools holds no command of a CI system any more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/base/guard.h"
#include "runner/cli/ci_text.h"

static void test_text(void **state) {
    (void)state;
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"", ""},
        {"plain: text\n", "plain: text\n"},
        {"::error::x", "| ::error::x"},
        {"  ::error::x", "  | ::error::x"},
        {"a\n\t::set-output", "a\n\t| ::set-output"},
        {"a ::error::x", "a ::error::x"},
        {":: a :: b\n:::", "| :: a :: b\n| :::"},
        {"x ##[error]y", "x # #[error]y"},
        {"##vso[task.complete]", "# #vso[task.complete]"},
        {"###[a ##vso [b", "## #[a ##vso [b"},
        {"##[##[", "# #[# #["},
        {"::", "| ::"},
        {"::\n::", "| ::\n| ::"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_buf out;
        ng_buf_init(&out, 1000);
        ng_ci_text(&out, rows[i].in);
        assert_string_equal(ng_buf_text(&out), rows[i].out);
        ng_buf_release(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
