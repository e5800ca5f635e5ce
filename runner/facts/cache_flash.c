/* flashcache as a cache layer: by the table of its target, completed from /proc. */
#include <inttypes.h>
#include <string.h>

#include "runner/facts/cache.h"
#include "runner/facts/dm.h"

static enum ng_cache mode_of(const char *word) {
    static const struct {
        const char *word;
        enum ng_cache mode;
    } modes[] = {{"DUMMY", NG_CACHE_NONE}, {"WRITE_AROUND", NG_CACHE_READ},
        {"WRITE_THROUGH", NG_CACHE_WRITE_THROUGH}, {"WRITE_BACK", NG_CACHE_WRITE_BACK}};
    for (size_t i = 0; i < NG_COUNT(modes) && word != NULL; i++) {
        if (strcmp(word, modes[i].word) == 0) {
            return modes[i].mode;
        }
    }
    return NG_CACHE_UNKNOWN;
}

/* Without its target: by what lies below, which /proc names as a disk. */
static const struct ng_flashcache *by_slaves(
    const struct ng_facts *facts, const struct ng_block *block) {
    for (size_t i = 0; i < facts->flashcaches.count; i++) {
        const struct ng_flashcache *cache = &facts->flashcaches.items[i];
        const struct ng_block *disk =
            cache->disk == NULL ? NULL : ng_blocks_of_path(&facts->blocks, cache->disk);
        for (size_t j = 0; j < block->slave_count && disk != NULL; j++) {
            if (strcmp(block->slaves[j], disk->name) == 0) {
                return cache;
            }
        }
    }
    return NULL;
}

static void gather(const struct ng_facts *facts, const struct ng_block *block,
    const struct ng_dm_target *target, struct ng_arena *arena, struct ng_flashcache *cache) {
    ng_flashcache_of_target(
        cache, arena, target == NULL ? "" : target->table, target == NULL ? NULL : target->status);
    const struct ng_flashcache *more =
        cache->disk != NULL ? ng_flashcaches_find(&facts->flashcaches, cache->ssd, cache->disk)
                            : NULL;
    more = more != NULL ? more : by_slaves(facts, block);
    if (more != NULL) {
        ng_flashcache_complete(cache, more);
    }
}

static void add_device(const struct ng_facts *facts, struct ng_arena *arena, const char *path,
    struct ng_cache_layer *out) {
    const struct ng_block *block = path == NULL ? NULL : ng_blocks_of_path(&facts->blocks, path);
    if (block != NULL) {
        ng_cache_member(out, arena, block->name);
    } else if (path != NULL && path[0] != '\0' && strcmp(path, "none") != 0) {
        ng_cache_member(out, arena, path);
    }
}

static void add_flush(const struct ng_flashcaches *caches, const struct ng_flashcache *cache,
    struct ng_arena *arena, struct ng_cache_layer *out) {
    out->flushing = ng_flashcache_flushes(cache);
    if (cache->progress == NULL && caches->why != NULL) {
        out->flushing = NG_ANSWER_UNKNOWN;
        out->flush_why = caches->why;
    } else if (cache->progress == NULL) {
        out->flushing = NG_ANSWER_NO; /* older drivers have no such order */
    } else if (out->flushing == NG_ANSWER_YES) {
        out->flush_why = ng_arena_printf(
            arena, "is flushed (%s), %" PRId64 " blocks left", cache->progress, cache->left);
    } else if (out->flushing == NG_ANSWER_UNKNOWN) {
        out->flush_why =
            ng_arena_printf(arena, "its progress \"%s\" is not known", cache->progress);
    }
}

static void add_numbers(
    const struct ng_flashcache *cache, struct ng_arena *arena, struct ng_cache_layer *out) {
    out->size = cache->size;
    out->bypass = cache->threshold;
    if (cache->dirty >= 0 && cache->block > 0 && cache->dirty <= INT64_MAX / cache->block) {
        out->dirty = cache->dirty * cache->block;
    } else if (out->mode == NG_CACHE_READ || out->mode == NG_CACHE_WRITE_THROUGH) {
        out->dirty = 0; /* these hold nothing that is not on the disk, and print no count */
    }
    if (cache->errors > 0) {
        out->trouble = ng_arena_printf(arena, "%" PRId64 " errors counted", cache->errors);
    }
    if (cache->cache_all == 0) {
        out->trouble = "cache_all is 0: it takes nothing new";
    }
    if (cache->reads >= 0) {
        out->counters = ng_arena_printf(arena,
            "reads %" PRId64 ", hits %" PRId64 "; writes %" PRId64 ", hits %" PRId64
            "; uncached sequential reads %" PRId64 ", writes %" PRId64,
            cache->reads, cache->read_hits, cache->writes, cache->write_hits, cache->uncached_reads,
            cache->uncached_writes);
    }
}

void ng_cache_of_flash(const struct ng_facts *facts, const struct ng_block *block,
    const struct ng_dm_target *target, struct ng_arena *arena, struct ng_cache_layer *out) {
    struct ng_flashcache cache;
    gather(facts, block, target, arena, &cache);
    if (target == NULL && cache.mode == NULL) {
        return; /* nothing says that it is one */
    }
    out->kind = "flashcache";
    out->mode = mode_of(cache.mode);
    out->mode_text = cache.mode;
    if (cache.mode == NULL) {
        out->why = "its table names no cache mode";
    }
    if (out->mode == NG_CACHE_NONE) {
        out->size = out->dirty = 0; /* DUMMY only passes through, whatever else it prints */
        add_device(facts, arena, cache.disk, out);
        return;
    }
    out->has_bypass = true;
    add_device(facts, arena, cache.ssd, out);
    add_device(facts, arena, cache.disk, out);
    add_numbers(&cache, arena, out);
    add_flush(&facts->flashcaches, &cache, arena, out);
}
