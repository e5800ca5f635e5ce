/**
 * text.h - text from outside, made safe to show, and small helpers over strings.
 */
#ifndef NG_BASE_TEXT_H
#define NG_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/arena.h"
#include "runner/base/buf.h"

#define NG_TEXT_CAP 65536 /* bytes of one foreign text in a report: reference for JUnit readers */

enum ng_text_mode {
    NG_TEXT_BLOCK, /* keeps newlines and tabs */
    NG_TEXT_LINE,  /* newlines and tabs become blanks, ends trimmed */
};

/**
 * Appends foreign bytes as text that XML 1.0, a terminal and a log can hold, in this order: ANSI
 * sequences (CSI, OSC, two-byte escapes) dropped; invalid UTF-8 becomes U+FFFD; code points outside
 * tab, LF, CR, U+0020..D7FF, U+E000..FFFD, U+10000..10FFFF, and C1 controls, bidirectional
 * overrides (U+202A..202E, U+2066..2069) and DEL, become a visible \xNN or \u{N}; CR LF and CR
 * become LF; what is longer than `cap` bytes loses its middle, on code point boundaries, with a
 * note that says how much was cut, so that at most `cap` bytes come out (below 128 bytes there is
 * no room for the note: the end is cut and marked with "..."). Idempotent on its own output. Memory
 * is bounded by the cap, time is linear.
 */
void ng_text_clean(
    struct ng_buf *out, const char *bytes, size_t len, enum ng_text_mode mode, size_t cap);
/** The same into an arena. */
char *ng_text_clean_dup(
    struct ng_arena *arena, const char *bytes, size_t len, enum ng_text_mode mode, size_t cap);

/** True if the bytes are valid UTF-8 (no surrogates, no overlong forms); else *bad (may be NULL) is
 *  the offset of the first that is not. */
bool ng_utf8_valid(const char *bytes, size_t len, size_t *bad);

/**
 * The candidate nearest to `word` in Damerau-Levenshtein distance (optimal string alignment), at
 * most 2 and less than the word's length; NULL if none. Ties go to the first.
 */
const char *ng_text_nearest(const char *word, const char *const *candidates, size_t count);

/** True for a name that plans may give to things: [A-Za-z0-9][A-Za-z0-9_.-]*, at most 63 bytes. */
bool ng_text_is_name(const char *text);

#endif
