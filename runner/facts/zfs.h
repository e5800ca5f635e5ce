/**
 * zfs.h - the ZFS pools of a host, from all that tells of them; used by facts.c, and by whoever
 * wants the pool below a mount.
 */
#ifndef NG_FACTS_ZFS_H
#define NG_FACTS_ZFS_H

#include "runner/facts/facts.h"

/** Fills facts->zpools, zfs_absent and blocks.pools; after the mounts and the blocks. */
void ng_zfs_read(struct ng_facts *facts, struct ng_arena *arena);
/** The pool that a mount of type zfs lies on ("tank" of "tank/data"); NULL: not known, or no ZFS.
 */
const struct ng_zpool *ng_zfs_pool(const struct ng_facts *facts, const struct ng_mount *mount);

#endif
