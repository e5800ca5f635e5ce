/* expr_dims.c - dimensions of combined expressions, and what is said where they do not fit. */
#include <stdlib.h>
#include <string.h>

#include "plans/language/expr_parts.h"
#include "runner/base/units.h"

enum { POWER_MAX = 9 };

/* "a rate", "in IOPS", "in bytes^2". */
static const char *phrase(struct ng_expr_parser *p, struct ng_dim dim) {
    const char *word = ng_dim_word(dim);
    bool noun = ng_dim_equal(dim, NG_DIM_RATE) || ng_dim_equal(dim, NG_DIM_SIZE) ||
                ng_dim_equal(dim, NG_DIM_TIME) || ng_dim_equal(dim, NG_DIM_NONE);
    return ng_arena_printf(p->diags->arena, "%s %s", noun ? "a" : "in", word);
}

/* Unquoted, since it is code: "write.bw", "2 * 5 ms". */
static const char *code(struct ng_expr_parser *p, const struct ng_term *term) {
    const char *quoted = ng_expr_quote(p, term->start, term->end);
    size_t len = strlen(quoted);
    return len < 2 ? quoted : ng_arena_strndup(p->diags->arena, quoted + 1, len - 2);
}

static const char *example_unit(struct ng_dim dim) {
    return ng_dim_equal(dim, NG_DIM_RATE)   ? "MB/s"
           : ng_dim_equal(dim, NG_DIM_SIZE) ? "MiB"
           : ng_dim_equal(dim, NG_DIM_TIME) ? "ms"
                                            : NULL;
}

static bool is_bare(const struct ng_term *term) {
    return term->constant && !term->percent && ng_dim_equal(term->expr->dim, NG_DIM_NONE);
}

static void refuse(struct ng_expr_parser *p, const struct ng_term *a, const struct ng_term *b) {
    if (ng_diags_full(p->diags)) {
        p->failed = true;
        return;
    }
    /* Said of the part that is odd: a bare number, whichever side it is on, else the second one. */
    bool swap = is_bare(a) && !is_bare(b);
    const struct ng_term *odd = swap ? a : b;
    const struct ng_term *other = swap ? b : a;
    const char *unit = example_unit(other->expr->dim);
    const char *is = phrase(p, other->expr->dim);
    if (is_bare(odd) && unit) {
        ng_expr_error(p, odd->start, "unit",
            "%s is %s, %s has no unit; write for example \"%s %s\"", code(p, other), is,
            code(p, odd), odd->literal ? code(p, odd) : "400", unit);
    } else if (odd->percent) {
        ng_expr_error(p, odd->start, "dimension",
            "%s is %s, %s is a percentage; write \"%s of\" what", code(p, other), is, code(p, odd),
            code(p, odd));
    } else {
        ng_expr_error(p, odd->start, "dimension", "%s is %s, %s is %s", code(p, other), is,
            code(p, odd), phrase(p, odd->expr->dim));
    }
}

bool ng_expr_unify(struct ng_expr_parser *p, struct ng_term *a, struct ng_term *b) {
    if (!a->expr || !b->expr) {
        return false;
    }
    if (ng_dim_equal(a->expr->dim, b->expr->dim)) {
        return true;
    }
    if (is_bare(a) && ng_dim_equal(b->expr->dim, NG_DIM_IOPS)) {
        a->expr->dim = NG_DIM_IOPS;
        return true;
    }
    if (is_bare(b) && ng_dim_equal(a->expr->dim, NG_DIM_IOPS)) {
        b->expr->dim = NG_DIM_IOPS;
        return true;
    }
    refuse(p, a, b);
    return false;
}

static bool multiply(struct ng_expr_parser *p, struct ng_expr *out, const struct ng_term *a,
    const struct ng_term *b, int sign) {
    int data = a->expr->dim.data + sign * b->expr->dim.data;
    int time = a->expr->dim.time + sign * b->expr->dim.time;
    if (abs(data) > POWER_MAX || abs(time) > POWER_MAX) {
        ng_expr_error(p, b->start, "dimension", "too high a power of bytes or seconds");
        return false;
    }
    out->dim = (struct ng_dim){(int8_t)data, (int8_t)time};
    return true;
}

static bool is_zero(const struct ng_term *term) {
    double value = 1;
    return term->constant && ng_expr_eval(term->expr, NULL, &value, NULL) && value == 0;
}

struct ng_term ng_expr_combine(
    struct ng_expr_parser *p, enum ng_expr_op op, struct ng_term a, struct ng_term b) {
    struct ng_term out = {
        .start = a.start, .end = b.end, .constant = a.constant && b.constant, .factor = 1};
    if (!a.expr || !b.expr) {
        return out;
    }
    struct ng_expr *expr = ng_expr_new(p, op, a.start);
    bool ok;
    if (op == NG_EXPR_ADD || op == NG_EXPR_SUB) {
        ok = ng_expr_unify(p, &a, &b);
        expr->dim = a.expr->dim;
    } else {
        ok = multiply(p, expr, &a, &b, op == NG_EXPR_DIV ? -1 : 1);
    }
    if (ok && op == NG_EXPR_DIV && is_zero(&b)) {
        ng_expr_error(p, b.start, "division", "division by zero");
        ok = false;
    }
    expr->a = a.expr;
    expr->b = b.expr;
    out.expr = ok ? expr : NULL;
    return out;
}
