/**
 * probe.h - active probes: the few things that no file of a host tells, asked before preconditions
 * are evaluated.
 *
 * A precondition states which it needs (condition.h: probes). The executor runs all of them, on all
 * hosts at the same time, and asks again with what they said, until no precondition wants more:
 * so one can depend on another's answer. Their outputs are facts from then on.
 */
#ifndef NG_CONDITIONS_PROBE_H
#define NG_CONDITIONS_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plans/language/plan.h"
#include "runner/base/arena.h"

enum { NG_PROBES_MAX = 4096, NG_PROBE_OUT_MAX = 256 * 1024 };

struct ng_probe {
    const struct ng_host *host;
    const char *name;        /* what is asked; a name is asked once per host */
    const char *const *argv; /* ends with NULL */
    int64_t deadline_ns;
    bool undo; /* takes back what an earlier one did: run although the user stopped the run */
};

struct ng_probe_result {
    const struct ng_host *host;
    const char *name;
    const char *failed; /* why there is no answer (not started, late, cut off); NULL: it ended */
    int status;         /* exit status */
    const char *out, *err;
    size_t out_len, err_len;
    bool cut;                      /* there was more than NG_PROBE_OUT_MAX */
    int64_t asked_ns, answered_ns; /* the runner's clock, since 1970 */
};

struct ng_probe_results {
    struct ng_probe_result *items;
    size_t count, capacity;
};

/** What is wanted in this round. */
struct ng_probe_list {
    struct ng_probe *items;
    size_t count, capacity;
    const struct ng_probe_results *done; /* what was asked before */
    bool undo_only; /* the run was stopped: nothing but `undo` is run any more */
    struct ng_arena *arena;
};

const struct ng_probe_result *ng_probe_find(
    const struct ng_probe_results *results, const struct ng_host *host, const char *name);
/** Wants a probe, unless it was asked already or is wanted in this round. `argv` ends with NULL; it
 * is copied, with the words that the host's `tools` name in the place of its first. */
void ng_probe_want(struct ng_probe_list *list, const struct ng_host *host, const char *name,
    int64_t deadline_ns, const char *const *argv);

/** The same for one that takes back what an earlier one did. */
void ng_probe_want_undo(struct ng_probe_list *list, const struct ng_host *host, const char *name,
    int64_t deadline_ns, const char *const *argv);

#endif
