/* Drives a schedule from facts to reports. */
#include "runner/execute/run.h"

#include <stdio.h>
#include <string.h>

#include "reports/writers/writer.h"
#include "runner/base/digest.h"
#include "runner/engines/engine.h"
#include "runner/execute/await.h"
#include "runner/execute/context.h"
#include "runner/execute/guards.h"
#include "runner/execute/hooks.h"
#include "runner/execute/lease.h"
#include "runner/execute/origin.h"
#include "runner/execute/phase.h"
#include "runner/execute/preflight.h"
#include "runner/execute/volume.h"
#include "runner/result/store.h"
#include "runner/result/verdict.h"
#include "runner/transport/record.h"
#include "runner/transport/replay.h"

bool ng_run_stopped(const struct ng_run *run) {
    return ng_loop_signal(run->loop) != 0;
}

bool ng_run_halted(const struct ng_run *run) {
    return ng_run_stopped(run) || run->halt != NULL;
}

/* At most a tenth of the time of a run of very short phases goes into saving its result. */
enum { SAVE_SHARE = 10 };

/* A run whose evidence is incomplete is no result. */
bool ng_run_evidence_kept(struct ng_run *run) {
    struct ng_err err = {0};
    if (run->options.evidence == NULL || !ng_record_failed(run->options.evidence, &err)) {
        return true;
    }
    if (run->result->error == NULL) {
        run->result->error =
            ng_arena_printf(&run->result->arena, "the evidence cannot be kept: %s", err.text);
    }
    return false;
}

static void cannot_save(struct ng_run *run, const struct ng_err *why) {
    if (run->result->error == NULL) {
        run->result->error =
            ng_arena_printf(&run->result->arena, "the result cannot be saved: %s", why->text);
    }
}

void ng_run_save_if_due(struct ng_run *run) {
    const int64_t now = ng_clock_mono(ng_loop_clock(run->loop));
    if (now - run->saved_mono_ns >= run->save_every_ns) {
        ng_run_save(run);
    }
}

void ng_run_save(struct ng_run *run) {
    struct ng_err err = {0};
    const int64_t began = ng_clock_mono(ng_loop_clock(run->loop));
    (void)ng_run_evidence_kept(run);
    if (!ng_result_checkpoint(run->result, run->options.bundle, &err)) {
        cannot_save(run, &err);
    }
    run->saved_mono_ns = ng_clock_mono(ng_loop_clock(run->loop));
    run->save_every_ns = SAVE_SHARE * (run->saved_mono_ns - began);
}

static void step(struct ng_run *run, const char *what) {
    const struct ng_progress *progress = run->options.progress;
    if (progress != NULL && progress->step != NULL) {
        progress->step(progress->context, what);
    }
}

/* What the report calls the plan's file: never a path of this machine. */
static const char *shown_file(struct ng_arena *arena, const char *file) {
    const char *slash = strrchr(file, '/');
    const bool leaves = file[0] == '/' || strncmp(file, "../", 3) == 0 || strstr(file, "/../");
    return ng_arena_strdup(arena, leaves && slash != NULL ? slash + 1 : file);
}

/* A phase as the report knows it before it runs; one without a volume is about its link. */
static void add_phase(struct ng_result *result, const struct ng_phase *phase) {
    struct ng_phase_result *out = ng_result_expect(result, phase, (int)phase->repeat);
    const struct ng_engine *engine = ng_engine_of(phase->kind);
    const struct ng_link *link = engine->link != NULL ? engine->link(phase->params) : NULL;
    if (phase->kind->volume == NULL && link != NULL) {
        out->subject = ng_arena_strdup(&result->arena, link->name);
    }
}

static void add_hosts(struct ng_result *result, const struct ng_plan *plan) {
    for (size_t i = 0; i < plan->host_count; i++) {
        struct ng_host_result *host = ng_result_add_host(result);
        host->name = ng_arena_strdup(&result->arena, plan->hosts[i].name);
        host->via = ng_via_word(&plan->hosts[i]);
    }
}

/* What was chosen by --only, and how much of the plan that is. */
static void add_selection(
    struct ng_result *result, const struct ng_plan *plan, const struct ng_evidence_head *head) {
    struct ng_arena *arena = &result->arena;
    result->plan_phases = (int)plan->phase_count;
    for (size_t i = 0; head->only != NULL && head->only[i] != NULL; i++) {
        result->only = ng_arena_grow(
            arena, result->only, result->only_count, &result->only_capacity, sizeof *result->only);
        result->only[result->only_count++] = ng_arena_strdup(arena, head->only[i]);
    }
    if (result->phase_count < plan->phase_count) {
        ng_result_warn(result,
            "%zu of the plan's %zu phases were chosen with --only: this is no verdict over the "
            "whole plan",
            result->phase_count, plan->phase_count);
    }
}

/* What the plan's text gives reason to doubt, which is printed when it is loaded, is also for those
 * who read the report alone. */
static void add_doubts(struct ng_result *result, const struct ng_plan *plan) {
    for (size_t i = 0; i < plan->doubt_count; i++) {
        ng_result_warn(result, "%s", plan->doubts[i]);
    }
}

