/**
 * progress.h - where the executor tells what is happening. The command line draws it; nothing here
 * prints. Every member may be NULL.
 */
#ifndef NG_EXECUTE_PROGRESS_H
#define NG_EXECUTE_PROGRESS_H

#include <stdint.h>

#include "runner/result/result.h"
#include "runner/schedule/schedule.h"

struct ng_progress {
    void *context;
    /** Something that is no phase has begun: "collecting facts from 2 hosts". */
    void (*step)(void *context, const char *what);
    /** A precondition was evaluated. */
    void (*condition)(void *context, const struct ng_condition_result *condition);
    /** The run waits until a precondition holds; told when it begins and at each look. `seen` says
     * what goes on, `left_ns` how long it will as the host reckons (-1: not known), `give_up_ns`
     * how long the run will wait yet. */
    void (*waiting)(
        void *context, const struct ng_condition_result *seen, int64_t left_ns, int64_t give_up_ns);
    /** A host is leased by another run, and this one waits for it. */
    void (*leased)(void *context, const struct ng_lease_result *lease, int64_t wait_ns);
    /** A repeat of a phase begins; `expect_ns` is its expected duration, 0 when it cannot be known.
     */
    void (*repeat)(void *context, const struct ng_phase *phase, int repeat, int64_t expect_ns);
    /** A phase has its verdict. */
    void (*phase)(void *context, const struct ng_phase_result *phase);
    /** The user's signal was seen; the run winds down. */
    void (*stopping)(void *context, int signal);
};

#endif
