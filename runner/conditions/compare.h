/**
 * compare.h - a limit that a plan writes as text: ">= 8", "< 100", or 8 for exactly so many.
 */
#ifndef NG_CONDITIONS_COMPARE_H
#define NG_CONDITIONS_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

enum ng_compare_how {
    NG_COMPARE_EQUAL,
    NG_COMPARE_LESS,
    NG_COMPARE_MOST,
    NG_COMPARE_LEAST,
    NG_COMPARE_MORE
};

struct ng_compare {
    enum ng_compare_how how;
    int64_t limit;
};

/** False for what is no such limit. */
bool ng_compare_read(struct ng_compare *compare, const char *text);
bool ng_compare_holds(const struct ng_compare *compare, int64_t value);

#endif
