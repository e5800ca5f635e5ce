/**
 * names.h - a hash table from names to things, so that plans with thousands of names load in linear
 * time. Lives in an arena; names are borrowed and must outlive the table. Nothing is ever removed.
 */
#ifndef NG_LANGUAGE_NAMES_H
#define NG_LANGUAGE_NAMES_H

#include <stddef.h>

#include "runner/base/arena.h"

struct ng_name_slot {
    const char *name; /* NULL: free */
    const void *thing;
};

struct ng_names {
    struct ng_arena *arena;
    struct ng_name_slot *slots;
    size_t room; /* a power of two, or 0 */
    size_t count;
};

void ng_names_init(struct ng_names *names, struct ng_arena *arena);
/** Enters a name. A name that is there already keeps its thing, which is returned; else NULL.
 * `thing` must not be NULL. */
const void *ng_names_add(struct ng_names *names, const char *name, const void *thing);
/** Enters a name or gives it another thing. */
void ng_names_set(struct ng_names *names, const char *name, const void *thing);
/** The thing of a name, or NULL. */
const void *ng_names_get(const struct ng_names *names, const char *name);

#endif
