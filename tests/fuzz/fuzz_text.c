/** fuzz_text.c - any bytes as foreign text: what comes out is safe, bounded and stays as it is. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/base/units.h"

/** Valid UTF-8 without what the header says is never let through. */
static void check_safe(const struct ng_buf *text, enum ng_text_mode mode) {
    if (!ng_utf8_valid(ng_buf_text(text), text->len, NULL)) {
        abort();
    }
    for (size_t i = 0; i < text->len; i++) {
        unsigned char c = (unsigned char)text->data[i];
        if (c == 0x7F || (c < 0x20 && (mode == NG_TEXT_LINE || (c != '\n' && c != '\t')))) {
            abort();
        }
    }
}

static void check_mode(const char *bytes, size_t len, enum ng_text_mode mode, size_t cap) {
    struct ng_buf once, twice;
    ng_buf_init(&once, SIZE_MAX);
    ng_buf_init(&twice, SIZE_MAX);
    ng_text_clean(&once, bytes, len, mode, cap);
    check_safe(&once, mode);
    ng_text_clean(&twice, ng_buf_text(&once), once.len, mode, cap);
    if (once.len > cap || twice.len != once.len ||
        memcmp(ng_buf_text(&once), ng_buf_text(&twice), once.len) != 0) {
        abort();
    }
    ng_buf_release(&once);
    ng_buf_release(&twice);
}

/** A quantity that is understood prints as one that is understood as well. */
static void check_quantity(const char *bytes, size_t len) {
    struct ng_arena arena = {0};
    const char *text = ng_arena_strndup(&arena, bytes, len);
    struct ng_quantity q, back;
    struct ng_err err;
    if (ng_quantity_parse(text, &q, &err)) {
        char out[NG_QUANTITY_TEXT];
        ng_quantity_format(q, out);
        if (!ng_quantity_parse(out, &back, &err) || !ng_dim_equal(q.dim, back.dim)) {
            abort();
        }
        ng_number_format(q.value, out);
        if (ng_number_scan(out, strlen(out), &back.value) != strlen(out) || back.value < q.value ||
            back.value > q.value) {
            abort();
        }
    }
    ng_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *bytes = (const char *)data;
    size_t cap = size == 0 ? 0 : (size_t)data[0] * 3;
    check_mode(bytes, size, NG_TEXT_BLOCK, cap);
    check_mode(bytes, size, NG_TEXT_LINE, cap);
    check_mode(bytes, size, NG_TEXT_BLOCK, NG_TEXT_CAP);
    check_mode(bytes, size, NG_TEXT_LINE, NG_TEXT_CAP);
    check_quantity(bytes, size);
    return 0;
}
