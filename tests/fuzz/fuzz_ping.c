/* fuzz_ping.c - any bytes as ping's output must give counts that make sense or an error. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "runner/engines/ping.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_ping_text text;
    struct ng_err err = {0};
    size_t half = size / 2;
    if (ng_ping_read(
            (const char *)data, size, (const char *)data + half, size - half, &text, &err) &&
        (!(text.printed_loss >= 0 && text.printed_loss <= 1) || text.avg < text.min)) {
        abort();
    }
    return 0;
}
