/* schedule.c - the plan as a flat list of steps, and what they cost. */
#include "runner/schedule/schedule.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "plans/language/names.h"
#include "runner/base/text.h"

/** The sum of two amounts that are never negative, at most INT64_MAX. */
static int64_t sum(int64_t a, int64_t b) {
    int64_t result;
    return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}

static struct ng_cost cost_of(const struct ng_phase *phase) {
    struct ng_cost cost = {0};
    if (phase->kind->estimate != NULL) {
        phase->kind->estimate(phase->params, &cost);
    }
    cost.time_is_guess = cost.time_is_guess || cost.time_ns <= 0;
    cost.time_ns = cost.time_ns > 0 ? cost.time_ns : 0;
    cost.written = cost.written > 0 ? cost.written : 0;
    cost.footprint = cost.footprint > 0 ? cost.footprint : 0;
    return cost;
}

static bool unknown_phase(const struct ng_plan *plan, const char *name, struct ng_err *err) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const char **names = ng_arena_array(&arena, plan->phase_count + 1, sizeof *names);
    for (size_t i = 0; i < plan->phase_count; i++) {
        names[i] = plan->phases[i].name;
    }
    const char *shown = ng_text_clean_dup(&arena, name, strlen(name), NG_TEXT_LINE, 200);
    const char *near = ng_text_nearest(name, names, plan->phase_count);
    if (near != NULL) {
        ng_err_set(
            err, NG_ERR_USAGE, "the plan has no phase \"%s\"; did you mean \"%s\"?", shown, near);
    } else {
        ng_err_set(err, NG_ERR_USAGE, "the plan has no phase \"%s\": nasgate show lists its phases",
            shown);
    }
    ng_arena_release(&arena);
    return false;
}

/** Marks the chosen phases and all that they need. */
static bool choose(
    const struct ng_plan *plan, const struct ng_selection *only, bool *chosen, struct ng_err *err) {
    bool all = only == NULL || only->count == 0;
    for (size_t i = 0; i < plan->phase_count; i++) {
        chosen[i] = all;
    }
    for (size_t i = 0; !all && i < only->count; i++) {
        const struct ng_phase *phase = ng_plan_phase(plan, only->names[i]);
        if (phase == NULL) {
            return unknown_phase(plan, only->names[i], err);
        }
        chosen[phase->index] = true;
    }
    // What a phase needs stands before it, so one pass backwards reaches everything.
    for (size_t i = plan->phase_count; i-- > 0;) {
        for (size_t j = 0; chosen[i] && j < plan->phases[i].need_count; j++) {
            chosen[plan->phases[i].needs[j]->index] = true;
        }
    }
    return true;
}

static bool count_steps(
    const struct ng_plan *plan, const bool *chosen, size_t *count, struct ng_err *err) {
    int64_t total = 0;
    for (size_t i = 0; i < plan->phase_count; i++) {
        total = sum(total, chosen[i] ? plan->phases[i].repeat : 0);
    }
    if (total > NG_STEPS_MAX) {
        return ng_err_set(err, NG_ERR_LIMIT,
            "phases times repeats give %lld steps, at most %d are allowed: lower repeat, or choose "
            "fewer phases",
            (long long)total, NG_STEPS_MAX);
    }
    *count = (size_t)total;
    return true;
}

static void add_phase(struct ng_schedule *schedule, const struct ng_phase *phase) {
    struct ng_cost cost = cost_of(phase);
    for (int64_t i = 0; i < phase->repeat; i++) {
        schedule->steps[schedule->count++] = (struct ng_step){phase, (int)i + 1, cost};
        schedule->time_ns = sum(schedule->time_ns, cost.time_ns);
        schedule->written = sum(schedule->written, cost.written);
    }
    schedule->time_is_guess = schedule->time_is_guess || cost.time_is_guess;
}

struct ng_schedule *ng_schedule_new(const struct ng_plan *plan, const struct ng_selection *only,
    uint64_t seed, struct ng_err *err) {
    struct ng_schedule *schedule = ng_xmalloc(sizeof *schedule);
    *schedule = (struct ng_schedule){.plan = plan, .seed = seed};
    ng_arena_init(&schedule->arena);
    bool *chosen = ng_arena_array(&schedule->arena, plan->phase_count + 1, sizeof *chosen);
    size_t count = 0;
    if (!choose(plan, only, chosen, err) || !count_steps(plan, chosen, &count, err)) {
        ng_schedule_free(schedule);
        return NULL;
    }
    schedule->steps = ng_arena_array(&schedule->arena, count + 1, sizeof *schedule->steps);
    for (size_t i = 0; i < plan->phase_count; i++) {
        if (chosen[i]) {
            add_phase(schedule, &plan->phases[i]);
        }
    }
    return schedule;
}

void ng_schedule_free(struct ng_schedule *schedule) {
    if (schedule != NULL) {
        ng_arena_release(&schedule->arena);
        free(schedule);
    }
}

/* By how much a step makes its data set the largest so far. `sets` holds the largest footprint of
 * each, by a name that phases on the same data share. */
static int64_t growth(struct ng_names *sets, const struct ng_step *step) {
    const struct ng_cost *cost = &step->cost;
    const char *name = cost->data != NULL
                           ? ng_arena_printf(sets->arena, "data %s %d", cost->data, cost->parts)
                           : ng_arena_printf(sets->arena, "phase %s", step->phase->name);
    const int64_t *known = ng_names_get(sets, name);
    int64_t before = known != NULL ? *known : 0;
    if (cost->footprint <= before) {
        return 0;
    }
    ng_names_set(sets, name, &cost->footprint);
    return cost->footprint - before;
}

int64_t ng_schedule_footprint(const struct ng_schedule *schedule, const struct ng_volume *volume) {
    struct ng_arena arena;
    struct ng_names sets;
    ng_arena_init(&arena);
    ng_names_init(&sets, &arena);
    int64_t total = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        const struct ng_step *step = &schedule->steps[i];
        const struct ng_kind *kind = step->phase->kind;
        if (step->repeat == 1 && kind->volume != NULL &&
            kind->volume(step->phase->params) == volume) {
            total = sum(total, growth(&sets, step));
        }
    }
    ng_arena_release(&arena);
    return total;
}
