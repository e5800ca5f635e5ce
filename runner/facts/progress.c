/* How far a job is and how long it takes, in the spellings of storage tools. */
#include "runner/facts/progress.h"

#include <string.h>

#include "runner/base/units.h"

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

double ng_progress_percent(struct ng_span text) {
    const char *end = text.len == 0 ? NULL : memchr(text.at, '%', text.len);
    if (end == NULL) {
        return -1;
    }
    const char *from = end;
    while (from > text.at && (is_digit(from[-1]) || from[-1] == '.' || from[-1] == ',')) {
        from--;
    }
    char number[32];
    size_t len = (size_t)(end - from);
    double percent;
    if (len == 0 || len >= sizeof number) {
        return -1;
    }
    memcpy(number, from, len);
    for (size_t i = 0; i < len; i++) {
        number[i] = number[i] == ',' ? '.' : number[i];
    }
    if (ng_number_scan(number, len, &percent) != len) {
        return -1;
    }
    return percent > 100 ? 100 : percent;
}

/* seconds += number * unit; false on overflow. */
static bool add(int64_t *seconds, int64_t number, int64_t unit) {
    int64_t part;
    return !__builtin_mul_overflow(number, unit, &part) &&
           !__builtin_add_overflow(*seconds, part, seconds);
}

/* "02:55:32", "0:07:01", "07:01" */
static bool add_clock(int64_t *seconds, struct ng_span word) {
    int64_t value = 0;
    int parts = 0;
    if (!ng_span_has(word, ':')) {
        return false;
    }
    for (; word.len > 0; parts++) {
        int64_t number;
        if (parts == 3 || !ng_span_int(ng_span_until(&word, ':'), &number) || number < 0 ||
            __builtin_mul_overflow(value, 60, &value) ||
            __builtin_add_overflow(value, number, &value)) {
            return false;
        }
    }
    return parts >= 2 && add(seconds, value, 1);
}

static int64_t unit_of(char letter) {
    switch (letter) {
    case 'd':
        return 86400;
    case 'h':
        return 3600;
    case 'm':
        return 60;
    case 's':
        return 1;
    default:
        return 0;
    }
}

/* "3h12m", "1d2h" */
static bool add_units(int64_t *seconds, struct ng_span word) {
    while (word.len > 0) {
        int64_t number;
        if (!ng_span_digits(&word, &number) || word.len == 0 || unit_of(word.at[0]) == 0 ||
            !add(seconds, number, unit_of(word.at[0]))) {
            return false;
        }
        word = ng_span(word.at + 1, word.len - 1);
    }
    return true;
}

/* "1 days": the number was read, its unit is the next word. */
static bool add_named(int64_t *seconds, int64_t number, struct ng_span *rest) {
    static const char *const names[] = {"day", "hour", "min", "sec"};
    struct ng_span unit;
    if (number < 0 || !ng_span_word(rest, &unit)) {
        return false;
    }
    for (size_t i = 0; i < NG_COUNT(names); i++) {
        if (ng_span_begins(unit, names[i])) {
            return add(seconds, number, unit_of(names[i][0]));
        }
    }
    return false;
}

int64_t ng_progress_duration(struct ng_span text) {
    int64_t seconds = 0, number, ns;
    struct ng_span word;
    bool some = false;
    while (ng_span_word(&text, &word)) {
        bool good = ng_span_int(word, &number)
                        ? add_named(&seconds, number, &text)
                        : add_clock(&seconds, word) || add_units(&seconds, word);
        if (!good) {
            return -1;
        }
        some = true;
    }
    return some && !__builtin_mul_overflow(seconds, INT64_C(1000000000), &ns) ? ns : -1;
}
