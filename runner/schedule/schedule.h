/**
 * schedule.h - the plan as a flat list of steps with nothing left to decide: phases times repeats,
 * in the order in which they run, and what that costs.
 *
 * Repeats of a phase follow each other, so that a phase is judged before those that need it start.
 */
#ifndef NG_SCHEDULE_SCHEDULE_H
#define NG_SCHEDULE_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "plans/language/plan.h"
#include "runner/base/arena.h"
#include "runner/base/err.h"

enum { NG_STEPS_MAX = 100000 };

struct ng_step {
    const struct ng_phase *phase;
    int repeat; /* from 1 */
    struct ng_cost cost;
};

struct ng_schedule {
    struct ng_arena arena;
    const struct ng_plan *plan; /* borrowed */
    struct ng_step *steps;
    size_t count;
    int64_t time_ns;    /* sum of what is known */
    bool time_is_guess; /* some phase ends when its work is done, or its time cannot be known */
    int64_t written;    /* bytes written to volumes in all */
    uint64_t seed;
};

/** Phases to run: names, or none for all. A phase that is needed by a chosen one is added; the
 * order is always the plan's. */
struct ng_selection {
    const char *const *names;
    size_t count;
};

/** NULL with NG_ERR_USAGE for an unknown phase (with a suggestion) or NG_ERR_LIMIT for too many
 * steps. */
struct ng_schedule *ng_schedule_new(
    const struct ng_plan *plan, const struct ng_selection *only, uint64_t seed, struct ng_err *err);
void ng_schedule_free(struct ng_schedule *schedule);
/** Bytes that lie on a volume at the same time, at most: phases that share their data (ng_cost)
 * count once, with the largest of them. */
int64_t ng_schedule_footprint(const struct ng_schedule *schedule, const struct ng_volume *volume);

#endif