/* A replay may judge by another plan than the one that was run; nobody shall take it for that run.
 */
static void add_recorded_plan(struct ng_result *result, const struct ng_evidence_head *head) {
    if (head->plan_digest == NULL || strcmp(head->plan_digest, result->plan_digest) == 0) {
        return;
    }
    result->recorded_plan = ng_arena_strdup(&result->arena, head->plan_digest);
    ng_result_warn(result,
        "judged again: the evidence is of a run by another plan (%s, SHA-256 %.16s...), so its "
        "limits and predictions were not written down before that run",
        head->plan_file != NULL ? head->plan_file : "unknown", head->plan_digest);
}

/* "DIGEST  lua/NAME" of a file of Lua among those of the run, or NULL. */
static const char *recorded_script(const struct ng_evidence_head *head, const char *name) {
    for (size_t i = 0; head->scripts != NULL && head->scripts[i] != NULL; i++) {
        const char *file = strstr(head->scripts[i], "  lua/");
        if (file != NULL && strcmp(file + strlen("  lua/"), name) == 0) {
            return head->scripts[i];
        }
    }
    return NULL;
}

/* The same of what the plan's checks are: they judge as well as limits do. A head without scripts
 * is of a run without any, or of an older version, which the plan then tells apart. */
static void add_recorded_scripts(
    struct ng_result *result, const struct ng_plan *plan, const struct ng_evidence_head *head) {
    for (size_t i = 0; i < plan->script_count; i++) {
        const struct ng_script *script = plan->scripts[i];
        const char *recorded = recorded_script(head, script->name);
        char digest[NG_DIGEST_TEXT];
        ng_digest(script->text, script->len, digest);
        if (recorded == NULL && (head->scripts != NULL || result->recorded_plan != NULL)) {
            ng_result_warn(result,
                "judged again: the evidence is of a run without %s (now SHA-256 "
                "%.16s...)",
                script->name, digest);
        } else if (recorded != NULL && strncmp(recorded, digest, strlen(digest)) != 0) {
            ng_result_warn(result,
                "judged again: the evidence is of a run with another %s (SHA-256 %.16s..., now "
                "%.16s...)",
                script->name, recorded, digest);
        }
    }
}

struct ng_result *ng_run_result(
    const struct ng_schedule *schedule, const struct ng_evidence_head *head) {
    const struct ng_plan *plan = schedule->plan;
    struct ng_result *result = ng_result_new();
    struct ng_arena *arena = &result->arena;
    char digest[NG_DIGEST_TEXT];
    result->run_id = ng_arena_strdup(arena, head->run_id);
    result->version = ng_arena_strdup(arena, head->version != NULL ? head->version : NG_VERSION);
    result->plan_name = ng_arena_strdup(arena, plan->name);
    result->plan_title = ng_arena_strdup(arena, plan->title);
    result->plan_file = shown_file(arena, plan->file);
    result->plan_digest = ng_arena_strdup(arena, ng_digest(plan->text, plan->text_len, digest));
    result->seed = schedule->seed;
    result->started_wall_ns = head->started_wall_ns;
    for (size_t i = 0; i < plan->param_count; i++) {
        ng_records_add(arena, &result->params, plan->params[i].name, "%s", plan->params[i].value);
    }
    add_hosts(result, plan);
    for (size_t i = 0; i < schedule->count; i++) {
        if (schedule->steps[i].repeat == 1) {
            add_phase(result, schedule->steps[i].phase);
        }
    }
    ng_leases_expect(result, plan);
    add_selection(result, plan, head);
    add_doubts(result, plan);
    add_recorded_plan(result, head);
    add_recorded_scripts(result, plan, head);
    return result;
}

static void skip_all(struct ng_run *run, const char *reason) {
    for (size_t i = 0; i < run->result->phase_count; i++) {
        struct ng_phase_result *phase = &run->result->phases[i];
        if (phase->verdict == NG_VERDICT_NONE) {
            phase->verdict = NG_VERDICT_SKIPPED;
            phase->reason = ng_arena_strdup(&run->result->arena, reason);
        }
    }
}

static void prepare_volumes(struct ng_run *run) {
    bool any = false;
    for (size_t i = 0; i < run->plan->volume_count; i++) {
        run->volumes[i].volume = &run->plan->volumes[i];
        run->volumes[i].dir = ng_arena_printf(
            &run->arena, "%s/nasgate-%s", run->plan->volumes[i].path, run->result->run_id);
    }
    for (size_t i = 0; i < run->schedule->count; i++) {
        const struct ng_phase *phase = run->schedule->steps[i].phase;
        const struct ng_volume *volume =
            phase->kind->volume != NULL ? phase->kind->volume(phase->params) : NULL;
        if (volume != NULL) {
            ng_volume_state(run, volume)->used = true;
            any = true;
        }
    }
    if (any) {
        step(run, "preparing volumes");
        ng_volumes_prepare(run);
    }
}

