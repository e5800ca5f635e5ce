/**
 * settle.h - how a command on another host ended, from how its connection ended and from the marks.
 */
#ifndef NG_TRANSPORT_SETTLE_H
#define NG_TRANSPORT_SETTLE_H

#include "runner/transport/marks.h"
#include "runner/transport/transport.h"
#include "runner/transport/wrap.h"

/**
 * Turns the reply of the connection's process into that of the command. `out` has seen all of its
 * standard output; `word` is the command's first word. Afterwards the outputs are the command's own
 * (after NOT_STARTED all that was said), and `how` is:
 *   EXITED, SIGNALLED   by the status that the shell there tells: above 128 a signal
 *   DEADLINE, STOPPED   we ended it, by_kill if the host told that SIGKILL was needed; without an
 *                       end mark nothing is known of its end: status 0, and `why` says so
 *   NOT_STARTED         no start mark: `why` says what to change
 *   LOST                started, and no end mark, or ended there for want of a sign of life
 */
void ng_settle(
    const struct ng_reach *reach, const char *word, struct ng_marks *out, struct ng_reply *reply);

#endif
