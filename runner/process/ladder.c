// The steps from a running child to a reported end: ready, grace, drain, sweep.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "runner/process/child_inner.h"
#include "runner/process/netwait.h"

enum {
    READY_POLL_MS = 10,
    SWEEP_EVERY_MS = 20,
    QUIET_LOOKS_MAX = 10, /* looks that find nobody, before an open output is given up */
};

static void tick(uv_timer_t *step);

static void step_in(struct ng_child *child, uint64_t after_ms, uint64_t every_ms) {
    uv_update_time(&child->loop->uv);
    uv_timer_start(&child->step, tick, after_ms, every_ms);
}

static void tell_ready(struct ng_child *child) {
    uv_timer_stop(&child->step);
    child->ready_told = true;
    if (child->ready) {
        child->ready(child->context);
    }
}

void ng_ladder_failed(struct ng_child *child) {
    child->at = NG_CHILD_FAILED;
    step_in(child, 0, 0);
}

void ng_ladder_started(struct ng_child *child) {
    child->at = NG_CHILD_RUNS;
    if (child->ready_output) {
        return;
    }
    // The kernel has no event for "a socket began to listen", so its table is looked at. The
    // child's own namespace is the one that matters, since a prefix such as `ip netns exec` enters
    // it and then becomes the command.
    step_in(child, 0, child->listen_port ? READY_POLL_MS : 0);
}

static void sweep(struct ng_child *child) {
    child->at = NG_CHILD_SWEEPS;
    step_in(child, 0, SWEEP_EVERY_MS);
    child->sweep_end_ms = uv_now(&child->loop->uv) + ng_loop_ms(NG_CHILD_SWEEP_NS);
}

/** A line to the other end of a held child. */
static void order(struct ng_child *child) {
    if (!ng_stdio_tell(child, "i\n")) {
        ng_stdio_let_go(child);
    }
}

/** The first rung; the step that follows it is set. */
static void ask(struct ng_child *child) {
    uint64_t patience_ms = child->grace_ms;
    if (!child->held) {
        (void)kill(-child->process.pid, SIGINT);
    } else {
        patience_ms += ng_loop_ms(NG_CHILD_HELD_NS);
        order(child);
    }
    child->at = NG_CHILD_GRACE;
    step_in(child, patience_ms, 0);
}

/** The second rung of a held child; only the other end can tell how the command ends. */
static void hurry(struct ng_child *child) {
    if (!child->hurried) {
        child->hurried = true;
        order(child);
        step_in(child, ng_loop_ms(NG_CHILD_HELD_NS), 0);
    }
}

void ng_ladder_end(struct ng_child *child, enum ng_child_how how) {
    if (child->at == NG_CHILD_GRACE && child->held) {
        hurry(child);
        return;
    }
    if (child->at == NG_CHILD_GRACE || child->at == NG_CHILD_DRAINS) {
        sweep(child);
    }
    if (child->at != NG_CHILD_RUNS) {
        return;
    }
    ng_child_account(child);
    if (child->accounted) {
        return; // it was faster than we: its own end is about to be told
    }
    child->asked = true;
    child->end.how = how;
    // Look now: who loses its parent through the signal cannot be found by parentage later.
    ng_tree_scan(&child->tree, child->process.pid);
    ask(child);
}

void ng_ladder_kill(struct ng_child *child) {
    if (child->at == NG_CHILD_RUNS) {
        ng_child_account(child);
        if (!child->accounted) {
            child->asked = true;
            child->end.how = NG_CHILD_STOPPED;
        }
    }
    if (child->at >= NG_CHILD_RUNS && child->at < NG_CHILD_SWEEPS) {
        sweep(child);
    }
}

void ng_ladder_spoke(struct ng_child *child) {
    if (child->at == NG_CHILD_RUNS && child->ready_output && !child->ready_told) {
        tell_ready(child);
    }
}

