/* The sandbox: what a script finds, what it does not, and that each way to misuse it ends. */
#include "tests/unit/lua/scripts.h"

#include <stdio.h>

static void test_language_works(void **state) {
    (void)state;
    expect_ok(
        "local t = {}\n"
        "for i = 1, 10 do t[#t + 1] = i * i end\n"
        "assert(#t == 10 and t[10] == 100 and 7 // 2 == 3)\n"
        "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end\n"
        "assert(fib(15) == 610)\n"
        "goto done\n"
        "error('not reached')\n"
        "::done::\n");
    expect_ok("assert(tostring(12) == '12' and tostring(1.5) == '1.5' and tostring(nil) == 'nil')");
    expect_ok("assert(select('#', 1, nil, 3) == 3 and type({}) == 'table')");
    expect_ok("local ok, err = pcall(error, 'x', 0); assert(not ok and err == 'x')");
    expect_ok("local ok, a, b = pcall(function(...) return ... end, 1, 2)\n"
              "assert(ok and a == 1 and b == 2)");
    expect_ok("local ok, err = xpcall(function(x) error(x, 0) end, function(e) return 'h' .. e "
              "end, 'y')\n"
              "assert(not ok and err == 'hy')");
    expect_ok("local ok, a, b = xpcall(function(...) return ... end, print, 1, 2)\n"
              "assert(ok and a == 1 and b == 2)");
    expect_ok("local C = {}; C.__index = C; function C.get(o) return o.v end\n"
              "assert(setmetatable({v = 3}, C):get() == 3)");
    expect_ok("local n = 0; for i, v in ipairs({1, 2, nil, 4}) do n = n + v end; assert(n == 3)");
    expect_ok("assert(utf8.len('h\xc3\xa9') == 2 and math.pi > 3 and math.floor(2.5) == 2)");
}

static void test_what_is_missing_says_so(void **state) {
    (void)state;
    static const char *const gone[] = {"io", "os", "package", "require", "debug", "coroutine",
        "load", "loadstring", "loadfile", "dofile", "collectgarbage", "next", "rawget", "rawset",
        "rawequal", "rawlen", "_G", "warn"};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
        char text[100];
        snprintf(text, sizeof text, "\nlocal x = %s\n", gone[i]);
        expect_error(text, 2, gone[i]);
    }
    expect_error("local x = os.time()", 1, "os is left out: write run{...}");
    expect_error("local x = string.dump(print)", 1, "string.dump is left out");
    expect_error("math.randomseed(1)", 1, "math.randomseed is left out");
    expect_error("prnt(1)", 1, "prnt is unknown; did you mean \"print\"?");
    expect_error("local x = ('x'):fnd('y')", 1, "string.fnd is unknown; did you mean \"find\"?");
}

static void test_nothing_shared_can_be_changed(void **state) {
    (void)state;
    expect_error("x = 1", 1, "globals are read-only; write \"local x\"");
    expect_error("function f() end", 1, "local f");
    expect_error("string.find = nil", 1, "read-only");
    expect_error("table.insert(string, 1)", 1, "read-only");
    expect_error("table.sort(math)", 1, "read-only");
    expect_error("table.move({1}, 1, 1, 1, string)", 1, "read-only");
    expect_error("setmetatable(string, {})", 1, "protected");
    expect_ok("assert(getmetatable('') == false and getmetatable(string) == false)");
    expect_error("setmetatable({}, {__gc = print})", 1, "__gc is left out");
    expect_error("setmetatable({}, {__mode = 'k'})", 1, "__mode is left out");
    expect_error("local x = '10' + 1", 1, "arithmetic");
}

