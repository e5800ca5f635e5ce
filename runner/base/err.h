/**
 * err.h - the one error object.
 *
 * Every function that can fail returns bool (or a pointer) and takes `struct ng_err *err` as its
 * last parameter. On success the object is untouched; on failure it holds a kind, which decides
 * the exit code, and one line of text for a person. Callers add context with ng_err_wrap on the
 * way up; only runner/cli prints. The text is bounded: what does not fit is cut and marked.
 * `err` may be NULL where the caller only needs to know that it failed.
 */
#ifndef NG_BASE_ERR_H
#define NG_BASE_ERR_H

#include <stdbool.h>

#include "runner/base/guard.h"

#define NG_ERR_TEXT_MAX 1024

/** What went wrong, by who has to act. The second column is the word that results use. */
#define NG_ERR_KINDS(X)                                                                            \
    X(NG_ERR_NONE, "none")                                                                         \
    X(NG_ERR_USAGE, "usage")       /* the command line, or an output folder that cannot be used */ \
    X(NG_ERR_PLAN, "plan")         /* the plan's text */                                           \
    X(NG_ERR_FILE, "file")         /* reading or writing one of our own files */                   \
    X(NG_ERR_FULL, "full")         /* the same, since its file system has no room left */          \
    X(NG_ERR_HOST, "host")         /* a host could not be reached or a command not started */      \
    X(NG_ERR_ENGINE, "engine")     /* an engine failed or its output cannot be believed */         \
    X(NG_ERR_DEADLINE, "deadline") /* something took longer than it may */                         \
    X(NG_ERR_FORMAT, "format")     /* text from outside that does not follow its format */         \
    X(NG_ERR_LIMIT, "limit")       /* a bound of ours was hit */                                   \
    X(NG_ERR_STOPPED, "stopped")   /* the user asked us to stop */                                 \
    X(NG_ERR_INTERNAL, "internal") /* a bug of ours */

enum ng_err_kind {
#define X(name, word) name,
    NG_ERR_KINDS(X)
#undef X
};

struct ng_err {
    enum ng_err_kind kind;
    char text[NG_ERR_TEXT_MAX];
};

/** The word for a kind, for results and messages. Never NULL. */
const char *ng_err_kind_word(enum ng_err_kind kind);

/** Sets kind and text, replacing what was there. Always returns false, to be returned onwards. */
bool ng_err_set(struct ng_err *err, enum ng_err_kind kind, const char *format, ...) NG_PRINTF(3, 4);

/** Like ng_err_set, with ": " and the text of errno `number` behind it. Returns false. */
bool ng_err_set_errno(
    struct ng_err *err, enum ng_err_kind kind, int number, const char *format, ...) NG_PRINTF(4, 5);

/** Puts "context: " before the text that is there. Keeps the kind. Returns false. */
bool ng_err_wrap(struct ng_err *err, const char *format, ...) NG_PRINTF(2, 3);

#endif
