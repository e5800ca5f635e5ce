/**
 * mtu_own.h - our own probe of a path, on hosts that are the runner's machine: one UDP datagram
 * that may not be fragmented and that ignores what the kernel remembers of the path.
 *
 * `nasgate probe-mtu ADDRESS SIZE` sends it to a port where nobody listens: the refusal that comes
 * back proves that the whole datagram arrived, whatever the way back does to large packets.
 */
#ifndef NG_CONDITIONS_MTU_OWN_H
#define NG_CONDITIONS_MTU_OWN_H

#include "runner/conditions/condition.h"

enum ng_own {
    NG_OWN_UNKNOWN,  /* not asked, not possible, or not understood */
    NG_OWN_PASSES,   /* it arrived */
    NG_OWN_TOO_LONG, /* someone refused it for its size */
    NG_OWN_SILENT,   /* nothing came back: dropped on the way, or by a firewall */
};

/** Wants the probe; does nothing for hosts that are elsewhere. `size` is the payload. */
void ng_own_want(
    struct ng_probe_list *wanted, const struct ng_host *host, const char *address, int64_t size);
/** What it said. `mtu` (0: not told) goes with NG_OWN_TOO_LONG. */
enum ng_own ng_own_said(const struct ng_condition_site *site, const struct ng_host *host,
    const char *address, int64_t size, int64_t *mtu);

#endif
