/* One repeat of a phase. */
#include "runner/execute/repeat.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/execute/batch.h"
#include "runner/execute/reach.h"
#include "runner/execute/site.h"

enum { ATTEMPTS_MAX = 3 };

static const int64_t pauses_ns[ATTEMPTS_MAX] = {0, NG_NS_PER_S, 4 * NG_NS_PER_S};

static void note_evidence(struct ng_run *run, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t count, struct ng_repeat *repeat) {
    for (size_t i = 0; i < count; i++) {
        ng_repeat_add_evidence(&run->result->arena, repeat, replies[i].id);
        if (i == 0 || commands->items[i].measures) {
            repeat->start_ns = replies[i].start_ns;
            repeat->duration_ns = replies[i].end_ns - replies[i].start_ns;
        }
    }
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

/* Makes the commands, runs them, reads what they printed. */
static bool measure(struct ng_run *run, const struct ng_phase *phase, int64_t until_ns,
    struct ng_repeat *repeat, bool *transient, struct ng_err *err) {
    const struct ng_engine *engine = ng_engine_of(phase->kind);
    const struct ng_site site = ng_site_of_run(run, phase, repeat->number, repeat->attempts);
    struct ng_commands commands = {0};
    struct ng_reply replies[NG_COMMANDS_MAX];
    memset(replies, 0, sizeof replies);
    bool ok = engine->build(&site, &commands, err);
    if (ok) {
        ng_reach_tools(&commands);
        const char *purpose = ng_arena_printf(
            &run->arena, "phase %s %d/%d", phase->name, repeat->number, (int)phase->repeat);
        const size_t count = ng_batch_commands(run, purpose, &commands, until_ns, replies);
        note_evidence(run, &commands, replies, count, repeat);
        ok = engine->parse(&site, &commands, replies, count, repeat, transient, err);
        for (size_t i = 0; i < count; i++) {
            ng_reply_release(&replies[i]);
        }
    }
    ng_commands_release(&commands);
    return ok;
}

/* A record of its own for the next attempt, which keeps what was learned of the ones before. */
static struct ng_repeat next_attempt(
    struct ng_run *run, const struct ng_repeat *before, const struct ng_err *failure) {
    struct ng_repeat repeat = {.number = before->number, .attempts = before->attempts + 1};
    for (size_t i = 0; i < before->evidence_count; i++) {
        ng_repeat_add_evidence(&run->result->arena, &repeat, before->evidence[i]);
    }
    for (size_t i = 0; i < before->finding_count; i++) {
        if (strcmp(before->findings[i].rule, "attempt-failed") == 0) {
            ng_repeat_find(&run->result->arena, &repeat, before->findings[i].weight,
                "attempt-failed", "%s", before->findings[i].text);
        }
    }
    if (before->attempts > 0) {
        ng_repeat_find(&run->result->arena, &repeat, NG_FINDING_WARNING, "attempt-failed",
            "attempt %d failed: %s", before->attempts, failure->text);
    }
    return repeat;
}

/* Tries until it is valid, final, too late or interrupted. */
static void try_all(struct ng_run *run, const struct ng_phase *phase, struct ng_repeat *repeat,
    struct ng_err *err) {
    const struct ng_clock *clock = ng_loop_clock(run->loop);
    const int64_t until_ns =
        phase->timeout_ns > 0 ? ng_clock_mono(clock) + phase->timeout_ns : INT64_MAX;
    bool again = true;
    while (again && !ng_run_stopped(run)) {
        const int64_t pause_ns = pauses_ns[repeat->attempts];
        if (pause_ns > 0) {
            ng_batch_pause(run, pause_ns);
        }
        bool transient = false;
        *repeat = next_attempt(run, repeat, err);
        repeat->valid = measure(run, phase, until_ns, repeat, &transient, err);
        again = !repeat->valid && transient && repeat->attempts < ATTEMPTS_MAX &&
                ng_clock_mono(clock) + pauses_ns[repeat->attempts] < until_ns;
    }
}

void ng_repeat_run(struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out) {
    struct ng_arena *arena = &run->result->arena;
    struct ng_repeat *repeat = ng_phase_add_repeat(arena, out);
    struct ng_cost cost = {0};
    phase->kind->estimate(phase->params, &cost);
    const struct ng_progress *progress = run->options.progress;
    if (progress != NULL && progress->repeat != NULL) {
        progress->repeat(progress->context, phase, repeat->number, cost.time_ns);
    }
    struct ng_err err = {0};
    try_all(run, phase, repeat, &err);
    note_path(run, phase, repeat);
    if (repeat->valid) {
        return;
    }
    if (ng_run_stopped(run)) {
        repeat->error = "interrupted before it was complete";
        repeat->partial = repeat->measure_count > 0;
    } else {
        repeat->error =
            ng_text_clean_dup(arena, err.text, strlen(err.text), NG_TEXT_LINE, NG_ERR_TEXT_MAX);
    }
}
