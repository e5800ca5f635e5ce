/* A device of the device mapper as a cache layer: the strongest of its targets. */
#include <inttypes.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/cache.h"
#include "runner/facts/dm.h"
#include "runner/facts/scan.h"

#define ROOT_REMEDY "collect as root (privilege: sudo), so that dmsetup answers"

/* Targets that cache nothing. Others are unknown: a new word may be a new cache. */
static bool is_plain(const char *target) {
    static const char *const plain[] = {"linear", "striped", "mirror", "raid", "crypt", "multipath",
        "thin", "thin-pool", "snapshot", "snapshot-origin", "snapshot-merge", "error", "zero",
        "delay", "verity", "integrity", "era", "clone", "vdo", "unstriped", "flakey", "dust",
        "switch", "log-writes", "ebs"};
    for (size_t i = 0; i < NG_COUNT(plain); i++) {
        if (strcmp(target, plain[i]) == 0) {
            return true;
        }
    }
    return false;
}

static int64_t times(int64_t count, int64_t size) {
    return count < 0 || size <= 0 || count > INT64_MAX / size ? -1 : count * size;
}

/* Set up by its table, and what it is at was not told. */
static void set_unseen(bool stated, struct ng_cache_layer *out) {
    out->unseen = !stated;
    if (out->unseen && out->flushing == NG_ANSWER_NO) {
        out->flushing = NG_ANSWER_UNKNOWN;
        out->flush_why = "what it is at was not told: dmsetup printed no status of it that is "
                         "understood";
    }
}

static void of_cache(const struct ng_facts *facts, const struct ng_dm_target *target,
    struct ng_arena *arena, struct ng_cache_layer *out) {
    struct ng_dm_cache cache;
    bool good = ng_dm_cache_parse(&facts->blocks, target, arena, &cache);
    out->kind = "dm-cache";
    out->mode = NG_CACHE_UNKNOWN;
    for (size_t i = 0; i < 3 && cache.members[i] != NULL; i++) {
        ng_cache_member(out, arena, cache.members[i]);
    }
    if (!good || cache.failed || cache.mode == NULL) {
        out->broken = cache.failed;
        out->trouble = cache.failed ? "it has failed" : NULL;
        out->why = cache.failed ? ng_arena_printf(arena, "it says \"%s\"", target->status)
                   : good       ? "its features name no mode"
                                : "its status is not understood";
        return;
    }
    out->mode_text = cache.mode;
    out->mode = strcmp(cache.mode, "writeback") == 0      ? NG_CACHE_WRITE_BACK
                : strcmp(cache.mode, "writethrough") == 0 ? NG_CACHE_WRITE_THROUGH
                                                          : NG_CACHE_NONE;
    out->size = times(cache.total, cache.block);
    out->dirty = times(cache.dirty, cache.block);
    if (cache.policy != NULL) {
        out->seen = ng_arena_printf(arena, "policy %s", cache.policy);
        const bool cleaner = strcmp(cache.policy, "cleaner") == 0;
        out->flushing = cleaner && cache.dirty != 0 ? NG_ANSWER_YES : NG_ANSWER_NO;
        out->flush_why =
            cleaner && cache.dirty != 0
                ? ng_arena_printf(
                      arena, "is emptied (policy cleaner), %" PRId64 " blocks left", cache.dirty)
                : "";
    }
    if (cache.hits >= 0) {
        out->counters =
            ng_arena_printf(arena, "hits %" PRId64 ", misses %" PRId64, cache.hits, cache.misses);
    }
    out->trouble = cache.needs_check ? "its metadata needs a check"
                   : cache.read_only ? "its metadata is read-only"
                                     : NULL;
    out->broken = out->trouble != NULL;
    set_unseen(cache.stated, out);
}

static void of_writecache(const struct ng_facts *facts, const struct ng_dm_target *target,
    struct ng_arena *arena, struct ng_cache_layer *out) {
    struct ng_dm_writecache cache;
    bool good = ng_dm_writecache_parse(&facts->blocks, target, arena, &cache);
    out->kind = "dm-writecache";
    out->mode = good ? NG_CACHE_WRITE_BACK : NG_CACHE_UNKNOWN;
    out->why = good ? NULL : "its status is not understood";
    out->mode_text = cache.cleaner ? "cleaner" : "writes only";
    for (size_t i = 0; i < 2 && cache.members[0] != NULL; i++) {
        ng_cache_member(out, arena, cache.members[1 - i]);
    }
    int64_t held = cache.blocks < 0 ? -1 : cache.blocks - cache.free;
    out->size = times(cache.blocks, cache.block);
    out->dirty = held == 0 ? 0 : times(held, cache.block);
    if (cache.writing > 0 || (cache.cleaner && held != 0)) {
        out->flushing = NG_ANSWER_YES;
        out->flush_why = ng_arena_printf(arena,
            "is written back, %" PRId64 " blocks of %" PRId64 " that it holds", cache.writing,
            held);
    }
    if (cache.error > 0 || cache.error < -1) {
        out->trouble = ng_arena_printf(arena, "it has an error (%" PRId64 ")", cache.error);
        out->broken = true;
    }
    set_unseen(target->status != NULL && good, out);
}

/* A write-back journal of a RAID 4, 5 or 6 answers writes before they are on its disks. */
static void of_raid(
    const struct ng_dm_target *target, struct ng_arena *arena, struct ng_cache_layer *out) {
    struct ng_dm_sync sync;
    const bool known = ng_dm_sync_parse(target, arena, &sync);
    if (known && (sync.journal == 'a' || sync.journal == 'A')) {
        out->kind = "raid journal";
        out->mode = sync.journal == 'a' ? NG_CACHE_WRITE_BACK : NG_CACHE_WRITE_THROUGH;
        out->mode_text = sync.journal == 'a' ? "write-back" : "write-through";
    } else if (strstr(target->table, "journal_dev") != NULL) {
        out->kind = "raid journal";
        out->mode = NG_CACHE_UNKNOWN;
        out->why = "its table names a journal, and what that holds back was not told";
    }
}

