/**
 * await.h - waits until preconditions hold that come to hold by themselves (`wait:`), or their time
 * is over.
 *
 * Nothing is waited for as long as another precondition stops the run, unless the end of what is
 * waited for puts an end to that as well (a degraded array that is filled anew). While it waits,
 * the hosts in question are asked again from time to time, one round trip each; these requests are
 * evidence like any other. Time is taken from the ends of replies, so that a replay decides the
 * same.
 */
#ifndef NG_EXECUTE_AWAIT_H
#define NG_EXECUTE_AWAIT_H

#include "runner/execute/preflight.h"

enum { NG_AWAIT_ROUNDS_MAX = 16 };

/**
 * To be called between ng_preflight_collect and ng_preflight_evaluate. When it has waited, all was
 * collected anew, so that every precondition is judged over facts of one time; run->waited_ns then
 * says for how long, by index of the preconditions. What holds and is broken again by then is
 * waited for again, NG_AWAIT_ROUNDS_MAX times. The user's signal ends it.
 */
void ng_await(struct ng_run *run, const struct ng_preflight *preflight);

/** When to ask again: the nearer the end, the more often; at least every 30 s, at most every 5 s or
 * twentieth of `at_most_ns`. `left_ns` -1: the end is not known; `remaining_ns`: until the time is
 * over. */
int64_t ng_await_pause(int64_t left_ns, int64_t at_most_ns, int64_t remaining_ns);

#endif
