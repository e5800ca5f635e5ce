/** clip.c - the beginning and the end of a long text. */
#include "runner/base/clip.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/arena.h"

enum { NOTE_ROOM = 64, CAP_WITH_NOTE = 2 * NOTE_ROOM };

void ng_clip_init(struct ng_clip *clip, size_t cap) {
    *clip = (struct ng_clip){0};
    ng_buf_init(&clip->head, cap);
}

void ng_clip_release(struct ng_clip *clip) {
    ng_buf_release(&clip->head);
    free(clip->ring);
    clip->ring = NULL;
}

/** The end that is shown is at most half of the cap. */
static size_t ring_size(const struct ng_clip *clip) {
    return clip->head.cap / 2;
}

static void add_to_ring(struct ng_clip *clip, const char *bytes, size_t len) {
    size_t size = ring_size(clip);
    if (len > size) {
        bytes += len - size;
        len = size;
    }
    size_t first = len < size - clip->ring_at ? len : size - clip->ring_at;
    memcpy(clip->ring + clip->ring_at, bytes, first);
    memcpy(clip->ring, bytes + first, len - first);
    clip->ring_at = (clip->ring_at + len) % size;
}

void ng_clip_add(struct ng_clip *clip, const char *bytes, size_t len) {
    struct ng_buf *head = &clip->head;
    size_t before = head->len;
    ng_buf_add(head, bytes, len);
    if (head->cut == 0 || head->cap < CAP_WITH_NOTE) {
        return;
    }
    if (clip->ring == NULL) { /* the first byte over the cap: the ring begins with what is there */
        clip->ring = ng_xmalloc(ring_size(clip));
        add_to_ring(clip, head->data, head->len);
    }
    size_t kept = head->len - before;
    if (len > kept) {
        add_to_ring(clip, bytes + kept, len - kept);
    }
}

static bool continues(char c) {
    return ((unsigned char)c & 0xC0) == 0x80;
}

/** The longest beginning of the head that has at most `len` bytes and whole code points. */
static size_t head_within(const struct ng_clip *clip, size_t len) {
    if (len >= clip->head.len && clip->head.cut == 0) {
        return clip->head.len;
    }
    len = len < clip->head.len ? len : clip->head.len;
    if (len == clip->head.len) { /* what follows is not known: drop the last code point if broken */
        size_t start = len;
        while (start > 0 && continues(clip->head.data[start - 1])) {
            start--;
        }
        if (start == 0) {
            return 0;
        }
        unsigned char lead = (unsigned char)clip->head.data[start - 1];
        size_t need = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        return len - (start - 1) >= need ? len : start - 1;
    }
    while (len > 0 && continues(clip->head.data[len])) {
        len--;
    }
    return len;
}

static void finish_without_note(const struct ng_clip *clip, struct ng_buf *out) {
    static const char mark[] = "...";
    size_t cap = clip->head.cap, room = cap < 2 * (sizeof mark - 1) ? cap : cap - (sizeof mark - 1);
    ng_buf_add(out, ng_buf_text(&clip->head), head_within(clip, room));
    if (room < cap) {
        ng_buf_adds(out, mark);
    }
}

void ng_clip_finish(const struct ng_clip *clip, char edge, struct ng_buf *out) {
    const struct ng_buf *head = &clip->head;
    if (head->cut == 0) {
        ng_buf_add(out, ng_buf_text(head), head->len);
        return;
    }
    if (head->cap < CAP_WITH_NOTE) {
        finish_without_note(clip, out);
        return;
    }
    size_t size = ring_size(clip);
    char *tail = ng_xmalloc(size); /* the ring, in order */
    memcpy(tail, clip->ring + clip->ring_at, size - clip->ring_at);
    memcpy(tail + size - clip->ring_at, clip->ring, clip->ring_at);

    size_t shown = (head->cap - NOTE_ROOM) / 2, first = head_within(clip, shown);
    size_t from = size - shown;
    while (from < size && continues(tail[from])) {
        from++;
    }
    ng_buf_add(out, head->data, first);
    ng_buf_addf(out, "%c[... %zu bytes cut ...]%c", edge,
        head->len + head->cut - first - (size - from), edge);
    ng_buf_add(out, tail + from, size - from);
    free(tail);
}
