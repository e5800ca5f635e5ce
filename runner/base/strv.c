/** strv.c - vectors of strings, and words quoted for a POSIX shell. */
#include "runner/base/strv.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/arena.h"

void ng_strv_release(struct ng_strv *strv) {
    for (size_t i = 0; i < strv->count; i++) {
        free(strv->items[i]);
    }
    free(strv->items);
    *strv = (struct ng_strv){0};
}

/** Takes ownership of `text`. */
static void push_owned(struct ng_strv *strv, char *text) {
    if (strv->count >= NG_STRV_MAX) {
        abort();
    }
    if (strv->count + 2 > strv->room) {
        strv->room = strv->room == 0 ? 16 : strv->room * 2;
        strv->items = ng_xrealloc(strv->items, strv->room * sizeof *strv->items);
    }
    strv->items[strv->count] = text;
    strv->count++;
    strv->items[strv->count] = NULL;
}

void ng_strv_push(struct ng_strv *strv, const char *text) {
    push_owned(strv, ng_xstrdup(text));
}

void ng_strv_pushf(struct ng_strv *strv, const char *format, ...) {
    struct ng_buf text;
    ng_buf_init(&text, SIZE_MAX);
    va_list args;
    va_start(args, format);
    ng_buf_addv(&text, format, args);
    va_end(args);
    push_owned(strv, ng_buf_detach(&text));
}

void ng_strv_pushv(struct ng_strv *strv, const char *const *items) {
    for (size_t i = 0; items != NULL && items[i] != NULL; i++) {
        ng_strv_push(strv, items[i]);
    }
}

const char *const *ng_strv_argv(const struct ng_strv *strv) {
    static const char *const none[] = {NULL};
    return strv->items == NULL ? none : (const char *const *)strv->items;
}

/** True if the word would be an assignment in the place of a command. */
static bool is_assignment(const char *word) {
    static const char name[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    return word[strspn(word, name)] == '=';
}

/** Words that a shell takes for its own in the place of a command, unless they are quoted. */
static bool is_reserved(const char *word) {
    static const char *const reserved[] = {"case", "coproc", "do", "done", "elif", "else", "esac",
        "fi", "for", "function", "if", "in", "select", "then", "time", "until", "while"};
    for (size_t i = 0; i < NG_COUNT(reserved); i++) {
        if (strcmp(word, reserved[i]) == 0) {
            return true;
        }
    }
    return false;
}

void ng_shell_quote(struct ng_buf *out, const char *word) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
    if (*word != '\0' && word[strspn(word, plain)] == '\0' && !is_assignment(word) &&
        !is_reserved(word)) {
        ng_buf_adds(out, word);
        return;
    }
    ng_buf_addc(out, '\'');
    while (*word != '\0') {
        size_t run = strcspn(word, "'");
        ng_buf_add(out, word, run);
        word += run;
        if (*word == '\'') {
            ng_buf_adds(out, "'\\''");
            word++;
        }
    }
    ng_buf_addc(out, '\'');
}

void ng_shell_quote_all(struct ng_buf *out, const char *const *words) {
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        if (i > 0) {
            ng_buf_addc(out, ' ');
        }
        ng_shell_quote(out, words[i]);
    }
}
