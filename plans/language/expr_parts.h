/**
 * expr_parts.h - what the files behind expr.h share: the words of a threshold, the parser's state,
 * and what is known of each part of an expression beside its tree.
 */
#ifndef NG_LANGUAGE_EXPR_PARTS_H
#define NG_LANGUAGE_EXPR_PARTS_H

#include "plans/language/expr.h"
#include "plans/language/node.h"
#include "plans/language/plan.h"

enum ng_token_kind {
    NG_TOKEN_END,
    NG_TOKEN_NUMBER,
    NG_TOKEN_NAME,
    NG_TOKEN_SIGN,       /* + - * / ( ) in `sign` */
    NG_TOKEN_RANGE,      /* .. */
    NG_TOKEN_COMPARISON, /* `comparison`; WITHIN too */
    NG_TOKEN_OF,
    NG_TOKEN_BAD, /* its error was added */
};

struct ng_token {
    enum ng_token_kind kind;
    size_t start, end; /* bytes of the text */
    char sign;
    enum ng_comparison comparison;
    double number; /* without its unit */
    double factor;
    struct ng_dim dim;
    bool has_unit, percent;
};

struct ng_expr_parser {
    struct ng_arena *arena;
    struct ng_diags *diags;
    const struct ng_plan *plan;
    const struct ng_phase *phase;
    const struct ng_node *node; /* the scalar: text and places */
    struct ng_token token;
    int depth;
    bool stopped; /* the rest cannot be understood */
    bool failed;  /* something was wrong */
    bool in_function;
    bool on_right;
    bool needs_baseline;
    const struct ng_expr *left; /* once it is read */
    enum ng_spelling left_spelling;
    bool wrote_bits, wrote_bytes, wrote_share; /* units of rates, and percentages that are values */
    /* the metrics of this phase that the left side names */
    const struct ng_metric_def *own;
    size_t own_count;
    /* the metrics in the function that is being read, and their repeats; 0: not known */
    size_t inside;
    int64_t fewest_repeats, most_repeats;
};

/** A part of an expression. `expr` is NULL when something in it is wrong: then nothing is checked.
 */
struct ng_term {
    struct ng_expr *expr;
    size_t start, end;
    bool constant; /* nothing measured in it */
    bool literal;  /* one number */
    bool percent;  /* one percentage */
    bool has_unit; /* a literal that has its unit */
    double factor; /* of that unit */
};

/** Reads the next token into p->token. A bad one stops the parser. */
void ng_expr_next(struct ng_expr_parser *p);

/** Reads a sum, which is any expression. */
struct ng_term ng_expr_sum(struct ng_expr_parser *p);
/** Adds `expected EXPECTED, found TOKEN` and stops the parser. */
struct ng_term ng_expr_stop(struct ng_expr_parser *p, const char *expected);

/** Adds an error at an offset of the text. */
void ng_expr_error(struct ng_expr_parser *p, size_t offset, const char *rule, const char *format,
    ...) NG_PRINTF(4, 5);
/** The bytes of the text between two offsets, for a message. */
const char *ng_expr_quote(struct ng_expr_parser *p, size_t start, size_t end);

struct ng_expr *ng_expr_new(struct ng_expr_parser *p, enum ng_expr_op op, size_t offset);
/** The metric that host.HOST.METRIC.STAT stands for, noted in the plan; NULL after an error. `text`
 * begins with "host.". */
const struct ng_metric_def *ng_expr_telemetry(
    struct ng_expr_parser *p, const char *text, size_t offset);
/** What a name stands for, or a term without expr after an error. */
struct ng_term ng_expr_resolve(struct ng_expr_parser *p, const struct ng_token *token);

/** Makes `a op b` after checking the dimensions. */
struct ng_term ng_expr_combine(
    struct ng_expr_parser *p, enum ng_expr_op op, struct ng_term a, struct ng_term b);
/** Checks that both sides can be compared; a bare number takes the dimension of IOPS. */
bool ng_expr_unify(struct ng_expr_parser *p, struct ng_term *a, struct ng_term *b);

#endif
