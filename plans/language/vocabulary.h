/**
 * vocabulary.h - what a plan may name besides the language itself: engines and preconditions.
 *
 * The language lies below the engines and preconditions and must not know them, yet loads their
 * fields and resolves their metrics. So the command line hands their tables down as a vocabulary.
 */
#ifndef NG_LANGUAGE_VOCABULARY_H
#define NG_LANGUAGE_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plans/language/field.h"
#include "runner/base/units.h"

enum ng_better { NG_BETTER_HIGHER, NG_BETTER_LOWER, NG_BETTER_NEITHER };

/** A number that an engine can measure. */
struct ng_metric_def {
    const char *name; /* "write.bw" */
    struct ng_dim dim;
    enum ng_spelling spelling;
    enum ng_better better;
    const char *meaning; /* one line */
    const char *source;  /* where it stands in the tool's output */
};

/** What one run of a phase costs, at most, as far as it can be known beforehand. */
struct ng_cost {
    int64_t time_ns;    /* expected duration of one repeat; 0 = cannot be known */
    bool time_is_guess; /* the engine ends when its work is done, not after a set time */
    int64_t written;    /* bytes written to the volume */
    int64_t footprint;  /* bytes that lie on the volume at the same time */
    const char *data;   /* what they are: phases on one volume with equal data and parts share them;
                           NULL: this phase's own */
    int parts;          /* into how many files they are split */
};

/** An engine or a precondition as the language sees it. */
struct ng_kind {
    struct ng_record record; /* record.name is the word in the plan */
    const struct ng_metric_def *metrics;
    size_t metric_count;
    /** Cross-field rules and lints on loaded params; may be NULL. `node` is for places. */
    void (*check)(const struct ng_plan *plan, const void *params, const struct ng_node *node,
        struct ng_diags *diags);
    /** Engines: the metrics that a phase states itself, beside those of the table. May be NULL. */
    const struct ng_metric_def *(*own_metrics)(const void *params, size_t *count);
    /** Whether a phase with these params measures a metric of the table; NULL: all of them. */
    bool (*measures)(const void *params, const struct ng_metric_def *metric);
    /** Preconditions: the field for keys that stand beside the name of the kind, so that
     * {lua: x, host: nas} means {lua: {check: x, args: {host: nas}}}; NULL: none may. */
    const char *beside;
    /** Preconditions: it may also stand below `hooks:`. */
    bool hooks;
    /** Preconditions: what can go bad in the middle of a run is watched throughout it, unless the
     * plan says otherwise. */
    bool guards;
    /** Engines: what one repeat costs. */
    void (*estimate)(const void *params, struct ng_cost *cost);
    /** Engines: the volume that a phase with these params works on, or NULL. May be NULL. */
    const struct ng_volume *(*volume)(const void *params);
};

/** The words that a telemetry metric ends with: host.H.METRIC.STAT over the samples of a repeat. */
#define NG_TELEMETRY_STATS(X)                                                                      \
    X(NG_STAT_MIN, "min")                                                                          \
    X(NG_STAT_MAX, "max")                                                                          \
    X(NG_STAT_MEAN, "mean")                                                                        \
    X(NG_STAT_SUM, "sum")

enum ng_telemetry_stat {
#define X(name, word) name,
    NG_TELEMETRY_STATS(X)
#undef X
        NG_STAT_COUNT
};
const char *ng_telemetry_stat_word(enum ng_telemetry_stat stat);

struct ng_vocabulary {
    const struct ng_kind *const *engines; /* sorted by name */
    size_t engine_count;
    const struct ng_kind *const *conditions; /* sorted by name */
    size_t condition_count;
    const struct ng_metric_def *telemetry; /* of any host, sampled while a phase runs; sorted */
    size_t telemetry_count;
};

const struct ng_kind *ng_vocabulary_engine(
    const struct ng_vocabulary *vocabulary, const char *name);
const struct ng_kind *ng_vocabulary_condition(
    const struct ng_vocabulary *vocabulary, const char *name);
const struct ng_metric_def *ng_kind_metric(const struct ng_kind *kind, const char *name);

#endif
