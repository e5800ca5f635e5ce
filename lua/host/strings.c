/* The string functions of the sandbox: patterns that end, and texts that are bounded. */
#include <string.h>

#include <lauxlib.h>

#include "lua/host/capture.h"
#include "lua/host/gsub.h"
#include "lua/host/host.h"
#include "lua/host/sandbox.h"
#include "lua/host/text_of.h"

/* Of one value in a format: a number may have 309 digits before the point and 99 behind it. */
enum { CONVERSION_STEPS = 500 };

static const char specials[] = "^$*+?.([%-";

static int string_rep(lua_State *L) {
    size_t len = 0;
    size_t gap_len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    const lua_Integer count = luaL_checkinteger(L, 2);
    const char *gap = luaL_optlstring(L, 3, "", &gap_len);
    if (count <= 0 || len + gap_len == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if ((lua_Unsigned)count > NG_LUA_TEXT_MAX / (len + gap_len) + 1 ||
        (size_t)count * (len + gap_len) - gap_len > NG_LUA_TEXT_MAX) {
        return luaL_error(
            L, "string.rep: the text would have more than %d KiB", NG_LUA_TEXT_MAX / 1024);
    }
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    ng_lua_pay(L, count);
    for (lua_Integer i = 0; i < count; i++) {
        if (i > 0) {
            luaL_addlstring(&out, gap, gap_len);
        }
        luaL_addlstring(&out, text, len);
    }
    luaL_pushresult(&out);
    return 1;
}

/* Behind the conversion at `at`, a "%": flags, width, precision, letter. */
static const char *conversion_end(lua_State *L, const char *at, const char *end) {
    at++;
    at += strspn(at, "-+ #0123456789.");
    if (at >= end) {
        luaL_error(L, "string.format: the format ends within \"%%\"");
    }
    return at + 1;
}

/* Values become texts here, so that Lua's own function sees none that it would show by its address;
 * that function, the upvalue, then does the work. */
static int string_format(lua_State *L) {
    size_t len = 0;
    const char *format = luaL_checklstring(L, 1, &len);
    const char *end = format + len;
    int argument = 1;
    for (const char *at = format; at < end; at++) {
        if (*at != '%') {
            continue;
        }
        if (at + 1 < end && at[1] == '%') {
            at++;
            continue;
        }
        ng_lua_pay(L, CONVERSION_STEPS);
        at = conversion_end(L, at, end) - 1;
        argument++;
        if (*at == 'p') {
            return luaL_error(
                L, "string.format: %%p is left out: addresses differ from run to run");
        }
        if (*at == 's') {
            luaL_checkany(L, argument);
            ng_text_of(L, argument, NULL);
            lua_replace(L, argument);
        }
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

/* Where a search begins, from 0: by what Lua writes, from 1 or from the end. */
static size_t start_of(lua_Integer init, size_t len) {
    if (init > 0) {
        return (size_t)init - 1;
    }
    if (init == 0 || init < -(lua_Integer)len) {
        return 0;
    }
    return len + (size_t)init;
}

static int find_plain(
    lua_State *L, const char *text, size_t len, size_t start, const char *what, size_t what_len) {
    const char *found = memmem(text + start, len - start, what, what_len);
    ng_lua_pay(L, 1 + (int64_t)((len - start) / 8));
    if (found == NULL) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, found - text + 1);
    lua_pushinteger(L, found - text + (lua_Integer)what_len);
    return 2;
}

static int search(lua_State *L, bool find) {
    size_t len = 0;
    size_t source_len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    const char *source = luaL_checklstring(L, 2, &source_len);
    const size_t start = start_of(luaL_optinteger(L, 3, 1), len);
    if (start > len) {
        lua_pushnil(L);
        return 1;
    }
    const bool is_plain = strcspn(source, specials) == source_len;
    if (find && (lua_toboolean(L, 4) || is_plain)) {
        return find_plain(L, text, len, start, source, source_len);
    }
    const bool anchored = source_len > 0 && source[0] == '^';
    const int64_t given = ng_capture_steps(L);
    struct ng_pattern pattern;
    ng_pattern_begin(&pattern, text, len, source + anchored, source_len - anchored, given);
    const char *from = text + start;
    const char *end = ng_pattern_match(&pattern, from);
    while (end == NULL && !anchored && from < text + len && pattern.steps_left >= 0 &&
           pattern.wrong == NULL) {
        end = ng_pattern_match(&pattern, ++from);
    }
    ng_capture_pay(L, &pattern, given);
    if (end == NULL) {
        lua_pushnil(L);
        return 1;
    }
    if (!find) {
        return ng_capture_push_all(L, &pattern, from, end);
    }
    lua_pushinteger(L, from - text + 1);
    lua_pushinteger(L, end - text);
    return 2 + ng_capture_push_all(L, &pattern, NULL, NULL);
}

static int string_find(lua_State *L) {
    return search(L, true);
}

static int string_match(lua_State *L) {
    return search(L, false);
}

const struct ng_lua_name ng_lua_string_names[] = {
    {"string", "byte", NULL, NULL, NULL, NULL},
    {"string", "char", NULL, NULL, NULL, NULL},
    {"string", "find", string_find, NULL, NULL, NULL},
    {"string", "format", string_format, NULL, NULL, NULL},
    {"string", "gmatch", ng_gsub_gmatch, NULL, NULL, NULL},
    {"string", "gsub", ng_gsub, NULL, NULL, NULL},
    {"string", "len", NULL, NULL, NULL, NULL},
    {"string", "lower", NULL, NULL, NULL, NULL},
    {"string", "match", string_match, NULL, NULL, NULL},
    {"string", "rep", string_rep, NULL, NULL, NULL},
    {"string", "reverse", NULL, NULL, NULL, NULL},
    {"string", "sub", NULL, NULL, NULL, NULL},
    {"string", "upper", NULL, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
