/**
 * result.h - the record of one run: plain data, saved after each step as result.json, from which
 * all reports are made. It borrows nothing from the plan: a result can be read back without it.
 * Everything lives in its arena. Texts are clean (ng_text_clean) when they come from outside.
 */
#ifndef NG_RESULT_RESULT_H
#define NG_RESULT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plans/language/vocabulary.h"
#include "runner/base/arena.h"
#include "runner/base/units.h"

enum { NG_RESULT_VERSION = 1 };

#define NG_VERDICTS(X)                                                                             \
    X(NG_VERDICT_NONE, "not judged")                                                               \
    X(NG_VERDICT_PASS, "pass")                                                                     \
    X(NG_VERDICT_FAIL, "fail")                                                                     \
    X(NG_VERDICT_INCONCLUSIVE, "inconclusive")                                                     \
    X(NG_VERDICT_ERROR, "error")                                                                   \
    X(NG_VERDICT_SKIPPED, "skipped")

enum ng_verdict {
#define X(name, word) name,
    NG_VERDICTS(X)
#undef X
};
const char *ng_verdict_word(enum ng_verdict verdict);
/** What a phase did, for sentences: "passed", "failed", "was inconclusive", "ended in an error". */
const char *ng_verdict_phrase(enum ng_verdict verdict);

#define NG_HELDS(X)                                                                                \
    X(NG_HELD, "held")                                                                             \
    X(NG_BROKEN, "broken")                                                                         \
    X(NG_UNKNOWN, "unknown")                                                                       \
    X(NG_UNDECIDED, "undecided") /* thresholds only: the interval straddles the limit */

enum ng_held {
#define X(name, word) name,
    NG_HELDS(X)
#undef X
};
const char *ng_held_word(enum ng_held held);

/** A named text: what a precondition looked at, what an engine said of itself, the environment. */
struct ng_record_item {
    const char *key;
    const char *value;
};
struct ng_records {
    struct ng_record_item *items;
    size_t count, capacity;
};
void ng_records_add(struct ng_arena *arena, struct ng_records *records, const char *key,
    const char *format, ...) NG_PRINTF(4, 5);

/** What a precondition found. */
struct ng_condition_result {
    const char *id;
    const char *kind;
    const char *subject; /* "nas", "repo", "fiber": what it speaks of */
    int line;            /* in the plan; 0 for implied ones */
    bool implied;        /* the plan did not name it: an engine or a volume needs it */
    bool allow_unknown;
    const char *when; /* "before", "during", "throughout"; NULL: before */
    enum ng_held held;
    const char *expected; /* "md arrays idle" */
    const char *seen;     /* "md2 on nas is in check, 41%, 3 h left" */
    const char *source;   /* "/proc/mdstat on nas" */
    const char *remedy;   /* what to do; NULL when held */
    struct ng_records looked_at;
};
/** True when it stops the run: broken, or unknown without allow_unknown, unless it is to hold only
 * while phases run. */
bool ng_condition_stops(const struct ng_condition_result *condition);
/** True when it is unknown and the plan lets the run go on: what reports say in these words. */
bool ng_condition_is_allowed(const struct ng_condition_result *condition);
#define NG_UNKNOWN_ALLOWED "unknown, allowed"

#define NG_HOOK_OUTCOMES(X)                                                                        \
    X(NG_HOOK_HELD, "held")     /* it was content */                                               \
    X(NG_HOOK_BROKEN, "broken") /* it said so, as below */                                         \
    X(NG_HOOK_UNKNOWN, "unknown")                                                                  \
    X(NG_HOOK_FAIL, "fail")                                                                        \
    X(NG_HOOK_SKIP, "skip")                                                                        \
    X(NG_HOOK_ERROR, "error")             /* it did not come to an end */                          \
    X(NG_HOOK_INTERRUPTED, "interrupted") /* nor did the run: nothing follows from it */

enum ng_hook_outcome {
#define X(name, word) name,
    NG_HOOK_OUTCOMES(X)
#undef X
};
const char *ng_hook_word(enum ng_hook_outcome outcome);

/** What a hook said. What it says at a phase decides in the phase's verdict; what it says of the
 * run decides here. */
