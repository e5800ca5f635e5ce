/**
 * ping_ask.h - pings as probes: what is asked of a host, and what came back.
 */
#ifndef NG_CONDITIONS_PING_ASK_H
#define NG_CONDITIONS_PING_ASK_H

#include "runner/conditions/condition.h"
#include "runner/facts/ping_probe.h"

/** Small pings, and pings of one size that forbid fragments. `size` is the payload; 0: the small
 * one. */
void ng_want_ping(
    struct ng_probe_list *wanted, const struct ng_host *host, const char *address, int64_t size);
/** The payload that a probe of that name sends to `address`; false for other probes. */
bool ng_ping_size_of(const char *name, const char *address, int64_t *size);
/** What such pings said. False when they were not run; `*why` says why (NULL: not asked yet). */
bool ng_ping_said(const struct ng_condition_site *site, const struct ng_host *host,
    const char *address, int64_t size, struct ng_ping_probe *probe, const char **why);

#endif
