/**
 * load.h - from a plan's file to a typed plan, or to all of its errors.
 */
#ifndef NG_LANGUAGE_LOAD_H
#define NG_LANGUAGE_LOAD_H

#include "plans/language/plan.h"
#include "runner/base/err.h"

/** A parameter given with -p NAME=VALUE. */
struct ng_setting {
    const char *name;
    const char *value;
};

struct ng_load_options {
    const struct ng_vocabulary *vocabulary;
    const struct ng_setting *settings;
    size_t setting_count;
    const struct ng_scripts *lua; /* for plans that name files of Lua; copied; NULL: none can */
};

/**
 * Loads a plan. Errors and warnings go to `diags` (the caller initialises it with an arena that
 * outlives the printing). NULL when there was any error. A file that cannot be read, a folder, a
 * file over NG_PLAN_BYTES_MAX are errors at line 0. A -p for a parameter that the plan does not
 * have is an error. Free with ng_plan_free.
 */
struct ng_plan *ng_plan_load(
    const char *path, const struct ng_load_options *options, struct ng_diags *diags);
/** The same from memory; `file` is the name for messages. */
struct ng_plan *ng_plan_load_text(const char *file, const char *text, size_t len,
    const struct ng_load_options *options, struct ng_diags *diags);

/**
 * A plan of one host and nothing else, for commands that only look at it. `target` is "local", or
 * what `target:` of a host says, and `options` are for ssh's -o. The host is called "local", or as
 * the machine in the target where that is a name, else "host". Checked as a plan's host is: NULL
 * after errors, whose texts (not whose places) tell what is wrong. Free with ng_plan_free.
 */
struct ng_plan *ng_plan_of_target(const char *target, const struct ng_setting *options,
    size_t option_count, bool sudo, struct ng_diags *diags);

#endif
