/**
 * shipped.h - the checks that come with the program: the files of lua/checks/, part of the program
 * itself, so that it needs no other file.
 */
#ifndef NG_HOST_SHIPPED_H
#define NG_HOST_SHIPPED_H

#include <stddef.h>

struct ng_shipped_script {
    const char *name; /* "no_backup_job.lua" */
    const char *text;
    size_t len;
};

/** Sorted by name; ends with a row without one. Made from the files by the build. */
extern const struct ng_shipped_script ng_shipped_scripts[];

/** The one of that name, or NULL. */
const struct ng_shipped_script *ng_shipped_find(const char *name);

#endif
