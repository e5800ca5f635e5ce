/* The list of pools, and the blocks of text that `zpool status` prints for each. */
#include "runner/facts/zpool.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/zpool_parts.h"

enum { ENTRY_LINES_MAX = 64 };

struct ng_zpool *ng_zpools_find(const struct ng_zpools *pools, struct ng_span name) {
    for (size_t i = 0; i < pools->count; i++) {
        if (ng_span_is(name, pools->items[i].name)) {
            return &pools->items[i];
        }
    }
    return NULL;
}

struct ng_zpool *ng_zpools_add(
    struct ng_zpools *pools, struct ng_arena *arena, struct ng_span name) {
    if (pools->count >= NG_ZPOOLS_MAX) {
        pools->why = "there are more pools than can be kept";
        pools->partial = true;
        return NULL;
    }
    pools->items =
        ng_arena_grow(arena, pools->items, pools->count, &pools->capacity, sizeof *pools->items);
    struct ng_zpool *pool = &pools->items[pools->count++];
    *pool =
        (struct ng_zpool){.name = ng_text_clean_dup(arena, name.at, name.len, NG_TEXT_LINE, 256),
            .last = "",
            .share = -1};
    return pool;
}

/** Where the reader is. */
struct reader {
    struct ng_zpools *pools;
    struct ng_arena *arena;
    struct ng_zpool *pool;  /* NULL: before the first */
    struct ng_span keyword; /* whose lines are read; empty: none */
    const char *entry;      /* what stands behind it */
    size_t entry_lines;
    bool table;    /* in the table of devices */
    bool finished; /* behind "errors:", whose lines are names of files */
    enum ng_zpool_class class;
    size_t base; /* the column of the table's names */
};

static void end_entry(struct reader *reader) {
    if (reader->pool != NULL && reader->keyword.len > 0) {
        ng_zpool_entry(reader->pool, reader->arena, reader->keyword,
            ng_span(reader->entry, strlen(reader->entry)));
    }
    reader->keyword = ng_span(NULL, 0);
    reader->entry_lines = 0;
}

/* Keywords are small letters and end in a colon near the line's begin; what continues them is
 * indented by a tab. Some recordings have blanks for the tab, never less than eight. */
static bool split_keyword(struct ng_span line, struct ng_span *keyword, struct ng_span *rest) {
    size_t blank = 0;
    while (blank < line.len && line.at[blank] == ' ') {
        blank++;
    }
    *rest = ng_span(line.at + blank, line.len - blank);
    if (blank >= 8 || !ng_span_has(*rest, ':')) {
        return false;
    }
    *keyword = ng_span_until(rest, ':');
    for (size_t i = 0; i < keyword->len; i++) {
        if ((keyword->at[i] < 'a' || keyword->at[i] > 'z') && keyword->at[i] != ' ') {
            return false;
        }
    }
    *rest = ng_span_trim(*rest);
    return keyword->len > 0 && keyword->len <= 20;
}

static void begin_pool(struct reader *reader, struct ng_span name) {
    *reader = (struct reader){.pools = reader->pools, .arena = reader->arena};
    if (name.len == 0) {
        reader->pools->why = "a pool has no name";
        reader->pools->partial = true;
        return;
    }
    reader->pool = ng_zpools_add(reader->pools, reader->arena, name);
    if (reader->pool != NULL) {
        reader->pool->by_status = true;
    }
}

static void begin_entry(struct reader *reader, struct ng_span keyword, struct ng_span rest) {
    end_entry(reader);
    reader->table = ng_span_is(keyword, "config");
    reader->base = SIZE_MAX;
    reader->class = NG_ZPOOL_DATA;
    reader->finished = ng_span_is(keyword, "errors");
    reader->keyword = keyword;
    reader->entry = ng_span_dup(reader->arena, rest);
}

static bool is_header(struct ng_span line) {
    struct ng_span name, state;
    return ng_span_word(&line, &name) && ng_span_is(name, "NAME") && ng_span_word(&line, &state) &&
           ng_span_is(state, "STATE");
}

static void begin_table(struct reader *reader) {
    end_entry(reader);
    reader->table = true;
    reader->class = NG_ZPOOL_DATA;
    reader->base = SIZE_MAX;
}

/* A table without the lines that name its pool: its first row does, and nothing else is known. */
static void table_row(struct reader *reader, struct ng_span line) {
    if (ng_span_trim(line).len == 0) {
        return; /* what ends it is a keyword */
    }
    if (reader->pool == NULL) {
        struct ng_span rest = line, name;
        (void)ng_span_word(&rest, &name);
        reader->pool = ng_zpools_add(reader->pools, reader->arena, name);
    }
    if (reader->pool != NULL) {
        ng_zpool_row(reader->pool, reader->arena, line, &reader->class, &reader->base);
    }
}

static void continue_entry(struct reader *reader, struct ng_span line) {
    if (reader->pool == NULL || reader->finished || ng_span_trim(line).len == 0) {
        return;
    }
    if (reader->keyword.len == 0) {
        ng_zpool_odd(reader->pool, reader->arena, line);
    } else if (reader->entry_lines++ < ENTRY_LINES_MAX) {
        struct ng_span text = ng_span_trim(line);
        reader->entry =
            ng_arena_printf(reader->arena, "%s\n%.*s", reader->entry, (int)text.len, text.at);
    }
}

