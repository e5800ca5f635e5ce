/* Matches of patterns as values of Lua. */
#include "lua/host/capture.h"

#include <lauxlib.h>

#include "lua/host/host.h"

int64_t ng_capture_steps(lua_State *L) {
    return ng_lua_steps_left(L);
}

void ng_capture_pay(lua_State *L, struct ng_pattern *pattern, int64_t given) {
    ng_lua_pay(L, given - pattern->steps_left); /* more than there was, when it was not enough */
    if (pattern->wrong != NULL) {
        luaL_error(L, "%s", pattern->wrong);
    }
}

void ng_capture_push(
    lua_State *L, const struct ng_pattern *pattern, int i, const char *from, const char *end) {
    if (i >= pattern->capture_count) {
        if (i != 0) {
            luaL_error(L, "invalid capture index %%%d", i + 1);
        }
        lua_pushlstring(L, from, (size_t)(end - from));
        return;
    }
    const struct ng_pattern_capture *capture = &pattern->captures[i];
    if (capture->len == NG_PATTERN_PLACE) {
        lua_pushinteger(L, capture->at - pattern->text + 1);
    } else {
        lua_pushlstring(L, capture->at, (size_t)capture->len);
    }
}

int ng_capture_push_all(
    lua_State *L, const struct ng_pattern *pattern, const char *from, const char *end) {
    const int count = pattern->capture_count == 0 && from != NULL ? 1 : pattern->capture_count;
    luaL_checkstack(L, count, "too many captures");
    for (int i = 0; i < count; i++) {
        ng_capture_push(L, pattern, i, from, end);
    }
    return count;
}
