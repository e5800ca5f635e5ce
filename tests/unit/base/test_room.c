/* What is said of a file that could not be written. */
#include "runner/base/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

static void the_device_is_named(void **state) {
    (void)state;
    static const char *const paths[] = {
        "/proc/self/none", "/proc/no/such/folder/none", "/none", "none"};
    struct ng_err err;
    for (size_t i = 0; i < NG_COUNT(paths); i++) {
        assert_false(ng_room_failed(&err, ENOSPC, paths[i], paths[i]));
        assert_int_equal(err.kind, NG_ERR_FULL);
        assert_non_null(strstr(err.text, ": No space left on device: "));
        assert_non_null(strstr(err.text, " KiB left"));
        assert_non_null(strstr(err.text, "make room there, or write elsewhere"));
        assert_true((strstr(err.text, "(proc) on /proc has 0 KiB left") != NULL) == (i < 2));
    }
    assert_false(ng_room_failed(&err, EDQUOT, "/none", "/none"));
    assert_int_equal(err.kind, NG_ERR_FULL);
}

/* What stands in a report names neither a path nor a mount of this machine. */
static void a_report_has_no_place(void **state) {
    (void)state;
    struct ng_err err;
    assert_false(ng_room_failed(&err, ENOSPC, "/proc/self/none", "the file"));
    assert_int_equal(err.kind, NG_ERR_FULL);
    assert_string_equal(err.text,
        "cannot write the file: No space left on device: the disk of the bundle is full, it has 0 "
        "KiB left: make room there, or write elsewhere");
}

static void other_errors_are_as_ever(void **state) {
    (void)state;
    struct ng_err err;
    assert_false(ng_room_failed(&err, EACCES, "/none", "/none"));
    assert_int_equal(err.kind, NG_ERR_FILE);
    assert_string_equal(err.text, "cannot write /none: Permission denied");
    assert_false(ng_room_failed(NULL, ENOSPC, "/none", "/none"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_device_is_named),
        cmocka_unit_test(a_report_has_no_place),
        cmocka_unit_test(other_errors_are_as_ever),
    };
    return cmocka_run_group_tests_name("room", tests, NULL, NULL);
}
