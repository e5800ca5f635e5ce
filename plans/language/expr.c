/* expr.c - the grammar of expressions: text to a checked tree. */
#include "plans/language/expr.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "plans/language/expr_parts.h"
#include "runner/base/units.h"

enum { MESSAGE_MAX = 800 };

static struct ng_term parse_factor(struct ng_expr_parser *p);

void ng_expr_error(
    struct ng_expr_parser *p, size_t offset, const char *rule, const char *format, ...) {
    struct ng_buf text;
    ng_buf_init(&text, MESSAGE_MAX);
    va_list args;
    va_start(args, format);
    ng_buf_addv(&text, format, args);
    va_end(args);
    ng_diag_error(p->diags, ng_node_place(p->node, offset), rule, "%s", ng_buf_text(&text));
    ng_buf_release(&text);
    p->failed = true;
}

const char *ng_expr_quote(struct ng_expr_parser *p, size_t start, size_t end) {
    return ng_diag_quote(p->diags, ng_arena_strndup(p->arena, p->node->text + start, end - start));
}

struct ng_expr *ng_expr_new(struct ng_expr_parser *p, enum ng_expr_op op, size_t offset) {
    struct ng_expr *expr = ng_arena_alloc(p->arena, sizeof *expr);
    expr->op = op;
    expr->column = ng_node_place(p->node, offset).column;
    return expr;
}

/* "the end" or the token in quotes. */
static const char *found(struct ng_expr_parser *p) {
    return p->token.kind == NG_TOKEN_END ? "the end"
                                         : ng_expr_quote(p, p->token.start, p->token.end);
}

struct ng_term ng_expr_stop(struct ng_expr_parser *p, const char *expected) {
    if (!p->stopped) {
        ng_expr_error(p, p->token.start, "threshold", "expected %s, found %s", expected, found(p));
    }
    p->stopped = true;
    return (struct ng_term){.start = p->token.start, .end = p->token.end};
}

static bool is_sign(const struct ng_expr_parser *p, char sign) {
    return p->token.kind == NG_TOKEN_SIGN && p->token.sign == sign;
}

static struct ng_term parse_number(struct ng_expr_parser *p) {
    struct ng_token token = p->token;
    struct ng_expr *expr = ng_expr_new(p, NG_EXPR_NUMBER, token.start);
    expr->value = ng_unit_scale(token.number, token.factor);
    expr->dim = token.dim;
    struct ng_term term = {expr, token.start, token.end, .constant = true, .literal = true,
        .percent = token.percent, .has_unit = token.has_unit, .factor = token.factor};
    ng_expr_next(p);
    if (p->token.kind != NG_TOKEN_OF) {
        p->wrote_share = p->wrote_share || token.percent;
        return term;
    }
    if (!token.percent) {
        return ng_expr_stop(p, "a percentage before \"of\", as in \"90% of link.LINK.speed\"");
    }
    ng_expr_next(p);
    return ng_expr_combine(p, NG_EXPR_MUL, term, parse_factor(p));
}

struct function {
    const char *name;
    enum ng_expr_op op;
};

static const struct function functions[] = {
    {"min", NG_EXPR_MIN},
    {"max", NG_EXPR_MAX},
    {"mean", NG_EXPR_MEAN},
    {"median", NG_EXPR_MEDIAN},
    {"stddev", NG_EXPR_STDDEV},
    {"cv", NG_EXPR_CV},
};

/* p95, p99.9: the percentage, or 0. */
static double percentile_of(const char *name) {
    double value = 0;
    size_t len = strlen(name);
    if (name[0] != 'p' || ng_number_scan(name + 1, len - 1, &value) != len - 1 ||
        strpbrk(name, "eE")) {
        return 0;
    }
    return value >= 1 && value < 100 ? value : 0;
}

static struct ng_expr *make_function(
    struct ng_expr_parser *p, const struct ng_token *token, const char *name) {
    for (size_t i = 0; i < NG_COUNT(functions); i++) {
        if (strcmp(name, functions[i].name) == 0) {
            return ng_expr_new(p, functions[i].op, token->start);
        }
    }
    double percentile = percentile_of(name);
    if (percentile > 0) {
        struct ng_expr *expr = ng_expr_new(p, NG_EXPR_PERCENTILE, token->start);
        expr->value = percentile;
        return expr;
    }
    ng_expr_error(p, token->start, "unknown-name",
        "unknown function %s; there are min, max, mean, median, stddev, cv and p1 .. p99.9",
        ng_diag_quote(p->diags, name));
    return NULL;
}

/* What a function stands on: repeats, and enough of them. */
static bool check_repeats(
    struct ng_expr_parser *p, const struct ng_expr *function, const char *name, size_t offset) {
    bool spread = function->op == NG_EXPR_STDDEV || function->op == NG_EXPR_CV;
    if (spread && p->fewest_repeats == 1) {
        ng_expr_error(p, offset, "repeats",
            "%s needs at least 2 repeats, found 1; write for example \"repeat: 3\"", name);
        return false;
    }
    if (p->fewest_repeats > 1 && p->fewest_repeats != p->most_repeats) {
        ng_expr_error(p, offset, "repeats",
            "%s over metrics with %d and %d repeats; they must have the same number", name,
            (int)p->fewest_repeats, (int)p->most_repeats);
        return false;
    }
    return true;
}

