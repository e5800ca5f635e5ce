/**
 * lua.h - a check that is written in Lua, as a precondition.
 */
#ifndef NG_CONDITIONS_LUA_H
#define NG_CONDITIONS_LUA_H

#include "runner/conditions/condition.h"

struct ng_lua_params {
    const struct ng_script *check;
    const struct ng_value *args; /* a map, or NULL */
};

extern const struct ng_condition ng_condition_lua;

#endif
