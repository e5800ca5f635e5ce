/* Fuzzes the cleaning of foreign text: the result is valid UTF-8, and cleaning it again changes
 * nothing. */
#include <stdint.h>
#include <string.h>

#include "runner/base/text.h"

static void check(const char *bytes, size_t len, enum ng_text_mode mode) {
    struct ng_buf once;
    struct ng_buf twice;
    size_t bad = 0;
    const size_t cap = (size_t)8 * NG_TEXT_CAP;
    ng_buf_init(&once, cap * 2);
    ng_buf_init(&twice, cap * 2);
    ng_text_clean(&once, bytes, len, mode, cap);
    ng_text_clean(&twice, ng_buf_text(&once), once.len, mode, cap);
    if (!ng_utf8_valid(ng_buf_text(&once), once.len, &bad)) {
        __builtin_trap();
    }
    if (once.len != twice.len || memcmp(ng_buf_text(&once), ng_buf_text(&twice), once.len) != 0) {
        __builtin_trap();
    }
    ng_buf_clear(&once);
    ng_text_clean(&once, bytes, len, mode, 64);
    if (!ng_utf8_valid(ng_buf_text(&once), once.len, &bad)) {
        __builtin_trap();
    }
    ng_buf_release(&once);
    ng_buf_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check((const char *)data, size, NG_TEXT_BLOCK);
    check((const char *)data, size, NG_TEXT_LINE);
    return 0;
}
