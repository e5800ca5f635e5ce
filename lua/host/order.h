/**
 * order.h - tables in an order that is the same on every machine. Private to lua/host.
 */
#ifndef NG_HOST_ORDER_H
#define NG_HOST_ORDER_H

#include <lua.h>

/** pairs(): a C function for Lua. */
int ng_order_pairs(lua_State *L);
/** table.sort(): stable, and bounded by what it pays; a C function for Lua. */
int ng_order_sort(lua_State *L);

#endif
