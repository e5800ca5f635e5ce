/**
 * tools.h - the precondition `tools`: programs are there, and new enough. The run adds one by
 * itself for every host and engine, so its parameters are public.
 */
#ifndef NG_CONDITIONS_TOOLS_H
#define NG_CONDITIONS_TOOLS_H

#include "runner/conditions/condition.h"

struct ng_tools_params {
    const struct ng_host *host; /* NULL: every host of the plan */
    const char *package;  /* what each of them comes with, for the remedy; NULL: as facts know it */
    struct ng_texts need; /* "fio", "iperf3 >= 3.7"; `places` may be NULL when made by the run */
};

extern const struct ng_condition ng_condition_tools;

#endif