static void test_no_address_is_seen(void **state) {
    (void)state;
    expect_ok("assert(tostring({}) == 'table' and tostring(print) == 'function')");
    expect_ok("assert(string.format('%s %s', {}, print) == 'table function')");
    expect_ok("assert(('%-8s|%5.1f|%03d'):format('a', 2.25, 7) == 'a       |  2.2|007')");
    expect_ok("assert(string.format('%q', 'a\\nb') == '\"a\\\\\\nb\"' and ('%%'):format() == '%')");
    expect_error("string.format('%p', {})", 1, "%p is left out");
    expect_error("string.format('%s')", 1, "value expected");
    expect_error("string.format('%10')", 1, "ends within");
    expect_ok("local t = setmetatable({}, {__name = 'N'}); assert(tostring(t) == 'table')");
    expect_ok("local t = setmetatable({}, {__tostring = function() return 'T' end})\n"
              "assert(tostring(t) == 'T' and ('%s'):format(t) == 'T')");
}

static void test_order_is_fixed(void **state) {
    (void)state;
    expect_ok(
        "local t = {[3] = 1, [1] = 1, [2.5] = 1, b = 1, a = 1, ab = 1, [true] = 1, [false] = 1}\n"
        "local seen = {}\n"
        "for k in pairs(t) do seen[#seen + 1] = tostring(k) end\n"
        "assert(table.concat(seen, ' ') == '1 2.5 3 a ab b false true', table.concat(seen, ' '))");
    expect_ok("local t = {a = 1, b = 2, c = 3}; local n = 0\n"
              "for k in pairs(t) do n = n + 1; t[k] = nil; t.c = nil end; assert(n == 2)");
    expect_error("for k in pairs({[{}] = 1}) do end", 1, "a key is a table");
    expect_ok("local t = {5, 2, 9, 1}; table.sort(t); assert(table.concat(t, ',') == '1,2,5,9')");
    expect_ok(
        "local t = {}\n"
        "for i = 1, 100 do t[i] = {i % 3, i} end\n"
        "table.sort(t, function(a, b) return a[1] < b[1] end)\n"
        "for i = 2, 100 do\n"
        "  assert(t[i - 1][1] < t[i][1] or (t[i - 1][1] == t[i][1] and t[i - 1][2] < t[i][2]))\n"
        "end");
    expect_ok("local t = {3, 1, 2}; table.sort(t, function() return true end)");
    expect_error("table.sort({1, 'x'})", 1, "compare");
}

static void test_random_follows_the_seed(void **state) {
    (void)state;
    const char *const text = "local t = {}\n"
                             "for i = 1, 20 do t[i] = math.random(1, 6) end\n"
                             "print(table.concat(t), math.random() < 1, math.random(0))";
    const struct ended first = script(text);
    const struct ended second = script(text);
    (void)first;
    assert_string_equal(first.text, second.text);
    expect_ok("for i = 1, 1000 do local x = math.random(3); assert(x >= 1 and x <= 3) end");
    expect_ok("for i = 1, 100 do local x = math.random(math.mininteger, math.maxinteger) end");
    expect_error("math.random(2, 1)", 1, "interval is empty");
    const struct ended a = script("print(math.random(1000000), math.random(1000000))");
    const struct ended b = script("print(math.random(1000000), math.random(1000000))");
    assert_true(a.ok && strlen(a.printed) > 2);
    assert_string_equal(a.printed, b.printed);
}

