/* Tables in an order that is the same on every machine. */
#include "lua/host/order.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "lua/host/frozen.h"
#include "lua/host/host.h"

/* A key, taken apart so that it can be compared without Lua; the table keeps its text alive. */
struct key {
    int type;
    int is_integer;
    lua_Integer integer;
    lua_Number number;
    const char *text;
    size_t len;
};

static int rank(const struct key *key) {
    return key->type == LUA_TNUMBER ? 0 : key->type == LUA_TSTRING ? 1 : 2;
}

static int compare_numbers(const struct key *a, const struct key *b) {
    if (a->is_integer && b->is_integer) {
        return (a->integer > b->integer) - (a->integer < b->integer);
    }
    const int by_value = (a->number > b->number) - (a->number < b->number);
    return by_value != 0 ? by_value : b->is_integer - a->is_integer;
}

static int compare_texts(const struct key *a, const struct key *b) {
    const int common = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);
    return common != 0 ? common : (a->len > b->len) - (a->len < b->len);
}

static int compare_keys(const void *left, const void *right) {
    const struct key *a = left;
    const struct key *b = right;
    if (rank(a) != rank(b)) {
        return rank(a) - rank(b);
    }
    switch (a->type) {
    case LUA_TNUMBER:
        return compare_numbers(a, b);
    case LUA_TSTRING:
        return compare_texts(a, b);
    default:
        return (int)(a->integer - b->integer);
    }
}

/* Takes the key on top of the stack apart. */
static struct key key_of(lua_State *L) {
    struct key key = {.type = lua_type(L, -1)};
    switch (key.type) {
    case LUA_TNUMBER:
        key.is_integer = lua_isinteger(L, -1);
        key.integer = key.is_integer ? lua_tointeger(L, -1) : 0;
        key.number = lua_tonumber(L, -1);
        break;
    case LUA_TSTRING:
        key.text = lua_tolstring(L, -1, &key.len);
        break;
    case LUA_TBOOLEAN:
        key.integer = lua_toboolean(L, -1);
        break;
    default:
        luaL_error(
            L, "pairs: a key is a %s, which has no place in an order", lua_typename(L, key.type));
    }
    return key;
}

static void push_key(lua_State *L, const struct key *key) {
    if (key->type == LUA_TSTRING) {
        lua_pushlstring(L, key->text, key->len);
    } else if (key->type == LUA_TBOOLEAN) {
        lua_pushboolean(L, (int)key->integer);
    } else if (key->is_integer) {
        lua_pushinteger(L, key->integer);
    } else {
        lua_pushnumber(L, key->number);
    }
}

/* What sorting so many costs, in steps. */
static int64_t price(size_t count) {
    int64_t levels = 1;
    for (size_t n = count; n > 1; n /= 2) {
        levels++;
    }
    return 2 * levels * (int64_t)count;
}

/* The next of the keys in the first upvalue; the second counts, the third is the table. */
static int next_pair(lua_State *L) {
    for (;;) {
        const lua_Integer i = lua_tointeger(L, lua_upvalueindex(2)) + 1;
        lua_pushinteger(L, i);
        lua_replace(L, lua_upvalueindex(2));
        if (lua_rawgeti(L, lua_upvalueindex(1), i) == LUA_TNIL) {
            return 1;
        }
        lua_pushvalue(L, -1);
        if (lua_rawget(L, lua_upvalueindex(3)) != LUA_TNIL) {
            return 2;
        }
        ng_lua_pay(L, 1); /* it was taken out meanwhile */
        lua_settop(L, 0);
    }
}

int ng_order_pairs(lua_State *L) {
    ng_frozen_push_real(L, 1);
    const int table = lua_gettop(L);
    size_t count = 0;
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        count++;
    }
    ng_lua_pay(L, price(count));
    struct key *keys = lua_newuserdatauv(L, (count + 1) * sizeof *keys, 0);
    size_t at = 0;
    for (lua_pushnil(L); lua_next(L, table) != 0;) {
        lua_pop(L, 1);
        keys[at++] = key_of(L);
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        push_key(L, &keys[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_pushinteger(L, 0);
    lua_pushvalue(L, table);
    lua_pushcclosure(L, next_pair, 3);
    return 1;
}

/* Whether the value at `a` comes before the one at `b`, by the function at 2 or by "<". */
static int comes_before(lua_State *L, int a, int b) {
    ng_lua_pay(L, 2);
    if (lua_isnil(L, 2)) {
        return lua_compare(L, a, b, LUA_OPLT);
    }
    a = lua_absindex(L, a);
    b = lua_absindex(L, b);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, a);
    lua_pushvalue(L, b);
    lua_call(L, 2, 1);
    const int before = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return before;
}

/* Merges from[low .. middle) and from[middle .. high) into `to`, tables at stack indices. */
static void merge(
    lua_State *L, int from, int to, lua_Integer low, lua_Integer middle, lua_Integer high) {
    lua_Integer left = low;
    lua_Integer right = middle;
    for (lua_Integer at = low; at < high; at++) {
        bool take_right = left >= middle;
        if (!take_right && right < high) {
            lua_rawgeti(L, from, right);
            lua_rawgeti(L, from, left);
            take_right = comes_before(L, -2, -1); /* an equal one on the left stays in front */
            lua_pop(L, 2);
        }
        lua_rawgeti(L, from, take_right ? right++ : left++);
        lua_rawseti(L, to, at);
    }
}

int ng_order_sort(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (!lua_isnoneornil(L, 2)) {
        luaL_checktype(L, 2, LUA_TFUNCTION);
    }
    if (ng_frozen_is(L, 1)) {
        return luaL_error(L, "table.sort: the table is read-only; copy it first");
    }
    lua_settop(L, 2);
    const lua_Integer count = (lua_Integer)lua_rawlen(L, 1);
    ng_lua_pay(L, price((size_t)count));
    for (int i = 3; i <= 4; i++) { /* two tables to go back and forth between */
        lua_createtable(L, (int)count, 0);
        for (lua_Integer k = 1; i == 3 && k <= count; k++) {
            lua_rawgeti(L, 1, k);
            lua_rawseti(L, i, k);
        }
    }
    int from = 3;
    for (lua_Integer width = 1; width < count; width *= 2) {
        for (lua_Integer low = 1; low <= count; low += 2 * width) {
            const lua_Integer middle = low + width < count + 1 ? low + width : count + 1;
            const lua_Integer high = low + 2 * width < count + 1 ? low + 2 * width : count + 1;
            merge(L, from, 7 - from, low, middle, high);
        }
        from = 7 - from;
    }
    for (lua_Integer k = 1; k <= count; k++) {
        lua_rawgeti(L, from, k);
        lua_rawseti(L, 1, k);
    }
    return 0;
}
