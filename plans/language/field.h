/**
 * field.h - tables of fields: the single source of loading, messages, schema and reference page.
 *
 * A record is a struct that a plan fills. Each row names a key, its type, where its value goes, the
 * range, the default and one line of help. ng_record_load reads a map (or the short form, a lone
 * scalar or list, which fills the field named by `shorthand`) and reports every error with its
 * place: unknown keys with a suggestion, missing keys, wrong types, values out of range, units left
 * out, disputed scalars.
 */
#ifndef NG_LANGUAGE_FIELD_H
#define NG_LANGUAGE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plans/language/diag.h"
#include "plans/language/node.h"

struct ng_metric_def;
struct ng_plan;
struct ng_script;
struct ng_value;

/* type, C type at the offset, word for messages and the reference page */
#define NG_FIELD_TYPES(X)                                                                          \
    X(NG_FIELD_TEXT, const char *, "text")                                                         \
    X(NG_FIELD_NAME, const char *, "name")          /* ng_text_is_name */                          \
    X(NG_FIELD_PATH, const char *, "absolute path") /* normalised, no "..", no ":" or "," */       \
    X(NG_FIELD_BOOL, bool, "true or false")                                                        \
    X(NG_FIELD_INT, int64_t, "whole number")  /* min .. max */                                     \
    X(NG_FIELD_SIZE, int64_t, "size")         /* bytes */                                          \
    X(NG_FIELD_RATE, int64_t, "rate")         /* bit/s */                                          \
    X(NG_FIELD_DURATION, int64_t, "duration") /* ns */                                             \
    X(NG_FIELD_PERCENT, double, "percentage") /* 95% is 0.95 */                                    \
    X(NG_FIELD_NUMBER, double, "number")                                                           \
    X(NG_FIELD_CHOICE, int, "one of")                   /* index into choices */                   \
    X(NG_FIELD_TEXTS, struct ng_texts, "list of texts") /* a lone text is a list of one */         \
    X(NG_FIELD_PAIRS, struct ng_pairs, "map of texts")                                             \
    X(NG_FIELD_ARGVS, struct ng_argvs, "map of commands") /* each a list of words, or one word */  \
    X(NG_FIELD_HOST, const struct ng_host *, "host")                                               \
    X(NG_FIELD_LINK, const struct ng_link *, "link")                                               \
    X(NG_FIELD_VOLUME, const struct ng_volume *, "volume")                                         \
    X(NG_FIELD_INTERFACE, struct ng_interface, "host:interface")                                   \
    X(NG_FIELD_SCRIPT, const struct ng_script *, "file of Lua")                                    \
    X(NG_FIELD_VALUES, const struct ng_value *, "map of values")                                   \
    X(NG_FIELD_METRICS, struct ng_metrics, "map of units")                                         \
    X(NG_FIELD_RECORDS, struct ng_list, "list of maps") /* min .. max of them */                   \
    X(NG_FIELD_RECORD, void *, "map")                   /* `record` says which; arena-allocated */

enum ng_field_type {
#define X(name, ctype, word) name,
    NG_FIELD_TYPES(X)
#undef X
};

struct ng_texts {
    const char *const *items;
    const struct ng_pos *places;
    size_t count;
};

struct ng_pair {
    const char *key;
    const char *value;
    struct ng_pos pos; /* of the key */
};

struct ng_pairs {
    const struct ng_pair *items;
    size_t count;
};

/** A name and the words of a command. */
struct ng_argv_item {
    const char *key;
    struct ng_texts words;
    struct ng_pos pos; /* of the key */
};

struct ng_argvs {
    const struct ng_argv_item *items;
    size_t count;
};

/** Metrics that the plan names, with the units as it writes them. */
struct ng_metrics {
    const struct ng_metric_def *items;
    const char *const *units;
    size_t count;
};

/** "nas:eth4": an interface of a host. */
struct ng_interface {
    const struct ng_host *host; /* NULL when absent */
    const char *name;
};

/** Records one after another: count structs of record->size bytes. */
struct ng_list {
    const void *items;
    size_t count;
};

enum { NG_REQUIRED = 1 };
enum {
    NG_FIELD_TEXT_MAX = 4096, /* bytes of one text */
    NG_FIELDS_MAX = 64,       /* of one record */
    NG_METRICS_MAX = 100,     /* that one phase names itself */
};

struct ng_field {
    const char *name;
    enum ng_field_type type;
    size_t offset;
    unsigned flags;
    double min, max; /* numbers, sizes, rates, durations (base units); both 0: no range */
    const char *const *choices; /* NG_FIELD_CHOICE: NULL-terminated */
    const char *fallback; /* the default as a plan would write it; NULL: zero value, "not given" */
    const struct ng_record *record; /* NG_FIELD_RECORD(S) */
    const char *help;               /* one line, no full stop */
};

struct ng_record {
    const char *name;              /* for messages: "fio phase", "link" */
    const struct ng_field *fields; /* sorted as the reference page shall show them */
    size_t count;
    size_t size;           /* bytes of the C struct */
    const char *shorthand; /* the field that a lone scalar or list fills; NULL: no short form */
    const char *help;      /* one line */
};

/** What loading a record needs to know. `plan` resolves names of hosts, links and volumes. */
struct ng_loading {
    struct ng_arena *arena;
    struct ng_diags *diags;
    const struct ng_plan *plan;
    struct ng_plan *mutable_plan; /* the same, for files of Lua to be kept in; NULL: without any */
};

/**
 * Fills `out` (record->size bytes, zeroed by the caller) from `node`. Keys in `also`
 * (NULL-terminated, may be NULL) are left for the caller and are not unknown. Returns false if
 * errors were added.
 */
bool ng_record_load(const struct ng_loading *loading, const struct ng_record *record,
    const struct ng_node *node, const char *const *also, void *out);

/** The place of a field's value, or of the record where the field is absent. For cross-field rules.
 */
struct ng_pos ng_field_place(const struct ng_node *record, const char *field);

/** The word for a type: "size", "whole number". */
const char *ng_field_type_word(enum ng_field_type type);
/** What to write for a type, with an example: `a size such as "30 GiB"`. */
const char *ng_field_type_example(enum ng_field_type type);
/** "4 KiB .. 16 TiB", "at least 1", or "" for a field without a range, as a plan would write it. */
void ng_field_range(const struct ng_field *field, struct ng_buf *out);

/** Loads one value of a simple type into `*out` (the row's C type). For rows outside records. */
bool ng_field_load(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, void *out);

#endif
