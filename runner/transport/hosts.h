/**
 * hosts.h - the link that reaches other machines: it turns requests to them into requests of this
 * machine and their replies back again.
 *
 * Hosts that it has no way to are this machine: their requests go on untouched. All others run
 * under the watchdog (watchdog.sh), with a private folder as cwd and TMPDIR, PATH with the usual
 * folders of administrators behind, LC_ALL=C and TZ=UTC; see transport.h for how they can end. What
 * a command leaves running there is killed, whether it ended, was stopped, or the connection broke:
 * the latter within NG_HOSTS_LOST_NS when the host sees the connection close, else within 10 s. A
 * reply of LOST comes only then. All commands of an ssh host share one connection (master.h).
 */
#ifndef NG_TRANSPORT_HOSTS_H
#define NG_TRANSPORT_HOSTS_H

#include "runner/process/loop.h"
#include "runner/transport/transport.h"
#include "runner/transport/wrap.h"

#define NG_HOSTS_LOST_NS (4 * NG_NS_PER_S)

/**
 * Takes ownership of `next`, also on failure; borrows `reaches` and all in it. Without any the link
 * is `next` itself. Sockets lie in a private folder, removed by free; where its name is too long
 * for a socket, each command connects by itself.
 */
struct ng_transport *ng_hosts_new(struct ng_transport *next, struct ng_loop *loop,
    const char *run_id, const struct ng_reach *reaches, size_t count, struct ng_err *err);

#endif
