/**
 * child_inner.h - a child as child.c (start, outputs, report) and ladder.c (how it ends) share it.
 */
#ifndef NG_PROCESS_CHILD_INNER_H
#define NG_PROCESS_CHILD_INNER_H

#include "runner/base/buf.h"
#include "runner/process/child.h"
#include "runner/process/loop_inner.h"
#include "runner/process/tree.h"

/** Where a child is. The order is the order of time; a step may be left out, none is gone back. */
enum ng_child_at {
    NG_CHILD_FAILED, /* it was not started; the report comes with the next turn of the loop */
    NG_CHILD_RUNS,
    NG_CHILD_GRACE,  /* SIGINT was sent, or a held child was told */
    NG_CHILD_DRAINS, /* it ended by itself or politely; an output is still open */
    NG_CHILD_SWEEPS, /* SIGKILL to all that is found, again and again */
    NG_CHILD_DONE,   /* `ended` was called */
};

struct ng_child {
    struct ng_loop *loop;
    struct ng_child *prev, *next;
    enum ng_child_at at;
    bool exited;    /* libuv has reaped it: its pid means nothing any more */
    bool accounted; /* it is dead, and the kernel told its CPU times */
    bool asked;     /* we began to end it */
    bool ready_told;
    bool held;
    bool swept;   /* and not held */
    bool hurried; /* held, and told to kill */
    int open_outputs;
    int handles;     /* not yet closed; the last one frees the child */
    int quiet_looks; /* sweeps in a row that found nothing while an output was open */
    uint64_t sweep_end_ms;
    uint64_t grace_ms;
    uint16_t listen_port;
    bool ready_output;
    uv_process_t process;
    uv_timer_t deadline; /* runs while the child does */
    uv_timer_t step;     /* what it means depends on `at` */
    uv_timer_t beat;     /* of a held child */
    uv_pipe_t in, out, err;
    uv_write_t write;
    char *input;
    struct ng_buf out_kept, err_kept;
    struct ng_tree tree;
    void (*ready)(void *context);
    void (*ended)(void *context, struct ng_child_end *end);
    void (*output)(void *context, const char *bytes, size_t len);
    void *context;
    struct ng_child_end end;
};

/* Of stdio.c. */

/** The three standard descriptors of a child, while it is being started. */
struct ng_stdio {
    uv_stdio_container_t slots[3];
};
/** Makes the pipes and reads the outputs from then on. 0 or an error of libuv; close in both cases.
 */
int ng_stdio_open(struct ng_child *child, const struct ng_child_spec *spec, struct ng_stdio *io);
/** Closes the ends that belong to the child. */
void ng_stdio_close(struct ng_stdio *io);
/** Gives the child its standard input, then the end of it unless the child is held. */
void ng_stdio_feed(struct ng_child *child, const struct ng_child_spec *spec);
/** Writes a line to a held child. False when it does not take it now. */
bool ng_stdio_tell(struct ng_child *child, const char *line);
/** Ends the standard input of a held child. False when that was done before. */
bool ng_stdio_let_go(struct ng_child *child);

/* Of child.c. */

/** Closes a handle, which may be unused (its loop is NULL then) or closing already. */
void ng_child_close_handle(uv_handle_t *handle);

/** Reports the end and closes everything; frees the child later, from the loop. */
void ng_child_finish(struct ng_child *child);
/** Asks the kernel whether the child is dead, and for its CPU times, without reaping it. */
void ng_child_account(struct ng_child *child);

/* Of ladder.c. */

/** The child runs: readiness is watched. */
void ng_ladder_started(struct ng_child *child);
void ng_ladder_failed(struct ng_child *child);
/** SIGINT, or SIGKILL when the ladder is already under way. */
void ng_ladder_end(struct ng_child *child, enum ng_child_how how);
void ng_ladder_kill(struct ng_child *child);
/** It has written to its standard output. */
void ng_ladder_spoke(struct ng_child *child);
void ng_ladder_exited(struct ng_child *child);
void ng_ladder_output_closed(struct ng_child *child);

#endif
