/**
 * dm.h - the device mapper: devices, names, and what each of its targets says of itself.
 *
 * Texts are those of `dmsetup table` and `dmsetup status`, behind the word of the target
 * (ng_dm_target in block.h). Formats: Documentation/admin-guide/device-mapper and drivers/md of
 * Linux 3.10 to 6.12; flashcache.h for the one target that prints several lines. Lists whose length
 * is told are read by that length, for fields were added behind and between.
 */
#ifndef NG_FACTS_DM_H
#define NG_FACTS_DM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/block.h"

enum { NG_DM_DEVICES_MAX = 256 }; /* of one target */

/** A name without its escapes: udev turns a blank into "\x20", and dmsetup turns it back. */
char *ng_dm_name(struct ng_arena *arena, const char *text, size_t len);
/** "vg0--x-lv_root" is volume "lv_root" of group "vg0-x": LVM doubles hyphens. False for what is
 * no such name, and for the layers below a volume ("vg-lv-real"). */
bool ng_dm_volume(
    struct ng_arena *arena, const char *dm_name, const char **group, const char **volume);
/** True for a device that LVM has made, by its uuid. NULL is none. */
bool ng_dm_is_lvm(const struct ng_block *block);
/** What people call a device: "vg1/data" for a volume of LVM, else its dm name; clean. */
const char *ng_dm_label(struct ng_arena *arena, const struct ng_block *block, const char *dm_name);
/** The device of that dm name, or NULL. */
const struct ng_block *ng_dm_block(const struct ng_blocks *blocks, const char *dm_name);
/** What a table calls "253:4" or "/dev/md4", as a name of block.h; else the word itself, clean. */
const char *ng_dm_device(
    const struct ng_blocks *blocks, struct ng_arena *arena, const char *word, size_t len);

/** Targets that keep copies or parity: raid, mirror, striped. */
struct ng_dm_sync {
    const char *level;   /* "raid5_ls", "mirror", "striped" */
    int64_t devices;     /* that it is made of */
    const char *health;  /* a letter each. raid: A in sync, a alive, D dead, - missing; mirror: A
                            alive, F flush, D write, S sync, R read failed */
    int64_t done, total; /* how much is in sync; -1: not told */
    const char *action;  /* raid 1.5 and later: "idle", "check" ...; NULL: not told */
    int64_t mismatches;  /* -1: not told */
    char journal;    /* raid 1.10 and later: A write-through, a write-back, D dead, - none; '\0':
                        not told */
    const char *log; /* mirror: letters of its log's devices; "" for one in memory */
};
/** False when the status is missing or cannot be all right. */
bool ng_dm_sync_parse(
    const struct ng_dm_target *target, struct ng_arena *arena, struct ng_dm_sync *out);

/** dm-cache. */
struct ng_dm_cache {
    const char *mode;    /* "writeback", "writethrough", "passthrough" */
    const char *policy;  /* "smq", "cleaner"; NULL: not told */
    int64_t block;       /* bytes of one of its blocks; -1 unknown, as all numbers here */
    int64_t used, total; /* blocks */
    int64_t dirty;       /* blocks */
    int64_t hits, misses;
    bool failed;    /* "Fail" or "Error" stand in the place of all */
    bool read_only; /* its metadata */
    bool needs_check;
    bool stated; /* its status was understood to its end: it is not broken but for these */
    const char *members[3]; /* metadata, cache, origin, as in block.h; NULL: no table */
};
/** From the status, and the table for what it lacks. False when neither is understood. */
bool ng_dm_cache_parse(const struct ng_blocks *blocks, const struct ng_dm_target *target,
    struct ng_arena *arena, struct ng_dm_cache *out);

/** dm-writecache. */
struct ng_dm_writecache {
    int64_t error;                 /* 0: none */
    int64_t blocks, free, writing; /* numbers of blocks; writing: being written back now */
    int64_t block;                 /* bytes of one; -1: no table */
    bool memory;                   /* on persistent memory, not on a disk */
    bool cleaner;                  /* takes no more, only empties itself */
    const char *members[2];        /* origin, cache */
};
/** Numbers are -1 where there is no status; false when neither text is understood. */
bool ng_dm_writecache_parse(const struct ng_blocks *blocks, const struct ng_dm_target *target,
    struct ng_arena *arena, struct ng_dm_writecache *out);

/** What a target is at work with by itself, or is broken by: thin-pool, thin, snapshot,
 * snapshot-merge, clone, integrity, vdo. */
struct ng_dm_state {
    enum ng_answer busy, broken;
    const char *action; /* "merge", "copy", "recalculation", "recovery"; NULL */
    double percent;     /* -1: not told */
    const char *why;    /* what was seen of both, in words; "" */
};
/** False for other targets. */
bool ng_dm_state_parse(
    const struct ng_dm_target *target, struct ng_arena *arena, struct ng_dm_state *out);

#endif
