/** number.c - numbers to and from text, with a dot in every locale. */
#include "runner/base/number.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/arena.h"
#include "runner/base/units.h"

enum { NUMBER_BYTES_MAX = 127 };

#define EXACT_INTEGER 9007199254740992.0 /* 2^53 */

static locale_t c_locale(void) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0) {
        ng_oom();
    }
    return c;
}

const char *ng_number_scientific(double value, int precision, char out[NG_NUMBER_TEXT]) {
    locale_t c = c_locale(), before = uselocale(c);
    snprintf(out, NG_NUMBER_TEXT, "%.*e", precision, value);
    uselocale(before);
    freelocale(c);
    return out;
}

const char *ng_number_general(double value, int precision, char out[NG_NUMBER_TEXT]) {
    locale_t c = c_locale(), before = uselocale(c);
    snprintf(out, NG_NUMBER_TEXT, "%.*g", precision, value);
    uselocale(before);
    freelocale(c);
    return out;
}

static double to_double(const char *text) {
    locale_t c = c_locale();
    double value = strtod_l(text, NULL, c);
    freelocale(c);
    return value;
}

static size_t digits(const char *text, size_t len, size_t at) {
    size_t from = at;
    while (at < len && text[at] >= '0' && text[at] <= '9') {
        at++;
    }
    return at - from;
}

size_t ng_number_length(const char *text, size_t len) {
    size_t at = digits(text, len, 0);
    if (at == 0) {
        return 0;
    }
    if (at < len && text[at] == '.' && digits(text, len, at + 1) > 0) {
        at += 1 + digits(text, len, at + 1);
    }
    if (at < len && (text[at] == 'e' || text[at] == 'E')) {
        size_t sign = at + 1 < len && (text[at + 1] == '+' || text[at + 1] == '-') ? 1 : 0;
        size_t exponent = digits(text, len, at + 1 + sign);
        at += exponent == 0 ? 0 : 1 + sign + exponent;
    }
    return at;
}

size_t ng_number_scan(const char *text, size_t len, double *out) {
    size_t at = ng_number_length(text, len);
    if (at == 0 || at > NUMBER_BYTES_MAX) {
        return 0;
    }
    char copy[NUMBER_BYTES_MAX + 1];
    memcpy(copy, text, at);
    copy[at] = '\0';
    double value = to_double(copy);
    if (!isfinite(value)) {
        return 0;
    }
    *out = value;
    return at;
}

const char *ng_number_format(double value, char out[NG_QUANTITY_TEXT]) {
    if (!isfinite(value)) {
        snprintf(out, NG_QUANTITY_TEXT, "null");
        return out;
    }
    if (fabs(value) <= EXACT_INTEGER && value == trunc(value)) {
        snprintf(out, NG_QUANTITY_TEXT, "%" PRId64, (int64_t)value); /* -0 becomes 0 */
        return out;
    }
    char text[NG_NUMBER_TEXT];
    for (int precision = 15; precision <= 17; precision++) {
        ng_number_general(value, precision, text);
        if (to_double(text) == value) {
            break;
        }
    }
    memcpy(out, text, sizeof text);
    return out;
}
