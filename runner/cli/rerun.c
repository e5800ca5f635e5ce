/* The executor over recorded evidence. */
#include "runner/cli/rerun.h"

#include <stdio.h>
#include <sys/stat.h>

#include "runner/cli/bundle.h"
#include "runner/cli/cli.h"
#include "runner/execute/baseline.h"
#include "runner/execute/run.h"
#include "runner/process/loop.h"
#include "runner/result/store.h"
#include "runner/transport/replay.h"

/* What lives only while it runs. */
struct stage {
    struct ng_tape *tape;
    struct ng_result *baseline;
    struct ng_schedule *schedule;
    struct ng_loop *loop;
    struct ng_transport *replay;
    enum ng_junit_dialect junit;
};

static size_t count_words(const char *const *words) {
    size_t count = 0;
    while (words != NULL && words[count] != NULL) {
        count++;
    }
    return count;
}

static bool load_plan(const struct ng_rerun_options *options, const struct stage *stage,
    struct ng_rerun *out, struct ng_err *err) {
    const struct ng_evidence_head *head = &stage->tape->head;
    struct ng_arena *arena = &stage->tape->arena;
    const bool other = options->plan != NULL;
    const char *path =
        other ? options->plan : ng_arena_printf(arena, "%s/plan.yaml", options->bundle);
    const char *name = other || head->plan_file == NULL ? NULL : head->plan_file;
    const bool given = other && options->setting_count > 0;
    const char *scripts = other ? NULL : ng_arena_printf(arena, "%s/lua", options->bundle);
    out->plan = ng_cli_load_file(path, name, scripts, given ? options->settings : head->settings,
        given ? options->setting_count : count_words(head->settings), NULL);
    return out->plan != NULL || ng_err_set(err, NG_ERR_PLAN, "the plan %s cannot be used", path);
}

/* The baseline that the run was judged against lies in its bundle. */
static bool load_baseline(
    const struct ng_rerun_options *options, struct stage *stage, struct ng_err *err) {
    struct stat st;
    const char *path = ng_arena_printf(&stage->tape->arena, "%s/baseline.json", options->bundle);
    if (stat(path, &st) != 0) {
        return true;
    }
    stage->baseline = ng_result_load(path, err);
    return stage->baseline != NULL;
}

static bool set_up(const struct ng_rerun_options *options, struct stage *stage,
    struct ng_rerun *out, bool *usage, struct ng_err *err) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    stage->tape = ng_tape_read(ng_arena_printf(&arena, "%s/evidence", options->bundle), err);
    ng_arena_release(&arena);
    if (stage->tape == NULL) {
        return false;
    }
    *usage = true;
    const struct ng_evidence_head *head = &stage->tape->head;
    const char *junit = options->junit != NULL ? options->junit : head->junit;
    if (!ng_junit_dialect_read(junit, &stage->junit, err) || !load_plan(options, stage, out, err) ||
        !load_baseline(options, stage, err)) {
        return false;
    }
    const struct ng_selection selection = {.names = head->only, .count = count_words(head->only)};
    stage->schedule = ng_schedule_new(out->plan, &selection, head->seed, err);
    if (stage->schedule == NULL || !ng_baseline_fits(stage->schedule, stage->baseline, err)) {
        return false;
    }
    out->out = ng_bundle_new(out->plan, stage->baseline, options->out, head->started_wall_ns, err);
    if (out->out == NULL) {
        return false;
    }
    out->result = ng_run_result(stage->schedule, head);
    stage->loop = ng_loop_new_by_hand(0, head->started_wall_ns);
    stage->replay = ng_replay_new(stage->tape, stage->loop);
    return true;
}

static void tear_down(struct stage *stage) {
    ng_transport_free(stage->replay);
    ng_loop_free(stage->loop);
    ng_schedule_free(stage->schedule);
    ng_result_free(stage->baseline);
    ng_tape_free(stage->tape);
}

bool ng_rerun_run(
    const struct ng_rerun_options *options, struct ng_rerun *out, bool *usage, struct ng_err *err) {
    struct stage stage = {0};
    *out = (struct ng_rerun){0};
    *usage = false;
    bool ok = set_up(options, &stage, out, usage, err);
    if (ok) {
        const struct ng_run_options run = {
            .junit = stage.junit,
            .schedule = stage.schedule,
            .loop = stage.loop,
            .transport = stage.replay,
            .replay = stage.replay,
            .who = stage.tape->head.who,
            .job = stage.tape->head.job,
            .other_plan = options->plan != NULL,
            .cut_short = !stage.tape->finished,
            .result = out->result,
            .baseline = stage.baseline,
            .bundle = out->out,
        };
        *usage = false;
        ok = ng_run(&run, err);
        const char *first = ng_replay_unknown(stage.replay, &out->unanswered);
        snprintf(
            out->first_unanswered, sizeof out->first_unanswered, "%s", first != NULL ? first : "");
        out->altered = stage.tape->altered;
        out->unused = ng_tape_unused(stage.tape);
    }
    tear_down(&stage);
    return ok;
}

void ng_rerun_release(struct ng_rerun *rerun) {
    ng_result_free(rerun->result);
    ng_plan_free(rerun->plan);
}
