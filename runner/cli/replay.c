/* nasgate replay: the same code over the recorded evidence; no lab, no process. */
#include <stdio.h>

#include "runner/cli/ci.h"
#include "runner/cli/cli.h"
#include "runner/cli/output.h"
#include "runner/cli/rerun.h"
#include "runner/cli/summary.h"
#include "runner/result/verdict.h"

static const struct ng_option options[] = {
    NG_PLAN_OPTIONS,
    {.name = "plan",
        .argument = "PLAN",
        .help = "judge the evidence by another plan: other limits, other thresholds"},
    {.name = "output",
        .letter = 'o',
        .argument = "DIR",
        .help = "folder for the new bundle, new or empty (default nasgate-out/PLAN/TIME)"},
    NG_JUNIT_OPTION("as the run had it"),
    NG_ANNOTATIONS_OPTION,
};

static int tell(const struct ng_rerun *rerun, enum ng_annotation_style annotations) {
    const struct ng_output output = ng_output_for(stdout, "auto");
    const bool printed = ng_summary_print(rerun->result, rerun->out, &output) &&
                         ng_ci_annotate(rerun->result, annotations);
    int code = rerun->result->exit_code;
    if (rerun->altered) {
        fprintf(stderr, "nasgate: warning: the evidence was changed after the run\n");
    }
    if (rerun->unanswered > 0) {
        struct ng_err err = {0};
        ng_err_set(&err, NG_ERR_FORMAT, "%zu request%s not in the evidence; the first: %s",
            rerun->unanswered, rerun->unanswered == 1 ? " is" : "s are", rerun->first_unanswered);
        ng_cli_complain(&err);
    }
    code = printed || code != NG_EXIT_PASS ? code : NG_EXIT_ERROR;
    ng_cli_last_line(code, rerun->result);
    return code;
}

static int replay(const struct ng_arguments *arguments) {
    const char *settings[NG_OPTION_VALUES_MAX];
    const struct ng_rerun_options rerun_options = {
        .bundle = arguments->words[0],
        .plan = ng_option_value(arguments, "plan"),
        .setting_count = ng_option_values(arguments, "param", settings),
        .settings = settings,
        .out = ng_option_value(arguments, "output"),
        .junit = ng_option_value(arguments, "junit"),
    };
    struct ng_err err = {0};
    struct ng_rerun rerun;
    enum ng_annotation_style annotations;
    bool usage = false;
    int code;
    if (!ng_ci_style(arguments, &annotations, &err)) {
        ng_cli_complain(&err);
        return NG_EXIT_USAGE;
    }
    if (rerun_options.setting_count > 0 && rerun_options.plan == NULL) {
        ng_err_set(&err, NG_ERR_USAGE,
            "-p goes with --plan: the bundle's own plan keeps the values of its run");
        ng_cli_complain(&err);
        return NG_EXIT_USAGE;
    }
    if (ng_rerun_run(&rerun_options, &rerun, &usage, &err)) {
        code = tell(&rerun, annotations);
    } else {
        ng_cli_complain(&err);
        code = usage ? NG_EXIT_USAGE : NG_EXIT_ERROR;
        ng_cli_last_line(code, NULL);
    }
    ng_rerun_release(&rerun);
    return code;
}

const struct ng_command_row ng_command_replay = {
    .name = "replay",
    .words = "BUNDLE",
    .summary = "make result and reports again from the recorded evidence, without a lab",
    .examples = "  nasgate replay nasgate-out/plan/20260101T000000Z -o again\n"
                "  nasgate replay nasgate-out/plan/20260101T000000Z --plan stricter.yaml\n",
    .options = options,
    .option_count = NG_COUNT(options),
    .words_min = 1,
    .words_max = 1,
    .run = replay,
};
