/* nasgate facts: what is known of hosts right now, and what is not and why; changes nothing. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/base/files.h"
#include "runner/base/guard.h"
#include "runner/base/text.h"
#include "runner/cli/cli.h"
#include "runner/cli/facts_print.h"
#include "runner/cli/lab.h"
#include "runner/execute/survey.h"
#include "runner/result/verdict.h"

static const struct ng_option options[] = {
    NG_PLAN_OPTIONS,
    {.name = "host",
        .argument = "NAME",
        .repeats = true,
        .help = "only this host of the plan; may be given again"},
    {.name = "option",
        .letter = 'o',
        .argument = "NAME=VALUE",
        .repeats = true,
        .help = "an option for ssh to HOST: -o Port=2222"},
    {.name = "sudo", .help = "look as root, by sudo -n on HOST"},
    {.name = "json", .help = "print JSON (reports/schemas/facts.schema.json)"},
    {.name = "raw",
        .argument = "DIR",
        .help = "keep all that each host printed as DIR/NAME.frames"},
};

/* What people want to know of any host, whether a plan needs it or not. */
static const char *const usual_tools[] = {
    "curl", "docker", "ethtool", "fio", "iperf", "iperf3", "ping", "smbclient", NULL};

NG_PRINTF(1, 2)
static void complain(const char *format, ...) {
    struct ng_err err = {.kind = NG_ERR_USAGE};
    va_list args;
    va_start(args, format);
    vsnprintf(err.text, sizeof err.text, format, args);
    va_end(args);
    ng_cli_complain(&err);
}

/* A file that is there, or a word that can be nothing else; all other words are targets. */
static bool is_plan(const char *word) {
    struct stat status;
    const size_t len = strlen(word);
    const bool named = (len > 5 && strcmp(word + len - 5, ".yaml") == 0) ||
                       (len > 4 && strcmp(word + len - 4, ".yml") == 0);
    if (strcmp(word, "local") == 0 || strncmp(word, "ssh://", 6) == 0) {
        return false;
    }
    return named || strchr(word, '/') != NULL || stat(word, &status) == 0;
}

static bool given(const struct ng_arguments *arguments, const char *name) {
    return ng_option_value(arguments, name) != NULL;
}

static struct ng_plan *open_target(const struct ng_arguments *arguments) {
    const char *values[NG_OPTION_VALUES_MAX];
    const size_t count = ng_option_values(arguments, "option", values);
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_setting *settings = NULL;
    struct ng_diags diags = {.arena = &arena};
    struct ng_plan *plan = NULL;
    if (ng_cli_settings("-o", values, count, &arena, &settings)) {
        plan = ng_plan_of_target(
            arguments->words[0], settings, count, given(arguments, "sudo"), &diags);
    }
    for (size_t i = 0; i < diags.count; i++) {
        complain("%s", diags.items[i].text);
    }
    ng_arena_release(&arena);
    return plan;
}

static struct ng_plan *open_plan(const struct ng_arguments *arguments) {
    const char *word = arguments->words[0];
    if (is_plan(word)) {
        if (given(arguments, "option") || given(arguments, "sudo")) {
            complain("-o and --sudo go with a host; %.200s is a plan: its hosts say options: and "
                     "privilege: themselves",
                word);
            return NULL;
        }
        return ng_cli_load(arguments, NULL);
    }
    if (given(arguments, "param") || given(arguments, "host")) {
        complain("-p and --host go with a plan; there is no file %.200s", word);
        return NULL;
    }
    return open_target(arguments);
}

/* Marks the hosts that --host does not name. False after a complaint. */
static bool choose(const struct ng_arguments *arguments, struct ng_plan *plan, bool *left_out) {
    const char *names[NG_OPTION_VALUES_MAX];
    const size_t count = ng_option_values(arguments, "host", names);
    for (size_t i = 0; i < plan->host_count; i++) {
        left_out[i] = count > 0;
    }
    for (size_t i = 0; i < count; i++) {
        const struct ng_host *host = ng_plan_host(plan, names[i]);
        if (host == NULL) {
            const char **known = ng_arena_array(&plan->arena, plan->host_count, sizeof *known);
            for (size_t j = 0; j < plan->host_count; j++) {
                known[j] = plan->hosts[j].name;
            }
            const char *near = ng_text_nearest(names[i], known, plan->host_count);
            complain("the plan has no host %s",
                near == NULL
                    ? names[i]
                    : ng_arena_printf(&plan->arena, "%s; did you mean \"%s\"?", names[i], near));
            return false;
        }
        left_out[host - plan->hosts] = false;
    }
    return true;
}

