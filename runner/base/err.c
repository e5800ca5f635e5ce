/** err.c - setting and wrapping the one error object. */
#include "runner/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CUT_MARK "..."

static const char *const words[] = {
#define X(name, word) [name] = (word),
    NG_ERR_KINDS(X)
#undef X
};

const char *ng_err_kind_word(enum ng_err_kind kind) {
    size_t index = (size_t)kind;
    return index < NG_COUNT(words) ? words[index] : words[NG_ERR_INTERNAL];
}

/** Marks a text that filled its array, without leaving half a code point before the mark. */
static void mark_cut(char text[NG_ERR_TEXT_MAX]) {
    size_t end = NG_ERR_TEXT_MAX - sizeof CUT_MARK;
    while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80) {
        end--;
    }
    memcpy(text + end, CUT_MARK, sizeof CUT_MARK);
}

/** Formats into a text of its own, because the arguments may point into the error. */
NG_PRINTF(2, 0)
static void print(char text[NG_ERR_TEXT_MAX], const char *format, va_list args) {
    int len = vsnprintf(text, NG_ERR_TEXT_MAX, format, args);
    if (len < 0) {
        text[0] = '\0';
    } else if (len >= NG_ERR_TEXT_MAX) {
        mark_cut(text);
    }
}

/** One line: whatever would start a new one, or steer a terminal, becomes a blank. */
static void flatten(char *text) {
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7F) {
            *text = ' ';
        }
    }
}

bool ng_err_set(struct ng_err *err, enum ng_err_kind kind, const char *format, ...) {
    if (err == NULL) {
        return false;
    }
    char text[NG_ERR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    print(text, format, args);
    va_end(args);
    flatten(text);
    err->kind = kind;
    memcpy(err->text, text, strlen(text) + 1);
    return false;
}

bool ng_err_set_errno(
    struct ng_err *err, enum ng_err_kind kind, int number, const char *format, ...) {
    char context[NG_ERR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    print(context, format, args);
    va_end(args);
    return ng_err_set(err, kind, "%s: %s", context, strerror(number));
}

bool ng_err_wrap(struct ng_err *err, const char *format, ...) {
    if (err == NULL) {
        return false;
    }
    char context[NG_ERR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    print(context, format, args);
    va_end(args);
    if (err->kind == NG_ERR_NONE) { /* someone failed without saying why: that is a bug of ours */
        return ng_err_set(err, NG_ERR_INTERNAL, "%s: failed without a reason", context);
    }
    return ng_err_set(err, err->kind, "%s: %s", context, err->text);
}
