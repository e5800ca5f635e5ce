/**
 * condition.h - what a precondition is: a pure function of facts and the plan.
 *
 * A new precondition is one file that defines a `const struct ng_condition` and one row in table.c.
 */
#ifndef NG_CONDITIONS_CONDITION_H
#define NG_CONDITIONS_CONDITION_H

#include "plans/language/plan.h"
#include "runner/conditions/probe.h"
#include "runner/facts/collect.h"
#include "runner/facts/facts.h"
#include "runner/result/result.h"

/** What is asked anew only at some of the looks at a guard. */
enum ng_condition_rests {
    NG_RESTS_ON_PROBES = 1 << 0,  /* what probes said */
    NG_RESTS_ON_EARLIER = 1 << 1, /* a comparison with the look before */
};

struct ng_condition_site {
    struct ng_arena *arena; /* for texts of the outcome */
    const struct ng_plan *plan;
    const struct ng_facts *const *facts;   /* by index in plan->hosts; never NULL */
    const struct ng_probe_results *probes; /* what active probes said; NULL: none was asked */
    const struct ng_precondition *items;   /* all that are evaluated together, also implied ones */
    size_t item_count;
    uint64_t seed;                    /* of the run, for checks that draw numbers */
    const struct ng_records *earlier; /* what this one kept at the look before; NULL: none was */
    const struct ng_records **kept;   /* set to what it keeps for the next look, which lives in
                                         `arena`; left alone when this one came to no end. NULL: it
                                         keeps nothing */
    unsigned *rests_on; /* set to what of enum ng_condition_rests the outcome rests on; NULL: not
                           asked */
};

/** What comes to hold by itself, and may be waited for. */
struct ng_condition_wait {
    const struct ng_host *host; /* whose facts tell when it does */
    int64_t at_most_ns;         /* how long the plan lets the run wait */
    int64_t left_ns;            /* until then, as the host reckons it; -1: not told */
};

struct ng_condition {
    struct ng_kind kind;
    /** Groups of sources (enum ng_collect_group) that it looks at: while phases are measured,
     * others are not collected. */
    unsigned reads;
    /** Says what the collector must look at, per host of the plan (same index). May be NULL. */
    void (*needs)(const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host);
    /** States the active probes that are wanted next, from the facts and from what earlier probes
     * said; called again until it wants nothing. A pure function as well. May be NULL. */
    void (*probes)(
        const struct ng_condition_site *site, const void *params, struct ng_probe_list *wanted);
    /** What its probes said is old at the next look: a guard's are asked again, after each repeat.
     */
    bool asks_again;
    /** Sets held, subject, expected, seen, source, remedy, looked_at. */
    void (*evaluate)(
        const struct ng_condition_site *site, const void *params, struct ng_condition_result *out);
    /** What differs between two looks when something began and ended unseen between them: counters
     * and ids in words, never NULL. A pure function as well. NULL: there is no such thing. */
    const char *(*trace)(const struct ng_condition_site *site, const void *params);
    /** Asked of one that does not hold: whether it may be waited for, and how long. A pure function
     * as well. NULL: never. */
    bool (*wait)(
        const struct ng_condition_site *site, const void *params, struct ng_condition_wait *out);
    /** Asked of one that does not hold and is not waited for itself: whether the end of what others
     * wait for puts an end to all that it finds, so that it does not forbid to wait for that. A
     * pure function as well. NULL: never. */
    bool (*mends)(const struct ng_condition_site *site, const void *params);
};

/** Leaves out of what hosts are asked for the groups that nobody reads. */
void ng_condition_leave_out(
    const struct ng_plan *plan, unsigned reads, struct ng_collect_needs *by_host);

extern const struct ng_condition *const ng_conditions[]; /* sorted by name */
extern const size_t ng_condition_count;
const struct ng_condition *ng_condition_of(const struct ng_kind *kind);

#endif
