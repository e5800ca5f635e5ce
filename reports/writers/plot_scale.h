/**
 * plot_scale.h - an axis from 0: its unit, its grid on steps of 1, 2 or 5, and where a value lies.
 */
#ifndef NG_WRITERS_PLOT_SCALE_H
#define NG_WRITERS_PLOT_SCALE_H

#include <stdbool.h>

#include "runner/base/arena.h"
#include "runner/base/units.h"

struct ng_scale {
    const char *unit; /* "MB/s", "%", or "" */
    bool counts;      /* plain numbers, told exactly as everywhere */
    double factor;    /* base units in one of it */
    double top;       /* the end of the axis, in base units; > 0 */
    int ticks;        /* grid lines beside 0: at most 6 */
    int step;         /* of the grid: 1, 2 or 5 ... */
    int exponent;     /* ... times ten to this, in the unit */
};

/**
 * An axis that holds `max` (in base units of `dim`) with a little room; its unit is the one in
 * which ng_value_words spells `max` in that spelling. What is not finite or positive gives 0 .. 1.
 */
struct ng_scale ng_scale_fit(
    double max, struct ng_dim dim, enum ng_spelling spelling, struct ng_arena *arena);
/** How far from 0 a value lies on an axis of `length`; at most `length`, never negative. */
int ng_scale_at(const struct ng_scale *scale, double value, int length);
/** The number of a grid line, 0 .. ticks: "200", "0.5". */
const char *ng_scale_tick(const struct ng_scale *scale, int tick, struct ng_arena *arena);
/** A value in the axis' unit, without it: "312.4". */
const char *ng_scale_value(const struct ng_scale *scale, double value, struct ng_arena *arena);

#endif
