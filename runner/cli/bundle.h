/**
 * bundle.h - the folder of one run: found or made before anything starts, never one that holds
 * something already.
 */
#ifndef NG_CLI_BUNDLE_H
#define NG_CLI_BUNDLE_H

#include <stdint.h>

#include "plans/language/plan.h"
#include "runner/base/err.h"
#include "runner/result/result.h"

/**
 * Makes a bundle's folder and puts the plan into it: plan.yaml as written, effective.yaml with
 * every parameter and default filled in, its files of Lua in lua/, and the baseline's result where
 * there is one, so that the bundle can be replayed by itself. `wish` is the folder asked for: it
 * must be new or empty. NULL: nasgate-out/PLAN/UTC-TIME below the working folder, with -2, -3 ...
 * behind when that exists. Returns the path, in the plan's arena, or NULL with an error of kind
 * NG_ERR_USAGE.
 */
const char *ng_bundle_new(struct ng_plan *plan, const struct ng_result *baseline, const char *wish,
    int64_t wall_ns, struct ng_err *err);

/** "DIGEST  lua/NAME" of each file of Lua that a plan names, NULL-terminated; NULL: none. In the
 * plan's arena. */
const char *const *ng_bundle_scripts(struct ng_plan *plan);

#endif
