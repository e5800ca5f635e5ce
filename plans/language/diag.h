/**
 * diag.h - what is wrong with a plan, where, and what to write instead.
 *
 * Loading never stops at the first error: everything goes into one list, which is then sorted by
 * place and printed as `file:line:column: error: text [rule]`, the shape that compilers use and
 * editors and CI read. Texts are single lines, already safe to print (the adder cleans what comes
 * from the plan). At most NG_DIAGS_MAX are kept; the rest is counted.
 */
#ifndef NG_LANGUAGE_DIAG_H
#define NG_LANGUAGE_DIAG_H

#include <stddef.h>

#include "runner/base/arena.h"
#include "runner/base/buf.h"
#include "runner/base/guard.h"

enum { NG_DIAGS_MAX = 200 };

/** A place in a file. Lines and columns count from 1, columns in code points; line 0 is the file as a
 *  whole. `file` is borrowed and outlives the plan's arena user. */
struct ng_pos {
    const char *file;
    int line;
    int column;
};

enum ng_severity { NG_SEVERITY_ERROR, NG_SEVERITY_WARNING };

struct ng_diag {
    enum ng_severity severity;
    struct ng_pos pos;
    const char *rule; /* a short fixed word such as "unknown-key"; see docs/rules.md */
    const char *text;
};

struct ng_diags {
    struct ng_arena *arena; /* holds texts and the array; set by the owner before use */
    struct ng_diag *items;
    size_t count;
    size_t capacity;
    size_t errors;
    size_t warnings;
    size_t dropped;
};

void ng_diag_error(
    struct ng_diags *diags, struct ng_pos pos, const char *rule, const char *format, ...)
    NG_PRINTF(4, 5);
void ng_diag_warning(
    struct ng_diags *diags, struct ng_pos pos, const char *rule, const char *format, ...)
    NG_PRINTF(4, 5);
/** Sorts by file, line, column; stable. */
void ng_diags_sort(struct ng_diags *diags);
/** Appends all of them, a line each, and a line that counts what was dropped. */
void ng_diags_format(const struct ng_diags *diags, struct ng_buf *out);

#endif
