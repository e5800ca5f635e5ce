/**
 * json.h - JSON as Lua's values. Private to lua/host.
 */
#ifndef NG_HOST_JSON_H
#define NG_HOST_JSON_H

#include <lua.h>

/** json(text): a C function for Lua. */
int ng_json(lua_State *L);

#endif
