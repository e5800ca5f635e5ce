/**
 * zfs.h - the ZFS pools of a host, from all that tells of them; used by facts.c, and by whoever
 * wants the pool below a mount.
 */
#ifndef NG_FACTS_ZFS_H
#define NG_FACTS_ZFS_H

#include "runner/facts/facts.h"

/** Fills facts->zpools, zfs_absent and blocks.pools; after the mounts and the blocks. */
void ng_zfs_read(struct ng_facts *facts, struct ng_arena *arena);
/** Fills facts->arc out of arcstats. */
void ng_zfs_arc_read(struct ng_facts *facts);
/** The pool that a mount of type zfs lies on ("tank" of "tank/data"); NULL: not known, or no ZFS.
 */
const struct ng_zpool *ng_zfs_pool(const struct ng_facts *facts, const struct ng_mount *mount);

/** What of a pool stands between its data and its disks: names of devices as zpool prints them,
 * those that are not ONLINE with their state; NULL: it has none. */
struct ng_zfs_caches {
    const char *l2arc;           /* reads */
    const char *slog;            /* synchronous writes are acknowledged from it */
    const char *special, *dedup; /* metadata and small blocks lie there: no cache */
};
struct ng_zfs_caches ng_zfs_caches_of(const struct ng_zpool *pool, struct ng_arena *arena);

/** The properties of mounted datasets that change what is measured, as the collector asks them. */
#define NG_ZFS_PROPERTIES                                                                          \
    {                                                                                              \
        "recordsize", "compression", "sync", "logbias", "primarycache", "secondarycache", "atime", \
            "dedup"                                                                                \
    }
/** One of them, raw; NULL: not told. */
const char *ng_zfs_property(const struct ng_facts *facts, struct ng_arena *arena,
    const char *dataset, const char *property);

#endif
