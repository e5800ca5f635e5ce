/* Patterns: the same answers as Lua's own matcher, and an end within the bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "lua/host/pattern.h"
#include "tests/unit/lua/scripts.h"

/* Our answer to string.find(text, pattern) as Lua writes it: "1 3 [a] [2]", "nil", "error". */
static void ask_ours(const char *text, const char *source, char *out, size_t room) {
    struct ng_pattern m;
    const bool anchored = source[0] == '^';
    const size_t len = strlen(text);
    ng_pattern_begin(&m, text, len, source + anchored, strlen(source) - anchored, 1000000);
    for (const char *at = text; at <= text + len; at++) {
        const char *end = ng_pattern_match(&m, at);
        if (m.wrong != NULL || m.steps_left < 0) {
            snprintf(out, room, m.wrong != NULL ? "error" : "tired");
            return;
        }
        if (end != NULL) {
            int used = snprintf(out, room, "%td %td", at - text + 1, end - text);
            for (int i = 0; i < m.capture_count && used >= 0; i++) {
                const struct ng_pattern_capture *c = &m.captures[i];
                used +=
                    c->len == NG_PATTERN_PLACE
                        ? snprintf(out + used, room - (size_t)used, " [%td]", c->at - text + 1)
                        : snprintf(out + used, room - (size_t)used, " [%.*s]", (int)c->len, c->at);
            }
            return;
        }
        if (anchored) {
            break;
        }
    }
    snprintf(out, room, "nil");
}

static void ask_lua(lua_State *L, const char *text, const char *source, char *out, size_t room) {
    lua_settop(L, 0);
    lua_getglobal(L, "string");
    lua_getfield(L, 1, "find");
    lua_pushstring(L, text);
    lua_pushstring(L, source);
    if (lua_pcall(L, 2, LUA_MULTRET, 0) != LUA_OK) {
        snprintf(out, room, "error");
        return;
    }
    if (lua_isnil(L, 2)) {
        snprintf(out, room, "nil");
        return;
    }
    int used = snprintf(out, room, "%d %d", (int)lua_tointeger(L, 2), (int)lua_tointeger(L, 3));
    for (int i = 4; i <= lua_gettop(L); i++) {
        used += snprintf(out + used, room - (size_t)used, " [%s]", luaL_tolstring(L, i, NULL));
        lua_pop(L, 1);
    }
}

static void compare(lua_State *L, const char *text, const char *source) {
    char ours[600];
    char theirs[600];
    if (strpbrk(source, "^$*+?.([%-") == NULL) {
        return; /* string.find takes it for a plain text */
    }
    ask_ours(text, source, ours, sizeof ours);
    ask_lua(L, text, source, theirs, sizeof theirs);
    if (strcmp(ours, theirs) != 0) {
        fail_msg("\"%s\" in \"%s\": %s, Lua says %s", source, text, ours, theirs);
    }
}

static void test_known_cases(void **state) {
    static const char *const texts[] = {"", "a", "abc", "  key = value ", "eth0: 9000, eth1: 1500",
        "f(a(b)c)d", "THE (quick) fox", "aaa", "a]b-c^d", "x\n\ty", "hello hello", "100% of 50"};
    static const char *const patterns[] = {"", "a", ".", "^a", "a$", "^$", "a*", "a-", "a+", "a?b",
        "^%s*(%S+)%s*=%s*(.-)%s*$", "(%w+): (%d+)", "%b()", "%f[%a]%a+", "%f[%A]", "()a()", "[abc]",
        "[^abc]+", "[]]", "[^]]", "[a-c-]", "[%a%d]+", "[%]]", "[a-", "[", "%", "(", ")", "(()",
        "%1", "(a)%1", "(h%a+) %1", "(.)%1", "%b", "%bx", "%f", "%fa", "[%", "a**", "-a", "+", "*",
        "?", "$", "$a", "a^", "(a", "((a)(b))", "[a%-c]+", "[^%s]", "%%", "%d+%%", "(.-)%s", ".-$",
        "[%w_]+", "[a-z]+$", "((((((((((a))))))))))", "%2(a)(b)", "(a)(b)%2", "[^", "[^]", "[]",
        "%z", "%g+", "%p", "%C", "%x%x", "(a)()", "()()", "[a-%]]", "[%a-z]+", "[z-a]"};
    lua_State *L = *state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t j = 0; j < sizeof patterns / sizeof *patterns; j++) {
            compare(L, texts[i], patterns[j]);
        }
    }
}

