/* node_source.c - the bytes of a plan, checked before anything reads them as YAML. */
#include "plans/language/node_parts.h"

#include <string.h>

#include "plans/language/node.h"
#include "runner/base/text.h"

static struct ng_pos place_of(const char *file, const char *text, size_t offset) {
    struct ng_pos pos = {file, 1, 1};
    size_t line_start = 0;
    for (size_t i = 0; i < offset; i++) {
        if (text[i] == '\n') {
            pos.line++;
            line_start = i + 1;
        }
    }
    pos.column = 1 + ng_text_columns(text + line_start, offset - line_start);
    return pos;
}

static bool is_utf16(const char *text, size_t len) {
    if (len < 2) {
        return false;
    }
    return memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0 ||
           ((text[0] == '\0') != (text[1] == '\0'));
}

/* The code point at `at` if it is one that a plan may not hold, else 0. Valid UTF-8 only. */
static unsigned forbidden(const char *at) {
    const unsigned char *p = (const unsigned char *)at;
    if (p[0] < 0x20 && p[0] != '\t' && p[0] != '\n' && p[0] != '\r') {
        return p[0];
    }
    if (p[0] == 0x7F) {
        return p[0];
    }
    if (p[0] == 0xC2 && p[1] < 0xA0) {
        return p[1]; /* C1 controls */
    }
    if (p[0] == 0xE2 && p[1] == 0x80 && (p[2] == 0xA8 || p[2] == 0xA9)) {
        return 0x2000U + (p[2] & 0x3FU); /* line and paragraph separator */
    }
    if (p[0] == 0xEF && ((p[1] == 0xBB && p[2] == 0xBF) || (p[1] == 0xBF && p[2] >= 0xBE))) {
        return 0xF000U | ((p[1] & 0x3FU) << 6) | (p[2] & 0x3FU); /* FEFF, FFFE, FFFF */
    }
    return 0;
}

/* Most plans are plain ASCII, and this tells so faster than the checks that name what is wrong. */
static bool is_plain(const char *text, size_t len) {
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c - 0x20U >= 0x5FU && c != '\n' && c != '\r' && c != '\t') {
            return false;
        }
    }
    return true;
}

static bool check_characters(
    const char *file, const char *text, size_t len, struct ng_diags *diags) {
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\0') {
            ng_diag_error(diags, place_of(file, text, i), "encoding",
                "a NUL byte; a plan is text: remove it");
            return false;
        }
        unsigned code = forbidden(text + i);
        if (code != 0) {
            ng_diag_error(diags, place_of(file, text, i), "encoding",
                "the character U+%04X cannot stand in a plan; remove it", code);
            return false;
        }
    }
    return true;
}

bool ng_source_check(const char *file, const char **text, size_t *len, struct ng_diags *diags) {
    struct ng_pos whole = {file, 0, 0};
    if (*len > NG_PLAN_BYTES_MAX) {
        ng_diag_error(diags, whole, "too-large", "%zu bytes; a plan has at most %d MiB", *len,
            NG_PLAN_BYTES_MAX / (1024 * 1024));
        return false;
    }
    if (is_plain(*text, *len)) {
        return true;
    }
    if (is_utf16(*text, *len)) {
        ng_diag_error(diags, whole, "encoding", "this looks like UTF-16; save the plan as UTF-8");
        return false;
    }
    size_t bad = 0;
    if (!ng_utf8_valid(*text, *len, &bad)) {
        ng_diag_error(diags, place_of(file, *text, bad), "encoding",
            "the byte 0x%02X is not valid UTF-8 here; save the plan as UTF-8",
            (unsigned)(unsigned char)(*text)[bad]);
        return false;
    }
    if (*len >= 3 && memcmp(*text, "\xEF\xBB\xBF", 3) == 0) {
        *text += 3;
        *len -= 3;
    }
    return check_characters(file, *text, *len, diags);
}
