/** fuzz_jsonscan.c - any bytes as an engine's output: the scan keeps its promises. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/jsonscan.h"

/** What was repaired is valid: jansson writes it and reads it back, and a second scan changes
 * nothing. */
static void check_document(const json_t *doc) {
    char *text = json_dumps(doc, JSON_COMPACT);
    struct ng_jsonscan again;
    if (text == NULL) {
        abort();
    }
    ng_jsonscan_init(&again, text, strlen(text));
    if (again.count != 1 || again.rest.len != 0 || !json_equal(again.docs[0], doc)) {
        abort();
    }
    ng_jsonscan_release(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_jsonscan scan;
    ng_jsonscan_init(&scan, (const char *)data, size);
    if (scan.count > NG_JSON_DOCS_MAX || scan.rest.len > NG_JSON_REST_MAX ||
        scan.rest.len + scan.rest.cut + 2 * scan.count > size) {
        abort();
    }
    for (size_t i = 0; i < scan.count; i++) {
        double number;
        check_document(scan.docs[i]);
        (void)ng_json_number(scan.docs[i], "a.b", &number);
        (void)ng_json_string(scan.docs[i], "a");
    }
    ng_jsonscan_release(&scan);
    return 0;
}
