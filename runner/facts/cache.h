/**
 * cache.h - the caches of block layers: bcache, dm-cache, dm-writecache, flashcache, the journal of
 * a RAID, each in the same form, with everything that a report must record of them.
 *
 * Names prove nothing: every volume of DSM 7 is a "cachedev", every bcache0 may have no cache. A
 * mode that is not known is unknown, never none. A disk's own volatile write cache is told in
 * `seen` and is no cache layer.
 */
#ifndef NG_FACTS_CACHE_H
#define NG_FACTS_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "runner/facts/facts.h"

/** From weak to strong, so that the larger of two is what holds for both. */
enum ng_cache {
    NG_CACHE_NONE,
    NG_CACHE_READ,
    NG_CACHE_WRITE_THROUGH,
    NG_CACHE_WRITE_BACK,
    NG_CACHE_UNKNOWN
};
const char *ng_cache_word(enum ng_cache cache);

enum { NG_CACHE_MEMBERS_MAX = 64 };

/** What one block device caches. All texts are clean. */
struct ng_cache_layer {
    const char *device; /* as in block.h: "dm-0" */
    const char *label;  /* what people call it: "vg1/data", "cachedev_0"; else the same */
    const char *kind;   /* "bcache", "dm-cache", "dm-writecache", "flashcache", "raid journal";
                           NULL: a device that is none of these */
    enum ng_cache mode;
    const char *mode_text; /* as the source has it: "WRITE_BACK"; NULL: none */
    int64_t size;          /* bytes, -1: unknown, as all numbers */
    int64_t dirty;         /* bytes not yet on what it caches */
    int64_t bypass;        /* bytes in a row from which on a stream goes past it; 0: never */
    bool has_bypass;       /* of a kind that has such a threshold */
    const char **members; /* what it lies on, as in block.h where that is known; the cache's devices
                             first */
    size_t member_count, member_capacity;
    enum ng_answer flushing; /* writes out what it holds now, or is told to */
    double flushed;          /* how far, in percent; -1: not told */
    const char *flush_why;   /* "" */
    bool unseen; /* its state was not told, only how it is set up: it may be broken or at work */
    const char *counters; /* "reads 12, hits 3, ..." to be compared with those after; "" */
    const char *trouble;  /* what is wrong with it, or NULL */
    bool broken;          /* it does not work as it should for that reason */
    const char *seen;     /* all of it in one line, for people */
    const char *why;      /* why the mode is unknown; NULL when it is not */
    const char *remedy;   /* what would tell; NULL */
};

void ng_cache_of_block(const struct ng_facts *facts, const struct ng_block *block,
    struct ng_arena *arena, struct ng_cache_layer *out);

/* Shared by the files cache_*.c. */
void ng_cache_member(struct ng_cache_layer *layer, struct ng_arena *arena, const char *name);
void ng_cache_of_bcache(const struct ng_facts *facts, const struct ng_block *block,
    struct ng_arena *arena, struct ng_cache_layer *out);
void ng_cache_of_dm(const struct ng_facts *facts, const struct ng_block *block,
    struct ng_arena *arena, struct ng_cache_layer *out);
void ng_cache_of_flash(const struct ng_facts *facts, const struct ng_block *block,
    const struct ng_dm_target *target, struct ng_arena *arena, struct ng_cache_layer *out);

#endif
