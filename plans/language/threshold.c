/* threshold.c - thresholds: two expressions and what stands between them. */
#include "plans/language/threshold.h"

#include <string.h>

#include "plans/language/expr_parts.h"
#include "runner/base/text.h"
#include "runner/base/units.h"

struct sides {
    struct ng_term left, right, high;
};

/* "within 250 .. 400 MB/s": both ends are in MB/s. */
static void share_unit(struct ng_term *low, const struct ng_term *high) {
    if (low->expr && high->expr && low->literal && !low->has_unit && high->literal &&
        high->has_unit) {
        low->expr->value = ng_unit_scale(low->expr->value, high->factor);
        low->expr->dim = high->expr->dim;
        low->percent = high->percent;
    }
}

/* How the metrics in an expression are read; of a quotient or product only whether it is in bits.
 */
static enum ng_spelling spelling_of(const struct ng_expr *expr) {
    if (!expr) {
        return NG_SPELLING_PLAIN;
    }
    enum ng_spelling a = spelling_of(expr->a);
    a = a != NG_SPELLING_PLAIN ? a : spelling_of(expr->b);
    if (expr->op == NG_EXPR_METRIC || expr->op == NG_EXPR_BASELINE) {
        return expr->metric->spelling;
    }
    if (expr->op == NG_EXPR_CV) {
        return NG_SPELLING_SHARE;
    }
    bool scaled = expr->op == NG_EXPR_MUL || expr->op == NG_EXPR_DIV;
    return scaled && a == NG_SPELLING_SHARE ? NG_SPELLING_PLAIN : a;
}

static void parse_sides(struct ng_expr_parser *p, struct ng_threshold *out, struct sides *sides) {
    sides->left = ng_expr_sum(p);
    if (!p->stopped && p->token.kind != NG_TOKEN_COMPARISON) {
        ng_expr_stop(p, "a comparison (<=, <, >=, >, ==, != or within)");
    }
    if (p->stopped) {
        return;
    }
    out->comparison = p->token.comparison;
    p->on_right = true;
    p->left = sides->left.expr;
    p->left_spelling = spelling_of(p->left);
    ng_expr_next(p);
    sides->right = ng_expr_sum(p);
    if (out->comparison == NG_CMP_WITHIN && !p->stopped) {
        if (p->token.kind != NG_TOKEN_RANGE) {
            ng_expr_stop(p, "\"..\" as in \"within 250 .. 400 MB/s\"");
            return;
        }
        ng_expr_next(p);
        sides->high = ng_expr_sum(p);
    }
    if (!p->stopped && p->token.kind == NG_TOKEN_COMPARISON) {
        ng_expr_stop(p, "one comparison; write two thresholds, or \"within LOW .. HIGH\"");
    } else if (!p->stopped && p->token.kind != NG_TOKEN_END) {
        ng_expr_stop(p, "an operator or the end");
    }
}

/* Constants must have a finite value, or a limit could never be judged. */
static bool constant_value(struct ng_expr_parser *p, const struct ng_term *term, double *value) {
    struct ng_err err = {0};
    if (!term->constant || ng_expr_eval(term->expr, NULL, value, &err)) {
        return true;
    }
    ng_expr_error(p, term->start, "threshold", "%s", err.text);
    return false;
}

static enum ng_spelling spelling_in_force(
    const struct ng_expr_parser *p, const struct ng_expr *left) {
    enum ng_spelling usual = spelling_of(left);
    if (ng_dim_equal(left->dim, NG_DIM_RATE)) {
        return p->wrote_bits || (usual == NG_SPELLING_BITS && !p->wrote_bytes) ? NG_SPELLING_BITS
                                                                               : NG_SPELLING_PLAIN;
    }
    return ng_dim_equal(left->dim, NG_DIM_NONE) && (p->wrote_share || usual == NG_SPELLING_SHARE)
               ? NG_SPELLING_SHARE
               : NG_SPELLING_PLAIN;
}

