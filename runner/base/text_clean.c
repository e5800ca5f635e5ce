/** text_clean.c - foreign bytes as text that XML, a terminal and a log can hold. */
#include "runner/base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "runner/base/clip.h"
#include "runner/base/utf8.h"

enum { ESC = 0x1B, BEL = 0x07 };

/** Where cleaned text goes. */
struct sink {
    struct ng_clip clip;
    enum ng_text_mode mode;
    size_t blanks; /* line mode: blanks seen and not yet known to be inside the text */
    bool begun;    /* line mode: something other than a blank was seen */
};

static void put(struct sink *sink, const char *bytes, size_t len) {
    for (; sink->blanks > 0; sink->blanks--) {
        ng_clip_add(&sink->clip, " ", 1);
    }
    sink->begun = true;
    ng_clip_add(&sink->clip, bytes, len);
}

static void put_space(struct sink *sink, char c) {
    if (sink->mode == NG_TEXT_BLOCK) {
        ng_clip_add(&sink->clip, &c, 1);
    } else if (sink->begun) {
        sink->blanks++;
    }
}

static void put_visible(struct sink *sink, uint32_t code) {
    char text[16];
    int len = snprintf(text, sizeof text, code <= 0xFF ? "\\x%02X" : "\\u{%X}", (unsigned)code);
    put(sink, text, (size_t)len);
}

static bool between(unsigned char c, unsigned low, unsigned high) {
    return c >= low && c <= high;
}

/** A control string (OSC, DCS, SOS, PM, APC) from its introducer to BEL or ESC \; 0 if it does not
 * end before the next control character, so that one stray byte cannot hide what follows. */
static size_t control_string(const char *bytes, size_t len) {
    for (size_t i = 2; i < len; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == BEL) {
            return i + 1;
        }
        if (c == ESC) {
            return i + 1 < len && bytes[i + 1] == '\\' ? i + 2 : 0;
        }
        if (c < 0x20) {
            return 0;
        }
    }
    return 0;
}

/** The length of the ANSI sequence (ECMA-48) that starts with the ESC at `bytes`; 0 if it is none.
 */
static size_t ansi_sequence(const char *bytes, size_t len) {
    if (len < 2) {
        return 0;
    }
    unsigned char second = (unsigned char)bytes[1];
    size_t i = 1;
    if (second == '[') {
        for (i = 2; i < len && between((unsigned char)bytes[i], 0x30, 0x3F); i++) {}
        for (; i < len && between((unsigned char)bytes[i], 0x20, 0x2F); i++) {}
        return i < len && between((unsigned char)bytes[i], 0x40, 0x7E) ? i + 1 : 0;
    }
    if (strchr("]PX^_", second) != NULL && second != '\0') {
        return control_string(bytes, len);
    }
    for (; i < len && between((unsigned char)bytes[i], 0x20, 0x2F); i++) {}
    return i < len && between((unsigned char)bytes[i], 0x30, 0x7E) ? i + 1 : 0;
}

/** True for what XML 1.0 forbids and for what steers a terminal or the reading direction. */
static bool is_unsafe(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0xFFFE || code == 0xFFFF ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

static void put_code_point(struct sink *sink, const char *bytes, size_t len, uint32_t code) {
    if (code == NG_UTF8_BAD) {
        put(sink, NG_UTF8_REPLACEMENT, sizeof NG_UTF8_REPLACEMENT - 1);
    } else if (code == ' ' || code == '\t' || code == '\n') {
        put_space(sink, (char)code);
    } else if (is_unsafe(code)) {
        put_visible(sink, code);
    } else {
        put(sink, bytes, len);
    }
}

/** The number of visible ASCII characters at `bytes`: most of most texts, taken in one piece. */
static size_t plain_run(const char *bytes, size_t len) {
    size_t run = 0;
    while (run < len && bytes[run] > ' ' && bytes[run] < 0x7F) {
        run++;
    }
    return run;
}

static void clean(struct sink *sink, const char *bytes, size_t len) {
    size_t at = 0;
    while (at < len) {
        size_t used = plain_run(bytes + at, len - at);
        if (used > 0) {
            put(sink, bytes + at, used);
            at += used;
            continue;
        }
        used = bytes[at] == ESC ? ansi_sequence(bytes + at, len - at) : 0;
        if (used == 0 && bytes[at] == '\r') {
            used = at + 1 < len && bytes[at + 1] == '\n' ? 2 : 1;
            put_space(sink, '\n');
        } else if (used == 0) {
            uint32_t code = ng_utf8_decode(bytes + at, len - at, &used);
            put_code_point(sink, bytes + at, used, code);
        }
        at += used;
    }
}

void ng_text_clean(
    struct ng_buf *out, const char *bytes, size_t len, enum ng_text_mode mode, size_t cap) {
    struct sink sink = {.mode = mode};
    ng_clip_init(&sink.clip, cap);
    clean(&sink, bytes, len);
    ng_clip_finish(&sink.clip, mode == NG_TEXT_BLOCK ? '\n' : ' ', out);
    ng_clip_release(&sink.clip);
}

char *ng_text_clean_dup(
    struct ng_arena *arena, const char *bytes, size_t len, enum ng_text_mode mode, size_t cap) {
    struct ng_buf text;
    ng_buf_init(&text, cap);
    ng_text_clean(&text, bytes, len, mode, cap);
    char *copy = ng_arena_strndup(arena, ng_buf_text(&text), text.len);
    ng_buf_release(&text);
    return copy;
}
