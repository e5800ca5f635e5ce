/**
 * unread.h - which arguments a script reads, as its text tells.
 *
 * An argument that is misspelt in a plan is not there for the script, which then works with its
 * default. So the text is looked at: what stands as args.NAME or args["NAME"] is read. A script
 * that uses args in any other way may read anything.
 */
#ifndef NG_HOST_UNREAD_H
#define NG_HOST_UNREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/arena.h"

/** Whether the script may read an argument of that name. Where it does not, *near (in the arena) is
 * the one that it reads and that may be meant, or NULL. */
bool ng_lua_reads_argument(
    const char *text, size_t len, const char *name, struct ng_arena *arena, const char **near);

#endif
