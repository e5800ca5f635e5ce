/**
 * sandbox.h - what a script finds: the table of all functions, from which the sandbox is filled,
 * names are checked and the reference page is printed. Private to lua/host.
 */
#ifndef NG_HOST_SANDBOX_H
#define NG_HOST_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include <lua.h>

/** A function or value that a script can name. */
struct ng_lua_name {
    const char *library; /* "string"; NULL: a global */
    const char *name;
    lua_CFunction call;  /* NULL: the one of Lua's own library */
    const char *usage;   /* as a script writes it, with what it gives; NULL: as in Lua's manual */
    const char *help;    /* what it does, as sentences; NULL: as in Lua's manual */
    const char *example; /* lines of Lua that run as they are; NULL: none */
};

/** Names of one theme; ends with a row without a name. */
extern const struct ng_lua_name ng_lua_base_names[];
extern const struct ng_lua_name ng_lua_string_names[];
extern const struct ng_lua_name ng_lua_table_names[];
extern const struct ng_lua_name ng_lua_math_names[];
extern const struct ng_lua_name ng_lua_utf8_names[];

/** All themes, NULL-terminated. */
extern const struct ng_lua_name *const ng_lua_themes[];

/** The row of a name; NULL: there is none. */
const struct ng_lua_name *ng_sandbox_find(const char *library, const char *name);
/** Whether a global is a library, whose functions stand behind a dot. */
bool ng_sandbox_is_library(const char *name);
/** Why a name is not there, to stand behind it in a sentence: "is left out: ...", "is unknown; did
 * you mean ...?". Written to `out`. */
void ng_sandbox_say_missing(const char *library, const char *name, char *out, size_t room);
/** The same, with the name in front, pushed on the stack. */
const char *ng_sandbox_missing(lua_State *L, const char *library, const char *name);

/** Fills a new state; a C function for Lua. */
int ng_sandbox_open(lua_State *L);
/** Pushes the table of globals that scripts see. */
void ng_sandbox_push_globals(lua_State *L);

#endif