static void test_tables(void **state) {
    (void)state;
    expect_ok("local t = {1, 3}; table.insert(t, 2, 2); table.insert(t, 4)\n"
              "assert(table.concat(t, '-') == '1-2-3-4')\n"
              "assert(table.remove(t) == 4 and table.remove(t, 1) == 1 and #t == 2)\n"
              "assert(table.remove({}) == nil)");
    expect_error("table.insert({}, 5, 1)", 1, "outside");
    expect_error("table.remove({1}, 7)", 1, "outside");
    expect_error("table.concat({1, {}, 3})", 1, "item 2 is a table");
    expect_ok("local a, b, c = table.unpack({1, 2, 3}, 2); assert(a == 2 and b == 3 and c == nil)");
    expect_ok("local a, b = table.unpack({1, 2, 3}, 1, 2); assert(a == 1 and b == 2)");
    expect_ok("local t = table.move({1, 2, 3}, 1, 3, 2); assert(table.concat(t, '') == '1123')");
    expect_ok("local t = table.move({1, 2, 3}, 2, 3, 1); assert(table.concat(t, '') == '233')");
    expect_ok("local t = table.pack(1, nil, 3); assert(t.n == 3)");
    expect_error("table.unpack({}, 1, 1e8)", 1, "too many");
    expect_error("table.unpack({}, math.mininteger, math.maxinteger)", 1, "too many");
    expect_error("table.move({}, math.mininteger, math.maxinteger, 1)", 1, "too many");
}

static void test_the_whole_budget_ends(void **state) {
    (void)state;
    expect_end("while true do end", NG_LUA_OUT_OF_STEPS);
    const struct ended ended = script("local n = 0 for i = 1, 1e6 do n = n + i end");
    assert_true(ended.ok && ended.steps > 1000000 && ended.steps < NG_LUA_STEPS_MAX / 2);
}

