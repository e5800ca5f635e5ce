/**
 * child.h - children that can be believed and that never outlive us.
 *
 * A child runs in its own session, with the null device or given bytes as standard input, both
 * outputs captured apart and capped, exactly the environment given, and a marker variable
 * NASGATE_CHILD by which it and all that it starts are found even after setsid or a double fork. A
 * failure to start is told as such (from exec itself), never as exit status 127; as with execvp, a
 * script without "#!" is run by /bin/sh. Ending it is a ladder: SIGINT to the group, after the
 * grace SIGKILL to every process of the tree (descendants by /proc and all that carry the marker),
 * again and again until none is left; a process that SIGKILL cannot end within NG_CHILD_SWEEP_NS
 * (state D) is reported and not waited for. When the child has ended but something still holds its
 * outputs, they are read for at most NG_CHILD_DRAIN_NS more, then the rest of the tree is killed. A
 * look at all of /proc costs more than a quick command, so after a child that ended by itself and
 * whose outputs are closed nobody looks for leftovers, unless it is `swept`; the guard does when
 * the run ends.
 *
 * A held child is one that passes our wishes on to another machine: its standard input stays open
 * behind the data, and a line "." goes down it every NG_CHILD_BEAT_NS as a sign of life. The first
 * rung of its ladder is the line "i" instead of SIGINT, a second wish to stop is that line again
 * (the other end kills what runs there), and further wishes change nothing: SIGKILL of the child
 * itself follows NG_CHILD_HELD_NS after the grace or the second wish, so that the other end can
 * report first. A line that the child does not take becomes the end of its input.
 */
#ifndef NG_PROCESS_CHILD_H
#define NG_PROCESS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/err.h"
#include "runner/process/loop.h"

struct ng_child;

#define NG_CHILD_DRAIN_NS (1 * NG_NS_PER_S)
#define NG_CHILD_SWEEP_NS (5 * NG_NS_PER_S)
#define NG_CHILD_BEAT_NS (2 * NG_NS_PER_S)
#define NG_CHILD_HELD_NS (12 * NG_NS_PER_S) /* naps, looks at all of /proc, a loaded host */

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
    int status;    /* EXITED: exit status; SIGNALLED: signal number; DEADLINE and STOPPED: exit
                      status, or minus the signal number; else 0 */
    bool by_kill;  /* DEADLINE and STOPPED: SIGKILL was needed */
    int leftovers; /* processes of its tree that were still there after it ended and were killed */
    char *out;
    size_t out_len, out_cut; /* out_cut: bytes beyond the cap, read and dropped */
    char *err;
    size_t err_len, err_cut;
    /* CPU time of the child and of the children that it waited for, asked of the kernel between
     * death and reaping; all 0 when unknown, which happens when two children die within the same
     * few microseconds. max_rss includes our own size at the fork, as the kernel counts it. */
    int64_t user_ns, system_ns;
    int64_t max_rss; /* bytes */
    char why[256];   /* NOT_STARTED, STUCK; else empty, or a remark on outputs that never closed */
};

/** What to start. Everything that it points to is copied by ng_child_start. */
struct ng_child_spec {
    const char *const *argv; /* argv[0] is searched in the PATH of `env` */
    const char *const *env;  /* complete; NULL-terminated; the marker is added */
    const char *cwd;         /* NULL: ours */
    const char *marker;      /* unique per child: "RUNID.7" */
    const char *stdin_data;  /* NULL: the null device; a child that does not read it is no error */
    size_t stdin_len;
    bool held;               /* see above; needs stdin_data */
    bool swept;              /* what it left behind is looked for and ended when it has ended; of no
                                meaning when held: the other machine does that */
    size_t out_cap, err_cap; /* bytes kept */
    int64_t deadline_ns;     /* from the start; must be > 0 */
    int64_t grace_ns;        /* between SIGINT and SIGKILL */
    uint16_t listen_port;    /* ready once a TCP socket in the child's network namespace listens on
                                it (/proc/PID/net/tcp, tcp6); 0: ready at once */
    bool ready_output;       /* instead: ready once it has written to its standard output */
    void (*ready)(void *context); /* at most once, from the loop, before `ended`; may be NULL */
    void (*ended)(void *context, struct ng_child_end *end); /* exactly once, from the loop */
    /* Standard output as it comes; none of it is kept then. NULL: it is kept. */
    void (*output)(void *context, const char *bytes, size_t len);
    void *context;
};

/** Starts a child. Never fails synchronously: NOT_STARTED comes through `ended`. The handle is
 * valid until `ended` returns. */
struct ng_child *ng_child_start(struct ng_loop *loop, const struct ng_child_spec *spec);
/** Begins the ladder. Calling it while a ladder is under way, be it the deadline's, goes to the
 * next rung at once, which is SIGKILL; a held child is told so, and not killed. A child that has
 * just ended by itself is told as such. */
void ng_child_stop(struct ng_child *child);

/**
 * The guard against kill -9: a tiny process of its own session that holds a pipe to us. When we
 * vanish it ends everything whose environment has a `NASGATE_CHILD=RUNID.` something, our own
 * child or not: by SIGINT, after NG_GUARD_PATIENCE_NS by SIGKILL. It looks again until two looks in
 * a row find nothing, at most for NG_GUARD_SWEEP_NS. When we end in order (ng_guard_release, which
 * waits for it) it looks as well and kills at once, so that nothing that a child left behind
 * outlives the run. Call once, before the loop is made; release after the loop.
 */
struct ng_guard;
/** The beginning of the names of a run's folders for temporary files (ng_dir_create_temp: stem). */
#define NG_SCRATCH_STEM "nasgate-%s"
#define NG_GUARD_PATIENCE_NS (3 * NG_NS_PER_S)
#define NG_GUARD_SWEEP_NS (10 * NG_NS_PER_S)
struct ng_guard *ng_guard_new(const char *run_id, struct ng_err *err);
/** NULL is fine. */
void ng_guard_release(struct ng_guard *guard);

#endif
