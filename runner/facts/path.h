/**
 * path.h - what one path is: looked at after mountinfo was read, in a child of its own with a time
 * limit, because touching a dead mount hangs.
 */
#ifndef NG_FACTS_PATH_H
#define NG_FACTS_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"

struct ng_path {
    const char *path;
    const char *why; /* why it is not known, or NULL: "did not answer in 3 s" */
    bool late;       /* it hung */
    enum ng_answer exists, directory, writable; /* by the user the commands run as */
    const char *real;                           /* without symbolic links (folders only), or NULL */
    int64_t device;                             /* st_dev as stat prints it, -1: unknown */
    int64_t available;                          /* bytes for this user, -1: unknown */
    int64_t total;                              /* bytes, -1: unknown */
    int64_t reserved;                           /* bytes that are free but not for this user; -1 */
    int64_t files, free_files; /* inodes; 0 where the file system has no limit; -1: unknown */
    const char *space_why;     /* why available is unknown, or NULL */
};

/** Lines `KEY VALUE` as the collector prints them. `path` is set by the caller. */
void ng_path_parse(struct ng_path *path, struct ng_arena *arena, const char *text, size_t len);
/** Available and total bytes out of `df -P -k`; false if the numbers are not there. */
bool ng_df_parse(const char *text, size_t len, int64_t *available, int64_t *total);
/** major and minor out of st_dev, Linux's encoding. */
void ng_device_split(int64_t device, unsigned *major, unsigned *minor);

#endif
