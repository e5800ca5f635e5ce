/* The table functions of the sandbox: each pays for what it moves. */
#include <string.h>

#include <lauxlib.h>

#include "lua/host/frozen.h"
#include "lua/host/host.h"
#include "lua/host/order.h"
#include "lua/host/sandbox.h"
#include "runner/base/guard.h"

enum { UNPACK_MAX = 8000 };

/* The length of the table at 1, which is going to be changed. */
static lua_Integer writable(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (ng_frozen_is(L, 1)) {
        return luaL_error(L, "the table is read-only; copy it first");
    }
    return (lua_Integer)lua_rawlen(L, 1);
}

static int table_insert(lua_State *L) {
    const lua_Integer len = writable(L);
    const int given = lua_gettop(L);
    luaL_argcheck(
        L, given == 2 || given == 3, given, "expected (table, value) or (table, place, value)");
    const lua_Integer place = given == 3 ? luaL_checkinteger(L, 2) : len + 1;
    luaL_argcheck(L, place >= 1 && place <= len + 1, 2, "the place is outside of the list");
    ng_lua_pay(L, 1 + len + 1 - place);
    for (lua_Integer i = len; i >= place; i--) {
        lua_rawgeti(L, 1, i);
        lua_rawseti(L, 1, i + 1);
    }
    lua_pushvalue(L, given);
    lua_rawseti(L, 1, place);
    return 0;
}

static int table_remove(lua_State *L) {
    const lua_Integer len = writable(L);
    const lua_Integer place = luaL_optinteger(L, 2, len);
    luaL_argcheck(
        L, place == len || (place >= 1 && place <= len + 1), 2, "the place is outside of the list");
    ng_lua_pay(L, 1 + (place < len ? len - place : 0));
    lua_rawgeti(L, 1, place);
    for (lua_Integer i = place; i < len; i++) {
        lua_rawgeti(L, 1, i + 1);
        lua_rawseti(L, 1, i);
    }
    if (place >= 1 && place <= len) {
        lua_pushnil(L);
        lua_rawseti(L, 1, len);
    }
    return 1;
}

static int table_concat(lua_State *L) {
    size_t gap_len = 0;
    const char *gap = luaL_optlstring(L, 2, "", &gap_len);
    lua_settop(L, 4);
    ng_frozen_push_real(L, 1);
    const int table = lua_gettop(L);
    const lua_Integer first = luaL_optinteger(L, 3, 1);
    const lua_Integer last = luaL_optinteger(L, 4, (lua_Integer)lua_rawlen(L, table));
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    for (lua_Integer i = first; i <= last; i++) {
        ng_lua_pay(L, 1 + (int64_t)(gap_len / 64));
        if (i > first) {
            luaL_addlstring(&out, gap, gap_len);
        }
        const int type = lua_rawgeti(L, table, i);
        if (type != LUA_TSTRING && type != LUA_TNUMBER) {
            return luaL_error(
                L, "table.concat: item %I is a %s", (LUAI_UACINT)i, lua_typename(L, type));
        }
        luaL_addvalue(&out);
        if (i == LUA_MAXINTEGER) {
            break;
        }
    }
    luaL_pushresult(&out);
    return 1;
}

static int table_unpack(lua_State *L) {
    lua_settop(L, 3);
    ng_frozen_push_real(L, 1);
    const lua_Integer first = luaL_optinteger(L, 2, 1);
    const lua_Integer last = luaL_optinteger(L, 3, (lua_Integer)lua_rawlen(L, 4));
    if (first > last) {
        return 0;
    }
    const lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first + 1;
    if (count == 0 || count > UNPACK_MAX || !lua_checkstack(L, (int)count)) {
        return luaL_error(L, "table.unpack: too many values; at most %d", UNPACK_MAX);
    }
    ng_lua_pay(L, (int64_t)count);
    for (lua_Unsigned i = 0; i < count; i++) {
        lua_rawgeti(L, 4, (lua_Integer)((lua_Unsigned)first + i));
    }
    return (int)count;
}

static int table_move(lua_State *L) {
    const lua_Integer first = luaL_checkinteger(L, 2);
    const lua_Integer last = luaL_checkinteger(L, 3);
    const lua_Integer place = luaL_checkinteger(L, 4);
    const int to = lua_isnoneornil(L, 5) ? 1 : 5;
    luaL_checktype(L, to, LUA_TTABLE);
    if (ng_frozen_is(L, to)) {
        return luaL_error(L, "the table is read-only; copy it first");
    }
    ng_frozen_push_real(L, 1);
    const int from = lua_gettop(L);
    if (last >= first) {
        luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many items");
        const lua_Integer count = last - first + 1;
        luaL_argcheck(L, place <= LUA_MAXINTEGER - count + 1, 4, "the place is too large");
        ng_lua_pay(L, count);
        const bool backwards = place > first && place <= last && to == 1;
        for (lua_Integer i = 0; i < count; i++) {
            const lua_Integer k = backwards ? count - 1 - i : i;
            lua_rawgeti(L, from, first + k);
            lua_rawseti(L, to, place + k);
        }
    }
    lua_pushvalue(L, to);
    return 1;
}

const struct ng_lua_name ng_lua_table_names[] = {
    {"table", "concat", table_concat, NULL, NULL, NULL},
    {"table", "insert", table_insert, NULL, NULL, NULL},
    {"table", "move", table_move, NULL, NULL, NULL},
    {"table", "pack", NULL, NULL, NULL, NULL},
    {"table", "remove", table_remove, NULL, NULL, NULL},
    {"table", "sort", ng_order_sort, "table.sort(list, before)",
        "Sorts a list in place. Equal items keep their order, so that the outcome is the same "
        "everywhere.",
        NULL},
    {"table", "unpack", table_unpack, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
