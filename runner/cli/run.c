/* nasgate run: check preconditions, measure, judge, report. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "reports/writers/writer.h"
#include "runner/base/digest.h"
#include "runner/base/files.h"
#include "runner/cli/bundle.h"
#include "runner/cli/ci.h"
#include "runner/cli/cli.h"
#include "runner/cli/holder.h"
#include "runner/cli/lab.h"
#include "runner/cli/output.h"
#include "runner/cli/summary.h"
#include "runner/cli/ticker.h"
#include "runner/execute/baseline.h"
#include "runner/execute/run.h"
#include "runner/result/store.h"
#include "runner/result/verdict.h"
#include "runner/transport/record.h"

static const struct ng_option options[] = {
    NG_PLAN_OPTIONS,
    {.name = "output",
        .letter = 'o',
        .argument = "DIR",
        .help = "folder for the bundle, new or empty (default nasgate-out/PLAN/TIME)"},
    {.name = "only",
        .argument = "PHASE",
        .repeats = true,
        .help = "run this phase and those it needs"},
    {.name = "baseline",
        .argument = "BUNDLE",
        .help = "earlier run for thresholds that name the baseline"},
    {.name = "seed", .argument = "N", .help = "seed of all random choices (default: random)"},
    NG_JUNIT_OPTION("wide"),
    NG_ANNOTATIONS_OPTION,
    {.name = "quiet", .letter = 'q', .help = "tell only what is wrong"},
    {.name = "color", .argument = "WHEN", .help = "auto, always or never"},
};

/* All that a run holds, so that there is one way out. */
struct session {
    struct ng_plan *plan;
    struct ng_result *baseline;
    struct ng_schedule *schedule;
    struct ng_lab lab;
    struct ng_result *result;
    const char *bundle;
    const char *colour;
    bool quiet;
    enum ng_junit_dialect junit;
    enum ng_annotation_style annotations;
    int64_t start_mono_ns;
    struct ng_evidence_head head;
    const char *only[NG_OPTION_VALUES_MAX + 1];     /* NULL-terminated, as all of these */
    const char *settings[NG_OPTION_VALUES_MAX + 1]; /* every -p */
};

static bool read_seed(const struct ng_arguments *arguments, uint64_t *seed, struct ng_err *err) {
    const char *text = ng_option_value(arguments, "seed");
    if (text == NULL) {
        return getrandom(seed, sizeof *seed, 0) == (ssize_t)sizeof *seed ||
               ng_err_set(err, NG_ERR_INTERNAL, "no random numbers from the kernel");
    }
    const size_t digits = strspn(text, "0123456789");
    errno = 0;
    *seed = strtoull(text, NULL, 10);
    return (digits > 0 && text[digits] == '\0' && errno == 0) ||
           ng_err_set(err, NG_ERR_USAGE,
               "--seed %.40s: write a whole number from 0 to 18446744073709551615", text);
}

static bool read_baseline(
    const struct ng_arguments *arguments, struct session *session, struct ng_err *err) {
    const char *path = ng_option_value(arguments, "baseline");
    if (path != NULL) {
        session->baseline = ng_result_load(path, err);
        if (session->baseline == NULL) {
            err->kind = NG_ERR_USAGE;
            return ng_err_wrap(err, "--baseline");
        }
    }
    if (session->plan->needs_baseline && session->baseline == NULL) {
        return ng_err_set(err, NG_ERR_USAGE,
            "%s has thresholds that name the baseline: give an earlier run with --baseline BUNDLE",
            session->plan->file);
    }
    return true;
}

static bool read_colour(
    const struct ng_arguments *arguments, struct session *session, struct ng_err *err) {
    const char *wish = ng_option_value(arguments, "color");
    session->colour = wish != NULL ? wish : "auto";
    if (strcmp(session->colour, "auto") == 0 || strcmp(session->colour, "always") == 0 ||
        strcmp(session->colour, "never") == 0) {
        return true;
    }
    return ng_err_set(err, NG_ERR_USAGE, "--color %.40s: write auto, always or never", wish);
}

/* The digest of the baseline as the bundle keeps it. */
static const char *baseline_digest(struct session *session) {
    char digest[NG_DIGEST_TEXT];
    if (session->baseline == NULL) {
        return NULL;
    }
    struct ng_buf text;
    ng_buf_init(&text, NG_RESULT_BYTES_MAX);
    ng_result_write(session->baseline, &text);
    ng_digest(ng_buf_text(&text), text.len, digest);
    ng_buf_release(&text);
    return ng_arena_strdup(&session->plan->arena, digest);
}

/* Everything that can be wrong before anything is contacted. */
static bool set_up(
    const struct ng_arguments *arguments, struct session *session, struct ng_err *err) {
    const struct ng_selection selection = {
        .names = session->only, .count = ng_option_values(arguments, "only", session->only)};
    ng_option_values(arguments, "param", session->settings);
    uint64_t seed = 0;
    session->quiet = ng_option_value(arguments, "quiet") != NULL;
    if (!read_colour(arguments, session, err) ||
        !ng_junit_dialect_read(ng_option_value(arguments, "junit"), &session->junit, err) ||
        !ng_ci_style(arguments, &session->annotations, err) || !read_seed(arguments, &seed, err) ||
        !read_baseline(arguments, session, err)) {
        return false;
    }
    session->schedule = ng_schedule_new(session->plan, &selection, seed, err);
    if (session->schedule == NULL || !ng_baseline_fits(session->schedule, session->baseline, err)) {
        return false;
    }
    const struct ng_clock clock = ng_clock_real();
    /* Both at one moment: offsets from the start are turned into times of day. */
    const int64_t wall_ns = ng_clock_wall(&clock);
    session->start_mono_ns = ng_clock_mono(&clock);
    session->bundle = ng_bundle_new(
        session->plan, session->baseline, ng_option_value(arguments, "output"), wall_ns, err);
    if (session->bundle == NULL) {
        return false;
    }
    char time[NG_TIME_TEXT];
    const char *run_id = ng_arena_printf(&session->plan->arena, "%s-%06" PRIx64,
        ng_time_format_compact(wall_ns, time), seed & 0xffffff);
    session->head = (struct ng_evidence_head){
        .run_id = run_id,
        .seed = seed,
        .started_wall_ns = wall_ns,
        .version = NG_VERSION,
        .settings = session->settings,
        .only = session->only,
        .junit = ng_junit_dialect_word(session->junit),
        .scripts = ng_bundle_scripts(session->plan),
    };
    if (session->plan->lease.count > 0) {
        session->head.who = ng_holder_who(&session->plan->arena);
        session->head.job = ng_holder_job(&session->plan->arena);
    }
    session->result = ng_run_result(session->schedule, &session->head);
    session->head.plan_file = session->result->plan_file;
    session->head.plan_digest = session->result->plan_digest;
    session->head.baseline_digest = baseline_digest(session);
    return true;
}

