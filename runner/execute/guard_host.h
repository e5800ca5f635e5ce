/**
 * guard_host.h - hosts that were not there all the time of a repeat: rebooted, frozen, or out of
 * sight. Whatever the preconditions say of them before and after, nobody knows what was between.
 */
#ifndef NG_EXECUTE_GUARD_HOST_H
#define NG_EXECUTE_GUARD_HOST_H

#include "runner/execute/context.h"
#include "runner/execute/watch.h"

/** Adds an event for each. `before` and `after` are by index of plan->hosts. */
void ng_guard_hosts(struct ng_run *run, const struct ng_facts *const *before,
    const struct ng_facts *const *after, const struct ng_watched *watched, size_t count,
    const char *phase, const struct ng_repeat *repeat);

#endif
