/**
 * ping_probe.h - what a handful of pings of one size proved: a probe, not a measurement.
 */
#ifndef NG_FACTS_PING_PROBE_H
#define NG_FACTS_PING_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"

struct ng_ping_probe {
    int sent, answers;    /* -1: there is no line of counts */
    bool too_long;        /* some packet was refused for its size */
    bool local;           /* the refusal came from the sender's own kernel */
    bool no_option;       /* this ping cannot forbid fragments: BusyBox, old builds */
    bool unreachable;     /* someone said that the address cannot be reached */
    int64_t mtu;          /* that the refusal named; 0: none */
    const char *reporter; /* who refused or said so, or NULL */
    const char *message;  /* the first complaint, clean; NULL: none */
};

/** Reads both outputs of ping. Exit codes say nothing: answers and texts count. */
void ng_ping_probe_read(struct ng_ping_probe *probe, struct ng_arena *arena, const char *out,
    size_t out_len, const char *err, size_t err_len);
/** Every packet came back. */
bool ng_ping_probe_all(const struct ng_ping_probe *probe);
/** Packets were handled and none came back. */
bool ng_ping_probe_none(const struct ng_ping_probe *probe);

#endif
