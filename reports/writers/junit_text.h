/**
 * junit_text.h - text in a JUnit file: what every reader of one can take.
 *
 * The same filter for every string, attribute or text: see ng_text_clean. Everything lives in the
 * arena.
 */
#ifndef NG_WRITERS_JUNIT_TEXT_H
#define NG_WRITERS_JUNIT_TEXT_H

#include "runner/base/arena.h"

enum {
    NG_JUNIT_NAME = 190,
    NG_JUNIT_MESSAGE = 200,
    NG_JUNIT_PART = 60,
    NG_JUNIT_VALUE = 2000,
    NG_JUNIT_BODY = 65536
};

/** One clean line of at most `max_chars` code points, `instead` when nothing is left. */
const char *ng_junit_line(
    struct ng_arena *arena, const char *text, int max_chars, const char *instead);
/** Clean text with its line breaks, at most NG_JUNIT_BODY bytes: head and tail are kept. */
const char *ng_junit_body(struct ng_arena *arena, const char *text);
/** A part of a class name: dots (packages in Jenkins), slashes and blanks become hyphens. */
const char *ng_junit_part(struct ng_arena *arena, const char *text);

#endif
