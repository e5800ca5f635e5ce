/* The state of a host: what its block devices are and cache, and what the kernel caches. */
#include <string.h>

#include "runner/base/units.h"
#include "runner/facts/state_parts.h"

static void describe_bcache(const struct ng_state_thing *thing, const struct ng_block *block) {
    static const char *const why = "its file in /sys/block is missing or cannot be read";
    const char *mode = block->bcache_mode;
    ng_state_known(thing, "kind", "bcache");
    ng_state_text(thing, "mode", mode, why);
    ng_state_text(thing, "state", block->bcache_state, why);
    ng_state_text(thing, "dirty", block->bcache_dirty, why);
    ng_state_text(thing, "sequential cutoff", block->bcache_cutoff, why);
}

/* The targets that hold data back; all others only move blocks about. */
static bool is_cache(const char *target) {
    return strcmp(target, "cache") == 0 || strcmp(target, "writecache") == 0 ||
           strncmp(target, "flashcache", 10) == 0;
}

static void describe_targets(
    struct ng_state *state, const struct ng_facts *facts, const struct ng_block *block) {
    const struct ng_state_thing layer = {state, NG_STATE_MOUNTS, block->name, "dmsetup table"};
    const struct ng_state_thing cache = {state, NG_STATE_CACHES, block->name, "dmsetup status"};
    bool seen = false;
    for (size_t i = 0; i < facts->blocks.target_count; i++) {
        const struct ng_dm_target *target = &facts->blocks.targets[i];
        if (strcmp(target->device, block->dm_name) != 0) {
            continue;
        }
        if (!seen) {
            ng_state_known(
                &layer, "device", "device mapper %s, %s", block->dm_name, target->target);
        }
        seen = true;
        if (is_cache(target->target)) {
            ng_state_known(&cache, "kind", "%s", target->target);
            ng_state_text(&cache, "status", target->status, "dmsetup status did not list it");
            ng_state_known(&cache, "table", "%s", target->table);
        }
    }
    if (!seen) {
        ng_state_known(&layer, "device", "device mapper %s", block->dm_name);
        ng_state_unknown(&cache, "kind", "%s",
            facts->blocks.targets_why != NULL ? facts->blocks.targets_why
                                              : "dmsetup table did not list it");
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

void ng_state_block(
    struct ng_state *state, const struct ng_facts *facts, const struct ng_block *block) {
    const struct ng_state_thing layer = {state, NG_STATE_MOUNTS, block->name, "/sys/block"};
    const struct ng_state_thing cache = {
        state, NG_STATE_CACHES, block->name, "/sys/block/*/bcache"};
    if (block->disk != NULL) {
        ng_state_known(&layer, "device", "partition of %s", block->disk);
    } else if (strncmp(block->name, "bcache", 6) == 0) {
        ng_state_known(&layer, "device", "bcache");
        describe_bcache(&cache, block);
    } else if (block->dm_name != NULL) {
        describe_targets(state, facts, block);
    } else if (block->loop_file != NULL) {
        ng_state_known(&layer, "device", "loop device on %s", block->loop_file);
    } else if (block->md_level != NULL || strncmp(block->name, "md", 2) == 0) {
        ng_state_known(&layer, "device", "md array%s%s", block->md_level != NULL ? ", " : "",
            block->md_level != NULL ? block->md_level : "");
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
    if (facts->flashcache != NULL) {
        const struct ng_state_thing flash = {state, NG_STATE_CACHES, "", "/proc/flashcache"};
        ng_state_known(&flash, "flashcache", "%s", facts->flashcache);
    }
}
