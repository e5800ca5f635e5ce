/**
 * rerun.h - the executor over recorded evidence: what replay and verify share.
 */
#ifndef NG_CLI_RERUN_H
#define NG_CLI_RERUN_H

#include <stdbool.h>
#include <stddef.h>

#include "plans/language/plan.h"
#include "runner/base/err.h"
#include "runner/result/result.h"

struct ng_rerun_options {
    const char *bundle;          /* the recorded run */
    const char *plan;            /* another plan's file, or NULL: the bundle's own */
    const char *const *settings; /* NAME=VALUE for another plan */
    size_t setting_count;
    const char *out;   /* folder for the new bundle, new or empty; NULL: by name and time */
    const char *junit; /* "wide" or "strict"; NULL: as recorded */
};

struct ng_rerun {
    struct ng_plan *plan;
    struct ng_result *result;
    const char *out;   /* where the new bundle is */
    size_t unanswered; /* requests that the evidence could not answer */
    char first_unanswered[256];
    bool altered;  /* the index of the evidence is not as the run left it */
    size_t unused; /* recorded commands that nobody asked for */
};

/**
 * Runs. Contacts nothing and starts nothing. On failure `usage` tells a plan or folder that cannot
 * be used (exit code 2) from evidence that cannot be read. Release in both cases.
 */
bool ng_rerun_run(
    const struct ng_rerun_options *options, struct ng_rerun *out, bool *usage, struct ng_err *err);
void ng_rerun_release(struct ng_rerun *rerun);

#endif
