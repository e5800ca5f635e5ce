/**
 * names.h - the global names that a script uses, found without running it. Private to lua/host.
 *
 * Follows Lua's grammar and its scopes (manual, sections 3.3 and 3.5), for source that Lua has
 * accepted. Names that a script reaches by a value of its own (`local e = _ENV; e.x`) are not seen
 * here; the read-only globals of the sandbox refuse those when they are reached.
 */
#ifndef NG_HOST_NAMES_H
#define NG_HOST_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "lua/host/tokens.h"
#include "runner/base/arena.h"

/** A use of a global. `member` is the name behind a dot that follows, as in string.find; its kind
 * is NG_TOKEN_END where there is none. */
struct ng_lua_use {
    struct ng_lua_token name;
    struct ng_lua_token member;
    bool assigned;
};

/** Calls `use` for each in the order of the text. False when the source is nested too deeply to be
 * followed; Lua itself refuses such source. */
bool ng_lua_names(const char *text, size_t len,
    void (*use)(void *context, const struct ng_lua_use *use), void *context);

#endif
