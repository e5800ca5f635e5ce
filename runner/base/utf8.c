/** utf8.c - decoding and validating UTF-8. */
#include "runner/base/utf8.h"

#include "runner/base/text.h"

/** What a lead byte says: how many bytes follow, its own bits, and the range of the first of them.
 */
struct lead {
    unsigned follow;
    uint32_t bits;
    unsigned char low, high;
};

/* Unicode 15, table 3-7: well-formed UTF-8 byte sequences. */
static struct lead read_lead(unsigned char c) {
    struct lead lead = {.low = 0x80, .high = 0xBF};
    if (c >= 0xC2 && c <= 0xDF) {
        lead.follow = 1;
        lead.bits = c & 0x1FU;
    } else if (c >= 0xE0 && c <= 0xEF) {
        lead.follow = 2;
        lead.bits = c & 0x0FU;
        lead.low = c == 0xE0 ? 0xA0 : 0x80;
        lead.high = c == 0xED ? 0x9F : 0xBF;
    } else if (c >= 0xF0 && c <= 0xF4) {
        lead.follow = 3;
        lead.bits = c & 0x07U;
        lead.low = c == 0xF0 ? 0x90 : 0x80;
        lead.high = c == 0xF4 ? 0x8F : 0xBF;
    }
    return lead;
}

uint32_t ng_utf8_decode(const char *bytes, size_t len, size_t *used) {
    unsigned char first = (unsigned char)bytes[0];
    *used = 1;
    if (first < 0x80) {
        return first;
    }
    struct lead lead = read_lead(first);
    if (lead.follow == 0) {
        return NG_UTF8_BAD;
    }
    uint32_t code = lead.bits;
    for (unsigned i = 0; i < lead.follow; i++) {
        unsigned char c = *used < len ? (unsigned char)bytes[*used] : 0;
        if (c < lead.low || c > lead.high) {
            return NG_UTF8_BAD;
        }
        code = code << 6 | (c & 0x3FU);
        lead.low = 0x80;
        lead.high = 0xBF;
        (*used)++;
    }
    return code;
}

bool ng_utf8_valid(const char *bytes, size_t len, size_t *bad) {
    size_t at = 0;
    while (at < len) {
        size_t used;
        if (ng_utf8_decode(bytes + at, len - at, &used) == NG_UTF8_BAD) {
            if (bad != NULL) {
                *bad = at;
            }
            return false;
        }
        at += used;
    }
    return true;
}
