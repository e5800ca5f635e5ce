/* All matches of a pattern: one after another, and replaced. */
#include "lua/host/gsub.h"

#include <ctype.h>
#include <string.h>

#include <lauxlib.h>

#include "lua/host/capture.h"
#include "lua/host/host.h"

/* The next match at or behind an offset of the text that does not end where the last one ended.
 * Upvalues: text, pattern, offset, end of the last match. */
static int next_match(lua_State *L) {
    size_t len = 0;
    size_t source_len = 0;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &len);
    const char *source = lua_tolstring(L, lua_upvalueindex(2), &source_len);
    const lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    const int64_t given = ng_capture_steps(L);
    struct ng_pattern pattern;
    ng_pattern_begin(&pattern, text, len, source, source_len, given);
    for (lua_Integer at = lua_tointeger(L, lua_upvalueindex(3)); at <= (lua_Integer)len; at++) {
        const char *end = ng_pattern_match(&pattern, text + at);
        if (pattern.steps_left < 0 || pattern.wrong != NULL) {
            break;
        }
        if (end != NULL && end - text != last) {
            ng_capture_pay(L, &pattern, given);
            lua_pushinteger(L, end - text);
            lua_copy(L, -1, lua_upvalueindex(3));
            lua_copy(L, -1, lua_upvalueindex(4));
            return ng_capture_push_all(L, &pattern, text + at, end);
        }
    }
    ng_capture_pay(L, &pattern, given);
    return 0;
}

int ng_gsub_gmatch(lua_State *L) {
    size_t len = 0;
    luaL_checklstring(L, 1, &len);
    luaL_checkstring(L, 2);
    lua_Integer start = luaL_optinteger(L, 3, 1);
    start = start > 0                                 ? start - 1
            : start == 0 || start < -(lua_Integer)len ? 0
                                                      : (lua_Integer)len + start;
    lua_settop(L, 2);
    lua_pushinteger(L, start > (lua_Integer)len ? (lua_Integer)len + 1 : start);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_match, 4);
    return 1;
}

/* Adds the replacement text at 3 with its %0 .. %9. */
static void add_text(lua_State *L, luaL_Buffer *out, const struct ng_pattern *pattern,
    const char *from, const char *end) {
    size_t len = 0;
    const char *text = lua_tolstring(L, 3, &len);
    ng_lua_pay(L, 1 + (int64_t)(len / 16));
    for (const char *at = text; at < text + len; at++) {
        if (*at != '%') {
            luaL_addchar(out, *at);
            continue;
        }
        at++;
        if (at < text + len && *at == '%') {
            luaL_addchar(out, '%');
        } else if (at < text + len && *at == '0') {
            luaL_addlstring(out, from, (size_t)(end - from));
        } else if (at < text + len && isdigit((unsigned char)*at)) {
            ng_capture_push(L, pattern, *at - '1', from, end);
            luaL_tolstring(L, -1, NULL); /* a text or a number */
            lua_remove(L, -2);
            luaL_addvalue(out);
        } else {
            luaL_error(L, "invalid use of '%%' in replacement string");
        }
    }
}

/* Adds what stands in for one match: by a text, a table or a function. */
static void add_value(lua_State *L, luaL_Buffer *out, const struct ng_pattern *pattern,
    const char *from, const char *end) {
    switch (lua_type(L, 3)) {
    case LUA_TFUNCTION:
        lua_pushvalue(L, 3);
        lua_call(L, ng_capture_push_all(L, pattern, from, end), 1);
        break;
    case LUA_TTABLE:
        ng_capture_push(L, pattern, 0, from, end);
        lua_gettable(L, 3);
        break;
    default:
        add_text(L, out, pattern, from, end);
        return;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(out, from, (size_t)(end - from));
    } else if (!lua_isstring(L, -1)) {
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    } else {
        luaL_addvalue(out);
    }
}

/* One round of gsub: true with the match that begins at `from`, paid for. */
static bool matches(lua_State *L, struct ng_pattern *pattern, const char *from, const char **end) {
    const int64_t given = ng_capture_steps(L);
    pattern->steps_left = given;
    *end = ng_pattern_match(pattern, from);
    ng_capture_pay(L, pattern, given);
    return *end != NULL;
}

int ng_gsub(lua_State *L) {
    size_t len = 0;
    size_t source_len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    const char *source = luaL_checklstring(L, 2, &source_len);
    const int type = lua_type(L, 3);
    luaL_argexpected(L,
        type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TTABLE || type == LUA_TFUNCTION,
        3, "string/function/table");
    if (type == LUA_TNUMBER) {
        lua_tostring(L, 3); /* in place, so that nothing is converted later */
    }
    const lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)len + 1);
    const bool anchored = source_len > 0 && source[0] == '^';
    struct ng_pattern pattern;
    ng_pattern_begin(&pattern, text, len, source + anchored, source_len - anchored, 0);
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    const char *from = text;
    const char *last = NULL;
    lua_Integer count = 0;
    while (count < most) {
        const char *end = NULL;
        if (matches(L, &pattern, from, &end) && end != last) {
            count++;
            add_value(L, &out, &pattern, from, end);
            from = last = end;
        } else if (from < text + len) {
            luaL_addchar(&out, *from++);
        } else {
            break;
        }
        if (anchored) {
            break;
        }
    }
    luaL_addlstring(&out, from, (size_t)(text + len - from));
    luaL_pushresult(&out);
    lua_pushinteger(L, count);
    return 2;
}
