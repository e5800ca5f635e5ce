/* The functions of math and utf8: Lua's own, with a seeded random(). */
#include <lauxlib.h>

#include "lua/host/host.h"
#include "lua/host/sandbox.h"

/* Generator: splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(struct ng_lua *lua) {
    uint64_t z = lua->random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* A number from 0 to `most`, each as likely as the others. */
static uint64_t random_up_to(struct ng_lua *lua, uint64_t most) {
    uint64_t mask = most;
    for (unsigned shift = 1; shift < 64; shift *= 2) {
        mask |= mask >> shift;
    }
    uint64_t drawn = next_random(lua) & mask;
    while (drawn > most) { /* half of them at most */
        drawn = next_random(lua) & mask;
    }
    return drawn;
}

static int math_random(lua_State *L) {
    struct ng_lua *lua = ng_lua_of(L);
    if (lua_gettop(L) == 0) {
        lua_pushnumber(L, (lua_Number)(next_random(lua) >> 11) * 0x1p-53);
        return 1;
    }
    const lua_Integer low = lua_gettop(L) == 1 ? 1 : luaL_checkinteger(L, 1);
    const lua_Integer high = luaL_checkinteger(L, lua_gettop(L) == 1 ? 1 : 2);
    luaL_argcheck(L, low <= high, lua_gettop(L) == 1 ? 1 : 2, "interval is empty");
    const uint64_t drawn = (uint64_t)low + random_up_to(lua, (uint64_t)high - (uint64_t)low);
    lua_pushinteger(L, (lua_Integer)drawn);
    return 1;
}

const struct ng_lua_name ng_lua_math_names[] = {
    {"math", "abs", NULL, NULL, NULL, NULL},
    {"math", "acos", NULL, NULL, NULL, NULL},
    {"math", "asin", NULL, NULL, NULL, NULL},
    {"math", "atan", NULL, NULL, NULL, NULL},
    {"math", "ceil", NULL, NULL, NULL, NULL},
    {"math", "cos", NULL, NULL, NULL, NULL},
    {"math", "deg", NULL, NULL, NULL, NULL},
    {"math", "exp", NULL, NULL, NULL, NULL},
    {"math", "floor", NULL, NULL, NULL, NULL},
    {"math", "fmod", NULL, NULL, NULL, NULL},
    {"math", "huge", NULL, NULL, NULL, NULL},
    {"math", "log", NULL, NULL, NULL, NULL},
    {"math", "max", NULL, NULL, NULL, NULL},
    {"math", "maxinteger", NULL, NULL, NULL, NULL},
    {"math", "min", NULL, NULL, NULL, NULL},
    {"math", "mininteger", NULL, NULL, NULL, NULL},
    {"math", "modf", NULL, NULL, NULL, NULL},
    {"math", "pi", NULL, NULL, NULL, NULL},
    {"math", "rad", NULL, NULL, NULL, NULL},
    {"math", "random", math_random, "math.random([low,] high)",
        "As in Lua, but seeded by the run: a replay draws the same numbers.", NULL},
    {"math", "sin", NULL, NULL, NULL, NULL},
    {"math", "sqrt", NULL, NULL, NULL, NULL},
    {"math", "tan", NULL, NULL, NULL, NULL},
    {"math", "tointeger", NULL, NULL, NULL, NULL},
    {"math", "type", NULL, NULL, NULL, NULL},
    {"math", "ult", NULL, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};

/* Lua's own, paid for by the length of the text. */
static int utf8_paid(lua_State *L) {
    size_t len = 0;
    (void)luaL_checklstring(L, 1, &len);
    ng_lua_pay(L, 1 + (int64_t)(len / 8));
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

const struct ng_lua_name ng_lua_utf8_names[] = {
    {"utf8", "char", NULL, NULL, NULL, NULL},
    {"utf8", "charpattern", NULL, NULL, NULL, NULL},
    {"utf8", "codepoint", utf8_paid, NULL, NULL, NULL},
    {"utf8", "codes", NULL, NULL, NULL, NULL},
    {"utf8", "len", utf8_paid, NULL, NULL, NULL},
    {"utf8", "offset", utf8_paid, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
