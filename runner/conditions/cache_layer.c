/* What one block device of a stack caches. */
#include "runner/conditions/cache_layer.h"

#include <string.h>

#include "runner/base/units.h"

const char *ng_cache_word(enum ng_cache cache) {
    static const char *const words[] = {"none", "read", "write-through", "write-back", "unknown"};
    return words[cache];
}

const char *ng_bcache_mode(const char *text, struct ng_arena *arena) {
    const char *open = strchr(text, '[');
    const char *close = open == NULL ? NULL : strchr(open, ']');
    return close == NULL ? "" : ng_arena_strndup(arena, open + 1, (size_t)(close - open) - 1);
}

static enum ng_cache find_mode(
    const char *text, const char *const *words, const enum ng_cache *meanings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            return meanings[i];
        }
    }
    return NG_CACHE_UNKNOWN;
}

static enum ng_cache bcache_cache(const struct ng_block *block, struct ng_arena *arena) {
    static const char *const words[] = {"none", "writearound", "writethrough", "writeback"};
    static const enum ng_cache meanings[] = {
        NG_CACHE_NONE, NG_CACHE_READ, NG_CACHE_WRITE_THROUGH, NG_CACHE_WRITE_BACK};
    if (block->bcache_state != NULL && strcmp(block->bcache_state, "no cache") == 0) {
        return NG_CACHE_NONE;
    }
    if (block->bcache_mode == NULL) {
        return NG_CACHE_UNKNOWN;
    }
    return find_mode(ng_bcache_mode(block->bcache_mode, arena), words, meanings, NG_COUNT(words));
}

/* The text in the parenthesis behind "cache mode". */
static enum ng_cache flashcache_cache(const char *table) {
    static const char *const words[] = {"DUMMY", "WRITE_AROUND", "WRITE_THROUGH", "WRITE_BACK"};
    static const enum ng_cache meanings[] = {
        NG_CACHE_NONE, NG_CACHE_READ, NG_CACHE_WRITE_THROUGH, NG_CACHE_WRITE_BACK};
    const char *mode = strstr(table, "cache mode(");
    if (mode == NULL) {
        return NG_CACHE_UNKNOWN;
    }
    mode += strlen("cache mode(");
    for (size_t i = 0; i < NG_COUNT(words); i++) {
        size_t len = strlen(words[i]);
        if (strncmp(mode, words[i], len) == 0 && mode[len] == ')') {
            return meanings[i];
        }
    }
    return NG_CACHE_UNKNOWN;
}

static bool has_word(const char *text, const char *word) {
    size_t len = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += len) {
        bool begins = at == text || at[-1] == ' ';
        if (begins && (at[len] == ' ' || at[len] == '\0')) {
            return true;
        }
    }
    return false;
}

/* dm-cache: the features say how it writes; "Fail" and "Error" stand instead of all fields. */
static enum ng_cache dm_cache_cache(const struct ng_dm_target *target) {
    const char *text = target->status != NULL ? target->status : target->table;
    if (has_word(text, "writeback")) {
        return NG_CACHE_WRITE_BACK;
    }
    if (has_word(text, "writethrough")) {
        return NG_CACHE_WRITE_THROUGH;
    }
    return has_word(text, "passthrough") ? NG_CACHE_NONE : NG_CACHE_UNKNOWN;
}

enum ng_cache ng_cache_of_target(const struct ng_dm_target *target) {
    static const char *const plain[] = {"linear", "striped", "mirror", "raid", "crypt", "multipath",
        "thin", "thin-pool", "snapshot", "snapshot-origin", "snapshot-merge", "error", "zero",
        "delay", "verity", "integrity"};
    if (strcmp(target->target, "cache") == 0) {
        return dm_cache_cache(target);
    }
    if (strcmp(target->target, "writecache") == 0) {
        return NG_CACHE_WRITE_BACK;
    }
    if (strncmp(target->target, "flashcache", 10) == 0) {
        return flashcache_cache(target->table);
    }
    for (size_t i = 0; i < NG_COUNT(plain); i++) {
        if (strcmp(target->target, plain[i]) == 0) {
            return NG_CACHE_NONE;
        }
    }
    return NG_CACHE_UNKNOWN;
}

