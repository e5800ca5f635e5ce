/**
 * files.h - files of ours: bounded reads, atomic writes, folders.
 * Errors are of kind NG_ERR_FILE (NG_ERR_LIMIT for a file over the bound, NG_ERR_FULL where no room
 * is left for one, see room.h) and name the path.
 */
#ifndef NG_BASE_FILES_H
#define NG_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/err.h"

/**
 * Reads a regular file whole. `*data` gets a malloc'd, NUL-terminated copy. A folder, a device, a
 * missing file and a file larger than `cap` bytes are errors; nothing beyond the cap is kept. Never
 * blocks on a FIFO.
 */
bool ng_file_read(
    const char *path, size_t cap, char **data, size_t *len, struct ng_err *err) NG_MUST_USE;

/** Writes to a temporary name beside `path`, syncs, renames over it, syncs the folder. */
bool ng_file_write_atomic(
    const char *path, const void *data, size_t len, struct ng_err *err) NG_MUST_USE;

/** The same without waiting for the disk: whole or not there, but after a crash of the machine it
 *  may be either. A file that has these bytes already is left alone. For what can be made again. */
bool ng_file_write_quick(
    const char *path, const void *data, size_t len, struct ng_err *err) NG_MUST_USE;

/** Creates a folder with its parents (mode 0777 less umask); an existing folder is no error. */
bool ng_dir_create(const char *path, struct ng_err *err) NG_MUST_USE;
/** Creates exactly one new folder; an existing one is an error. */
bool ng_dir_create_new(const char *path, struct ng_err *err) NG_MUST_USE;
/** *empty tells whether a folder holds nothing. A missing folder is an error. */
bool ng_dir_is_empty(const char *path, bool *empty, struct ng_err *err) NG_MUST_USE;
/** Creates a private folder (0700) under TMPDIR or /tmp; `*path` is malloc'd. */
bool ng_dir_create_temp(const char *stem, char **path, struct ng_err *err) NG_MUST_USE;
/** Removes a tree without following symbolic links and without crossing to another device
 *  (or bind mount); at most 100,000 entries, 100 levels deep. Missing is no error; a link, "/" and
 *  what ends with "." or ".." are refused. */
bool ng_dir_remove(const char *path, struct ng_err *err) NG_MUST_USE;

/** Whether a file, all links followed, lies somewhere below a folder. False when either is not
 * there. */
bool ng_file_is_within(const char *path, const char *folder);

#endif
