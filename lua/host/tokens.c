/* Lua source as tokens (manual, section 3.1). */
#include "lua/host/tokens.h"

#include <ctype.h>
#include <string.h>

#include "runner/base/guard.h"

static const char *const keywords[] = {"and", "break", "do", "else", "elseif", "end", "false",
    "for", "function", "goto", "if", "in", "local", "nil", "not", "or", "repeat", "return", "then",
    "true", "until", "while"};

/* Longest first. */
static const char *const signs[] = {"...", "<<", ">>", "//", "==", "~=", "<=", ">=", "::", ".."};

void ng_lua_tokens_begin(struct ng_lua_tokens *tokens, const char *text, size_t len) {
    *tokens = (struct ng_lua_tokens){.at = text, .end = text + len, .line_start = text, .line = 1};
}

static char peek(const struct ng_lua_tokens *tokens, size_t ahead) {
    return (size_t)(tokens->end - tokens->at) > ahead ? tokens->at[ahead] : '\0';
}

static void step(struct ng_lua_tokens *tokens) {
    if (tokens->at < tokens->end && *tokens->at++ == '\n') {
        tokens->line++;
        tokens->line_start = tokens->at;
    }
}

/* The level of a long bracket that opens here: 0 for "[[", 1 for "[=["; -1: none does. */
static int long_level(const struct ng_lua_tokens *tokens) {
    size_t level = 0;
    if (peek(tokens, 0) != '[') {
        return -1;
    }
    while (peek(tokens, 1 + level) == '=') {
        level++;
    }
    return peek(tokens, 1 + level) == '[' ? (int)level : -1;
}

static void skip_long(struct ng_lua_tokens *tokens, int level) {
    for (int i = 0; i < level + 2; i++) {
        step(tokens);
    }
    while (tokens->at < tokens->end) {
        int marks = 0;
        if (peek(tokens, 0) == ']') {
            while (peek(tokens, 1 + (size_t)marks) == '=') {
                marks++;
            }
            if (marks == level && peek(tokens, 1 + (size_t)marks) == ']') {
                tokens->at += level + 2;
                return;
            }
        }
        step(tokens);
    }
}

static void skip_blanks(struct ng_lua_tokens *tokens) {
    while (tokens->at < tokens->end) {
        if (isspace((unsigned char)*tokens->at)) {
            step(tokens);
        } else if (peek(tokens, 0) == '-' && peek(tokens, 1) == '-') {
            tokens->at += 2;
            const int level = long_level(tokens);
            if (level >= 0) {
                skip_long(tokens, level);
                continue;
            }
            while (tokens->at < tokens->end && *tokens->at != '\n') {
                tokens->at++;
            }
        } else {
            return;
        }
    }
}

static void skip_quoted(struct ng_lua_tokens *tokens) {
    const char quote = *tokens->at;
    step(tokens);
    while (tokens->at < tokens->end && *tokens->at != quote) {
        if (*tokens->at == '\\') {
            step(tokens);
        }
        step(tokens);
    }
    step(tokens);
}

static void skip_number(struct ng_lua_tokens *tokens) {
    const bool hex = peek(tokens, 0) == '0' && (peek(tokens, 1) | 0x20) == 'x';
    const char exponent = hex ? 'p' : 'e';
    while (isalnum((unsigned char)peek(tokens, 0)) || peek(tokens, 0) == '.') {
        const bool signs_follow = (*tokens->at | 0x20) == exponent;
        tokens->at++;
        if (signs_follow && (peek(tokens, 0) == '+' || peek(tokens, 0) == '-')) {
            tokens->at++;
        }
    }
}

static bool is_name_part(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static void skip_sign(struct ng_lua_tokens *tokens) {
    for (size_t i = 0; i < NG_COUNT(signs); i++) {
        const size_t len = strlen(signs[i]);
        if ((size_t)(tokens->end - tokens->at) >= len && memcmp(tokens->at, signs[i], len) == 0) {
            tokens->at += len;
            return;
        }
    }
    tokens->at++;
}

static bool is_keyword(const char *at, size_t len) {
    for (size_t i = 0; i < NG_COUNT(keywords); i++) {
        if (strlen(keywords[i]) == len && memcmp(keywords[i], at, len) == 0) {
            return true;
        }
    }
    return false;
}

struct ng_lua_token ng_lua_tokens_next(struct ng_lua_tokens *tokens) {
    skip_blanks(tokens);
    struct ng_lua_token token = {.at = tokens->at,
        .line = tokens->line,
        .column = (int)(tokens->at - tokens->line_start) + 1};
    const char c = peek(tokens, 0);
    if (tokens->at >= tokens->end) {
        return token;
    }
    if (is_name_part(c) && !isdigit((unsigned char)c)) {
        while (is_name_part(peek(tokens, 0))) {
            tokens->at++;
        }
        token.kind =
            is_keyword(token.at, (size_t)(tokens->at - token.at)) ? NG_TOKEN_WORD : NG_TOKEN_NAME;
    } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)peek(tokens, 1)))) {
        skip_number(tokens);
        token.kind = NG_TOKEN_VALUE;
    } else if (c == '"' || c == '\'') {
        skip_quoted(tokens);
        token.kind = NG_TOKEN_VALUE;
    } else if (long_level(tokens) >= 0) {
        skip_long(tokens, long_level(tokens));
        token.kind = NG_TOKEN_VALUE;
    } else {
        skip_sign(tokens);
        token.kind = NG_TOKEN_SIGN;
    }
    token.len = (size_t)(tokens->at - token.at);
    return token;
}

bool ng_lua_token_is(const struct ng_lua_token *token, const char *text) {
    return (token->kind == NG_TOKEN_WORD || token->kind == NG_TOKEN_SIGN) &&
           strlen(text) == token->len && memcmp(token->at, text, token->len) == 0;
}
