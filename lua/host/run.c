/* Runs a script for a call. */
#include "lua/host/run.h"

#include <string.h>

#include "lua/host/api.h"
#include "lua/host/host.h"
#include "runner/base/text.h"

static const char *clean(struct ng_arena *arena, const char *text) {
    return ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, NG_API_TEXT_MAX);
}

/* In the shape of errors in plans, by the file's name, which is the same in a replay. */
static void set_error(struct ng_script_call *call, int line, const char *text) {
    const char *safe = clean(call->arena, text);
    call->error =
        line > 0
            ? ng_arena_printf(call->arena, "%s:%d: error: %s [lua]", call->script->name, line, safe)
            : ng_arena_printf(call->arena, "%s: error: %s [lua]", call->script->name, safe);
}

/* What it said counts only when nothing went wrong on the way. */
static void forget(struct ng_script_call *call) {
    call->said = NG_SCRIPT_NOTHING;
    call->reason = "";
    call->measures = NULL;
    call->measure_count = call->measure_capacity = 0;
}

void ng_lua_run_call(struct ng_script_call *call) {
    struct ng_lua lua = {.name = call->script->name, .call = call, .random = call->seed};
    struct ng_err err = {0};
    call->reason = call->printed = "";
    if (!ng_lua_open(&lua, &err)) {
        set_error(call, 0, err.text);
        return;
    }
    const bool ok =
        ng_lua_load(&lua, call->script->text, call->script->len, &err) && ng_lua_run(&lua, &err);
    if (!ok && lua.ended == NG_LUA_WAITS) {
        call->waits = true;
    } else if (!ok && lua.ended != NG_LUA_SAID) {
        set_error(call, lua.line, err.text);
        forget(call);
    }
    call->printed = ng_text_clean_dup(
        call->arena, ng_buf_text(&lua.printed), lua.printed.len, NG_TEXT_BLOCK, NG_LUA_PRINTED_MAX);
    ng_lua_close(&lua);
}
