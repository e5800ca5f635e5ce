/**
 * reach.h - how the hosts of a plan are reached, and what runs on them in another way than on
 * others.
 */
#ifndef NG_EXECUTE_REACH_H
#define NG_EXECUTE_REACH_H

#include "plans/language/plan.h"
#include "runner/engines/engine.h"
#include "runner/process/loop.h"
#include "runner/transport/transport.h"

/** Puts the link to the plan's other hosts in front of `local`, which it owns from then on, also on
 * failure. What the link borrows lies in the plan's arena. */
struct ng_transport *ng_reach_open(struct ng_plan *plan, struct ng_transport *local,
    struct ng_loop *loop, const char *run_id, struct ng_err *err);

/** Puts the commands that a host's `tools` name in the place of an engine's tools. */
void ng_reach_tools(struct ng_commands *commands);

/** Appends the words that give the collector more rights on a host, if the plan wants it so. */
void ng_reach_privilege(const struct ng_host *host, struct ng_strv *argv);

#endif