static enum ng_cache dm_cache(const struct ng_facts *facts, const struct ng_block *block,
    struct ng_arena *arena, const char **text) {
    enum ng_cache worst = NG_CACHE_NONE;
    const char *seen = "";
    for (size_t i = 0; i < facts->blocks.target_count; i++) {
        const struct ng_dm_target *target = &facts->blocks.targets[i];
        if (strcmp(target->device, block->dm_name) == 0) {
            enum ng_cache cache = ng_cache_of_target(target);
            worst = cache > worst ? cache : worst;
            seen = ng_arena_printf(arena, "%s%s%s", seen, seen[0] == '\0' ? "" : ", ",
                cache == NG_CACHE_NONE
                    ? target->target
                    : ng_arena_printf(arena, "%s (%s)", target->target,
                          target->status != NULL ? target->status : target->table));
        }
    }
    if (seen[0] == '\0' && block->slave_count == 1) {
        seen = "its target was not read, but one device below cannot be cached on another";
    } else if (seen[0] == '\0') {
        worst = NG_CACHE_UNKNOWN;
        seen = ng_arena_printf(arena, "its target was not read: %s",
            facts->blocks.targets_why != NULL ? facts->blocks.targets_why : "not listed");
    }
    *text = ng_arena_printf(arena, "device mapper %s: %s", block->dm_name, seen);
    return worst;
}

/* The host of a virtual machine may cache what it likes. */
static bool is_virtual_disk(const char *name) {
    return strncmp(name, "vd", 2) == 0 || strncmp(name, "xvd", 3) == 0;
}

static const char *disk_text(const struct ng_block *block, struct ng_arena *arena) {
    char size[NG_QUANTITY_TEXT] = "size unknown";
    if (block->size >= 0) {
        ng_quantity_format(
            (struct ng_quantity){.value = (double)block->size, .dim = NG_DIM_SIZE}, size);
    }
    const char *spins = block->rotational == NG_ANSWER_YES  ? "rotational"
                        : block->rotational == NG_ANSWER_NO ? "not rotational"
                                                            : "rotational unknown";
    return ng_arena_printf(arena, "disk, %s, %s, own write cache: %s, scheduler: %s", size, spins,
        block->write_cache != NULL ? block->write_cache : "unknown",
        block->scheduler != NULL ? block->scheduler : "unknown");
}

enum ng_cache ng_cache_of_block(const struct ng_facts *facts, const struct ng_block *block,
    struct ng_arena *arena, const char **text) {
    if (block->disk != NULL) {
        *text = ng_arena_printf(arena, "partition of %s", block->disk);
        return NG_CACHE_NONE;
    }
    if (strncmp(block->name, "bcache", 6) == 0) {
        *text =
            ng_arena_printf(arena, "bcache, mode %s, state %s, dirty data %s, sequential cutoff %s",
                block->bcache_mode != NULL ? ng_bcache_mode(block->bcache_mode, arena) : "unknown",
                block->bcache_state != NULL ? block->bcache_state : "unknown",
                block->bcache_dirty != NULL ? block->bcache_dirty : "unknown",
                block->bcache_cutoff != NULL ? block->bcache_cutoff : "unknown");
        return bcache_cache(block, arena);
    }
    if (block->dm_name != NULL) {
        return dm_cache(facts, block, arena, text);
    }
    if (block->loop_file != NULL) {
        *text = ng_arena_printf(arena, "loop device on %s", block->loop_file);
        return NG_CACHE_NONE;
    }
    if (block->md_level != NULL || strncmp(block->name, "md", 2) == 0) {
        *text = ng_arena_printf(
            arena, "md array, %s", block->md_level != NULL ? block->md_level : "level unknown");
        return NG_CACHE_NONE;
    }
    *text = disk_text(block, arena);
    if (is_virtual_disk(block->name)) {
        *text = ng_arena_printf(arena, "virtual %s; what its host caches is not visible", *text);
        return NG_CACHE_UNKNOWN;
    }
    return NG_CACHE_NONE;
}
