/* The facts of a host at the time of a sample. */
#include <string.h>

#include "runner/base/buf.h"
#include "runner/facts/collect.h"
#include "runner/facts/sample.h"
#include "runner/facts/scan.h"

enum { TEXT_CAP = 32 * 1024 * 1024 };

/* What a line of `LABEL<TAB>VALUE` or `!LABEL<TAB>` speaks of. */
static struct ng_span label_of(struct ng_span line) {
    if (line.len > 0 && line.at[0] == '!') {
        line = ng_span(line.at + 1, line.len - 1);
    }
    return ng_span_until(&line, '\t');
}

static bool has_label(struct ng_span text, struct ng_span label) {
    struct ng_span line;
    while (ng_span_line(&text, &line)) {
        const struct ng_span other = label_of(line);
        if (other.len == label.len && memcmp(other.at, label.at, label.len) == 0) {
            return true;
        }
    }
    return false;
}

/* The lines of `before` that `newer` does not speak of, and those of `newer`. */
static const char *patched(
    struct ng_arena *arena, const struct ng_source *before, struct ng_span newer, size_t *len) {
    struct ng_buf text;
    struct ng_span rest = ng_span(before->text, before->len);
    struct ng_span line;
    ng_buf_init(&text, TEXT_CAP);
    while (ng_span_line(&rest, &line)) {
        if (line.len > 0 && !has_label(newer, label_of(line))) {
            ng_buf_add(&text, line.at, line.len);
            ng_buf_addc(&text, '\n');
        }
    }
    ng_buf_add(&text, newer.at, newer.len);
    *len = text.len;
    const char *copy = ng_arena_strndup(arena, ng_buf_text(&text), text.len);
    ng_buf_release(&text);
    return copy;
}

static struct ng_source *source_of(struct ng_frames *frames, const char *name) {
    for (size_t i = 0; i < frames->count; i++) {
        if (strcmp(frames->items[i].name, name) == 0) {
            return &frames->items[i];
        }
    }
    return NULL;
}

static void put(
    struct ng_frames *frames, struct ng_arena *arena, const struct ng_sample_change *change) {
    struct ng_source *source = source_of(frames, change->source);
    const bool whole =
        strcmp(change->source, "mdstat") == 0 || strcmp(change->source, "mountinfo") == 0;
    if (source == NULL || !ng_source_read(source)) {
        return; /* it was not known before the phase: a part of it would pass for all */
    }
    const struct ng_span text = ng_span(change->text, change->len);
    size_t len = text.len;
    source->text = whole ? text.at : patched(arena, source, text, &len);
    source->len = len;
    struct ng_source *after = source_of(frames, "mountinfo.after");
    if (strcmp(change->source, "mountinfo") == 0 && after != NULL) {
        after->state = NG_SOURCE_READ;
        after->text = source->text;
        after->len = source->len;
    }
}

struct ng_facts *ng_samples_facts(const struct ng_samples *samples, size_t sample,
    const struct ng_facts *before, struct ng_arena *arena) {
    struct ng_frames frames = before->frames;
    frames.items = ng_arena_array(arena, frames.count + 1, sizeof *frames.items);
    for (size_t i = 0; i < frames.count; i++) {
        frames.items[i] = before->frames.items[i];
    }
    for (size_t i = 0; i < samples->change_count; i++) {
        if (samples->changes[i].sample > sample) {
            break;
        }
        bool last = true; /* of its source, up to this sample */
        for (size_t j = i + 1; j < samples->change_count && last; j++) {
            last = samples->changes[j].sample > sample ||
                   strcmp(samples->changes[j].source, samples->changes[i].source) != 0;
            if (samples->changes[j].sample > sample) {
                break;
            }
        }
        if (last) {
            put(&frames, arena, &samples->changes[i]);
        }
    }
    return ng_facts_of_frames(arena, before->host, &frames);
}
