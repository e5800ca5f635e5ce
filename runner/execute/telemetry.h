/**
 * telemetry.h - what happened on the hosts while a repeat was measured, as metrics of that repeat:
 * host.HOST.METRIC.STAT, and the course of some of them over its time.
 *
 * Rates are between two samples; a counter that went backwards (a host that was started anew) gives
 * none there.
 */
#ifndef NG_EXECUTE_TELEMETRY_H
#define NG_EXECUTE_TELEMETRY_H

#include "runner/execute/context.h"
#include "runner/execute/watch.h"

extern const struct ng_metric_def ng_telemetry_metrics[]; /* sorted by name */
extern const size_t ng_telemetry_metric_count;

/** Adds mean and max of every metric of the hosts that `watch:` names, what thresholds name of any
 * host, and series for plots. */
void ng_telemetry_add(
    struct ng_run *run, const struct ng_watched *watched, size_t count, struct ng_repeat *repeat);

#endif
