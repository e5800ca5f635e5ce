/* One phase: needs, repeats with their attempts, verdict. */
#include "runner/execute/phase.h"

#include <stdio.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/execute/hooks.h"
#include "runner/execute/repeat.h"
#include "runner/execute/volume.h"
#include "runner/result/verdict.h"

enum ng_phase_state ng_phase_next(const struct ng_phase_view *view) {
    switch (view->state) {
    case NG_PHASE_WAITING:
        if (view->need_missing || view->stopping) {
            return NG_PHASE_SKIPPED;
        }
        return view->volume_failed ? NG_PHASE_BROKEN : NG_PHASE_BEFORE;
    case NG_PHASE_BEFORE:
        if (view->refused) {
            return NG_PHASE_DONE;
        }
        return view->stopping ? NG_PHASE_SKIPPED : NG_PHASE_MEASURING;
    case NG_PHASE_MEASURING:
        if (view->stopping || view->repeats_done >= view->repeats_wanted ||
            (view->repeats_done > 0 && !view->last_valid)) {
            return NG_PHASE_AFTER;
        }
        return NG_PHASE_MEASURING;
    case NG_PHASE_AFTER:
        return NG_PHASE_JUDGING;
    case NG_PHASE_JUDGING:
    case NG_PHASE_SKIPPED:
    case NG_PHASE_BROKEN:
    case NG_PHASE_DONE:
        break;
    }
    return NG_PHASE_DONE;
}

/* The phase whose not passing is the root cause of this one's being skipped, or NULL. */
static const struct ng_phase_result *missing_need(
    const struct ng_run *run, const struct ng_phase *phase) {
    for (size_t i = 0; i < phase->need_count; i++) {
        const struct ng_phase *need = phase->needs[i];
        /* The schedule adds what a chosen phase needs, so it is there. */
        const struct ng_phase_result *result = ng_result_phase(run->result, need->name);
        if (result->verdict == NG_VERDICT_PASS) {
            continue;
        }
        const struct ng_phase_result *root =
            result->verdict == NG_VERDICT_SKIPPED ? missing_need(run, need) : NULL;
        return root != NULL ? root : result;
    }
    return NULL;
}

static void set_verdict(
    struct ng_run *run, struct ng_phase_result *out, enum ng_verdict verdict, const char *reason) {
    out->verdict = verdict;
    out->reason = ng_arena_strdup(&run->result->arena, reason);
}

static void skip(struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out,
    const char *stop_because) {
    const struct ng_phase_result *root = missing_need(run, phase);
    if (stop_because == NULL && root != NULL) {
        stop_because = ng_arena_printf(
            &run->arena, "needs %s, which %s", root->name, ng_verdict_phrase(root->verdict));
    }
    if (stop_because == NULL && run->halt != NULL) {
        stop_because = run->halt;
    }
    if (stop_because == NULL) {
        stop_because =
            run->result->error != NULL ? "the run could not go on" : "the run was interrupted";
    }
    set_verdict(run, out, NG_VERDICT_SKIPPED, stop_because);
}

/* Whether all planned repeats are there and valid. */
static bool complete(const struct ng_phase *phase, const struct ng_phase_result *out) {
    return out->repeat_count >= (size_t)phase->repeat && out->repeats[out->repeat_count - 1].valid;
}

static void judge(struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out) {
    if (run->halt != NULL) { /* it came while this phase ran: whatever was measured, nobody knows
                              * who else was there */
        set_verdict(run, out, NG_VERDICT_ERROR, run->halt);
        return;
    }
    if (!ng_run_evidence_kept(run)) { /* a number that nobody can look up again */
        set_verdict(run, out, NG_VERDICT_ERROR, run->result->error);
        return;
    }
    if (ng_run_stopped(run) && !complete(phase, out)) {
        const char *why = out->repeat_count > 0 ? out->repeats[out->repeat_count - 1].error : NULL;
        set_verdict(
            run, out, NG_VERDICT_ERROR, why != NULL ? why : "interrupted before it was complete");
        return;
    }
    ng_phase_judge(run->result, phase, run->options.baseline);
}

static struct ng_phase_view view_of(const struct ng_run *run, const struct ng_phase *phase,
    const struct ng_phase_result *out, enum ng_phase_state state, bool stopping) {
    const struct ng_volume *volume =
        phase->kind->volume != NULL ? phase->kind->volume(phase->params) : NULL;
    return (struct ng_phase_view){
        .state = state,
        .stopping = stopping || ng_run_halted(run) || run->result->error != NULL,
        .need_missing = missing_need(run, phase) != NULL,
        .volume_failed = volume != NULL && run->volumes[volume - run->plan->volumes].failed != NULL,
        .repeats_done = (int)out->repeat_count,
        .repeats_wanted = (int)phase->repeat,
        .refused = out->verdict != NG_VERDICT_NONE,
        .last_valid = out->repeat_count == 0 || out->repeats[out->repeat_count - 1].valid,
    };
}

static void act(struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out,
    enum ng_phase_state state, const char *stop_because) {
    switch (state) {
    case NG_PHASE_BEFORE:
        ng_hooks_before_phase(run, phase, out);
        break;
    case NG_PHASE_MEASURING:
        ng_repeat_run(run, phase, out);
        break;
    case NG_PHASE_AFTER:
        if (!ng_hooks_after_phase(run, phase, out) && complete(phase, out)) {
            set_verdict(run, out, NG_VERDICT_ERROR, "interrupted before its hooks were looked at");
        }
        break;
    case NG_PHASE_JUDGING:
        judge(run, phase, out);
        break;
    case NG_PHASE_SKIPPED:
        skip(run, phase, out, stop_because);
        break;
    case NG_PHASE_BROKEN:
        set_verdict(run, out, NG_VERDICT_ERROR,
            ng_volume_state(run, phase->kind->volume(phase->params))->failed);
        break;
    case NG_PHASE_WAITING:
    case NG_PHASE_DONE:
        break;
    }
}

void ng_phase_run(struct ng_run *run, const struct ng_phase *phase, const char **stop_because) {
    struct ng_phase_result *out = ng_result_phase(run->result, phase->name);
    enum ng_phase_state state = NG_PHASE_WAITING;
    while (state != NG_PHASE_DONE) {
        const struct ng_phase_view view = view_of(run, phase, out, state, *stop_because != NULL);
        state = ng_phase_next(&view);
        act(run, phase, out, state, *stop_because);
        if (state == NG_PHASE_MEASURING && out->repeat_count < (size_t)phase->repeat) {
            ng_run_save_if_due(run); /* the last repeat is saved with the phase's verdict */
        }
    }
    if (*stop_because == NULL && phase->on_fail == NG_ON_FAIL_STOP &&
        out->verdict != NG_VERDICT_PASS && out->verdict != NG_VERDICT_SKIPPED) {
        *stop_because = ng_arena_printf(&run->arena, "%s %s and says on_fail: stop", phase->name,
            ng_verdict_phrase(out->verdict));
    }
    if (*stop_because == NULL) {
        *stop_because = run->broken;
    }
    const struct ng_progress *progress = run->options.progress;
    if (progress != NULL && progress->phase != NULL) {
        progress->phase(progress->context, out);
    }
}
