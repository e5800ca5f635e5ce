/**
 * clock.h - the only place that asks what time it is.
 *
 * Two clocks behind one face: the real one, and one moved by hand, for tests and for replay.
 * Monotonic time is nanoseconds since an arbitrary start; wall time is nanoseconds since 1970 UTC.
 */
#ifndef NG_BASE_CLOCK_H
#define NG_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define NG_NS_PER_S INT64_C(1000000000)
#define NG_NS_PER_MS INT64_C(1000000)

struct ng_clock {
    bool by_hand;
    int64_t mono_ns; /* by hand only */
    int64_t wall_ns; /* by hand only */
};

/** The real clock. */
struct ng_clock ng_clock_real(void);
/** A clock that stands still until it is moved. */
struct ng_clock ng_clock_at(int64_t mono_ns, int64_t wall_ns);
void ng_clock_move(struct ng_clock *clock, int64_t ns);

int64_t ng_clock_mono(const struct ng_clock *clock);
int64_t ng_clock_wall(const struct ng_clock *clock);

enum { NG_TIME_TEXT = 40 };
/** "2026-11-30T13:07:05Z"; always UTC. Returns `out`. */
const char *ng_time_format(int64_t wall_ns, char out[NG_TIME_TEXT]);
/** "20261130T130705Z", for file names. Returns `out`. */
const char *ng_time_format_compact(int64_t wall_ns, char out[NG_TIME_TEXT]);
/** "1 h 02 m", "3 m 20 s", "12.3 s", "250 ms". Returns `out`. */
const char *ng_duration_format(int64_t ns, char out[NG_TIME_TEXT]);

#endif
