/**
 * bcache.h - bcache: what /sys/block/DEVICE/bcache and /sys/fs/bcache/UUID say.
 *
 * Formats: Documentation/admin-guide/bcache.rst and drivers/md/bcache/sysfs.c, Linux 3.10 to 6.12.
 * Sizes are in powers of 1024 with a letter ("20.4G", "427.5k"). A bcacheN may have no cache.
 */
#ifndef NG_FACTS_BCACHE_H
#define NG_FACTS_BCACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/scan.h"

enum { NG_BCACHE_SETS_MAX = 64, NG_BCACHE_MEMBERS_MAX = 64 };

/** What the folder "bcache" of a backing device says, under the name of either. NULL, -1: not told.
 */
struct ng_bcache_device {
    const char *device;  /* "bcache0", "sdb", or "UUID/bdev0" */
    const char *mode;    /* "writeback", "writethrough", "writearound", "none" */
    const char *modes;   /* the line with the active one in brackets */
    const char *state;   /* "no cache", "clean", "dirty", "inconsistent" */
    int64_t dirty;       /* bytes, by dirty_data */
    int64_t debug_dirty; /* bytes, by writeback_rate_debug, which is older at times */
    int64_t cutoff;      /* bytes in a row from which on a stream bypasses it; 0: never */
    int64_t running;     /* writeback_running: 1 or 0 */
    int64_t percent;     /* writeback_percent: how much of the cache may stay dirty */
    int64_t hits, misses, bypassed; /* stats_total; bypassed in bytes */
};

struct ng_bcache_member {
    const char *name;   /* "cache0", "bdev1" */
    const char *device; /* as in block.h; NULL: not told */
    int64_t io_errors;  /* -1: not told */
};

struct ng_bcache_set {
    const char *uuid;
    int64_t read_threshold_us, write_threshold_us; /* congested: slower, and the cache is bypassed;
                                                      0: never; -1: not told */
    struct ng_bcache_member *members;
    size_t count, capacity;
};

struct ng_bcache {
    struct ng_bcache_device *devices;
    size_t count, capacity;
    struct ng_bcache_set *sets;
    size_t set_count, set_capacity;
    const char *cut; /* which list was longer than what is kept, or NULL */
};

/** Lines `block/DEVICE/bcache/FILE<TAB>LINE` and `bcache/UUID/...<TAB>LINE`; others are ignored. */
void ng_bcache_parse(
    struct ng_bcache *bcache, struct ng_arena *arena, const char *text, size_t len);
const struct ng_bcache_device *ng_bcache_find(const struct ng_bcache *bcache, const char *device);
/** The set that a device, backing or cache, is a member of; NULL: not known. */
const struct ng_bcache_set *ng_bcache_set_of(const struct ng_bcache *bcache, const char *device);
/** Bytes that are dirty, or -1 with *why: not told, or told in two ways that do not fit. */
int64_t ng_bcache_dirty(
    const struct ng_bcache_device *device, struct ng_arena *arena, const char **why);
/** "20.4G", "512", "4.0M" in bytes; false for anything else. */
bool ng_bcache_size(struct ng_span text, int64_t *out);

#endif