static struct ng_term finish_function(struct ng_expr_parser *p, const struct ng_token *token,
    const char *name, struct ng_expr *function, struct ng_term inner) {
    struct ng_term out = {.start = token->start, .end = p->token.end, .factor = 1};
    if (!function || !inner.expr) {
        return out;
    }
    if (p->inside == 0) {
        ng_expr_error(p, inner.start, "constant",
            "%s takes the repeats of a metric, and there is none inside", name);
        return out;
    }
    if (!check_repeats(p, function, name, token->start)) {
        return out;
    }
    function->a = inner.expr;
    function->dim = function->op == NG_EXPR_CV ? NG_DIM_NONE : inner.expr->dim;
    out.expr = function;
    return out;
}

static struct ng_term parse_function(struct ng_expr_parser *p) {
    struct ng_token token = p->token;
    const char *name =
        ng_arena_strndup(p->arena, p->node->text + token.start, token.end - token.start);
    if (p->in_function) {
        ng_expr_error(p, token.start, "threshold", "a function cannot stand inside another one");
        p->stopped = true;
        return (struct ng_term){.start = token.start, .end = token.end};
    }
    struct ng_expr *function = make_function(p, &token, name);
    ng_expr_next(p); /* ( */
    ng_expr_next(p);
    p->in_function = true;
    p->inside = 0;
    p->fewest_repeats = p->most_repeats = 0;
    struct ng_term inner = ng_expr_sum(p);
    p->in_function = false;
    if (!p->stopped && !is_sign(p, ')')) {
        return ng_expr_stop(p, "\")\"");
    }
    struct ng_term out = finish_function(p, &token, name, function, inner);
    if (!p->stopped) {
        ng_expr_next(p);
    }
    return out;
}

static struct ng_term parse_name(struct ng_expr_parser *p) {
    const char *after = p->node->text + p->token.end;
    if (after[strspn(after, " \t\n")] == '(') {
        return parse_function(p);
    }
    struct ng_term term = ng_expr_resolve(p, &p->token);
    ng_expr_next(p);
    return term;
}

static struct ng_term parse_group(struct ng_expr_parser *p) {
    size_t start = p->token.start;
    ng_expr_next(p);
    struct ng_term term = ng_expr_sum(p);
    if (!p->stopped && !is_sign(p, ')')) {
        return ng_expr_stop(p, "\")\"");
    }
    term.start = start;
    term.end = p->token.end;
    term.literal = false;
    if (!p->stopped) {
        ng_expr_next(p);
    }
    return term;
}

static struct ng_term parse_negative(struct ng_expr_parser *p) {
    size_t start = p->token.start;
    ng_expr_next(p);
    struct ng_term inner = parse_factor(p);
    struct ng_term out = {.start = start,
        .end = inner.end,
        .constant = inner.constant,
        .percent = inner.percent,
        .factor = 1};
    if (inner.expr) {
        out.expr = ng_expr_new(p, NG_EXPR_NEGATE, start);
        out.expr->dim = inner.expr->dim;
        out.expr->a = inner.expr;
    }
    return out;
}

static struct ng_term parse_factor(struct ng_expr_parser *p) {
    if (p->stopped || p->depth == NG_EXPR_DEPTH_MAX) {
        if (!p->stopped) {
            ng_expr_error(
                p, p->token.start, "threshold", "nested deeper than %d levels", NG_EXPR_DEPTH_MAX);
        }
        p->stopped = true;
        return (struct ng_term){.start = p->token.start, .end = p->token.end};
    }
    p->depth++;
    struct ng_term term;
    if (p->token.kind == NG_TOKEN_NUMBER) {
        term = parse_number(p);
    } else if (p->token.kind == NG_TOKEN_NAME) {
        term = parse_name(p);
    } else if (is_sign(p, '(')) {
        term = parse_group(p);
    } else if (is_sign(p, '-')) {
        term = parse_negative(p);
    } else {
        term = ng_expr_stop(p, "a metric or a number");
    }
    p->depth--;
    return term;
}

static struct ng_term parse_product(struct ng_expr_parser *p) {
    struct ng_term term = parse_factor(p);
    while (!p->stopped && (is_sign(p, '*') || is_sign(p, '/'))) {
        enum ng_expr_op op = p->token.sign == '*' ? NG_EXPR_MUL : NG_EXPR_DIV;
        ng_expr_next(p);
        term = ng_expr_combine(p, op, term, parse_factor(p));
    }
    return term;
}

struct ng_term ng_expr_sum(struct ng_expr_parser *p) {
    struct ng_term term = parse_product(p);
    while (!p->stopped && (is_sign(p, '+') || is_sign(p, '-'))) {
        enum ng_expr_op op = p->token.sign == '+' ? NG_EXPR_ADD : NG_EXPR_SUB;
        ng_expr_next(p);
        term = ng_expr_combine(p, op, term, parse_product(p));
    }
    return term;
}
