/**
 * clip.h - keeps the beginning and the end of a text of any length in bounded memory, for this
 * folder.
 */
#ifndef NG_BASE_CLIP_H
#define NG_BASE_CLIP_H

#include <stddef.h>

#include "runner/base/buf.h"

struct ng_clip {
    struct ng_buf head; /* the first bytes, up to the cap; its `cut` counts all beyond */
    char *ring;         /* the last bytes, written round and round; NULL until needed */
    size_t ring_at;
};

/** Keeps up to `cap` bytes. */
void ng_clip_init(struct ng_clip *clip, size_t cap);
void ng_clip_release(struct ng_clip *clip);
/** Adds valid UTF-8, one whole code point or more. */
void ng_clip_add(struct ng_clip *clip, const char *bytes, size_t len);
/**
 * Appends at most `cap` bytes to `out`: all, or, when there was more, beginning and end with a note
 * between them, set off by `edge` (a newline or a blank). Cuts on code point boundaries. Where
 * the cap has no room for a note, the beginning with "..." or just the beginning.
 */
void ng_clip_finish(const struct ng_clip *clip, char edge, struct ng_buf *out);

#endif
