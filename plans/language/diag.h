/**
 * diag.h - what is wrong with a plan, where, and what to write instead.
 *
 * Loading never stops at the first error: everything goes into one list, which is then sorted by
 * place and printed as `file:line:column: error: text [rule]`, the shape that compilers use and
 * editors and CI read. Texts are made single lines that are safe to print. At most NG_DIAGS_MAX
 * are kept, errors before warnings; the rest is counted.
 */
#ifndef NG_LANGUAGE_DIAG_H
#define NG_LANGUAGE_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/arena.h"
#include "runner/base/buf.h"
#include "runner/base/guard.h"

enum { NG_DIAGS_MAX = 200 };

/** A place in a file. Lines and columns count from 1, columns in code points; line 0 is the file as
 * a whole. `file` is borrowed; a list of diags keeps its own copy. */
struct ng_pos {
    const char *file;
    int line;
    int column;
};

enum ng_severity { NG_SEVERITY_ERROR, NG_SEVERITY_WARNING };

struct ng_diag {
    enum ng_severity severity;
    struct ng_pos pos;
    const char *rule; /* a short fixed word such as "unknown-key"; see rules.h */
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

void ng_diag_error(struct ng_diags *diags, struct ng_pos pos, const char *rule, const char *format,
    ...) NG_PRINTF(4, 5);
void ng_diag_warning(struct ng_diags *diags, struct ng_pos pos, const char *rule,
    const char *format, ...) NG_PRINTF(4, 5);
/** Whether no further error would be kept: then suggestions need not be computed. */
bool ng_diags_full(const struct ng_diags *diags);
/** A text from the plan for a message: clean, in double quotes, cut at 80 characters. Lives in the
 *  list's arena. "" when the list is full. */
const char *ng_diag_quote(struct ng_diags *diags, const char *text);
/** `; did you mean "NEAREST"?`, or "" when nothing is near. Lives in the list's arena. */
const char *ng_diag_hint(
    struct ng_diags *diags, const char *word, const char *const *candidates, size_t count);
/** Sorts by file, line, column; stable. What stands twice is kept once: an aliased node is checked
 * at each of its uses, but has one place. */
void ng_diags_sort(struct ng_diags *diags);
/** Appends all of them, a line each, and a line that counts what was dropped. */
void ng_diags_format(const struct ng_diags *diags, struct ng_buf *out);

#endif
