/* Which arguments a script reads, as its text tells. */
#include "lua/host/unread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "runner/base/guard.h"

static void test_reads(void **state) {
    (void)state;
    static const struct {
        const char *text, *name;
        bool reads;
        const char *near;
    } rows[] = {
        {"held(args.limit)", "limit", true, NULL},
        {"held(args.limit)", "limt", false, "limit"},
        {"held(args['limit'])", "limit", true, NULL},
        {"held(args[\"limit\"])", "limt", false, "limit"},
        {"held(args . limit)", "limt", false, "limit"},
        {"held(args.limit)", "host", false, NULL},
        {"held()", "host", false, NULL},
        {"", "host", false, NULL},
        {"-- args.host\nlocal s = 'args.host' held(s)", "host", false, NULL},
        {"held(x.args.host)", "host", false, NULL},
        {"held(x:args().host)", "host", false, NULL},
        {"for k in pairs(args) do end", "host", true, NULL},
        {"local a = args held(a.limit)", "limt", true, NULL},
        {"held(args[k])", "host", true, NULL},
        {"held(args['a' .. k])", "host", true, NULL},
        {"held(args['a\\x62'])", "host", true, NULL},
        {"held(#args)", "host", true, NULL},
        {"held(args", "host", true, NULL},
        {"held(args.", "host", true, NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_arena arena;
        const char *near = "unset";
        ng_arena_init(&arena);
        const bool reads =
            ng_lua_reads_argument(rows[i].text, strlen(rows[i].text), rows[i].name, &arena, &near);
        const bool same =
            rows[i].near == NULL ? near == NULL : near != NULL && strcmp(near, rows[i].near) == 0;
        if (reads != rows[i].reads || !same) {
            fail_msg("%s: %s: %d, near %s", rows[i].text, rows[i].name, reads,
                near != NULL ? near : "none");
        }
        ng_arena_release(&arena);
    }
}

/* More than are kept: it may read any. */
static void test_many(void **state) {
    (void)state;
    static const char one[] = "held(args.aaa) ";
    char text[300 * (sizeof one - 1) + 1] = "";
    struct ng_arena arena;
    const char *near = NULL;
    for (size_t i = 0; i < 300; i++) {
        memcpy(text + i * (sizeof one - 1), one, sizeof one);
    }
    ng_arena_init(&arena);
    assert_true(ng_lua_reads_argument(text, strlen(text), "b", &arena, &near));
    assert_null(near);
    ng_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads), cmocka_unit_test(test_many)};
    return cmocka_run_group_tests_name("unread", tests, NULL, NULL);
}
