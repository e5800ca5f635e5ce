/* Fuzzes the reports: whatever result.json can be read, every report can be written from it. */
#include <stdint.h>

#include "reports/writers/writer.h"
#include "runner/result/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_result *result = ng_result_read((const char *)data, size, NULL);
    for (size_t i = 0; result != NULL && i < ng_writer_count; i++) {
        struct ng_buf out;
        struct ng_err err = {0};
        ng_buf_init(&out, NG_REPORT_BYTES_MAX);
        if (!ng_writers[i]->write(result, &out, &err)) {
            __builtin_trap(); /* libxml2 could not write, or not read back, what we gave it */
        }
        ng_buf_release(&out);
    }
    ng_result_free(result);
    return 0;
}
