/**
 * lua.h - the lua engine: a phase whose measurement is a script of the plan's own.
 */
#ifndef NG_ENGINES_LUA_H
#define NG_ENGINES_LUA_H

#include "runner/engines/engine.h"

struct ng_lua_phase {
    const struct ng_script *check;
    const struct ng_value *args; /* a map, or NULL */
    struct ng_metrics metrics;
};

extern const struct ng_engine ng_lua_engine;

#endif
