/* A limit that a plan writes as text. */
#include "runner/conditions/compare.h"

#include <string.h>

#include "runner/facts/scan.h"

bool ng_compare_read(struct ng_compare *compare, const char *text) {
    static const struct {
        const char *word;
        enum ng_compare_how how;
    } rows[] = {
        {">=", NG_COMPARE_LEAST},
        {"<=", NG_COMPARE_MOST},
        {"==", NG_COMPARE_EQUAL},
        {">", NG_COMPARE_MORE},
        {"<", NG_COMPARE_LESS},
        {"", NG_COMPARE_EQUAL},
    };
    const struct ng_span span = ng_span_trim(ng_span(text, strlen(text)));
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const size_t len = strlen(rows[i].word);
        if (ng_span_begins(span, rows[i].word)) {
            compare->how = rows[i].how;
            return ng_span_int(
                       ng_span_trim(ng_span(span.at + len, span.len - len)), &compare->limit) &&
                   compare->limit >= 0;
        }
    }
    return false;
}

bool ng_compare_holds(const struct ng_compare *compare, int64_t value) {
    switch (compare->how) {
    case NG_COMPARE_LESS:
        return value < compare->limit;
    case NG_COMPARE_MOST:
        return value <= compare->limit;
    case NG_COMPARE_LEAST:
        return value >= compare->limit;
    case NG_COMPARE_MORE:
        return value > compare->limit;
    case NG_COMPARE_EQUAL:
        break;
    }
    return value == compare->limit;
}
