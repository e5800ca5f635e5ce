/**
 * cache_find.h - what caches do to the phases of a plan that measure a volume; used by
 * cache_state.c. Each finding is a warning with the numbers and changes no verdict.
 */
#ifndef NG_CONDITIONS_CACHE_FIND_H
#define NG_CONDITIONS_CACHE_FIND_H

#include "runner/conditions/outcome.h"
#include "runner/facts/cache.h"

/** Phases that go past a cache: by their block size, or because they are sequential and longer than
 * what it takes in a row. `where` is "nas:dm-0". */
void ng_cache_find_bypass(struct ng_outcome *outcome, const struct ng_volume *volume,
    const char *where, const struct ng_cache_layer *layer);
/** Phases whose working set fits into the memory of a host. On the client those that use direct I/O
 * are left out: it goes past the page cache there, and there alone. */
void ng_cache_find_memory(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct ng_host *host, bool client);

#endif
