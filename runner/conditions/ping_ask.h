/**
 * ping_ask.h - pings as probes: what is asked of a host, and what came back.
 */
#ifndef NG_CONDITIONS_PING_ASK_H
#define NG_CONDITIONS_PING_ASK_H

#include "runner/conditions/condition.h"
#include "runner/facts/ping_probe.h"

/** Three small pings: is anybody there? */
void ng_want_ping(struct ng_probe_list *wanted, const struct ng_host *host, const char *address);
/** Three pings of one size (payload, at least 1) that forbid fragments: a proof. */
void ng_want_proof(
    struct ng_probe_list *wanted, const struct ng_host *host, const char *address, int64_t size);
/** One such ping: a step of a search, where it need not be certain. */
void ng_want_try(
    struct ng_probe_list *wanted, const struct ng_host *host, const char *address, int64_t size);
/** The payload that a try of that name sends to `address`; false for other probes. */
bool ng_try_size(const char *name, const char *address, int64_t *size);

/** What they said. False when they were not run; `*why` says why (NULL: not asked yet). */
bool ng_ping_said(const struct ng_condition_site *site, const struct ng_host *host,
    const char *address, struct ng_ping_probe *probe, const char **why);
bool ng_proof_said(const struct ng_condition_site *site, const struct ng_host *host,
    const char *address, int64_t size, struct ng_ping_probe *probe, const char **why);
bool ng_try_said(const struct ng_condition_site *site, const struct ng_host *host,
    const char *address, int64_t size, struct ng_ping_probe *probe, const char **why);

#endif
