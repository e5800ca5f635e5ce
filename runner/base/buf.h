/**
 * buf.h - a growing byte buffer with a cap.
 *
 * The cap is given at init. What would grow past it is dropped, and `cut` counts the bytes dropped,
 * so that hitting the bound is a fact that can be reported. The content is always followed by a NUL
 * that is not part of `len`.
 */
#ifndef NG_BASE_BUF_H
#define NG_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

#include "runner/base/guard.h"

struct ng_buf {
    char *data;  /* never NULL after the first append; see ng_buf_text */
    size_t len;  /* bytes kept */
    size_t cut;  /* bytes dropped because of the cap */
    size_t room; /* private */
    size_t cap;
};

void ng_buf_init(struct ng_buf *buf, size_t cap);
void ng_buf_release(struct ng_buf *buf);
/** Empties the buffer and keeps its memory and cap. */
void ng_buf_clear(struct ng_buf *buf);

void ng_buf_add(struct ng_buf *buf, const void *data, size_t len);
void ng_buf_adds(struct ng_buf *buf, const char *text);
void ng_buf_addc(struct ng_buf *buf, char c);
void ng_buf_addf(struct ng_buf *buf, const char *format, ...) NG_PRINTF(2, 3);
void ng_buf_addv(struct ng_buf *buf, const char *format, va_list args) NG_PRINTF(2, 0);
/** The content as a string; "" for an empty buffer. Valid until the next call on the buffer. */
const char *ng_buf_text(const struct ng_buf *buf);
/** Gives the malloc'd content away (never NULL) and leaves the buffer empty: read
 *  `len` and `cut` before. */
char *ng_buf_detach(struct ng_buf *buf);

#endif
