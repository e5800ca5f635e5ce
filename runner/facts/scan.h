/**
 * scan.h - small readers that all sources share: lines, words, whole numbers.
 */
#ifndef NG_FACTS_SCAN_H
#define NG_FACTS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"

/** A piece of a text; not terminated. */
struct ng_span {
    const char *at;
    size_t len;
};

/** A text of `len` bytes as a span. */
struct ng_span ng_span(const char *at, size_t len);
/** Takes the next line off `rest`, without its LF or CR LF; false at the end. */
bool ng_span_line(struct ng_span *rest, struct ng_span *line);
/** True for a text whose last line has no end, as no tool and no file of the kernel prints it: the
 * text was cut off, and what the line says may be the beginning of something else. */
bool ng_span_cut(struct ng_span text);
/** Its lines that have an end: of "5120" half a line would say 512. */
struct ng_span ng_span_lines(const char *text, size_t len);
/** Takes the next word off `rest`; blanks and tabs separate; false at the end. */
bool ng_span_word(struct ng_span *rest, struct ng_span *word);
/** Takes what stands before the first `separator` off `rest`, and the separator; all of it without
 * one. */
struct ng_span ng_span_until(struct ng_span *rest, char separator);
/** Without blanks, tabs and CR at both ends. */
struct ng_span ng_span_trim(struct ng_span span);

bool ng_span_is(struct ng_span span, const char *text);
bool ng_span_begins(struct ng_span span, const char *text);
/** The rest of `span` behind the first occurrence of `text`; `at` is NULL if there is none. */
struct ng_span ng_span_after(struct ng_span span, const char *text);
bool ng_span_has(struct ng_span span, char c);
/** A NUL-terminated copy. */
char *ng_span_dup(struct ng_arena *arena, struct ng_span span);

/** The whole span as a decimal number, with a minus sign allowed; false for anything else or
 * overflow. */
bool ng_span_int(struct ng_span span, int64_t *out);
/** Takes the next word off `rest`, which must be a number that is not negative. */
bool ng_span_count(struct ng_span *rest, int64_t *out);
/** Takes the next word off `rest`, which must be "12/34". */
bool ng_span_fraction(struct ng_span *rest, int64_t *part, int64_t *whole);
/** Digits at the beginning of `rest`, taken off it; false if there are none or they overflow. */
bool ng_span_digits(struct ng_span *rest, int64_t *out);

#endif
