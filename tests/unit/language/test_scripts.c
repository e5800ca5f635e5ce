/* Files of Lua in plans: names, arguments, metrics, and who finds them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "plans/language/effective.h"
#include "plans/language/load.h"
#include "plans/language/value.h"

struct check_params {
    const struct ng_script *check;
    const struct ng_value *args;
};

static const struct ng_field check_fields[] = {
    {.name = "check", .type = NG_FIELD_SCRIPT, .flags = NG_REQUIRED, .help = "file"},
    {.name = "args",
        .type = NG_FIELD_VALUES,
        .offset = offsetof(struct check_params, args),
        .help = "arguments"},
};

static const struct ng_kind check_kind = {.record = {.name = "lua",
                                              .fields = check_fields,
                                              .count = NG_COUNT(check_fields),
                                              .size = sizeof(struct check_params),
                                              .shorthand = "check",
                                              .help = "a check"},
    .beside = "args",
    .hooks = true};

struct phase_params {
    struct ng_metrics metrics;
};

static const struct ng_field phase_fields[] = {
    {.name = "metrics", .type = NG_FIELD_METRICS, .help = "metrics"},
};

static const struct ng_metric_def *own_metrics(const void *params, size_t *count) {
    const struct phase_params *given = params;
    *count = given->metrics.count;
    return given->metrics.items;
}

static const struct ng_kind phase_kind = {.record = {.name = "script",
                                              .fields = phase_fields,
                                              .count = NG_COUNT(phase_fields),
                                              .size = sizeof(struct phase_params),
                                              .help = "a phase"},
    .own_metrics = own_metrics};

static const struct ng_kind *const conditions[] = {&check_kind};
static const struct ng_kind *const engines[] = {&phase_kind};
static const struct ng_vocabulary vocabulary = {
    .engines = engines, .engine_count = 1, .conditions = conditions, .condition_count = 1};

/* "known.lua" and "dir/known.lua" are there; each is looked up once. */
static bool find(void *context, struct ng_arena *arena, const char *name, struct ng_script *out,
    struct ng_err *err) {
    (void)arena;
    ++*(int *)context;
    if (strstr(name, "known.lua") == NULL) {
        return ng_err_set(err, NG_ERR_PLAN, "there is no %s", name);
    }
    out->file = name;
    out->text = "held()";
    out->len = 6;
    return true;
}

static void check(const struct ng_script *script, struct ng_diags *diags) {
    if (strncmp(script->name, "bad", 3) == 0) {
        ng_diag_error(diags, (struct ng_pos){script->file, 7, 2}, "lua-syntax", "wrong");
    }
}

#define HEAD "nasgate: 1\nname: p\ntopology:\n  hosts: {nas: local}\npreconditions:\n"
#define PHASES "phases:\n  - name: a\n    script: {metrics: {x: ms}}\n    pass: [x <= 1 s]\n"

struct loaded {
    struct ng_arena arena;
    struct ng_diags diags;
    struct ng_plan *plan;
    int found;
};

static struct loaded load(const char *preconditions, const char *phases) {
    struct loaded loaded = {0};
    ng_arena_init(&loaded.arena);
    loaded.diags.arena = &loaded.arena;
    const struct ng_scripts scripts = {.find = find, .check = check, .context = &loaded.found};
    const struct ng_load_options options = {.vocabulary = &vocabulary, .lua = &scripts};
    const char *text = ng_arena_printf(&loaded.arena, HEAD "%s%s", preconditions, phases);
    loaded.plan = ng_plan_load_text("p.yaml", text, strlen(text), &options, &loaded.diags);
    return loaded;
}

static void release(struct loaded *loaded) {
    ng_plan_free(loaded->plan);
    ng_arena_release(&loaded->arena);
}

static const struct check_params *params_of(const struct loaded *loaded, size_t i) {
    return loaded->plan->preconditions[i].params;
}

static void tell(const struct loaded *loaded) {
    struct ng_buf out;
    ng_buf_init(&out, 65536);
    ng_diags_format(&loaded->diags, &out);
    if (loaded->plan == NULL) {
        fail_msg("%s", ng_buf_text(&out));
    }
    ng_buf_release(&out);
}

