/* Fuzzes the marks in a stream: however it is cut, the same comes out. */
#include <stdint.h>
#include <string.h>

#include "runner/transport/marks.h"

static void feed(struct ng_marks *marks, const char *bytes, size_t len, size_t piece) {
    ng_marks_init(marks, "NGt", 1 << 20);
    for (size_t at = 0; at < len; at += piece) {
        ng_marks_feed(marks, bytes + at, len - at < piece ? len - at : piece);
    }
    ng_marks_finish(marks);
}

static void same(const struct ng_buf *a, const struct ng_buf *b) {
    if (a->len != b->len || (a->len > 0 && memcmp(a->data, b->data, a->len) != 0)) {
        __builtin_trap();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_marks whole;
    struct ng_marks cut;
    if (size == 0) {
        return 0;
    }
    feed(&whole, (const char *)data, size, size);
    feed(&cut, (const char *)data, size, 1 + data[0] % 7);
    same(&whole.body, &cut.body);
    same(&whole.noise, &cut.noise);
    if (whole.started != cut.started || whole.ready != cut.ready || whole.ended != cut.ended ||
        whole.rc != cut.rc || whole.leftovers != cut.leftovers) {
        __builtin_trap();
    }
    ng_marks_release(&whole);
    ng_marks_release(&cut);
    return 0;
}