static void measure(struct ng_run *run) {
    const char *stop_because = NULL;
    for (size_t i = 0; i < run->schedule->count; i++) {
        if (run->schedule->steps[i].repeat == 1) {
            ng_phase_run(run, run->schedule->steps[i].phase, &stop_because);
            ng_run_save_if_due(run);
        }
    }
}

/* Everything that preconditions and hooks allow. */
static void measure_all(struct ng_run *run, const struct ng_preflight *preflight) {
    prepare_volumes(run);
    run->guards = ng_guards_new(run, preflight);
    measure(run);
    ng_guards_free(run->guards);
    run->guards = NULL;
    ng_volumes_remove(run);
    skip_all(run, "the run ended early");
}

/* Preconditions, then everything that they allow. */
static void run_leased(struct ng_run *run) {
    const struct ng_preflight preflight = ng_preflight_new(&run->arena, run->schedule);
    step(run, "collecting facts");
    ng_preflight_collect(run, &preflight);
    if (!ng_run_halted(run)) {
        ng_await(run, &preflight);
    }
    if (ng_run_halted(run)) {
        skip_all(run, run->halt != NULL ? run->halt : "the run was interrupted");
        return;
    }
    const size_t stops = ng_preflight_evaluate(run, &preflight);
    ng_run_save(run);
    if (stops > 0) {
        skip_all(
            run, ng_arena_printf(&run->arena, "%zu precondition%s not met: nothing was measured",
                     stops, stops == 1 ? " is" : "s are"));
        return;
    }
    const bool content = ng_hooks_before_run(run);
    if (ng_run_halted(run)) {
        skip_all(run, run->halt != NULL ? run->halt : "the run was interrupted");
    } else if (!content) {
        skip_all(run, "a hook before the run refused: nothing was measured");
    } else {
        measure_all(run, &preflight);
    }
    ng_hooks_after_run(run);
}

/* All of it, while nobody else works on the units that the plan leases. */
static void run_body(struct ng_run *run) {
    if (!run->options.other_plan) {
        ng_origin_collect(run);
    }
    if (ng_leases_take(run)) {
        run_leased(run);
    } else {
        skip_all(run, ng_leases_refused(run));
    }
    ng_leases_give_back(run);
}

/* Saves the result with its exit code. */
static bool save_judged(const struct ng_run *run, struct ng_err *err) {
    struct ng_result *result = run->result;
    result->exit_code = ng_result_exit(result);
    result->verdict = ng_exit_words(result->exit_code);
    return ng_result_save(result, run->options.bundle, err);
}

/* What was judged without an answer is no pass, whatever a script made of it. */
static void tell_unanswered(struct ng_run *run) {
    struct ng_result *result = run->result;
    size_t count = 0;
    const char *first =
        run->options.replay != NULL ? ng_replay_unknown(run->options.replay, &count) : NULL;
    if (first != NULL && result->error == NULL && ng_result_exit(result) == NG_EXIT_PASS) {
        result->error =
            ng_arena_printf(&result->arena, "%zu request%s not in the evidence; the first: %s",
                count, count == 1 ? " is" : "s are", first);
    }
}

/* The last word: times, exit code, saved result and reports. */
static bool finish(struct ng_run *run, struct ng_err *err) {
    struct ng_result *result = run->result;
    result->interrupted = ng_loop_signal(run->loop);
    result->ended_wall_ns = result->started_wall_ns + result->duration_ns;
    result->complete = !run->options.cut_short;
    if (run->options.evidence != NULL) {
        ng_record_finish(
            run->options.evidence, result->interrupted, ng_loop_signal_mono(run->loop));
    }
    (void)ng_run_evidence_kept(run);
    tell_unanswered(run);
    if (!save_judged(run, err)) {
        cannot_save(run, err);
        result->exit_code = ng_result_exit(result);
        result->verdict = ng_exit_words(result->exit_code);
        return false;
    }
    if (ng_writers_write_all(result, run->options.bundle, run->options.junit, err)) {
        return true;
    }
    /* The record must tell the code that the process ends with, if there is room left to say so. */
    result->error = result->error != NULL ? result->error : "the reports could not be written";
    return save_judged(run, NULL) && false;
}

bool ng_run(const struct ng_run_options *options, struct ng_err *err) {
    struct ng_run run = {
        .options = *options,
        .plan = options->schedule->plan,
        .schedule = options->schedule,
        .loop = options->loop,
        .transport = options->transport,
        .result = options->result,
    };
    ng_arena_init(&run.arena);
    run.volumes = ng_arena_array(&run.arena, run.plan->volume_count, sizeof *run.volumes);
    if (options->baseline != NULL) {
        struct ng_arena *arena = &run.result->arena;
        run.result->baseline = ng_arena_strdup(arena, options->baseline->run_id);
        run.result->baseline_plan = ng_arena_strdup(arena, options->baseline->plan_digest);
    }
    ng_run_save(&run);
    if (run.result->error == NULL) {
        run_body(&run);
    }
    const bool ok = finish(&run, err);
    ng_arena_release(&run.arena);
    return ok;
}
