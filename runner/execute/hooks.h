/**
 * hooks.h - the plan's scripts before and after the run and each phase. Their commands are evidence
 * like any other, so a replay runs them again with the same outcome.
 */
#ifndef NG_EXECUTE_HOOKS_H
#define NG_EXECUTE_HOOKS_H

#include "runner/execute/context.h"

/** Runs the hooks before the run, until one is not content. False when one was not; what ended the
 * run early meanwhile is the caller's to see. */
bool ng_hooks_before_run(struct ng_run *run);
/** Runs the hooks before a phase, until one is not content: that one gives the phase its verdict,
 * and nothing is measured. True when all are content. False without a verdict: the run ended early.
 */
bool ng_hooks_before_phase(
    struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out);
/** Runs all hooks after a phase; what they say is part of its last repeat. False when the run ended
 * early before all of them were heard. */
bool ng_hooks_after_phase(
    struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out);
/**
 * Runs all hooks after the run. Once the run ended early, only when a hook before it ran, so that
 * what that one changed can be changed back: all of them within 30 s, and no signal stops them. One
 * that was running then is begun anew.
 */
void ng_hooks_after_run(struct ng_run *run);

#endif
