/**
 * local.h - the last link: runs a request on this machine.
 *
 * Each request gets a private empty folder as cwd and TMPDIR, emptied afterwards, and an
 * environment of PATH (ours, with the sbin folders behind), HOME, USER, LOGNAME, LC_ALL=C, LANG=C,
 * TZ=UTC, TMPDIR, SSH_AUTH_SOCK and NASGATE_LEASE_FOLDER (lease.h) where set. Nothing here ever
 * waits: a folder that cannot be made is a NOT_STARTED.
 */
#ifndef NG_TRANSPORT_LOCAL_H
#define NG_TRANSPORT_LOCAL_H

#include "runner/process/loop.h"
#include "runner/transport/transport.h"

/** `run_id` names children: "RUNID.1" and so on (child.h: marker). The scratch folder is made here,
 * below TMPDIR, and removed by free. */
struct ng_transport *ng_local_new(struct ng_loop *loop, const char *run_id, struct ng_err *err);

#endif
