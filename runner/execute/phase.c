/* One phase: needs, repeats with their attempts, verdict. */
#include "runner/execute/phase.h"

#include <stdio.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/execute/batch.h"
#include "runner/execute/site.h"
#include "runner/execute/volume.h"
#include "runner/result/verdict.h"

enum { ATTEMPTS_MAX = 3 };

enum ng_phase_state ng_phase_next(const struct ng_phase_view *view) {
    switch (view->state) {
    case NG_PHASE_WAITING:
        if (view->need_missing || view->stopping) {
            return NG_PHASE_SKIPPED;
        }
        return view->volume_failed ? NG_PHASE_BROKEN : NG_PHASE_MEASURING;
    case NG_PHASE_MEASURING:
        if (view->stopping || view->repeats_done >= view->repeats_wanted ||
            (view->repeats_done > 0 && !view->last_valid)) {
            return NG_PHASE_JUDGING;
        }
        return NG_PHASE_MEASURING;
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
        const struct ng_phase_result *result = ng_result_phase(run->result, need->name);
        if (result == NULL || result->verdict == NG_VERDICT_PASS) {
            continue;
        }
        const struct ng_phase_result *root =
            result->verdict == NG_VERDICT_SKIPPED ? missing_need(run, need) : NULL;
        return root != NULL ? root : result;
    }
    return NULL;
}

static struct ng_repeat *new_repeat(struct ng_run *run, struct ng_phase_result *out) {
    struct ng_arena *arena = &run->result->arena;
    out->repeats = ng_arena_grow(
        arena, out->repeats, out->repeat_count, &out->repeat_capacity, sizeof *out->repeats);
    struct ng_repeat *repeat = &out->repeats[out->repeat_count++];
    memset(repeat, 0, sizeof *repeat);
    repeat->number = (int)out->repeat_count;
    return repeat;
}

static void note_evidence(struct ng_run *run, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t count, struct ng_repeat *repeat) {
    for (size_t i = 0; i < count; i++) {
        repeat->evidence = ng_arena_grow(&run->result->arena, repeat->evidence,
            repeat->evidence_count, &repeat->evidence_capacity, sizeof *repeat->evidence);
        repeat->evidence[repeat->evidence_count++] = replies[i].id;
        if (i == 0 || commands->items[i].measures) {
            repeat->start_ns = replies[i].start_ns;
            repeat->duration_ns = replies[i].end_ns - replies[i].start_ns;
        }
    }
}

/* Forgets what an attempt that is tried again has put into the repeat. */
static void reset_attempt(struct ng_repeat *repeat) {
    repeat->measure_count = 0;
    repeat->finding_count = 0;
    repeat->records.count = 0;
    repeat->partial = false;
}

/* What the plan knows of the path and a report needs to say what limits it. */
static void note_path(struct ng_run *run, const struct ng_phase *phase, struct ng_repeat *repeat) {
    struct ng_arena *arena = &run->result->arena;
    char text[NG_QUANTITY_TEXT];
    const struct ng_engine *engine = ng_engine_of(phase->kind);
    const struct ng_volume *volume =
        phase->kind->volume != NULL ? phase->kind->volume(phase->params) : NULL;
    const struct ng_link *link = engine->link != NULL ? engine->link(phase->params) : NULL;
    if (link == NULL && volume != NULL) {
        link = volume->link;
    }
    if (link != NULL && link->speed > 0) {
        ng_records_add(arena, &repeat->records, "link.speed", "%s",
            ng_rate_format_bits((double)link->speed / 8.0, text));
    }
    if (volume != NULL && volume->array != NULL && volume->array->disks > 0) {
        ng_records_add(arena, &repeat->records, "disks", "%lld", (long long)volume->array->disks);
    }
}

