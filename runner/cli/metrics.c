/* nasgate metrics: what the engines can measure, from their tables. */
#include <string.h>

#include "runner/base/text.h"
#include "runner/cli/cli.h"
#include "runner/result/verdict.h"

enum { TEXT_CAP = 1024 * 1024, ENGINES_MAX = 64 };

static const char *better_word(enum ng_better better) {
    switch (better) {
    case NG_BETTER_HIGHER:
        return "higher";
    case NG_BETTER_LOWER:
        return "lower";
    case NG_BETTER_NEITHER:
        break;
    }
    return "-";
}

static void write_engine(const struct ng_kind *engine, struct ng_buf *out) {
    ng_buf_addf(out, "%s: %s\n", engine->record.name, engine->record.help);
    if (engine->own_metrics != NULL) {
        ng_buf_adds(out,
            "  the plan states what a script of it measures, with units: metrics: {NAME: "
            "UNIT}\n");
    }
    if (engine->metric_count == 0) {
        return;
    }
    ng_buf_addf(out, "  %-22s %-10s %-7s %s\n", "metric", "dimension", "better", "meaning");
    for (size_t i = 0; i < engine->metric_count; i++) {
        const struct ng_metric_def *metric = &engine->metrics[i];
        ng_buf_addf(out, "  %-22s %-10s %-7s %s\n", metric->name, ng_dim_word(metric->dim),
            better_word(metric->better), metric->meaning);
        ng_buf_addf(out, "  %-22s %-10s %-7s   from %s\n", "", "", "", metric->source);
    }
}

static int unknown_engine(const struct ng_vocabulary *vocabulary, const char *name) {
    const char *names[ENGINES_MAX];
    struct ng_buf list;
    ng_buf_init(&list, 1024);
    for (size_t i = 0; i < vocabulary->engine_count && i < ENGINES_MAX; i++) {
        names[i] = vocabulary->engines[i]->record.name;
        ng_buf_addf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const char *near = ng_text_nearest(name, names, vocabulary->engine_count);
    struct ng_err err = {0};
    ng_err_set(&err, NG_ERR_USAGE, "unknown engine \"%.40s\"; %s%s%sthere are: %s", name,
        near != NULL ? "did you mean \"" : "", near != NULL ? near : "", near != NULL ? "\"? " : "",
        ng_buf_text(&list));
    ng_cli_complain(&err);
    ng_buf_release(&list);
    return NG_EXIT_USAGE;
}

static int print_metrics(const struct ng_vocabulary *vocabulary, const char *name) {
    const struct ng_kind *only = name != NULL ? ng_vocabulary_engine(vocabulary, name) : NULL;
    if (name != NULL && only == NULL) {
        return unknown_engine(vocabulary, name);
    }
    struct ng_buf out;
    ng_buf_init(&out, TEXT_CAP);
    bool first = true;
    for (size_t i = 0; i < vocabulary->engine_count; i++) {
        if (only == NULL || vocabulary->engines[i] == only) {
            ng_buf_adds(&out, first ? "" : "\n");
            write_engine(vocabulary->engines[i], &out);
            first = false;
        }
    }
    const bool ok = ng_cli_print(&out);
    ng_buf_release(&out);
    return ok ? NG_EXIT_PASS : NG_EXIT_ERROR;
}

static int metrics(const struct ng_arguments *arguments) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_vocabulary vocabulary = ng_cli_vocabulary(&arena);
    const int code =
        print_metrics(&vocabulary, arguments->word_count > 0 ? arguments->words[0] : NULL);
    ng_arena_release(&arena);
    return code;
}

const struct ng_command_row ng_command_metrics = {
    .name = "metrics",
    .words = "[ENGINE]",
    .summary = "print what each engine can measure: name, dimension, better direction, meaning",
    .examples = "  nasgate metrics\n  nasgate metrics fio\n",
    .options = NULL,
    .option_count = 0,
    .words_min = 0,
    .words_max = 1,
    .run = metrics,
};
