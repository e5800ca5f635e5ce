/**
 * view.h - the one view of a result: all that reports and the console show, formatted, in the order
 * in which it is told. Spellings (Markdown, JUnit, console) only spell it. Pure: the same result
 * gives the same view everywhere. The result must outlive the view.
 *
 * Two record keys of a repeat mean something here, where an engine or the executor sets them:
 * "link.speed" (a quantity, "10 Gbit/s": the speed of the link that the phase crosses) and "disks"
 * (how many disks back the volume). They become shares of the link and figures per disk.
 */
#ifndef NG_WRITERS_VIEW_H
#define NG_WRITERS_VIEW_H

#include "reports/writers/grid.h"
#include "runner/base/arena.h"
#include "runner/result/result.h"

/** One rung of a ladder, in numbers. */
struct ng_view_rung {
    const struct ng_phase_result *phase;
    const char *metric;
    enum ng_spelling spelling;
    double value;     /* median of the repeats that count: bytes/s, or requests/s */
    double low, high; /* over them */
    double request;   /* average bytes per request; NaN without requests */
    size_t order;     /* in the plan, so that equal values keep their order */
};
struct ng_view_ladder {
    struct ng_view_rung *rungs; /* slowest to fastest */
    size_t count, capacity;
};

/** A drawing that belongs to a report; see plots.h. */
struct ng_view_plot {
    const char *file; /* in the bundle: "plots/phase-seq-write.svg"; NULL: there is none */
    const char *id;   /* "phase-seq-write" */
    const char *alt;  /* what it shows; letters, digits, blanks and hyphens only */
};

struct ng_view_phase {
    const struct ng_phase_result *phase;
    const char *verdict;        /* as ng_view_verdict */
    const char *reason;         /* foreign; never NULL */
    const char *heading;        /* "fio on repo" */
    size_t counted;             /* repeats that count and that no finding disowns */
    int64_t duration_ns;        /* of all repeats */
    struct ng_grid limits;      /* each threshold against what was measured */
    struct ng_grid predictions; /* the same for predictions */
    struct ng_grid metrics;     /* all metrics over the repeats */
    struct ng_grid findings;    /* doubts and notes */
    struct ng_grid records;     /* what the engine said of itself */
    struct ng_grid repeats;     /* when, how long, which evidence */
    struct ng_view_plot plot;   /* over time, or over the repeats */
};

struct ng_view {
    const struct ng_result *result;
    int exit_code;                  /* of the result, never greener than its verdicts */
    const char *exit_words;         /* ng_exit_words */
    const char *verdict;            /* "pass", "FAIL", "precondition broken", ... fixed words */
    const char *why;                /* one sentence; foreign */
    const char *started;            /* "2026-11-30T11:30:00Z", or "unknown" */
    const char *duration;           /* "3 m 20 s" */
    const char *plan_file;          /* never absolute */
    struct ng_grid summary;         /* one row per phase: phase, verdict, measured, limit, margin */
    struct ng_grid reasons;         /* phases that did not pass: phase, verdict, why */
    struct ng_grid notes;           /* what may be in every figure: one foreign column */
    struct ng_grid leases;          /* each unit of the plan's lease: who has it, or how it ended */
    struct ng_grid conditions;      /* each precondition: check, state, expected, seen, source */
    struct ng_grid remedies;        /* what to do about those that did not hold */
    struct ng_grid looked_at;       /* everything that preconditions looked at */
    struct ng_grid hosts;           /* host, key, value */
    struct ng_grid hooks;           /* each run of a hook: hook, phase, outcome, expected, why */
    struct ng_grid hooks_looked_at; /* and everything that they looked at */
    struct ng_grid state_volumes;   /* what was known of each volume: volume, on, part, state */
    struct ng_grid state_hosts;     /* the same of hosts: host, section, of, state, source */
    struct ng_grid state_unknown;   /* and what was not: host, section, fact, why */
    struct ng_view_phase *phases;   /* as in the result */
    struct ng_grid bulk;            /* ladder of bulk throughput, slowest to fastest */
    struct ng_grid iops;            /* ladder of small requests, slowest to fastest */
    struct ng_view_ladder bulk_ladder, iops_ladder; /* the same in numbers */
    struct ng_grid timeline; /* when each repeat ran and what guards saw, in the order of time */
    struct ng_grid guards_remedies;  /* what to do about guards that did not hold: guard, what */
    struct ng_grid guards_looked_at; /* what guards that record looked at when they did not hold */
    struct ng_grid load;             /* of the hosts that were watched, by phase */
    struct ng_view_plot bulk_plot, iops_plot, timeline_plot;
    double wire_speed;          /* bytes/s; NaN without one */
    const char *wire;           /* the phase whose throughput is the measured wire, or NULL */
    struct ng_grid predictions; /* of all phases */
    struct ng_grid origin;      /* plan digest, seed, versions: what a run was made of */
    const char *command;        /* to run it again; foreign, one line */
};

/** Builds the view; everything lives in `arena`. */
struct ng_view *ng_view_build(const struct ng_result *result, struct ng_arena *arena);
/** "pass", "FAIL", "INCONCLUSIVE", "ERROR", "skipped", "not run". */
const char *ng_view_verdict(enum ng_verdict verdict);

#endif
