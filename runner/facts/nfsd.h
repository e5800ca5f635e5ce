/**
 * nfsd.h - the NFS server of the kernel: threads, versions, block size, and what it exports how.
 */
#ifndef NG_FACTS_NFSD_H
#define NG_FACTS_NFSD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"

enum { NG_EXPORTS_MAX = 16384 };

/** One path exported to one client. */
struct ng_export {
    const char *path;    /* decoded */
    const char *client;  /* "10.0.0.0/24", "*" */
    const char *options; /* "rw,sync,wdelay,..." */
    enum ng_answer sync; /* unknown where neither word is among them */
    bool root;           /* fsid=0: NFSv4 clients see paths below it */
};

struct ng_exports {
    struct ng_export *items;
    size_t count, capacity;
    size_t bad; /* lines that were not understood */
};

struct ng_nfsd {
    int64_t threads;        /* /proc/fs/nfsd/threads; -1: unknown */
    int64_t rpc_threads;    /* the line "th" of /proc/net/rpc/nfsd; -1: unknown */
    int64_t read, written;  /* bytes since start, the line "io"; -1: unknown */
    int64_t max_block_size; /* bytes; -1: unknown */
    const char *versions;   /* "-2 +3 +4 +4.1 +4.2", clean; NULL: unknown */
};

/** Lines `FILE<TAB>VALUE` of /proc/fs/nfsd. Sets what it finds. */
void ng_nfsd_files(struct ng_nfsd *nfsd, struct ng_arena *arena, const char *text, size_t len);
/** /proc/net/rpc/nfsd. */
void ng_nfsd_rpc(struct ng_nfsd *nfsd, const char *text, size_t len);
/** /var/lib/nfs/etab, or what `exportfs -v` prints, which breaks lines behind long paths. */
void ng_exports_parse(
    struct ng_exports *exports, struct ng_arena *arena, const char *text, size_t len);
/** The longest exported path that a path lies on or below; NULL: none. */
const char *ng_exports_of(const struct ng_exports *exports, const char *path);

#endif
