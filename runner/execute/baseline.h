/**
 * baseline.h - whether an earlier run can be a baseline: known before anything is contacted.
 */
#ifndef NG_EXECUTE_BASELINE_H
#define NG_EXECUTE_BASELINE_H

#include "runner/base/err.h"
#include "runner/result/result.h"
#include "runner/schedule/schedule.h"

/**
 * Every threshold of the schedule that names the baseline must find there a phase of that name
 * which measured the metric with the same engine and the same parameters on the same volume or
 * link. Else false (NG_ERR_USAGE), saying what differs. True without such thresholds.
 */
bool ng_baseline_fits(
    const struct ng_schedule *schedule, const struct ng_result *baseline, struct ng_err *err);

#endif
