/* The user shares of Unraid. */
#include "runner/facts/unraid.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/scan.h"

static enum ng_unraid_use use_of(struct ng_span word) {
    return ng_span_is(word, "no")       ? NG_UNRAID_USE_NO
           : ng_span_is(word, "yes")    ? NG_UNRAID_USE_YES
           : ng_span_is(word, "prefer") ? NG_UNRAID_USE_PREFER
           : ng_span_is(word, "only")   ? NG_UNRAID_USE_ONLY
                                        : NG_UNRAID_USE_UNKNOWN;
}

/* What stands between the first two quotes. */
static struct ng_span quoted(struct ng_span text) {
    (void)ng_span_until(&text, '"');
    return ng_span_until(&text, '"');
}

static struct ng_unraid_share *add(
    struct ng_unraid_shares *shares, struct ng_arena *arena, struct ng_span name) {
    if (name.len == 0 || shares->count >= NG_UNRAID_SHARES_MAX) {
        return NULL;
    }
    shares->items = ng_arena_grow(
        arena, shares->items, shares->count, &shares->capacity, sizeof *shares->items);
    struct ng_unraid_share *share = &shares->items[shares->count++];
    *share = (struct ng_unraid_share){.name = ng_span_dup(arena, name), .pool = ""};
    return share;
}

void ng_unraid_shares_parse(
    struct ng_unraid_shares *shares, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    struct ng_unraid_share *share = NULL;
    while (ng_span_line(&rest, &line)) {
        line = ng_span_trim(line);
        if (ng_span_begins(line, "[")) {
            share = add(shares, arena, quoted(line));
        } else if (share != NULL) {
            const struct ng_span key = ng_span_trim(ng_span_until(&line, '='));
            const struct ng_span value = quoted(line);
            if (ng_span_is(key, "useCache")) {
                share->use = use_of(value);
            } else if (ng_span_is(key, "cachePool")) {
                share->pool = ng_text_clean_dup(
                    arena, value.at == NULL ? "" : value.at, value.len, NG_TEXT_LINE, 100);
            }
        }
    }
}

const struct ng_unraid_share *ng_unraid_share_of(
    const struct ng_unraid_shares *shares, const char *point, const char *path) {
    const size_t skip = strlen(point);
    if (strncmp(path, point, skip) != 0 || path[skip] != '/') {
        return NULL;
    }
    const char *name = path + skip + 1;
    const struct ng_span first = ng_span(name, strcspn(name, "/"));
    for (size_t i = 0; i < shares->count; i++) {
        if (ng_span_is(first, shares->items[i].name)) {
            return &shares->items[i];
        }
    }
    return NULL;
}
