/**
 * reachable.h - the precondition `reachable`: a host can be asked, or the ends of a link answer
 * each other. The run adds one by itself for every other machine at an end of a link that a phase
 * crosses, so that a refused login is told as such.
 */
#ifndef NG_CONDITIONS_REACHABLE_H
#define NG_CONDITIONS_REACHABLE_H

#include "runner/conditions/condition.h"

/** One of the two is NULL. */
struct ng_reachable_params {
    const struct ng_host *host;
    const struct ng_link *link;
};

extern const struct ng_condition ng_condition_reachable;

#endif
