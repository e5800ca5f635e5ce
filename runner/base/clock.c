/** clock.c - the real clock, the one moved by hand, and times as text. */
#include "runner/base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

struct ng_clock ng_clock_real(void) {
    return (struct ng_clock){0};
}

struct ng_clock ng_clock_at(int64_t mono_ns, int64_t wall_ns) {
    return (struct ng_clock){.by_hand = true, .mono_ns = mono_ns, .wall_ns = wall_ns};
}

void ng_clock_move(struct ng_clock *clock, int64_t ns) {
    clock->mono_ns += ns;
    clock->wall_ns += ns;
}

static int64_t read_clock(clockid_t id) {
    struct timespec now = {0};
    clock_gettime(id, &now); /* cannot fail for these two clocks */
    return (int64_t)now.tv_sec * NG_NS_PER_S + now.tv_nsec;
}

int64_t ng_clock_mono(const struct ng_clock *clock) {
    return clock->by_hand ? clock->mono_ns : read_clock(CLOCK_MONOTONIC);
}

int64_t ng_clock_wall(const struct ng_clock *clock) {
    return clock->by_hand ? clock->wall_ns : read_clock(CLOCK_REALTIME);
}

static struct tm to_utc(int64_t wall_ns) {
    int64_t seconds = wall_ns / NG_NS_PER_S;
    if (wall_ns % NG_NS_PER_S < 0) {
        seconds--; /* down, also before 1970 */
    }
    time_t time = (time_t)seconds;
    struct tm utc = {0};
    gmtime_r(&time, &utc);
    return utc;
}

/* The conversions used below are numbers that no locale changes. */

const char *ng_time_format(int64_t wall_ns, char out[NG_TIME_TEXT]) {
    struct tm utc = to_utc(wall_ns);
    strftime(out, NG_TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return out;
}

const char *ng_time_format_compact(int64_t wall_ns, char out[NG_TIME_TEXT]) {
    struct tm utc = to_utc(wall_ns);
    strftime(out, NG_TIME_TEXT, "%Y%m%dT%H%M%SZ", &utc);
    return out;
}

static uint64_t rounded(uint64_t ns, uint64_t unit) {
    return ns / unit + (ns % unit >= unit / 2 ? 1 : 0);
}

/** Each branch is taken only if the value, rounded as that branch prints it, still fits its unit.
 */
static void format_duration(uint64_t ns, const char *sign, char out[NG_TIME_TEXT]) {
    const uint64_t us = 1000, ms = 1000000, s = 1000000000;
    const uint64_t tenths = rounded(ns, s / 10), seconds = rounded(ns, s);
    const uint64_t minutes = rounded(ns, 60 * s), hours = rounded(ns, 3600 * s);
    if (ns < us) {
        snprintf(out, NG_TIME_TEXT, "%s%" PRIu64 " ns", sign, ns);
    } else if (rounded(ns, us) < 1000) {
        snprintf(out, NG_TIME_TEXT, "%s%" PRIu64 " us", sign, rounded(ns, us));
    } else if (rounded(ns, ms) < 1000) {
        snprintf(out, NG_TIME_TEXT, "%s%" PRIu64 " ms", sign, rounded(ns, ms));
    } else if (tenths < 600 && tenths % 10 == 0) {
        snprintf(out, NG_TIME_TEXT, "%s%" PRIu64 " s", sign, tenths / 10);
    } else if (tenths < 600) {
        snprintf(out, NG_TIME_TEXT, "%s%" PRIu64 ".%" PRIu64 " s", sign, tenths / 10, tenths % 10);
    } else if (seconds < 3600) {
        snprintf(
            out, NG_TIME_TEXT, "%s%" PRIu64 " m %02" PRIu64 " s", sign, seconds / 60, seconds % 60);
    } else if (minutes < 24 * 60) {
        snprintf(
            out, NG_TIME_TEXT, "%s%" PRIu64 " h %02" PRIu64 " m", sign, minutes / 60, minutes % 60);
    } else {
        snprintf(
            out, NG_TIME_TEXT, "%s%" PRIu64 " d %02" PRIu64 " h", sign, hours / 24, hours % 24);
    }
}

const char *ng_duration_format(int64_t ns, char out[NG_TIME_TEXT]) {
    if (ns == 0) {
        snprintf(out, NG_TIME_TEXT, "0 s");
        return out;
    }
    uint64_t size = ns < 0 ? (uint64_t)0 - (uint64_t)ns : (uint64_t)ns;
    format_duration(size, ns < 0 ? "-" : "", out);
    return out;
}
