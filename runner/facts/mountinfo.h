/**
 * mountinfo.h - /proc/self/mountinfo: what is really mounted where. Reading it never blocks.
 */
#ifndef NG_FACTS_MOUNTINFO_H
#define NG_FACTS_MOUNTINFO_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/arena.h"

enum { NG_MOUNTS_MAX = 65536 };

/** One line. Octal escapes are decoded in root, point and source. */
struct ng_mount {
    int id, parent;
    unsigned major, minor;
    const char *root;          /* "/", or the bound folder or subvolume */
    const char *point;         /* where it is mounted */
    const char *options;       /* of the mount: "rw,noatime" */
    const char *type;          /* "nfs4" */
    const char *source;        /* "nas:/volume1/bench", may be "" */
    const char *super_options; /* of the file system: "rw,vers=4.2,..." */
};

struct ng_mounts {
    const struct ng_mount *items; /* in the kernel's order */
    size_t count;
    size_t bad; /* lines that were not understood: one of them may be the one that matters */
};

/** A copy with \ooo decoded once, as the kernel escapes blanks, tabs, newlines, "#" and "\";
 * other sequences stay, and so does \000, which no path can hold. */
char *ng_mount_decode(struct ng_arena *arena, const char *text, size_t len);
/** Parses what is whole; counts what is not. */
void ng_mounts_parse(
    struct ng_mounts *mounts, struct ng_arena *arena, const char *text, size_t len);

/**
 * The mount that a path lies on: the longest mount point that is a prefix on component borders, and
 * of several with the same point the last. NULL if there is none.
 */
const struct ng_mount *ng_mounts_find(const struct ng_mounts *mounts, const char *path);
/** True if the path itself is a mount point. */
bool ng_mounts_is_point(const struct ng_mounts *mounts, const char *path);
/** A mount that lies over a folder above this one's point and so hides it, as the parents tell;
 * NULL: none, or the parents are not all listed. */
const struct ng_mount *ng_mounts_hidden_by(
    const struct ng_mounts *mounts, const struct ng_mount *mount);
/** How many mounts lie at exactly this mount's point: 2 and more is an over-mount. */
size_t ng_mounts_stacked(const struct ng_mounts *mounts, const struct ng_mount *mount);

/**
 * Looks an option up in the mount's and then in the file system's options. False when absent.
 * *value is a copy in the arena, "" for a flag. Commas inside double quotes do not separate.
 */
bool ng_mount_option(
    const struct ng_mount *mount, const char *name, struct ng_arena *arena, const char **value);
/** Of a bind mount: the bound folder was removed ("//deleted" at the end of its root). */
bool ng_mount_is_deleted(const struct ng_mount *mount);
/** Read-only by either set of options. */
bool ng_mount_read_only(const struct ng_mount *mount);
/** A file system whose data lie on another machine (nfs, cifs, sshfs ...). */
bool ng_mount_is_network(const struct ng_mount *mount);
/** A file system without a disk: tmpfs, proc, overlay and their like. */
bool ng_mount_is_virtual(const struct ng_mount *mount);
/** The options of the mount and of its file system, each once, with user names and passwords
 *  masked, for reports. */
const char *ng_mount_options_safe(const struct ng_mount *mount, struct ng_arena *arena);

#endif
