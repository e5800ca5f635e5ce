/* bcache as a cache layer. */
#include <inttypes.h>
#include <string.h>

#include "runner/base/units.h"
#include "runner/facts/cache.h"

static enum ng_cache mode_of(const struct ng_bcache_device *device) {
    static const struct {
        const char *word;
        enum ng_cache mode;
    } modes[] = {{"none", NG_CACHE_NONE}, {"writearound", NG_CACHE_READ},
        {"writethrough", NG_CACHE_WRITE_THROUGH}, {"writeback", NG_CACHE_WRITE_BACK}};
    if (device->state != NULL && strcmp(device->state, "no cache") == 0) {
        return NG_CACHE_NONE;
    }
    for (size_t i = 0; i < NG_COUNT(modes) && device->mode != NULL; i++) {
        if (strcmp(device->mode, modes[i].word) == 0) {
            return modes[i].mode;
        }
    }
    return NG_CACHE_UNKNOWN;
}

static const struct ng_bcache_set *set_of(
    const struct ng_facts *facts, const struct ng_block *block) {
    for (size_t i = 0; i < block->slave_count; i++) {
        const struct ng_bcache_set *set = ng_bcache_set_of(&facts->bcache, block->slaves[i]);
        if (set != NULL) {
            return set;
        }
    }
    return NULL;
}

/* The cache's devices first, with their size; then what is cached. */
static void add_members(const struct ng_facts *facts, const struct ng_block *block,
    const struct ng_bcache_set *set, struct ng_arena *arena, struct ng_cache_layer *out) {
    for (size_t i = 0; set != NULL && i < set->count; i++) {
        const struct ng_bcache_member *member = &set->members[i];
        if (strncmp(member->name, "cache", 5) != 0 || member->device == NULL) {
            continue;
        }
        const struct ng_block *device = ng_blocks_find(&facts->blocks, member->device);
        ng_cache_member(out, arena, member->device);
        if (device != NULL && device->size >= 0 && out->size < INT64_MAX - device->size) {
            out->size = (out->size < 0 ? 0 : out->size) + device->size;
        }
        if (member->io_errors > 0) {
            out->trouble = ng_arena_printf(
                arena, "%s has %" PRId64 " I/O errors", member->device, member->io_errors);
        }
    }
    for (size_t i = 0; i < block->slave_count; i++) {
        ng_cache_member(out, arena, block->slaves[i]);
    }
}

static void add_thresholds(
    const struct ng_bcache_set *set, struct ng_arena *arena, struct ng_cache_layer *out) {
    if (set != NULL && (set->read_threshold_us > 0 || set->write_threshold_us > 0)) {
        out->seen = ng_arena_printf(arena,
            "also bypassed when its device is slower than %" PRId64 " us for reads, %" PRId64
            " us for writes",
            set->read_threshold_us, set->write_threshold_us);
    }
}

static void add_dirt(
    const struct ng_bcache_device *device, struct ng_arena *arena, struct ng_cache_layer *out) {
    const char *why = NULL;
    out->dirty = ng_bcache_dirty(device, arena, &why);
    bool back = out->mode == NG_CACHE_WRITE_BACK;
    if (out->dirty > 0 && !back && device->running != 0) {
        char text[NG_QUANTITY_TEXT];
        struct ng_quantity quantity = {.value = (double)out->dirty, .dim = NG_DIM_SIZE};
        out->flushing = NG_ANSWER_YES;
        out->flush_why = ng_arena_printf(arena, "writes out what is left of an earlier mode (%s)",
            ng_quantity_format(quantity, text));
    }
    if (device->running == 0 && back) {
        out->trouble = "writeback_running is 0: it writes nothing back";
    }
    if (device->state != NULL && strcmp(device->state, "inconsistent") == 0) {
        out->trouble = "its state is inconsistent";
        out->broken = true;
    }
    if (out->dirty < 0 && why != NULL) {
        out->trouble = out->trouble == NULL ? why : out->trouble;
    }
}

void ng_cache_of_bcache(const struct ng_facts *facts, const struct ng_block *block,
    struct ng_arena *arena, struct ng_cache_layer *out) {
    const struct ng_bcache_device *device = ng_bcache_find(&facts->bcache, block->name);
    const struct ng_bcache_set *set = set_of(facts, block);
    out->kind = "bcache";
    if (device == NULL) {
        out->mode = NG_CACHE_UNKNOWN;
        out->why = "nothing below its folder \"bcache\" in sysfs was read";
        return;
    }
    out->mode = mode_of(device);
    out->mode_text = device->state != NULL && strcmp(device->state, "no cache") == 0 ? "no cache"
                     : device->mode != NULL                                          ? device->mode
                                            : device->modes;
    out->has_bypass = out->mode != NG_CACHE_NONE;
    out->bypass = device->cutoff;
    add_thresholds(set, arena, out);
    add_members(facts, block, set, arena, out);
    add_dirt(device, arena, out);
    if (device->hits >= 0 && device->misses >= 0) {
        out->counters = ng_arena_printf(arena,
            "hits %" PRId64 ", misses %" PRId64 ", bypassed %" PRId64 " bytes", device->hits,
            device->misses, device->bypassed);
    }
}
