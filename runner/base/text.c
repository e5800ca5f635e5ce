/** text.c - small helpers over strings. */
#include "runner/base/text.h"

#include <stdint.h>
#include <string.h>

enum { WORD_MAX = 63, DISTANCE_MAX = 2, NAME_MAX_BYTES = 63 };

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/** Optimal string alignment distance of two words of at most WORD_MAX bytes. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len) {
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_len; j++) {
        above[j] = j;
    }
    for (size_t i = 1; i <= a_len; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = smaller(changed, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = smaller(row[j], before[j - 2] + 1);
            }
        }
        size_t *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[b_len];
}

const char *ng_text_nearest(const char *word, const char *const *candidates, size_t count) {
    size_t len = strlen(word);
    if (len > WORD_MAX) {
        return NULL;
    }
    const char *nearest = NULL;
    size_t bound = len < DISTANCE_MAX + 1 ? len : DISTANCE_MAX + 1; /* to be undercut */
    for (size_t i = 0; i < count; i++) {
        size_t other = candidates[i] == NULL ? SIZE_MAX : strnlen(candidates[i], WORD_MAX + 1);
        if (other > WORD_MAX || (other > len ? other - len : len - other) >= bound) {
            continue;
        }
        size_t found = distance(word, len, candidates[i], other);
        if (found < bound) {
            bound = found;
            nearest = candidates[i];
        }
    }
    return nearest;
}

bool ng_text_is_name(const char *text) {
    static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    static const char more[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    if (strspn(text, first) == 0) {
        return false;
    }
    size_t len = strspn(text, more);
    return text[len] == '\0' && len <= NAME_MAX_BYTES;
}
