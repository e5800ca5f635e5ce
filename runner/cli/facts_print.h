/**
 * facts_print.h - the state of hosts on standard output: a table for people, JSON for machines.
 */
#ifndef NG_CLI_FACTS_PRINT_H
#define NG_CLI_FACTS_PRINT_H

#include "runner/execute/survey.h"
#include "runner/result/result.h"

#define NG_FACTS_FORMAT "nasgate-facts"
enum { NG_FACTS_VERSION = 1 };

/** Both print the hosts that were asked; false, after a complaint, when that fails. */
bool ng_facts_print_table(const struct ng_result *result, const struct ng_survey *survey);
/** Format: reports/schemas/facts.schema.json. Keys are sorted, none is left out. */
bool ng_facts_print_json(const struct ng_result *result, const struct ng_survey *survey);

#endif