/* One attempt of one repeat. */
static bool attempt(struct ng_run *run, const struct ng_phase *phase, struct ng_repeat *repeat,
    bool *transient, struct ng_err *err) {
    const struct ng_engine *engine = ng_engine_of(phase->kind);
    const struct ng_site site = ng_site_of_run(run, phase, repeat->number, repeat->attempts);
    struct ng_commands commands = {0};
    struct ng_reply replies[NG_COMMANDS_MAX];
    memset(replies, 0, sizeof replies);
    *transient = false;
    bool ok = engine->build(&site, &commands, err);
    if (ok) {
        const char *purpose = ng_arena_printf(
            &run->arena, "phase %s %d/%d", phase->name, repeat->number, (int)phase->repeat);
        const size_t count = ng_batch_commands(run, purpose, &commands, replies);
        note_evidence(run, &commands, replies, count, repeat);
        ok = engine->parse(&site, &commands, replies, count, repeat, transient, err);
        for (size_t i = 0; i < count; i++) {
            ng_reply_release(&replies[i]);
        }
    }
    ng_commands_release(&commands);
    return ok;
}

static void run_repeat(
    struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out) {
    struct ng_repeat *repeat = new_repeat(run, out);
    struct ng_cost cost = {0};
    phase->kind->estimate(phase->params, &cost);
    const struct ng_progress *progress = run->options.progress;
    if (progress != NULL && progress->repeat != NULL) {
        progress->repeat(progress->context, phase, repeat->number, cost.time_ns);
    }
    struct ng_err err = {0};
    bool transient = true;
    while (!repeat->valid && transient && repeat->attempts < ATTEMPTS_MAX && !ng_run_stopped(run)) {
        reset_attempt(repeat);
        repeat->attempts++;
        repeat->valid = attempt(run, phase, repeat, &transient, &err);
    }
    note_path(run, phase, repeat);
    if (repeat->valid) {
        return;
    }
    struct ng_arena *arena = &run->result->arena;
    if (ng_run_stopped(run)) {
        repeat->error = "interrupted before it was complete";
        repeat->partial = repeat->measure_count > 0;
    } else {
        repeat->error =
            ng_text_clean_dup(arena, err.text, strlen(err.text), NG_TEXT_LINE, NG_ERR_TEXT_MAX);
    }
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
            &run->arena, "needs %s, which is %s", root->name, ng_verdict_word(root->verdict));
    }
    if (stop_because == NULL) {
        stop_because =
            run->result->error != NULL ? "the run could not go on" : "the run was interrupted";
    }
    set_verdict(run, out, NG_VERDICT_SKIPPED, stop_because);
}

static void judge(struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out) {
    if (ng_run_stopped(run) &&
        (out->repeat_count < (size_t)phase->repeat || !out->repeats[out->repeat_count - 1].valid)) {
        set_verdict(run, out, NG_VERDICT_ERROR, "interrupted before it was complete");
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
        .stopping = stopping || ng_run_stopped(run) || run->result->error != NULL,
        .need_missing = missing_need(run, phase) != NULL,
        .volume_failed = volume != NULL && run->volumes[volume - run->plan->volumes].failed != NULL,
        .repeats_done = (int)out->repeat_count,
        .repeats_wanted = (int)phase->repeat,
        .last_valid = out->repeat_count == 0 || out->repeats[out->repeat_count - 1].valid,
    };
}

static void act(struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out,
    enum ng_phase_state state, const char *stop_because) {
    switch (state) {
    case NG_PHASE_MEASURING:
        run_repeat(run, phase, out);
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
        if (state == NG_PHASE_MEASURING) {
            ng_run_save(run);
        }
    }
    if (*stop_because == NULL && phase->on_fail == NG_ON_FAIL_STOP &&
        out->verdict != NG_VERDICT_PASS && out->verdict != NG_VERDICT_SKIPPED) {
        *stop_because = ng_arena_printf(&run->arena, "%s is %s and says on_fail: stop", phase->name,
            ng_verdict_word(out->verdict));
    }
    const struct ng_progress *progress = run->options.progress;
    if (progress != NULL && progress->phase != NULL) {
        progress->phase(progress->context, out);
    }
}
