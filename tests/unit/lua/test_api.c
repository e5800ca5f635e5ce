/* What a script asks and says. */
#include "tests/unit/lua/calls.h"

#include "lua/host/api.h"

#define F(name, text) "\nt B " name "\n" text "\nt E " name " 0\n"
#define END "\nt Z end\n"

static void test_outcomes(void **state) {
    struct bench *b = *state;
    bench_expect(b, "held('fine')", NG_SCRIPT_HELD, "fine");
    bench_expect(b, "held()", NG_SCRIPT_HELD, "");
    bench_expect(b, "broken('bad', 'repair it')", NG_SCRIPT_BROKEN, "bad");
    assert_string_equal(b->call.remedy, "repair it");
    bench_expect(b, "unknown('not told')", NG_SCRIPT_UNKNOWN, "not told");
    bench_expect(b, "held('first') broken('never')", NG_SCRIPT_HELD, "first");
    bench_expect(b, "local ok, err = pcall(function() local t = nil; return t.x end) held(err)",
        NG_SCRIPT_HELD, "c.lua:1: attempt to index a nil value (local 't')");
    bench_expect(b,
        "local set = keyvalues('A=\"x y\"\\nB=\\'z\\'\\nC=\"\\nD=\"a\" \"b\"\\nE=\"\"') "
        "held(set.A .. '|' .. set.B .. '|' .. set.C .. '|' .. set.D .. '|' .. set.E .. '|')",
        NG_SCRIPT_HELD, "x y|z|\"|\"a\" \"b\"||");
    bench_expect(b, "pcall(held, 'out') error('never')", NG_SCRIPT_HELD, "out");
    bench_expect(b, "xpcall(function() broken('out') end, print) held()", NG_SCRIPT_BROKEN, "out");
    bench_expect(b, "local x = 1", NG_SCRIPT_NOTHING, "");
    assert_null(b->call.error);
    bench_expect(b, "\nbroken()", NG_SCRIPT_NOTHING, "c.lua:2: error: bad argument #1 to 'broken'");
    bench_expect(b, "broken('')", NG_SCRIPT_NOTHING, "say why");
    bench_expect(b, "fail('x')", NG_SCRIPT_NOTHING, "no meaning in a precondition");
    bench_expect(b, "held('a\\n\\27[1mb')", NG_SCRIPT_HELD, "a b");
    bench_expect(b, "expect('calm') held()", NG_SCRIPT_HELD, "");
    assert_string_equal(b->call.expected, "calm");
    b->call.place = NG_SCRIPT_PHASE;
    bench_expect(b, "fail('slow')", NG_SCRIPT_FAIL, "slow");
    bench_expect(b, "skip('not here')", NG_SCRIPT_SKIP, "not here");
}

static void test_errors_have_a_place(void **state) {
    struct bench *b = *state;
    bench_expect(b, "local t = nil\nreturn t.x", NG_SCRIPT_NOTHING,
        "c.lua:2: error: attempt to index a nil value (local 't') [lua]");
    bench_expect(b, "x = = 1", NG_SCRIPT_NOTHING, "c.lua:1: error: unexpected symbol near '='");
    bench_expect(b, "record('a', 1) metric('x', 1)", NG_SCRIPT_NOTHING, "names no metrics here");
    bench_expect(b, "while true do end", NG_SCRIPT_NOTHING,
        "c.lua:1: error: it does not end within 20 million steps [lua]");
    bench_expect(b, "local t = {} while true do t[#t + 1] = {} end", NG_SCRIPT_NOTHING,
        "c.lua: error: it needs more than 16 MiB of memory [lua]");
    bench_expect(b, "error(setmetatable({}, {__tostring = function() while true do end end}))",
        NG_SCRIPT_NOTHING, "c.lua:1: error: the error is a table; error() wants a text [lua]");
    bench_expect(b, "coroutine.wrap(print)()", NG_SCRIPT_NOTHING, "coroutine is left out");
}

