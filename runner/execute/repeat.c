/* One repeat of a phase. */
#include "runner/execute/repeat.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/execute/batch.h"
#include "runner/execute/guards.h"
#include "runner/execute/page_drop.h"
#include "runner/execute/reach.h"
#include "runner/execute/site.h"
#include "runner/execute/telemetry.h"
#include "runner/execute/watch.h"
#include "runner/result/words.h"

enum { ATTEMPTS_MAX = 3, NOTE_CAP = 4000, NOTE_MEASURES = 6 };

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

/* Runs the commands of an engine: those that it made, or one after the other as it decides. */
static size_t run_all(struct ng_run *run, const struct ng_phase *phase, const struct ng_site *site,
    const char *purpose, struct ng_commands *commands, int64_t until_ns,
    struct ng_reply replies[NG_COMMANDS_MAX]) {
    const struct ng_engine *engine = ng_engine_of(phase->kind);
    size_t count = ng_batch_commands(run, purpose, commands, until_ns, replies);
    while (engine->next != NULL && count == commands->count && count < NG_COMMANDS_MAX &&
           !ng_run_halted(run)) {
        struct ng_commands more = {0};
        engine->next(site, commands, replies, count, &more);
        if (more.count == 0) {
            break;
        }
        ng_reach_tools(&more);
        commands->items[commands->count++] = more.items[0];
        count += ng_batch_commands(run, purpose, &more, until_ns, &replies[count]);
    }
    return count;
}

/* Whether the phase's time was over before a command ended by itself, or before it could begin. The
 * engines whose commands are known beforehand tell that themselves. */
static bool out_of_time(const struct ng_run *run, const struct ng_phase *phase,
    const struct ng_commands *commands, const struct ng_reply *replies, size_t count,
    int64_t until_ns) {
    if (ng_engine_of(phase->kind)->next == NULL || ng_run_halted(run) ||
        ng_clock_mono(ng_loop_clock(run->loop)) < until_ns) {
        return false;
    }
    return count < commands->count || (count > 0 && replies[count - 1].how == NG_ENDED_DEADLINE);
}

/* What a script makes of a command that the plan cut short is told, and decides nothing. */
static bool disown(const struct ng_phase *phase, struct ng_repeat *repeat, struct ng_err *err) {
    char time[NG_TIME_TEXT];
    for (size_t i = 0; i < repeat->finding_count; i++) {
        if (strcmp(repeat->findings[i].rule, NG_RULE_SCRIPT) == 0) {
            repeat->findings[i].weight = NG_FINDING_WARNING;
        }
    }
    repeat->partial = repeat->measure_count > 0;
    return ng_err_set(err, NG_ERR_DEADLINE, "the phase's timeout of %s was over",
        ng_duration_format(phase->timeout_ns, time));
}

/* Looks at the guards again. False when the run ended early before that. */
static bool look_again(struct ng_run *run, const struct ng_phase *phase,
    const struct ng_watched *watched, size_t hosts, struct ng_repeat *repeat, size_t *breaks) {
    if (ng_guards_count(run->guards) == 0) {
        return true;
    }
    if (!ng_run_halted(run)) {
        *breaks = ng_guards_judge(run->guards, phase, watched, hosts, repeat);
    }
    return !ng_run_halted(run);
}

/* Runs the commands of an engine and reads what they printed, while the hosts are watched. */
static bool run_commands(struct ng_run *run, const struct ng_phase *phase,
    const struct ng_site *site, struct ng_commands *commands, int64_t until_ns,
    struct ng_repeat *repeat, bool *transient, size_t *breaks, struct ng_err *err) {
    struct ng_reply replies[NG_COMMANDS_MAX];
    struct ng_arena arena;
    const struct ng_watched *watched = NULL;
    memset(replies, 0, sizeof replies);
    ng_arena_init(&arena);
    const char *purpose = ng_arena_printf(
        &run->arena, "phase %s %d/%d", phase->name, repeat->number, (int)phase->repeat);
    struct ng_watch *watch = ng_watch_start(run, purpose);
    repeat->start_ns = run->result->duration_ns; /* unless a command says better */
    const size_t count = run_all(run, phase, site, purpose, commands, until_ns, replies);
    const bool late = out_of_time(run, phase, commands, replies, count, until_ns);
    const size_t hosts = ng_watch_stop(watch, &arena, &watched);
    note_evidence(run, commands, replies, count, repeat);
    bool ok =
        ng_engine_of(phase->kind)->parse(site, commands, replies, count, repeat, transient, err);
    if (late) {
        ok = disown(phase, repeat, err);
    }
    for (size_t i = 0; i < count; i++) {
        ng_reply_release(&replies[i]);
    }
    ng_telemetry_add(run, watched, hosts, repeat);
    if (!look_again(run, phase, watched, hosts, repeat, breaks) && ok) {
        repeat->error = "interrupted before its guards were looked at";
        ok = false;
    }
    ng_arena_release(&arena);
    return ok;
}

/* Makes the commands of an engine and measures with them. */
static bool measure(struct ng_run *run, const struct ng_phase *phase, int64_t until_ns,
    struct ng_repeat *repeat, bool *transient, size_t *breaks, struct ng_err *err) {
    const struct ng_site site = ng_site_of_run(run, phase, repeat->number, repeat->attempts);
    struct ng_commands commands = {0};
    ng_page_drop(run, phase, repeat);
    bool ok = ng_engine_of(phase->kind)->build(&site, &commands, err);
    if (ok) {
        ng_reach_tools(&commands);
        ok = run_commands(run, phase, &site, &commands, until_ns, repeat, transient, breaks, err);
    }
    ng_commands_release(&commands);
    return ok;
}

