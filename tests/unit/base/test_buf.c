/** test_buf.c - growth, the cap and what it cuts. */
#include "runner/base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void an_empty_buffer_is_an_empty_string(void **state) {
    (void)state;
    struct ng_buf buf;
    ng_buf_init(&buf, 10);
    assert_string_equal(ng_buf_text(&buf), "");
    assert_null(buf.data);
    ng_buf_add(&buf, NULL, 0);
    assert_non_null(buf.data);
    assert_string_equal(ng_buf_text(&buf), "");
    ng_buf_release(&buf);
    ng_buf_release(&buf);
}

static void content_is_kept_in_order(void **state) {
    (void)state;
    struct ng_buf buf;
    ng_buf_init(&buf, SIZE_MAX);
    ng_buf_adds(&buf, "one ");
    ng_buf_addc(&buf, '2');
    ng_buf_addf(&buf, " %s %03d", "three", 4);
    ng_buf_add(&buf, "\0z", 2);
    assert_int_equal(buf.len, 17);
    assert_memory_equal(buf.data, "one 2 three 004\0z", 18);
    assert_int_equal(buf.data[buf.len], '\0');
    assert_int_equal(buf.cut, 0);
    ng_buf_release(&buf);
}

static void growth_keeps_everything(void **state) {
    (void)state;
    struct ng_buf buf;
    ng_buf_init(&buf, 1000000);
    for (int i = 0; i < 100000; i++) {
        ng_buf_addf(&buf, "%05d", i);
    }
    assert_int_equal(buf.len, 500000);
    assert_memory_equal(buf.data + 5 * 54321, "54321", 5);
    ng_buf_release(&buf);
}

static void the_cap_cuts_and_counts(void **state) {
    (void)state;
    struct ng_buf buf;
    ng_buf_init(&buf, 5);
    ng_buf_adds(&buf, "abc");
    ng_buf_adds(&buf, "defg");
    assert_string_equal(ng_buf_text(&buf), "abcde");
    assert_int_equal(buf.cut, 2);
    ng_buf_addf(&buf, "%d", 12345);
    ng_buf_addc(&buf, 'x');
    assert_string_equal(ng_buf_text(&buf), "abcde");
    assert_int_equal(buf.cut, 8);
    assert_int_equal(buf.len, 5);
    ng_buf_clear(&buf);
    assert_int_equal(buf.cut, 0);
    ng_buf_addf(&buf, "%s", "1234567");
    assert_string_equal(ng_buf_text(&buf), "12345");
    assert_int_equal(buf.cut, 2);
    ng_buf_release(&buf);
}

static void a_cap_of_nothing_keeps_nothing(void **state) {
    (void)state;
    struct ng_buf buf;
    ng_buf_init(&buf, 0);
    ng_buf_adds(&buf, "abc");
    ng_buf_addf(&buf, "%d", 1);
    assert_string_equal(ng_buf_text(&buf), "");
    assert_int_equal(buf.cut, 4);
    ng_buf_release(&buf);
}

static void detaching_gives_the_content_away(void **state) {
    (void)state;
    struct ng_buf buf;
    ng_buf_init(&buf, 4);
    char *none = ng_buf_detach(&buf);
    assert_string_equal(none, "");
    free(none);
    ng_buf_adds(&buf, "abcdef");
    char *text = ng_buf_detach(&buf);
    assert_string_equal(text, "abcd");
    assert_int_equal(buf.len, 0);
    assert_int_equal(buf.cut, 0);
    ng_buf_adds(&buf, "uvwxyz"); /* the cap is still there */
    assert_string_equal(ng_buf_text(&buf), "uvwx");
    assert_string_equal(text, "abcd");
    free(text);
    ng_buf_release(&buf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_buffer_is_an_empty_string),
        cmocka_unit_test(content_is_kept_in_order),
        cmocka_unit_test(growth_keeps_everything),
        cmocka_unit_test(the_cap_cuts_and_counts),
        cmocka_unit_test(a_cap_of_nothing_keeps_nothing),
        cmocka_unit_test(detaching_gives_the_content_away),
    };
    return cmocka_run_group_tests_name("buf", tests, NULL, NULL);
}
