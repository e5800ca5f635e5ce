// The loop by hand: timers fire in the order of their times, and the clock jumps to each.
#include <stdlib.h>
#include <string.h>

#include "runner/base/arena.h"
#include "runner/process/loop_inner.h"

struct ng_loop *ng_loop_new_by_hand(int64_t mono_ns, int64_t wall_ns) {
    struct ng_loop *loop = ng_xmalloc(sizeof *loop);
    memset(loop, 0, sizeof *loop);
    loop->by_hand = true;
    loop->clock = ng_clock_at(mono_ns, wall_ns);
    return loop;
}

/** The timer that is due first; of equal ones the oldest, which stands last in the list. */
static struct ng_timer *first_due(const struct ng_loop *loop) {
    struct ng_timer *first = NULL;
    for (struct ng_timer *timer = loop->timers; timer; timer = timer->next) {
        if (!first || timer->due_ns <= first->due_ns) {
            first = timer;
        }
    }
    return first;
}

static void fire(struct ng_loop *loop, struct ng_timer *timer) {
    const int64_t ahead = timer->due_ns - ng_clock_mono(&loop->clock);
    if (ahead > 0) {
        ng_clock_move(&loop->clock, ahead);
    }
    // A one-shot timer stays until it is stopped, but never fires again.
    timer->due_ns = timer->every_ns > 0 ? timer->due_ns + timer->every_ns : INT64_MAX;
    timer->fire(timer->context);
}

void ng_loop_hand_run(struct ng_loop *loop, bool (*done)(void *context), void *context) {
    while (!done(context)) {
        struct ng_timer *timer = first_due(loop);
        if (!timer || timer->due_ns == INT64_MAX) {
            return;
        }
        fire(loop, timer);
    }
}
