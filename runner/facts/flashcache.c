/* flashcache: the table of its target, its files in /proc and /proc/sys. */
#include "runner/facts/flashcache.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/scan.h"

#define KIB 1024
#define MIB (KIB * KIB)

static const struct ng_flashcache nothing = {.size = -1,
    .block = -1,
    .dirty = -1,
    .threshold = -1,
    .reads = -1,
    .read_hits = -1,
    .writes = -1,
    .write_hits = -1,
    .uncached_reads = -1,
    .uncached_writes = -1,
    .errors = -1,
    .cache_all = -1,
    .left = -1};

/* A key by all the names it goes by, where its value belongs, and what one of it is in bytes. */
struct key {
    const char *name;
    size_t offset;
    int64_t unit;
};

#define AT(member) offsetof(struct ng_flashcache, member)

static const struct key table_keys[] = {
    {"capacity", AT(size), MIB}, /* with an M behind the number */
    {"data block size", AT(block), KIB},
    {"skip sequential thresh", AT(threshold), KIB},
    {"dirty blocks", AT(dirty), 1},
};

static const struct key status_keys[] = {
    {"reads", AT(reads), 1},
    {"writes", AT(writes), 1},
    {"read hits", AT(read_hits), 1},
    {"write hits", AT(write_hits), 1},
    {"uncached sequential reads", AT(uncached_reads), 1},
    {"uncached sequential writes", AT(uncached_writes), 1},
};

static const struct key file_keys[] = {
    {"capacity_byte", AT(size), MIB}, /* which is in MiB all the same */
    {"data_block_size_kb", AT(block), KIB},
    {"dirty_blocks", AT(dirty), 1},
    {"reads", AT(reads), 1},
    {"writes", AT(writes), 1},
    {"read_hits", AT(read_hits), 1},
    {"write_hits", AT(write_hits), 1},
    {"uncached_sequential_reads", AT(uncached_reads), 1},
    {"uncached_sequential_writes", AT(uncached_writes), 1},
    {"remaining_num_of_dirty", AT(left), 1},
    {"skip_seq_thresh_kb", AT(threshold), KIB},
    {"cache_all", AT(cache_all), 1},
};

static int64_t *slot(struct ng_flashcache *cache, size_t offset) {
    return (int64_t *)(void *)((char *)cache + offset);
}

/* The digits at the beginning: "200M", "64K", "12", "0". */
static void set_number(struct ng_flashcache *cache, const struct key *key, struct ng_span text) {
    int64_t number;
    if (ng_span_digits(&text, &number) && number <= INT64_MAX / key->unit) {
        *slot(cache, key->offset) = number * key->unit;
    }
}

static const char *clean(struct ng_arena *arena, struct ng_span text) {
    return ng_text_clean_dup(arena, text.at, text.len, NG_TEXT_LINE, 200);
}

static struct ng_span strip(struct ng_span text) {
    text = ng_span_trim(text);
    while (text.len > 0 && (text.at[0] == ',' || text.at[0] == ';')) {
        text = ng_span_trim(ng_span(text.at + 1, text.len - 1));
    }
    return text;
}

/* The words before a parenthesis, without what ends the pair before: "conf: ssd dev". */
static struct ng_span key_of(struct ng_span text) {
    for (struct ng_span after = text; (after = ng_span_after(after, ": ")).at != NULL;) {
        text = after;
    }
    return strip(text);
}

static bool errors_key(struct ng_span key) {
    return key.len > 7 && (ng_span_is(ng_span(key.at + key.len - 7, 7), " errors") ||
                              ng_span_is(ng_span(key.at + key.len - 7, 7), "_errors"));
}

static void add_errors(struct ng_flashcache *cache, struct ng_span text) {
    int64_t number;
    if (ng_span_digits(&text, &number)) {
        int64_t have = cache->errors < 0 ? 0 : cache->errors;
        cache->errors = number > INT64_MAX - have ? INT64_MAX : have + number;
    }
}

static void set_table(
    struct ng_flashcache *cache, struct ng_arena *arena, struct ng_span key, struct ng_span value) {
    if (ng_span_is(key, "cache mode")) {
        cache->mode = clean(arena, value);
    } else if (ng_span_is(key, "ssd dev")) {
        cache->ssd = clean(arena, value);
    } else if (ng_span_is(key, "disk dev")) {
        cache->disk = clean(arena, value);
    }
    for (size_t i = 0; i < NG_COUNT(table_keys); i++) {
        if (ng_span_is(key, table_keys[i].name)) {
            set_number(cache, &table_keys[i], value);
        }
    }
}

static void set_status(struct ng_flashcache *cache, struct ng_span key, struct ng_span value) {
    for (size_t i = 0; i < NG_COUNT(status_keys); i++) {
        if (ng_span_is(key, status_keys[i].name)) {
            set_number(cache, &status_keys[i], value);
        }
    }
    if (errors_key(key)) {
        add_errors(cache, value);
    }
}

void ng_flashcache_of_target(
    struct ng_flashcache *out, struct ng_arena *arena, const char *table, const char *status) {
    *out = nothing;
    for (int i = 0; i < 2; i++) {
        const char *text = i == 0 ? table : status;
        struct ng_span rest = ng_span(text, text == NULL ? 0 : strlen(text));
        while (ng_span_has(rest, '(')) {
            struct ng_span key = key_of(ng_span_until(&rest, '('));
            struct ng_span value = ng_span_trim(ng_span_until(&rest, ')'));
            if (i == 0) {
                set_table(out, arena, key, value);
            } else {
                set_status(out, key, value);
            }
        }
    }
}

