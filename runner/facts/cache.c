/* What one block device of a stack caches, whatever its kind. */
#include "runner/facts/cache.h"

#include <inttypes.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/base/units.h"
#include "runner/facts/dm.h"

const char *ng_cache_word(enum ng_cache cache) {
    static const char *const words[] = {"none", "read", "write-through", "write-back", "unknown"};
    return words[cache];
}

void ng_cache_member(struct ng_cache_layer *layer, struct ng_arena *arena, const char *name) {
    for (size_t i = 0; i < layer->member_count; i++) {
        if (strcmp(layer->members[i], name) == 0) {
            return;
        }
    }
    if (layer->member_count < NG_CACHE_MEMBERS_MAX) {
        layer->members = ng_arena_grow(arena, layer->members, layer->member_count,
            &layer->member_capacity, sizeof *layer->members);
        layer->members[layer->member_count++] =
            ng_text_clean_dup(arena, name, strlen(name), NG_TEXT_LINE, 200);
    }
}

static const char *size_words(struct ng_arena *arena, int64_t bytes) {
    char text[NG_QUANTITY_TEXT];
    struct ng_quantity quantity = {.value = (double)bytes, .dim = NG_DIM_SIZE};
    return bytes < 0 ? "unknown" : ng_arena_strdup(arena, ng_quantity_format(quantity, text));
}

static const char *or_unknown(const char *text, struct ng_arena *arena) {
    return text == NULL ? "unknown"
                        : ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, 200);
}

/* What there is to say of a cache, in one line. */
static void describe(struct ng_cache_layer *layer, struct ng_arena *arena) {
    const char *text = ng_arena_printf(arena, "%s, mode %s, size %s, dirty %s", layer->kind,
        layer->mode_text == NULL ? "unknown" : layer->mode_text, size_words(arena, layer->size),
        size_words(arena, layer->dirty));
    if (layer->has_bypass) {
        text = ng_arena_printf(arena, "%s, sequential bypass %s%s", text,
            layer->bypass > 0 ? "from " : "",
            layer->bypass == 0 ? "off" : size_words(arena, layer->bypass));
    }
    for (size_t i = 0; i < layer->member_count; i++) {
        text = ng_arena_printf(arena, "%s%s%s", text, i == 0 ? ", on " : " ", layer->members[i]);
    }
    const char *const more[] = {layer->flush_why, layer->trouble, layer->counters, layer->seen};
    for (size_t i = 0; i < NG_COUNT(more); i++) {
        if (more[i] != NULL && more[i][0] != '\0') {
            text = ng_arena_printf(arena, "%s; %s", text, more[i]);
        }
    }
    layer->seen = text;
}

static bool has_text(const char *text, const char *part) {
    return text != NULL && strstr(text, part) != NULL;
}

/* The host of a virtual machine may cache what it likes. */
static bool is_virtual_disk(const struct ng_block *block) {
    static const char *const makers[] = {
        "QEMU", "VMware", "VBOX", "Msft", "Virtual", "Xen", "Amazon Elastic", "Google", "Nutanix"};
    if (strncmp(block->name, "vd", 2) == 0 || strncmp(block->name, "xvd", 3) == 0) {
        return true;
    }
    for (size_t i = 0; i < NG_COUNT(makers); i++) {
        if (has_text(block->vendor, makers[i]) || has_text(block->model, makers[i])) {
            return true;
        }
    }
    return false;
}

/* Devices whose blocks lie elsewhere, or pass through a driver with a cache of its own. */
static const char *elsewhere(const char *name) {
    static const struct {
        const char *begins, *why;
    } kinds[] = {
        {"cas", "an Open CAS device, whose cache only casadm tells of"},
        {"drbd", "a DRBD device: what lies below it and at its peer is not followed"},
        {"nbd", "a network block device: what its server caches is not visible here"},
        {"rbd", "a Ceph device: what its cluster caches is not visible here"},
        {"ram", "a disk in memory"},
        {"zd", "a ZFS volume, with the caches of its pool"},
        {"zram", "a disk in memory"},
    };
    for (size_t i = 0; i < NG_COUNT(kinds); i++) {
        size_t len = strlen(kinds[i].begins);
        if (strncmp(name, kinds[i].begins, len) == 0 && name[len] >= '0' && name[len] <= '9') {
            return kinds[i].why;
        }
    }
    return NULL;
}

