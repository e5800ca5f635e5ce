/* The base functions of the sandbox: those of Lua that are safe, and others in the place of those
 * that are not. */
#include <lauxlib.h>

#include "lua/host/frozen.h"
#include "lua/host/host.h"
#include "lua/host/order.h"
#include "lua/host/sandbox.h"
#include "lua/host/text_of.h"

enum { CATCH_STEPS = 100 }; /* what an error costs that is caught */

const char *ng_text_of(lua_State *L, int index, size_t *len) {
    index = lua_absindex(L, index);
    if (luaL_callmeta(L, index, "__tostring")) {
        if (lua_type(L, -1) != LUA_TSTRING) {
            luaL_error(L, "__tostring must give a text");
        }
        return lua_tolstring(L, -1, len);
    }
    switch (lua_type(L, index)) {
    case LUA_TSTRING:
    case LUA_TNUMBER:
        lua_pushvalue(L, index);
        return lua_tolstring(L, -1, len);
    case LUA_TBOOLEAN:
        lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
        return lua_tolstring(L, -1, len);
    default:
        lua_pushstring(L, luaL_typename(L, index));
        return lua_tolstring(L, -1, len);
    }
}

static int base_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    ng_text_of(L, 1, NULL);
    return 1;
}

static int base_tonumber(lua_State *L) {
    size_t len = 0;
    if (lua_type(L, 1) == LUA_TSTRING) {
        lua_tolstring(L, 1, &len);
    }
    ng_lua_pay(L, 1 + (int64_t)(len / 4));
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* pcall and xpcall hold on to no error that ends the script. */
static int base_pcall(lua_State *L) {
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    const int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0);
    if (status == LUA_OK) {
        return lua_gettop(L);
    }
    ng_lua_pass_on(L, status);
    ng_lua_pay(L, CATCH_STEPS);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

/* The handler is called when the error has been caught, not where it was raised: there it could be
 * within the hook that counts steps, and nothing would count its own. */
static int base_xpcall(lua_State *L) {
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 1);
    lua_copy(L, 2, 1);
    lua_replace(L, 2); /* handler, function, arguments */
    int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0);
    if (status == LUA_OK) {
        lua_pushboolean(L, 1);
        lua_replace(L, 1);
        return lua_gettop(L);
    }
    ng_lua_pass_on(L, status);
    ng_lua_pay(L, CATCH_STEPS);
    status = lua_pcall(L, 1, 1, 0);
    if (status != LUA_OK) {
        ng_lua_pass_on(L, status);
    }
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

static int base_setmetatable(lua_State *L) {
    static const char *const refused[] = {"__gc", "__mode"};
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
        return luaL_error(L, "the metatable is protected");
    }
    for (size_t i = 0; lua_istable(L, 2) && i < NG_COUNT(refused); i++) {
        lua_pushstring(L, refused[i]);
        if (lua_rawget(L, 2) != LUA_TNIL) {
            return luaL_error(
                L, "%s is left out: when it happens would depend on the machine", refused[i]);
        }
    }
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
}

static int base_print(lua_State *L) {
    struct ng_lua *lua = ng_lua_of(L);
    const int count = lua_gettop(L);
    for (int i = 1; i <= count; i++) {
        size_t len = 0;
        const char *text = ng_text_of(L, i, &len);
        ng_lua_pay(L, (int64_t)(len / 16));
        ng_buf_adds(&lua->printed, i > 1 ? "\t" : "");
        ng_buf_add(&lua->printed, text, len);
        lua_pop(L, 1);
    }
    ng_buf_addc(&lua->printed, '\n');
    return 0;
}

const struct ng_lua_name ng_lua_base_names[] = {
    {NULL, "assert", NULL, NULL, NULL, NULL},
    {NULL, "error", NULL, NULL, NULL, NULL},
    {NULL, "getmetatable", NULL, NULL, NULL, NULL},
    {NULL, "ipairs", NULL, NULL, NULL, NULL},
    {NULL, "pairs", ng_order_pairs, "for key, value in pairs(table) do",
        "The keys of a table in a fixed order: numbers from small to large, then texts by their "
        "bytes, then false and true. A table with other keys has no order and is an error.",
        "local seen = {}\n"
        "for key in pairs({b = 1, a = 2, 7}) do\n"
        "  seen[#seen + 1] = tostring(key)\n"
        "end\n"
        "assert(table.concat(seen, \" \") == \"1 a b\")"},
    {NULL, "pcall", base_pcall, NULL, NULL, NULL},
    {NULL, "print", base_print, "print(...)",
        "For working on a check: \"nasgate lua\" shows the line; in a run it is part of what the "
        "check looked at. At most 16 KiB are kept.",
        NULL},
    {NULL, "select", NULL, NULL, NULL, NULL},
    {NULL, "setmetatable", base_setmetatable, NULL, NULL, NULL},
    {NULL, "tonumber", base_tonumber, NULL, NULL, NULL},
    {NULL, "tostring", base_tostring, NULL, NULL, NULL},
    {NULL, "type", NULL, NULL, NULL, NULL},
    {NULL, "xpcall", base_xpcall, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
