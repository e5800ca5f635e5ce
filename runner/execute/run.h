/**
 * run.h - drives a schedule: leases, facts, preconditions, volumes, phases, verdicts, reports, in
 * this order.
 *
 * The result is saved after every step, so that a run cut short leaves a record that says what is
 * missing. Whatever happens, the run's folders on the volumes are removed, then the leases are
 * given back, and reports are written.
 */
#ifndef NG_EXECUTE_RUN_H
#define NG_EXECUTE_RUN_H

#include "plans/language/plan.h"
#include "reports/writers/writer.h"
#include "runner/base/err.h"
#include "runner/execute/progress.h"
#include "runner/process/loop.h"
#include "runner/result/result.h"
#include "runner/schedule/schedule.h"
#include "runner/transport/head.h"
#include "runner/transport/transport.h"

struct ng_run_options {
    const struct ng_schedule *schedule;
    struct ng_loop *loop;
    struct ng_transport *transport; /* borrowed */
    struct ng_transport *evidence;  /* the record link in it, whose failure is the run's; or NULL */
    struct ng_transport *replay;    /* the replay link: a request it cannot answer passes nothing */
    bool other_plan; /* replay with another plan than the run's: its origin was not recorded */
    bool cut_short;  /* replay of a run that did not reach its end */
    struct ng_result *result;         /* with its head filled; see ng_run_result */
    const struct ng_result *baseline; /* or NULL */
    const char *who, *job;            /* of leases; see head.h */
    const char *plan_dir;             /* folder of the plan's file, for git; NULL in a replay */
    const char *bundle;               /* folder that exists and is ours */
    enum ng_junit_dialect junit;
    const struct ng_progress *progress; /* or NULL */
};

/** A new result with its head (run, plan, parameters, all phases "not judged") for a schedule. */
struct ng_result *ng_run_result(
    const struct ng_schedule *schedule, const struct ng_evidence_head *head);

/**
 * Runs. What goes wrong on the way is in the result, with its exit code. Returns false only when
 * the bundle itself could not be written.
 */
bool ng_run(const struct ng_run_options *options, struct ng_err *err);

#endif
