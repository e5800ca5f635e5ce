/**
 * try_check.h - one check in Lua run over the evidence of a bundle.
 */
#ifndef NG_CLI_TRY_CHECK_H
#define NG_CLI_TRY_CHECK_H

#include "plans/language/script.h"
#include "plans/language/value.h"

/** Runs it as a precondition of the bundle's plan and prints what it says and looked at. Starts
 * nothing: a command that was not recorded has no answer. Returns the exit code: 0 held, 3 broken
 * or unknown, 2 when the bundle cannot be used. */
int ng_try_check(const char *bundle, const struct ng_script *script, const struct ng_value *args);

#endif
