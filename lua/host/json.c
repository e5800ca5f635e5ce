/* JSON as Lua's values. */
#include "lua/host/json.h"

#include <jansson.h>
#include <lauxlib.h>

#include "lua/host/host.h"

enum { DEPTH_MAX = 50 };

static const char holder_key;

/* The tree lies in a holder that the state frees, whichever way out is taken. */
static int free_tree(lua_State *L) {
    json_t **holder = lua_touserdata(L, 1);
    json_decref(*holder);
    *holder = NULL;
    return 0;
}

static json_t **push_holder(lua_State *L) {
    json_t **holder = lua_newuserdatauv(L, sizeof *holder, 0);
    *holder = NULL;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &holder_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 1);
        lua_pushcfunction(L, free_tree);
        lua_setfield(L, -2, "__gc");
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &holder_key);
    }
    lua_setmetatable(L, -2);
    return holder;
}

static void push_tree(lua_State *L, json_t *value, int depth);

static void push_object(lua_State *L, json_t *object, int depth) {
    const char *key = NULL;
    json_t *item = NULL;
    lua_createtable(L, 0, (int)json_object_size(object));
    json_object_foreach(object, key, item) {
        lua_pushstring(L, key);
        push_tree(L, item, depth);
        lua_rawset(L, -3);
    }
}

static void push_array(lua_State *L, json_t *array, int depth) {
    lua_createtable(L, (int)json_array_size(array), 0);
    for (size_t i = 0; i < json_array_size(array); i++) {
        push_tree(L, json_array_get(array, i), depth);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_tree(lua_State *L, json_t *value, int depth) {
    ng_lua_pay(L, 4);
    luaL_checkstack(L, 4, "nested too deeply");
    if (depth > DEPTH_MAX) {
        luaL_error(L, "json: nested deeper than %d levels", DEPTH_MAX);
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        push_object(L, value, depth + 1);
        break;
    case JSON_ARRAY:
        push_array(L, value, depth + 1);
        break;
    case JSON_STRING:
        lua_pushlstring(L, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        lua_pushinteger(L, json_integer_value(value));
        break;
    case JSON_REAL:
        lua_pushnumber(L, json_real_value(value));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        lua_pushboolean(L, json_is_true(value));
        break;
    case JSON_NULL:
        lua_pushnil(L);
        break;
    }
}

int ng_json(lua_State *L) {
    size_t len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    json_error_t error;
    ng_lua_pay(L, 100 + 16 * (int64_t)len); /* the tree is larger than the text */
    json_t **holder = push_holder(L);
    *holder = json_loadb(text, len, JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, &error);
    if (*holder == NULL) {
        lua_pushnil(L);
        lua_pushfstring(L, "it is no JSON: %s at line %d", error.text, error.line);
        return 2;
    }
    push_tree(L, *holder, 0);
    json_decref(*holder);
    *holder = NULL;
    return 1;
}
