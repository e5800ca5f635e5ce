/* One sandboxed Lua state: memory, steps, and how it ends. */
#include "lua/host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "lua/host/sandbox.h"

/* How often the hook looks, in instructions. */
enum { LOOK_EVERY = 100 };

/* Bytes of a file's name in front of Lua's messages, which itself cuts longer ones (LUA_IDSIZE). */
enum { CHUNK_MAX = 50 };

/* The end of the file's name: what a message begins with that a script catches. */
static const char *chunk_of(const struct ng_lua *lua) {
    const char *name = lua->name != NULL ? lua->name : "lua";
    const size_t len = strlen(name);
    return len > CHUNK_MAX ? name + len - CHUNK_MAX : name;
}

const char *ng_lua_end_text(enum ng_lua_end end) {
    static const char *const texts[] = {
#define X(name, text) text,
        NG_LUA_ENDS(X)
#undef X
    };
    return texts[end];
}

struct ng_lua *ng_lua_of(lua_State *L) {
    struct ng_lua *lua = NULL;
    memcpy(&lua, lua_getextraspace(L), sizeof lua);
    return lua;
}

/* Whether a block may grow to `size` bytes; what it costs is paid here. Lua collects its garbage
 * when it is refused, and asks once more: that costs what is in use, and is paid as well. */
static bool may_grow(struct ng_lua *lua, size_t held, size_t size) {
    lua->allocations++;
    lua->steps += (int64_t)(size / 64) + 1;
    const bool tested = lua->refuse_from > 0 && lua->allocations >= lua->refuse_from;
    /* What is left over is for the message that says so. */
    const bool tired = lua->steps > lua->steps_max + lua->steps_max / 8;
    if (!tested && !tired && lua->memory - held + size <= NG_LUA_MEMORY_MAX) {
        return true;
    }
    lua->steps += (int64_t)(lua->memory / 16);
    if (tired && lua->ended == NG_LUA_GOES_ON) {
        lua->ended = NG_LUA_OUT_OF_STEPS;
    }
    return false;
}

/* A call copies what it hands over, which may be the whole stack, in one instruction. The stack is
 * the second block that a new state asks for (Lua 5.4, lstate.c: lua_newstate). It grows in place,
 * or by a new block after which the old one is freed at once (ldo.c: luaD_reallocstack). */
static void follow_stack(struct ng_lua *lua, bool is_stack, void *block, size_t size) {
    if (size == 0 && is_stack) {
        lua->stack = lua->newest;
        lua->stack_size = lua->newest_size;
    } else if (is_stack || (lua->allocations == 2 && lua->stack == NULL)) {
        lua->stack = block;
        lua->stack_size = size;
    }
    if (size > 0) {
        lua->newest = block;
        lua->newest_size = size;
    }
}

static void *allocate(void *context, void *old, size_t old_size, size_t size) {
    struct ng_lua *lua = context;
    const size_t held = old != NULL ? old_size : 0; /* of a new object it is the type */
    if (size == 0) {
        follow_stack(lua, old != NULL && old == lua->stack, NULL, 0);
        free(old);
        lua->memory -= held;
        return NULL;
    }
    if (old == NULL && old_size == LUA_TSTRING && size > lua->longest) {
        if (size > NG_LUA_TEXT_MAX + 64) { /* the object's own head */
            lua->ended = lua->ended == NG_LUA_GOES_ON ? NG_LUA_TEXT_TOO_LONG : lua->ended;
            return NULL;
        }
        lua->longest = size;
    }
    if (size > held && !may_grow(lua, held, size)) {
        return NULL;
    }
    const bool is_stack = old != NULL && old == lua->stack;
    void *block = realloc(old, size);
    if (block != NULL) {
        follow_stack(lua, is_stack, block, size);
        lua->memory = lua->memory - held + size;
    }
    return block;
}

static void look(lua_State *L, lua_Debug *event) {
    (void)event;
    struct ng_lua *lua = ng_lua_of(L);
    if (lua->ended != NG_LUA_GOES_ON) {
        ng_lua_end(L, lua->ended);
    }
    ng_lua_pay(L, LOOK_EVERY * (1 + (int64_t)((lua->longest + lua->stack_size) / 1024)));
}

int ng_lua_end(lua_State *L, enum ng_lua_end end) {
    struct ng_lua *lua = ng_lua_of(L);
    lua->ended = lua->ended == NG_LUA_GOES_ON ? end : lua->ended;
    lua_sethook(L, look, LUA_MASKCOUNT, 1); /* what still runs on the way out ends at once */
    return luaL_error(L, "%s", ng_lua_end_text(lua->ended));
}

int64_t ng_lua_steps_left(lua_State *L) {
    const struct ng_lua *lua = ng_lua_of(L);
    return lua->steps < lua->steps_max ? lua->steps_max - lua->steps : 0;
}

void ng_lua_pay(lua_State *L, int64_t steps) {
    struct ng_lua *lua = ng_lua_of(L);
    lua->steps += steps;
    if (lua->steps > lua->steps_max) {
        ng_lua_end(L, NG_LUA_OUT_OF_STEPS);
    }
}