static void test_all_forms_mean_the_same(void **state) {
    (void)state;
    struct loaded loaded =
        load("  - lua: known\n"
             "  - {lua: dir/known.lua, host: nas, limit: 3}\n"
             "  - {host: nas, lua: known, unknown: allow}\n"
             "  - lua: {check: known.lua, args: {list: [a, 1.5, true, {k: v}]}}\n",
            PHASES);
    tell(&loaded);
    assert_int_equal(loaded.plan->precondition_count, 4);
    assert_int_equal(loaded.plan->script_count, 2);
    assert_int_equal(loaded.found, 2);
    assert_ptr_equal(params_of(&loaded, 0)->check, params_of(&loaded, 2)->check);
    assert_string_equal(params_of(&loaded, 1)->check->name, "dir/known.lua");
    assert_string_equal(ng_value_get(params_of(&loaded, 1)->args, "host")->text, "nas");
    assert_int_equal(ng_value_get(params_of(&loaded, 1)->args, "limit")->whole, 3);
    assert_true(loaded.plan->preconditions[2].allow_unknown);
    assert_null(ng_value_get(params_of(&loaded, 2)->args, "unknown"));
    const struct ng_value *list = ng_value_get(params_of(&loaded, 3)->args, "list");
    assert_int_equal(list->count, 4);
    assert_true(list->items[1].number == 1.5 && list->items[2].truth);
    assert_string_equal(ng_value_get(&list->items[3], "k")->text, "v");
    static const char *const ids[] = {
        "lua-known", "lua-dir-known-nas", "lua-known-nas", "lua-known-2"};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(loaded.plan->preconditions[i].id, ids[i]);
    }
    release(&loaded);
}

static void test_the_effective_plan_loads_again(void **state) {
    (void)state;
    struct loaded loaded =
        load("  - {lua: known, host: nas, t: \"1\", n: -2, f: 2.0, l: [a]}\n", PHASES);
    tell(&loaded);
    struct ng_buf text;
    ng_buf_init(&text, 65536);
    ng_effective_write(loaded.plan, &text);
    const struct ng_scripts scripts = {.find = find, .check = check, .context = &loaded.found};
    const struct ng_load_options options = {.vocabulary = &vocabulary, .lua = &scripts};
    struct ng_plan *again =
        ng_plan_load_text("e.yaml", ng_buf_text(&text), text.len, &options, &loaded.diags);
    assert_non_null(again);
    const struct check_params *params = again->preconditions[0].params;
    assert_int_equal(ng_value_get(params->args, "t")->kind, NG_VALUE_TEXT);
    assert_int_equal(ng_value_get(params->args, "n")->whole, -2);
    assert_int_equal(ng_value_get(params->args, "f")->kind, NG_VALUE_NUMBER);
    const struct phase_params *phase = again->phases[0].params;
    assert_string_equal(phase->metrics.items[0].name, "x");
    ng_plan_free(again);
    ng_buf_release(&text);
    release(&loaded);
}

static void expect(const char *preconditions, const char *phases, const char *line) {
    struct loaded loaded = load(preconditions, phases);
    struct ng_buf out;
    ng_buf_init(&out, 65536);
    ng_diags_format(&loaded.diags, &out);
    if (loaded.plan != NULL || strstr(ng_buf_text(&out), line) == NULL) {
        fail_msg(
            "%s%s\n--- gives\n%s--- wanted %s", preconditions, phases, ng_buf_text(&out), line);
    }
    ng_buf_release(&out);
    release(&loaded);
}

