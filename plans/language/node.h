/**
 * node.h - YAML text as a tree in which every node knows its place.
 *
 * Built from libyaml's events. Refused, each with its place: what is not UTF-8, more than one
 * document, duplicate keys, keys that are no scalars, merge keys, tags of any kind, an alias inside
 * its own anchor, aliases that multiply the tree beyond NG_NODES_MAX, nesting deeper than
 * NG_NODE_DEPTH_MAX, files larger than NG_PLAN_BYTES_MAX. Aliases are resolved: the tree shares
 * nodes, and a shared node keeps the place of its anchor.
 */
#ifndef NG_LANGUAGE_NODE_H
#define NG_LANGUAGE_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "plans/language/diag.h"
#include "runner/base/arena.h"

enum { NG_PLAN_BYTES_MAX = 4 * 1024 * 1024, NG_NODES_MAX = 200000, NG_NODE_DEPTH_MAX = 32 };

enum ng_node_kind { NG_NODE_SCALAR, NG_NODE_LIST, NG_NODE_MAP };

struct ng_node {
    enum ng_node_kind kind;
    struct ng_pos pos;
    /* scalars */
    const char *text; /* UTF-8 without NUL inside */
    bool quoted;      /* quoted or block style: always a string */
    /* The column where the text itself begins, where it stands in the file exactly as here (one
     * line, nothing escaped, nothing substituted); else 0. */
    int text_column;
    /* Something of it is not known and was said: a scalar's value, or some keys of a map, which are
     * then not missed. */
    bool broken;
    /* lists and maps: items[i] is the i-th item or value; keys[i] the i-th key of a map (scalar) */
    struct ng_node **items;
    struct ng_node **keys;
    size_t count;
};

/**
 * Parses one document. Whether it is sound is told by the errors in `diags`; after errors that
 * leave the rest readable (a duplicate key, a merge key, a tag) there still is a tree, without what
 * was refused, so that the rest can be checked in the same pass. NULL when there is none. The tree
 * lives in `arena`.
 */
struct ng_node *ng_node_parse(
    struct ng_arena *arena, const char *file, const char *text, size_t len, struct ng_diags *diags);

/** The value of a key, or NULL (also for what is no map). */
struct ng_node *ng_node_get(const struct ng_node *map, const char *key);

/** A scalar whose value is not known: nothing more is to be said about it. */
bool ng_node_is_unknown(const struct ng_node *node);

/** The YAML 1.2 core type of a plain scalar. DISPUTED are texts on which YAML readers disagree: yes
 * no on off y n (any case), leading zeros, 1:30, 1_000, dates, and the like. */
enum ng_core {
    NG_CORE_STRING,
    NG_CORE_NULL,
    NG_CORE_BOOL,
    NG_CORE_INT,
    NG_CORE_FLOAT,
    NG_CORE_DISPUTED
};
enum ng_core ng_node_core(const struct ng_node *scalar);
/** "a list", "a map", "nothing", "the text \"x\"", "the number 4", for messages; lives in the arena
 * of `diags`. */
const char *ng_node_describe(struct ng_diags *diags, const struct ng_node *node);
/** The place of a character of the text, counted in bytes from its start: exact where text_column
 * is known, else the place of the node. */
struct ng_pos ng_node_place(const struct ng_node *scalar, size_t offset);
/** The number of code points in `len` bytes of UTF-8. */
int ng_text_columns(const char *text, size_t len);

#endif
