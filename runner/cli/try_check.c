/* One check in Lua run over the evidence of a bundle. */
#include "runner/cli/try_check.h"

#include <stdio.h>
#include <string.h>

#include "runner/cli/ci_text.h"
#include "runner/cli/cli.h"
#include "runner/conditions/lua.h"
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
    if (stage->tape != NULL) {
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

static void describe(const struct ng_condition_result *outcome, struct ng_buf *out) {
    ng_buf_addf(out, "%s: %s\n", ng_held_word(outcome->held), outcome->seen);
    ng_buf_addf(out, "  expected: %s\n", outcome->expected);
    if (outcome->remedy != NULL) {
        ng_buf_addf(out, "  remedy: %s\n", outcome->remedy);
    }
    for (size_t i = 0; i < outcome->looked_at.count; i++) {
        ng_buf_addf(
            out, "  %s: %s\n", outcome->looked_at.items[i].key, outcome->looked_at.items[i].value);
    }
}

static int tell(const struct ng_condition_result *outcome) {
    struct ng_buf text;
    struct ng_buf safe;
    ng_buf_init(&text, TEXT_CAP);
    ng_buf_init(&safe, 2 * TEXT_CAP);
    describe(outcome, &text);
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
        ask_only(stage.plan, script, args);
        if (survey(&stage, &err)) {
            const struct ng_condition_result *outcome = outcome_of(stage.result);
            code = outcome != NULL ? tell(outcome) : NG_EXIT_INTERNAL;
        }
    }
    if (err.kind != NG_ERR_NONE) {
        ng_cli_complain(&err);
    }
    tear_down(&stage);
    return code;
}
