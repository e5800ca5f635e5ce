/**
 * script_call.h - what a script is asked, what it can look at, and what it says: between those who
 * evaluate (conditions, engines, the executor) and those who run Lua (lua/host).
 */
#ifndef NG_RESULT_SCRIPT_CALL_H
#define NG_RESULT_SCRIPT_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plans/language/plan.h"
#include "plans/language/value.h"
#include "runner/result/result.h"

struct ng_facts; /* runner/facts/facts.h */

enum {
    NG_SCRIPT_ASKS_MAX = 20,           /* commands of one script */
    NG_SCRIPT_OUTPUT_MAX = 256 * 1024, /* bytes of one of their outputs; longer ones are cut */
};

/** Where a script stands in a plan, and the outcomes that it may have there. */
#define NG_SCRIPT_PLACES(X)                                                                        \
    X(NG_SCRIPT_PRECONDITION, "a precondition", "held, broken, unknown")                           \
    X(NG_SCRIPT_PHASE, "a phase", "held, broken, unknown, fail, skip")                             \
    X(NG_SCRIPT_METRICS, "the metrics of a command", "held, broken, unknown, fail")                \
    X(NG_SCRIPT_BEFORE_RUN, "a hook before_run", "held, broken, unknown")                          \
    X(NG_SCRIPT_BEFORE_PHASE, "a hook before_phase", "held, broken, unknown, fail, skip")          \
    X(NG_SCRIPT_AFTER_PHASE, "a hook after_phase", "held, broken, unknown, fail")                  \
    X(NG_SCRIPT_AFTER_RUN, "a hook after_run", "held, broken, unknown, fail")

enum ng_script_place {
#define X(name, word, outcomes) name,
    NG_SCRIPT_PLACES(X)
#undef X
};

/** What a script said last, by the function of that name; NOTHING: it came to its end. */
#define NG_SCRIPT_SAYINGS(X)                                                                       \
    X(NG_SCRIPT_NOTHING, "nothing")                                                                \
    X(NG_SCRIPT_HELD, "held")                                                                      \
    X(NG_SCRIPT_BROKEN, "broken")                                                                  \
    X(NG_SCRIPT_UNKNOWN, "unknown")                                                                \
    X(NG_SCRIPT_FAIL, "fail")                                                                      \
    X(NG_SCRIPT_SKIP, "skip")

enum ng_script_said {
#define X(name, word) name,
    NG_SCRIPT_SAYINGS(X)
#undef X
};

/** A command that a script wants to be run. */
struct ng_script_ask {
    const struct ng_host *host;
    const char *const *argv; /* ends with NULL */
    int64_t timeout_ns;
    int number; /* from 1, among those of this run of the script */
};

/** How it ended. Borrowed by the script while it runs. */
struct ng_script_answer {
    const char *failed; /* why there is no answer (not started, late); NULL: it ended by itself */
    int status;         /* exit status */
    const char *out, *err;
    size_t out_len, err_len;
    bool cut; /* there was more than was kept */
};

/** A number that a script measured. */
struct ng_script_measure {
    const struct ng_metric_def *metric;
    double value; /* in base units */
};

struct ng_script_call {
    const struct ng_script *script;
    const struct ng_value *args; /* a map; NULL: none */
    enum ng_script_place place;
    struct ng_arena *arena; /* for all that is said */
    const struct ng_plan *plan;
    const struct ng_facts *const *facts; /* by index of plan->hosts; NULL: none were collected */
    const struct ng_result *result;      /* so far; NULL: there is none */
    const struct ng_phase *phase;        /* that it stands at; NULL: at none */
    int number;                          /* PHASE, METRICS: of the repeat; 0 elsewhere */
    const struct ng_records *earlier;    /* what it recorded when it ran before; NULL: it did not */
    const struct ng_script_answer *output; /* METRICS: of the command */
    const struct ng_metric_def *metrics;   /* that it may measure */
    size_t metric_count;
    uint64_t seed;
    /** Runs a command; NULL: none can be run here. False when there is no answer yet: the script
     * ends there (`waits`) and is run again from its start when there is. */
    bool (*ask)(void *context, const struct ng_script_ask *ask, struct ng_script_answer *answer);
    void *context;

    /* What it said; all texts are clean. */
    bool waits;
    enum ng_script_said said;
    const char *reason;   /* of what it said, "" where it gave none */
    const char *expected; /* by expect(); NULL: it did not say */
    const char *remedy;   /* what to do about it; NULL: it did not say */
    const char
        *error; /* why it did not come to an end: "check.lua:3: error: text [lua]"; or NULL */
    struct ng_records records;
    bool looked_back; /* it asked for something of `earlier` */
    struct ng_script_measure *measures;
    size_t measure_count, measure_capacity;
    const char *printed; /* by print(), for whoever writes the script; "" for nothing */
};

#endif
