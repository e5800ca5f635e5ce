/* The global names that a script uses. */
#include "lua/host/names.h"

#include <stdlib.h>
#include <string.h>

/* Lua's own parser goes 200 levels deep, some of which are two here. */
enum { DEPTH_MAX = 450 };

struct local {
    const char *at;
    size_t len;
};

struct parser {
    struct ng_lua_tokens tokens;
    struct ng_lua_token now, ahead;
    struct ng_arena arena;
    struct local *locals; /* those in scope, the innermost last */
    size_t count, capacity;
    int depth;
    bool lost; /* nested too deeply */
    void (*use)(void *context, const struct ng_lua_use *use);
    void *context;
};

static void next(struct parser *p) {
    p->now = p->ahead;
    if (p->now.kind != NG_TOKEN_END) {
        p->ahead = ng_lua_tokens_next(&p->tokens);
    }
}

static bool is(const struct parser *p, const char *text) {
    return ng_lua_token_is(&p->now, text);
}

static bool take(struct parser *p, const char *text) {
    const bool there = is(p, text);
    if (there) {
        next(p);
    }
    return there;
}

static void declare(struct parser *p, const struct ng_lua_token *name) {
    p->locals = ng_arena_grow(&p->arena, p->locals, p->count, &p->capacity, sizeof *p->locals);
    p->locals[p->count++] = (struct local){name->at, name->len};
}

static bool is_local(const struct parser *p, const struct ng_lua_token *name) {
    for (size_t i = p->count; i > 0; i--) {
        const struct local *local = &p->locals[i - 1];
        if (local->len == name->len && memcmp(local->at, name->at, name->len) == 0) {
            return true;
        }
    }
    return false;
}

/* With `_ENV` as a local of the script, its names are not those of the sandbox. */
static bool is_global(const struct parser *p, const struct ng_lua_token *name) {
    const struct ng_lua_token env = {.at = "_ENV", .len = 4};
    return !is_local(p, name) && !is_local(p, &env) &&
           !(name->len == 4 && memcmp(name->at, "_ENV", 4) == 0);
}

static void tell(struct parser *p, const struct ng_lua_token *name,
    const struct ng_lua_token *member, bool assigned) {
    if (is_global(p, name)) {
        const struct ng_lua_use use = {
            *name, member != NULL ? *member : (struct ng_lua_token){0}, assigned};
        p->use(p->context, &use);
    }
}

static void expression(struct parser *p);
static void block(struct parser *p);

static bool enter(struct parser *p) {
    if (++p->depth > DEPTH_MAX) {
        p->lost = true;
    }
    if (p->lost) {
        p->now = (struct ng_lua_token){0}; /* as at the end: everything returns */
        p->ahead = p->now;
    }
    return !p->lost;
}

static void expressions(struct parser *p) {
    do {
        expression(p);
    } while (take(p, ","));
}

/* Behind "function" and its name: parameters, body, "end". */
static void function_body(struct parser *p, bool method) {
    const size_t outer = p->count;
    const struct ng_lua_token self = {.at = "self", .len = 4};
    if (method) {
        declare(p, &self);
    }
    take(p, "(");
    while (p->now.kind == NG_TOKEN_NAME || is(p, "...") || is(p, ",")) {
        if (p->now.kind == NG_TOKEN_NAME) {
            declare(p, &p->now);
        }
        next(p);
    }
    take(p, ")");
    block(p);
    take(p, "end");
    p->count = outer;
}

static void table(struct parser *p) {
    take(p, "{");
    while (p->now.kind != NG_TOKEN_END && !is(p, "}")) {
        if (take(p, "[")) {
            expression(p);
            take(p, "]");
            take(p, "=");
        } else if (p->now.kind == NG_TOKEN_NAME && ng_lua_token_is(&p->ahead, "=")) {
            next(p);
            next(p);
        }
        expression(p);
        if (!take(p, ",") && !take(p, ";")) {
            break;
        }
    }
    take(p, "}");
}

static bool is_argument(const struct parser *p) {
    return is(p, "(") || is(p, "{") ||
           (p->now.kind == NG_TOKEN_VALUE && strchr("\"'[", *p->now.at) != NULL);
}

static void arguments(struct parser *p) {
    if (take(p, "(")) {
        if (!is(p, ")")) {
            expressions(p);
        }
        take(p, ")");
    } else if (is(p, "{")) {
        table(p);
    } else {
        next(p);
    }
}

/* A name or an expression in parentheses with all that follows it. True when it was a name alone,
 * which `*name` then is. */
static bool suffixed(struct parser *p, struct ng_lua_token *name) {
    bool alone = p->now.kind == NG_TOKEN_NAME;
    *name = p->now;
    if (take(p, "(")) {
        expression(p);
        take(p, ")");
    } else {
        next(p);
        if (alone && is(p, ".") && p->ahead.kind == NG_TOKEN_NAME) {
            tell(p, name, &p->ahead, false);
            alone = false;
        } else if (alone && (is_argument(p) || is(p, "[") || is(p, ":"))) {
            tell(p, name, NULL, false);
            alone = false;
        }
    }
    for (;;) {
        if (is(p, ".") || is(p, ":")) {
            next(p);
            next(p);
        } else if (take(p, "[")) {
            expression(p);
            take(p, "]");
        } else if (is_argument(p)) {
            arguments(p);
        } else {
            return alone;
        }
    }
}

