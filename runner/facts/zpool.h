/**
 * zpool.h - ZFS pools as `zpool status` prints them: OpenZFS 0.6 to 2.4, FreeBSD, the wording of
 * Solaris (" scrub:" for "scan:"), and the JSON of 2.3 and later; which one is seen by the text.
 *
 * The words are those of cmd/zpool/zpool_main.c. Lines that are not known are kept as such: what
 * they may mean is unknown, never idle.
 */
#ifndef NG_FACTS_ZPOOL_H
#define NG_FACTS_ZPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/scan.h"

enum {
    NG_ZPOOLS_MAX = 256,
    NG_ZPOOL_VDEVS_MAX = 8192, /* of one pool */
    NG_ZPOOL_WORKS_MAX = 64,
    NG_ZPOOL_TEXT_MAX = 4 << 20, /* bytes of what zpool printed */
};

/** What a device is there for. A cache device is an L2ARC, a log device a SLOG. */
enum ng_zpool_class {
    NG_ZPOOL_DATA,
    NG_ZPOOL_LOG,
    NG_ZPOOL_CACHE,
    NG_ZPOOL_SPARE,
    NG_ZPOOL_SPECIAL,
    NG_ZPOOL_DEDUP
};
const char *ng_zpool_class_word(enum ng_zpool_class class);

/** One line of the table: the pool itself, a group, or a device. All texts are clean. */
struct ng_zpool_vdev {
    const char *name;  /* "tank", "mirror-0", "/dev/sda1" */
    const char *state; /* "ONLINE" ...; JSON's HEALTHY is ONLINE here, CANT_OPEN is UNAVAIL */
    const char *note;  /* what follows the counters: "cannot open", "(resilvering)"; "" */
    enum ng_zpool_class class;
    bool group; /* the pool, a mirror, a raidz: no device */
    bool top;   /* directly below the pool */
    bool erred; /* a counter of errors is not zero */
};

/** Something that goes on in a pool or is held back. */
struct ng_zpool_work {
    const char *action; /* "scrub", "resilver", "remove", "expand", "discard", "initialize", "trim",
                           "free" */
    bool paused;
    double percent;   /* -1: not told */
    int64_t left_ns;  /* -1: not told */
    const char *text; /* what was printed, one line */
};

struct ng_zpool {
    const char *name;
    const char *state;   /* "ONLINE", "DEGRADED", "SUSPENDED" ...; NULL: not seen */
    const char *status;  /* the sentences behind "status:", or NULL */
    const char *errors;  /* what is said of data errors, NULL: not seen (the text was cut off) */
    const char *last;    /* how the last scans, removals and expansions ended, or since when they
                            run; "" */
    const char *odd;     /* the first line that is not understood, or NULL */
    const char *warning; /* a scan skipped blocks, a checkpoint holds space ...; or NULL */
    bool scans_known;    /* all that tells of scans was seen: the text to its end, the JSON's
                            scan_stats */
    struct ng_zpool_work *works;
    size_t work_count, work_capacity;
    struct ng_zpool_vdev *vdevs;
    size_t vdev_count, vdev_capacity;
    bool by_status; /* the text of zpool status names it, and ends with `errors` */
    bool cut;       /* there are more devices or works than are kept */
    int share;      /* percent in use; -1: not told */
};

struct ng_zpools {
    struct ng_zpool *items;
    size_t count, capacity;
    bool none;       /* it was said that there is no pool */
    bool partial;    /* there may be more than those, for the reason `why` */
    const char *why; /* why not all is known, or NULL */
};

/** ZFS's cache in memory; bytes, -1: unknown. */
struct ng_zfs_arc {
    int64_t size;    /* now */
    int64_t most;    /* it may grow to */
    int64_t l2_size; /* in all L2ARC devices */
};

/** What `zpool status` printed, text or JSON; adds to `pools`. Nothing that is understood is a
 * reason in `why`. */
void ng_zpools_parse(struct ng_zpools *pools, struct ng_arena *arena, const char *text, size_t len);
/** `zpool list -H -o name,health,cap,freeing`. A pool that status did not name is added, with
 * nothing known but its health. */
void ng_zpools_parse_list(
    struct ng_zpools *pools, struct ng_arena *arena, const char *text, size_t len);
struct ng_zpool *ng_zpools_find(const struct ng_zpools *pools, struct ng_span name);
/** A pool with nothing known; NULL beyond the bound, and `why` says so. */
struct ng_zpool *ng_zpools_add(
    struct ng_zpools *pools, struct ng_arena *arena, struct ng_span name);
/** The device's name as in block.h ("sda1" for "/dev/sda1"), or NULL where it is none: a link of
 * /dev/disk, a file, a name without a path. */
const char *ng_zpool_block(const struct ng_zpool_vdev *vdev);

struct ng_array;
/** Judges a pool: level, busy, degraded, warning, seen, trace (arrays.h). Pure. */
void ng_zpool_judge(const struct ng_zpool *pool, struct ng_arena *arena, struct ng_array *array);

#endif
