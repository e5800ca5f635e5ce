/* The collector's output as named sources. */
#include "runner/facts/frame.h"

#include <string.h>

#include "runner/facts/scan.h"

static const struct ng_source no_source = {.name = "", .state = NG_SOURCE_MISSING, .text = ""};

static struct ng_source *add(struct ng_frames *frames, struct ng_arena *arena, struct ng_span name,
    enum ng_source_state state) {
    if (frames->count >= NG_FRAMES_MAX || name.len == 0 || name.len > NG_FRAME_NAME_MAX) {
        frames->dropped++;
        return NULL;
    }
    frames->items = ng_arena_grow(
        arena, frames->items, frames->count, &frames->capacity, sizeof *frames->items);
    struct ng_source *source = &frames->items[frames->count++];
    *source = (struct ng_source){.name = ng_span_dup(arena, name), .state = state, .text = ""};
    return source;
}

/** One marker line: what stands behind the token. */
struct marker {
    const char *line; /* its first byte */
    const char *next; /* the first byte after its newline */
    char kind;
    struct ng_span name;
    int64_t number;
};

/* Finds the next line that begins with the token. */
static bool find_marker(
    const char *from, const char *start, const char *end, const char *token, struct marker *out) {
    size_t token_len = strlen(token);
    while (from < end) {
        const char *found = memmem(from, (size_t)(end - from), token, token_len);
        if (found == NULL) {
            return false;
        }
        from = found + token_len;
        if (found != start && found[-1] != '\n') {
            continue;
        }
        struct ng_span rest = ng_span(from, (size_t)(end - from));
        if (memchr(rest.at, '\n', rest.len) == NULL) {
            return false; /* half a marker: what it would say of the frame is not known */
        }
        struct ng_span line, kind, number;
        if (!ng_span_line(&rest, &line) || !ng_span_word(&line, &kind) || kind.len != 1) {
            continue;
        }
        *out = (struct marker){.line = found, .next = rest.at, .kind = kind.at[0]};
        if (ng_span_word(&line, &out->name) && ng_span_word(&line, &number)) {
            (void)ng_span_int(number, &out->number);
        }
        return true;
    }
    return false;
}

static void set_text(
    struct ng_source *source, struct ng_arena *arena, const char *from, const char *to) {
    size_t len = to > from ? (size_t)(to - from) : 0;
    if (source->state == NG_SOURCE_CUT) { /* half a line may be the beginning of another */
        const char *last = len == 0 ? NULL : memrchr(from, '\n', len);
        len = last == NULL ? 0 : (size_t)(last - from) + 1;
    } else if (len > 0 && from[len - 1] == '\n') {
        len--; /* exactly one newline belongs to the frame */
    }
    source->text = ng_arena_strndup(arena, len == 0 ? "" : from, len);
    source->len = len;
}

static void close_frame(
    struct ng_source *source, struct ng_arena *arena, const char *body, const struct marker *mark) {
    bool own_end = mark->kind == 'E' && ng_span_is(mark->name, source->name);
    if (own_end) {
        source->rc = mark->number >= 0 && mark->number <= 255 ? (int)mark->number : 255;
        source->state = source->rc == 0 ? NG_SOURCE_READ : NG_SOURCE_FAILED;
    }
    set_text(source, arena, body, mark->line);
}

void ng_frames_parse(struct ng_frames *frames, struct ng_arena *arena, const char *token,
    const char *bytes, size_t len) {
    *frames = (struct ng_frames){.reason = "the collector did not reach its end"};
    if (len == 0 || token[0] == '\0') {
        frames->reason = "the collector printed nothing";
        return;
    }
    const char *end = bytes + len;
    const char *body = bytes;
    struct ng_source *open = NULL;
    struct marker mark;
    for (const char *at = bytes; find_marker(at, bytes, end, token, &mark); at = mark.next) {
        if (open != NULL) {
            close_frame(open, arena, body, &mark);
            open = NULL;
        }
        if (mark.kind == 'B') {
            open = add(frames, arena, mark.name, NG_SOURCE_CUT);
            body = mark.next;
        } else if (mark.kind == 'A' || mark.kind == 'L') {
            struct ng_source *source =
                add(frames, arena, mark.name, mark.kind == 'A' ? NG_SOURCE_ABSENT : NG_SOURCE_LATE);
            if (source != NULL) {
                source->rc = mark.number >= 0 && mark.number <= 255 ? (int)mark.number : 0;
            }
        } else if (mark.kind == 'Z') {
            frames->complete = true;
            frames->reason =
                frames->dropped == 0
                    ? NULL
                    : ng_arena_printf(arena, "%zu sources more than can be kept", frames->dropped);
            return;
        }
    }
    if (open != NULL) {
        set_text(open, arena, body, end);
    }
}

const struct ng_source *ng_frames_find(const struct ng_frames *frames, const char *name) {
    for (size_t i = 0; i < frames->count; i++) {
        if (strcmp(frames->items[i].name, name) == 0) {
            return &frames->items[i];
        }
    }
    return &no_source;
}

bool ng_source_read(const struct ng_source *source) {
    return source->state == NG_SOURCE_READ;
}

/* The first line of what the command wrote to standard error, if it was kept. */
static const char *error_line(
    const struct ng_frames *frames, const struct ng_source *source, struct ng_arena *arena) {
    const struct ng_source *err =
        ng_frames_find(frames, ng_arena_printf(arena, "%s.err", source->name));
    struct ng_span rest = ng_span(err->text, err->len);
    struct ng_span line;
    if (!ng_span_line(&rest, &line) || line.len == 0) {
        return NULL;
    }
    line.len = line.len > 200 ? 200 : line.len;
    return ng_span_dup(arena, line);
}

const char *ng_source_why(const struct ng_frames *frames, const struct ng_source *source,
    const char *what, struct ng_arena *arena) {
    switch (source->state) {
    case NG_SOURCE_MISSING:
        return ng_arena_printf(arena, "%s was not seen: %s", what,
            frames->reason != NULL ? frames->reason : "it was not asked for");
    case NG_SOURCE_ABSENT:
        return ng_arena_printf(arena, "there is no %s", what);
    case NG_SOURCE_LATE:
        return ng_arena_printf(arena, "%s did not answer in %d s", what, source->rc);
    case NG_SOURCE_CUT:
        return ng_arena_printf(arena, "the output ends in the middle of %s", what);
    case NG_SOURCE_FAILED: {
        const char *line = error_line(frames, source, arena);
        if (line != NULL) {
            return ng_arena_printf(arena, "%s failed with status %d: %s", what, source->rc, line);
        }
        return ng_arena_printf(arena, "%s failed with status %d", what, source->rc);
    }
    case NG_SOURCE_READ:
        break;
    }
    return ng_arena_printf(arena, "%s was read", what);
}
