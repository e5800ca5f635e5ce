/**
 * summary.h - the end of a run on standard output: verdict, one row per phase, where the report is.
 */
#ifndef NG_CLI_SUMMARY_H
#define NG_CLI_SUMMARY_H

#include <stdbool.h>

#include "runner/cli/output.h"
#include "runner/result/result.h"

/** False when standard output cannot be written. */
bool ng_summary_print(
    const struct ng_result *result, const char *bundle, const struct ng_output *output);

#endif