struct ng_hook_result {
    const char *id;    /* "before_run-no_backup_job-nas" */
    const char *place; /* "before_run" */
    const char *phase; /* that it stood at; NULL: at none */
    int line;          /* in the plan */
    enum ng_hook_outcome outcome;
    const char *expected; /* or NULL */
    const char *reason;   /* "" where it gave none */
    const char *remedy;   /* or NULL */
    struct ng_records looked_at;
};
/** Whether it stops the run before anything is measured. An interrupted one does not: what ended it
 * ends the run. */
bool ng_hook_stops(const struct ng_hook_result *hook);
/** Whether it speaks of the run, before it. */
bool ng_hook_is_before_run(const struct ng_hook_result *hook);
/** Whether it speaks of the run, after it. */
bool ng_hook_is_after_run(const struct ng_hook_result *hook);

#define NG_LEASES(X)                                                                               \
    X(NG_LEASE_NOT_ASKED, "not asked") /* the run ended before */                                  \
    X(NG_LEASE_HELD, "held")           /* by this run, for as long as it measured */               \
    X(NG_LEASE_BUSY, "busy")           /* by another run */                                        \
    X(NG_LEASE_FAILED, "failed")       /* it cannot be known or taken */                           \
    X(NG_LEASE_LOST, "lost")           /* by this run, which had not given it back */              \
    X(NG_LEASE_FREE, "free")           /* by nobody: who only looks */

enum ng_lease_state {
#define X(name, word) name,
    NG_LEASES(X)
#undef X
};
const char *ng_lease_word(enum ng_lease_state state);

/** The lease of a host. `who`, `job`, `plan` and `run` are of another run that has it, as it says
 *  itself; NULL otherwise, and where it does not say. */
struct ng_lease_result {
    const char *host;
    enum ng_lease_state state;
    const char *who;
    const char *since; /* it is held, on the clock of the host */
    const char *job;   /* address */
    const char *plan;
    const char *run;
    const char *reason; /* of failed and lost */
};

/** A number that was measured once. */
struct ng_measure {
    const char *metric;
    struct ng_dim dim;
    enum ng_spelling spelling;
    enum ng_better better;
    double value;
};

#define NG_FINDINGS(X)                                                                             \
    X(NG_FINDING_NOTE, "note")                 /* worth telling */                                 \
    X(NG_FINDING_WARNING, "warning")           /* a doubt that does not change the verdict */      \
    X(NG_FINDING_INCONCLUSIVE, "inconclusive") /* the number cannot be stood behind */             \
    X(NG_FINDING_FAIL, "fail")                 /* a script says that the phase fails */            \
    X(NG_FINDING_SKIP, "skip")   /* a script says that there is nothing to measure */              \
    X(NG_FINDING_ERROR, "error") /* a hook after the phase did not come to its end */

enum ng_finding_weight {
#define X(name, word) name,
    NG_FINDINGS(X)
#undef X
};
const char *ng_finding_word(enum ng_finding_weight weight);
/** The rule of what a script says of a phase: it decides before thresholds do. */
#define NG_RULE_SCRIPT "script"

/** A doubt about a measurement, with the numbers. */
struct ng_finding {
    enum ng_finding_weight weight;
    const char *rule; /* fixed word: "faster-than-link" */
    const char *text;
};

/**
 * A metric over the time of one repeat, for plots. One value per step; when there were more than
 * NG_SERIES_MAX, two per step: the lowest and the highest of what the step holds, so that a stall
 * is still there. NaN where nothing was counted.
 */
struct ng_series {
    const char *metric;
    struct ng_dim dim;
    enum ng_spelling spelling;
    int64_t step_ns; /* > 0; the first step begins with the measurement */
    int per_step;    /* 1 or 2 */
    double *values;
    size_t value_count, value_capacity;
};
enum { NG_SERIES_MAX = 800 }; /* values of one series */

/** One run of one phase. */
struct ng_repeat {
    int number; /* from 1 */
    bool valid; /* completed and believed by its engine: counts for thresholds */
    bool partial;
    const char *error; /* why it is not valid; NULL otherwise */
    int64_t start_ns;  /* since the start of the run */
    int64_t duration_ns;
    int attempts; /* 1, more after transient failures */
    struct ng_measure *measures;
    size_t measure_count, measure_capacity;
    struct ng_series *series; /* of engines that sample */
    size_t series_count, series_capacity;
    struct ng_finding *findings;
    size_t finding_count, finding_capacity;
    struct ng_records records; /* engine version, direct I/O, file ... */
    unsigned *evidence;        /* ids of the commands */
    size_t evidence_count, evidence_capacity;
};

