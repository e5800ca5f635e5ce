/* lua: what a script says, asks and gets wrong, as a precondition. The script itself is played
 * here.
 */
#include "tests/unit/conditions/bench.h"

#include "runner/conditions/lua.h"
#include "runner/result/script_call.h"

/* What the script does; set by each test. */
struct play {
    const char *const *argv; /* the command that it asks for; NULL: none */
    enum ng_script_said said;
    const char *reason, *remedy, *error;
    const char *keeps;                /* what it records; NULL: nothing */
    bool looks_back;                  /* it asks for what it recorded before */
    const struct ng_records *earlier; /* that it was given */
    int runs;
};

static struct play *play_of(const struct ng_script_call *call) {
    return (struct play *)(uintptr_t)call->script->text; /* the text stands for what it does */
}

static void run(struct ng_script_call *call) {
    struct play *play = play_of(call);
    struct ng_script_answer answer = {0};
    call->reason = call->printed = "";
    play->runs++;
    play->earlier = call->earlier;
    call->looked_back = play->looks_back;
    if (play->keeps != NULL) {
        ng_records_add(call->arena, &call->records, "kept", "%s", play->keeps);
    }
    if (play->argv != NULL) {
        const struct ng_script_ask ask = {
            .host = &call->plan->hosts[1], .argv = play->argv, .timeout_ns = 1000, .number = 1};
        if (!call->ask(call->context, &ask, &answer)) {
            call->waits = true;
            return;
        }
        ng_records_add(call->arena, &call->records, "answer", "%s",
            answer.failed != NULL ? answer.failed : answer.out);
    }
    call->said = play->said;
    call->reason = play->reason;
    call->remedy = play->remedy;
    call->error = play->error;
}

static const struct ng_scripts scripts = {.run = run};

static struct ng_condition_result judge(struct bench *bench, struct play *play) {
    struct ng_script *script = ng_arena_alloc(&bench->arena, sizeof *script);
    *script = (struct ng_script){.name = "c.lua", .text = (const char *)play, .len = 1};
    const struct ng_lua_params params = {.check = script};
    bench->plan.lua = &scripts;
    return bench_judge(bench, "lua", &params, NULL, NULL);
}

static void test_outcomes(void **state) {
    struct bench *bench = *state;
    struct play held = {.said = NG_SCRIPT_HELD, .reason = "fine"};
    struct ng_condition_result result = judge(bench, &held);
    bench_expect(&result, NG_HELD, "fine", NULL);
    assert_non_null(strstr(bench_looked(&result, "check"), "c.lua, SHA-256 "));
    struct play broken = {.said = NG_SCRIPT_BROKEN, .reason = "job runs", .remedy = "wait"};
    result = judge(bench, &broken);
    bench_expect(&result, NG_BROKEN, "job runs", "wait");
    struct play unknown = {.said = NG_SCRIPT_UNKNOWN, .reason = "no list"};
    result = judge(bench, &unknown);
    bench_expect(&result, NG_UNKNOWN, "no list", "see what c.lua does");
    struct play nothing = {.said = NG_SCRIPT_NOTHING, .reason = ""};
    result = judge(bench, &nothing);
    bench_expect(&result, NG_UNKNOWN, "came to its end", "let it end with held()");
    struct play wrong = {.reason = "", .error = "c.lua:3: error: x [lua]"};
    result = judge(bench, &wrong);
    bench_expect(&result, NG_UNKNOWN, "c.lua:3: error: x [lua]", "correct c.lua");
}

static void test_commands_are_probes(void **state) {
    struct bench *bench = *state;
    static const char *const argv[] = {"ps", "-e o", NULL};
    struct play play = {.argv = argv, .said = NG_SCRIPT_HELD, .reason = "fine"};
    const struct ng_script script = {.name = "c.lua", .text = (const char *)&play, .len = 1};
    const struct ng_lua_params params = {.check = &script};
    bench->plan.lua = &scripts;
    const char *wants = bench_wants(bench, "lua", &params, NULL, NULL);
    assert_non_null(strstr(wants, "nas: c.lua 1: ps '-e o' ("));
    struct ng_condition_result result = bench_judge(bench, "lua", &params, NULL, NULL);
    bench_expect(&result, NG_UNKNOWN, "was not run", "which of its commands");
    char name[200];
    snprintf(name, sizeof name, "%.*s", (int)(strlen(wants) - strlen("nas: ") - strlen("; ")),
        wants + strlen("nas: "));
    bench_say(bench, 1, name, "1 init", "");
    assert_string_equal(bench_wants(bench, "lua", &params, NULL, NULL), "");
    result = bench_judge(bench, "lua", &params, NULL, NULL);
    bench_expect(&result, NG_HELD, "fine", NULL);
    assert_string_equal(bench_looked(&result, "answer"), "1 init");
    assert_non_null(strstr(bench_looked(&result, "command on nas"), "status 0"));
    assert_int_equal(play.runs, 4);
}

