/**
 * probes.h - runs the active probes that preconditions want, between the facts and the judgement.
 */
#ifndef NG_EXECUTE_PROBES_H
#define NG_EXECUTE_PROBES_H

#include "runner/execute/preflight.h"

/** Asks, runs and asks again until no precondition wants more; fills run->probes. Bounded in rounds
 * and in number. */
void ng_probes_run(struct ng_run *run, const struct ng_preflight *preflight);

#endif