/** A threshold or a prediction after judging. */
struct ng_judged {
    const char *text;
    int line;
    bool gates; /* false: a prediction */
    enum ng_held held;
    struct ng_dim dim;
    enum ng_spelling spelling;
    double left, limit, high;     /* base units; NaN where unknown; high only for within */
    bool within;                  /* limit .. high */
    const char *comparison;       /* ">=" */
    double margin;                /* as ng_margin; NaN: unknown */
    double low_bound, high_bound; /* confidence interval of left; NaN without one */
    const char *reason;           /* why unknown or undecided; NULL otherwise */
};

struct ng_phase_result {
    const char *name;
    const char *engine;
    const char *subject;  /* volume or link it measures */
    const char *workload; /* the engine's parameters on one line, as a plan writes them */
    int line;
    enum ng_verdict verdict;
    const char *reason; /* in words, always set once the verdict is */
    int planned_repeats;
    struct ng_repeat *repeats;
    size_t repeat_count, repeat_capacity;
    struct ng_judged *judged;
    size_t judged_count, judged_capacity;
};

/** One thing that was known of a host before anything was measured, or that was not (facts/state.h
 * has the words). */
struct ng_state_item {
    const char *section; /* "platform", "mounts", "arrays" ... */
    const char *about;   /* the thing, "md2"; "" for the host itself */
    const char *key;
    const char *value; /* NULL: unknown */
    const char *why;   /* why it is unknown; NULL when it is known */
    const char *source;
};
struct ng_states {
    struct ng_state_item *items;
    size_t count, capacity;
};
/** Adds a zeroed item and returns it. */
struct ng_state_item *ng_states_add(struct ng_arena *arena, struct ng_states *states);

/** A guard that did not hold while a repeat was measured, or a host that was not there. */
struct ng_event {
    const char *phase;
    int repeat, attempt;
    const char *guard;  /* id of the precondition; "host-NAME" for a host */
    enum ng_held held;  /* broken or unknown */
    int64_t at_ns;      /* since the start of the run: when it was first seen */
    int64_t until_ns;   /* when it was seen to hold again; 0: not by the end of the repeat */
    bool exact;         /* from a sample; else seen after the repeat, somewhere within it */
    const char *seen;   /* what was seen, in words */
    const char *remedy; /* what to do about it; NULL: nothing is known */
    struct ng_records looked_at; /* of a guard that records: what it looked at */
};
enum { NG_EVENT_TEXT = 1000 };

struct ng_host_result {
    const char *name;
    const char *via;
    struct ng_records environment; /* os, kernel, cpu, memory, tools ... */
    struct ng_states state;
};

/** A place where the data of a volume lie: its path on its own host, or the exported path on the
 * server that it is mounted from. */
struct ng_volume_result {
    const char *name;
    const char *host;
    const char *path;
    struct ng_states state; /* what of the host's state concerns this path */
};

struct ng_result {
    struct ng_arena arena;
    const char *run_id;
    const char *version; /* of nasgate */
    const char *plan_name, *plan_title;
    const char *plan_file; /* relative, as given; only the base name of an absolute path */
    const char *plan_digest;
    int plan_phases;   /* phases of the plan; `phases` holds those that were chosen */
    const char **only; /* what --only named; none: all phases */
    size_t only_count, only_capacity;
    const char *recorded_plan; /* judged again by another plan: digest of the plan that was run */
    const char *plan_commit;   /* of the git work tree that holds the plan, or NULL */
    const char *plan_tree;     /* "clean", "changed", "plan is not tracked"; NULL: unknown */
    uint64_t seed;
    int64_t started_wall_ns, ended_wall_ns; /* ended 0: still running or cut short */
    int64_t duration_ns; /* until the last command ended: a function of the evidence */
    struct ng_records params;
    struct ng_host_result *hosts;
    size_t host_count, host_capacity;
    struct ng_volume_result *volumes;
    size_t volume_count, volume_capacity;
    struct ng_condition_result *conditions;
    size_t condition_count, condition_capacity;
    struct ng_lease_result *leases; /* in the order in which they are taken */
    size_t lease_count, lease_capacity;
    int lease_line;                 /* of the plan; 0: it has no lease */
    struct ng_phase_result *phases; /* all of the plan, from the beginning */
    size_t phase_count, phase_capacity;
    struct ng_hook_result *hooks; /* in the order in which they ran */
    size_t hook_count, hook_capacity;
    struct ng_event *events; /* in the order in which phases ran */
    size_t event_count, event_capacity;
    const char **warnings; /* of the run as a whole */
    size_t warning_count, warning_capacity;
    const char *baseline_plan; /* digest of the baseline's plan, or NULL */
    const char *baseline;      /* run id of the baseline, or NULL */
    int interrupted;           /* signal number or 0 */
    const char *not_restored;  /* what was left in the lab and what to do, or NULL: exit code 7 */
    const char *error;         /* of the run as a whole, or NULL */
    bool complete;             /* the run reached its end; false in a file means: cut short */
    int exit_code;
    const char *verdict; /* the words of the exit code */
};

