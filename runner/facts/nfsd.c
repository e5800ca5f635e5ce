/* The NFS server of the kernel. */
#include "runner/facts/nfsd.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/mountinfo.h"
#include "runner/facts/scan.h"

void ng_nfsd_files(struct ng_nfsd *nfsd, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span_lines(text, len), line;
    while (ng_span_line(&rest, &line)) {
        const struct ng_span key = ng_span_until(&line, '\t');
        const struct ng_span value = ng_span_trim(line);
        int64_t number;
        const bool whole = ng_span_int(value, &number) && number >= 0;
        if (ng_span_is(key, "threads")) {
            nfsd->threads = whole ? number : -1;
        } else if (ng_span_is(key, "max_block_size")) {
            nfsd->max_block_size = whole ? number : -1;
        } else if (ng_span_is(key, "versions") && value.len > 0) {
            nfsd->versions = ng_text_clean_dup(arena, value.at, value.len, NG_TEXT_LINE, 200);
        }
    }
}

static bool two(struct ng_span rest, int64_t *first, int64_t *second) {
    struct ng_span a, b;
    return ng_span_word(&rest, &a) && ng_span_int(a, first) && *first >= 0 &&
           ng_span_word(&rest, &b) && ng_span_int(b, second) && *second >= 0;
}

void ng_nfsd_rpc(struct ng_nfsd *nfsd, const char *text, size_t len) {
    struct ng_span rest = ng_span_lines(text, len), line, key;
    while (ng_span_line(&rest, &line)) {
        int64_t first, second;
        if (!ng_span_word(&line, &key)) {
            continue;
        }
        struct ng_span word, tail = line;
        if (ng_span_is(key, "th")) {
            nfsd->rpc_threads =
                ng_span_word(&tail, &word) && ng_span_int(word, &first) && first >= 0 ? first : -1;
        } else if (ng_span_is(key, "io") && two(line, &first, &second)) {
            nfsd->read = first;
            nfsd->written = second;
        }
    }
}

static bool lists(struct ng_span options, const char *wanted) {
    while (options.len > 0) {
        if (ng_span_is(ng_span_until(&options, ','), wanted)) {
            return true;
        }
    }
    return false;
}

/* "10.0.0.0/24(rw,sync,...)" */
static bool add(
    struct ng_exports *exports, struct ng_arena *arena, const char *path, struct ng_span text) {
    struct ng_span options = text;
    const struct ng_span client = ng_span_trim(ng_span_until(&options, '('));
    if (exports->count >= NG_EXPORTS_MAX || client.len == 0 || options.len == 0 ||
        options.at[options.len - 1] != ')') {
        return false;
    }
    options.len--;
    const bool sync = lists(options, "sync"), async = lists(options, "async");
    exports->items = ng_arena_grow(
        arena, exports->items, exports->count, &exports->capacity, sizeof *exports->items);
    exports->items[exports->count++] = (struct ng_export){.path = path,
        .client = ng_span_is(client, "<world>") ? "*" : ng_span_dup(arena, client),
        .options = ng_span_dup(arena, options),
        .sync = sync == async ? NG_ANSWER_UNKNOWN
                : sync        ? NG_ANSWER_YES
                              : NG_ANSWER_NO,
        .root = lists(options, "fsid=0") || lists(options, "fsid=root")};
    return true;
}

void ng_exports_parse(
    struct ng_exports *exports, struct ng_arena *arena, const char *text, size_t len) {
    *exports = (struct ng_exports){0};
    const char *path = NULL; /* of a line that holds nothing else */
    struct ng_span rest = ng_span_lines(text, len), line;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_trim(line).len == 0 || line.at[0] == '#') {
            continue;
        }
        if (line.at[0] == '/') {
            const struct ng_span own = ng_span_trim(ng_span_until(&line, '\t'));
            path = ng_mount_decode(arena, own.at, own.len);
        }
        line = ng_span_trim(line);
        if (line.len > 0 && (path == NULL || !add(exports, arena, path, line))) {
            exports->bad++;
        }
    }
}

const char *ng_exports_of(const struct ng_exports *exports, const char *path) {
    const char *best = NULL;
    for (size_t i = 0; i < exports->count; i++) {
        const char *own = exports->items[i].path;
        size_t len = strlen(own);
        while (len > 1 && own[len - 1] == '/') {
            len--;
        }
        const bool holds =
            len == 1 || (strncmp(own, path, len) == 0 && (path[len] == '\0' || path[len] == '/'));
        if (holds && (best == NULL || strlen(own) > strlen(best))) {
            best = own;
        }
    }
    return best;
}
