/**
 * check.h - a file of Lua looked at without running it.
 */
#ifndef NG_HOST_CHECK_H
#define NG_HOST_CHECK_H

#include <stddef.h>

#include "plans/language/diag.h"

/**
 * Adds an error for what keeps the text from being loaded (rule "lua-syntax"), and for each use of
 * a global that the sandbox does not have, or that sets one (rule "lua-name"), with its place in
 * `file`, which is for messages and borrowed by nobody.
 */
void ng_lua_check(const char *file, const char *text, size_t len, struct ng_diags *diags);

#endif
