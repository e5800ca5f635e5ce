/**
 * mdstat.h - Linux software RAID: /proc/mdstat in all its dialects, cross-checked with sysfs.
 *
 * The parser keeps what it reads; ng_md_judge turns it into two answers per array, busy and
 * degraded, by the rules of the platform. One array that is not understood does not hide the
 * others. A text that ends early proves nothing: an array is idle only where the end of its lines
 * was seen (or sysfs says so), and there are none only where the last line of the list was.
 */
#ifndef NG_FACTS_MDSTAT_H
#define NG_FACTS_MDSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"
#include "runner/facts/platform.h"

enum {
    NG_MD_ARRAYS_MAX = 1024,
    NG_MD_MEMBERS_MAX = 1024,
    NG_MD_WORKS_MAX = 4,
    NG_MD_UNRAID_DISKS_MAX = 128
};

struct ng_md_member {
    const char *name;
    int number; /* descriptor number, not the slot */
    bool faulty, spare, write_mostly, journal, replacement;
    bool disk_error; /* DSM's (E) */
    const char *odd; /* flags that nobody knows, or "" */
};

/** A progress or state line below an array. */
struct ng_md_work {
    const char *action;    /* "check", "resync", "recovery", "reshape", as printed */
    const char *waiting;   /* "DELAYED", "PENDING", "REMOTE", or NULL while it runs */
    double percent;        /* of a running one */
    int64_t done, total;   /* KiB of each device, not of the array; -1 when not printed */
    double finish_minutes; /* -1 when not printed */
    int64_t speed_kib;     /* KiB/s, -1 when not printed */
};

/** /sys/block/NAME/md/; NULL where the file is not there or could not be read. */
struct ng_md_sysfs {
    bool present;
    const char *array_state, *sync_action, *sync_completed, *degraded, *raid_disks, *level;
    const char *resync_start, *reshape_position, *last_sync_action, *mismatch_cnt;
};

struct ng_md_array {
    const char *name;
    bool listed;       /* in /proc/mdstat; else only in sysfs */
    const char *state; /* "active", "inactive", "broken" or what it said */
    bool read_only, auto_read_only;
    const char *personality; /* or NULL */
    const struct ng_md_member *members;
    size_t member_count;
    int64_t size_kib;     /* -1: not printed */
    const char *metadata; /* "1.2", "external:imsm", "non-persistent", or NULL (0.90) */
    int slots, in_sync;   /* [n/m]; -1: not printed */
    const char *map;      /* "UU_", or NULL */
    const char *bitmap;   /* the line, or NULL */
    struct ng_md_work works[NG_MD_WORKS_MAX];
    size_t work_count;
    bool closed; /* its lines in /proc/mdstat were seen to their end: a blank line, the bitmap, the
                    next array or the end of the list follows */
    const char *odd_line; /* a line that matters and was not understood, or NULL */
    struct ng_md_sysfs sysfs;
    /* by ng_md_judge; each as in struct ng_array */
    enum ng_answer busy, degraded;
    const char *action, *waiting;
    double percent;
    int64_t left_ns;
    const char *busy_why, *degraded_why, *warning;
    bool container; /* of external metadata: it never runs itself, its member arrays do */
    bool per_bay, every_disk;
};

/** Unraid's own driver. Numbers are -1 when not printed. */
struct ng_md_unraid {
    const char *state;  /* STARTED ... */
    const char *action; /* filled even when nothing runs */
    int64_t disks, disabled, invalid, missing, wrong;
    int64_t resync, resync_pos, resync_size, resync_db; /* KiB */
    int64_t resync_dt;                                  /* seconds that resync_db took */
    const char *last_start, *last_end, *last_errors;    /* of the last check, as printed; "" */
    const char *members; /* those that are not as they should: ", slot 3 DISK_DSBL"; "" */
    const char *devices[NG_MD_UNRAID_DISKS_MAX]; /* rdevName.N and diskName.N */
    size_t device_count;
    /* each as in struct ng_array, `doing` is its action */
    enum ng_answer busy, degraded;
    const char *doing, *waiting;
    double percent;
    int64_t left_ns;
    const char *busy_why, *degraded_why;
};

enum ng_md_kind {
    NG_MD_UNKNOWN, /* see reason */
    NG_MD_NONE,    /* no arrays, for certain; see reason */
    NG_MD_LINUX,
    NG_MD_UNRAID,
};

struct ng_md {
    enum ng_md_kind kind;
    const char *reason;
    struct ng_md_array *arrays;
    size_t count, capacity;
    size_t dropped; /* beyond NG_MD_ARRAYS_MAX */
    bool ended;     /* the line of unused devices was seen, which comes last */
    struct ng_md_unraid unraid;
};

/** Parses the text of /proc/mdstat. Sets kind to LINUX, UNRAID, or UNKNOWN for what is neither. */
void ng_mdstat_parse(struct ng_md *md, struct ng_arena *arena, const char *text, size_t len);
/** Adds sysfs values: lines `NAME/FILE<TAB>VALUE` as the collector prints them. */
void ng_md_sysfs_parse(struct ng_md *md, struct ng_arena *arena, const char *text, size_t len);
/** raid_disks in sysfs: "6", or "6 (5)" during a reshape, the new number and the old one. `before`
 * is the new one where there is no other. False for anything else, as for an empty text. */
bool ng_md_disks(const char *text, int64_t *now, int64_t *before);
/** Answers busy and degraded for every array, by the platform's rules. */
void ng_md_judge(struct ng_md *md, struct ng_arena *arena, enum ng_platform platform);
/** After it: no array is idle or whole for certain, for the reason `why`. */
void ng_md_doubt(struct ng_md *md, const char *why);

#endif