static void of_disk(
    const struct ng_block *block, struct ng_arena *arena, struct ng_cache_layer *out) {
    const char *spins = block->rotational == NG_ANSWER_YES  ? "rotational"
                        : block->rotational == NG_ANSWER_NO ? "not rotational"
                                                            : "rotational unknown";
    const char *size = block->size < 0 ? "size unknown" : size_words(arena, block->size);
    out->seen = ng_arena_printf(arena, "disk, %s, %s, own write cache: %s, scheduler: %s", size,
        spins, or_unknown(block->write_cache, arena), or_unknown(block->scheduler, arena));
    out->why = elsewhere(block->name);
    if (is_virtual_disk(block)) {
        out->seen =
            ng_arena_printf(arena, "virtual %s; what its host caches is not visible", out->seen);
        out->why = ng_arena_printf(
            arena, "%s is a virtual disk; what its host caches is not visible", block->name);
        out->remedy = "look at the disk's cache mode on the host of the virtual machine";
    } else if (out->why != NULL) {
        out->seen = ng_arena_printf(arena, "%s; %s", out->seen, out->why);
    }
    out->mode = out->why == NULL ? NG_CACHE_NONE : NG_CACHE_UNKNOWN;
}

/* An md array may have a journal, which can hold back writes like a cache. */
static void of_md(
    const struct ng_block *block, struct ng_arena *arena, struct ng_cache_layer *out) {
    out->seen = ng_arena_printf(arena, "md array, %s",
        block->md_level != NULL ? or_unknown(block->md_level, arena) : "level unknown");
    out->mode = NG_CACHE_NONE;
    if (block->md_journal != NULL && block->md_journal[0] != '\0') {
        bool back = has_text(block->md_journal, "[write-back]");
        bool through = has_text(block->md_journal, "[write-through]");
        out->kind = "raid journal";
        out->mode_text = or_unknown(block->md_journal, arena);
        out->mode = back      ? NG_CACHE_WRITE_BACK
                    : through ? NG_CACHE_WRITE_THROUGH
                              : NG_CACHE_UNKNOWN;
        out->why = out->mode == NG_CACHE_UNKNOWN ? "its journal_mode is not known" : NULL;
    }
}

/* Of a single pool a volume lies on that one, whose devices are below it in the stack. */
static bool is_pool_volume(const struct ng_facts *facts, const struct ng_block *block) {
    return facts->zpools.count == 1 && strncmp(block->name, "zd", 2) == 0 &&
           block->name[2] >= '0' && block->name[2] <= '9';
}

static void of_device(const struct ng_facts *facts, const struct ng_block *block,
    struct ng_arena *arena, struct ng_cache_layer *out) {
    if (block->disk != NULL) {
        out->seen = ng_arena_printf(arena, "partition of %s", block->disk);
    } else if (is_pool_volume(facts, block)) {
        out->seen =
            ng_arena_printf(arena, "volume of the ZFS pool %s", facts->zpools.items[0].name);
    } else if (strncmp(block->name, "bcache", 6) == 0) {
        ng_cache_of_bcache(facts, block, arena, out);
    } else if (block->dm_name != NULL || strncmp(block->name, "dm-", 3) == 0) {
        ng_cache_of_dm(facts, block, arena, out);
    } else if (block->loop_file != NULL) {
        out->seen = ng_arena_printf(arena, "loop device on %s", block->loop_file);
    } else if (block->md_level != NULL || strncmp(block->name, "md", 2) == 0) {
        of_md(block, arena, out);
    } else {
        of_disk(block, arena, out);
    }
}

void ng_cache_of_block(const struct ng_facts *facts, const struct ng_block *block,
    struct ng_arena *arena, struct ng_cache_layer *out) {
    *out = (struct ng_cache_layer){.device = block->name,
        .label = block->dm_name == NULL ? block->name : ng_dm_label(arena, block, block->dm_name),
        .mode = NG_CACHE_NONE,
        .size = -1,
        .dirty = -1,
        .bypass = -1,
        .flushing = NG_ANSWER_NO,
        .flushed = -1,
        .flush_why = "",
        .counters = "",
        .seen = ""};
    of_device(facts, block, arena, out);
    if (out->mode == NG_CACHE_UNKNOWN && out->why == NULL) {
        out->why = ng_arena_printf(
            arena, "its mode \"%s\" is not known", out->mode_text == NULL ? "" : out->mode_text);
    }
    if (out->kind != NULL) {
        describe(out, arena);
    }
}