/* No keyword but these two comes behind the table: another is a line of a new version in it. */
static bool in_table(const struct reader *reader, struct ng_span keyword) {
    return reader->table && reader->pool != NULL && !ng_span_is(keyword, "errors") &&
           !ng_span_is(keyword, "dedup");
}

/* False: it says nothing of a pool. */
static bool read_line(struct reader *reader, struct ng_span line) {
    struct ng_span keyword, rest;
    if (is_header(line)) {
        begin_table(reader);
        return true;
    }
    if (split_keyword(line, &keyword, &rest)) {
        if (ng_span_is(keyword, "pool")) {
            end_entry(reader);
            begin_pool(reader, rest);
            return true;
        }
        if (in_table(reader, keyword)) {
            ng_zpool_odd(reader->pool, reader->arena, line);
        } else if (!reader->finished || ng_span_is(keyword, "dedup")) {
            begin_entry(reader, keyword, rest);
        }
        return reader->pool != NULL;
    }
    if (reader->table) {
        table_row(reader, line);
    } else {
        continue_entry(reader, line);
    }
    return reader->pool != NULL || ng_span_trim(line).len == 0;
}

static void parse_text(
    struct ng_zpools *pools, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len), line;
    struct reader reader = {.pools = pools, .arena = arena};
    const char *strange = NULL;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_begins(line, "no pools available")) {
            pools->none = true;
        } else if (!read_line(&reader, line) && strange == NULL) {
            strange = ng_text_clean_dup(arena, line.at, line.len, NG_TEXT_LINE, 200);
        }
    }
    end_entry(&reader);
    if (pools->count == 0 && !pools->none && pools->why == NULL) {
        pools->why = strange == NULL
                         ? "zpool status printed nothing"
                         : ng_arena_printf(arena, "zpool status printed \"%s\"", strange);
    }
}

void ng_zpools_parse(
    struct ng_zpools *pools, struct ng_arena *arena, const char *text, size_t len) {
    if (len > NG_ZPOOL_TEXT_MAX) {
        pools->why = "zpool status printed more than 4 MiB";
        return;
    }
    /* without colours, and safe for a report whichever piece is shown */
    const char *clean = ng_text_clean_dup(arena, text, len, NG_TEXT_BLOCK, 4 * len + 128);
    struct ng_span rest = ng_span(clean, strlen(clean)), line = ng_span(NULL, 0);
    while (rest.len > 0 && ng_span_trim(line).len == 0) {
        (void)ng_span_line(&rest, &line);
    }
    if (ng_span_begins(ng_span_trim(line), "{")) {
        ng_zpools_parse_json(pools, arena, clean, strlen(clean));
    } else {
        parse_text(pools, arena, clean, strlen(clean));
    }
}

/* "tank<TAB>ONLINE<TAB>42%<TAB>0": "-" stands for what is not known; some leave the "%" out. */
void ng_zpools_parse_list(
    struct ng_zpools *pools, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len), line;
    while (ng_span_line(&rest, &line)) {
        struct ng_span name = ng_span_trim(ng_span_until(&line, '\t'));
        struct ng_span health = ng_span_trim(ng_span_until(&line, '\t'));
        struct ng_span share = ng_span_trim(ng_span_until(&line, '\t'));
        struct ng_span freeing = ng_span_trim(line);
        int64_t number;
        if (name.len == 0 || !ng_zpool_is_state(health)) {
            continue;
        }
        struct ng_zpool *pool = ng_zpools_find(pools, name);
        if (pool == NULL) {
            pool = ng_zpools_add(pools, arena, name);
            if (pool == NULL) {
                return;
            }
            pool->state = ng_span_dup(arena, health);
        }
        if (ng_span_digits(&share, &number) && number <= 100) {
            pool->share = (int)number;
        }
        if (freeing.len > 0 && !ng_span_is(freeing, "0") && !ng_span_is(freeing, "0B") &&
            !ng_span_is(freeing, "-")) {
            (void)ng_zpool_work_add(pool, arena, "free", freeing);
        }
    }
}

const char *ng_zpool_class_word(enum ng_zpool_class class) {
    static const char *const words[] = {"data", "log", "cache", "spare", "special", "dedup"};
    return words[class];
}

const char *ng_zpool_block(const struct ng_zpool_vdev *vdev) {
    static const char *const links[] = {"disk/", "mapper/", "zvol/", "gptid/", "label/"};
    const char *name = vdev->name;
    if (vdev->group) {
        return NULL;
    }
    if (strncmp(name, "/dev/", 5) == 0) {
        name += 5;
    }
    for (size_t i = 0; i < NG_COUNT(links); i++) {
        if (strncmp(name, links[i], strlen(links[i])) == 0) {
            return NULL;
        }
    }
    return name[0] == '\0' || strchr(name, '/') != NULL ? NULL : name;
}