static void test_errors(void **state) {
    (void)state;
    expect("  - lua: gone\n", PHASES, "p.yaml:6:10: error: there is no gone.lua [lua-file]");
    expect("  - lua: ../known\n", PHASES, "is no name of a file");
    expect("  - lua: /etc/known.lua\n", PHASES, "it must be relative");
    expect("  - lua: a//known\n", PHASES, "is no name of a file");
    expect("  - lua: \"a b/known\"\n", PHASES, "is no name of a file");
    expect("  - lua: bad-known\n", PHASES, "bad-known.lua:7:2: error: wrong [lua-syntax]");
    expect("  - {lua: known, host: nass}\n", PHASES, "unknown host \"nass\"");
    expect("  - {lua: known, n: null}\n", PHASES, "cannot be an argument");
    expect("  - {lua: known, n: yes}\n", PHASES, "[disputed]");
    expect("  - lua: {check: known, host: nas}\n", PHASES,
        "unknown key \"host\" in lua; what a script is given stands in args: write \"args: {host: "
        "...}\" [unknown-key]");
    expect("  - {lua: {check: known}, host: nas}\n", PHASES,
        "p.yaml:6:27: error: \"host\" cannot stand beside a map; put it into args: {lua: {check: "
        "..., args: {host: ...}}} [type]");
    expect("  - {lua: {check: known}, when: before}\n", PHASES,
        "\"when\" stands among the keys of lua; put it there [type]");
    expect("  - {lua: {check: known}, lua: known}\n", PHASES, "[duplicate-key]");
    expect("  - lua: known\n", "phases:\n  - {name: a, script: {metrics: {x: parsec}}}\n",
        "is no unit");
    expect("  - lua: known\n", "phases:\n  - {name: a, script: {metrics: {x: mb/s}}}\n",
        "did you mean");
    expect("  - lua: known\n", "phases:\n  - {name: a, script: {metrics: {1x: ms}}}\n",
        "is no name of a metric");
    expect("  - lua: known\n",
        "phases:\n  - {name: a, script: {metrics: {x: ms}}, pass: [y <= 1 s]}\n",
        "unknown name \"y\"");
    expect("  - lua: known\n",
        "phases:\n  - {name: a, script: {metrics: {x: ms}}, pass: [x <= 1 MB]}\n", "[dimension]");
    expect("  - lua: known\n",
        "phases:\n  - {name: a, script: {metrics: {x: {unit: ms, better: up}}}}\n",
        "better: expected");
}

/* What has a meaning of its own in thresholds cannot name a metric, and neither can what would hide
 * a metric of a phase. */
static void test_names_of_metrics(void **state) {
    (void)state;
    static const char *const reserved[] = {
        "baseline", "host", "link", "of", "volume", "within", "host.x", "of.x"};
    struct ng_arena arena;
    ng_arena_init(&arena);
    for (size_t i = 0; i < NG_COUNT(reserved); i++) {
        expect("  - lua: known\n",
            ng_arena_printf(
                &arena, "phases:\n  - {name: a, script: {metrics: {%s: ms}}}\n", reserved[i]),
            "which has a meaning of its own in thresholds [name]");
        expect("  - lua: known\n",
            ng_arena_printf(
                &arena, "phases:\n  - {name: %s, script: {metrics: {a: ms}}}\n", reserved[i]),
            "has a meaning of its own in thresholds; choose another [name]");
    }
    expect("  - lua: known\n",
        "phases:\n  - {name: b, script: {metrics: {x: ms}}}\n"
        "  - {name: a, script: {metrics: {x: ms, b.x: ms}}}\n",
        "p.yaml:9:41: error: a metric of a cannot be called \"b.x\": in thresholds that is a "
        "metric "
        "of the phase b (line 8) [name]");
    expect("  - lua: known\n", "phases:\n  - {name: b, script: {metrics: {b.x: ms}}}\n",
        "cannot be called \"b.x\"");
    ng_arena_release(&arena);
}

/* What could not be read may be what a threshold names: one error, not two. */
static void test_one_error_of_a_metric(void **state) {
    (void)state;
    struct loaded loaded = load("  - lua: known\n",
        "phases:\n  - {name: a, script: {metrics: {x: parsec}}, pass: [x <= 1 ms]}\n"
        "  - {name: b, script: {metrics: {y: ms}}, pass: [a.x <= 1 ms, y <= 1 ms]}\n");
    assert_int_equal(loaded.diags.errors, 1);
    release(&loaded);
}

#define HOOKS "  - lua: known\nhooks:\n"

