/**
 * cache_layer.h - what one block device of a stack caches; used by cache_state.c. Names prove
 * nothing: every DSM 7 volume is a "cachedev", every bcache0 may have no cache.
 */
#ifndef NG_CONDITIONS_CACHE_LAYER_H
#define NG_CONDITIONS_CACHE_LAYER_H

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

/**
 * Judges one device. *text says what was seen, for the report. A disk's own volatile write cache is
 * told there and is no cache layer.
 */
enum ng_cache ng_cache_of_block(const struct ng_facts *facts, const struct ng_block *block,
    struct ng_arena *arena, const char **text);
/** The word in brackets of bcache's cache_mode ("writethrough [writeback] ..."), or "". */
const char *ng_bcache_mode(const char *text, struct ng_arena *arena);
/** A target of the device mapper by its table and status. */
enum ng_cache ng_cache_of_target(const struct ng_dm_target *target);

#endif
