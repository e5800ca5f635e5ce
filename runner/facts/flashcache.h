/**
 * flashcache.h - flashcache: Facebook's, and the one of DSM and QTS that was made of it.
 *
 * Sources: the text of its target in `dmsetup table`, which has several lines of `key(value)`; the
 * files below /proc/flashcache/NAME, of `key=value` (DSM) or `key: value` (QTS); the threshold
 * below /proc/sys/dev. NAME is "SSD+DISK" ("md4+lv"), on QTS that of a group ("CG0"). Formats:
 * flashcache_conf.c and flashcache_procfs.c as facebookarchive/flashcache and Synology publish
 * them. Keys are looked for by name, for lines and their order differ by mode and version.
 */
#ifndef NG_FACTS_FLASHCACHE_H
#define NG_FACTS_FLASHCACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"

enum { NG_FLASHCACHES_MAX = 256 };

/** One cache. Texts are clean; NULL and -1: not told. */
struct ng_flashcache {
    const char *name;       /* of its folder in /proc/flashcache; NULL: from a table */
    const char *mode;       /* "WRITE_BACK", "WRITE_THROUGH", "WRITE_AROUND", "DUMMY" */
    const char *ssd, *disk; /* "/dev/md4", "/dev/vg1/volume_1" */
    int64_t size, block;    /* bytes */
    int64_t dirty;          /* blocks */
    int64_t threshold;      /* bytes in a row from which on a stream bypasses it; 0: never */
    int64_t reads, read_hits;
    int64_t writes, write_hits;
    int64_t uncached_reads, uncached_writes; /* sequential ones that bypassed it */
    int64_t errors;                          /* of the disks below it, of memory */
    int64_t cache_all;                       /* 0: it takes nothing new */
    const char *progress;                    /* "not_flushing", "cacheable_flushing" ... */
    int64_t left;                            /* blocks still to be flushed */
};

struct ng_flashcaches {
    struct ng_flashcache *items;
    size_t count, capacity;
    const char *why; /* why not all of /proc/flashcache is known, or NULL */
};

/** Lines `NAME/FILE<TAB>LINE` of /proc/flashcache, and `NAME/sysctl/KEY<TAB>VALUE`. */
void ng_flashcaches_parse(
    struct ng_flashcaches *caches, struct ng_arena *arena, const char *text, size_t len);
/** The joined lines of a target's table ("conf: ssd dev (...), disk dev (...) cache mode(...)")
 * and of its status ("stats: reads(1), ..."), which may be NULL. */
void ng_flashcache_of_target(
    struct ng_flashcache *out, struct ng_arena *arena, const char *table, const char *status);
/** That one of /proc/flashcache which is between these two devices, by their names; NULL: none. */
const struct ng_flashcache *ng_flashcaches_find(
    const struct ng_flashcaches *caches, const char *ssd, const char *disk);
/** Takes from `more` what `cache` does not know yet. */
void ng_flashcache_complete(struct ng_flashcache *cache, const struct ng_flashcache *more);
/** Whether it writes out what it holds, by the order of somebody. */
enum ng_answer ng_flashcache_flushes(const struct ng_flashcache *cache);

#endif
