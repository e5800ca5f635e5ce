/* Which arguments a script reads. */
#include "lua/host/unread.h"

#include <string.h>

#include "lua/host/tokens.h"
#include "runner/base/text.h"

enum { READ_MAX = 256, AHEAD = 4 };

struct reading {
    struct ng_arena *arena;
    const char *names[READ_MAX]; /* that are read, each as often as it stands there */
    size_t count;
    bool anything; /* it may read any */
};

static bool is_args(const struct ng_lua_token *token) {
    return token->kind == NG_TOKEN_NAME && token->len == 4 && memcmp(token->at, "args", 4) == 0;
}

static bool is_text(const struct ng_lua_token *token) {
    return token->kind == NG_TOKEN_VALUE && token->len >= 2 &&
           (token->at[0] == '"' || token->at[0] == '\'') &&
           memchr(token->at, '\\', token->len) == NULL;
}

static void add(struct reading *reading, const char *at, size_t len) {
    if (reading->count == READ_MAX) {
        reading->anything = true;
        return;
    }
    reading->names[reading->count++] = ng_arena_strndup(reading->arena, at, len);
}

/* What stands behind "args": a member of it, or it is used as a whole. */
static void take(struct reading *reading, const struct ng_lua_token *next) {
    if (ng_lua_token_is(&next[0], ".") && next[1].kind == NG_TOKEN_NAME) {
        add(reading, next[1].at, next[1].len);
    } else if (ng_lua_token_is(&next[0], "[") && is_text(&next[1]) &&
               ng_lua_token_is(&next[2], "]")) {
        add(reading, next[1].at + 1, next[1].len - 2);
    } else {
        reading->anything = true;
    }
}

static void read_text(struct reading *reading, const char *text, size_t len) {
    struct ng_lua_tokens tokens;
    struct ng_lua_token before = {0}, window[AHEAD];
    ng_lua_tokens_begin(&tokens, text, len);
    for (size_t i = 0; i < AHEAD; i++) {
        window[i] = ng_lua_tokens_next(&tokens);
    }
    while (window[0].kind != NG_TOKEN_END) {
        const bool member = ng_lua_token_is(&before, ".") || ng_lua_token_is(&before, ":");
        if (is_args(&window[0]) && !member) {
            take(reading, &window[1]);
        }
        before = window[0];
        memmove(&window[0], &window[1], (AHEAD - 1) * sizeof window[0]);
        window[AHEAD - 1] = ng_lua_tokens_next(&tokens);
    }
}

bool ng_lua_reads_argument(
    const char *text, size_t len, const char *name, struct ng_arena *arena, const char **near) {
    struct reading reading = {.arena = arena};
    *near = NULL;
    read_text(&reading, text, len);
    for (size_t i = 0; i < reading.count && !reading.anything; i++) {
        reading.anything = strcmp(reading.names[i], name) == 0;
    }
    if (!reading.anything) {
        *near = ng_text_nearest(name, reading.names, reading.count);
    }
    return reading.anything;
}
