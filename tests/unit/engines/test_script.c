/* Engines that run a script: what they ask for, and what becomes of what it says. The script itself
 * is played here. */
#include "tests/unit/engines/lab.h"

#include "runner/engines/command.h"
#include "runner/engines/lua.h"

/* What the script does; set by each test. */
static struct play {
    const char *const *asks[3]; /* the commands that it asks for, in order */
    enum ng_script_said said;
    const char *reason, *remedy, *error;
    int measures;     /* how many of the metrics */
    const char *seen; /* of the last answer, or of the output */
} play;

static bool ask_all(struct ng_script_call *call) {
    struct ng_script_answer answer = {0};
    for (int i = 0; i < 3 && play.asks[i] != NULL; i++) {
        const struct ng_script_ask ask = {
            .host = &call->plan->hosts[1], .argv = play.asks[i], .timeout_ns = 5, .number = i + 1};
        if (!call->ask(call->context, &ask, &answer)) {
            call->waits = true;
            return false;
        }
        play.seen = answer.failed != NULL ? answer.failed : answer.out;
    }
    return true;
}

static void run(struct ng_script_call *call) {
    call->reason = call->printed = "";
    play.seen = call->output != NULL ? call->output->out : NULL;
    if (call->ask != NULL && !ask_all(call)) {
        return;
    }
    for (int i = 0; i < play.measures; i++) {
        call->measures = ng_arena_grow(call->arena, call->measures, call->measure_count,
            &call->measure_capacity, sizeof *call->measures);
        call->measures[call->measure_count++] =
            (struct ng_script_measure){&call->metrics[i], 2.0 + i};
    }
    call->said = play.said;
    call->reason = play.reason != NULL ? play.reason : "";
    call->remedy = play.remedy;
    call->error = play.error;
}

static const struct ng_scripts scripts = {.run = run};
static const struct ng_script script = {.name = "c.lua", .text = "x", .len = 1};
static const struct ng_metric_def metrics[] = {
    {"n", {0, 0}, NG_SPELLING_PLAIN, NG_BETTER_NEITHER, "", ""},
    {"lat", {0, 1}, NG_SPELLING_PLAIN, NG_BETTER_LOWER, "", ""}};
static const char *const units[] = {"count", "ms"};
static const struct ng_lua_phase lua_params = {
    .check = &script, .metrics = {metrics, units, NG_COUNT(metrics)}};

/* A site without a plan's text: files of Lua are not loaded here. */
static void open_lab(struct lab *lab, const struct ng_engine *engine, const void *params) {
    memset(lab, 0, sizeof *lab);
    memset(&play, 0, sizeof play);
    ng_arena_init(&lab->arena);
    lab_topology(lab);
    lab->plan.lua = &scripts;
    lab->engine = engine;
    lab->phase =
        (struct ng_phase){.name = "point", .kind = &engine->kind, .params = params, .repeat = 1};
    lab->site = (struct ng_site){
        .arena = &lab->arena, .plan = &lab->plan, .phase = &lab->phase, .repeat = 1, .seed = 42};
    assert_true(engine->build(&lab->site, &lab->commands, &lab->err));
}

static void test_commands_one_after_the_other(void **state) {
    (void)state;
    static const char *const ps[] = {"ps", "-e", NULL};
    static const char *const df[] = {"df", NULL};
    struct lab lab;
    struct ng_commands more = {0};
    open_lab(&lab, &ng_lua_engine, &lua_params);
    play = (struct play){.asks = {ps, df}, .measures = 2};
    assert_int_equal(lab.commands.count, 0);
    lab.engine->next(&lab.site, &lab.commands, NULL, 0, &more);
    assert_int_equal(more.count, 1);
    lab.commands.items[lab.commands.count++] = more.items[0];
    assert_string_equal(lab_argv(&lab, 0), "ps -e");
    assert_ptr_equal(lab.commands.items[0].host, &lab.hosts[1]);
    assert_int_equal(lab.commands.items[0].deadline_ns, 5);
    const struct ng_reply replies[] = {
        lab_reply(&lab, 0, "1 init", ""), lab_reply(&lab, 0, "/", "")};
    more = (struct ng_commands){0};
    lab.engine->next(&lab.site, &lab.commands, replies, 1, &more);
    assert_string_equal(play.seen, "1 init");
    assert_int_equal(more.count, 1);
    lab.commands.items[lab.commands.count++] = more.items[0];
    assert_string_equal(lab_argv(&lab, 1), "df");
    more = (struct ng_commands){0};
    lab.engine->next(&lab.site, &lab.commands, replies, 2, &more);
    assert_int_equal(more.count, 0);
    assert_true(lab_parse(&lab, replies, 2));
    assert_true(lab_value(&lab, "n") == 2 && lab_value(&lab, "lat") == 3);
    assert_int_equal(lab.repeat.duration_ns, 10 * NG_NS_PER_S);
    assert_false(lab_parse(&lab, replies, 1));
    lab_assert_error(&lab, "was not run");
    /* An answer belongs to the command that was asked for, and to no other. */
    play.asks[0] = df;
    assert_false(lab_parse(&lab, replies, 2));
    lab_assert_error(&lab, "was not run");
    lab_close(&lab);
}

