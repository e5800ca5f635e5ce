/* Tables that a script can read and not change. */
#include "lua/host/frozen.h"

#include <lauxlib.h>

#include "lua/host/sandbox.h"

/* Keys that no script can make: the addresses of these. */
static const char real_key, name_key;
static const char meta_keys[NG_FROZEN_GLOBALS + 1];

static int refuse_missing(lua_State *L, enum ng_frozen kind) {
    lua_rawgetp(L, 1, &name_key);
    const char *library = lua_tostring(L, -1);
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
    if (name == NULL) {
        return luaL_error(L, "%s has names only", library);
    }
    const bool global = kind == NG_FROZEN_GLOBALS;
    const char *missing = ng_sandbox_missing(L, global ? NULL : library, name);
    return global ? luaL_error(L, "%s", missing) : luaL_error(L, "%s.%s", library, missing);
}

static int index_any(lua_State *L, enum ng_frozen kind) {
    lua_rawgetp(L, 1, &real_key);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) == LUA_TNIL && kind != NG_FROZEN_DATA) {
        return refuse_missing(L, kind);
    }
    return 1;
}

static int index_data(lua_State *L) {
    return index_any(L, NG_FROZEN_DATA);
}

static int index_library(lua_State *L) {
    return index_any(L, NG_FROZEN_LIBRARY);
}

static int index_globals(lua_State *L) {
    return index_any(L, NG_FROZEN_GLOBALS);
}

static int refuse_data(lua_State *L) {
    return luaL_error(L, "the table is read-only; copy what you want to change");
}

static int refuse_global(lua_State *L) {
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
    return luaL_error(L, "globals are read-only; write \"local %s\"", name);
}

static int length(lua_State *L) {
    lua_rawgetp(L, 1, &real_key);
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
    return 1;
}

void ng_frozen_open(lua_State *L) {
    static const lua_CFunction readers[] = {index_data, index_library, index_globals};
    static const lua_CFunction writers[] = {refuse_data, refuse_data, refuse_global};
    for (int kind = NG_FROZEN_DATA; kind <= NG_FROZEN_GLOBALS; kind++) {
        lua_createtable(L, 0, 4);
        lua_pushcfunction(L, readers[kind]);
        lua_setfield(L, -2, "__index");
        lua_pushcfunction(L, writers[kind]);
        lua_setfield(L, -2, "__newindex");
        lua_pushcfunction(L, length);
        lua_setfield(L, -2, "__len");
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
        lua_rawsetp(L, LUA_REGISTRYINDEX, &meta_keys[kind]);
    }
}

void ng_frozen_wrap(lua_State *L, enum ng_frozen kind, const char *name) {
    lua_createtable(L, 0, name != NULL ? 2 : 1);
    lua_insert(L, -2);
    lua_rawsetp(L, -2, &real_key);
    if (name != NULL) {
        lua_pushstring(L, name);
        lua_rawsetp(L, -2, &name_key);
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &meta_keys[kind]);
    lua_setmetatable(L, -2);
}

bool ng_frozen_is(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TTABLE) {
        return false;
    }
    const bool frozen = lua_rawgetp(L, index, &real_key) == LUA_TTABLE;
    lua_pop(L, 1);
    return frozen;
}

void ng_frozen_push_real(lua_State *L, int index) {
    luaL_checktype(L, index, LUA_TTABLE);
    if (lua_rawgetp(L, index, &real_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_pushvalue(L, index);
    }
}
