/* The state of a host: what its block devices are and cache, and what the kernel caches. */
#include <string.h>

#include "runner/base/units.h"
#include "runner/facts/cache.h"
#include "runner/facts/state_parts.h"

/* Where the numbers of a kind of cache stand. */
static const char *source_of(const char *kind) {
    return strcmp(kind, "bcache") == 0       ? "/sys/block/*/bcache"
           : strcmp(kind, "flashcache") == 0 ? "dmsetup table, /proc/flashcache"
                                             : "dmsetup table, dmsetup status";
}

static const char *members_of(struct ng_state *state, const struct ng_cache_layer *layer) {
    const char *text = "";
    for (size_t i = 0; i < layer->member_count; i++) {
        text = ng_arena_printf(state->arena, "%s%s%s", text, i == 0 ? "" : " ", layer->members[i]);
    }
    return text[0] == '\0' ? NULL : text;
}

/* All that is to be recorded of a cache. */
static void describe_cache(struct ng_state *state, const struct ng_cache_layer *layer) {
    static const char *const why = "it was not printed, or not understood";
    const struct ng_state_thing cache = {
        state, NG_STATE_CACHES, layer->device, source_of(layer->kind)};
    ng_state_known(&cache, "kind", "%s", layer->kind);
    if (layer->mode == NG_CACHE_UNKNOWN) {
        ng_state_unknown(&cache, "mode", "%s", layer->why);
    } else {
        ng_state_known(&cache, "mode", "%s (%s)", ng_cache_word(layer->mode),
            layer->mode_text == NULL ? "" : layer->mode_text);
    }
    if (layer->mode == NG_CACHE_NONE) {
        return;
    }
    ng_state_size(&cache, "size", layer->size, why);
    ng_state_size(&cache, "dirty", layer->dirty, why);
    if (layer->has_bypass && layer->bypass == 0) {
        ng_state_known(&cache, "sequential bypass", "off");
    } else if (layer->has_bypass) {
        ng_state_size(&cache, "sequential bypass", layer->bypass, why);
    }
    ng_state_text(&cache, "members", members_of(state, layer), why);
    ng_state_answer(&cache, "flushing", layer->flushing, layer->flush_why);
    if (layer->counters[0] != '\0') {
        ng_state_known(&cache, "counters", "%s", layer->counters);
    }
    if (layer->trouble != NULL) {
        ng_state_known(&cache, "trouble", "%s", layer->trouble);
    }
}

/* A device of the device mapper or md with what it caches. */
static void describe_layer(
    struct ng_state *state, const struct ng_facts *facts, const struct ng_block *block) {
    struct ng_cache_layer cache;
    ng_cache_of_block(facts, block, state->arena, &cache);
    const struct ng_state_thing layer = {state, NG_STATE_MOUNTS, block->name, "/sys/block"};
    ng_state_known(&layer, "device", "%s", cache.seen);
    if (cache.kind != NULL) {
        describe_cache(state, &cache);
    } else if (cache.mode == NG_CACHE_UNKNOWN) {
        const struct ng_state_thing thing = {state, NG_STATE_CACHES, block->name, "dmsetup table"};
        ng_state_unknown(&thing, "kind", "%s", cache.why);
    }
}

static void describe_disk(struct ng_state *state, const struct ng_block *block) {
    const struct ng_state_thing disk = {state, NG_STATE_MOUNTS, block->name, "/sys/block"};
    const struct ng_state_thing cache = {
        state, NG_STATE_CACHES, block->name, "/sys/block/*/queue/write_cache"};
    const char *spins = block->rotational == NG_ANSWER_YES  ? "rotating disk"
                        : block->rotational == NG_ANSWER_NO ? "disk that does not rotate"
                                                            : "disk";
    char size[NG_QUANTITY_TEXT] = "size unknown";
    if (block->size >= 0) {
        ng_quantity_format(
            (struct ng_quantity){.value = (double)block->size, .dim = NG_DIM_SIZE}, size);
    }
    ng_state_known(&disk, "device", "%s, %s%s%s", spins, size,
        block->scheduler != NULL ? ", scheduler " : "",
        block->scheduler != NULL ? block->scheduler : "");
    ng_state_text(&cache, "own write cache", block->write_cache,
        "the kernel does not tell it, or the file cannot be read");
}

static bool is_layer(const struct ng_block *block) {
    return strncmp(block->name, "bcache", 6) == 0 || strncmp(block->name, "md", 2) == 0 ||
           block->dm_name != NULL || block->md_level != NULL;
}

void ng_state_block(
    struct ng_state *state, const struct ng_facts *facts, const struct ng_block *block) {
    const struct ng_state_thing layer = {state, NG_STATE_MOUNTS, block->name, "/sys/block"};
    if (block->disk != NULL) {
        ng_state_known(&layer, "device", "partition of %s", block->disk);
    } else if (block->loop_file != NULL) {
        ng_state_known(&layer, "device", "loop device on %s", block->loop_file);
    } else if (is_layer(block)) {
        describe_layer(state, facts, block);
    } else {
        describe_disk(state, block);
    }
}

/* On a host as a whole the disks are many and their layers are told where a volume lies on them. */
static bool may_cache(const struct ng_block *block) {
    return strncmp(block->name, "bcache", 6) == 0 || block->dm_name != NULL;
}

void ng_state_caches(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_state_thing memory = {state, NG_STATE_CACHES, "", "/proc/meminfo"};
    ng_state_size(&memory, "page cache", facts->ram_cached, "/proc/meminfo has no line of it");
    if (facts->blocks.why != NULL || facts->blocks.cut != NULL) {
        const struct ng_state_thing all = {state, NG_STATE_CACHES, "", "/sys/block"};
        ng_state_unknown(&all, "block devices", "%s",
            facts->blocks.why != NULL ? facts->blocks.why : facts->blocks.cut);
    }
    for (size_t i = 0; i < facts->blocks.count; i++) {
        if (may_cache(&facts->blocks.items[i])) {
            ng_state_block(state, facts, &facts->blocks.items[i]);
        }
    }
    if (facts->flashcaches.why != NULL) {
        const struct ng_state_thing flash = {state, NG_STATE_CACHES, "", "/proc/flashcache"};
        ng_state_unknown(&flash, "flashcache", "%s", facts->flashcaches.why);
    }
}
