/* nasgate doctor: what is there on every host, what is missing, and whether a run would start. */
#include <stdio.h>
#include <unistd.h>

#include "runner/cli/ci_text.h"
#include "runner/cli/cli.h"
#include "runner/cli/doctor_host.h"
#include "runner/cli/lab.h"
#include "runner/execute/survey.h"
#include "runner/result/verdict.h"
#include "runner/result/words.h"

enum { TEXT_CAP = 4 * 1024 * 1024 };

static const struct ng_option options[] = {
    NG_PLAN_OPTIONS,
    {.name = "only", .argument = "PHASE", .repeats = true, .help = "what this phase needs"},
};

/* One below the other: a table of them is too wide for a console. */
static void add_condition(struct ng_buf *out, const struct ng_condition_result *condition) {
    ng_buf_addf(out, "  %-8s %s: %s%s\n", ng_held_word(condition->held), condition->id,
        condition->seen != NULL ? condition->seen : "",
        ng_condition_is_allowed(condition) ? " (allowed by the plan)" : "");
    if (condition->held != NG_HELD) {
        ng_buf_addf(out, "           expected: %s\n           source: %s\n           do: %s\n",
            condition->expected != NULL ? condition->expected : "-",
            condition->source != NULL ? condition->source : "-",
            condition->remedy != NULL ? condition->remedy : "-");
    }
}

static void add_hosts(struct ng_buf *out, const struct ng_plan *plan,
    const struct ng_survey *survey, const struct ng_doctor_began *began) {
    for (size_t i = 0; i < plan->host_count; i++) {
        ng_doctor_host(out, &plan->hosts[i], survey->facts[i], &survey->asked[i], began);
        ng_buf_addc(out, '\n');
    }
}

static void add_leases(struct ng_buf *out, const struct ng_result *result) {
    ng_buf_adds(out, result->lease_count > 0 ? "Lease\n" : "");
    for (size_t i = 0; i < result->lease_count; i++) {
        ng_buf_addf(out, "  %-8s ", ng_lease_word(result->leases[i].state));
        ng_lease_words(&result->leases[i], out);
        ng_buf_addc(out, '\n');
    }
    ng_buf_adds(out, result->lease_count > 0 ? "\n" : "");
}

/* They may change the lab, or ask what takes long: doctor runs none. */
static void add_hooks(struct ng_buf *out, const struct ng_plan *plan) {
    const struct ng_hooks *hooks = &plan->hooks[NG_HOOK_BEFORE_RUN];
    if (hooks->count == 0) {
        return;
    }
    ng_buf_addf(out, "Not run here: %zu hook%s, which may still stop a run:", hooks->count,
        hooks->count == 1 ? "" : "s");
    for (size_t i = 0; i < hooks->count; i++) {
        ng_buf_addf(out, "%s %s", i == 0 ? "" : ",", hooks->items[i].id);
    }
    ng_buf_adds(out, "\n");
}

static void add_conditions(
    struct ng_buf *out, const struct ng_plan *plan, const struct ng_result *result, size_t stops) {
    ng_buf_adds(out, "Preconditions\n");
    for (size_t i = 0; i < result->condition_count; i++) {
        add_condition(out, &result->conditions[i]);
    }
    if (stops == 0) {
        ng_buf_adds(out, plan->hooks[NG_HOOK_BEFORE_RUN].count == 0
                             ? "\nA run would start: nothing stands against it.\n"
                             : "\nNo precondition stands against a run.\n");
    } else {
        ng_buf_addf(out, "\nA run would not start: %zu precondition%s not met.\n", stops,
            stops == 1 ? " is" : "s are");
    }
    add_hooks(out, plan);
}

/* What hosts and tools said must not forge a command of a CI system. */
static bool print_safely(const struct ng_buf *out) {
    struct ng_buf safe;
    ng_buf_init(&safe, 2 * (size_t)TEXT_CAP);
    ng_ci_text(&safe, ng_buf_text(out));
    const bool printed = ng_cli_print(&safe);
    ng_buf_release(&safe);
    return printed;
}

static int look(const struct ng_plan *plan, const struct ng_run_options *run,
    const struct ng_doctor_began *began) {
    /* docker decides what a host without packages is told to do */
    static const char *const tools[] = {"docker", NULL};
    struct ng_survey survey = {.options = run, .ask = {.tools = tools}};
    const size_t stops = ng_survey(&survey);
    const int signal = ng_loop_signal(run->loop);
    int code = 128 + signal;
    if (signal == 0) {
        struct ng_buf out;
        ng_buf_init(&out, TEXT_CAP);
        add_hosts(&out, plan, &survey, began);
        add_leases(&out, run->result);
        add_conditions(&out, plan, run->result, stops);
        code = !print_safely(&out) ? NG_EXIT_ERROR
               : stops > 0         ? NG_EXIT_PRECONDITION
                                   : NG_EXIT_PASS;
        ng_buf_release(&out);
    }
    ng_survey_release(&survey);
    return code;
}

static int examine(struct ng_plan *plan, const struct ng_schedule *schedule, struct ng_err *err) {
    const struct ng_clock clock = ng_clock_real();
    char time[NG_TIME_TEXT];
    ng_time_format_compact(ng_clock_wall(&clock), time);
    const struct ng_evidence_head head = {
        .run_id = ng_arena_printf(&plan->arena, "doctor-%s-%ld", time, (long)getpid()),
        .started_wall_ns = ng_clock_wall(&clock)};
    struct ng_lab lab = {0};
    int code = NG_EXIT_ERROR;
    if (ng_lab_open(plan, head.run_id, &lab, err)) {
        const struct ng_doctor_began began = {head.started_wall_ns, ng_clock_wall(&clock)};
        struct ng_result *result = ng_run_result(schedule, &head);
        const struct ng_run_options run = {
            .schedule = schedule, .loop = lab.loop, .transport = lab.transport, .result = result};
        code = look(plan, &run, &began);
        ng_result_free(result);
    } else {
        ng_cli_complain(err);
    }
    ng_lab_close(&lab);
    return code;
}

static int doctor(const struct ng_arguments *arguments) {
    struct ng_plan *plan = ng_cli_load(arguments, NULL);
    if (plan == NULL) {
        return NG_EXIT_USAGE;
    }
    const char *only[NG_OPTION_VALUES_MAX];
    const struct ng_selection selection = {
        .names = only, .count = ng_option_values(arguments, "only", only)};
    struct ng_err err = {0};
    int code = NG_EXIT_USAGE;
    struct ng_schedule *schedule = ng_schedule_new(plan, &selection, 0, &err);
    if (schedule != NULL) {
        code = examine(plan, schedule, &err);
    } else {
        ng_cli_complain(&err);
    }
    ng_schedule_free(schedule);
    ng_plan_free(plan);
    return code;
}

const struct ng_command_row ng_command_doctor = {
    .name = "doctor",
    .words = "PLAN",
    .summary = "look at every host and evaluate the preconditions, without measuring",
    .examples = "  nasgate doctor plan.yaml\n  nasgate doctor --only seq-write plan.yaml\n",
    .options = options,
    .option_count = NG_COUNT(options),
    .words_min = 1,
    .words_max = 1,
    .run = doctor,
};