static void of_target(const struct ng_facts *facts, const struct ng_block *block,
    const struct ng_dm_target *target, struct ng_arena *arena, struct ng_cache_layer *out) {
    const char *word = target->target;
    if (strcmp(word, "cache") == 0) {
        of_cache(facts, target, arena, out);
    } else if (strcmp(word, "writecache") == 0) {
        of_writecache(facts, target, arena, out);
    } else if (strncmp(word, "flashcache", 10) == 0) {
        ng_cache_of_flash(facts, block, target, arena, out);
    } else if (strcmp(word, "raid") == 0) {
        of_raid(target, arena, out);
    } else if (strncmp(word, "tier", 4) == 0) {
        out->kind = "tier";
        out->mode = NG_CACHE_UNKNOWN;
        out->why = "a tiering target: which disks hold the data is not known";
    } else if (!is_plain(word)) {
        out->mode = NG_CACHE_UNKNOWN;
        out->why = ng_arena_printf(arena, "what the target \"%s\" caches is not known",
            ng_text_clean_dup(arena, word, strlen(word), NG_TEXT_LINE, 60));
    }
}

/* Not read: one device below cannot be cached on another. */
static void without_target(const struct ng_facts *facts, const struct ng_block *block,
    struct ng_arena *arena, struct ng_cache_layer *out) {
    ng_cache_of_flash(facts, block, NULL, arena, out);
    if (out->kind != NULL) {
        return;
    }
    if (block->slave_count == 1) {
        out->seen = "its target was not read, but one device below cannot be cached on another";
        return;
    }
    out->mode = NG_CACHE_UNKNOWN;
    out->why = ng_arena_printf(arena, "its target was not read: %s",
        facts->blocks.targets_why != NULL ? facts->blocks.targets_why : "not listed");
    out->remedy = ROOT_REMEDY;
    out->seen = out->why;
}

/* QTS writes down which of its volumes have a cache. */
static void by_volume_conf(const struct ng_facts *facts, const char *name, bool read,
    struct ng_arena *arena, struct ng_cache_layer *out) {
    enum ng_answer said = ng_qts_has_cache(&facts->qts, name);
    if (said == NG_ANSWER_NO && !read && out->mode == NG_CACHE_UNKNOWN) {
        out->mode = NG_CACHE_NONE;
        out->why = NULL;
        out->seen = "/etc/volume.conf says ssdCache = no";
    } else if (said == NG_ANSWER_YES && out->mode == NG_CACHE_NONE) {
        out->mode = NG_CACHE_UNKNOWN;
        out->why = ng_arena_printf(
            arena, "/etc/volume.conf says ssdCache = yes, but no cache was seen in %s", name);
        out->seen = out->why;
    }
}

static bool lies_on(const struct ng_block *block, struct ng_span name) {
    for (size_t i = 0; i < block->slave_count; i++) {
        if (ng_span_is(name, block->slaves[i])) {
            return true;
        }
    }
    return false;
}

/* A sample sees the names of the devices below and no table. With others below, the table that was
 * read before it is not in force any more: a cache was put in between, or taken away. */
static void compare_sample(
    const struct ng_block *block, struct ng_arena *arena, struct ng_cache_layer *out) {
    if (block->slaves_now == NULL) {
        return;
    }
    struct ng_span rest = ng_span(block->slaves_now, strlen(block->slaves_now));
    struct ng_span name;
    size_t count = 0;
    bool same = true;
    while (ng_span_word(&rest, &name)) {
        count++;
        same = same && lies_on(block, name);
    }
    if (same && count == block->slave_count) {
        return;
    }
    const char *before = "";
    for (size_t i = 0; i < block->slave_count; i++) {
        before = ng_arena_printf(arena, "%s%s%.60s", before, i == 0 ? "" : " ", block->slaves[i]);
    }
    out->mode = NG_CACHE_UNKNOWN;
    out->why = ng_arena_printf(arena, "below it were %s, then %s: its table was replaced",
        before[0] == '\0' ? "no devices" : before,
        block->slaves_now[0] == '\0' ? "none" : block->slaves_now);
}

void ng_cache_of_dm(const struct ng_facts *facts, const struct ng_block *block,
    struct ng_arena *arena, struct ng_cache_layer *out) {
    const char *name = block->dm_name == NULL ? block->name : block->dm_name;
    const struct ng_cache_layer empty = *out;
    const char *words = "";
    for (size_t i = 0; i < facts->blocks.target_count; i++) {
        const struct ng_dm_target *target = &facts->blocks.targets[i];
        if (strcmp(target->device, name) == 0) {
            struct ng_cache_layer layer = empty;
            of_target(facts, block, target, arena, &layer);
            words = ng_arena_printf(
                arena, "%s%s%.60s", words, words[0] == '\0' ? "" : ", ", target->target);
            *out =
                layer.mode > out->mode || (layer.kind != NULL && out->kind == NULL) ? layer : *out;
        }
    }
    if (words[0] == '\0') {
        without_target(facts, block, arena, out);
    }
    by_volume_conf(facts, name, words[0] != '\0', arena, out);
    compare_sample(block, arena, out);
    if (out->kind == NULL) {
        const char *said = out->seen[0] != '\0' ? out->seen : words;
        out->seen = ng_arena_printf(arena, "device mapper %s: %s", name, said);
    }
}
