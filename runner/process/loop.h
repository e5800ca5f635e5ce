/**
 * loop.h - the event loop: the only home of libuv, and the process's only global state.
 *
 * One loop per program. It owns timers, children (child.h) and the handling of SIGINT, SIGTERM and,
 * unless it was ignored, SIGHUP: the first such signal is recorded and told to the listener;
 * nothing ends by itself, the run winds down and main dies of the same signal afterwards. A further
 * signal is told as well. SIGPIPE and SIGXFSZ are ignored from the first loop on, and for good;
 * children get them back. Descriptors that we inherited are not passed on to children.
 */
#ifndef NG_PROCESS_LOOP_H
#define NG_PROCESS_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "runner/base/clock.h"
#include "runner/base/err.h"

struct ng_loop;
struct ng_timer;

struct ng_loop *ng_loop_new(struct ng_err *err);
/**
 * A loop whose time is moved by hand, for replay: it has timers and nothing else, no signal is
 * watched, no child can be started, nothing is waited for. Its clock jumps from timer to timer.
 */
struct ng_loop *ng_loop_new_by_hand(int64_t mono_ns, int64_t wall_ns);
/**
 * Ends children that are left, at once and with their whole trees, and closes everything. Their
 * `ended` is called, so what it needs must still be there. Takes at most NG_CHILD_SWEEP_NS plus a
 * moment. Signals have their default effect again afterwards. NULL is fine.
 */
void ng_loop_free(struct ng_loop *loop);

/** Handles events until `done` says true; it is asked before every wait. A loop by hand also
 * returns when it has no timer left. */
void ng_loop_run(struct ng_loop *loop, bool (*done)(void *context), void *context);

/** The first SIGHUP, SIGINT or SIGTERM that came, or 0. */
int ng_loop_signal(const struct ng_loop *loop);
/** When it came, on the loop's clock. */
int64_t ng_loop_signal_mono(const struct ng_loop *loop);
/** Does what the arrival of a signal does, without one: for replay. */
void ng_loop_tell_signal(struct ng_loop *loop, int signal);
/** Called from the loop for each SIGHUP, SIGINT or SIGTERM. One listener; NULL removes it. */
void ng_loop_on_signal(
    struct ng_loop *loop, void (*told)(void *context, int signal), void *context);

/** The loop's clock. */
const struct ng_clock *ng_loop_clock(const struct ng_loop *loop);

/** Calls `fire` after `after_ns`, then every `every_ns` (0: once); both are rounded up to whole
 *  milliseconds. Stop frees it, also from within `fire`; a one-shot timer must be stopped as well.
 */
struct ng_timer *ng_timer_start(struct ng_loop *loop, int64_t after_ns, int64_t every_ns,
    void (*fire)(void *context), void *context);
void ng_timer_stop(struct ng_timer *timer);

#endif
