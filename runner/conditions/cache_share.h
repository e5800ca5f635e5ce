/**
 * cache_share.h - a user share of Unraid: whether its new files lie on a pool until the mover takes
 * them to the array, which is a cache that holds back writes. Where they stay where they were
 * written, the caches of what lies below that pool or that array count.
 */
#ifndef NG_CONDITIONS_CACHE_SHARE_H
#define NG_CONDITIONS_CACHE_SHARE_H

#include "runner/conditions/outcome.h"
#include "runner/facts/facts.h"

struct ng_cache_share {
    bool found;        /* the path lies in a user share that is known */
    bool writes;       /* it has such a cache */
    const char *doubt; /* why there may be one, or NULL */
    /* What keeps its files, to be looked at as any other volume is: the mount of its pool, or those
     * of the array's disks, and the disks below them, whose driver does not show them in sysfs. */
    const struct ng_mount **mounts;
    size_t mount_count, mount_capacity;
    const char *const *devices;
    size_t device_count;
};

/** Records what is known of the share below a mount of shfs; all false for other mounts. `host` is
 * the plan's word. */
struct ng_cache_share ng_cache_share_look(struct ng_outcome *outcome, const char *host,
    const struct ng_facts *facts, const struct ng_mount *mount, const char *path);

#endif
