/**
 * arrays.h - everything on a host that keeps data over disks and can be at work on its own (md
 * arrays, Unraid's array, btrfs, ZFS pools, LVM and device-mapper RAID), in one form.
 *
 * Preconditions judge this list alone, so that no kind of store is forgotten by one of them. A new
 * kind is one file that defines an `ng_arrays_source`, declared in arrays_sources.h, and one row in
 * arrays.c. What could not be seen is a gap, never an empty list: nothing found is only an answer
 * where all was looked at, and then a source says so (ng_arrays_none).
 */
#ifndef NG_FACTS_ARRAYS_H
#define NG_FACTS_ARRAYS_H

#include <stdbool.h>
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
    const char *block; /* the block device that it is itself, as in block.h: "md2", "dm-3"; NULL:
                          none (ZFS, btrfs) */

    enum ng_answer busy;
    const char *action;   /* what it is at work with, a word of activity.h; NULL: nothing, or
                             something that has no word (then nothing allows it) */
    const char *waiting;  /* "delayed", "pending", "remote" or "paused": it does not run now, and
                             will by itself or by a write; NULL: it runs, or is idle */
    double percent;       /* how far, 0 to 100; -1: not told */
    int64_t left_ns;      /* until its end as the host reckons it; -1: not told */
    const char *busy_why; /* what was seen, behind the name: yes: "is in check, 41.0%, 3 h left";
                             unknown: the reason, "sync_action could not be read"; no: "" */

    enum ng_answer degraded;
    const char *degraded_why; /* yes: what was seen and which members are missing, "[4/3] [UU_U],
                                 sdc3 is faulty"; unknown: the reason; no: "" */
    const char *warning;      /* worth telling though no fault of these, or NULL */
    int slots;       /* members that it is made for, hot spares not counted; -1: not told */
    int in_sync;     /* members that are there and in sync; -1: not told */
    bool per_bay;    /* a NAS's own system array with more slots than it has disks, as a rule one
                        for each bay: those that are empty are no fault */
    bool every_disk; /* one of these that has a part on every disk of the unit: in_sync tells how
                        many there are */

    const char *seen;  /* for the report: the raw values side by side, clean */
    const char *trace; /* counters that show what began and ended unseen (last_sync_action, end of
                          the last scan): differs after the run when something went on; "" */

    const char **devices; /* block devices as in block.h that it lies on; none: not known */
    size_t device_count, device_capacity;
    bool devices_cut; /* there were too many: none is kept */
};

/** A kind of store that may be there and could not be looked at. */
struct ng_array_gap {
    const char *kind;
    const char *why;  /* after "on nas, ": "the ZFS pools are unknown: zpool is not installed" */
    const char *look; /* what to do by hand there: "zpool status"; "" */
};

/** A kind of store of which there is none for certain. */
struct ng_array_none {
    const char *kind;
    const char *why; /* "/proc/mdstat lists no array" */
};

struct ng_arrays {
    struct ng_array *items;
    size_t count, capacity;
    struct ng_array_gap *gaps;
    size_t gap_count, gap_capacity;
    struct ng_array_none *nones;
    size_t none_count, none_capacity;
};

struct ng_facts;
/** Adds what it finds, and a gap or a none for each kind that it finds nothing of. */
typedef void ng_arrays_source(struct ng_facts *facts, struct ng_arena *arena);

/** Appends an array with nothing known: busy and degraded unknown, texts "", numbers -1. Valid
 * until the next is added. Beyond NG_ARRAYS_MAX the last one is given again and a gap says so. */
struct ng_array *ng_arrays_add(
    struct ng_facts *facts, struct ng_arena *arena, const char *kind, const char *name);
/** A device that it lies on; beyond NG_ARRAY_DEVICES_MAX they are left out, so that the array may
 * share more disks than is known: none of them is kept then. */
void ng_array_device(struct ng_array *array, struct ng_arena *arena, const char *block);
void ng_arrays_gap(struct ng_facts *facts, struct ng_arena *arena, const char *kind,
    const char *look, const char *format, ...) NG_PRINTF(5, 6);
void ng_arrays_none(struct ng_facts *facts, struct ng_arena *arena, const char *kind,
    const char *format, ...) NG_PRINTF(4, 5);
/** Runs all sources; after every other part of the facts is read. */
void ng_arrays_read(struct ng_facts *facts, struct ng_arena *arena);

/** ", 41.0%, 3 h left", ", less than a minute left": how far and how long, each left out where it
 * is -1. */
const char *ng_array_progress(struct ng_arena *arena, double percent, int64_t left_ns);

#endif
