/**
 * shape.h - the tables that say how each struct of a result looks as JSON. Writer and reader both
 * walk them, so nothing is listed twice and what is written reads back. A new member of a result is
 * one row here (rows sorted by key), one in reports/schemas/result.schema.json, and a new
 * NG_RESULT_VERSION.
 */
#ifndef NG_RESULT_SHAPE_H
#define NG_RESULT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

enum ng_member_kind {
    NG_MEMBER_FORMAT,  /* the constant NG_RESULT_FORMAT; no member of the struct */
    NG_MEMBER_VERSION, /* the constant NG_RESULT_VERSION; no member of the struct */
    NG_MEMBER_TEXT,    /* const char * */
    NG_MEMBER_BOOL,    /* bool */
    NG_MEMBER_INT,     /* int, never negative */
    NG_MEMBER_INT64,   /* int64_t, never negative */
    NG_MEMBER_SEED,    /* uint64_t as decimal text: JSON readers lose bits beyond 2^53 */
    NG_MEMBER_REAL,    /* double; what is not finite is null */
    NG_MEMBER_UNIT,    /* struct ng_dim as unit_text.h writes it */
    NG_MEMBER_WORD,    /* an enum by its words */
    NG_MEMBER_TIME,    /* the ISO text of an int64_t wall time; not read back */
    NG_MEMBER_LIST,    /* array of structs */
    NG_MEMBER_TEXTS,   /* array of const char * */
    NG_MEMBER_IDS,     /* array of unsigned */
    NG_MEMBER_REALS,   /* array of double; what is not finite is null */
};

struct ng_shape;

struct ng_member {
    const char *key;
    enum ng_member_kind kind;
    size_t offset;            /* of the value, or of an array's pointer */
    size_t count, capacity;   /* offsets, arrays only */
    bool optional;            /* NULL, or 0 of a number, is null */
    const char *const *words; /* NG_MEMBER_WORD: by value, NULL-terminated */
    const struct ng_shape *items;
};

struct ng_shape {
    const struct ng_member *members;
    size_t count;
    size_t size;   /* of the struct */
    bool one_line; /* printed as {"key": ..., ...} on one line */
};

#define NG_RESULT_FORMAT "nasgate-result"

extern const struct ng_shape ng_shape_result;

#endif
