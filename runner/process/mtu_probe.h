/**
 * mtu_probe.h - whether one UDP datagram of a given size reaches an address without being cut.
 *
 * The socket is in PROBE mode (ip(7), IP_MTU_DISCOVER): "do not fragment" is set and what the
 * kernel remembers of the path is ignored, so nothing needs to be flushed and no privilege is
 * needed. The datagram goes to ports where nobody should listen: the refusal of a port proves that
 * it arrived. A refusal for its size comes through the socket's error queue with the MTU.
 */
#ifndef NG_PROCESS_MTU_PROBE_H
#define NG_PROCESS_MTU_PROBE_H

#include <stddef.h>
#include <stdint.h>

#include "runner/base/err.h"

enum { NG_MTU_PROBE_MAX = 65507, NG_MTU_PROBE_FROM = 64 };

enum ng_mtu_fate {
    NG_MTU_PASSES,   /* a port refused it, or somebody answered */
    NG_MTU_TOO_LONG, /* somebody on the way, or this machine, refused it for its size */
    NG_MTU_SILENT,   /* three datagrams, and nothing came back */
};

struct ng_mtu_answer {
    enum ng_mtu_fate fate;
    int64_t mtu;                  /* of TOO_LONG; 0: not told */
    char from[NG_MTU_PROBE_FROM]; /* who refused it: an address, "here", or "" */
};

/** Sends `size` bytes of payload to a numeric address, at most three times, and waits a second for
 * each. False for anything that proves nothing: no such address, no route, no permission. */
bool ng_mtu_probe(
    const char *address, size_t size, struct ng_mtu_answer *answer, struct ng_err *err);

#endif