/* Every text and pattern of some letters that a small generator makes. */
static void test_many_made_cases(void **state) {
    lua_State *L = *state;
    static const char letters[] = "ab(1";
    static const char pieces[][5] = {"a", "b", ".", "%a", "%d", "[ab]", "[^a]", "*", "+", "-", "?",
        "(", ")", "^", "$", "%1", "%f[", "%b()", "()", "[", "]", "%", "1"};
    uint64_t seed = 1;
    for (int round = 0; round < 60000; round++) {
        char text[12] = "";
        char source[64] = "";
        for (int part = 0; part < 8; part++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const size_t drawn = (size_t)(seed >> 33);
            text[part] = letters[drawn % (sizeof letters - 1)];
            if (part < 6 && drawn % 5 != 0) {
                strcat(source, pieces[drawn / 64 % (sizeof pieces / sizeof *pieces)]);
            }
        }
        compare(L, text, source);
    }
}

static void test_steps_bound_it(void **state) {
    (void)state;
    char text[2001];
    memset(text, 'a', 2000);
    text[2000] = '\0';
    struct ng_pattern m;
    ng_pattern_begin(&m, text, 2000, ".-.-.-.-b", 9, 100000);
    assert_null(ng_pattern_match(&m, text));
    assert_true(m.steps_left < 0 && m.steps_left > -10);
    ng_pattern_begin(&m, text, 2000, "(.*)%1b", 7, 1000);
    assert_null(ng_pattern_match(&m, text));
    assert_true(m.steps_left < 0);
    ng_pattern_begin(&m, text, 2000, "a*$", 3, 10000);
    assert_ptr_equal(ng_pattern_match(&m, text), text + 2000);
    assert_true(m.steps_left > 5000);
}

static void test_functions(void **state) {
    (void)state;
    expect_ok("assert(('a.b'):find('.', 1, true) == 2 and ('abc'):find('b', -1) == nil)");
    expect_ok("assert(('abc'):find('', 10) == nil and ('abc'):find('', 4) == 4)");
    expect_ok("local a, b, c = ('key=value'):match('(%w+)()=(%w+)')\n"
              "assert(a == 'key' and b == 4 and c == 'value')");
    expect_ok("assert(('hello world'):gsub('o', '0') == 'hell0 w0rld')");
    expect_ok("local s, n = ('abc'):gsub('', '-'); assert(s == '-a-b-c-' and n == 4)");
    expect_ok("local s, n = ('abc abc'):gsub('^abc', 'x'); assert(s == 'x abc' and n == 1)");
    expect_ok(
        "assert(('abc'):gsub('%w', '%0%0') == 'aabbcc' and ('ab'):gsub('(a)(b)', '%2%1') == 'ba')");
    expect_ok("assert(('$name is $x'):gsub('%$(%w+)', {name = 'N'}) == 'N is $x')");
    expect_ok("assert(('abc'):gsub('%w', function(c) if c == 'b' then return 7 end end) == 'a7c')");
    expect_ok("assert(('aaa'):gsub('a', 'b', 2) == 'bba' and ('x'):gsub('x', '%%') == '%')");
    expect_ok("assert(('a1'):gsub('%d', 5) == 'a5')");
    expect_error("('a'):gsub('a', '%2')", 1, "invalid capture index %2");
    expect_error("('a'):gsub('a', '%')", 1, "invalid use of '%'");
    expect_error("('a'):gsub('a', {a = {}})", 1, "invalid replacement value (a table)");
    expect_error("('a'):gsub('a')", 1, "string/function/table expected");
    expect_error("('a'):find('[a')", 1, "missing ']'");
    expect_ok("local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[k] = v end\n"
              "assert(t.a == '1' and t.b == '2')");
    expect_ok("local n = 0 for w in ('abc'):gmatch('') do n = n + 1 end assert(n == 4)");
    expect_ok("local n = 0 for w in ('a b c'):gmatch('%a', 3) do n = n + 1 end assert(n == 2)");
    expect_ok("assert(string.rep('ab', 3, '-') == 'ab-ab-ab' and string.rep('x', 0) == '')");
    expect_ok("assert(#string.rep('x', 256 * 1024) == 256 * 1024 and string.rep('', 1e9) == '')");
    expect_error("string.rep('x', 256 * 1024 + 1)", 1, "more than 256 KiB");
    expect_error("string.rep('x', 1e15)", 1, "more than 256 KiB");
    expect_error("string.rep('x', 2, string.rep('y', 262143))", 1, "more than 256 KiB");
}

static int open_lua(void **state) {
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    *state = L;
    return L == NULL;
}

static int close_lua(void **state) {
    lua_close(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_cases),
        cmocka_unit_test(test_many_made_cases),
        cmocka_unit_test(test_steps_bound_it),
        cmocka_unit_test(test_functions),
    };
    return cmocka_run_group_tests(tests, open_lua, close_lua);
}
