/**
 * probes.h - runs the active probes that preconditions want, between the facts and the judgement.
 */
#ifndef NG_EXECUTE_PROBES_H
#define NG_EXECUTE_PROBES_H

#include "runner/execute/preflight.h"

/** A precondition that asks, with what it kept at the look before (or NULL). */
struct ng_prober {
    const struct ng_precondition *item;
    const struct ng_records *earlier;
};

/** Who asks, over which facts, and where the answers go. */
struct ng_probing {
    const char *purpose; /* "probe", "probe after PHASE": what stands before a probe's name */
    const struct ng_prober *probers;
    size_t count;
    const struct ng_facts *const *facts; /* by index of plan->hosts */
    struct ng_probe_results *results;    /* live in `arena` */
    struct ng_arena *arena;
};

/** Asks, runs and asks again until nobody wants more; adds to the results. Bounded in rounds and in
 * number. */
void ng_probes_ask(struct ng_run *run, const struct ng_probing *probing);

/** Asks, runs and asks again until no precondition wants more; fills run->probes. Bounded in rounds
 * and in number. */
void ng_probes_run(struct ng_run *run, const struct ng_preflight *preflight);

#endif
