/**
 * capture.h - matches of patterns as values of Lua, and what they cost. Private to lua/host.
 */
#ifndef NG_HOST_CAPTURE_H
#define NG_HOST_CAPTURE_H

#include <stdint.h>

#include <lua.h>

#include "lua/host/pattern.h"

/** The steps that a pattern may take: all that are left. */
int64_t ng_capture_steps(lua_State *L);
/** Pays for what a pattern took of those; raises the error of one that is wrong. */
void ng_capture_pay(lua_State *L, struct ng_pattern *pattern, int64_t given);
/** Pushes a capture, from 0; the whole match, from .. end, for the first of none. */
void ng_capture_push(
    lua_State *L, const struct ng_pattern *pattern, int i, const char *from, const char *end);
/** Pushes all; the whole match where there are none and `from` is given. Returns how many. */
int ng_capture_push_all(
    lua_State *L, const struct ng_pattern *pattern, const char *from, const char *end);

#endif
