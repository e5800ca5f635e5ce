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
    /* lists and maps: items[i] is the i-th item or value; keys[i] the i-th key of a map (scalar) */
    struct ng_node **items;
    struct ng_node **keys;
    size_t count;
};

/** Parses one document. NULL after errors were added to `diags`. The tree lives in `arena`. */
struct ng_node *ng_node_parse(struct ng_arena *arena, const char *file, const char *text,
    size_t len, struct ng_diags *diags);

/** The value of a key, or NULL (also for what is no map). */
struct ng_node *ng_node_get(const struct ng_node *map, const char *key);

/** The YAML 1.2 core type of a plain scalar. DISPUTED are texts on which YAML readers disagree: yes no on off y n
 *  (any case), leading zeros, 1:30, 1_000, dates, and the like. */
enum ng_core { NG_CORE_STRING, NG_CORE_NULL, NG_CORE_BOOL, NG_CORE_INT, NG_CORE_FLOAT, NG_CORE_DISPUTED };
enum ng_core ng_node_core(const struct ng_node *scalar);
/** "a list", "a map", "the text \"x\"", "the number 4", for messages; lives in `arena`. */
const char *ng_node_describe(struct ng_arena *arena, const struct ng_node *node);

#endif