static void test_records(void **state) {
    struct bench *b = *state;
    bench_run(b, "record('n', 12) record('t', {}) record('s', 'a\\nb') held()");
    assert_string_equal(bench_recorded(b, "n"), "12");
    assert_string_equal(bench_recorded(b, "t"), "table");
    assert_string_equal(bench_recorded(b, "s"), "a b");
    bench_expect(
        b, "for i = 1, 201 do record('k' .. i, i) end", NG_SCRIPT_NOTHING, "more than 200");
    bench_expect(b, "record('', 1)", NG_SCRIPT_NOTHING, "a record needs a key");
    bench_expect(
        b, "held(tostring(earlier()) .. tostring(earlier('x')))", NG_SCRIPT_HELD, "falsenil");
    struct ng_records before = {0};
    ng_records_add(&b->arena, &before, "x", "%s", "7");
    assert_true(b->call.looked_back);
    bench_expect(b, "held('x')", NG_SCRIPT_HELD, "x");
    assert_false(b->call.looked_back);
    b->call.earlier = &before;
    bench_expect(b, "held(tostring(earlier()) .. earlier('x') .. tostring(earlier('y')))",
        NG_SCRIPT_HELD, "true7nil");
    bench_run(b, "print('seen', 1)");
    assert_string_equal(b->call.printed, "seen\t1\n");
}

static void test_metrics(void **state) {
    struct bench *b = *state;
    static const struct ng_metric_def metrics[] = {
        {"rate", {1, -1}, NG_SPELLING_BITS, NG_BETTER_HIGHER, "", ""},
        {"jobs", {0, 0}, NG_SPELLING_PLAIN, NG_BETTER_NEITHER, "", ""},
        {"share", {0, 0}, NG_SPELLING_SHARE, NG_BETTER_NEITHER, "", ""}};
    b->call.place = NG_SCRIPT_PHASE;
    b->call.metrics = metrics;
    b->call.metric_count = 3;
    bench_run(b, "metric('rate', 8, 'Mbit/s') metric('jobs', 3) metric('share', 50, '%')");
    assert_null(b->call.error);
    assert_int_equal(b->call.measure_count, 3);
    assert_true(b->call.measures[0].value == 1e6 && b->call.measures[2].value == 0.5);
    bench_expect(b, "metric('rat', 1)", NG_SCRIPT_NOTHING,
        "names no metric \"rat\"; did you mean \"rate\"?");
    bench_expect(b, "metric('rate', 1, 'ms')", NG_SCRIPT_NOTHING, "is a duration");
    bench_expect(b, "metric('rate', 1)", NG_SCRIPT_NOTHING, "is a number");
    bench_expect(b, "metric('rate', 1, 'mb/s')", NG_SCRIPT_NOTHING, "is no unit");
    bench_expect(b, "metric('jobs', -1)", NG_SCRIPT_NOTHING, "from 0 on");
    bench_expect(b, "metric('jobs', 0/0)", NG_SCRIPT_NOTHING, "from 0 on");
    bench_expect(b, "metric('jobs', '3')", NG_SCRIPT_NOTHING, "write tonumber(...)");
    bench_expect(b, "metric('jobs', 1) metric('jobs', 2)", NG_SCRIPT_NOTHING, "measured already");
    assert_int_equal(b->call.measure_count, 0);
}

