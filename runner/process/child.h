/**
 * child.h - children that can be believed and that never outlive us.
 *
 * A child runs in its own session, with the null device or given bytes as standard input, both
 * outputs captured apart and capped, exactly the environment given, and a marker variable NASGATE_CHILD
 * by which it and all that it starts are found even after setsid or a double fork. A failure to
 * start is told as such (from exec itself), never as exit status 127. Ending it is a ladder:
 * SIGINT to the group, after the grace SIGKILL to every process of the tree (descendants by
 * /proc and all that carry the marker); a process that SIGKILL cannot end (state D) is reported
 * and not waited for. When the child has ended but something still holds its outputs, they are
 * read for at most one more second, then the rest of the tree is killed.
 */
#ifndef NG_PROCESS_CHILD_H
#define NG_PROCESS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/err.h"
#include "runner/process/loop.h"

struct ng_child;

enum ng_child_how {
    NG_CHILD_EXITED,      /* status */
    NG_CHILD_SIGNALLED,   /* status is the signal; nobody here asked for it */
    NG_CHILD_DEADLINE,    /* we ended it because its time was over */
    NG_CHILD_STOPPED,     /* we ended it because ng_child_stop was called */
    NG_CHILD_NOT_STARTED, /* why */
    NG_CHILD_STUCK,       /* it could not be ended: why names state and wchan */
};

/** How a child ended. Outputs are malloc'd, NUL-terminated and given to the receiver. */
struct ng_child_end {
    enum ng_child_how how;
    int status;       /* exit status or signal number */
    bool by_kill;     /* DEADLINE and STOPPED: SIGKILL was needed */
    int leftovers;    /* processes of its tree that were still there after it ended and were killed */
    char *out;
    size_t out_len, out_cut; /* out_cut: bytes beyond the cap, read and dropped */
    char *err;
    size_t err_len, err_cut;
    int64_t user_ns, system_ns; /* CPU time of the child and its waited-for children */
    int64_t max_rss;            /* bytes */
    char why[256];              /* NOT_STARTED, STUCK */
};

struct ng_child_spec {
    const char *const *argv; /* argv[0] is searched in the PATH of `env` */
    const char *const *env;  /* complete; NULL-terminated; the marker is added */
    const char *cwd;
    const char *marker; /* unique per child: "RUNID.7" */
    const char *stdin_data;
    size_t stdin_len;
    size_t out_cap, err_cap; /* bytes kept */
    int64_t deadline_ns;     /* from the start; must be > 0 */
    int64_t grace_ns;        /* between SIGINT and SIGKILL */
    uint16_t listen_port;    /* ready once a TCP socket in the child's network namespace listens on
                                it (/proc/PID/net/tcp, tcp6); 0: ready at once */
    void (*ready)(void *context);
    void (*ended)(void *context, struct ng_child_end *end); /* exactly once, from the loop */
    void *context;
};

/** Starts a child. Never fails synchronously: NOT_STARTED comes through `ended`. The handle is valid
 *  until `ended` returns. */
struct ng_child *ng_child_start(struct ng_loop *loop, const struct ng_child_spec *spec);
/** Begins the ladder. Calling it again goes to SIGKILL at once. */
void ng_child_stop(struct ng_child *child);

/**
 * The guard against kill -9: a tiny process of its own session that holds a pipe to us. When we
 * vanish it kills everything whose environment carries `NASGATE_CHILD=PREFIX...` and ends; when we
 * end in order (ng_guard_release) it just ends. Call once, before the loop is made.
 */
struct ng_guard;
struct ng_guard *ng_guard_new(const char *prefix, struct ng_err *err);
void ng_guard_release(struct ng_guard *guard);

#endif
