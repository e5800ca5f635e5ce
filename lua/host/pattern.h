/**
 * pattern.h - Lua's patterns, matched within a bound of steps.
 *
 * The library's own matcher runs as long as a pattern backtracks, and no hook sees it. This one
 * counts what it does, so that a pattern ends within the budget of whoever asks. It gives the
 * answers of Lua 5.4 (manual, section 6.4.1), which the tests hold against the library's.
 */
#ifndef NG_HOST_PATTERN_H
#define NG_HOST_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NG_PATTERN_CAPTURES_MAX = 32,
    NG_PATTERN_DEPTH_MAX = 200, /* captures, quantifiers and choices within each other */
    NG_PATTERN_OPEN = -1,       /* length of a capture that has no end yet */
    NG_PATTERN_PLACE = -2,      /* of one that is a place, "()" */
};

struct ng_pattern_capture {
    const char *at;
    ptrdiff_t len;
};

/** A text and a pattern, both borrowed; they may hold any byte. Filled by ng_pattern_begin. */
struct ng_pattern {
    const char *text, *text_end;
    const char *pattern, *pattern_end;
    int64_t steps_left; /* of what was given; below 0: it was not enough, and nothing matches */
    const char *wrong;  /* what is wrong with the pattern; NULL: nothing was found to be */
    int capture_count;
    struct ng_pattern_capture captures[NG_PATTERN_CAPTURES_MAX];
    int depth; /* private */
};

void ng_pattern_begin(struct ng_pattern *pattern, const char *text, size_t text_len,
    const char *source, size_t source_len, int64_t steps);
/** The end of a match that begins at `at`, or NULL. "^" at the start of the pattern has no meaning
 * here: skip it and ask only once. `steps_left` and `wrong` tell why there is none. */
const char *ng_pattern_match(struct ng_pattern *pattern, const char *at);

#endif
