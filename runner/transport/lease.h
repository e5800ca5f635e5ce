/**
 * lease.h - one run at a time on a unit: the command that takes a host's lease and holds it, and
 * what it says. lease.sh is the protocol.
 *
 * The lease lives as long as the command does, and that as long as the run: it goes through the
 * transport, under the watchdog or the guard. Entries lie in the folder nasgate-lease in the first
 * of /run/lock, /dev/shm, /tmp that has the mode 1777, or in $NASGATE_LEASE_FOLDER where a host has
 * that in the environment of commands. Entries are written by anybody: all texts are cleaned and
 * cut.
 */
#ifndef NG_TRANSPORT_LEASE_H
#define NG_TRANSPORT_LEASE_H

#include "runner/base/arena.h"
#include "runner/base/strv.h"
#include "runner/transport/transport.h"

extern const unsigned char ng_lease_sh[];
extern const size_t ng_lease_sh_len;

enum { NG_LEASE_WORD_MAX = 400, NG_LEASE_LINES_MAX = 100 };

/** For whom a lease is taken. */
struct ng_lease_holder {
    const char *run;  /* its id: entries of the same run never stand in each other's way */
    const char *who;  /* "ci@runner-3" */
    const char *job;  /* address of the CI job; "": none */
    const char *plan; /* its name */
};

/** Fills argv and input of a request that takes the lease, waiting at most `wait_s` seconds there.
 * It is ready once it holds and ends by itself only when it does not; `argv` is to be released. */
void ng_lease_take(const struct ng_lease_holder *holder, int64_t wait_s, struct ng_strv *argv,
    struct ng_request *request);
/** The same for one that only looks, which takes a moment. */
void ng_lease_look(struct ng_strv *argv, struct ng_request *request);

enum ng_lease_said {
    NG_LEASE_SAID_NOTHING,
    NG_LEASE_SAID_HELD, /* it was held; since */
    NG_LEASE_SAID_FREE,
    NG_LEASE_SAID_BUSY,   /* another run has it: who, since, job, plan, run */
    NG_LEASE_SAID_FAILED, /* why */
};

/** What the command said. Texts are clean lines, NULL where it said nothing. */
struct ng_lease_words {
    enum ng_lease_said said;
    const char *who, *since, *job, *plan, *run;
    const char *why;
};

/** Reads one output of the command; of equal lines the first counts. Pure. */
struct ng_lease_words ng_lease_read(struct ng_arena *arena, const char *text, size_t len);

#endif
