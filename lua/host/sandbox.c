/* What a script finds. */
#include "lua/host/sandbox.h"

#include <stdio.h>
#include <string.h>

#include <lauxlib.h>
#include <lualib.h>

#include "lua/host/api.h"
#include "lua/host/frozen.h"
#include "runner/base/guard.h"
#include "runner/base/text.h"

enum { NAMES_MAX = 160, GUESS_MAX = 40, REASON_MAX = 200 };

static const char globals_key;

const struct ng_lua_name *const ng_lua_themes[] = {ng_lua_say_names, ng_lua_lab_names,
    ng_lua_result_names, ng_lua_text_names, ng_lua_base_names, ng_lua_string_names,
    ng_lua_table_names, ng_lua_math_names, ng_lua_utf8_names, NULL};

static const char *const libraries[] = {"math", "string", "table", "utf8"};

/* Names of Lua that are not here, and what to do without them. */
static const struct {
    const char *library, *name, *why;
} left_out[] = {
    {NULL, "_G", "globals cannot be listed or changed"},
    {NULL, "collectgarbage", "memory is bounded by the sandbox"},
    {NULL, "coroutine", "a check runs from its first line to its last"},
    {NULL, "debug", "a check sees nothing of its host"},
    {NULL, "dofile", "a check is one file"},
    {NULL, "io", "write run{...} or read{...}, which are recorded"},
    {NULL, "load", "a check is one file"},
    {NULL, "loadfile", "a check is one file"},
    {NULL, "next", "its order differs from run to run; write pairs(t)"},
    {NULL, "os", "write run{...}, which is recorded; there is no clock"},
    {NULL, "package", "a check is one file"},
    {NULL, "rawequal", "write =="},
    {NULL, "rawget", "write t[key]"},
    {NULL, "rawlen", "write #t"},
    {NULL, "rawset", "write t[key] = value"},
    {NULL, "require", "a check is one file"},
    {NULL, "warn", "write print(...) or record(key, value)"},
    {"math", "randomseed", "the seed is that of the run, so that a replay gives the same numbers"},
    {"string", "dump", "there is no bytecode here"},
    {"string", "pack", "a check reads texts"},
    {"string", "packsize", "a check reads texts"},
    {"string", "unpack", "a check reads texts"},
};

static bool same_library(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

const struct ng_lua_name *ng_sandbox_find(const char *library, const char *name) {
    for (size_t i = 0; ng_lua_themes[i] != NULL; i++) {
        for (const struct ng_lua_name *row = ng_lua_themes[i]; row->name != NULL; row++) {
            if (same_library(row->library, library) && strcmp(row->name, name) == 0) {
                return row;
            }
        }
    }
    return NULL;
}

bool ng_sandbox_is_library(const char *name) {
    for (size_t i = 0; i < NG_COUNT(libraries); i++) {
        if (strcmp(libraries[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static const char *nearest(const char *library, const char *name) {
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; library == NULL && i < NG_COUNT(libraries); i++) {
        names[count++] = libraries[i];
    }
    for (size_t i = 0; ng_lua_themes[i] != NULL; i++) {
        for (const struct ng_lua_name *row = ng_lua_themes[i]; row->name != NULL; row++) {
            if (same_library(row->library, library) && count < NAMES_MAX) {
                names[count++] = row->name;
            }
        }
    }
    return strlen(name) <= GUESS_MAX ? ng_text_nearest(name, names, count) : NULL;
}

void ng_sandbox_say_missing(const char *library, const char *name, char *out, size_t room) {
    for (size_t i = 0; i < NG_COUNT(left_out); i++) {
        if (same_library(left_out[i].library, library) && strcmp(left_out[i].name, name) == 0) {
            snprintf(out, room, "is left out: %s", left_out[i].why);
            return;
        }
    }
    const char *near = nearest(library, name);
    if (near != NULL) {
        snprintf(out, room, "is unknown; did you mean \"%s\"?", near);
    } else {
        snprintf(out, room, library != NULL ? "is unknown" : "is an unknown name");
    }
}

const char *ng_sandbox_missing(lua_State *L, const char *library, const char *name) {
    char why[REASON_MAX];
    ng_sandbox_say_missing(library, name, why, sizeof why);
    return lua_pushfstring(L, "%s %s", name, why);
}

/* Pushes the table of a library of Lua's, as it comes. */
static void push_stock(lua_State *L, const char *library) {
    const lua_CFunction open = library == NULL                  ? luaopen_base
                               : strcmp(library, "math") == 0   ? luaopen_math
                               : strcmp(library, "string") == 0 ? luaopen_string
                               : strcmp(library, "table") == 0  ? luaopen_table
                                                                : luaopen_utf8;
    lua_pushcfunction(L, open);
    lua_call(L, 0, 1);
}

/* Pushes a new table with all rows of a library. */
static void push_library(lua_State *L, const char *library) {
    push_stock(L, library);
    lua_newtable(L);
    for (size_t i = 0; ng_lua_themes[i] != NULL; i++) {
        for (const struct ng_lua_name *row = ng_lua_themes[i]; row->name != NULL; row++) {
            if (!same_library(row->library, library)) {
                continue;
            }
            lua_getfield(L, -2, row->name);
            if (row->call != NULL) {
                lua_pushcclosure(L, row->call, 1); /* Lua's own, if any, for it to call */
            }
            lua_setfield(L, -2, row->name);
        }
    }
    lua_remove(L, -2);
}

/* Texts have the functions of their library as methods, and nothing else: no text is taken for a
 * number by an operator. */
static void protect_texts(lua_State *L, int strings) {
    lua_pushliteral(L, "");
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, strings);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

int ng_sandbox_open(lua_State *L) {
    ng_frozen_open(L);
    push_library(L, NULL);
    for (size_t i = 0; i < NG_COUNT(libraries); i++) {
        push_library(L, libraries[i]);
        ng_frozen_wrap(L, NG_FROZEN_LIBRARY, libraries[i]);
        if (strcmp(libraries[i], "string") == 0) {
            protect_texts(L, lua_gettop(L));
        }
        lua_setfield(L, -2, libraries[i]);
    }
    if (ng_lua_of(L)->call != NULL) {
        ng_api_set_values(L, ng_lua_of(L)->call);
    }
    ng_frozen_wrap(L, NG_FROZEN_GLOBALS, "the check");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &globals_key);
    return 0;
}

void ng_sandbox_push_globals(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &globals_key);
}
