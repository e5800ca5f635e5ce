/** json_text.c - strings and numbers as engines really print them. */
#include "runner/base/json_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "runner/base/number.h"
#include "runner/base/units.h"
#include "runner/base/utf8.h"

enum { HEX_DIGITS = 4 };

static void add_replacement(struct ng_buf *out) {
    ng_buf_add(out, NG_UTF8_REPLACEMENT, sizeof NG_UTF8_REPLACEMENT - 1);
}

/** A code point that is a scalar value and not NUL, as UTF-8. */
static void add_code_point(struct ng_buf *out, uint32_t code) {
    char bytes[4];
    size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    for (size_t i = len - 1; i > 0; i--) {
        bytes[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    bytes[0] = (char)(lead[len] | code);
    ng_buf_add(out, bytes, len);
}

/** The value of the four digits of "\uXXXX" whose backslash is at `at`; -1 if it is no such escape.
 */
static int32_t unicode_escape(const struct ng_json_cursor *cursor, size_t at) {
    if (cursor->len - at < 2 + HEX_DIGITS || cursor->text[at] != '\\' ||
        cursor->text[at + 1] != 'u') {
        return -1;
    }
    int32_t value = 0;
    for (size_t i = 0; i < HEX_DIGITS; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        char c = cursor->text[at + 2 + i];
        const char *digit = c == '\0' ? NULL : strchr(digits, c);
        if (digit == NULL) {
            return -1;
        }
        value = value * 16 + (int32_t)((digit - digits) % 16);
    }
    return value;
}

static bool is_high(int32_t unit) {
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low(int32_t unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

/** Handles the escape at the cursor, which is not at the end of the text. */
static void read_escape(struct ng_json_cursor *cursor, struct ng_buf *out) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    int32_t unit = unicode_escape(cursor, cursor->at);
    if (unit >= 0) {
        cursor->at += 2 + HEX_DIGITS;
        int32_t next = is_high(unit) ? unicode_escape(cursor, cursor->at) : -1;
        if (is_high(unit) && is_low(next)) {
            cursor->at += 2 + HEX_DIGITS;
            add_code_point(
                out, 0x10000 + ((uint32_t)(unit - 0xD800) << 10) + (uint32_t)(next - 0xDC00));
        } else if (unit == 0 || is_high(unit) || is_low(unit)) {
            add_replacement(out);
        } else {
            add_code_point(out, (uint32_t)unit);
        }
        return;
    }
    char c = cursor->text[cursor->at + 1];
    const char *name = c == '\0' ? NULL : strchr(names, c);
    if (name == NULL) { /* no escape of JSON: the backslash stands for itself */
        ng_buf_addc(out, '\\');
        cursor->at++;
        return;
    }
    ng_buf_addc(out, values[name - names]);
    cursor->at += 2;
}

/** The number of bytes that need no look: ASCII but NUL, quote and backslash. */
static size_t plain_run(const char *bytes, size_t len) {
    size_t run = 0;
    while (run < len && (unsigned char)(bytes[run] - 1) < 0x7F && bytes[run] != '"' &&
           bytes[run] != '\\') {
        run++;
    }
    return run;
}

/** Copies bytes up to the next quote or backslash, repaired. */
static void read_run(struct ng_json_cursor *cursor, struct ng_buf *out) {
    while (cursor->at < cursor->len) {
        const char *bytes = cursor->text + cursor->at;
        if (*bytes == '"' || *bytes == '\\') {
            return;
        }
        size_t used = plain_run(bytes, cursor->len - cursor->at);
        uint32_t code = 'x';
        if (used == 0) {
            code = ng_utf8_decode(bytes, cursor->len - cursor->at, &used);
        }
        if (code == NG_UTF8_BAD || code == 0) {
            add_replacement(out);
        } else {
            ng_buf_add(out, bytes, used);
        }
        cursor->at += used;
    }
}

enum ng_json_got ng_json_read_string(struct ng_json_cursor *cursor, struct ng_buf *out) {
    ng_buf_clear(out);
    cursor->at++;
    for (;;) {
        read_run(cursor, out);
        if (cursor->at >= cursor->len) {
            return NG_JSON_END;
        }
        if (cursor->text[cursor->at] == '"') {
            cursor->at++;
            return NG_JSON_GOT;
        }
        if (cursor->at + 1 >= cursor->len) {
            cursor->at = cursor->len;
            return NG_JSON_END;
        }
        read_escape(cursor, out);
    }
}

static bool is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '+' || c == '-';
}

static bool is(const char *text, size_t len, const char *word) {
    return strlen(word) == len && memcmp(text, word, len) == 0;
}

static bool is_no_number(const char *text, size_t len) {
    static const char *const words[] = {"nan", "inf", "infinity"};
    for (size_t i = 0; i < NG_COUNT(words); i++) {
        if (strlen(words[i]) == len && strncasecmp(text, words[i], len) == 0) {
            return true;
        }
    }
    return false;
}

/** A whole number that fits into 64 bits with its sign; false if it does not. */
static bool read_integer(const char *text, size_t len, json_int_t *out) {
    json_int_t value = 0;
    for (size_t i = 0; i < len; i++) {
        json_int_t digit = text[i] - '0';
        if (digit < 0 || digit > 9 || value > (INT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

/** A number without its sign; NULL if it is none. */
static json_t *read_number(const char *text, size_t len, bool negative) {
    if (len == 0 || ng_number_length(text, len) != len) {
        return NULL;
    }
    json_int_t whole;
    if (read_integer(text, len, &whole)) {
        return json_integer(negative ? -whole : whole);
    }
    double value;
    if (ng_number_scan(text, len, &value) != len) {
        return json_null(); /* beyond double */
    }
    return json_real(negative ? -value : value);
}

enum ng_json_got ng_json_read_scalar(struct ng_json_cursor *cursor, json_t **out) {
    const char *text = cursor->text + cursor->at;
    size_t len = 0, left = cursor->len - cursor->at;
    while (len < left && is_word_char(text[len])) {
        len++;
    }
    bool sign = len > 0 && (*text == '-' || *text == '+');
    const char *body = text + (sign ? 1 : 0);
    size_t body_len = len - (sign ? 1 : 0);
    if (is(text, len, "true") || is(text, len, "false")) {
        *out = json_boolean(*text == 't');
    } else if (is(text, len, "null") || is_no_number(body, body_len)) {
        *out = json_null();
    } else {
        *out = read_number(body, body_len, *text == '-');
    }
    if (*out == NULL) {
        return len == left ? NG_JSON_END : NG_JSON_BAD;
    }
    cursor->at += len;
    return NG_JSON_GOT;
}
