/* field_number.c - numbers, and quantities that carry their unit. */
#include <math.h>
#include <string.h>

#include "plans/language/field_parts.h"
#include "runner/base/units.h"

/* 2^63 as a double: the first value that an int64_t cannot hold. */
static const double INT_END = 9223372036854775808.0;

/* The value of a plain INT or FLOAT; false for .inf and .nan. */
static bool scan_number(const char *text, double *out) {
    bool negative = *text == '-';
    text += *text == '-' || *text == '+';
    size_t len = strlen(text);
    if (text[0] == '0' && text[1] == 'x') {
        *out = 0;
        for (const char *p = text + 2; *p; p++) {
            *out = *out * 16 + (*p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10);
        }
        return true;
    }
    if (len > 0 && text[len - 1] == '.') {
        len--; /* "4." is a number in YAML */
    }
    if (len == 0 || ng_number_scan(text, len, out) != len || !isfinite(*out)) {
        return false;
    }
    *out = negative ? -*out : *out;
    return true;
}

static bool is_disputed_number(const struct ng_node *node) {
    const char *p = node->text + (*node->text == '-' || *node->text == '+');
    return ng_node_core(node) == NG_CORE_DISPUTED && *p >= '0' && *p <= '9';
}

static bool load_bool(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, bool *out) {
    if (node->kind == NG_NODE_SCALAR && ng_node_core(node) == NG_CORE_BOOL) {
        *out = node->text[0] == 't' || node->text[0] == 'T';
        return true;
    }
    if (node->kind == NG_NODE_SCALAR && ng_node_core(node) == NG_CORE_DISPUTED &&
        !is_disputed_number(node)) {
        return ng_field_disputed(loading, field, node);
    }
    return ng_field_mismatch(loading, field, node);
}

/* Whole numbers keep all their digits, which a double would not. */
static bool scan_whole(const char *text, int64_t *out) {
    bool negative = *text == '-';
    text += *text == '-' || *text == '+';
    int64_t value = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *text - '0', &value)) {
            return false;
        }
    }
    *out = negative ? -value : value;
    return *text == '\0';
}

static bool load_whole(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, int64_t *out) {
    double value = 0;
    if (scan_whole(node->text, out)) {
        return ng_field_in_range(loading, field, node, (double)*out);
    }
    if (!scan_number(node->text, &value) || value != floor(value)) {
        return ng_field_mismatch(loading, field, node);
    }
    if (fabs(value) >= INT_END) {
        ng_diag_error(loading->diags, node->pos, "range", "%s: %s is too large", field->name,
            ng_node_describe(loading->diags, node));
        return false;
    }
    *out = (int64_t)value;
    return ng_field_in_range(loading, field, node, value);
}

bool ng_field_load_number(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, void *out) {
    if (field->type == NG_FIELD_BOOL) {
        return load_bool(loading, field, node, out);
    }
    enum ng_core core = node->kind == NG_NODE_SCALAR ? ng_node_core(node) : NG_CORE_NULL;
    if (core == NG_CORE_DISPUTED && is_disputed_number(node)) {
        return ng_field_disputed(loading, field, node);
    }
    if (core != NG_CORE_INT && core != NG_CORE_FLOAT) {
        return ng_field_mismatch(loading, field, node);
    }
    if (field->type == NG_FIELD_INT) {
        return load_whole(loading, field, node, out);
    }
    double value = 0;
    if (!scan_number(node->text, &value)) {
        return ng_field_mismatch(loading, field, node);
    }
    *(double *)out = value;
    return ng_field_in_range(loading, field, node, value);
}

static struct ng_dim dim_of(enum ng_field_type type) {
    return type == NG_FIELD_SIZE       ? NG_DIM_SIZE
           : type == NG_FIELD_RATE     ? NG_DIM_RATE
           : type == NG_FIELD_DURATION ? NG_DIM_TIME
                                       : NG_DIM_NONE;
}

/* Whether the text is a number without a unit: the commonest slip of all. */
static bool is_bare(const char *text, struct ng_quantity quantity) {
    return ng_dim_equal(quantity.dim, NG_DIM_NONE) && !strchr(text, '%');
}

static bool read_quantity(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, double *out) {
    struct ng_quantity quantity;
    struct ng_err err = {0};
    const char *wanted = ng_field_type_example(field->type);
    if (!ng_quantity_parse_as(node->text, dim_of(field->type), &quantity, &err)) {
        ng_diag_error(loading->diags, node->pos, "value", "%s: expected %s, found %s", field->name,
            wanted, err.text);
        return false;
    }
    if (is_bare(node->text, quantity)) {
        ng_diag_error(loading->diags, node->pos, "unit", "%s: expected %s, found %s without a unit",
            field->name, wanted, ng_node_describe(loading->diags, node));
        return false;
    }
    if (!ng_dim_equal(quantity.dim, dim_of(field->type))) {
        ng_diag_error(loading->diags, node->pos, "unit", "%s: expected %s, found %s, a %s",
            field->name, wanted, ng_node_describe(loading->diags, node), ng_dim_word(quantity.dim));
        return false;
    }
    *out = quantity.value;
    return true;
}

/* Base units of the quantity to the row's whole units: bytes, bit/s, ns. */
static bool to_whole(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, double value, int64_t *out) {
    double scale = field->type == NG_FIELD_RATE ? 8 : field->type == NG_FIELD_DURATION ? 1e9 : 1;
    double scaled = value * scale;
    double whole = round(scaled);
    if (whole >= INT_END) {
        ng_diag_error(loading->diags, node->pos, "range", "%s: %s is too large", field->name,
            ng_node_describe(loading->diags, node));
        return false;
    }
    bool exact = fabs(scaled - whole) <= scaled * 1e-12;
    if ((field->type == NG_FIELD_SIZE && !exact) || (whole == 0 && value != 0)) {
        ng_diag_error(loading->diags, node->pos, "value", "%s: %s is no whole number of %s",
            field->name, ng_node_describe(loading->diags, node),
            field->type == NG_FIELD_SIZE   ? "bytes"
            : field->type == NG_FIELD_RATE ? "bits per second"
                                           : "nanoseconds");
        return false;
    }
    *out = (int64_t)whole;
    return ng_field_in_range(loading, field, node, whole);
}

bool ng_field_load_quantity(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, void *out) {
    if (node->kind != NG_NODE_SCALAR || ng_node_core(node) == NG_CORE_NULL ||
        ng_node_core(node) == NG_CORE_BOOL) {
        return ng_field_mismatch(loading, field, node);
    }
    if (is_disputed_number(node)) {
        return ng_field_disputed(loading, field, node);
    }
    double value = 0;
    if (!read_quantity(loading, field, node, &value)) {
        return false;
    }
    if (field->type == NG_FIELD_PERCENT) {
        *(double *)out = value;
        return ng_field_in_range(loading, field, node, value);
    }
    return to_whole(loading, field, node, value, out);
}
