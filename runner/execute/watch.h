/**
 * watch.h - the hosts while a repeat is measured: one sampler per host (facts/sample.h), started
 * before the engine and ended after it.
 *
 * Nobody waits for a sampler: one that does not come up leaves its host unwatched, and the reason
 * is told. Times are on the run's clock, reckoned from when the sampler was ready there.
 */
#ifndef NG_EXECUTE_WATCH_H
#define NG_EXECUTE_WATCH_H

#include "runner/execute/context.h"
#include "runner/facts/sample.h"

/** What was seen of one host. */
struct ng_watched {
    size_t host; /* in plan->hosts */
    struct ng_samples samples;
    int64_t began_ns, ended_ns; /* since the start of the run */
    unsigned evidence;
    const char *why; /* why there are no samples, or not to the end; NULL */
};

struct ng_watch;

/** Begins on all hosts that are to be watched; NULL when there are none. `facts` are those of
 * before; `purpose` is for people. */
struct ng_watch *ng_watch_start(struct ng_run *run, const char *purpose);
/** Ends all samplers and reads what they printed into `arena`; returns how many there were. Frees
 * the watch. */
size_t ng_watch_stop(
    struct ng_watch *watch, struct ng_arena *arena, const struct ng_watched **watched);
/** When a sample was taken, since the start of the run. */
int64_t ng_watched_time(const struct ng_watched *watched, size_t sample);

#endif
