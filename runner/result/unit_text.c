/* unit_text.c - dimensions as text in data files, and back. */
#include "runner/result/unit_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "byte^128" is the longest; room for any int keeps compilers quiet. */
enum { POWER_TEXT = 20 };

/** "byte^3" for a positive power; "" for none. */
static const char *power(const char *unit, int exponent, char out[POWER_TEXT]) {
    if (exponent <= 0) {
        return "";
    }
    if (exponent == 1) {
        snprintf(out, POWER_TEXT, "%s", unit);
    } else {
        snprintf(out, POWER_TEXT, "%s^%d", unit, exponent);
    }
    return out;
}

const char *ng_unit_text(struct ng_dim dim, char out[NG_UNIT_TEXT]) {
    char parts[4][POWER_TEXT];
    const char *data_over = power("byte", dim.data, parts[0]);
    const char *time_over = power("s", dim.time, parts[1]);
    const char *data_under = power("byte", -dim.data, parts[2]);
    const char *time_under = power("s", -dim.time, parts[3]);
    bool over = data_over[0] != '\0' || time_over[0] != '\0';
    bool both = data_over[0] != '\0' && time_over[0] != '\0';
    snprintf(out, NG_UNIT_TEXT, "%s%s%s%s%s%s%s%s", over ? "" : "1", data_over, both ? "*" : "",
        time_over, data_under[0] != '\0' ? "/" : "", data_under, time_under[0] != '\0' ? "/" : "",
        time_under);
    return out;
}

/** Takes "UNIT" or "UNIT^N" off the front of *at and adds its power; false when it is not there. */
static bool take(const char **at, const char *unit, int sign, int *exponent) {
    size_t len = strlen(unit);
    if (strncmp(*at, unit, len) != 0) {
        return false;
    }
    *at += len;
    long count = 1;
    if (**at == '^') {
        char *end;
        count = strtol(*at + 1, &end, 10);
        *at = end;
    }
    if (count < 1 || count > 128) {
        return false;
    }
    *exponent += sign * (int)count;
    return *exponent >= -128 && *exponent <= 127;
}

bool ng_unit_text_read(const char *text, struct ng_dim *out) {
    int data = 0;
    int time = 0;
    int sign = 1;
    const char *at = text;
    if (*at == '1') {
        at++;
    } else if (!take(&at, "byte", 1, &data) && !take(&at, "s", 1, &time)) {
        return false;
    }
    while (*at != '\0') {
        if (*at != '*' && *at != '/') {
            return false;
        }
        sign = *at++ == '*' ? 1 : -1;
        if (!take(&at, "byte", sign, &data) && !take(&at, "s", sign, &time)) {
            return false;
        }
    }
    *out = (struct ng_dim){(int8_t)data, (int8_t)time};
    // One spelling per dimension, so that what is written back is what was read.
    char again[NG_UNIT_TEXT];
    return strcmp(text, ng_unit_text(*out, again)) == 0;
}