static void test_commands(void **state) {
    struct bench *b = *state;
    static const struct given given[] = {{"ps -e", 0, "1 init\n", NULL}, {"false", 1, "", "no"},
        {"slow", 0, NULL, NULL}, {"cat -- /etc/motd", 0, "hello\n", NULL},
        {"cat -- /gone", 1, "", "cat: /gone: No such file\n"}, {NULL, 0, NULL, NULL}};
    b->given = given;
    bench_expect(b,
        "local a = run{host = 'nas', argv = {'ps', '-e'}}\n"
        "assert(a.ok and a.status == 0 and not a.cut and not a.failed) held(a.out)",
        NG_SCRIPT_HELD, "1 init");
    bench_expect(b,
        "local a = run{host = 'nas', argv = {'false'}, timeout = '1 s'}\n"
        "assert(not a.ok and a.status == 1) held(a.err)",
        NG_SCRIPT_HELD, "no");
    bench_expect(b,
        "local a = run{host = 'nas', argv = {'slow'}}\n"
        "assert(not a.ok and not a.status) held(a.failed)",
        NG_SCRIPT_HELD, "it did not end in time");
    bench_expect(b, "held(read{host = 'nas', path = '/etc/motd'})", NG_SCRIPT_HELD, "hello");
    bench_expect(b, "local t, why = read{host = 'nas', path = '/gone'} assert(not t) held(why)",
        NG_SCRIPT_HELD, "No such file");
    bench_expect(b, "local a = run{host = 'nas', argv = {'ps', '-e'}} a.ok = 1", NG_SCRIPT_NOTHING,
        "read-only");
    static const char *const wrong[][2] = {{"run{argv = {'ps'}}", "a host is needed"},
        {"run{host = 'nass', argv = {'ps'}}", "there is no host \"nass\""},
        {"run{host = 'nas', argv = 'ps -e'}", "argv is needed, a list of words"},
        {"run{host = 'nas', argv = {}}", "argv has 0 words"},
        {"run{host = 'nas', argv = {'a', {}}}", "word 2 of argv is a table"},
        {"run{host = 'nas', argv = {'a\\0b'}}", "has a NUL in it"},
        {"run{host = 'nas', argv = {'a'}, shell = true}", "unknown member \"shell\""},
        {"run{host = 'nas', argv = {'a'}, timeout = 'soon'}", "write a duration"},
        {"run{host = 'nas', argv = {'a'}, timeout = '1 h'}", "at most 600 s"},
        {"run{host = 'nas', argv = {'a'}, timeout = '4 MB'}", "write a duration"},
        {"run('ps')", "table"}, {"read{host = 'nas', path = 'motd'}", "absolute path"},
        {"for i = 1, 21 do run{host = 'nas', argv = {'ps', '-e'}} end", "at most 20 commands"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bench_expect(b, wrong[i][0], NG_SCRIPT_NOTHING, wrong[i][1]);
    }
}

static bool not_yet(
    void *context, const struct ng_script_ask *ask, struct ng_script_answer *answer) {
    (void)ask;
    (void)answer;
    ++*(int *)context;
    return false;
}

static void test_a_script_waits_for_its_answer(void **state) {
    struct bench *b = *state;
    int asked = 0;
    const char *text = "pcall(run, {host = 'nas', argv = {'ps'}}) held('went on')";
    bench_run(b, text);
    b->call.ask = not_yet;
    b->call.context = &asked;
    b->call.waits = false;
    b->call.said = NG_SCRIPT_NOTHING;
    ng_lua_run_call(&b->call);
    assert_true(b->call.waits && asked == 1);
    assert_int_equal(b->call.said, NG_SCRIPT_NOTHING);
    assert_null(b->call.error);
    b->call.ask = NULL;
    b->call.waits = false;
    ng_lua_run_call(&b->call);
    assert_int_equal(b->call.said, NG_SCRIPT_HELD); /* it caught "no command can be run here" */
}

static void test_facts(void **state) {
    struct bench *b = *state;
    static const char frames[] =
        F("uname", "Linux 6.1.0 x86_64\n") F("loadavg", "0.50 0.40 0.30 1/100 200\n")
            F("mdstat", "Personalities : [raid1]\nunused devices: <none>\n") END;
    b->facts[1] = ng_facts_parse(&b->arena, "nas", "t", frames, sizeof frames - 1);
    bench_expect(b, "local f, why = facts('client') assert(not f) held(why)", NG_SCRIPT_HELD,
        "it could not be asked");
    bench_expect(b,
        "local f = facts('nas')\n"
        "assert(f == facts('nas') and f.nothing == nil and type(f.load) == 'table')\n"
        "held(f.platform.kernel)",
        NG_SCRIPT_HELD, "6.1.0");
    bench_expect(b, "facts('nas').load.x = 1", NG_SCRIPT_NOTHING, "read-only");
    bench_expect(b, "facts('nas').load['1'] = 1", NG_SCRIPT_NOTHING, "read-only");
    bench_expect(b, "held(source('nas', 'loadavg'))", NG_SCRIPT_HELD, "0.50 0.40");
    bench_expect(b, "local t, why = source('nas', 'nothing') assert(not t) held(why)",
        NG_SCRIPT_HELD, "nothing");
    bench_expect(b, "facts('who')", NG_SCRIPT_NOTHING, "there is no host \"who\"");
    bench_expect(b,
        "local n = 0 for k, v in pairs(facts('nas')) do n = n + 1 end held(tostring(n))",
        NG_SCRIPT_HELD, "10");
}

/* Where the facts are those of before the run, nobody takes them for new by mistake. */
static void test_old_facts(void **state) {
    struct bench *b = *state;
    static const struct {
        enum ng_script_place place;
        bool old;
    } rows[] = {
        {NG_SCRIPT_PRECONDITION, false},
        {NG_SCRIPT_PHASE, true},
        {NG_SCRIPT_METRICS, true},
        {NG_SCRIPT_BEFORE_RUN, false},
        {NG_SCRIPT_BEFORE_PHASE, true},
        {NG_SCRIPT_AFTER_PHASE, true},
        {NG_SCRIPT_AFTER_RUN, true},
    };
    static const char frames[] = F("loadavg", "0.50 0.40 0.30 1/100 200\n") END;
    b->facts[1] = ng_facts_parse(&b->arena, "nas", "t", frames, sizeof frames - 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        b->call.place = rows[i].place;
        bench_expect(b,
            "local f, why = facts('nas')\nlocal s, also = source('nas', 'loadavg')\n"
            "assert((f == nil) == (s == nil) and why == also)\nheld(why or s)",
            NG_SCRIPT_HELD, rows[i].old ? "they are from before the run" : "0.50 0.40");
        bench_expect(b,
            "assert(facts('nas', 'before_run').load)\n"
            "held(source('nas', 'loadavg', 'before_run'))",
            NG_SCRIPT_HELD, "0.50 0.40");
    }
    bench_expect(b, "facts('nas', 'before')", NG_SCRIPT_NOTHING, "\"before_run\", or nothing");
}

static void test_plan_and_arguments(void **state) {
    struct bench *b = *state;
    bench_arg(b, "host", TEXT("nas"));
    bench_arg(b, "limit", INT(7));
    bench_arg(b, "on", TRUE_VALUE);
    const struct ng_value items[] = {TEXT("a"), TEXT("b")};
    bench_arg(b, "list", (struct ng_value){.kind = NG_VALUE_LIST, .items = items, .count = 2});
    bench_expect(b,
        "assert(args.host == 'nas' and args.limit == 7 and args.on == true)\n"
        "assert(#args.list == 2 and args.list[2] == 'b' and args.none == nil)\n"
        "assert(table.concat(args.list, '+') == 'a+b')\n"
        "for i, v in ipairs(args.list) do assert(v) end\n"
        "assert(select('#', table.unpack(args.list)) == 2)\n"
        "held(plan.hosts[2] .. plan.links.fiber[1].interface .. plan.links.fiber.mtu)",
        NG_SCRIPT_HELD, "naseth09000");
    bench_expect(b, "args.host = 1", NG_SCRIPT_NOTHING, "read-only");
    bench_expect(b, "table.sort(args.list)", NG_SCRIPT_NOTHING, "read-only");
    bench_expect(b, "assert(phase() == nil and results().x == nil) output()", NG_SCRIPT_NOTHING,
        "only the metrics of a command");
}

static void test_results(void **state) {
    struct bench *b = *state;
    struct ng_result *result = ng_result_new();
    struct ng_phase_result *phase = ng_result_add_phase(result);
    phase->name = "wire";
    phase->engine = "iperf3";
    phase->verdict = NG_VERDICT_PASS;
    phase->reason = "fine";
    for (int i = 0; i < 3; i++) {
        struct ng_repeat *repeat = ng_phase_add_repeat(&result->arena, phase);
        static const struct ng_metric_def rate = {
            "throughput", {1, -1}, NG_SPELLING_BITS, NG_BETTER_HIGHER, "", ""};
        repeat->number = i + 1;
        repeat->valid = true;
        ng_repeat_measure(&result->arena, repeat, &rate, 100.0 + i * 10);
    }
    b->call.result = result;
    bench_expect(b,
        "local w = results().wire\n"
        "assert(w.verdict == 'pass' and w.engine == 'iperf3')\n"
        "held(tostring(w.metrics.throughput))",
        NG_SCRIPT_HELD, "110");
    ng_result_free(result);
}

static void test_a_phase_and_a_command(void **state) {
    struct bench *b = *state;
    static const struct ng_kind kind = {.record = {.name = "lua"}};
    static const struct ng_phase phase = {.name = "wire", .kind = &kind};
    static const struct ng_script_answer output = {
        .status = 3, .out = "12 ms", .out_len = 5, .err = "hm", .err_len = 2};
    static const struct ng_script_answer cut = {.out = "1", .out_len = 1, .cut = true};
    b->call.place = NG_SCRIPT_METRICS;
    b->call.output = &output;
    bench_expect(b, "held(output() .. output('err') .. status())", NG_SCRIPT_HELD, "12 mshm3");
    bench_expect(b, "skip('no')", NG_SCRIPT_NOTHING,
        "no meaning in the metrics of a command, which can say: held, broken, unknown, fail");
    b->call.output = &cut;
    bench_expect(b, "output()", NG_SCRIPT_NOTHING, "more than 256 KiB");
    b->call.output = NULL;
    b->call.place = NG_SCRIPT_PHASE;
    b->call.phase = &phase;
    b->call.number = 2;
    bench_expect(b, "local p = phase() held(p.name .. p.engine .. p.number .. tostring(p.valid))",
        NG_SCRIPT_HELD, "wirelua2nil");
    bench_expect(b, "status()", NG_SCRIPT_NOTHING, "only the metrics of a command");
}

static void test_a_hook_after_a_phase(void **state) {
    struct bench *b = *state;
    static const struct ng_kind kind = {.record = {.name = "iperf3"}};
    static const struct ng_phase phase = {.name = "wire", .kind = &kind};
    static const struct ng_metric_def rate = {
        "throughput", {1, -1}, NG_SPELLING_BITS, NG_BETTER_HIGHER, "", ""};
    struct ng_result *result = ng_result_new();
    struct ng_phase_result *measured = ng_result_add_phase(result);
    measured->name = "wire";
    for (int i = 0; i < 2; i++) {
        struct ng_repeat *repeat = ng_phase_add_repeat(&result->arena, measured);
        repeat->valid = i == 0;
        ng_repeat_measure(&result->arena, repeat, &rate, 100.0 + i * 10);
    }
    b->call.result = result;
    b->call.phase = &phase;
    b->call.place = NG_SCRIPT_AFTER_PHASE;
    bench_expect(b,
        "local p = phase() held(p.repeats .. tostring(p.valid) .. p.metrics.throughput)",
        NG_SCRIPT_HELD, "2false100");
    b->call.place = NG_SCRIPT_BEFORE_PHASE;
    bench_expect(b, "local p = phase() held(tostring(p.metrics) .. tostring(p.repeats))",
        NG_SCRIPT_HELD, "nilnil");
    ng_result_free(result);
}

/* Every function has an example, and every example of the page runs as it is. */
static void test_examples(void **state) {
    struct bench *b = *state;
    static const struct ng_metric_def metrics[] = {
        {"latency", {0, 1}, NG_SPELLING_PLAIN, NG_BETTER_LOWER, "", ""},
        {"jobs", {0, 0}, NG_SPELLING_PLAIN, NG_BETTER_NEITHER, "", ""}};
    static const struct given given[] = {{"nproc", 0, "2\n", NULL},
        {"cat -- /proc/loadavg", 0, "0.5 1 1 1/2 3\n", NULL}, {NULL, 0, NULL, NULL}};
    static const struct ng_script_answer output = {.out = "a\nb", .out_len = 3, .err = ""};
    b->given = given;
    b->call.place = NG_SCRIPT_PHASE;
    b->call.metrics = metrics;
    b->call.metric_count = 2;
    b->call.output = &output;
    for (const struct ng_lua_name *row = ng_lua_say_names; row->name != NULL; row++) {
        assert_non_null(row->example);
    }
    for (const struct ng_lua_name *row = ng_lua_lab_names; row->name != NULL; row++) {
        assert_non_null(row->example);
    }
    for (const struct ng_lua_name *row = ng_lua_result_names; row->name != NULL; row++) {
        assert_non_null(row->example);
    }
    for (size_t i = 0; ng_lua_themes[i] != NULL; i++) {
        for (const struct ng_lua_name *row = ng_lua_themes[i]; row->name != NULL; row++) {
            if (row->example != NULL) {
                bench_run(b, row->example);
                if (b->call.error != NULL) {
                    fail_msg("%s: %s\n%s", row->name, b->call.error, row->example);
                }
            }
        }
    }
}

/* Each name once; those with a text also say how they are used. */
static void test_names(void **state) {
    (void)state;
    for (size_t i = 0; ng_lua_themes[i] != NULL; i++) {
        for (const struct ng_lua_name *row = ng_lua_themes[i]; row->name != NULL; row++) {
            assert_ptr_equal(ng_sandbox_find(row->library, row->name), row);
            assert_true((row->help == NULL) == (row->usage == NULL));
        }
    }
}

/* A whole check, with a host, facts, commands and records, whose memory ends at any time. */
static void test_memory_may_end_at_any_time(void **state) {
    struct bench *b = *state;
    static const struct given given[] = {{"ps", 0, "1 init\n2 sh\n", NULL}, {NULL, 0, NULL, NULL}};
    static const char frames[] = F("uname", "Linux 6.1.0 x86_64\n") END;
    b->given = given;
    b->facts[1] = ng_facts_parse(&b->arena, "nas", "t", frames, sizeof frames - 1);
    bench_arg(b, "host", TEXT("nas"));
    static const char text[] =
        "local a = run{host = args.host, argv = {'ps'}}\n"
        "for line in lines(a.out) do record(fields(line)[2], line) end\n"
        "local j = json('{\"a\": [1, {\"b\": \"c\"}]}')\n"
        "record('kernel', facts('nas').platform.kernel .. j.a[2].b)\n"
        "held(keyvalues('a=b').a .. amount(2048, 'size') .. quantity('1 s'))\n";
    bench_expect(b, text, NG_SCRIPT_HELD, "b2 KiB1");
    struct ng_lua lua = {.name = "c.lua", .call = &b->call};
    struct ng_err err = {0};
    assert_true(ng_lua_open(&lua, &err) && ng_lua_load(&lua, text, strlen(text), &err));
    assert_false(ng_lua_run(&lua, &err));
    assert_int_equal(lua.ended, NG_LUA_SAID);
    const uint64_t all = lua.allocations;
    ng_lua_close(&lua);
    for (uint64_t n = 1; n <= all; n++) {
        lua = (struct ng_lua){.name = "c.lua", .call = &b->call, .refuse_from = n};
        err = (struct ng_err){0};
        b->call.records = (struct ng_records){0};
        if (ng_lua_open(&lua, &err)) {
            const bool ok = ng_lua_load(&lua, text, strlen(text), &err) && ng_lua_run(&lua, &err);
            assert_false(ok);
            assert_true(lua.ended == NG_LUA_SAID || err.kind == NG_ERR_LIMIT);
            ng_lua_close(&lua);
        } else {
            assert_int_equal(err.kind, NG_ERR_LIMIT);
        }
        assert_int_equal(lua.memory, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_outcomes, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_errors_have_a_place, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_records, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_metrics, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_commands, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_script_waits_for_its_answer, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_facts, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_old_facts, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_plan_and_arguments, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_results, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_a_phase_and_a_command, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_a_hook_after_a_phase, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_examples, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_names, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(
            test_memory_may_end_at_any_time, bench_set_up, bench_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
