/**
 * cache_pool.h - what a ZFS pool caches, for cache_state: an L2ARC is a read cache; a SLOG is a
 * write-back cache of synchronous writes, which are acknowledged from it; a special device holds
 * metadata and is no cache.
 */
#ifndef NG_CONDITIONS_CACHE_POOL_H
#define NG_CONDITIONS_CACHE_POOL_H

#include "runner/conditions/outcome.h"
#include "runner/facts/zfs.h"

struct ng_cache_pool {
    bool reads, writes; /* there is such a cache */
    const char *doubt;  /* why there may be more, or NULL */
};

/** Records what the pool below a mount has (that of a volume of ZFS in the stack as well); all
 * false where there is none. `host` is the plan's word. */
struct ng_cache_pool ng_cache_pool_look(struct ng_outcome *outcome, const char *host,
    const struct ng_facts *facts, const struct ng_mount *mount, const struct ng_stack *stack);

#endif
