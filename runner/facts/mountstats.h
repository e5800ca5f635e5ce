/**
 * mountstats.h - /proc/self/mountstats: what the NFS client says of each of its mounts: all options
 * in force with defaults, bytes moved, and one line per connection.
 */
#ifndef NG_FACTS_MOUNTSTATS_H
#define NG_FACTS_MOUNTSTATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"

enum { NG_MOUNTSTATS_MAX = 4096 };

/** The members of the line `bytes:`, in its order. */
#define NG_NFS_BYTES(X)                                                                            \
    X(NG_NFS_NORMAL_READ, "read")                                                                  \
    X(NG_NFS_NORMAL_WRITE, "written")                                                              \
    X(NG_NFS_DIRECT_READ, "read with O_DIRECT")                                                    \
    X(NG_NFS_DIRECT_WRITE, "written with O_DIRECT")                                                \
    X(NG_NFS_SERVER_READ, "read from the server")                                                  \
    X(NG_NFS_SERVER_WRITE, "written to the server")

enum ng_nfs_bytes {
#define X(name, word) name,
    NG_NFS_BYTES(X)
#undef X
        NG_NFS_BYTES_COUNT
};

/** A mount with statistics (nfs, nfs4). Texts are decoded and raw. */
struct ng_mountstat {
    const char *source, *point, *type;
    const char *options;                /* "rw,vers=4.0,rsize=1048576,..."; NULL: not told */
    int64_t age;                        /* seconds since it was mounted; -1: not told */
    uint64_t bytes[NG_NFS_BYTES_COUNT]; /* since then */
    bool counted;                       /* `bytes` were told */
    size_t connections;                 /* lines `xprt:`; 0: not told */
    const char *protocol;               /* of the first: "tcp", "rdma", "local"; or NULL */
};

struct ng_mountstats {
    struct ng_mountstat *items;
    size_t count, capacity;
    size_t bad; /* lines of these mounts that were not understood */
};

/** Mounts without statistics are left out. */
void ng_mountstats_parse(
    struct ng_mountstats *stats, struct ng_arena *arena, const char *text, size_t len);
/** The last one on a mount point, which is the one in force; NULL: none. */
const struct ng_mountstat *ng_mountstats_find(const struct ng_mountstats *stats, const char *point);

#endif
