/**
 * strv.h - NULL-terminated vectors of strings, for argv and environments, and the one quoting
 * function. A vector owns its strings. Appending to a vector of NG_STRV_MAX strings is an internal
 * bug and aborts.
 */
#ifndef NG_BASE_STRV_H
#define NG_BASE_STRV_H

#include <stddef.h>

#include "runner/base/buf.h"
#include "runner/base/guard.h"

#define NG_STRV_MAX 4096

struct ng_strv {
    char **items; /* items[count] is NULL once anything was pushed; see ng_strv_argv */
    size_t count;
    size_t room; /* private */
};

/** Zero-initialise a vector to make an empty one. */
void ng_strv_release(struct ng_strv *strv);
void ng_strv_push(struct ng_strv *strv, const char *text);
void ng_strv_pushf(struct ng_strv *strv, const char *format, ...) NG_PRINTF(2, 3);
void ng_strv_pushv(struct ng_strv *strv, const char *const *items);
/** The vector in the shape that exec wants; valid until the next push. */
const char *const *ng_strv_argv(const struct ng_strv *strv);

/** Appends one word, quoted so that any POSIX shell reads it back as exactly that word. */
void ng_shell_quote(struct ng_buf *out, const char *word);
/** Appends all words, quoted and separated by blanks. */
void ng_shell_quote_all(struct ng_buf *out, const char *const *words);

#endif