static bool keep_raw(const char *dir, const struct ng_plan *plan, const struct ng_survey *survey) {
    struct ng_err err = {0};
    bool ok = ng_dir_create(dir, &err);
    for (size_t i = 0; ok && i < plan->host_count; i++) {
        const struct ng_asked *asked = &survey->asked[i];
        if (asked->raw != NULL) {
            const char *path = ng_arena_printf(
                &survey->options->result->arena, "%s/%s.frames", dir, plan->hosts[i].name);
            ok = ng_file_write_atomic(path, asked->raw, asked->raw_len, &err);
        }
    }
    if (!ok) {
        ng_cli_complain(&err);
    }
    return ok;
}

static int report(
    const struct ng_arguments *arguments, struct ng_plan *plan, const struct ng_survey *survey) {
    const char *raw = ng_option_value(arguments, "raw");
    const struct ng_result *result = survey->options->result;
    bool ok = raw == NULL || keep_raw(raw, plan, survey);
    size_t silent = 0;
    for (size_t i = 0; i < plan->host_count; i++) {
        const bool left_out = survey->ask.left_out[i];
        if (!left_out && survey->facts[i]->reason != NULL) {
            complain("%s: %s", plan->hosts[i].name, survey->facts[i]->reason);
            silent++;
        }
    }
    ok = (given(arguments, "json") ? ng_facts_print_json(result, survey)
                                   : ng_facts_print_table(result, survey)) &&
         ok;
    return ok && silent == 0 ? NG_EXIT_PASS : NG_EXIT_ERROR;
}

static int look(const struct ng_arguments *arguments, struct ng_plan *plan,
    const struct ng_schedule *schedule, const bool *left_out) {
    const struct ng_clock clock = ng_clock_real();
    char time[NG_TIME_TEXT];
    ng_time_format_compact(ng_clock_wall(&clock), time);
    const struct ng_evidence_head head = {
        .run_id = ng_arena_printf(&plan->arena, "facts-%s-%ld", time, (long)getpid()),
        .started_wall_ns = ng_clock_wall(&clock)};
    struct ng_lab lab = {0};
    struct ng_err err = {0};
    int code = NG_EXIT_ERROR;
    if (ng_lab_open(plan, head.run_id, &lab, &err)) {
        struct ng_result *result = ng_run_result(schedule, &head);
        const struct ng_run_options run = {
            .schedule = schedule, .loop = lab.loop, .transport = lab.transport, .result = result};
        struct ng_survey survey = {.options = &run,
            .ask = {.left_out = left_out,
                .tools = usual_tools,
                .all_cards = true,
                .keep_raw = given(arguments, "raw")}};
        ng_survey_facts(&survey);
        const int signal = ng_loop_signal(lab.loop);
        code = signal != 0 ? 128 + signal : report(arguments, plan, &survey);
        ng_survey_release(&survey);
        ng_result_free(result);
    } else {
        ng_cli_complain(&err);
    }
    ng_lab_close(&lab);
    return code;
}

static int facts(const struct ng_arguments *arguments) {
    struct ng_plan *plan = open_plan(arguments);
    if (plan == NULL) {
        return NG_EXIT_USAGE;
    }
    bool *left_out = ng_arena_array(&plan->arena, plan->host_count, sizeof *left_out);
    struct ng_err err = {0};
    int code = NG_EXIT_USAGE;
    if (choose(arguments, plan, left_out)) {
        const struct ng_selection all = {0};
        struct ng_schedule *schedule = ng_schedule_new(plan, &all, 0, &err);
        if (schedule != NULL) {
            code = look(arguments, plan, schedule, left_out);
        } else {
            ng_cli_complain(&err);
        }
        ng_schedule_free(schedule);
    }
    ng_plan_free(plan);
    return code;
}

const struct ng_command_row ng_command_facts = {
    .name = "facts",
    .words = "HOST|PLAN",
    .summary = "print what is known of a host, or of all hosts of a plan, and what is not and why",
    .examples = "  nasgate facts local\n  nasgate facts root@nas\n"
                "  nasgate facts -o Port=2222 --sudo admin@nas --json\n"
                "  nasgate facts plan.yaml --host nas\n",
    .options = options,
    .option_count = NG_COUNT(options),
    .words_min = 1,
    .words_max = 1,
    .run = facts,
};
