/**
 * batch.h - requests run to their end on the loop: several at once, or the commands of one repeat
 * in their order with servers in the background.
 */
#ifndef NG_EXECUTE_BATCH_H
#define NG_EXECUTE_BATCH_H

#include "runner/engines/engine.h"
#include "runner/execute/context.h"

enum { NG_BATCH_MAX = 64 };

/**
 * Runs all requests at the same time until each has ended. replies[i] belongs to requests[i]; the
 * caller releases them. With `stoppable`, the user's signal stops them all; clean-up is not
 * stoppable.
 */
void ng_batch_run(struct ng_run *run, const struct ng_request *requests, size_t count,
    bool stoppable, struct ng_reply *replies);

/**
 * Runs the commands of one repeat: a background command is waited for until it is ready, a
 * foreground command until it has ended; one that fails ends the row. Background commands may end
 * by themselves within a moment after the last foreground one and are stopped otherwise. No command
 * goes on beyond `until_mono_ns` (INT64_MAX: only its own deadline). Returns the number of replies,
 * which belong to the first so many commands.
 */
size_t ng_batch_commands(struct ng_run *run, const char *purpose,
    const struct ng_commands *commands, int64_t until_mono_ns,
    struct ng_reply replies[NG_COMMANDS_MAX]);

/**
 * Runs one command to its end after the run was ended early, by a hook that has to close what
 * another one began: no signal stops it. False when the time was over before it began; there is no
 * reply then.
 */
bool ng_batch_closing(struct ng_run *run, const char *purpose, const struct ng_command *command,
    int64_t until_mono_ns, struct ng_reply *reply);

/**
 * A lease was lost (run->lost says how): what runs and may be stopped is stopped, and run->halt is
 * set. While nothing such runs, that is done to the next command: a replay sees the loss neither
 * earlier nor later than the run did, for both see it while a command runs.
 */
void ng_batch_lost(struct ng_run *run);

/** Waits for so long, or until the user's signal. */
void ng_batch_pause(struct ng_run *run, int64_t ns);

#endif