static void test_every_bomb_ends(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum ng_lua_end how;
    } bombs[] = {
        {"while true do end", NG_LUA_OUT_OF_STEPS},
        {"while true do pcall(function() while true do end end) end", NG_LUA_OUT_OF_STEPS},
        {"while true do xpcall(function() while true do end end, function() while true do end end) "
         "end",
            NG_LUA_OUT_OF_STEPS},
        {"local function f() return f() end f()", NG_LUA_OUT_OF_STEPS},
        {"goto a ::a:: goto a", NG_LUA_OUT_OF_STEPS},
        {"local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end})\n"
         "while true do pcall(function() return t[1] end) end",
            NG_LUA_OUT_OF_STEPS},
        {"local t = setmetatable({}, {__close = function() while true do end end})\n"
         "while true do pcall(function() local x <close> = t; error('x') end) end",
            NG_LUA_OUT_OF_STEPS},
        {"local m = {__close = function() while true do end end}\n"
         "local function deep(n)\n"
         "  local x <close> = setmetatable({}, m)\n"
         "  if n > 0 then deep(n - 1) else while true do end end\n"
         "end\n"
         "deep(150)",
            NG_LUA_OUT_OF_STEPS},
        {"local t = {} while true do t[#t + 1] = {} end", NG_LUA_OUT_OF_MEMORY},
        {"local t = {} while true do t[#t + 1] = 'x' .. #t end", NG_LUA_OUT_OF_MEMORY},
        {"pcall(function() local t = {} while true do t[#t + 1] = {} end end) while true do end",
            NG_LUA_OUT_OF_MEMORY},
        {"local s = 'x' while true do s = s .. s end", NG_LUA_TEXT_TOO_LONG},
        {"local s = 'x' pcall(function() while true do s = s .. s end end)", NG_LUA_TEXT_TOO_LONG},
        {"local s = string.rep('x', 200000) while true do local t = s .. 'y' end",
            NG_LUA_OUT_OF_STEPS},
        {"local a, b = string.rep('x', 200000), string.rep('x', 199999) .. 'x'\n"
         "while a == b do end",
            NG_LUA_OUT_OF_STEPS},
        {"while true do string.rep('', 1e15) end", NG_LUA_OUT_OF_STEPS},
        {"table.move({}, 1, 1e15, 2)", NG_LUA_OUT_OF_STEPS},
        {"table.concat(setmetatable({}, {__len = function() return 1e15 end}), '', 1, 1e15)",
            NG_LUA_GOES_ON},
        {"local t = {} for i = 1, 1e5 do t[i] = i end\n"
         "while true do table.insert(t, 1, 0) table.remove(t, 1) end",
            NG_LUA_OUT_OF_STEPS},
        {"local t = {} for i = 1, 1e4 do t['k' .. i] = i end\n"
         "while true do for k in pairs(t) do break end end",
            NG_LUA_OUT_OF_STEPS},
        {"local t = {} for i = 1, 1e4 do t[i] = -i end while true do table.sort(t) end",
            NG_LUA_OUT_OF_STEPS},
        {"table.sort({1, 2, 3}, function() while true do end end)", NG_LUA_OUT_OF_STEPS},
        {"string.find(string.rep('a', 200), string.rep('a?', 200) .. string.rep('a', 200))",
            NG_LUA_GOES_ON},
        {"string.find(string.rep('a', 3000), '.-.-.-.-b')", NG_LUA_OUT_OF_STEPS},
        {"string.match(string.rep('a', 200000), '(.*)(.*)(.*)(.*)(.*)b')", NG_LUA_OUT_OF_STEPS},
        {"string.gsub(string.rep('a', 200000), '.*b', '')", NG_LUA_OUT_OF_STEPS},
        {"for x in string.gmatch(string.rep('a', 200000), '.*b') do end", NG_LUA_OUT_OF_STEPS},
        {"pcall(string.find, string.rep('a', 3000), '.-.-.-.-b') while true do end",
            NG_LUA_OUT_OF_STEPS},
        {"string.gsub('x', 'x', function() while true do end end)", NG_LUA_OUT_OF_STEPS},
        {"error(setmetatable({}, {__tostring = function() while true do end end}))",
            NG_LUA_GOES_ON},
        {"error(setmetatable({}, {__tostring = function() error('again') end, __name = 7}))",
            NG_LUA_GOES_ON},
        {"tostring(setmetatable({}, {__tostring = function() while true do end end}))",
            NG_LUA_OUT_OF_STEPS},
        {"local function f() return 1 + f() end f()", NG_LUA_OUT_OF_STEPS},
        {"local function f() pcall(f) end f() while true do end", NG_LUA_OUT_OF_STEPS},
        {"local function f(...) return f(1, ...) end pcall(f)", NG_LUA_OUT_OF_STEPS},
        {"local function f(x) return (x:gsub('.', f)) end f('x')", NG_LUA_GOES_ON},
        {"local t = setmetatable({}, {}) getmetatable(t).__index = t local x = t.y.z",
            NG_LUA_GOES_ON},
        {"local t = {} local m = {} m.__eq = function(a, b) return a == b end\n"
         "local x = setmetatable({}, m) == setmetatable({}, m)",
            NG_LUA_GOES_ON},
        {"while true do print(string.rep('x', 1000)) end", NG_LUA_OUT_OF_STEPS},
        {"coroutine.wrap(function() while true do end end)()", NG_LUA_GOES_ON},
        {"while true do local ok = pcall(error) end", NG_LUA_OUT_OF_STEPS},
        {"while true do local x = ('%99.99f'):format(1e300) end", NG_LUA_OUT_OF_STEPS},
        {"while true do utf8.len(string.rep('x', 200000)) end", NG_LUA_OUT_OF_STEPS},
        {"local s = string.rep(' ', 200000) .. '1' while true do local x = s | 0 end",
            NG_LUA_GOES_ON},
        {"local s = string.rep(' ', 200000) .. '1' while true do local x = tonumber(s) end",
            NG_LUA_OUT_OF_STEPS},
        {"local t = {} for i = 1, 250 do t = {t} end error(t)", NG_LUA_GOES_ON},
    };
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
        const bool short_of_steps = bombs[i].how == NG_LUA_OUT_OF_STEPS;
        const struct ended ended = script_with(bombs[i].text, 0, short_of_steps ? FEW_STEPS : 0);
        if (ended.ok || ended.how != bombs[i].how) {
            fail_msg("%s: %s (\"%s\"), %lld steps; wanted %s", bombs[i].text,
                ng_lua_end_text(ended.how), ended.text, (long long)ended.steps,
                ng_lua_end_text(bombs[i].how));
        }
        assert_true(ended.text[0] != '\0');
    }
}