static void test_a_stopped_command_is_no_answer(void **state) {
    (void)state;
    static const char *const ps[] = {"ps", NULL};
    struct lab lab;
    struct ng_commands more = {0};
    open_lab(&lab, &ng_lua_engine, &lua_params);
    play = (struct play){.asks = {ps}, .measures = 2};
    lab.engine->next(&lab.site, &lab.commands, NULL, 0, &more);
    lab.commands.items[lab.commands.count++] = more.items[0];
    struct ng_reply reply = lab_reply(&lab, 0, "1 init", "");
    reply.how = NG_ENDED_STOPPED;
    assert_false(lab_parse(&lab, &reply, 1));
    reply.how = NG_ENDED_DEADLINE;
    assert_true(lab_parse(&lab, &reply, 1));
    assert_string_equal(play.seen, "it ended early (deadline)");
    lab_close(&lab);
}

static void test_outcomes(void **state) {
    (void)state;
    struct lab lab;
    open_lab(&lab, &ng_lua_engine, &lua_params);
    const struct {
        struct play play;
        bool valid;
        const char *words; /* of the error, or of the finding */
        enum ng_finding_weight weight;
    } rows[] = {
        {{.measures = 2}, true, NULL, 0},
        {{.measures = 2, .said = NG_SCRIPT_HELD}, true, NULL, 0},
        {{.measures = 1}, false, "c.lua did not measure \"lat\"", 0},
        {{.measures = 1, .said = NG_SCRIPT_HELD}, false, "did not measure \"lat\"", 0},
        {{.said = NG_SCRIPT_FAIL, .reason = "slow"}, true, "slow", NG_FINDING_FAIL},
        {{.said = NG_SCRIPT_BROKEN, .reason = "job", .remedy = "wait"}, true, "job; wait",
            NG_FINDING_INCONCLUSIVE},
        {{.said = NG_SCRIPT_UNKNOWN, .reason = "no"}, true, "no", NG_FINDING_INCONCLUSIVE},
        {{.said = NG_SCRIPT_SKIP, .reason = "not here"}, false, "skipped: not here",
            NG_FINDING_SKIP},
        {{.measures = 2, .error = "c.lua:3: error: x"}, false, "c.lua:3: error: x", 0},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        play = rows[i].play;
        assert_int_equal(lab_parse(&lab, NULL, 0), rows[i].valid);
        const struct ng_finding *finding = lab_finding(&lab, NG_RULE_SCRIPT);
        assert_int_equal(finding != NULL, rows[i].weight != 0);
        if (!rows[i].valid) {
            lab_assert_error(&lab, rows[i].words);
        } else if (finding != NULL) {
            assert_string_equal(finding->text, rows[i].words);
        }
        assert_true(finding == NULL || finding->weight == rows[i].weight);
        assert_false(lab.transient);
    }
    lab.plan.lua = NULL;
    assert_false(lab_parse(&lab, NULL, 0));
    lab_assert_error(&lab, "there is no Lua here");
    lab_close(&lab);
}

static void test_a_command(void **state) {
    (void)state;
    static const char *const words[] = {"true", "a b"};
    static const struct ng_extract extract = {.check = &script};
    struct ng_command_phase params = {
        .argv = {.items = words, .count = 2}, .metrics = {metrics, units, 1}};
    struct lab lab;
    open_lab(&lab, &ng_command_engine, &params);
    ng_commands_release(&lab.commands);
    params.host = &lab.hosts[1];
    assert_true(lab.engine->build(&lab.site, &lab.commands, &lab.err));
    assert_string_equal(lab_argv(&lab, 0), "true a b");
    assert_true(lab.commands.items[0].measures && lab.commands.items[0].deadline_ns > 0);
    const struct ng_reply good = lab_reply(&lab, 0, "7", "");
    const struct ng_reply bad = lab_reply(&lab, 4, "", "out of luck");
    assert_true(lab_parse(&lab, &good, 1));
    assert_true(lab_value(&lab, "duration") == 10 && !lab_has(&lab, "n"));
    params.extract = &extract;
    play = (struct play){.measures = 1};
    assert_true(lab_parse(&lab, &good, 1));
    assert_true(lab_value(&lab, "n") == 2);
    assert_string_equal(play.seen, "7");
    assert_false(lab_parse(&lab, &bad, 1));
    lab_assert_error(&lab, "true failed with status 4: out of luck");
    params.status = 1;
    assert_true(lab_parse(&lab, &bad, 1));
    struct ng_reply late = good;
    late.how = NG_ENDED_DEADLINE;
    assert_false(lab_parse(&lab, &late, 1));
    struct ng_reply cut = good;
    cut.out_cut = 1;
    assert_false(lab_parse(&lab, &cut, 1));
    assert_false(lab_parse(&lab, &good, 0));
    lab_close(&lab);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_one_after_the_other),
        cmocka_unit_test(test_a_stopped_command_is_no_answer),
        cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_a_command),
    };
    return cmocka_run_group_tests_name("engines.script", tests, NULL, NULL);
}