void ng_ladder_exited(struct ng_child *child) {
    if (child->at == NG_CHILD_RUNS && child->listen_port == 0 && !child->ready_output &&
        !child->ready_told) {
        tell_ready(child);
    }
    if (child->at == NG_CHILD_SWEEPS) {
        step_in(child, 0, SWEEP_EVERY_MS); // look again now, not at the next turn
    } else if (child->open_outputs > 0) {
        child->at = NG_CHILD_DRAINS;
        step_in(child, ng_loop_ms(NG_CHILD_DRAIN_NS), 0);
    } else if (child->asked || child->swept) {
        sweep(child);
    } else {
        ng_child_finish(child);
    }
}

void ng_ladder_output_closed(struct ng_child *child) {
    if (child->open_outputs > 0) {
        return;
    }
    if (child->at == NG_CHILD_SWEEPS) {
        step_in(child, 0, SWEEP_EVERY_MS);
    } else if (child->at == NG_CHILD_DRAINS && (child->asked || child->swept)) {
        sweep(child);
    } else if (child->at == NG_CHILD_DRAINS) {
        ng_child_finish(child);
    }
}

/** The time for killing is over. What is left cannot be ended; say what it is and stop waiting. */
static void give_up(struct ng_child *child) {
    const struct ng_tree_member *left = ng_tree_survivor(&child->tree);
    struct ng_proc proc;
    char about[NG_PROC_ABOUT];
    child->end.how = NG_CHILD_STUCK;
    if (!child->exited && ng_proc_read(child->process.pid, &proc)) {
        snprintf(child->end.why, sizeof child->end.why, "SIGKILL does not end it: %s",
            ng_proc_about(&proc, about));
    } else if (left && left->refused) {
        snprintf(child->end.why, sizeof child->end.why, "%s (pid %ld) cannot be killed: %s",
            left->proc.name, (long)left->proc.pid, strerror(left->refused));
    } else if (left) {
        snprintf(child->end.why, sizeof child->end.why,
            "SIGKILL does not end a process that it started: %s",
            ng_proc_about(&left->proc, about));
    } else {
        snprintf(child->end.why, sizeof child->end.why, "it did not end after SIGKILL");
    }
    ng_child_finish(child);
}

static void look_and_kill(struct ng_child *child) {
    pid_t root = child->exited ? 0 : child->process.pid;
    size_t alive = ng_tree_scan(&child->tree, root);
    if (root) {
        ng_child_account(child);
        child->end.by_kill = child->end.by_kill || !child->accounted;
        (void)kill(-root, SIGKILL); // also without a readable /proc
        (void)kill(root, SIGKILL);
    }
    size_t first = ng_tree_kill(&child->tree);
    if (child->exited) {
        child->end.leftovers += (int)first;
    }
    bool nobody = child->exited && alive == 0;
    child->quiet_looks = nobody ? child->quiet_looks + 1 : 0;
    if (nobody && child->open_outputs == 0) {
        ng_child_finish(child);
    } else if (child->quiet_looks > QUIET_LOOKS_MAX) {
        snprintf(child->end.why, sizeof child->end.why,
            "its output was still held open by a process that could not be found");
        ng_child_finish(child);
    } else if (uv_now(&child->loop->uv) >= child->sweep_end_ms) {
        give_up(child);
    }
}

static void tick(uv_timer_t *step) {
    struct ng_child *child = step->data;
    switch (child->at) {
    case NG_CHILD_FAILED:
        ng_child_finish(child);
        break;
    case NG_CHILD_RUNS:
        if (child->listen_port == 0 || ng_net_listens(child->process.pid, child->listen_port)) {
            tell_ready(child);
        }
        break;
    case NG_CHILD_GRACE:
    case NG_CHILD_DRAINS:
        sweep(child);
        break;
    case NG_CHILD_SWEEPS:
        look_and_kill(child);
        break;
    case NG_CHILD_DONE:
        break;
    }
}
