/* The hosts of a plan looked at without measuring. */
#include "runner/execute/survey.h"

#include "runner/execute/context.h"
#include "runner/execute/lease.h"
#include "runner/execute/preflight.h"

static struct ng_run begin(const struct ng_survey *survey) {
    const struct ng_run_options *options = survey->options;
    struct ng_run run = {
        .options = *options,
        .ask = survey->ask,
        .plan = options->schedule->plan,
        .schedule = options->schedule,
        .loop = options->loop,
        .transport = options->transport,
        .result = options->result,
    };
    ng_arena_init(&run.arena);
    return run;
}

/* What was found outlives the run: its arena changes hands. */
static void hand_over(struct ng_survey *survey, const struct ng_run *run) {
    survey->facts = run->facts;
    survey->asked = run->asked;
    survey->arena = run->arena;
}

void ng_survey_facts(struct ng_survey *survey) {
    struct ng_run run = begin(survey);
    const struct ng_preflight preflight = ng_preflight_new(&run.arena, run.schedule);
    ng_preflight_ask(&run, &preflight);
    hand_over(survey, &run);
}

size_t ng_survey(struct ng_survey *survey) {
    struct ng_run run = begin(survey);
    const struct ng_preflight preflight = ng_preflight_new(&run.arena, run.schedule);
    ng_leases_look(&run);
    ng_preflight_collect(&run, &preflight);
    const size_t stops = ng_run_stopped(&run) ? 0 : ng_preflight_evaluate(&run, &preflight);
    hand_over(survey, &run);
    return stops;
}

void ng_survey_release(struct ng_survey *survey) {
    ng_arena_release(&survey->arena);
    survey->facts = NULL;
    survey->asked = NULL;
}
