/**
 * arrays.h - everything on a host that keeps data over disks and can be at work on its own (md
 * arrays, Unraid's array, btrfs, ZFS pools, LVM and device-mapper RAID), in one form.
 *
 * Preconditions judge this list alone, so that no kind of store is forgotten by one of them. A new
 * kind is one file that defines a `ng_arrays_source` and one row in arrays.c. What could not be
 * seen is a gap, never an empty list: nothing found is only an answer where all was looked at.
 */
#ifndef NG_FACTS_ARRAYS_H
#define NG_FACTS_ARRAYS_H

#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/base/guard.h"
#include "runner/facts/answer.h"

enum { NG_ARRAYS_MAX = 4096, NG_ARRAY_DEVICES_MAX = 1024 };

struct ng_array {
    const char *kind;  /* "md", "Unraid", "btrfs", "ZFS", "LVM", "dm" */
    const char *name;  /* "md2", "tank", "vg1/data", a UUID; clean */
    const char *level; /* "raid6", "raidz2"; NULL: unknown or none */

    enum ng_answer busy;
    const char *action;   /* what it is busy with, one word: "check", "resync", "scrub", "resilver",
                             "balance", "replace", "delayed" ...; NULL when it is not */
    double percent;       /* how far, 0 to 100; -1: not told */
    int64_t left_ns;      /* until its end as the host reckons it; -1: not told */
    const char *busy_why; /* "" when idle; else what was seen, in words: "is in recovery, 12.6 %" */

    enum ng_answer degraded;
    const char *degraded_why; /* "" when whole; else what was seen, in words */
    const char *warning;      /* worth telling though no fault of these, or NULL */
    const char *seen;         /* for the report: the raw values side by side, clean */
    const char *trace; /* counters that show what began and ended unseen (last_sync_action, end of
                          the last scan): differs after the run when something went on; "" */

    const char **devices; /* block devices as in block.h that it lies on; none: not known */
    size_t device_count, device_capacity;
};

/** A kind of store that may be there and could not be looked at. */
struct ng_array_gap {
    const char *kind;
    const char *why;  /* "the ZFS pools of this host are unknown: zpool is not installed" */
    const char *look; /* what to do by hand there: "zpool status" */
};

struct ng_arrays {
    struct ng_array *items;
    size_t count, capacity;
    struct ng_array_gap *gaps;
    size_t gap_count, gap_capacity;
};

struct ng_facts;
typedef void ng_arrays_source(struct ng_facts *facts, struct ng_arena *arena);

/** Appends an array with nothing known: busy and degraded unknown, texts "", numbers -1. Beyond
 * NG_ARRAYS_MAX the last one is given again and a gap says so. */
struct ng_array *ng_arrays_add(
    struct ng_facts *facts, struct ng_arena *arena, const char *kind, const char *name);
void ng_array_device(struct ng_array *array, struct ng_arena *arena, const char *block);
void ng_arrays_gap(struct ng_facts *facts, struct ng_arena *arena, const char *kind,
    const char *look, const char *format, ...) NG_PRINTF(5, 6);
/** Runs all sources; after every other part of the facts is read. */
void ng_arrays_read(struct ng_facts *facts, struct ng_arena *arena);

#endif
