/**
 * phase.h - one phase from its needs to its verdict.
 *
 * A phase is in one state at a time: waiting, its hooks before it, measuring (repeat k of n), its
 * hooks after it, judged, skipped. ng_phase_next is the pure transition; ng_phase_run acts on it.
 */
#ifndef NG_EXECUTE_PHASE_H
#define NG_EXECUTE_PHASE_H

#include "runner/execute/context.h"

enum ng_phase_state {
    NG_PHASE_WAITING,
    NG_PHASE_BEFORE, /* its needs passed: the hooks before it */
    NG_PHASE_MEASURING,
    NG_PHASE_AFTER, /* the hooks after it */
    NG_PHASE_JUDGING,
    NG_PHASE_SKIPPED, /* a need did not pass, or the run stops */
    NG_PHASE_BROKEN,  /* its volume cannot be used */
    NG_PHASE_DONE,
};

/** What the transition looks at. */
struct ng_phase_view {
    enum ng_phase_state state;
    bool stopping;      /* the user's signal, on_fail: stop, or a failed bundle */
    bool need_missing;  /* a needed phase did not pass */
    bool volume_failed; /* the volume cannot be used */
    bool refused;       /* a hook before it has given it a verdict */
    int repeats_done, repeats_wanted;
    bool last_valid; /* the last repeat was valid */
};

/** The state that follows. Pure. */
enum ng_phase_state ng_phase_next(const struct ng_phase_view *view);

/**
 * Runs all repeats of a phase and judges it, or skips it with the reason. `stop_because` is set
 * (from NULL) when the run must not go on after this phase.
 */
void ng_phase_run(struct ng_run *run, const struct ng_phase *phase, const char **stop_because);

#endif
