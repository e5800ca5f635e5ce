/**
 * run.h - runs a script: the face of the Lua host.
 */
#ifndef NG_HOST_RUN_H
#define NG_HOST_RUN_H

#include "runner/result/script_call.h"

/** Runs the script of a call, from its first line to its last or to what it says, in a state of its
 * own; fills what it said. A bug in it, or a bound that it hits, is `error`, never more. */
void ng_lua_run_call(struct ng_script_call *call);

#endif
