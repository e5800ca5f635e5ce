/**
 * value.h - values of any shape in a plan: the arguments of a script.
 */
#ifndef NG_LANGUAGE_VALUE_H
#define NG_LANGUAGE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plans/language/diag.h"
#include "runner/base/buf.h"

enum ng_value_kind {
    NG_VALUE_TEXT,
    NG_VALUE_BOOL,
    NG_VALUE_INT,
    NG_VALUE_NUMBER,
    NG_VALUE_LIST,
    NG_VALUE_MAP
};

struct ng_value {
    enum ng_value_kind kind;
    const char *key; /* of a map's item; NULL elsewhere */
    struct ng_pos pos;
    const char *text;             /* TEXT */
    bool truth;                   /* BOOL */
    int64_t whole;                /* INT */
    double number;                /* NUMBER */
    const struct ng_value *items; /* LIST, MAP */
    size_t count;
};

/** The item of a map with that key, or NULL. */
const struct ng_value *ng_value_get(const struct ng_value *map, const char *key);
/** Appends a value in flow style, as a plan would write it. */
void ng_value_write(const struct ng_value *value, struct ng_buf *out);

#endif
