/* The state of a host: pressure, waiting tasks, known jobs, governors. */
#include <string.h>

#include "runner/facts/jobs.h"
#include "runner/facts/state_parts.h"

enum { WAITING_SHOWN = 20 };

static void describe_pressure(struct ng_state *state, const struct ng_facts *facts) {
    for (int i = 0; i < NG_PRESSURE_COUNT; i++) {
        const char *word = ng_pressure_word((enum ng_pressure_kind)i);
        const struct ng_state_thing thing = {
            state, NG_STATE_LOAD, "", ng_arena_printf(state->arena, "/proc/pressure/%s", word)};
        const char *key = ng_arena_printf(state->arena, "pressure on %s", word);
        const struct ng_pressure *pressure = &facts->load.pressure[i];
        if (facts->load.pressure_why[i] != NULL) {
            ng_state_unknown(&thing, key, "%s", facts->load.pressure_why[i]);
        } else {
            ng_state_known(&thing, key, "%.2f%% of 10 s, %.2f%% of 300 s%s", pressure->some.avg10,
                pressure->some.avg300, pressure->full.avg10 > 0 ? ", all tasks at times" : "");
        }
    }
}

static void describe_tasks(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_tasks *tasks = &facts->load.tasks;
    const struct ng_state_thing thing = {state, NG_STATE_LOAD, "", "/proc/PID/stat"};
    size_t waiting = 0;
    const char *names = "";
    if (ng_frames_find(&facts->frames, "tasks")->state == NG_SOURCE_MISSING) {
        return; /* not asked */
    }
    if (tasks->why != NULL) {
        ng_state_unknown(&thing, "processes", "%s", tasks->why);
        return;
    }
    for (size_t i = 0; i < tasks->count; i++) {
        if (tasks->items[i].state == 'D' && waiting++ < WAITING_SHOWN) {
            names = ng_arena_printf(
                state->arena, "%s%s%s", names, waiting > 1 ? ", " : "", tasks->items[i].name);
        }
    }
    ng_state_known(
        &thing, "processes in state D", "%zu%s%s", waiting, waiting > 0 ? ": " : "", names);
    const char *jobs = ng_jobs_known(tasks, state->arena);
    if (*jobs != '\0') {
        ng_state_known(&thing, "known jobs", "%s", jobs);
    } else if (ng_tasks_complete(tasks)) {
        ng_state_known(&thing, "known jobs", "none");
    } else {
        ng_state_unknown(&thing, "known jobs", "not all processes can be seen");
    }
}

static void describe_cpufreq(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_cpufreq *cpufreq = &facts->load.cpufreq;
    const struct ng_state_thing thing = {
        state, NG_STATE_LOAD, "", "/sys/devices/system/cpu/cpufreq"};
    if (cpufreq->count == 0) {
        ng_state_unknown(&thing, "governor", "%s",
            facts->virtual_machine == NG_ANSWER_YES
                ? "a virtual machine has none"
                : (cpufreq->why != NULL ? cpufreq->why : "no processor has one"));
        return;
    }
    const char *told = "";
    for (size_t i = 0; i < cpufreq->count; i++) {
        const struct ng_cpu_policy *policy = &cpufreq->items[i];
        const char *text = ng_arena_printf(state->arena, "%s of %s",
            policy->governor != NULL ? policy->governor : "unknown",
            policy->driver != NULL ? policy->driver : "an unknown driver");
        if (strstr(told, text) == NULL && strlen(told) < NG_STATE_TEXT_MAX) {
            told = ng_arena_printf(state->arena, "%s%s%s", told, *told != '\0' ? ", " : "", text);
        }
    }
    ng_state_known(&thing, "governor", "%s", told);
    ng_state_answer(&thing, "turbo", cpufreq->turbo, "its files are not there");
}

void ng_state_busy(struct ng_state *state, const struct ng_facts *facts) {
    describe_pressure(state, facts);
    describe_tasks(state, facts);
    describe_cpufreq(state, facts);
}
