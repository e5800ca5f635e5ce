/**
 * cut.h - foreign text as one short, safe line.
 */
#ifndef NG_WRITERS_CUT_H
#define NG_WRITERS_CUT_H

#include <stddef.h>

#include "runner/base/arena.h"

/** Code points of a UTF-8 text. */
size_t ng_chars(const char *text);
/** One clean line of at most `max_chars` code points; what was longer ends in "...". Never NULL;
 * NULL gives "". */
const char *ng_cut_line(struct ng_arena *arena, const char *text, size_t max_chars);

#endif
