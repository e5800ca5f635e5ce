/** buf.c - a growing byte buffer with a cap. */
#include "runner/base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/arena.h"

enum { ROOM_MIN = 64 };

void ng_buf_init(struct ng_buf *buf, size_t cap) {
    /* One byte is kept for the NUL, so that len + 1 never overflows. */
    *buf = (struct ng_buf){.cap = cap == SIZE_MAX ? SIZE_MAX - 1 : cap};
}

void ng_buf_release(struct ng_buf *buf) {
    free(buf->data);
    ng_buf_init(buf, buf->cap);
}

void ng_buf_clear(struct ng_buf *buf) {
    buf->len = 0;
    buf->cut = 0;
    if (buf->data != NULL) {
        buf->data[0] = '\0';
    }
}

/** Makes room for `len` more bytes as far as the cap allows, and for the NUL; returns how many fit.
 */
static size_t reserve(struct ng_buf *buf, size_t len) {
    size_t keep = len < buf->cap - buf->len ? len : buf->cap - buf->len;
    size_t cut = len - keep;
    buf->cut = cut > SIZE_MAX - buf->cut ? SIZE_MAX : buf->cut + cut;
    size_t wanted = buf->len + keep + 1;
    if (wanted > buf->room) {
        size_t room = buf->room > SIZE_MAX / 2 ? SIZE_MAX : buf->room * 2;
        room = room < ROOM_MIN ? ROOM_MIN : room;
        room = room > buf->cap + 1 ? buf->cap + 1 : room;
        room = room < wanted ? wanted : room;
        buf->data = ng_xrealloc(buf->data, room);
        buf->room = room;
    }
    return keep;
}

void ng_buf_add(struct ng_buf *buf, const void *data, size_t len) {
    size_t keep = reserve(buf, len);
    if (keep > 0) {
        memcpy(buf->data + buf->len, data, keep);
    }
    buf->len += keep;
    buf->data[buf->len] = '\0';
}

void ng_buf_adds(struct ng_buf *buf, const char *text) {
    ng_buf_add(buf, text, strlen(text));
}

void ng_buf_addc(struct ng_buf *buf, char c) {
    ng_buf_add(buf, &c, 1);
}

void ng_buf_addv(struct ng_buf *buf, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (len < 0) { /* longer than INT_MAX */
        ng_oom();
    }
    size_t keep = reserve(buf, (size_t)len);
    vsnprintf(buf->data + buf->len, keep + 1, format, args);
    buf->len += keep;
}

void ng_buf_addf(struct ng_buf *buf, const char *format, ...) {
    va_list args;
    va_start(args, format);
    ng_buf_addv(buf, format, args);
    va_end(args);
}

const char *ng_buf_text(const struct ng_buf *buf) {
    return buf->data == NULL ? "" : buf->data;
}

char *ng_buf_detach(struct ng_buf *buf) {
    char *data = buf->data == NULL ? ng_xstrdup("") : buf->data;
    ng_buf_init(buf, buf->cap);
    return data;
}