static void test_hooks(void **state) {
    (void)state;
    struct loaded loaded =
        load(HOOKS "  before_run: [{lua: known, host: nas, limit: 3}, {lua: known}]\n"
                   "  after_phase:\n    - lua: {check: dir/known}\n"
                   "    - lua: dir/known.lua\n",
            PHASES);
    tell(&loaded);
    const struct ng_hooks *before = &loaded.plan->hooks[NG_HOOK_BEFORE_RUN];
    const struct ng_hooks *after = &loaded.plan->hooks[NG_HOOK_AFTER_PHASE];
    assert_int_equal(before->count, 2);
    assert_string_equal(before->items[0].id, "before_run-known-nas");
    assert_string_equal(before->items[1].id, "before_run-known");
    const struct check_params *params = before->items[0].params;
    assert_int_equal(ng_value_get(params->args, "limit")->whole, 3);
    assert_int_equal(before->items[0].pos.line, 8);
    assert_int_equal(after->count, 2);
    assert_string_equal(after->items[0].id, "after_phase-dir-known");
    assert_string_equal(after->items[1].id, "after_phase-dir-known-2");
    assert_int_equal(loaded.plan->hooks[NG_HOOK_AFTER_RUN].count, 0);
    assert_int_equal(loaded.found, 2); /* each file once */
    struct ng_buf text;
    ng_buf_init(&text, 65536);
    ng_effective_write(loaded.plan, &text);
    const struct ng_scripts scripts = {.find = find, .check = check, .context = &loaded.found};
    const struct ng_load_options options = {.vocabulary = &vocabulary, .lua = &scripts};
    struct ng_plan *again =
        ng_plan_load_text("e.yaml", ng_buf_text(&text), text.len, &options, &loaded.diags);
    assert_non_null(again);
    assert_string_equal(again->hooks[NG_HOOK_BEFORE_RUN].items[0].id, "before_run-known-nas");
    assert_int_equal(again->hooks[NG_HOOK_AFTER_PHASE].count, 2);
    ng_plan_free(again);
    ng_buf_release(&text);
    release(&loaded);
}

static void test_wrong_hooks(void **state) {
    (void)state;
    expect(HOOKS "  before_runs: []\n", PHASES, "did you mean \"before_run\"? [unknown-key]");
    expect(HOOKS "  whenever: []\n", PHASES,
        "there are before_run, before_phase, after_phase and after_run");
    expect("  - lua: known\nhooks: []\n", PHASES, "hooks: expected a map");
    expect(HOOKS "  before_run: {lua: known}\n", PHASES, "before_run: expected a list");
    expect(HOOKS "  before_run: [known]\n", PHASES, "a hook is a script");
    expect(HOOKS "  before_run: [{mounted: x}]\n", PHASES, "a hook is a script");
    expect(HOOKS "  before_run: [lua: gone]\n", PHASES, "there is no gone.lua");
    expect(HOOKS "  before_run: [lua: bad-known]\n", PHASES, "bad-known.lua:7:2: error: wrong");
    expect(HOOKS "  before_run: [{lua: known, unknown: allow}]\n", PHASES,
        "p.yaml:8:29: error: hooks have no \"unknown\", which is for preconditions; remove it");
    expect(HOOKS "  before_run: [lua: {check: known, when: during}]\n", PHASES,
        "hooks have no \"when\"");
    expect(HOOKS "  before_run: [{lua: {check: known}, host: nas}]\n", PHASES,
        "put it into args: {lua: {check: ..., args: {host: ...}}}");
}

static void test_metrics_have_dimensions(void **state) {
    (void)state;
    struct loaded loaded = load("  - lua: known\n",
        "phases:\n  - name: a\n    script:\n      metrics:\n"
        "        wire: {unit: Gbit/s, better: higher}\n"
        "        share: \"%\"\n        jobs: count\n        io: IOPS\n"
        "    pass: [wire >= 1 Gbit/s, share <= 50%, jobs == 0, io >= 1 "
        "IOPS]\n  - name: b\n    script: {}\n    predict: [a.jobs == 1]\n");
    tell(&loaded);
    const struct ng_metric_def *wire = ng_phase_metric(&loaded.plan->phases[0], "wire");
    assert_int_equal(wire->spelling, NG_SPELLING_BITS);
    assert_int_equal(wire->better, NG_BETTER_HIGHER);
    assert_int_equal(
        ng_phase_metric(&loaded.plan->phases[0], "share")->spelling, NG_SPELLING_SHARE);
    assert_int_equal(ng_phase_metric_count(&loaded.plan->phases[0]), 4);
    assert_null(ng_phase_metric(&loaded.plan->phases[1], "wire"));
    release(&loaded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_forms_mean_the_same),
        cmocka_unit_test(test_the_effective_plan_loads_again),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_names_of_metrics),
        cmocka_unit_test(test_one_error_of_a_metric),
        cmocka_unit_test(test_hooks),
        cmocka_unit_test(test_wrong_hooks),
        cmocka_unit_test(test_metrics_have_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