void ng_lua_pass_on(lua_State *L, int status) {
    struct ng_lua *lua = ng_lua_of(L);
    if (status == LUA_ERRMEM && lua->ended == NG_LUA_GOES_ON) {
        lua->ended = NG_LUA_OUT_OF_MEMORY;
    }
    if (lua->ended != NG_LUA_GOES_ON) {
        ng_lua_end(L, lua->ended);
    }
}

/* The line of the script that is being run, the innermost one. */
static int line_of(lua_State *L) {
    lua_Debug at;
    for (int level = 0; lua_getstack(L, level, &at); level++) {
        if (lua_getinfo(L, "Sl", &at) && at.currentline > 0) {
            return at.currentline;
        }
    }
    return 0;
}

/* Sees an error before its place is gone. The error itself is handed on as it is: nothing of a
 * script is called to look at it. */
static int on_error(lua_State *L) {
    ng_lua_of(L)->line = line_of(L);
    return 1;
}

/* Takes "x.lua:12: " off a message; it beats the line that was seen, since error() may name one. */
static const char *without_place(struct ng_lua *lua, const char *text) {
    const char *chunk = chunk_of(lua);
    const size_t len = strlen(chunk);
    if (strncmp(text, chunk, len) != 0 || text[len] != ':') {
        return text;
    }
    char *end = NULL;
    const long line = strtol(text + len + 1, &end, 10);
    if (strncmp(end, ": ", 2) != 0 || line <= 0 || line > NG_LUA_SOURCE_MAX) {
        return text;
    }
    lua->line = (int)line;
    return end + 2;
}

/* From the error on top of the stack to a line for people. Nothing here asks for memory of Lua. */
static bool fail(struct ng_lua *lua, int status, struct ng_err *err) {
    lua_State *L = lua->L;
    const bool is_text = lua_type(L, -1) == LUA_TSTRING;
    const char *text = is_text ? without_place(lua, lua_tostring(L, -1)) : NULL;
    if (status == LUA_ERRMEM && lua->ended == NG_LUA_GOES_ON) {
        lua->ended = NG_LUA_OUT_OF_MEMORY;
    }
    if (lua->ended != NG_LUA_GOES_ON) {
        ng_err_set(err, NG_ERR_LIMIT, "it %s", ng_lua_end_text(lua->ended));
    } else if (text != NULL) {
        ng_err_set(err, NG_ERR_PLAN, "%s", text);
    } else {
        ng_err_set(err, NG_ERR_PLAN, "the error is a %s; error() wants a text",
            lua_typename(L, lua_type(L, -1)));
    }
    lua_settop(L, 0);
    return false;
}

bool ng_lua_open(struct ng_lua *lua, struct ng_err *err) {
    ng_buf_init(&lua->printed, NG_LUA_PRINTED_MAX);
    const int64_t steps_max = lua->steps_max > 0 ? lua->steps_max : NG_LUA_STEPS_MAX;
    lua->steps_max = NG_LUA_STEPS_MAX; /* the sandbox itself is not what is tested */
    lua->L = lua_newstate(allocate, lua);
    if (lua->L == NULL) {
        return ng_err_set(err, NG_ERR_LIMIT, "there is no memory for Lua");
    }
    memcpy(lua_getextraspace(lua->L), &lua, sizeof lua);
    lua_pushcfunction(lua->L, ng_sandbox_open);
    const int status = lua_pcall(lua->L, 0, 0, 0);
    if (status != LUA_OK) {
        fail(lua, status, err);
        ng_lua_close(lua);
        return false;
    }
    lua->steps = 0;
    lua->steps_max = steps_max;
    lua->longest = 0;
    return true;
}

void ng_lua_close(struct ng_lua *lua) {
    if (lua->L != NULL) {
        lua_close(lua->L);
        lua->L = NULL;
    }
    ng_buf_release(&lua->printed);
}

struct piece {
    const char *text;
    size_t len;
};

static const char *read_piece(lua_State *L, void *context, size_t *len) {
    (void)L;
    struct piece *piece = context;
    *len = piece->len;
    piece->len = 0;
    return piece->text;
}

bool ng_lua_load(struct ng_lua *lua, const char *text, size_t len, struct ng_err *err) {
    if (len > NG_LUA_SOURCE_MAX) {
        return ng_err_set(
            err, NG_ERR_LIMIT, "the file has more than %d KiB", NG_LUA_SOURCE_MAX / 1024);
    }
    struct piece piece = {text, len};
    char chunk[CHUNK_MAX + 2];
    snprintf(chunk, sizeof chunk, "=%s", chunk_of(lua));
    lua_settop(lua->L, 0);
    const int status = lua_load(lua->L, read_piece, &piece, chunk, "t");
    if (status != LUA_OK) {
        return fail(lua, status, err);
    }
    ng_sandbox_push_globals(lua->L);
    lua_setupvalue(lua->L, -2, 1);
    return true;
}

bool ng_lua_run(struct ng_lua *lua, struct ng_err *err) {
    lua_State *L = lua->L;
    lua_pushcfunction(L, on_error);
    lua_insert(L, 1);
    lua_sethook(L, look, LUA_MASKCOUNT, LOOK_EVERY);
    const int status = lua_pcall(L, 0, 0, 1);
    lua_sethook(L, NULL, 0, 0);
    if (status != LUA_OK || lua->ended != NG_LUA_GOES_ON) {
        return fail(lua, status, err);
    }
    lua_settop(L, 0);
    return true;
}