static void keep_notes(struct ng_run *run, const struct ng_repeat *before, const char *rule,
    struct ng_repeat *repeat) {
    for (size_t i = 0; i < before->finding_count; i++) {
        const struct ng_finding *finding = &before->findings[i];
        if (strcmp(finding->rule, rule) == 0) {
            ng_repeat_find(
                &run->result->arena, repeat, finding->weight, finding->rule, "%s", finding->text);
        }
    }
}

/* A record of its own for the next attempt, which keeps what was learned of the ones before. */
static struct ng_repeat next_attempt(struct ng_run *run, const struct ng_repeat *before) {
    struct ng_repeat repeat = {.number = before->number, .attempts = before->attempts + 1};
    for (size_t i = 0; i < before->evidence_count; i++) {
        ng_repeat_add_evidence(&run->result->arena, &repeat, before->evidence[i]);
    }
    keep_notes(run, before, "attempt-failed", &repeat);
    keep_notes(run, before, "attempt-disturbed", &repeat);
    return repeat;
}

/* The numbers of an attempt that is measured again are told, and count for nothing. */
static void note_disturbed(struct ng_run *run, struct ng_repeat *repeat) {
    struct ng_arena *arena = &run->result->arena;
    struct ng_buf text;
    size_t shown = 0;
    ng_buf_init(&text, NOTE_CAP);
    ng_buf_addf(&text, "attempt %d was disturbed and measured again", repeat->attempts);
    for (size_t i = 0; i < repeat->finding_count; i++) {
        if (strcmp(repeat->findings[i].rule, "guard-broke") == 0) {
            ng_buf_addf(&text, "; %s", repeat->findings[i].text);
        }
    }
    for (size_t i = 0; i < repeat->measure_count && shown < NOTE_MEASURES; i++) {
        const struct ng_measure *measure = &repeat->measures[i];
        if (strncmp(measure->metric, "host.", 5) == 0) {
            continue;
        }
        char value[NG_QUANTITY_TEXT];
        ng_buf_addf(&text, "%s%s %s", shown++ == 0 ? "; it had measured " : ", ", measure->metric,
            ng_value_words(measure->value, measure->dim, measure->spelling, value));
    }
    ng_repeat_find(
        arena, repeat, NG_FINDING_WARNING, "attempt-disturbed", "%s", ng_buf_text(&text));
    ng_buf_release(&text);
}

/* Tries until it is valid, final, too late or interrupted. Returns how many guards broke in the
 * last attempt. */
static size_t try_all(struct ng_run *run, const struct ng_phase *phase, struct ng_repeat *repeat,
    struct ng_err *err) {
    const struct ng_clock *clock = ng_loop_clock(run->loop);
    const int64_t until_ns =
        phase->timeout_ns > 0 ? ng_clock_mono(clock) + phase->timeout_ns : INT64_MAX;
    bool again = true;
    size_t breaks = 0;
    for (int tries = 0; again && !ng_run_halted(run);) {
        if (pauses_ns[tries] > 0) {
            ng_batch_pause(run, pauses_ns[tries]);
        }
        bool transient = false;
        if (tries > 0) {
            ng_repeat_find(&run->result->arena, repeat, NG_FINDING_WARNING, "attempt-failed",
                "attempt %d failed: %s", repeat->attempts, err->text);
        }
        *repeat = next_attempt(run, repeat);
        breaks = 0;
        repeat->valid = measure(run, phase, until_ns, repeat, &transient, &breaks, err);
        tries++;
        again = !repeat->valid && transient && breaks == 0 && tries < ATTEMPTS_MAX &&
                ng_clock_mono(clock) + pauses_ns[tries] < until_ns;
    }
    return breaks;
}

/* Measures again what was disturbed, as often as the plan says, each time once the guards hold. */
static void try_undisturbed(struct ng_run *run, const struct ng_phase *phase,
    struct ng_repeat *repeat, struct ng_err *err) {
    size_t breaks = try_all(run, phase, repeat, err);
    for (int64_t i = 0; i < phase->retry && breaks > 0 && run->broken == NULL; i++) {
        if (!ng_guards_await(run->guards, phase->name, phase->retry_within_ns)) {
            ng_repeat_find(&run->result->arena, repeat, NG_FINDING_WARNING, "not-retried",
                "it was not measured again: the guards did not hold in time");
            return;
        }
        note_disturbed(run, repeat);
        breaks = try_all(run, phase, repeat, err);
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
    try_undisturbed(run, phase, repeat, &err);
    note_path(run, phase, repeat);
    if (repeat->valid) {
        return;
    }
    if (ng_run_halted(run)) {
        repeat->error = run->halt != NULL       ? ng_arena_strdup(arena, run->halt)
                        : repeat->error != NULL ? repeat->error
                                                : "interrupted before it was complete";
        repeat->partial = repeat->measure_count > 0;
    } else {
        repeat->error =
            ng_text_clean_dup(arena, err.text, strlen(err.text), NG_TEXT_LINE, NG_ERR_TEXT_MAX);
    }
}
