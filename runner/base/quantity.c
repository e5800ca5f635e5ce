/** quantity.c - quantities for people: four significant digits in a fitting unit. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/guard.h"
#include "runner/base/number.h"
#include "runner/base/units.h"

enum { DIGITS = 4, ZEROS_MAX = 12 };

/** A number rounded to four significant digits: 0.d1 d2 d3 d4 times ten to the `point`. */
struct rounded {
    char digits[DIGITS + 1]; /* without zeros at the end */
    int point;               /* how many digits stand before the dot; may be negative */
};

static struct rounded round_digits(double value) {
    char text[NG_NUMBER_TEXT]; /* d.ddde-xx */
    ng_number_scientific(value, DIGITS - 1, text);
    struct rounded result = {.digits = {text[0], text[2], text[3], text[4]}};
    for (int i = DIGITS - 1; i > 0 && result.digits[i] == '0'; i--) {
        result.digits[i] = '\0';
    }
    const char *exponent = strchr(text, 'e');
    result.point = value == 0 || exponent == NULL ? 1 : (int)strtol(exponent + 1, NULL, 10) + 1;
    return result;
}

/** Writes the number without an exponent; the caller knows that `point` is within ZEROS_MAX. */
static void print_digits(const struct rounded *number, int point, char *out, size_t size) {
    int count = (int)strlen(number->digits);
    static const char zeros[] = "000000000000";
    if (point <= 0) {
        snprintf(out, size, "0.%.*s%s", -point, zeros, number->digits);
    } else if (point >= count) {
        snprintf(out, size, "%s%.*s", number->digits, point - count, zeros);
    } else {
        snprintf(out, size, "%.*s.%s", point, number->digits, number->digits + point);
    }
}

/** Prints a positive number with the prefix out of `units` that leaves one to three digits before
 * the dot. units[i] stands for 1000^(first + i). */
static void print_scaled(
    double value, const char *const *units, int count, int first, char *out, size_t size) {
    struct rounded number = round_digits(value);
    int group = (number.point - 1 + 330) / 3 - 110; /* rounds down, also below 0 */
    group = group < first ? first : group;
    group = group > first + count - 1 ? first + count - 1 : group;
    int point = number.point - 3 * group;
    char text[NG_NUMBER_TEXT];
    if (point > ZEROS_MAX || point < -ZEROS_MAX / 2) {
        ng_number_general(value / pow(1000, group), DIGITS, text);
    } else {
        print_digits(&number, point, text, sizeof text);
    }
    const char *unit = units[group - first];
    snprintf(out, size, "%s%s%s", text, *unit == '\0' ? "" : " ", unit);
}

/** A size is told in the unit that it has: a whole number of binary units, else of decimal ones
 * where four digits say all, else rounded in binary units, as those of disks and files mostly are.
 */
static void print_size(double bytes, char *out, size_t size) {
    static const char *const binary[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    static const char *const decimal[] = {"B", "kB", "MB", "GB", "TB"};
    const int last = (int)NG_COUNT(binary) - 1;
    for (int i = last; i > 0; i--) {
        double count = ldexp(bytes, -10 * i);
        if (count >= 1 && count < 10000 && count == trunc(count)) {
            snprintf(out, size, "%d %s", (int)count, binary[i]);
            return;
        }
    }
    char text[NG_NUMBER_TEXT];
    double told = 0;
    ng_number_scientific(bytes, DIGITS - 1, text);
    bool exact = ng_number_scan(text, strlen(text), &told) > 0 && told == bytes;
    if (exact || bytes < 1024) {
        print_scaled(bytes, decimal, last + 1, 0, out, size);
        return;
    }
    int unit = 0;
    while (unit < last && bytes >= 1023.95 * ldexp(1, 10 * unit)) {
        unit++;
    }
    print_scaled(ldexp(bytes, -10 * unit), &binary[unit], 1, 0, out, size);
}

static void print_duration(double seconds, char *out, size_t size) {
    static const char *const small[] = {"ns", "us", "ms", "s"};
    static const char *const minutes[] = {"min"}, *const hours[] = {"h"}, *const days[] = {"d"};
    if (seconds < 120) {
        print_scaled(seconds, small, 4, -3, out, size);
    } else if (seconds < 7200) {
        print_scaled(seconds / 60, minutes, 1, 0, out, size);
    } else if (seconds < 172800) {
        print_scaled(seconds / 3600, hours, 1, 0, out, size);
    } else {
        print_scaled(seconds / 86400, days, 1, 0, out, size);
    }
}

static void print_positive(struct ng_quantity q, char *out, size_t size) {
    static const char *const rates[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    const char *word = ng_dim_word(q.dim);
    if (ng_dim_equal(q.dim, NG_DIM_SIZE)) {
        print_size(q.value, out, size);
    } else if (ng_dim_equal(q.dim, NG_DIM_RATE)) {
        print_scaled(q.value, rates, 5, 0, out, size);
    } else if (ng_dim_equal(q.dim, NG_DIM_TIME)) {
        print_duration(q.value, out, size);
    } else if (ng_dim_equal(q.dim, NG_DIM_NONE)) {
        if (q.value == trunc(q.value) && q.value < 1e15) {
            snprintf(out, size, "%" PRId64, (int64_t)q.value); /* counts are exact */
        } else {
            print_scaled(q.value, &(const char *){""}, 1, 0, out, size);
        }
    } else {
        print_scaled(q.value, &word, 1, 0, out, size);
    }
}

const char *ng_quantity_format(struct ng_quantity q, char out[NG_QUANTITY_TEXT]) {
    if (!isfinite(q.value)) {
        const char *word = isnan(q.value) ? "unknown" : q.value < 0 ? "-infinite" : "infinite";
        snprintf(out, NG_QUANTITY_TEXT, "%s", word);
        return out;
    }
    bool negative = q.value < 0;
    out[0] = '-';
    q.value = fabs(q.value);
    print_positive(q, out + (negative ? 1 : 0), NG_QUANTITY_TEXT - 1);
    return out;
}

const char *ng_rate_format_bits(double bytes_per_s, char out[NG_QUANTITY_TEXT]) {
    static const char *const units[] = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};
    double bits = bytes_per_s * 8;
    if (!isfinite(bits)) {
        return ng_quantity_format((struct ng_quantity){bits, NG_DIM_RATE}, out);
    }
    out[0] = '-';
    print_scaled(fabs(bits), units, 5, 0, out + (bits < 0 ? 1 : 0), NG_QUANTITY_TEXT - 1);
    return out;
}
