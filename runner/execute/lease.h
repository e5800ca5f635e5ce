/**
 * lease.h - the leases of a run: all taken before anything looks at the units, held by a command on
 * each while the run measures, given back at the end.
 *
 * All or none: the hosts are taken in the plan's order for it (plan.h), and one that is busy ends
 * it. A lease that is lost on the way halts the run, see batch.h.
 */
#ifndef NG_EXECUTE_LEASE_H
#define NG_EXECUTE_LEASE_H

#include "runner/execute/context.h"

/** Adds the plan's leases to a new result, "not asked". */
void ng_leases_expect(struct ng_result *result, const struct ng_plan *plan);

/** Takes all leases; true when all are held, and without any. Else the result says which could not
 * be taken and why: busy, or an error of the run. Nothing was done to any host then. */
bool ng_leases_take(struct ng_run *run);
/** Why the phases were skipped when they could not be taken. */
const char *ng_leases_refused(struct ng_run *run);
/** Gives back what is held, however far the run came. One that was lost makes the run an error. */
void ng_leases_give_back(struct ng_run *run);

/** Finds out who has the plan's leases, without taking any. */
void ng_leases_look(struct ng_run *run);

#endif