/* The way to the hosts, with everything that goes over it recorded. */
static bool open_lab(struct session *session, struct ng_err *err) {
    if (!ng_lab_open(session->plan, session->result->run_id, &session->lab, err)) {
        return false;
    }
    const char *evidence = ng_arena_printf(&session->plan->arena, "%s/evidence", session->bundle);
    if (!ng_dir_create_new(evidence, err)) {
        return false;
    }
    struct ng_transport *hosts = session->lab.transport;
    session->lab.transport = ng_record_new(hosts, evidence, &session->head,
        ng_loop_clock(session->lab.loop), session->start_mono_ns, err);
    return session->lab.transport != NULL;
}

static bool drive(struct session *session, struct ng_err *err) {
    struct ng_ticker ticker;
    ng_ticker_init(&ticker, session->lab.loop, ng_output_for(stderr, session->colour),
        session->quiet, session->result->phase_count);
    const struct ng_run_options run = {
        .schedule = session->schedule,
        .loop = session->lab.loop,
        .transport = session->lab.transport,
        .evidence = session->lab.transport,
        .result = session->result,
        .baseline = session->baseline,
        .junit = session->junit,
        .who = session->head.who,
        .job = session->head.job,
        .plan_dir = ng_cli_folder(&session->plan->arena, session->plan->file),
        .bundle = session->bundle,
        .progress = &ticker.progress,
    };
    const bool ok = ng_run(&run, err);
    ng_ticker_release(&ticker);
    return ok;
}

static void close_all(struct session *session) {
    ng_lab_close(&session->lab);
    ng_result_free(session->result);
    ng_schedule_free(session->schedule);
    ng_result_free(session->baseline);
    ng_plan_free(session->plan);
}

static int complain(const struct ng_err *err, int code) {
    ng_cli_complain(err);
    ng_cli_last_line(code, NULL);
    return code;
}

/* A run that could not even start leaves a record that says so. */
static void record_failure(struct session *session, const struct ng_err *why) {
    struct ng_result *result = session->result;
    result->error = ng_arena_strdup(&result->arena, why->text);
    result->complete = true;
    result->exit_code = ng_result_exit(result);
    result->verdict = ng_exit_words(result->exit_code);
    struct ng_err err = {0};
    if (!ng_result_save(result, session->bundle, &err) ||
        !ng_writers_write_all(result, session->bundle, session->junit, &err)) {
        ng_cli_complain(&err);
    }
}

/* What was found outranks that it could not be written: a failed threshold stays one. */
static int worst_of(int code, bool written) {
    return written || (code != NG_EXIT_PASS && code != NG_EXIT_INCONCLUSIVE) ? code : NG_EXIT_ERROR;
}

static int run_session(const struct ng_arguments *arguments, struct session *session) {
    struct ng_err err = {0};
    if (!set_up(arguments, session, &err)) {
        return complain(&err, err.kind == NG_ERR_INTERNAL ? NG_EXIT_INTERNAL
                              : err.kind == NG_ERR_FULL   ? NG_EXIT_ERROR
                                                          : NG_EXIT_USAGE);
    }
    if (!open_lab(session, &err)) {
        record_failure(session, &err);
        return complain(&err, NG_EXIT_ERROR);
    }
    bool written = drive(session, &err);
    if (!written) {
        ng_cli_complain(&err);
    }
    struct ng_output output = ng_output_for(stdout, session->colour);
    output.quiet = session->quiet;
    written =
        ng_summary_print(session->result, written ? session->bundle : NULL, &output) && written;
    written = ng_ci_annotate(session->result, session->annotations) && written;
    ng_ci_summarise(session->result);
    const int code = worst_of(session->result->exit_code, written);
    ng_cli_last_line(code, session->result);
    return code;
}

static int run(const struct ng_arguments *arguments) {
    struct session session = {.plan = ng_cli_load(arguments, NULL)};
    if (session.plan == NULL) {
        ng_cli_last_line(NG_EXIT_USAGE, NULL);
        return NG_EXIT_USAGE;
    }
    const int code = run_session(arguments, &session);
    close_all(&session);
    return code;
}

const struct ng_command_row ng_command_run = {
    .name = "run",
    .words = "PLAN",
    .summary = "check the preconditions, measure, judge and report",
    .examples = "  nasgate run plan.yaml\n"
                "  nasgate run -p size=4GiB --only seq-write -o out plan.yaml\n"
                "  nasgate run --baseline nasgate-out/plan/20260101T000000Z plan.yaml\n",
    .options = options,
    .option_count = NG_COUNT(options),
    .words_min = 1,
    .words_max = 1,
    .run = run,
};