static void test_what_is_kept_for_the_next_look(void **state) {
    struct bench *bench = *state;
    struct play play = {.said = NG_SCRIPT_HELD, .reason = "fine", .keeps = "7"};
    const struct ng_script script = {.name = "c.lua", .text = (const char *)&play, .len = 1};
    const struct ng_lua_params params = {.check = &script};
    struct ng_condition_result out = {.held = NG_UNKNOWN};
    const struct ng_records *kept = NULL;
    unsigned rests_on = 7;
    bench->plan.lua = &scripts;
    const struct ng_facts *none[2] = {ng_facts_none(&bench->arena, "a", "not asked"),
        ng_facts_none(&bench->arena, "b", "not asked")};
    struct ng_condition_site site = {
        .arena = &bench->arena, .plan = &bench->plan, .facts = none, .kept = &kept};
    site.rests_on = &rests_on;
    ng_condition_lua.evaluate(&site, &params, &out);
    assert_null(play.earlier);
    assert_non_null(kept);
    assert_int_equal(kept->count, 1);
    assert_string_equal(kept->items[0].value, "7");
    assert_int_equal(rests_on, 0);
    const struct ng_records *again = NULL;
    site.earlier = kept;
    site.kept = &again;
    play.said = NG_SCRIPT_BROKEN;
    play.looks_back = true;
    ng_condition_lua.evaluate(&site, &params, &out);
    assert_ptr_equal(play.earlier, kept);
    assert_non_null(again);
    assert_int_equal(rests_on, NG_RESTS_ON_EARLIER);
    assert_true(ng_condition_lua.asks_again);
}

/* What came to no end is no look that the next one could be compared with. */
static void test_what_came_to_no_end_keeps_nothing(void **state) {
    struct bench *bench = *state;
    static const char *const argv[] = {"ps", NULL};
    const struct ng_facts *none[2] = {ng_facts_none(&bench->arena, "a", "not asked"),
        ng_facts_none(&bench->arena, "b", "not asked")};
    const struct play plays[] = {
        {.said = NG_SCRIPT_UNKNOWN, .reason = "?", .keeps = "7"},
        {.said = NG_SCRIPT_NOTHING, .keeps = "7"},
        {.said = NG_SCRIPT_HELD, .error = "c.lua:1:1: error: x", .keeps = "7"},
        {.argv = argv, .said = NG_SCRIPT_HELD, .keeps = "7"},
    };
    bench->plan.lua = &scripts;
    for (size_t i = 0; i < NG_COUNT(plays); i++) {
        struct play play = plays[i];
        const struct ng_script script = {.name = "c.lua", .text = (const char *)&play, .len = 1};
        const struct ng_lua_params params = {.check = &script};
        struct ng_condition_result out = {.held = NG_UNKNOWN};
        const struct ng_records before = {0};
        const struct ng_records *kept = &before;
        unsigned rests_on = 0;
        const struct ng_condition_site site = {.arena = &bench->arena,
            .plan = &bench->plan,
            .facts = none,
            .kept = &kept,
            .rests_on = &rests_on};
        ng_condition_lua.evaluate(&site, &params, &out);
        assert_int_equal(out.held, NG_UNKNOWN);
        assert_ptr_equal(kept, &before);
        assert_int_equal(rests_on, play.argv != NULL ? NG_RESTS_ON_PROBES : 0);
    }
}

static void test_without_lua_it_is_unknown(void **state) {
    struct bench *bench = *state;
    const struct ng_script script = {.name = "c.lua", .text = "", .len = 0};
    const struct ng_lua_params params = {.check = &script};
    const struct ng_condition_result result = bench_judge(bench, "lua", &params, NULL, NULL);
    bench_expect(&result, NG_UNKNOWN, "there is no Lua here", "nasgate itself");
    assert_string_equal(bench_wants(bench, "lua", &params, NULL, NULL), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_outcomes, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(test_commands_are_probes, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(
            test_what_is_kept_for_the_next_look, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(
            test_what_came_to_no_end_keeps_nothing, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(
            test_without_lua_it_is_unknown, bench_set_up, bench_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
