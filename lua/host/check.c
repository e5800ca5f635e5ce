/* A file of Lua looked at without running it. */
#include "lua/host/check.h"

#include "lua/host/host.h"
#include "lua/host/names.h"
#include "lua/host/sandbox.h"

enum { NAME_ROOM = 80, REASON_ROOM = 300 };

struct looking {
    const char *file;
    struct ng_diags *diags;
};

static struct ng_pos place(const struct looking *looking, const struct ng_lua_token *token) {
    return (struct ng_pos){looking->file, token->line, token->column};
}

/* A name of the script as a string; a longer one is no name of ours in any case. */
static const char *name_of(struct ng_arena *arena, const struct ng_lua_token *token) {
    return ng_arena_strndup(arena, token->at, token->len < NAME_ROOM ? token->len : NAME_ROOM);
}

static void look(void *context, const struct ng_lua_use *use) {
    const struct looking *looking = context;
    struct ng_arena *arena = looking->diags->arena;
    char why[REASON_ROOM];
    const char *name = name_of(arena, &use->name);
    if (use->assigned) {
        ng_diag_error(looking->diags, place(looking, &use->name), "lua-name",
            "globals are read-only; write \"local %s\"", name);
        return;
    }
    if (ng_sandbox_is_library(name)) {
        const char *member =
            use->member.kind == NG_TOKEN_NAME ? name_of(arena, &use->member) : NULL;
        if (member != NULL && ng_sandbox_find(name, member) == NULL) {
            ng_sandbox_say_missing(name, member, why, sizeof why);
            ng_diag_error(looking->diags, place(looking, &use->member), "lua-name", "%s.%s %s",
                name, member, why);
        }
    } else if (ng_sandbox_find(NULL, name) == NULL) {
        ng_sandbox_say_missing(NULL, name, why, sizeof why);
        ng_diag_error(looking->diags, place(looking, &use->name), "lua-name", "%s %s", name, why);
    }
}

void ng_lua_check(const char *file, const char *text, size_t len, struct ng_diags *diags) {
    struct looking looking = {file, diags};
    struct ng_lua lua = {.name = file};
    struct ng_err err = {0};
    bool ok = ng_lua_open(&lua, &err);
    if (ok) {
        ok = ng_lua_load(&lua, text, len, &err);
        ng_lua_close(&lua);
    }
    if (!ok) {
        ng_diag_error(diags, (struct ng_pos){file, lua.line, lua.line > 0 ? 1 : 0}, "lua-syntax",
            "%s", err.text);
    } else if (!ng_lua_names(text, len, look, &looking)) {
        ng_diag_error(diags, (struct ng_pos){file, 0, 0}, "lua-syntax", "nested too deeply");
    }
}
