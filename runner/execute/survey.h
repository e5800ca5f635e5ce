/**
 * survey.h - the hosts of a plan looked at without measuring anything: facts, and with them probes
 * and preconditions.
 */
#ifndef NG_EXECUTE_SURVEY_H
#define NG_EXECUTE_SURVEY_H

#include "runner/execute/run.h"
#include "runner/facts/facts.h"

/** What hosts are asked for besides what the plan needs. */
struct ng_ask {
    const bool *left_out;     /* by index of plan->hosts: those that are not asked; NULL: none */
    const char *const *tools; /* programs to look for on every host, ends with NULL; or NULL */
    bool all_cards;           /* ethtool of every card, not of the ends of links alone */
    bool keep_raw;
};

/** How a host answered. Times count from the start of the run. */
struct ng_asked {
    int64_t sent_ns, answered_ns; /* both 0: it was not asked */
    const char *raw;              /* all that the collector printed, with keep_raw; else NULL */
    size_t raw_len;
};

/** One look at the hosts of a plan. Zeroed by the caller but for `options` and `ask`. */
struct ng_survey {
    const struct ng_run_options *options;
    struct ng_ask ask;
    /* filled; by index of plan->hosts; they live in the arena, until ng_survey_release */
    const struct ng_facts *const *facts;
    const struct ng_asked *asked;
    struct ng_arena arena;
};

/**
 * One request to each host, all at the same time. Environment and state go into options->result,
 * which nothing writes to disk; `bundle`, `evidence` and `baseline` are not used. Changes nothing
 * on any host and makes no folder on a volume.
 */
void ng_survey_facts(struct ng_survey *survey);
/** The same, after a look at who has the plan's leases, then the probes and preconditions of the
 * plan. Returns how many would stop a run. */
size_t ng_survey(struct ng_survey *survey);
void ng_survey_release(struct ng_survey *survey);

#endif
