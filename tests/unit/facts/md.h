/**
 * md.h - for tests: an array by its name.
 */
#ifndef NG_TESTS_FACTS_MD_H
#define NG_TESTS_FACTS_MD_H

#include <string.h>

#include "runner/facts/mdstat.h"

/** NULL when there is none of that name. */
static inline const struct ng_md_array *md_find(const struct ng_md *md, const char *name) {
    for (size_t i = 0; i < md->count; i++) {
        if (strcmp(md->arrays[i].name, name) == 0) {
            return &md->arrays[i];
        }
    }
    return NULL;
}

#endif