static void set_file(
    struct ng_flashcache *cache, struct ng_arena *arena, struct ng_span key, struct ng_span value) {
    if (ng_span_is(key, "mode")) {
        cache->mode = clean(arena, value);
    } else if (ng_span_is(key, "ssd_dev")) {
        cache->ssd = clean(arena, value);
    } else if (ng_span_is(key, "disk_dev")) {
        cache->disk = clean(arena, value);
    } else if (ng_span_is(key, "status")) {
        cache->progress = clean(arena, value);
    } else if (errors_key(key)) {
        add_errors(cache, value);
    }
    for (size_t i = 0; i < NG_COUNT(file_keys); i++) {
        if (ng_span_is(key, file_keys[i].name)) {
            set_number(cache, &file_keys[i], value);
        }
    }
}

static struct ng_flashcache *cache_of(
    struct ng_flashcaches *caches, struct ng_arena *arena, struct ng_span name) {
    for (size_t i = caches->count; i-- > 0;) {
        if (ng_span_is(name, caches->items[i].name)) {
            return &caches->items[i];
        }
    }
    if (name.len == 0) {
        return NULL;
    }
    if (caches->count >= NG_FLASHCACHES_MAX) {
        caches->why = "there are more flashcaches than can be kept";
        return NULL;
    }
    caches->items = ng_arena_grow(
        arena, caches->items, caches->count, &caches->capacity, sizeof *caches->items);
    struct ng_flashcache *cache = &caches->items[caches->count++];
    *cache = nothing;
    cache->name = clean(arena, name);
    return cache;
}

/* "key=value key=value", or QTS's "key: value" */
static void parse_pairs(struct ng_flashcache *cache, struct ng_arena *arena, struct ng_span line) {
    struct ng_span word;
    if (!ng_span_has(line, '=')) {
        struct ng_span key = ng_span_trim(ng_span_until(&line, ':'));
        set_file(cache, arena, key, ng_span_trim(line));
        return;
    }
    while (ng_span_word(&line, &word)) {
        struct ng_span key = ng_span_until(&word, '=');
        set_file(cache, arena, key, word);
    }
}

void ng_flashcaches_parse(
    struct ng_flashcaches *caches, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_begins(line, "!")) {
            continue; /* there, but not readable: stays unknown */
        }
        struct ng_span path = ng_span_until(&line, '\t');
        struct ng_span name = ng_span_until(&path, '/');
        struct ng_flashcache *cache = cache_of(caches, arena, name);
        if (cache == NULL) {
            continue;
        }
        if (ng_span_begins(path, "sysctl/")) {
            (void)ng_span_until(&path, '/');
            set_file(cache, arena, path, ng_span_trim(line));
        } else {
            parse_pairs(cache, arena, ng_span_trim(line));
        }
    }
}

static const char *base_of(const char *path) {
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static bool same_device(const char *a, const char *b) {
    return a != NULL && b != NULL && strcmp(base_of(a), base_of(b)) == 0;
}

/* "md4+lv", with or without a "flashcache_" that some put before */
static bool is_named(const char *name, const char *ssd, const char *disk) {
    const char *plus = strchr(name, '+');
    const char *first = base_of(ssd), *second = base_of(disk);
    if (plus == NULL || first == NULL || second == NULL || strcmp(plus + 1, second) != 0) {
        return false;
    }
    size_t len = (size_t)(plus - name);
    return strlen(first) == len && strncmp(first, name, len) == 0;
}

const struct ng_flashcache *ng_flashcaches_find(
    const struct ng_flashcaches *caches, const char *ssd, const char *disk) {
    for (size_t i = 0; i < caches->count; i++) {
        const struct ng_flashcache *cache = &caches->items[i];
        bool by_devices = same_device(cache->disk, disk) &&
                          (ssd == NULL || cache->ssd == NULL || same_device(cache->ssd, ssd));
        if (by_devices || (ssd != NULL && is_named(cache->name, ssd, disk))) {
            return cache;
        }
    }
    return NULL;
}

void ng_flashcache_complete(struct ng_flashcache *cache, const struct ng_flashcache *more) {
    static const size_t numbers[] = {AT(size), AT(block), AT(dirty), AT(threshold), AT(reads),
        AT(read_hits), AT(writes), AT(write_hits), AT(uncached_reads), AT(uncached_writes),
        AT(errors), AT(cache_all), AT(left)};
    for (size_t i = 0; i < NG_COUNT(numbers); i++) {
        int64_t *at = slot(cache, numbers[i]);
        int64_t other = *(const int64_t *)(const void *)((const char *)more + numbers[i]);
        *at = *at < 0 ? other : *at;
    }
    cache->name = cache->name == NULL ? more->name : cache->name;
    cache->mode = cache->mode == NULL ? more->mode : cache->mode;
    cache->ssd = cache->ssd == NULL ? more->ssd : cache->ssd;
    cache->disk = cache->disk == NULL ? more->disk : cache->disk;
    cache->progress = cache->progress == NULL ? more->progress : cache->progress;
}

enum ng_answer ng_flashcache_flushes(const struct ng_flashcache *cache) {
    const char *word = cache->progress;
    if (word == NULL) {
        return NG_ANSWER_UNKNOWN;
    }
    if (strcmp(word, "cacheable_flushing") == 0 || strcmp(word, "uncacheable_flushing") == 0) {
        return NG_ANSWER_YES;
    }
    size_t len = strlen(word);
    bool done = len > 5 && strcmp(word + len - 5, "_done") == 0;
    return done || strcmp(word, "not_flushing") == 0 ? NG_ANSWER_NO : NG_ANSWER_UNKNOWN;
}