static void test_error_objects_are_told_without_running_them(void **state) {
    (void)state;
    expect_error("error({})", 1, "the error is a table; error() wants a text");
    expect_error("\nerror(nil)", 2, "the error is a nil");
    expect_error("error('plain', 0)", 1, "plain");
    expect_error("local x = nil\nlocal y = x.z", 2, "attempt to index a nil value (local 'x')");
    expect_error("local function f() error('who', 2) end\n\nf()", 3, "who");
    expect_error("local x =", 1, "near <eof>");
    expect_error("\x1bLua", 0, "binary chunk");
}

static void test_bytecode_is_refused(void **state) {
    (void)state;
    struct ng_lua lua = {.name = "test.lua"};
    struct ng_err err = {0};
    static const char code[] = "\x1bLuaT\0\x19\x93\r\n\x1a\n";
    assert_true(ng_lua_open(&lua, &err));
    assert_false(ng_lua_load(&lua, code, sizeof code - 1, &err));
    assert_non_null(strstr(err.text, "binary chunk"));
    assert_false(ng_lua_load(&lua, code, NG_LUA_SOURCE_MAX + 1, &err));
    assert_int_equal(err.kind, NG_ERR_LIMIT);
    ng_lua_close(&lua);
}

/* What a check does, in one script: every library, errors that are caught, closures, metatables. */
static const char everything[] =
    "local t = {}\n"
    "for i = 1, 20 do t[i] = ('%d %s'):format(i, {}) end\n"
    "table.sort(t, function(a, b) return #a < #b end)\n"
    "for k, v in pairs({a = 1, b = {2}}) do t[#t + 1] = tostring(v) end\n"
    "local s = table.concat(t, ', '):gsub('%d+', function(d) return tonumber(d) * 1 end)\n"
    "for w in s:gmatch('%a+') do t[w] = true end\n"
    "local ok = pcall(function() local x <close> = setmetatable({}, {__close = print}); error({}) "
    "end)\n"
    "local ok2 = xpcall(error, function(e) return e .. e end, 'x')\n"
    "print(s, ok, ok2, math.random(6), utf8.char(228), select('#', table.unpack(t)))\n";

static void test_memory_may_end_at_any_time(void **state) {
    (void)state;
    const struct ended whole = script(everything);
    expect_ok(everything);
    for (uint64_t n = 1; n <= whole.allocations; n++) {
        const struct ended ended = script_with(everything, n, 0);
        if (ended.ok || ended.text[0] == '\0') {
            fail_msg("allocation %llu of %llu: %s, \"%s\"", (unsigned long long)n,
                (unsigned long long)whole.allocations, ended.ok ? "ok" : "failed", ended.text);
        }
    }
    assert_true(script_with(everything, whole.allocations + 1, 0).ok);
}

static void test_what_is_printed_is_bounded(void **state) {
    (void)state;
    const struct ended ended = script("print('a', 1, nil, {}) print()");
    assert_string_equal(ended.printed, "a\t1\tnil\ttable\n\n");
    assert_true(script("for i = 1, 1000 do print(('x'):rep(100)) end").ok);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_language_works),
        cmocka_unit_test(test_what_is_missing_says_so),
        cmocka_unit_test(test_nothing_shared_can_be_changed),
        cmocka_unit_test(test_no_address_is_seen),
        cmocka_unit_test(test_order_is_fixed),
        cmocka_unit_test(test_random_follows_the_seed),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_the_whole_budget_ends),
        cmocka_unit_test(test_every_bomb_ends),
        cmocka_unit_test(test_error_objects_are_told_without_running_them),
        cmocka_unit_test(test_bytecode_is_refused),
        cmocka_unit_test(test_memory_may_end_at_any_time),
        cmocka_unit_test(test_what_is_printed_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
