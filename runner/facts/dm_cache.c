/* The caches of the device mapper that print one line: dm-cache and dm-writecache. */
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/dm.h"
#include "runner/facts/scan.h"

#define SECTOR 512

static int64_t sectors(int64_t count) {
    return count > INT64_MAX / SECTOR ? -1 : count * SECTOR;
}

const char *ng_dm_device(
    const struct ng_blocks *blocks, struct ng_arena *arena, const char *word, size_t len) {
    struct ng_span text = ng_span(word, len);
    struct ng_span minor = text;
    struct ng_span major = ng_span_until(&minor, ':');
    int64_t high, low;
    if (ng_span_int(major, &high) && ng_span_int(minor, &low) && high >= 0 && low >= 0 &&
        high <= UINT32_MAX && low <= UINT32_MAX) {
        const struct ng_block *block = ng_blocks_numbered(blocks, (unsigned)high, (unsigned)low);
        if (block != NULL) {
            return block->name;
        }
    }
    const struct ng_block *block = ng_blocks_of_path(blocks, ng_span_dup(arena, text));
    return block != NULL ? block->name : ng_text_clean_dup(arena, word, len, NG_TEXT_LINE, 200);
}

static const char *mode_word(struct ng_span word) {
    static const char *const modes[] = {"writeback", "writethrough", "passthrough"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (ng_span_is(word, modes[i])) {
            return modes[i];
        }
    }
    return NULL;
}

/* N WORD...: the words that are counted before them. */
static bool features(struct ng_span *rest, struct ng_dm_cache *out) {
    struct ng_span word;
    int64_t count;
    if (!ng_span_count(rest, &count)) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        if (!ng_span_word(rest, &word)) {
            return false;
        }
        const char *mode = mode_word(word);
        out->mode = mode != NULL ? mode : out->mode;
    }
    return true;
}

static bool skip_counted(struct ng_span *rest) {
    struct ng_span word;
    int64_t count;
    if (!ng_span_count(rest, &count)) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        if (!ng_span_word(rest, &word)) {
            return false;
        }
    }
    return true;
}

/* What stands behind the features: core arguments, the policy with its own, the metadata's state,
 * which the first kernels do not print. */
static void cache_end(struct ng_span rest, struct ng_arena *arena, struct ng_dm_cache *out) {
    struct ng_span word;
    if (!skip_counted(&rest) || !ng_span_word(&rest, &word)) {
        return;
    }
    out->policy = ng_span_dup(arena, word);
    out->stated = skip_counted(&rest);
    while (out->stated && ng_span_word(&rest, &word)) {
        bool known = ng_span_is(word, "rw") || ng_span_is(word, "-");
        out->read_only = out->read_only || ng_span_is(word, "ro");
        out->needs_check = out->needs_check || ng_span_is(word, "needs_check");
        out->stated = known || ng_span_is(word, "ro") || ng_span_is(word, "needs_check");
    }
}

/* A status in another form (the first kernels, those of vendors): the mode stands in it all the
 * same, as a word of its own. */
static bool mode_alone(const char *text, struct ng_dm_cache *out) {
    struct ng_span rest = ng_span(text, strlen(text));
    struct ng_span word;
    const char *found = NULL;
    while (ng_span_word(&rest, &word)) {
        const char *mode = mode_word(word);
        if (mode != NULL && found != NULL && mode != found) {
            return false;
        }
        found = mode != NULL ? mode : found;
    }
    out->mode = found;
    return found != NULL;
}

static bool cache_status(const char *text, struct ng_arena *arena, struct ng_dm_cache *out) {
    struct ng_span rest = ng_span(text, strlen(text));
    int64_t metadata_block, used, total, read[2], write[2], moved[2];
    if (strcmp(text, "Fail") == 0 || strcmp(text, "Error") == 0) {
        out->failed = true;
        return true;
    }
    if (!ng_span_count(&rest, &metadata_block) || !ng_span_fraction(&rest, &used, &total) ||
        !ng_span_count(&rest, &out->block) || !ng_span_fraction(&rest, &out->used, &out->total) ||
        !ng_span_count(&rest, &read[0]) || !ng_span_count(&rest, &read[1]) ||
        !ng_span_count(&rest, &write[0]) || !ng_span_count(&rest, &write[1]) ||
        !ng_span_count(&rest, &moved[0]) || !ng_span_count(&rest, &moved[1]) ||
        !ng_span_count(&rest, &out->dirty) || !features(&rest, out)) {
        out->block = out->used = out->total = out->dirty = -1;
        return mode_alone(text, out);
    }
    out->block = sectors(out->block);
    out->hits = read[0] > INT64_MAX - write[0] ? INT64_MAX : read[0] + write[0];
    out->misses = read[1] > INT64_MAX - write[1] ? INT64_MAX : read[1] + write[1];
    cache_end(rest, arena, out);
    return true;
}

