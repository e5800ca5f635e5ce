/* Fuzzes the reports: whatever result.json can be read, every report can be written from it. */
#include <stdint.h>

#include "reports/writers/writer.h"
#include "runner/result/store.h"

static bool put(void *context, const char *file, const struct ng_buf *text, struct ng_err *err) {
    (void)context;
    (void)file;
    (void)text;
    (void)err;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_result *result = ng_result_read((const char *)data, size, NULL);
    for (size_t i = 0; result != NULL && i < ng_writer_count; i++) {
        const struct ng_sink sink = {put, NULL};
        struct ng_err err = {0};
        if (!ng_writer_emit(ng_writers[i], result, &sink, &err)) {
            __builtin_trap(); /* libxml2 could not write, or not read back, what we gave it */
        }
    }
    ng_result_free(result);
    return 0;
}
