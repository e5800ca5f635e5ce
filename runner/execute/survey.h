/**
 * survey.h - the hosts of a plan looked at without measuring anything: facts, probes,
 * preconditions.
 */
#ifndef NG_EXECUTE_SURVEY_H
#define NG_EXECUTE_SURVEY_H

#include "runner/execute/run.h"

/**
 * Collects and evaluates into options->result, which nothing writes to disk; `bundle`, `evidence`
 * and `baseline` are not used. Makes no folder on a volume. Returns how many preconditions would
 * stop a run.
 */
size_t ng_survey(const struct ng_run_options *options);

#endif
