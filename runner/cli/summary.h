/**
 * summary.h - the end of a run on standard output: verdict, one row per phase, where the report is.
 *
 * On a terminal tables are cut to its width; elsewhere only what is longer than 240 characters is.
 * A quiet output gets one line when all passed, else only what did not.
 */
#ifndef NG_CLI_SUMMARY_H
#define NG_CLI_SUMMARY_H

#include <stdbool.h>

#include "runner/cli/output.h"
#include "runner/result/result.h"

/** `bundle` is where the reports are; NULL: they could not be written. False when standard output
 * cannot be written. */
bool ng_summary_print(
    const struct ng_result *result, const char *bundle, const struct ng_output *output);

#endif
