/* Names and syntax of scripts, found without running them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lua/host/check.h"
#include "lua/host/names.h"

/* All messages of a script, a line each, without the rule. */
static void expect(const char *text, const char *messages) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_diags diags = {.arena = &arena};
    struct ng_buf out;
    ng_buf_init(&out, 65536);
    ng_lua_check("c.lua", text, strlen(text), &diags);
    ng_diags_sort(&diags);
    ng_diags_format(&diags, &out);
    if (strcmp(ng_buf_text(&out), messages) != 0) {
        fail_msg("%s\n--- gives\n%s--- wanted\n%s", text, ng_buf_text(&out), messages);
    }
    ng_buf_release(&out);
    ng_arena_release(&arena);
}

static void test_sound_scripts_have_no_message(void **state) {
    (void)state;
    static const char *const sound[] = {
        "",
        "-- only a comment",
        "local x <const>, y = 1, 2 print(x, y)",
        "local function f(a, ...) return a, ... end print(f(1, 2))",
        "for i = 1, 10 do print(i) end for k, v in pairs({}) do print(k, v) end",
        "local t = {a = 1, ['b'] = 2; 3, print = print} print(t.a, t.b.c.d, t['x'])",
        "local s = ('x'):rep(3) print(s:upper():lower())",
        "repeat local done = true until done",
        "while true do break end goto out ::out::",
        "local o = {} function o.f() end function o:g(x) print(self, x) end",
        "if nil then print(1) elseif false then print(2) else print(3) end",
        "local a = [[ unknown ]] local b = [==[ ]] x ]==] --[[ y = z ]] print(a, b)",
        "local n = 0x1p-4 + 1e+5 + .5 + 3. print(n // 2 << 1 >> 1 ~= 0, ~1, #'x', -n, not n)",
        "local s = 'it\\'s' .. \"a \\\" b\" print(s, string.find(s, 'x'), math.pi)",
        "local f = function(x) return function() return x end end print(f(1)())",
        "print'x' print{1} print[[y]]",
        "local _ENV = {y = 1} x = y",
        "local x x = 1 x, x = 2, 3",
        "return",
        "do return 1, 2 end",
    };
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
        expect(sound[i], "");
    }
}

static void test_unknown_names_have_a_place(void **state) {
    (void)state;
    expect("local x = foo", "c.lua:1:11: error: foo is an unknown name [lua-name]\n");
    expect("prin(1)\n  y = 2\n",
        "c.lua:1:1: error: prin is unknown; did you mean \"print\"? [lua-name]\n"
        "c.lua:2:3: error: globals are read-only; write \"local y\" [lua-name]\n");
    expect("local x = x", "c.lua:1:11: error: x is an unknown name [lua-name]\n");
    expect("local function f() return g() end print(f)",
        "c.lua:1:27: error: g is an unknown name [lua-name]\n");
    expect("do local x end print(x)", "c.lua:1:22: error: x is an unknown name [lua-name]\n");
    expect("for i = i, 2 do end", "c.lua:1:9: error: i is an unknown name [lua-name]\n");
    expect("repeat local a = 1 until b", "c.lua:1:26: error: b is an unknown name [lua-name]\n");
    expect("function f() end",
        "c.lua:1:10: error: globals are read-only; write \"local f\" [lua-name]\n");
    expect("print(string.fnd, ('x').y)\nos.exit()",
        "c.lua:1:14: error: string.fnd is unknown; did you mean \"find\"? [lua-name]\n"
        "c.lua:2:1: error: os is left out: write run{...}, which is recorded; there is no clock "
        "[lua-name]\n");
    expect("local t = {k = v, [w] = 1}", "c.lua:1:16: error: v is an unknown name [lua-name]\n"
                                         "c.lua:1:20: error: w is an unknown name [lua-name]\n");
    expect("a.b.c = 1 d[e] = 2 f:g()", "c.lua:1:1: error: a is an unknown name [lua-name]\n"
                                       "c.lua:1:11: error: d is an unknown name [lua-name]\n"
                                       "c.lua:1:13: error: e is an unknown name [lua-name]\n"
                                       "c.lua:1:20: error: f is an unknown name [lua-name]\n");
}

static void test_syntax_errors_have_a_line(void **state) {
    (void)state;
    expect("print(1)\nif x", "c.lua:2:1: error: 'then' expected near <eof> [lua-syntax]\n");
    expect("local x <const> = 1\nx = 2",
        "c.lua:2:1: error: attempt to assign to const variable 'x' [lua-syntax]\n");
    expect("\x1bLua", "c.lua: error: attempt to load a binary chunk (mode is 't') [lua-syntax]\n");
}

static void count(void *context, const struct ng_lua_use *use) {
    (void)use;
    ++*(size_t *)context;
}

/* What Lua would refuse must end all the same. */
static void test_any_text_ends(void **state) {
    (void)state;
    static const char *const odd[] = {"(", "((((", "{{{", "x.", "x:", "local", "function", "for",
        "for i", "if", "'", "\"\\", "[[", "[==[", "--[[", "]]", "::", "goto", "return return",
        "a b c", ")", "}", "end end", "local function", "x = = y", "0x", "1e+", "\\", "\x80\xff",
        "until", "<", "function a.b:c.d", "..." /**/};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        size_t uses = 0;
        assert_true(ng_lua_names(odd[i], strlen(odd[i]), count, &uses));
    }
    char deep[4000];
    memset(deep, '(', sizeof deep);
    size_t uses = 0;
    assert_false(ng_lua_names(deep, sizeof deep, count, &uses));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_scripts_have_no_message),
        cmocka_unit_test(test_unknown_names_have_a_place),
        cmocka_unit_test(test_syntax_errors_have_a_line),
        cmocka_unit_test(test_any_text_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
