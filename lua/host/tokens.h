/**
 * tokens.h - Lua source as tokens, each with its place. Private to lua/host.
 *
 * For source that Lua has accepted: what could not be a token is skipped, and nothing is judged.
 */
#ifndef NG_HOST_TOKENS_H
#define NG_HOST_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum ng_token_kind {
    NG_TOKEN_END,
    NG_TOKEN_NAME,
    NG_TOKEN_WORD,  /* a keyword */
    NG_TOKEN_VALUE, /* a number or a text */
    NG_TOKEN_SIGN,  /* all else: "=", "==", "..." */
};

struct ng_lua_token {
    enum ng_token_kind kind;
    const char *at;
    size_t len;
    int line;
    int column; /* in bytes, from 1 */
};

struct ng_lua_tokens {
    const char *at, *end, *line_start;
    int line;
};

void ng_lua_tokens_begin(struct ng_lua_tokens *tokens, const char *text, size_t len);
struct ng_lua_token ng_lua_tokens_next(struct ng_lua_tokens *tokens);
/** Whether a token is that keyword or sign. */
bool ng_lua_token_is(const struct ng_lua_token *token, const char *text);

#endif