static void simple(struct parser *p) {
    static const char *const words[] = {"nil", "true", "false", "..."};
    struct ng_lua_token name;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (take(p, words[i])) {
            return;
        }
    }
    if (take(p, "function")) {
        function_body(p, false);
    } else if (is(p, "{")) {
        table(p);
    } else if (p->now.kind == NG_TOKEN_VALUE) {
        next(p);
    } else if (p->now.kind == NG_TOKEN_NAME || is(p, "(")) {
        if (suffixed(p, &name)) {
            tell(p, &name, NULL, false);
        }
    } else {
        next(p); /* nothing that Lua accepts: go on somehow */
    }
}

static bool is_among(const struct parser *p, const char *const *words) {
    for (; *words != NULL; words++) {
        if (is(p, *words)) {
            return true;
        }
    }
    return false;
}

/* Which operator binds how does not matter for names. */
static void expression(struct parser *p) {
    static const char *const before[] = {"not", "-", "#", "~", NULL};
    static const char *const between[] = {"+", "-", "*", "/", "//", "^", "%", "&", "~", "|", ">>",
        "<<", "..", "<", "<=", ">", ">=", "==", "~=", "and", "or", NULL};
    if (enter(p)) {
        for (;;) {
            while (is_among(p, before)) {
                next(p);
            }
            simple(p);
            if (!is_among(p, between)) {
                break;
            }
            next(p);
        }
    }
    p->depth--;
}

/* The names of a list, which the caller declares when their values have been read. */
static size_t names(struct parser *p, struct ng_lua_token *list, size_t room) {
    size_t count = 0;
    while (p->now.kind == NG_TOKEN_NAME) {
        if (count < room) {
            list[count++] = p->now;
        }
        next(p);
        if (take(p, "<")) { /* an attribute */
            next(p);
            take(p, ">");
        }
        if (!take(p, ",")) {
            break;
        }
    }
    return count;
}

enum { NAMES_MAX = 255 }; /* Lua allows 200 locals */

static void local_statement(struct parser *p) {
    if (take(p, "function")) {
        declare(p, &p->now);
        next(p);
        function_body(p, false);
        return;
    }
    struct ng_lua_token list[NAMES_MAX];
    const size_t count = names(p, list, NAMES_MAX);
    if (take(p, "=")) {
        expressions(p);
    }
    for (size_t i = 0; i < count; i++) {
        declare(p, &list[i]); /* they are not seen in their own values */
    }
}

static void for_statement(struct parser *p) {
    const size_t outer = p->count;
    struct ng_lua_token list[NAMES_MAX];
    const size_t count = names(p, list, NAMES_MAX);
    next(p); /* "=" or "in" */
    expressions(p);
    for (size_t i = 0; i < count; i++) {
        declare(p, &list[i]);
    }
    take(p, "do");
    block(p);
    take(p, "end");
    p->count = outer;
}

static void if_statement(struct parser *p) {
    do {
        expression(p);
        take(p, "then");
        block(p);
    } while (take(p, "elseif"));
    if (take(p, "else")) {
        block(p);
    }
    take(p, "end");
}

static void function_statement(struct parser *p) {
    const struct ng_lua_token name = p->now;
    bool method = false;
    next(p);
    const bool member = is(p, ".") || is(p, ":");
    tell(p, &name, member ? &p->ahead : NULL, !member);
    while (is(p, ".") || is(p, ":")) {
        method = is(p, ":");
        next(p);
        next(p);
    }
    function_body(p, method);
}

static void repeat_statement(struct parser *p) {
    const size_t outer = p->count;
    block(p);
    take(p, "until");
    expression(p);
    p->count = outer;
}

/* A call or an assignment. */
static void expression_statement(struct parser *p) {
    struct ng_lua_token name;
    do {
        if (suffixed(p, &name)) {
            tell(p, &name, NULL, true);
        }
    } while (take(p, ","));
    if (take(p, "=")) {
        expressions(p);
    }
}

static void statement(struct parser *p) {
    if (take(p, ";") || take(p, "break")) {
        return;
    }
    if (take(p, "if")) {
        if_statement(p);
    } else if (take(p, "while")) {
        expression(p);
        take(p, "do");
        block(p);
        take(p, "end");
    } else if (take(p, "do")) {
        block(p);
        take(p, "end");
    } else if (take(p, "for")) {
        for_statement(p);
    } else if (take(p, "repeat")) {
        repeat_statement(p);
    } else if (take(p, "function")) {
        function_statement(p);
    } else if (take(p, "local")) {
        local_statement(p);
    } else if (take(p, "goto")) {
        next(p);
    } else if (take(p, "::")) {
        next(p);
        take(p, "::");
    } else if (take(p, "return")) {
        static const char *const ends[] = {"end", "else", "elseif", "until", ";", NULL};
        if (p->now.kind != NG_TOKEN_END && !is_among(p, ends)) {
            expressions(p);
        }
    } else {
        expression_statement(p);
    }
}

static void block(struct parser *p) {
    static const char *const ends[] = {"end", "else", "elseif", "until", NULL};
    const size_t outer = p->count;
    if (enter(p)) {
        while (p->now.kind != NG_TOKEN_END && !is_among(p, ends)) {
            statement(p);
        }
    }
    p->depth--;
    if (!is(p, "until")) { /* whose condition still sees the names of its block */
        p->count = outer;
    }
}

bool ng_lua_names(const char *text, size_t len,
    void (*use)(void *context, const struct ng_lua_use *use), void *context) {
    struct parser p = {.use = use, .context = context};
    ng_arena_init(&p.arena);
    ng_lua_tokens_begin(&p.tokens, text, len);
    p.ahead = ng_lua_tokens_next(&p.tokens);
    next(&p);
    block(&p);
    ng_arena_release(&p.arena);
    return !p.lost;
}
