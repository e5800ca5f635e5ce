/* nasgate show: the resolved plan, the schedule, the exact commands and what they cost; runs
 * nothing. */
#include <string.h>

#include "plans/language/effective.h"
#include "runner/cli/cli.h"
#include "runner/execute/preflight.h"
#include "runner/execute/reach.h"
#include "runner/execute/site.h"
#include "runner/result/verdict.h"
#include "runner/schedule/schedule.h"

enum { TEXT_CAP = 32 * 1024 * 1024 };

static const struct ng_option options[] = {
    NG_PLAN_OPTIONS,
    {.name = "only",
        .argument = "PHASE",
        .repeats = true,
        .help = "show this phase and those it needs"},
};

static void write_cost(struct ng_buf *out, const struct ng_cost *cost) {
    char text[NG_TIME_TEXT];
    char size[NG_QUANTITY_TEXT];
    if (cost->time_ns > 0) {
        ng_buf_addf(out, ", about %s%s", ng_duration_format(cost->time_ns, text),
            cost->time_is_guess ? " (a guess: it ends when its work is done)" : "");
    }
    if (cost->written > 0) {
        ng_buf_addf(out, ", writes up to %s",
            ng_quantity_format((struct ng_quantity){(double)cost->written, NG_DIM_SIZE}, size));
    }
}

static void write_commands(struct ng_buf *out, struct ng_arena *arena, const struct ng_step *step,
    uint64_t seed, const struct ng_plan *plan) {
    const struct ng_site site = ng_site_placeholder(arena, plan, step->phase, step->repeat, seed);
    struct ng_commands commands = {0};
    struct ng_err err = {0};
    if (!ng_engine_of(step->phase->kind)->build(&site, &commands, &err)) {
        ng_buf_addf(out, "       cannot be made: %s\n", err.text);
    }
    ng_reach_tools(&commands);
    for (size_t i = 0; i < commands.count; i++) {
        const struct ng_command *command = &commands.items[i];
        ng_buf_addf(out, "       %s on %s%s: ", command->role, command->host->name,
            command->background ? ", in the background" : "");
        ng_shell_quote_all(out, ng_strv_argv(&command->argv));
        ng_buf_addc(out, '\n');
    }
    if (ng_engine_of(step->phase->kind)->next != NULL) {
        ng_buf_adds(out, "       further commands are those that its script asks for\n");
    }
    ng_commands_release(&commands);
}

static void write_preconditions(
    struct ng_buf *out, struct ng_arena *arena, const struct ng_schedule *schedule) {
    const struct ng_preflight preflight = ng_preflight_new(arena, schedule);
    ng_buf_addf(out, "\nPreconditions (%zu, %zu of them implied by phases):\n", preflight.count,
        preflight.count - preflight.from_plan);
    for (size_t i = 0; i < preflight.count; i++) {
        const struct ng_precondition *item = &preflight.items[i];
        ng_buf_addf(out, "  %-32s %s%s\n", item->id, item->kind->record.help,
            item->allow_unknown ? " (unknown is allowed)" : "");
    }
}

static void write_hooks(struct ng_buf *out, const struct ng_plan *plan, enum ng_hook_place place) {
    const struct ng_hooks *hooks = &plan->hooks[place];
    for (size_t i = 0; i < hooks->count; i++) {
        ng_buf_addf(out, "  %s: %s\n", ng_hook_place_word(place), hooks->items[i].id);
    }
}

static void write_schedule(
    struct ng_buf *out, struct ng_arena *arena, const struct ng_schedule *schedule) {
    const struct ng_cost total = {.time_ns = schedule->time_ns,
        .time_is_guess = schedule->time_is_guess,
        .written = schedule->written};
    ng_buf_addf(out, "\nSchedule (%zu step%s", schedule->count, schedule->count == 1 ? "" : "s");
    write_cost(out, &total);
    ng_buf_adds(out, "):\n");
    write_hooks(out, schedule->plan, NG_HOOK_BEFORE_RUN);
    for (size_t i = 0; i < schedule->count; i++) {
        const struct ng_step *step = &schedule->steps[i];
        if (step->repeat == 1) {
            write_hooks(out, schedule->plan, NG_HOOK_BEFORE_PHASE);
        }
        ng_buf_addf(
            out, "  %zu. %s (%s)", i + 1, step->phase->name, step->phase->kind->record.name);
        if (step->phase->repeat > 1) {
            ng_buf_addf(out, ", repeat %d of %d", step->repeat, (int)step->phase->repeat);
        }
        write_cost(out, &step->cost);
        ng_buf_addc(out, '\n');
        write_commands(out, arena, step, schedule->seed, schedule->plan);
        if (step->repeat == step->phase->repeat) {
            write_hooks(out, schedule->plan, NG_HOOK_AFTER_PHASE);
        }
    }
    write_hooks(out, schedule->plan, NG_HOOK_AFTER_RUN);
}

static int show_plan(const struct ng_arguments *arguments, const struct ng_plan *plan) {
    const char *only[NG_OPTION_VALUES_MAX];
    const struct ng_selection selection = {
        .names = only, .count = ng_option_values(arguments, "only", only)};
    struct ng_err err = {0};
    struct ng_schedule *schedule = ng_schedule_new(plan, &selection, 0, &err);
    if (schedule == NULL) {
        ng_cli_complain(&err);
        return NG_EXIT_USAGE;
    }
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_buf out;
    ng_buf_init(&out, TEXT_CAP);
    ng_effective_write(plan, &out);
    write_preconditions(&out, &arena, schedule);
    write_schedule(&out, &arena, schedule);
    const bool ok = ng_cli_print(&out);
    ng_buf_release(&out);
    ng_arena_release(&arena);
    ng_schedule_free(schedule);
    return ok ? NG_EXIT_PASS : NG_EXIT_ERROR;
}

static int show(const struct ng_arguments *arguments) {
    struct ng_plan *plan = ng_cli_load(arguments, NULL);
    if (plan == NULL) {
        return NG_EXIT_USAGE;
    }
    const int code = show_plan(arguments, plan);
    ng_plan_free(plan);
    return code;
}

const struct ng_command_row ng_command_show = {
    .name = "show",
    .words = "PLAN",
    .summary =
        "print the resolved plan, the schedule, the exact commands and their cost; run nothing",
    .examples =
        "  nasgate show plan.yaml\n  nasgate show -p size=4GiB --only seq-write plan.yaml\n",
    .options = options,
    .option_count = NG_COUNT(options),
    .words_min = 1,
    .words_max = 1,
    .run = show,
};
