/**
 * lab.h - the way to the hosts of a plan: guard, loop and transport, opened and closed in the order
 * that they need.
 */
#ifndef NG_CLI_LAB_H
#define NG_CLI_LAB_H

#include "plans/language/plan.h"
#include "runner/process/child.h"
#include "runner/process/loop.h"
#include "runner/transport/transport.h"

struct ng_lab {
    struct ng_guard *guard;
    struct ng_loop *loop;
    struct ng_transport *transport; /* to all hosts of the plan */
};

/** Opens; `lab` is zeroed by the caller and closed in any case. `run_id` names what is started. */
bool ng_lab_open(
    struct ng_plan *plan, const char *run_id, struct ng_lab *lab, struct ng_err *err) NG_MUST_USE;
void ng_lab_close(struct ng_lab *lab);

#endif
