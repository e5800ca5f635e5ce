/* Fuzzes the reader of result.json: what is read can be written, and read again. */
#include <stdint.h>

#include "runner/result/store.h"

enum { CAP = 8 * 1024 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_err err = {0};
    struct ng_result *result = ng_result_read((const char *)data, size, &err);
    if (result == NULL) {
        if (err.text[0] == '\0') {
            __builtin_trap(); /* a refusal without a reason */
        }
        return 0;
    }
    struct ng_buf out;
    ng_buf_init(&out, CAP);
    ng_result_write(result, &out);
    ng_result_free(result);
    struct ng_result *again = ng_result_read(ng_buf_text(&out), out.len, &err);
    if (again == NULL && out.cut == 0) {
        __builtin_trap();
    }
    ng_result_free(again);
    ng_buf_release(&out);
    return 0;
}
