/**
 * repeat.h - one repeat of a phase: its attempts, each in a fresh record, within the phase's
 * timeout.
 */
#ifndef NG_EXECUTE_REPEAT_H
#define NG_EXECUTE_REPEAT_H

#include "runner/execute/context.h"

/**
 * Adds a repeat to `out` and measures it. What an engine calls transient is tried again, at most
 * twice, after a pause of 1 s and 4 s; every failed attempt stays in the record as a warning. The
 * phase's timeout bounds all of it.
 */
void ng_repeat_run(struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out);

#endif
