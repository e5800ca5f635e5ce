/**
 * site.h - what a phase knows of its surroundings when its commands are made: from the run, or as
 * placeholders for a plan that is only shown.
 */
#ifndef NG_EXECUTE_SITE_H
#define NG_EXECUTE_SITE_H

#include "runner/engines/engine.h"
#include "runner/execute/context.h"

struct ng_site ng_site_of_run(
    struct ng_run *run, const struct ng_phase *phase, int repeat, int attempt);

/** The same without contacting anything: the run's folder is called nasgate-RUN, an address that
 * the plan does not state becomes <address of HOST:INTERFACE>. */
struct ng_site ng_site_placeholder(struct ng_arena *arena, const struct ng_plan *plan,
    const struct ng_phase *phase, int repeat, uint64_t seed);

#endif
