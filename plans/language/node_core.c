/* node_core.c - what a plain scalar is by the YAML 1.2 core schema, and where YAML readers
 * disagree. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "plans/language/node.h"
#include "runner/base/guard.h"

enum { LONGEST_WORD = 5 }; /* "false" */

static size_t span_digits(const char *p) {
    size_t len = 0;
    while (p[len] >= '0' && p[len] <= '9') {
        len++;
    }
    return len;
}

static bool is_word(const char *text, const char *const *words, size_t count, bool any_case) {
    for (size_t i = 0; i < count; i++) {
        if ((any_case ? strcasecmp(text, words[i]) : strcmp(text, words[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* [0-9][0-9_]* */
static size_t span_grouped(const char *p) {
    return isdigit((unsigned char)*p) ? strspn(p, "0123456789_") : 0;
}

/* 1_000 and 1_000.5, which YAML 1.1 reads as numbers. */
static bool is_grouped(const char *p) {
    const char *start = p;
    p += span_grouped(p);
    if (p > start && *p == '.') {
        p += 1 + strspn(p + 1, "0123456789_");
    }
    return p > start && *p == '\0' && strchr(start, '_');
}

/* 1:30 and 1:30:00.5, which YAML 1.1 reads in base 60. */
static bool is_sexagesimal(const char *p) {
    size_t head = span_grouped(p);
    if (head == 0 || p[head] != ':') {
        return false;
    }
    p += head;
    while (*p == ':') {
        size_t digits = span_digits(p + 1);
        if (digits < 1 || digits > 2) {
            return false;
        }
        p += 1 + digits;
    }
    if (*p == '.') {
        p += 1 + strspn(p + 1, "0123456789_");
    }
    return *p == '\0';
}

/* 2026-11-30, with or without a time behind it. */
static bool is_date(const char *p) {
    if (span_digits(p) != 4 || p[4] != '-') {
        return false;
    }
    size_t month = span_digits(p + 5);
    if (month < 1 || month > 2 || p[5 + month] != '-') {
        return false;
    }
    const char *day = p + 6 + month;
    size_t digits = span_digits(day);
    return digits >= 1 && digits <= 2 && (day[digits] == '\0' || strchr("Tt \t", day[digits]));
}

static bool is_based(const char *p, const char *prefixes, const char *digits) {
    return p[0] == '0' && p[1] != '\0' && strchr(prefixes, p[1]) && p[2] != '\0' &&
           strspn(p + 2, digits) == strlen(p + 2);
}

static bool is_float(const char *p) {
    size_t whole = span_digits(p);
    p += whole;
    size_t fraction = 0;
    if (*p == '.') {
        fraction = span_digits(p + 1);
        p += 1 + fraction;
    }
    if (whole + fraction == 0) {
        return false;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '+' || *p == '-';
        size_t exponent = span_digits(p);
        if (exponent == 0) {
            return false;
        }
        p += exponent;
    }
    return *p == '\0';
}

static enum ng_core core_of_number(const char *text) {
    static const char *const special[] = {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"};
    const char *p = text + (*text == '-' || *text == '+');
    size_t digits = span_digits(p);
    if (digits > 0 && p[digits] == '\0') {
        return digits > 1 && *p == '0' ? NG_CORE_DISPUTED : NG_CORE_INT;
    }
    if (is_based(text, "x", "0123456789abcdefABCDEF")) {
        return NG_CORE_INT;
    }
    if (is_float(p) || is_word(p, special, NG_COUNT(special), false)) {
        return NG_CORE_FLOAT;
    }
    if (is_grouped(p) || is_sexagesimal(p) || is_date(text) || is_based(p, "ob", "01234567_") ||
        is_based(p, "x", "0123456789abcdefABCDEF_")) {
        return NG_CORE_DISPUTED;
    }
    return NG_CORE_STRING;
}

enum ng_core ng_node_core(const struct ng_node *scalar) {
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    static const char *const bools[] = {"true", "True", "TRUE", "false", "False", "FALSE"};
    static const char *const disputed[] = {"yes", "no", "on", "off", "y", "n"};
    if (scalar->quoted) {
        return NG_CORE_STRING;
    }
    /* The first character and the length tell most texts apart from all of these. */
    char first = scalar->text[0];
    if (first == '\0' || first == '~' || isalpha((unsigned char)first)) {
        if (strlen(scalar->text) > LONGEST_WORD) {
            return NG_CORE_STRING;
        }
        return is_word(scalar->text, nulls, NG_COUNT(nulls), false)        ? NG_CORE_NULL
               : is_word(scalar->text, bools, NG_COUNT(bools), false)      ? NG_CORE_BOOL
               : is_word(scalar->text, disputed, NG_COUNT(disputed), true) ? NG_CORE_DISPUTED
                                                                           : NG_CORE_STRING;
    }
    return strchr("0123456789.+-", first) ? core_of_number(scalar->text) : NG_CORE_STRING;
}

static const char *describe_scalar(struct ng_diags *diags, const struct ng_node *node) {
    enum ng_core core = ng_node_core(node);
    if (core == NG_CORE_NULL) {
        return "nothing";
    }
    if (core == NG_CORE_STRING || core == NG_CORE_DISPUTED) {
        return ng_arena_printf(diags->arena, "the text %s", ng_diag_quote(diags, node->text));
    }
    return ng_arena_printf(diags->arena, "%s%.40s%s", core == NG_CORE_BOOL ? "" : "the number ",
        node->text, strlen(node->text) > 40 ? "…" : "");
}

const char *ng_node_describe(struct ng_diags *diags, const struct ng_node *node) {
    if (ng_diags_full(diags)) {
        return "";
    }
    switch (node->kind) {
    case NG_NODE_LIST:
        return node->count == 0 ? "an empty list" : "a list";
    case NG_NODE_MAP:
        return node->count == 0 ? "an empty map" : "a map";
    case NG_NODE_SCALAR:
        break;
    }
    return describe_scalar(diags, node);
}

bool ng_node_is_unknown(const struct ng_node *node) {
    return node->kind == NG_NODE_SCALAR && node->broken;
}

struct ng_node *ng_node_get(const struct ng_node *map, const char *key) {
    if (!map || map->kind != NG_NODE_MAP) {
        return NULL;
    }
    for (size_t i = 0; i < map->count; i++) {
        if (strcmp(map->keys[i]->text, key) == 0) {
            return map->items[i];
        }
    }
    return NULL;
}

int ng_text_columns(const char *text, size_t len) {
    int columns = 0;
    for (size_t i = 0; i < len; i++) {
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return columns;
}

struct ng_pos ng_node_place(const struct ng_node *scalar, size_t offset) {
    struct ng_pos pos = scalar->pos;
    if (scalar->text_column > 0) {
        pos.column = scalar->text_column + ng_text_columns(scalar->text, offset);
    }
    return pos;
}