/* METADATA CACHE ORIGIN BLOCK N FEATURE... POLICY N ...; without a mode it is write-back. */
static bool cache_table(const struct ng_blocks *blocks, const char *text, struct ng_arena *arena,
    struct ng_dm_cache *out) {
    struct ng_span rest = ng_span(text, strlen(text));
    struct ng_span words[3], word;
    struct ng_dm_cache table = {.mode = "writeback"};
    for (size_t i = 0; i < 3; i++) {
        if (!ng_span_word(&rest, &words[i])) {
            return false;
        }
    }
    if (!ng_span_count(&rest, &table.block) || !features(&rest, &table)) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        out->members[i] = ng_dm_device(blocks, arena, words[i].at, words[i].len);
    }
    out->block = out->block < 0 ? sectors(table.block) : out->block;
    out->mode = out->mode == NULL ? table.mode : out->mode;
    if (out->policy == NULL && ng_span_word(&rest, &word)) {
        out->policy = ng_span_dup(arena, word);
    }
    return true;
}

bool ng_dm_cache_parse(const struct ng_blocks *blocks, const struct ng_dm_target *target,
    struct ng_arena *arena, struct ng_dm_cache *out) {
    *out = (struct ng_dm_cache){
        .block = -1, .used = -1, .total = -1, .dirty = -1, .hits = -1, .misses = -1};
    bool status = target->status != NULL && cache_status(target->status, arena, out);
    bool table = cache_table(blocks, target->table, arena, out);
    /* a status that is there and not understood leaves the mode in force unknown */
    return target->status != NULL ? status : table;
}

/* p|s ORIGIN CACHE BLOCK N OPTION... */
static bool writecache_table(const struct ng_blocks *blocks, const char *text,
    struct ng_arena *arena, struct ng_dm_writecache *out) {
    struct ng_span rest = ng_span(text, strlen(text));
    struct ng_span type, words[2], word;
    if (!ng_span_word(&rest, &type) || !ng_span_word(&rest, &words[0]) ||
        !ng_span_word(&rest, &words[1]) || (!ng_span_is(type, "p") && !ng_span_is(type, "s"))) {
        return false;
    }
    out->memory = ng_span_is(type, "p");
    for (size_t i = 0; i < 2; i++) {
        out->members[i] = ng_dm_device(blocks, arena, words[i].at, words[i].len);
    }
    if (!ng_span_count(&rest, &out->block)) {
        out->block = -1;
    }
    while (ng_span_word(&rest, &word)) {
        out->cleaner = out->cleaner || ng_span_is(word, "cleaner");
    }
    return true;
}

bool ng_dm_writecache_parse(const struct ng_blocks *blocks, const struct ng_dm_target *target,
    struct ng_arena *arena, struct ng_dm_writecache *out) {
    *out = (struct ng_dm_writecache){
        .error = -1, .blocks = -1, .free = -1, .writing = -1, .block = -1};
    bool table = writecache_table(blocks, target->table, arena, out);
    if (target->status == NULL) {
        return table;
    }
    struct ng_span rest = ng_span(target->status, strlen(target->status));
    struct ng_span word;
    if (ng_span_word(&rest, &word) && ng_span_int(word, &out->error) &&
        ng_span_count(&rest, &out->blocks) && ng_span_count(&rest, &out->free) &&
        ng_span_count(&rest, &out->writing) && out->free <= out->blocks) {
        return true;
    }
    out->error = out->blocks = out->free = out->writing = -1;
    return false;
}
