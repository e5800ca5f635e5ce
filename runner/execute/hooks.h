/**
 * hooks.h - the plan's scripts before and after the run and each phase. Their commands are evidence
 * like any other, so a replay runs them again with the same outcome.
 */
#ifndef NG_EXECUTE_HOOKS_H
#define NG_EXECUTE_HOOKS_H

#include "runner/execute/context.h"

/** Runs all hooks before the run; returns how many of them stop it. */
size_t ng_hooks_before_run(struct ng_run *run);
/** Runs the hooks before a phase, until one is not content: that one gives the phase its verdict,
 * and nothing is measured. True when all are content. */
bool ng_hooks_before_phase(
    struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out);
/** Runs all hooks after a phase; what they say is part of its last repeat. Nothing once the run
 * ends early. */
void ng_hooks_after_phase(
    struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out);
/** Runs all hooks after the run. Nothing once the run ends early. */
void ng_hooks_after_run(struct ng_run *run);

#endif
