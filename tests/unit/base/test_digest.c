/** test_digest.c - SHA-256 against the published examples of FIPS 180-4. */
#include "runner/base/digest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/base/arena.h"

static void known_messages(void **state) {
    (void)state;
    static const struct {
        const char *message, *digest;
    } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        char out[NG_DIGEST_TEXT];
        assert_ptr_equal(ng_digest(cases[i].message, strlen(cases[i].message), out), out);
        assert_string_equal(out, cases[i].digest);
    }
}

static void a_million_times_a(void **state) {
    (void)state;
    char *data = ng_xmalloc(1000000);
    memset(data, 'a', 1000000);
    char out[NG_DIGEST_TEXT];
    assert_string_equal(ng_digest(data, 1000000, out),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(data);
}

static void nothing_may_be_null(void **state) {
    (void)state;
    char a[NG_DIGEST_TEXT], b[NG_DIGEST_TEXT];
    assert_string_equal(ng_digest(NULL, 0, a), ng_digest("", 0, b));
    assert_string_not_equal(ng_digest("\0", 1, a), b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_messages),
        cmocka_unit_test(a_million_times_a),
        cmocka_unit_test(nothing_may_be_null),
    };
    return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}