/** An empty record of a run that has not reached its end: what is saved before the end says so
 *  itself (exit code 5, and the verdict in words). Texts that must not be missing are "". */
struct ng_result *ng_result_new(void);
void ng_result_free(struct ng_result *result);
struct ng_phase_result *ng_result_phase(const struct ng_result *result, const char *name);
/** Adds a zeroed element and returns it; it is valid until the next is added to the same array. */
struct ng_host_result *ng_result_add_host(struct ng_result *result);
struct ng_volume_result *ng_result_add_volume(struct ng_result *result);
struct ng_condition_result *ng_result_add_condition(struct ng_result *result);
struct ng_lease_result *ng_result_add_lease(struct ng_result *result);
struct ng_hook_result *ng_result_add_hook(struct ng_result *result);
struct ng_phase_result *ng_result_add_phase(struct ng_result *result);
struct ng_repeat *ng_phase_add_repeat(struct ng_arena *arena, struct ng_phase_result *phase);
struct ng_judged *ng_phase_add_judged(struct ng_arena *arena, struct ng_phase_result *phase);
void ng_repeat_add_evidence(struct ng_arena *arena, struct ng_repeat *repeat, unsigned id);
/** Adds a copy of an event; its texts are copied and cleaned. */
void ng_result_add_event(struct ng_result *result, const struct ng_event *event);
/** One that was unknown turned out to be broken: what was seen then is added; remedy and records
 * are those of `then`. */
void ng_result_settle_event(struct ng_result *result, size_t index, const struct ng_event *then);
/** "no_rebuild-nas broke 12.3 s into it: ...; it held again 4.0 s later; wait for its end".
 * `start_ns`: of the repeat. */
const char *ng_event_words(const struct ng_event *event, int64_t start_ns, char out[NG_EVENT_TEXT]);
void ng_result_warn(struct ng_result *result, const char *format, ...) NG_PRINTF(2, 3);
void ng_repeat_find(struct ng_arena *arena, struct ng_repeat *repeat, enum ng_finding_weight weight,
    const char *rule, const char *format, ...) NG_PRINTF(5, 6);
/** Adds a measure. A value that is not finite is no measurement and is left out. */
void ng_repeat_measure(struct ng_arena *arena, struct ng_repeat *repeat,
    const struct ng_metric_def *metric, double value);
/**
 * Adds a series from `count` samples, one per step. Nothing for less than two samples. Infinite and
 * negative samples are none: NaN.
 */
void ng_repeat_sample(struct ng_arena *arena, struct ng_repeat *repeat,
    const struct ng_metric_def *metric, int64_t step_ns, const double *samples, size_t count);
/** The value of a metric in one repeat; false when it was not measured. */
bool ng_repeat_value(const struct ng_repeat *repeat, const char *metric, double *value);
/** True when a repeat counts: valid and not partial. */
bool ng_repeat_counts(const struct ng_repeat *repeat);
/** True when a finding says that its numbers cannot be stood behind. They are shown, but hold
 *  nothing. */
bool ng_repeat_is_disowned(const struct ng_repeat *repeat);
/** The values of all repeats that count, in order, into the result's arena; returns the count. */
size_t ng_phase_values(struct ng_result *result, const struct ng_phase_result *phase,
    const char *metric, const double **values);

#endif
