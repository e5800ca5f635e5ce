/**
 * context.h - what all parts of the executor share during one run. Private to this folder.
 */
#ifndef NG_EXECUTE_CONTEXT_H
#define NG_EXECUTE_CONTEXT_H

#include "plans/language/plan.h"
#include "runner/conditions/probe.h"
#include "runner/execute/survey.h"
#include "runner/facts/facts.h"
#include "runner/process/loop.h"
#include "runner/result/result.h"
#include "runner/schedule/schedule.h"
#include "runner/transport/transport.h"

struct ng_keeper;

/** The run's own folder on a volume. */
struct ng_volume_state {
    const struct ng_volume *volume;
    bool used;                /* some scheduled phase works on it */
    bool made;                /* the folder exists and is ours */
    enum ng_answer direct;    /* whether a 4 KiB O_DIRECT write works */
    const char *dir;          /* absolute path of the folder */
    const char *failed;       /* why it cannot be used, or NULL */
    struct ng_keeper *keeper; /* what binds the folder to the run (keeper.h), or NULL */
};

struct ng_guards;
struct ng_hook_memory;
struct ng_batch;
struct ng_leased;

struct ng_run {
    struct ng_run_options options;
    struct ng_ask ask;
    struct ng_arena arena; /* lives as long as the run */
    const struct ng_plan *plan;
    const struct ng_schedule *schedule;
    struct ng_loop *loop;
    struct ng_transport *transport;
    struct ng_result *result;
    int64_t saved_mono_ns, save_every_ns;
    const struct ng_facts **facts;   /* by index of plan->hosts */
    struct ng_asked *asked;          /* by index of plan->hosts */
    struct ng_volume_state *volumes; /* by index of plan->volumes */
    struct ng_leased *leases;        /* by index of result->leases; see lease.h */
    struct ng_batch *batch;          /* what runs now and may be stopped, or NULL; batch.c */
    const char *lost;                /* why a lease was lost, or NULL */
    const char *halt; /* the same once the executor has seen it: nothing more is measured */
    struct ng_probe_results probes; /* what active probes said; lives in `arena` */
    const struct ng_records **kept; /* by index of the preconditions: for their next look; NULL:
                                       nothing, as of one that came to no end */
    int64_t *waited_ns; /* by index of the preconditions: for how long it was waited; NULL: never */
    struct ng_hook_memory *hook_memory; /* what hooks recorded, for their next run; hooks.c */
    struct ng_guards *guards;           /* NULL before the first phase */
    const char *broken;                 /* a guard that ends the run broke: why; or NULL */
};

/** True once the user asked us to stop. */
bool ng_run_stopped(const struct ng_run *run);
/** The same, or a lease was lost. */
bool ng_run_halted(const struct ng_run *run);
/** Whether all evidence so far was written; where not, the result says so, and why. */
bool ng_run_evidence_kept(struct ng_run *run);
/** Saves result.json; a failure is remembered in the result and ends the run as an error. */
void ng_run_save(struct ng_run *run);
/** The same unless it was saved a moment ago: what saving costs stays a small share of the run. */
void ng_run_save_if_due(struct ng_run *run);

#endif
