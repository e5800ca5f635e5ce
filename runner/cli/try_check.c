/* One check in Lua run over the evidence of a bundle. */
#include "runner/cli/try_check.h"

#include <stdio.h>
#include <string.h>

#include "runner/cli/ci_text.h"
#include "runner/cli/cli.h"
#include "runner/conditions/lua.h"
#include "runner/engines/command.h"
#include "runner/engines/lua.h"
#include "runner/execute/run.h"
#include "runner/execute/survey.h"
#include "runner/result/verdict.h"
#include "runner/transport/replay.h"

enum { TEXT_CAP = 1024 * 1024 };

/* What lives only while it runs. */
struct stage {
    struct ng_tape *tape;
    struct ng_plan *plan;
    struct ng_schedule *schedule;
    struct ng_loop *loop;
    struct ng_transport *replay;
    struct ng_result *result;
};

/* "checks/disks.lua" of the plan for "DIR/checks/disks.lua": its errors name the same
 * place as in a run. */
static bool is_name_of(const char *name, const char *file) {
    const size_t len = strlen(name);
    const size_t whole = strlen(file);
    return whole >= len && strcmp(file + whole - len, name) == 0 &&
           (whole == len || file[whole - len - 1] == '/');
}

static const struct ng_script *in_plan(const struct ng_plan *plan, const char *file) {
    for (size_t i = 0; i < plan->script_count; i++) {
        if (is_name_of(plan->scripts[i]->name, file)) {
            return plan->scripts[i];
        }
    }
    return NULL;
}

/* Where a plan has a script beside its preconditions. */
struct use {
    const char *words; /* NULL: nowhere, or as a precondition as well */
    const char *name;  /* of the phase or hook */
};

static const struct ng_script *of_phase(const struct ng_phase *phase, const char **words) {
    const struct ng_lua_phase *lua = phase->params;
    const struct ng_command_phase *command = phase->params;
    *words = phase->kind == &ng_lua_engine.kind ? "the measurement of the phase"
                                                : "the extraction of the phase";
    return phase->params == NULL                ? NULL
           : phase->kind == &ng_lua_engine.kind ? lua->check
           : phase->kind == &ng_command_engine.kind && command->extract != NULL
               ? command->extract->check
               : NULL;
}

static struct use use_of(const struct ng_plan *plan, const struct ng_script *script) {
    struct use use = {NULL, ""};
    for (size_t i = 0; i < plan->precondition_count; i++) {
        const struct ng_lua_params *params = plan->preconditions[i].params;
        if (plan->preconditions[i].kind == &ng_condition_lua.kind && params->check == script) {
            return use;
        }
    }
    for (size_t i = 0; i < plan->phase_count; i++) {
        const char *words = NULL;
        if (of_phase(&plan->phases[i], &words) == script) {
            return (struct use){words, plan->phases[i].name};
        }
    }
    for (int place = 0; place < NG_HOOK_PLACE_COUNT; place++) {
        for (size_t i = 0; i < plan->hooks[place].count; i++) {
            const struct ng_lua_params *params = plan->hooks[place].items[i].params;
            if (params->check == script) {
                return (struct use){"the hook", plan->hooks[place].items[i].id};
            }
        }
    }
    return use;
}

/* The commands of phases and hooks are asked while the run goes on, and what those scripts see is
 * of that time: a replay runs them where they stand. */
static bool is_for_replay(const struct ng_plan *plan, const struct ng_script *script,
    const char *bundle, struct ng_err *err) {
    const struct use use = use_of(plan, script);
    if (use.words == NULL) {
        return false;
    }
    ng_err_set(err, NG_ERR_USAGE,
        "%.200s is %s %.100s in that plan, and --facts runs a script as a precondition only: what "
        "this "
        "one "
        "sees and asks is of its time in the run. Replay it where it stands: \"nasgate replay "
        "--plan PLAN %.200s\", with the plan beside which the script was changed",
        script->name, use.words, use.name, bundle);
    return true;
}

/* The plan of the bundle, with the check as its one precondition. */
static void ask_only(
    struct ng_plan *plan, const struct ng_script *script, const struct ng_value *args) {
    struct ng_lua_params *params = ng_arena_alloc(&plan->arena, sizeof *params);
    struct ng_precondition *item = ng_arena_alloc(&plan->arena, sizeof *item);
    *params = (struct ng_lua_params){script, args};
    *item = (struct ng_precondition){.id = "lua",
        .pos = {script->file, 1, 1},
        .kind = &ng_condition_lua.kind,
        .params = params,
        .when = ng_when_of(&ng_condition_lua.kind, 0)};
    plan->preconditions = item;
    plan->precondition_count = 1;
}

