/**
 * nfsfs.h - /proc/fs/nfsfs: the servers that the NFS client talks to, and what it has of them.
 */
#ifndef NG_FACTS_NFSFS_H
#define NG_FACTS_NFSFS_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/arena.h"

enum { NG_NFSFS_MAX = 4096 };

struct ng_nfs_server {
    const char *version; /* "v4" */
    const char *address; /* dotted or with colons; the raw word where it is neither */
    const char *name;    /* as it was mounted */
};

/** A file system of a server, which several mounts may share with one set of options. */
struct ng_nfs_volume {
    const char *version, *address;
    unsigned major, minor; /* of its mounts in mountinfo */
    const char *fsid;
};

struct ng_nfsfs {
    struct ng_nfs_server *servers;
    size_t server_count, server_capacity;
    struct ng_nfs_volume *volumes;
    size_t volume_count, volume_capacity;
    size_t bad; /* lines that were not understood */
};

/** /proc/fs/nfsfs/servers. */
void ng_nfsfs_servers(struct ng_nfsfs *nfsfs, struct ng_arena *arena, const char *text, size_t len);
/** /proc/fs/nfsfs/volumes. */
void ng_nfsfs_volumes(struct ng_nfsfs *nfsfs, struct ng_arena *arena, const char *text, size_t len);

#endif
