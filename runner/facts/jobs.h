/**
 * jobs.h - jobs of NAS units that falsify a measurement, by the names of their processes.
 */
#ifndef NG_FACTS_JOBS_H
#define NG_FACTS_JOBS_H

#include <stddef.h>

#include "runner/facts/tasks.h"

/** What one word in a plan stands for besides a process of that very name. */
struct ng_job_group {
    const char *word;         /* "backup" */
    const char *const *names; /* NULL-terminated, as ng_tasks_match reads them */
    const char *help;
};
extern const struct ng_job_group ng_job_groups[]; /* sorted by word */
extern const size_t ng_job_group_count;
/** NULL: it is no group. */
const struct ng_job_group *ng_job_group_of(const char *word);

/** All that run of all groups, "mover, rsync"; "" for none. */
const char *ng_jobs_known(const struct ng_tasks *tasks, struct ng_arena *arena);

#endif
