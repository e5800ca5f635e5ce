/**
 * gather.h - facts of all hosts of the plan at the same time, in one round trip each.
 */
#ifndef NG_EXECUTE_GATHER_H
#define NG_EXECUTE_GATHER_H

#include "runner/execute/context.h"
#include "runner/facts/collect.h"

/** Frames what a host prints. Not guessable there, yet the same in a replay. Lives in run->arena.
 */
const char *ng_run_token(struct ng_run *run, const struct ng_host *host);

/**
 * Fills facts[] (by index of plan->hosts) with facts that live in `arena`; needs[] says what each
 * host is asked for. `purpose` names the requests. Hosts that cannot be asked, and all of them once
 * the user has stopped the run, get facts that say why. Hosts that run->ask leaves out are not
 * asked. Where run->asked is there, it gets how each answered.
 */
void ng_gather(struct ng_run *run, const struct ng_collect_needs *needs, const char *purpose,
    struct ng_arena *arena, const struct ng_facts **facts);
/** The same for the one with that index in plan->hosts; the others' facts are left as they are. */
void ng_gather_host(struct ng_run *run, size_t host, const struct ng_collect_needs *needs,
    const char *purpose, struct ng_arena *arena, const struct ng_facts **facts);

#endif
