/* plot_scale.c - an axis from 0. */
#include "reports/writers/plot_scale.h"

#include <math.h>
#include <string.h>

#include "runner/result/words.h"

enum { LINES = 5, LINES_MAX = 6, PLAIN_DIGITS = 9, EXPONENT_MAX = 300 };
#define ROOM 1.04

/** Powers of ten by one rounding each up to 10^22, and the same steps everywhere beyond. */
static double power_of_ten(int exponent) {
    double power = 1;
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); i++) {
        power *= 10;
    }
    return power;
}

static double times_power(double value, int exponent) {
    return exponent < 0 ? value / power_of_ten(exponent) : value * power_of_ten(exponent);
}

/** The unit behind a number for people. */
static void find_unit(struct ng_scale *scale, const char *words, struct ng_arena *arena) {
    struct ng_dim dim;
    const char *blank = strchr(words, ' ');
    const char *percent = strchr(words, '%');
    const char *unit = blank != NULL ? blank + 1 : percent != NULL ? percent : "";
    double factor = 1;
    scale->unit = ng_arena_strdup(arena, unit);
    scale->counts = unit[0] == '\0';
    scale->factor = ng_unit_find(unit, strlen(unit), &factor, &dim, NULL) ? factor : 1;
}

/** The smallest step of the grid with which LINES lines are enough. */
static void find_step(struct ng_scale *scale, double max) {
    static const int steps[] = {1, 2, 5, 10};
    double raw = max / LINES;
    int exponent = 0;
    while (exponent < EXPONENT_MAX && power_of_ten(exponent + 1) <= raw) {
        exponent++;
    }
    while (exponent > -EXPONENT_MAX && times_power(1, exponent) > raw) {
        exponent--;
    }
    size_t i = 0;
    while (i < 3 && times_power(steps[i], exponent) < raw) {
        i++;
    }
    scale->step = i < 3 ? steps[i] : 1;
    scale->exponent = i < 3 ? exponent : exponent + 1;
}

struct ng_scale ng_scale_fit(
    double max, struct ng_dim dim, enum ng_spelling spelling, struct ng_arena *arena) {
    struct ng_scale scale = {
        .unit = "", .factor = 1, .top = 1, .ticks = LINES, .step = 2, .exponent = -1};
    char words[NG_QUANTITY_TEXT];
    if (!isfinite(max * ROOM) || max <= 0) {
        find_unit(&scale, ng_value_words(0, dim, spelling, words), arena);
        scale.top = LINES * 2 * scale.factor / 10;
        return scale;
    }
    find_unit(&scale, ng_value_words(max, dim, spelling, words), arena);
    double shown = max * ROOM / scale.factor;
    find_step(&scale, shown);
    scale.ticks = 1;
    while (
        scale.ticks < LINES_MAX && times_power(scale.step * scale.ticks, scale.exponent) < shown) {
        scale.ticks++;
    }
    scale.top = times_power(scale.step * scale.ticks, scale.exponent) * scale.factor;
    if (!isfinite(scale.top) || scale.top <= 0) { // at the ends of what a double can hold
        scale.top = max;
    }
    return scale;
}

int ng_scale_at(const struct ng_scale *scale, double value, int length) {
    double share = value / scale->top;
    if (!(share > 0)) {
        return 0;
    }
    return share >= 1 ? length : (int)lround(share * length);
}

const char *ng_scale_tick(const struct ng_scale *scale, int tick, struct ng_arena *arena) {
    static const char zeros[] = "000000000";
    int number = scale->step * tick;
    int places = -scale->exponent;
    if (number == 0) {
        return "0";
    }
    if (places <= 0 && -places <= PLAIN_DIGITS) {
        return ng_arena_printf(arena, "%d%.*s", number, -places, zeros);
    }
    if (places > 0 && places <= PLAIN_DIGITS) {
        int power = (int)power_of_ten(places);
        char *text = ng_arena_printf(arena, "%d.%0*d", number / power, places, number % power);
        char *end = text + strlen(text);
        while (end[-1] == '0') {
            *--end = '\0';
        }
        if (end[-1] == '.') {
            *--end = '\0';
        }
        return text;
    }
    return ng_scale_value(scale, times_power(number, scale->exponent) * scale->factor, arena);
}

const char *ng_scale_value(const struct ng_scale *scale, double value, struct ng_arena *arena) {
    char text[NG_QUANTITY_TEXT];
    // Digits as in the tables: four, for all but counts. IOPS are a plain number with a unit.
    struct ng_dim dim = scale->counts ? NG_DIM_NONE : NG_DIM_IOPS;
    ng_quantity_format((struct ng_quantity){value / scale->factor, dim}, text);
    return ng_arena_strndup(arena, text, strcspn(text, " "));
}
