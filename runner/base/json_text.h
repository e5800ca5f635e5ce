/**
 * json_text.h - the strings and numbers of not quite JSON, repaired, for this folder.
 */
#ifndef NG_BASE_JSON_TEXT_H
#define NG_BASE_JSON_TEXT_H

#include <jansson.h>
#include <stddef.h>

#include "runner/base/buf.h"

/** What became of an attempt to read something. */
enum ng_json_got {
    NG_JSON_GOT,  /* complete */
    NG_JSON_BAD,  /* not JSON from here on */
    NG_JSON_END,  /* the text ended inside */
    NG_JSON_DEEP, /* deeper than the bound */
};

/** A text and the place up to which it was read. */
struct ng_json_cursor {
    const char *text;
    size_t len;
    size_t at;
};

/**
 * Reads a string whose opening quote is at the cursor; on success the cursor is behind the closing
 * quote and `out` (emptied first) holds valid UTF-8 without NUL: raw control bytes are kept,
 * ill-formed UTF-8, NUL and lone surrogate escapes become U+FFFD, unknown escapes keep their
 * backslash.
 */
enum ng_json_got ng_json_read_string(struct ng_json_cursor *cursor, struct ng_buf *out);

/**
 * Reads a number, true, false, null, nan, inf or infinity (the last three in any case, with or
 * without a sign) at the cursor. What no double can hold and what is no number becomes null, whole
 * numbers beyond 64 bits become real. `*out` is a new reference.
 */
enum ng_json_got ng_json_read_scalar(struct ng_json_cursor *cursor, json_t **out);

#endif
