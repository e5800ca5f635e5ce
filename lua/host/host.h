/**
 * host.h - one sandboxed Lua 5.4 state: what it may use of memory and time, and how it ends.
 * Private to lua/host; run.h is the face for the rest of the program.
 *
 * Everything is paid for in steps, so that an end comes at the same place on every machine: an
 * instruction costs one step, and one more for each KiB of the longest text that was made (no
 * instruction takes longer than to read a text); allocated memory, compared patterns and what the
 * library does without running Lua are paid as well. When the steps are used up, or memory is, each
 * further instruction raises an error again, and the protected calls of the sandbox pass it on, so
 * that no script holds on to it. The same way goes a script that has said its outcome.
 *
 * Functions that Lua can jump out of hold nothing that must be freed: memory comes from the state,
 * or from the arena of the call.
 */
#ifndef NG_HOST_HOST_H
#define NG_HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "runner/base/buf.h"
#include "runner/base/err.h"

struct ng_script_call;

enum {
    NG_LUA_MEMORY_MAX = 16 * 1024 * 1024,
    NG_LUA_TEXT_MAX = 256 * 1024, /* bytes of one text */
    NG_LUA_STEPS_MAX = 20 * 1000 * 1000,
    NG_LUA_SOURCE_MAX = 256 * 1024, /* bytes of one file */
    NG_LUA_PRINTED_MAX = 16 * 1024, /* bytes that print() may leave */
};

/** Why a script cannot go on. The text ends a sentence that begins with "it ". */
#define NG_LUA_ENDS(X)                                                                             \
    X(NG_LUA_GOES_ON, "goes on")                                                                   \
    X(NG_LUA_OUT_OF_STEPS, "does not end within 20 million steps")                                 \
    X(NG_LUA_OUT_OF_MEMORY, "needs more than 16 MiB of memory")                                    \
    X(NG_LUA_TEXT_TOO_LONG, "makes a text of more than 256 KiB")                                   \
    X(NG_LUA_SAID, "has said its outcome")                                                         \
    X(NG_LUA_WAITS, "waits for the answer of a host")

enum ng_lua_end {
#define X(name, text) name,
    NG_LUA_ENDS(X)
#undef X
};
const char *ng_lua_end_text(enum ng_lua_end end);

struct ng_lua {
    lua_State *L;
    const char *name;            /* of the file, for messages; borrowed */
    struct ng_script_call *call; /* what it is about; NULL while only loading */
    enum ng_lua_end ended;       /* GOES_ON until it must not */
    size_t memory;               /* bytes in use */
    int64_t steps;               /* used so far */
    size_t longest;              /* bytes of the longest text so far */
    void *stack;                 /* Lua's own, which grows with what calls hand over */
    size_t stack_size;           /* its bytes */
    void *newest;                /* the block that Lua asked for last */
    size_t newest_size;          /* its bytes */
    uint64_t random;             /* state of math.random */
    uint64_t allocations;        /* so far, for tests */
    int64_t steps_max;           /* for tests; 0: NG_LUA_STEPS_MAX */
    uint64_t refuse_from;  /* for tests: memory from this allocation on is refused; 0: never */
    struct ng_buf printed; /* by print() */
    int asked;             /* commands so far */
    int line;              /* of the last error, 0: unknown */
};

/** Makes the state with its sandbox. False, with nothing left to close, when there is no memory for
 * it. Zeroed by the caller, but for `name`, `call`, `random` and what is for tests. */
bool ng_lua_open(struct ng_lua *lua, struct ng_err *err) NG_MUST_USE;
void ng_lua_close(struct ng_lua *lua);

/** Loads a file's text: source only, never bytecode. On failure `err` is one line without the place
 * and `lua->line` has the line. */
bool ng_lua_load(struct ng_lua *lua, const char *text, size_t len, struct ng_err *err) NG_MUST_USE;
/** Runs what was loaded, once. False when it raised an error or was ended; `ended` tells which, and
 * SAID and WAITS are no errors. `err` and `line` as above. */
bool ng_lua_run(struct ng_lua *lua, struct ng_err *err) NG_MUST_USE;

/** The state's own struct. */
struct ng_lua *ng_lua_of(lua_State *L);
/** The steps that are left. */
int64_t ng_lua_steps_left(lua_State *L);
/** Pays for work that no instruction shows. Raises an error when it was too much. */
void ng_lua_pay(lua_State *L, int64_t steps);
/** Ends the script: raises an error that nothing but the caller's C sees. Does not return; the type
 * is for "return ng_lua_end(...)", as with lua_error. */
int ng_lua_end(lua_State *L, enum ng_lua_end end);
/** To be called after a protected call: passes on what no script may hold on to. */
void ng_lua_pass_on(lua_State *L, int status);

#endif
