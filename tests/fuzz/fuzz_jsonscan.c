/* Fuzzes the scan for JSON documents in engine output. */
#include <stdint.h>

#include "runner/base/jsonscan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_jsonscan scan;
    ng_jsonscan_init(&scan, (const char *)data, size);
    for (size_t i = 0; i < scan.count; i++) {
        double number = 0;
        ng_json_number(scan.docs[i], "jobs.read.bw", &number);
        if (!json_is_object(scan.docs[i])) {
            __builtin_trap(); /* the scan promises objects */
        }
    }
    if (scan.count > NG_JSON_DOCS_MAX || scan.rest.len > NG_JSON_REST_MAX) {
        __builtin_trap();
    }
    ng_jsonscan_release(&scan);
    return 0;
}
