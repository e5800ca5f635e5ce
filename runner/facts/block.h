/**
 * block.h - block devices, how they stack, and what each layer caches.
 */
#ifndef NG_FACTS_BLOCK_H
#define NG_FACTS_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"
#include "runner/facts/mountinfo.h"

enum {
    NG_BLOCKS_MAX = 16384,
    NG_SLAVES_MAX = 1024,
    NG_STACK_MAX = 256,
    NG_BTRFS_MAX = 1024,
    NG_TARGET_TEXT_MAX = 65536, /* bytes of one target's table or status */
};

/** A disk, partition or virtual device. NULL texts: the file is not there or could not be read. */
struct ng_block {
    const char *name; /* "sda1", as in /sys/block with "!" for "/" */
    const char *disk; /* of a partition: the disk it lies on; else NULL */
    unsigned major, minor;
    bool numbered; /* major and minor are known */
    int64_t size;  /* bytes, -1: unknown */
    enum ng_answer rotational;
    const char *write_cache, *scheduler;
    const char *vendor, *model;    /* of a disk, as it calls itself */
    const char *dm_name, *dm_uuid; /* the name without escapes (dm.h) */
    const char *md_level;          /* an md array */
    const char *md_journal; /* its journal_mode, the active one in brackets; NULL: no journal */
    const char *loop_file;  /* backing file of a loop device */
    const char **slaves;    /* the layer below */
    size_t slave_count, slave_capacity;
    const char *slaves_now; /* of a sample: the names there now, by blanks; NULL: not sampled */
};

/** One target of a device-mapper device: `dmsetup table` and `status`, continuation lines joined.
 */
struct ng_dm_target {
    const char *device; /* dm name, without escapes */
    const char *target; /* "linear", "cache", "flashcache-syno" */
    const char *table;  /* what follows the word */
    const char *status; /* the same of `dmsetup status`, or NULL */
};

struct ng_btrfs_device {
    const char *uuid;
    const char *block;
};
/** A device of a ZFS pool (zfs.h), spares left out. */
struct ng_pool_device {
    const char *pool;
    const char *name;  /* as zpool prints it */
    const char *block; /* NULL: it is none that is known here */
};
/** What a mounted btrfs is at. */
struct ng_btrfs_work {
    const char *uuid;
    const char *operation; /* exclusive_operation: "none", "balance" ...; NULL: not known */
    enum ng_answer scrub;  /* which is no exclusive operation (scrub.h) */
    const char *scrub_why; /* what tells of it; "" */
    const char *data;      /* the profile of its data: "raid1"; "raid1+single" during a conversion;
                              NULL: not known */
    const char *metadata;  /* the same of its metadata */
    int missing;           /* devices that are missing, by devinfo; -1: not told */
};

struct ng_blocks {
    struct ng_block *items;
    size_t count, capacity;
    struct ng_dm_target *targets;
    size_t target_count, target_capacity;
    const char *targets_why; /* why the targets are unknown, or NULL */
    struct ng_btrfs_device *btrfs;
    size_t btrfs_count, btrfs_capacity;
    struct ng_btrfs_work *works;
    size_t work_count, work_capacity;
    struct ng_pool_device *pools;
    size_t pool_count, pool_capacity;
    const char *why; /* why no block device is known, or NULL */
    const char *cut; /* which list was longer than what is kept, or NULL: then some are missing */
};

/** Lines `PATH<TAB>VALUE` below /sys, as the collector prints them. */
void ng_blocks_parse(
    struct ng_blocks *blocks, struct ng_arena *arena, const char *text, size_t len);
/** `dmsetup table` (status false) or `dmsetup status` (true). */
void ng_dm_parse(
    struct ng_blocks *blocks, struct ng_arena *arena, const char *text, size_t len, bool status);
const struct ng_block *ng_blocks_find(const struct ng_blocks *blocks, const char *name);
/** The device of that number, or NULL. */
const struct ng_block *ng_blocks_numbered(
    const struct ng_blocks *blocks, unsigned major, unsigned minor);
/** The device behind "/dev/md4", "/dev/mapper/NAME" or "/dev/GROUP/VOLUME", by its name; NULL if
 * not known. */
const struct ng_block *ng_blocks_of_path(const struct ng_blocks *blocks, const char *path);
/** The device that a mount lies on: by number, else, where the mount has none (btrfs) or the
 * device's was not read, by the name of its source; NULL if not known. */
const struct ng_block *ng_blocks_of_mount(
    const struct ng_blocks *blocks, const struct ng_mount *mount);

/** What lies under a mount, from the top down, each device once. */
struct ng_stack {
    const struct ng_block *items[NG_STACK_MAX];
    size_t count;
    const char *gap; /* where the chain could not be followed, or NULL */
};
void ng_blocks_stack(const struct ng_blocks *blocks, const struct ng_mounts *mounts,
    const struct ng_mount *mount, struct ng_arena *arena, struct ng_stack *stack);
/** The same from a block device down. */
void ng_blocks_stack_named(const struct ng_blocks *blocks, const struct ng_mounts *mounts,
    const char *name, struct ng_arena *arena, struct ng_stack *stack);

#endif
