/**
 * transport.h - the one way out: every external command is a request to a transport.
 *
 * Links of one chain share this face: record -> hosts -> local, or replay alone. Requests are
 * asynchronous: submit returns at once, `ready` and `ended` come from the loop. The executor cannot
 * tell which links are installed.
 */
#ifndef NG_TRANSPORT_TRANSPORT_H
#define NG_TRANSPORT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/clock.h"
#include "runner/base/err.h"

struct ng_transport;
struct ng_call;

enum ng_ended_how {
    NG_ENDED_EXITED,
    NG_ENDED_SIGNALLED,
    NG_ENDED_DEADLINE,
    NG_ENDED_STOPPED,
    NG_ENDED_NOT_STARTED,
    NG_ENDED_STUCK,
    NG_ENDED_LOST,
};

/** "exited", "signalled", "deadline", "stopped", "not started", "stuck", "lost". */
const char *ng_ended_word(enum ng_ended_how how);

/** What to run. All pointers are copied by submit. */
struct ng_request {
    const char *host;    /* the plan's word for it */
    const char *purpose; /* for people: "facts", "phase seq-write 1/3: fio" */
    const char *const *argv;
    const char *stdin_data; /* NULL: the null device */
    size_t stdin_len;
    const char *cwd;         /* NULL: a private empty folder. Not part of the evidence */
    size_t out_cap, err_cap; /* 0: NG_OUT_CAP, NG_ERR_CAP */
    int64_t deadline_ns;     /* > 0 */
    int64_t grace_ns;        /* 0: 5 s */
    uint16_t listen_port;    /* ready when it listens there; 0: ready when started */
    bool ready_output;       /* instead: ready when it has written to its standard output */
    bool background;         /* goes on while others come and go: the run waits until it is ready */
    bool held;               /* between links: see child.h */
    bool swept;              /* what it leaves behind here is ended before its end is told; on
                                other hosts that is always done */
};

enum { NG_OUT_CAP = 32 * 1024 * 1024, NG_ERR_CAP = 1024 * 1024 };

/** How it ended. Owned by the receiver: ng_reply_release. LOST: it was started on another host and
 * the connection broke; its outputs are what had come by then. Processor times and memory are known
 * of commands on this machine only. Times are on the monotonic clock, counted
 *  from the start of the run (by the record link; without one, from when the last link was made).
 */
struct ng_reply {
    unsigned id; /* of the evidence; 0: not recorded */
    enum ng_ended_how how;
    int status; /* exit status; SIGNALLED: signal number; DEADLINE, STOPPED: exit status, or minus
                   the signal number */
    bool by_kill;
    int leftovers;
    int64_t start_ns, ready_ns, end_ns; /* ready_ns 0: never ready */
    int64_t user_ns, system_ns, max_rss;
    char *out;
    size_t out_len, out_cut;
    char *err;
    size_t err_len, err_cut;
    char why[256]; /* NOT_STARTED, STUCK, LOST; a remark on outputs otherwise */
};
/** Frees the outputs and leaves an empty reply. */
void ng_reply_release(struct ng_reply *reply);

struct ng_call_events {
    void (*ready)(void *context); /* may be NULL; not called when it ended before */
    void (*ended)(void *context, struct ng_reply *reply); /* exactly once, never from submit */
    /* Between links, and of the local one only: standard output as it comes, in place of
     * reply->out. NULL: reply->out. */
    void (*output)(void *context, const char *bytes, size_t len);
    void *context;
};

/** The face of a link. A link's struct begins with this one. */
struct ng_transport {
    const struct ng_transport_ops *ops;
};

struct ng_transport_ops {
    const char *name;
    struct ng_call *(*submit)(struct ng_transport *self, const struct ng_request *request,
        const struct ng_call_events *events);
    void (*stop)(struct ng_transport *self, struct ng_call *call);
    void (*free)(struct ng_transport *self); /* frees the links below as well */
};

/** Starts a request. The call is valid until its `ended` returned. Never NULL. */
struct ng_call *ng_transport_submit(struct ng_transport *transport,
    const struct ng_request *request, const struct ng_call_events *events);
/** Ends a request early: SIGINT, then after the grace SIGKILL to its whole tree. `ended` follows. A
 *  second time: SIGKILL at once; on another host that is an order, whose effect its reply tells. */
void ng_transport_stop(struct ng_transport *transport, struct ng_call *call);
/**
 * Frees a chain from its outermost link, before the loop. Calls that are left are ended by SIGKILL
 * first, and their `ended` is called; that takes at most NG_CHILD_SWEEP_NS, and the loop turns
 * meanwhile. NULL is fine.
 */
void ng_transport_free(struct ng_transport *transport);

#endif
