/* The probe of a path, over loopback: what arrives, what is too long, what is no address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "runner/process/mtu_probe.h"

static void arrives(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 56, 1472, 8972, NG_MTU_PROBE_MAX};
    for (size_t i = 0; i < NG_COUNT(sizes); i++) {
        struct ng_mtu_answer answer;
        struct ng_err err = {0};
        if (!ng_mtu_probe("127.0.0.1", sizes[i], &answer, &err)) {
            fail_msg("%zu bytes: %s", sizes[i], err.text);
        }
        assert_int_equal(answer.fate, NG_MTU_PASSES);
    }
}

static void by_six(void **state) {
    (void)state;
    struct ng_mtu_answer answer;
    struct ng_err err = {0};
    if (!ng_mtu_probe("::1", 1452, &answer, &err)) {
        print_message("no IPv6 on loopback here (%s): not tried\n", err.text);
        skip();
    }
    assert_int_equal(answer.fate, NG_MTU_PASSES);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *address;
        size_t size;
        enum ng_err_kind kind;
    } rows[] = {
        {"nas", 56, NG_ERR_USAGE},
        {"", 56, NG_ERR_USAGE},
        {"10.0.0.1; reboot", 56, NG_ERR_USAGE},
        {"127.0.0.1", NG_MTU_PROBE_MAX + 1, NG_ERR_USAGE},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_mtu_answer answer;
        struct ng_err err = {0};
        assert_false(ng_mtu_probe(rows[i].address, rows[i].size, &answer, &err));
        assert_int_equal(err.kind, rows[i].kind);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrives),
        cmocka_unit_test(by_six),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
