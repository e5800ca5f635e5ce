/* The hosts of a plan looked at without measuring. */
#include "runner/execute/survey.h"

#include "runner/execute/context.h"
#include "runner/execute/preflight.h"

size_t ng_survey(const struct ng_run_options *options) {
    struct ng_run run = {
        .options = *options,
        .plan = options->schedule->plan,
        .schedule = options->schedule,
        .loop = options->loop,
        .transport = options->transport,
        .result = options->result,
    };
    ng_arena_init(&run.arena);
    const struct ng_preflight preflight = ng_preflight_new(&run.arena, run.schedule);
    ng_preflight_collect(&run, &preflight);
    const size_t stops = ng_run_stopped(&run) ? 0 : ng_preflight_evaluate(&run, &preflight);
    ng_arena_release(&run.arena);
    return stops;
}
