/**
 * loop_inner.h - the loop as the files of this folder see it.
 */
#ifndef NG_PROCESS_LOOP_INNER_H
#define NG_PROCESS_LOOP_INNER_H

#include <uv.h>

#include "runner/process/loop.h"

enum { NG_LOOP_SCRATCH = 64 * 1024 };

struct ng_child;

struct ng_loop {
    /* Stands before `uv` on purpose: libuv tells the watchers of one signal in the order of their
     * addresses, and this one wants to see a dead child before libuv's own, inside `uv`, reaps it.
     */
    uv_signal_t child_watch;
    uv_loop_t uv;
    uv_signal_t watch_hup, watch_int, watch_term;
    uv_prepare_t before_wait;
    bool (*done)(void *context); /* of the ng_loop_run that goes on */
    void *done_context;
    struct ng_clock clock;
    uint64_t since; /* our own start time in ticks: children are younger */
    int signal;
    int64_t signal_mono;
    bool by_hand; /* no libuv at all: see loop_hand.c */
    bool closing; /* nothing new is started */
    void (*told)(void *context, int signal);
    void *told_context;
    struct ng_child *children; /* not yet ended, or stuck */
    struct ng_timer *timers;
    size_t running;                /* children whose `ended` is still to come */
    char scratch[NG_LOOP_SCRATCH]; /* what a pipe gives, until it is copied in the same callback */
};

struct ng_timer {
    uv_timer_t handle; /* not by hand */
    struct ng_loop *loop;
    struct ng_timer *prev, *next; /* newest first */
    int64_t due_ns, every_ns;     /* by hand */
    void (*fire)(void *context);
    void *context;
};

/* Of loop_hand.c. */

/** Fires timers in the order of their times, moving the clock, until done or none is left. */
void ng_loop_hand_run(struct ng_loop *loop, bool (*done)(void *context), void *context);

/** Milliseconds of a duration, rounded up; at least 0. */
uint64_t ng_loop_ms(int64_t ns);

/* Of child.c. */

/** Remembers the CPU times of children that have ended and were not reaped yet. */
void ng_children_account(struct ng_loop *loop);
/** Begins to end all of them by SIGKILL. */
void ng_children_kill(struct ng_loop *loop);
/** Closes what is kept of children that could not be ended. */
void ng_children_close(struct ng_loop *loop);

#endif
