/**
 * preflight.h - facts from all hosts in one round trip each, then every precondition: those of the
 * plan and those that phases imply (the engines' tools, usable volumes).
 */
#ifndef NG_EXECUTE_PREFLIGHT_H
#define NG_EXECUTE_PREFLIGHT_H

#include "runner/execute/context.h"

/** All preconditions to evaluate: the plan's first, then the implied ones. */
struct ng_preflight {
    const struct ng_precondition *items;
    size_t count;
    size_t from_plan; /* the first so many are the plan's */
};
struct ng_preflight ng_preflight_new(struct ng_arena *arena, const struct ng_schedule *schedule);

/**
 * Collects facts into run->facts, one request to each host, all at the same time; environment and
 * state of hosts and volumes go into the result. Asked for is what preconditions need, the ends of
 * links, the volumes on both sides of their mounts, and what run->ask says.
 */
void ng_preflight_ask(struct ng_run *run, const struct ng_preflight *preflight);
/** The same, then the active probes that preconditions want. Another call replaces all of it. */
void ng_preflight_collect(struct ng_run *run, const struct ng_preflight *preflight);

/** Evaluates all of them into the result. Returns how many stop the run. */
size_t ng_preflight_evaluate(struct ng_run *run, const struct ng_preflight *preflight);

#endif
