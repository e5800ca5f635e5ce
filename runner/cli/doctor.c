/* nasgate doctor: what is there on every host, what is missing, and whether a run would start. */
#include <stdio.h>

#include "reports/writers/view.h"
#include "runner/cli/cli.h"
#include "runner/cli/lab.h"
#include "runner/cli/output.h"
#include "runner/execute/survey.h"
#include "runner/result/verdict.h"

enum { TEXT_CAP = 4 * 1024 * 1024, CELL_CHARS = 200 };

static const struct ng_option options[] = {
    NG_PLAN_OPTIONS,
    {.name = "only", .argument = "PHASE", .repeats = true, .help = "what this phase needs"},
};

/* One below the other: a table of them is too wide for a console. */
static void add_condition(struct ng_buf *out, const struct ng_condition_result *condition) {
    ng_buf_addf(out, "  %-8s %s: %s\n", ng_held_word(condition->held), condition->id,
        condition->seen != NULL ? condition->seen : "");
    if (condition->held != NG_HELD) {
        ng_buf_addf(out, "           expected: %s\n           source: %s\n           do: %s\n",
            condition->expected != NULL ? condition->expected : "-",
            condition->source != NULL ? condition->source : "-",
            condition->remedy != NULL ? condition->remedy : "-");
    }
}

static bool print_survey(const struct ng_result *result, size_t stops) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_output output = ng_output_for(stdout, "auto");
    const struct ng_view *view = ng_view_build(result, &arena);
    struct ng_buf out;
    ng_buf_init(&out, TEXT_CAP);
    ng_buf_adds(&out, "Hosts\n");
    ng_grid_text(&view->hosts, "  ", CELL_CHARS, output.width, &out);
    ng_buf_adds(&out, "\nPreconditions\n");
    for (size_t i = 0; i < result->condition_count; i++) {
        add_condition(&out, &result->conditions[i]);
    }
    if (stops == 0) {
        ng_buf_adds(&out, "\nA run would start: nothing stands against it.\n");
    } else {
        ng_buf_addf(&out, "\nA run would not start: %zu precondition%s not met.\n", stops,
            stops == 1 ? " is" : "s are");
    }
    const bool printed = ng_cli_print(&out);
    ng_buf_release(&out);
    ng_arena_release(&arena);
    return printed;
}

static int examine(struct ng_plan *plan, const struct ng_schedule *schedule, struct ng_err *err) {
    const struct ng_clock clock = ng_clock_real();
    char time[NG_TIME_TEXT];
    ng_time_format_compact(ng_clock_wall(&clock), time);
    const struct ng_evidence_head head = {
        .run_id = ng_arena_printf(&plan->arena, "doctor-%s", time),
        .started_wall_ns = ng_clock_wall(&clock)};
    struct ng_lab lab = {0};
    int code = NG_EXIT_ERROR;
    if (ng_lab_open(plan, head.run_id, &lab, err)) {
        struct ng_result *result = ng_run_result(schedule, &head);
        const struct ng_run_options survey = {
            .schedule = schedule, .loop = lab.loop, .transport = lab.transport, .result = result};
        const size_t stops = ng_survey(&survey);
        const int signal = ng_loop_signal(lab.loop);
        const bool printed = signal != 0 || print_survey(result, stops);
        code = !printed ? NG_EXIT_ERROR : stops > 0 ? NG_EXIT_PRECONDITION : NG_EXIT_PASS;
        code = signal != 0 ? 128 + signal : code;
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
