/**
 * replay.h - the last link of a replay: answers requests from recorded evidence, on the clock of a
 * loop by hand (ng_loop_new_by_hand), in the recorded order and at the recorded times. Starts
 * nothing.
 *
 * Strict: a request that was not recorded ends as NOT_STARTED, with the nearest recorded one in
 * `why`, and is remembered. One exception for judging by another plan: facts of a host are answered
 * with what was collected there, even when the plan asks for more; what was not collected is then
 * missing from them, and unknown.
 *
 * A request is looked up by its words and its purpose, as the n-th with both, so that one that
 * another plan leaves out keeps its answers to itself. By its words alone only when no command of
 * the evidence was run for that purpose.
 */
#ifndef NG_TRANSPORT_REPLAY_H
#define NG_TRANSPORT_REPLAY_H

#include "runner/process/loop.h"
#include "runner/transport/tape.h"
#include "runner/transport/transport.h"

/** Borrows both. A signal on the tape is told to the loop at its time. */
struct ng_transport *ng_replay_new(struct ng_tape *tape, struct ng_loop *loop);
/** The first request that the tape could not answer, or NULL; how many there were. */
const char *ng_replay_unknown(const struct ng_transport *replay, size_t *count);

#endif
