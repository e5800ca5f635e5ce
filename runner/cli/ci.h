/**
 * ci.h - what CI systems get from a run beside its files: annotations on standard output, and the
 * summary on the page of the job.
 */
#ifndef NG_CLI_CI_H
#define NG_CLI_CI_H

#include <stdbool.h>

#include "reports/writers/annotations.h"
#include "runner/base/err.h"
#include "runner/cli/options.h"

/** Row of every command that tells a verdict. */
#define NG_ANNOTATIONS_OPTION                                                                      \
    {                                                                                              \
        .name = "annotations", .argument = "WHERE",                                                \
        .help = "mark the plan's lines in CI: auto (default), github, azure or none"               \
    }

/**
 * Reads --annotations. auto: github when GITHUB_ACTIONS is "true" (Gitea and Forgejo set it too),
 * azure when TF_BUILD is set, else none.
 */
bool ng_ci_style(
    const struct ng_arguments *arguments, enum ng_annotation_style *style, struct ng_err *err);
/** Prints the annotations; false when standard output cannot be written. */
bool ng_ci_annotate(const struct ng_result *result, enum ng_annotation_style style);
/**
 * Appends the summary to the file named by GITHUB_STEP_SUMMARY, if there is one, in the largest
 * size that leaves the page within its budget. What is in the file stays. Trouble is told on
 * standard error and changes no exit code: the gate does not depend on a page.
 */
void ng_ci_summarise(const struct ng_result *result);

#endif
