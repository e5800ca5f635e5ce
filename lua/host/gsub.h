/**
 * gsub.h - string.gmatch and string.gsub, C functions for Lua. Private to lua/host.
 */
#ifndef NG_HOST_GSUB_H
#define NG_HOST_GSUB_H

#include <lua.h>

int ng_gsub_gmatch(lua_State *L);
int ng_gsub(lua_State *L);

#endif
