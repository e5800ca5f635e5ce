/**
 * frame.h - the collector's output as named sources.
 *
 * A frame is `TOKEN B name` on its own line, the raw bytes, one newline more, `TOKEN E name rc`.
 * `TOKEN A name` says that the host has no such source, `TOKEN L name` that it did not answer
 * within its time limit, and `TOKEN Z end` that the collector reached its end. What stands before
 * the first token, or between frames, is ignored. A frame without its end is cut off; whatever has
 * no frame was not reached.
 */
#ifndef NG_FACTS_FRAME_H
#define NG_FACTS_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/arena.h"

enum { NG_FRAMES_MAX = 4096, NG_FRAME_NAME_MAX = 63 };

enum ng_source_state {
    NG_SOURCE_MISSING, /* no frame: not asked, or the collector never got there */
    NG_SOURCE_ABSENT,  /* the host has no such file or command */
    NG_SOURCE_LATE,    /* it did not answer in time: a hung device or server */
    NG_SOURCE_CUT,     /* the output ends inside the frame; text holds the whole lines that came */
    NG_SOURCE_FAILED,  /* a status other than 0; text holds what was printed */
    NG_SOURCE_READ,    /* text is complete */
};

/** One raw source. `text` is NUL-terminated, may hold any byte, and is never NULL. */
struct ng_source {
    const char *name;
    enum ng_source_state state;
    int rc; /* of FAILED */
    const char *text;
    size_t len;
};

struct ng_frames {
    struct ng_source *items;
    size_t count, capacity;
    size_t dropped;     /* frames beyond NG_FRAMES_MAX */
    bool complete;      /* the end of the collector was seen */
    const char *reason; /* why nothing or not all is known; NULL when complete, nothing dropped */
};

/** Splits the output. `token` is one word. Never fails. */
void ng_frames_parse(struct ng_frames *frames, struct ng_arena *arena, const char *token,
    const char *bytes, size_t len);
/** The source of that name; one in state MISSING where there is none. Never NULL. */
const struct ng_source *ng_frames_find(const struct ng_frames *frames, const char *name);
/** True for a source whose text can be parsed to its end. */
bool ng_source_read(const struct ng_source *source);
/** In words, why a source cannot be used: "there is no /proc/mdstat", "... did not answer in 3 s".
 *  `what` is the source in words. */
const char *ng_source_why(const struct ng_frames *frames, const struct ng_source *source,
    const char *what, struct ng_arena *arena);

#endif
