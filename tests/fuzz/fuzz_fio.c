/* fuzz_fio.c - any bytes as fio's output must give a result or an error, never harm. */
#include <stddef.h>
#include <stdint.h>

#include "runner/base/jsonscan.h"
#include "runner/engines/fio.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena = {0};
    struct ng_jsonscan scan;
    ng_jsonscan_init(&scan, (const char *)data, size);
    for (size_t i = 0; i < scan.count; i++) {
        struct ng_fio_report report;
        struct ng_err err = {0};
        if (ng_fio_read(&arena, scan.docs[i], &report, &err)) {
            (void)ng_fio_add_up(&report, false);
            (void)ng_fio_add_up(&report, true);
        }
    }
    ng_jsonscan_release(&scan);
    ng_arena_release(&arena);
    return 0;
}
