/* Small readers that all sources share. */
#include "runner/facts/scan.h"

#include <string.h>

struct ng_span ng_span(const char *at, size_t len) {
    return (struct ng_span){at, len};
}

static void skip(struct ng_span *span, size_t count) {
    if (count > 0) { /* an empty span may be NULL */
        span->at += count;
        span->len -= count;
    }
}

bool ng_span_line(struct ng_span *rest, struct ng_span *line) {
    if (rest->len == 0) {
        return false;
    }
    const char *end = memchr(rest->at, '\n', rest->len);
    size_t len = end == NULL ? rest->len : (size_t)(end - rest->at);
    *line = ng_span(rest->at, len);
    skip(rest, end == NULL ? len : len + 1);
    if (line->len > 0 && line->at[line->len - 1] == '\r') {
        line->len--;
    }
    return true;
}

bool ng_span_cut(struct ng_span text) {
    return text.len > 0 && text.at[text.len - 1] != '\n';
}

struct ng_span ng_span_lines(const char *text, size_t len) {
    const char *last = len == 0 ? NULL : memrchr(text, '\n', len);
    return ng_span(text, last == NULL ? 0 : (size_t)(last - text) + 1);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool ng_span_word(struct ng_span *rest, struct ng_span *word) {
    while (rest->len > 0 && is_blank(rest->at[0])) {
        skip(rest, 1);
    }
    if (rest->len == 0) {
        return false;
    }
    size_t len = 0;
    while (len < rest->len && !is_blank(rest->at[len])) {
        len++;
    }
    *word = ng_span(rest->at, len);
    skip(rest, len);
    return true;
}

struct ng_span ng_span_until(struct ng_span *rest, char separator) {
    const char *end = rest->len == 0 ? NULL : memchr(rest->at, separator, rest->len);
    size_t len = end == NULL ? rest->len : (size_t)(end - rest->at);
    struct ng_span piece = ng_span(rest->at, len);
    skip(rest, end == NULL ? len : len + 1);
    return piece;
}

struct ng_span ng_span_trim(struct ng_span span) {
    while (span.len > 0 && (is_blank(span.at[0]) || span.at[0] == '\r')) {
        skip(&span, 1);
    }
    while (span.len > 0 && (is_blank(span.at[span.len - 1]) || span.at[span.len - 1] == '\r')) {
        span.len--;
    }
    return span;
}

bool ng_span_is(struct ng_span span, const char *text) {
    size_t len = strlen(text);
    return span.len == len && (len == 0 || memcmp(span.at, text, len) == 0);
}

bool ng_span_begins(struct ng_span span, const char *text) {
    size_t len = strlen(text);
    return span.len >= len && (len == 0 || memcmp(span.at, text, len) == 0);
}

struct ng_span ng_span_after(struct ng_span span, const char *text) {
    size_t len = strlen(text);
    const char *found = span.len == 0 ? NULL : memmem(span.at, span.len, text, len);
    if (found == NULL) {
        return ng_span(NULL, 0);
    }
    skip(&span, (size_t)(found - span.at) + len);
    return span;
}

bool ng_span_has(struct ng_span span, char c) {
    return span.len > 0 && memchr(span.at, c, span.len) != NULL;
}

char *ng_span_dup(struct ng_arena *arena, struct ng_span span) {
    return ng_arena_strndup(arena, span.len == 0 ? "" : span.at, span.len);
}

bool ng_span_digits(struct ng_span *rest, int64_t *out) {
    int64_t value = 0;
    size_t used = 0;
    while (used < rest->len && rest->at[used] >= '0' && rest->at[used] <= '9') {
        int digit = rest->at[used] - '0';
        if (value > (INT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
        used++;
    }
    if (used == 0) {
        return false;
    }
    skip(rest, used);
    *out = value;
    return true;
}

bool ng_span_int(struct ng_span span, int64_t *out) {
    bool negative = span.len > 0 && span.at[0] == '-';
    if (negative) {
        skip(&span, 1);
    }
    int64_t value = 0;
    if (!ng_span_digits(&span, &value) || span.len != 0) {
        return false;
    }
    *out = negative ? -value : value;
    return true;
}

bool ng_span_count(struct ng_span *rest, int64_t *out) {
    struct ng_span word;
    return ng_span_word(rest, &word) && ng_span_int(word, out) && *out >= 0;
}

bool ng_span_fraction(struct ng_span *rest, int64_t *part, int64_t *whole) {
    struct ng_span word;
    if (!ng_span_word(rest, &word)) {
        return false;
    }
    struct ng_span first = ng_span_until(&word, '/');
    return ng_span_int(first, part) && ng_span_int(word, whole) && *part >= 0 && *whole >= 0;
}