/* "cv(read.iops) <= 60" means 6000%, and hardly ever is meant to. */
static void doubt_share(
    struct ng_expr_parser *p, const struct ng_term *left, const struct ng_term *limit) {
    if (!limit->expr || !limit->literal || limit->percent || limit->expr->value <= 1 ||
        spelling_of(left->expr) != NG_SPELLING_SHARE) {
        return;
    }
    const char *written =
        ng_arena_strndup(p->arena, p->node->text + limit->start, limit->end - limit->start);
    ng_diag_warning(p->diags, ng_node_place(p->node, limit->start), "share-without-percent",
        "the left side is a share, where 1 is 100%%; %s is more than all of it; write for example "
        "\"%s%%\"",
        written, written);
}

static void check_sides(struct ng_expr_parser *p, bool within, struct sides *s) {
    if (within) {
        share_unit(&s->right, &s->high);
    }
    bool fit = ng_expr_unify(p, &s->left, &s->right);
    if (within) {
        fit = ng_expr_unify(p, &s->left, &s->high) && fit;
    }
    if (!fit) {
        p->failed = true;
        return;
    }
    if (s->left.constant && s->right.constant && (!within || s->high.constant)) {
        ng_expr_error(p, s->left.start, "constant",
            "nothing that is measured stands in this threshold; name a metric");
        return;
    }
    doubt_share(p, &s->left, &s->right);
    if (within) {
        doubt_share(p, &s->left, &s->high);
    }
    double low = 0, high = 0, left = 0;
    if (!constant_value(p, &s->left, &left) || !constant_value(p, &s->right, &low) || !within ||
        !constant_value(p, &s->high, &high)) {
        return;
    }
    if (s->right.constant && s->high.constant && low > high) {
        ng_expr_error(p, s->right.start, "range", "the range ends below its start: %s .. %s",
            ng_expr_quote(p, s->right.start, s->right.end),
            ng_expr_quote(p, s->high.start, s->high.end));
    }
}

/* What parsed holds no character that would have to be cleaned but blanks and line ends. */
static const char *one_line(struct ng_arena *arena, const char *text) {
    size_t len = strlen(text);
    bool clean = len == 0 || (text[0] != ' ' && text[len - 1] != ' ');
    for (size_t i = 0; i < len && clean; i++) {
        clean = (unsigned char)text[i] >= 0x20 && (unsigned char)text[i] < 0x7F;
    }
    return clean ? ng_arena_strdup(arena, text)
                 : ng_text_clean_dup(arena, text, len, NG_TEXT_LINE, NG_EXPR_BYTES_MAX);
}

const struct ng_threshold *ng_threshold_parse_node(struct ng_arena *arena,
    const struct ng_node *node, const struct ng_plan *plan, const struct ng_phase *phase,
    struct ng_diags *diags) {
    struct ng_expr_parser p = {
        .arena = arena, .diags = diags, .plan = plan, .phase = phase, .node = node};
    if (strlen(node->text) > NG_EXPR_BYTES_MAX) {
        ng_diag_error(diags, node->pos, "threshold", "a threshold has at most %d bytes, found %zu",
            NG_EXPR_BYTES_MAX, strlen(node->text));
        return NULL;
    }
    struct ng_threshold *out = ng_arena_alloc(arena, sizeof *out);
    struct sides sides = {0};
    ng_expr_next(&p);
    if (p.token.kind == NG_TOKEN_END) {
        ng_expr_stop(&p, "a threshold such as \"write.bw >= 400 MB/s\"");
    } else if (!p.stopped) {
        parse_sides(&p, out, &sides);
    }
    if (!p.stopped) {
        check_sides(&p, out->comparison == NG_CMP_WITHIN, &sides);
    }
    if (p.failed || p.stopped) {
        return NULL;
    }
    out->pos = node->pos;
    out->text = one_line(arena, node->text);
    out->left = sides.left.expr;
    out->right = sides.right.expr;
    out->high = sides.high.expr;
    out->spelling = spelling_in_force(&p, out->left);
    out->needs_baseline = p.needs_baseline;
    return out;
}
