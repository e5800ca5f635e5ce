/**
 * unraid.h - what Unraid has decided of its user shares: /var/local/emhttp/shares.ini. A path below
 * /mnt/user is a FUSE layer (shfs) over the disks of the array and the pools, and does not tell.
 */
#ifndef NG_FACTS_UNRAID_H
#define NG_FACTS_UNRAID_H

#include <stddef.h>

#include "runner/base/arena.h"

enum { NG_UNRAID_SHARES_MAX = 1024 };

/** useCache: whether new files go to a pool, and whether the mover takes them away from it. */
enum ng_unraid_use {
    NG_UNRAID_USE_UNKNOWN,
    NG_UNRAID_USE_NO,     /* to the array */
    NG_UNRAID_USE_YES,    /* to the pool; the mover takes them to the array */
    NG_UNRAID_USE_PREFER, /* to the pool while it has room; the mover brings back the others */
    NG_UNRAID_USE_ONLY,   /* to the pool */
};

struct ng_unraid_share {
    const char *name;
    enum ng_unraid_use use;
    const char *pool; /* cachePool; "" where none is told */
};

struct ng_unraid_shares {
    struct ng_unraid_share *items;
    size_t count, capacity;
};

/** Sections `["NAME"]` of lines `key="value"`. */
void ng_unraid_shares_parse(
    struct ng_unraid_shares *shares, struct ng_arena *arena, const char *text, size_t len);
/** The share that a path below the point of a mount of shfs lies in; NULL: none is known. */
const struct ng_unraid_share *ng_unraid_share_of(
    const struct ng_unraid_shares *shares, const char *point, const char *path);

#endif
