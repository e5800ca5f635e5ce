/**
 * page_cache.h - the precondition `page_cache`: the kernel's page cache of named hosts is dropped
 * before phases, so that they read from disks. It holds where that can be done; the executor does
 * it (page_drop.h in its folder) by the script of this file, and records what came of it. Nothing
 * else on the host is changed: dirty pages are written first (sync).
 */
#ifndef NG_CONDITIONS_PAGE_CACHE_H
#define NG_CONDITIONS_PAGE_CACHE_H

#include "runner/conditions/condition.h"

enum ng_page_drop { NG_PAGE_BEFORE_PHASE, NG_PAGE_BEFORE_REPEAT };

struct ng_page_cache_params {
    struct ng_texts hosts;
    int drop;               /* enum ng_page_drop */
    struct ng_texts phases; /* none: all that work on a volume */
};

extern const struct ng_condition ng_condition_page_cache;

/** For `sh -c`. Prints "before KIB", "dropped", "after KIB". */
extern const char ng_page_cache_script[];

/** Whether it is dropped before a repeat of a phase (the first one has the number 1). */
bool ng_page_cache_applies(
    const struct ng_page_cache_params *params, const struct ng_phase *phase, int repeat);

/** What the script said. Sizes in bytes, -1: not told. */
struct ng_page_dropped {
    bool dropped;
    int64_t before, after;
};
struct ng_page_dropped ng_page_cache_read(const char *text, size_t len);

#endif
