/**
 * scripts.h - runs one script in a sandbox of its own and tells how it ended.
 */
#ifndef NG_TESTS_LUA_SCRIPTS_H
#define NG_TESTS_LUA_SCRIPTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "lua/host/host.h"

struct ended {
    bool ok;
    enum ng_lua_end how;
    int line;
    int64_t steps;
    char text[NG_ERR_TEXT_MAX];
    char printed[2048];
    uint64_t allocations;
};

enum { FEW_STEPS = 1000 * 1000 }; /* what costs a second with the sanitizers */

/* `refuse_from` 0: memory is not refused; `steps` 0: as many as in a run. */
static inline struct ended script_with(const char *text, uint64_t refuse_from, int64_t steps) {
    struct ng_lua lua = {
        .name = "test.lua", .random = 42, .refuse_from = refuse_from, .steps_max = steps};
    struct ng_err err = {0};
    struct ended ended = {0};
    if (ng_lua_open(&lua, &err)) {
        ended.ok = ng_lua_load(&lua, text, strlen(text), &err) && ng_lua_run(&lua, &err);
        snprintf(ended.printed, sizeof ended.printed, "%s", ng_buf_text(&lua.printed));
        ng_lua_close(&lua);
    }
    assert_int_equal(lua.memory, 0);
    ended.how = lua.ended;
    ended.line = lua.line;
    ended.steps = lua.steps;
    ended.allocations = lua.allocations;
    memcpy(ended.text, err.text, sizeof ended.text);
    return ended;
}

static inline struct ended script(const char *text) {
    return script_with(text, 0, 0);
}

static inline void expect_ok(const char *text) {
    const struct ended ended = script(text);
    if (!ended.ok) {
        fail_msg("line %d: %s\n%s", ended.line, ended.text, text);
    }
}

static inline void expect_error(const char *text, int line, const char *message) {
    const struct ended ended = script(text);
    if (ended.ok || ended.line != line || strstr(ended.text, message) == NULL) {
        fail_msg("%s, line %d: \"%s\"; wanted line %d: \"%s\"\n%s", ended.ok ? "ok" : "failed",
            ended.line, ended.text, line, message, text);
    }
}

static inline void expect_end(const char *text, enum ng_lua_end how) {
    const struct ended ended = script(text);
    if (ended.ok || ended.how != how) {
        fail_msg("%s: \"%s\", line %d; wanted \"%s\"\n%s", ng_lua_end_text(ended.how), ended.text,
            ended.line, ng_lua_end_text(how), text);
    }
}

#endif