static bool set_up(const char *bundle, struct stage *stage, struct ng_err *err) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    stage->tape = ng_tape_read(ng_arena_printf(&arena, "%s/evidence", bundle), err);
    if (stage->tape == NULL) {
        ng_err_wrap(err,
            "%s has no evidence that can be read (a bundle made by replay has none: use the run's "
            "own)",
            bundle);
    } else {
        const struct ng_evidence_head *head = &stage->tape->head;
        size_t count = 0;
        while (head->settings != NULL && head->settings[count] != NULL) {
            count++;
        }
        stage->plan =
            ng_cli_load_file(ng_arena_printf(&arena, "%s/plan.yaml", bundle), head->plan_file,
                ng_arena_printf(&arena, "%s/lua", bundle), head->settings, count, NULL);
        if (stage->plan == NULL) {
            ng_err_set(err, NG_ERR_PLAN, "the plan of %s cannot be used", bundle);
        }
    }
    ng_arena_release(&arena);
    return stage->plan != NULL;
}

static bool survey(struct stage *stage, struct ng_err *err) {
    const struct ng_evidence_head *head = &stage->tape->head;
    const struct ng_selection all = {0};
    stage->schedule = ng_schedule_new(stage->plan, &all, head->seed, err);
    if (stage->schedule == NULL) {
        return false;
    }
    stage->result = ng_run_result(stage->schedule, head);
    stage->loop = ng_loop_new_by_hand(0, head->started_wall_ns);
    stage->replay = ng_replay_new(stage->tape, stage->loop);
    const struct ng_run_options options = {
        .schedule = stage->schedule,
        .loop = stage->loop,
        .transport = stage->replay,
        .other_plan = true,
        .result = stage->result,
    };
    struct ng_survey look = {.options = &options};
    ng_survey(&look);
    ng_survey_release(&look);
    return true;
}

static void tear_down(struct stage *stage) {
    ng_transport_free(stage->replay);
    ng_loop_free(stage->loop);
    ng_result_free(stage->result);
    ng_schedule_free(stage->schedule);
    ng_plan_free(stage->plan);
    ng_tape_free(stage->tape);
}

/* The check's own outcome: others are implied by the plan's phases. */
static const struct ng_condition_result *outcome_of(const struct ng_result *result) {
    for (size_t i = 0; i < result->condition_count; i++) {
        if (strcmp(result->conditions[i].kind, ng_condition_lua.kind.record.name) == 0) {
            return &result->conditions[i];
        }
    }
    return NULL;
}

/* The one advice that somebody who does this needs not. */
static bool is_of_use(const char *remedy) {
    return remedy != NULL && strstr(remedy, "\"nasgate lua\"") == NULL;
}

static void describe(const struct ng_condition_result *outcome, struct ng_buf *out) {
    ng_buf_addf(out, "%s: %s\n", ng_held_word(outcome->held), outcome->seen);
    ng_buf_addf(out, "  expected: %s\n", outcome->expected);
    if (is_of_use(outcome->remedy)) {
        ng_buf_addf(out, "  remedy: %s\n", outcome->remedy);
    }
    for (size_t i = 0; i < outcome->looked_at.count; i++) {
        ng_buf_addf(
            out, "  %s: %s\n", outcome->looked_at.items[i].key, outcome->looked_at.items[i].value);
    }
}

static int tell(const struct ng_condition_result *outcome, const struct ng_transport *replay) {
    size_t unanswered = 0;
    struct ng_buf text;
    struct ng_buf safe;
    ng_buf_init(&text, TEXT_CAP);
    ng_buf_init(&safe, 2 * TEXT_CAP);
    describe(outcome, &text);
    if (ng_replay_unknown(replay, &unanswered) != NULL && unanswered > 0) {
        ng_buf_adds(&text, "  to have an answer: put the check into the plan once, with "
                           "\"unknown: allow\", and run it\n");
    }
    ng_ci_text(&safe, ng_buf_text(&text));
    const bool printed = ng_cli_print(&safe);
    ng_buf_release(&safe);
    ng_buf_release(&text);
    if (!printed) {
        return NG_EXIT_ERROR;
    }
    return outcome->held == NG_HELD ? NG_EXIT_PASS : NG_EXIT_PRECONDITION;
}

int ng_try_check(const char *bundle, const struct ng_script *script, const struct ng_value *args) {
    struct stage stage = {0};
    struct ng_err err = {0};
    int code = NG_EXIT_USAGE;
    if (set_up(bundle, &stage, &err)) {
        struct ng_script own = *script;
        const struct ng_script *known = in_plan(stage.plan, script->name);
        own.name = known != NULL ? known->name : script->name;
        const bool refused = known != NULL && is_for_replay(stage.plan, known, bundle, &err);
        ask_only(stage.plan, &own, args);
        if (!refused && survey(&stage, &err)) {
            const struct ng_condition_result *outcome = outcome_of(stage.result);
            code = outcome != NULL ? tell(outcome, stage.replay) : NG_EXIT_INTERNAL;
        }
    }
    if (err.kind != NG_ERR_NONE) {
        ng_cli_complain(&err);
    }
    tear_down(&stage);
    return code;
}
