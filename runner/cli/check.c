/* nasgate check: all errors and warnings of a plan, nothing contacted. */
#include <stdio.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/cli/ci_text.h"
#include "runner/cli/cli.h"
#include "runner/result/verdict.h"

enum { FILE_CAP = 4096, TEXT_CAP = 2 * FILE_CAP };

static const struct ng_option options[] = {
    NG_PLAN_OPTIONS,
    {.name = "strict", .help = "warnings are errors"},
};

static size_t count_hooks(const struct ng_plan *plan) {
    size_t count = 0;
    for (int place = 0; place < NG_HOOK_PLACE_COUNT; place++) {
        count += plan->hooks[place].count;
    }
    return count;
}

static int check(const struct ng_arguments *arguments) {
    size_t warnings = 0;
    struct ng_plan *plan = ng_cli_load(arguments, &warnings);
    if (plan == NULL) {
        return NG_EXIT_USAGE;
    }
    const bool refused = warnings > 0 && ng_option_value(arguments, "strict") != NULL;
    struct ng_buf out;
    ng_buf_init(&out, TEXT_CAP);
    ng_ci_text(&out,
        ng_text_clean_dup(&plan->arena, plan->file, strlen(plan->file), NG_TEXT_LINE, FILE_CAP));
    const size_t hooks = count_hooks(plan);
    ng_buf_addf(&out, ": %s: %zu host%s, %zu precondition%s, ",
        refused ? "refused because of warnings" : "ok", plan->host_count,
        plan->host_count == 1 ? "" : "s", plan->precondition_count,
        plan->precondition_count == 1 ? "" : "s");
    if (hooks > 0) {
        ng_buf_addf(&out, "%zu hook%s, ", hooks, hooks == 1 ? "" : "s");
    }
    ng_buf_addf(&out, "%zu phase%s, %zu warning%s\n", plan->phase_count,
        plan->phase_count == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s");
    const bool printed = ng_cli_print(&out);
    ng_buf_release(&out);
    ng_plan_free(plan);
    return refused ? NG_EXIT_USAGE : (printed ? NG_EXIT_PASS : NG_EXIT_ERROR);
}

const struct ng_command_row ng_command_check = {
    .name = "check",
    .words = "PLAN",
    .summary = "read a plan and print all of its errors and warnings with their places",
    .examples = "  nasgate check plan.yaml\n  nasgate check --strict -p nas=nas2 plan.yaml\n",
    .options = options,
    .option_count = NG_COUNT(options),
    .words_min = 1,
    .words_max = 1,
    .run = check,
};
