/**
 * ticker.h - draws the executor's progress on standard error.
 *
 * On a terminal: one line per phase, redrawn four times a second, with a bar and the time left.
 * Elsewhere and in CI: a plain line when something begins and ends, and one a minute while it goes
 * on, since CI systems end jobs that are silent. No line begins with text from outside.
 */
#ifndef NG_CLI_TICKER_H
#define NG_CLI_TICKER_H

#include "runner/cli/output.h"
#include "runner/execute/progress.h"
#include "runner/process/loop.h"

struct ng_ticker {
    struct ng_progress progress; /* to be given to the executor */
    struct ng_output output;
    struct ng_loop *loop;
    struct ng_timer *timer;
    bool quiet; /* only what is wrong */
    bool drawn; /* an unfinished line is on the terminal */
    char what[160];
    int64_t began_ns, expect_ns;
    const char *waits_for; /* the precondition that was told last to be waited for, or NULL */
    int64_t told_ns;       /* when */
    size_t phases_total, phases_done;
};

/** Prepares `ticker`, which must stay where it is until ng_ticker_release. */
void ng_ticker_init(struct ng_ticker *ticker, struct ng_loop *loop, struct ng_output output,
    bool quiet, size_t phases);
void ng_ticker_release(struct ng_ticker *ticker);

#endif
