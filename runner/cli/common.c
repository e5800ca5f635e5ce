/* What all sub-commands share: vocabulary, loading a plan, complaints, printing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/host/library.h"
#include "runner/base/files.h"
#include "runner/base/text.h"
#include "runner/cli/ci_text.h"
#include "runner/cli/cli.h"
#include "runner/conditions/condition.h"
#include "runner/engines/engine.h"
#include "runner/execute/telemetry.h"
#include "runner/result/verdict.h"
#include "runner/result/words.h"

enum { DIAGS_CAP = 1024 * 1024, LINE_CAP = 8192 };

struct ng_vocabulary ng_cli_vocabulary(struct ng_arena *arena) {
    const struct ng_kind **engines = ng_arena_array(arena, ng_engine_count, sizeof *engines);
    for (size_t i = 0; i < ng_engine_count; i++) {
        engines[i] = &ng_engines[i]->kind;
    }
    const struct ng_kind **conditions =
        ng_arena_array(arena, ng_condition_count, sizeof *conditions);
    for (size_t i = 0; i < ng_condition_count; i++) {
        conditions[i] = &ng_conditions[i]->kind;
    }
    return (struct ng_vocabulary){.telemetry = ng_telemetry_metrics,
        .telemetry_count = ng_telemetry_metric_count,
        .engines = engines,
        .engine_count = ng_engine_count,
        .conditions = conditions,
        .condition_count = ng_condition_count};
}

bool ng_cli_settings(const char *option, const char *const *values, size_t count,
    struct ng_arena *arena, struct ng_setting **settings) {
    *settings = ng_arena_array(arena, count, sizeof **settings);
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(values[i], '=');
        if (equals == NULL || equals == values[i]) {
            struct ng_err err = {0};
            ng_err_set(&err, NG_ERR_USAGE, "%s %.60s: write NAME=VALUE", option, values[i]);
            ng_cli_complain(&err);
            return false;
        }
        (*settings)[i].name = ng_arena_strndup(arena, values[i], (size_t)(equals - values[i]));
        (*settings)[i].value = equals + 1;
    }
    return true;
}

void ng_cli_print_diags(struct ng_diags *diags) {
    struct ng_buf text;
    ng_buf_init(&text, DIAGS_CAP);
    ng_diags_sort(diags);
    ng_diags_format(diags, &text);
    struct ng_buf safe;
    ng_buf_init(&safe, 2 * DIAGS_CAP);
    ng_ci_text(&safe, ng_buf_text(&text)); /* the plan's name may begin like a command */
    fputs(ng_buf_text(&safe), stderr);
    ng_buf_release(&safe);
    ng_buf_release(&text);
}

/* The plan's bytes under another name. */
static struct ng_plan *load_as(const char *path, const char *name,
    const struct ng_load_options *options, struct ng_diags *diags) {
    char *text = NULL;
    size_t len = 0;
    struct ng_err err = {0};
    if (!ng_file_read(path, NG_PLAN_BYTES_MAX, &text, &len, &err)) {
        ng_cli_complain(&err);
        return NULL;
    }
    struct ng_plan *plan = ng_plan_load_text(name, text, len, options, diags);
    free(text);
    return plan;
}

const char *ng_cli_folder(struct ng_arena *arena, const char *file) {
    const char *slash = strrchr(file, '/');
    if (slash == NULL) {
        return ".";
    }
    return ng_arena_strndup(arena, file, slash == file ? 1 : (size_t)(slash - file));
}

struct ng_plan *ng_cli_load_file(const char *path, const char *name, const char *scripts,
    const char *const *values, size_t count, size_t *warnings) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_diags diags = {.arena = &arena};
    const struct ng_vocabulary vocabulary = ng_cli_vocabulary(&arena);
    struct ng_lua_library library = {
        .folder = scripts != NULL ? scripts : ng_cli_folder(&arena, path),
        .only_folder = scripts != NULL};
    struct ng_setting *settings = NULL;
    struct ng_plan *plan = NULL;
    if (ng_cli_settings("-p", values, count, &arena, &settings)) {
        const struct ng_load_options options = {.vocabulary = &vocabulary,
            .settings = settings,
            .setting_count = count,
            .lua = ng_lua_library_open(&library)};
        plan = name != NULL ? load_as(path, name, &options, &diags)
                            : ng_plan_load(path, &options, &diags);
        ng_cli_print_diags(&diags);
    }
    if (warnings != NULL) {
        *warnings = diags.warnings;
    }
    ng_arena_release(&arena);
    return plan;
}

struct ng_plan *ng_cli_load(const struct ng_arguments *arguments, size_t *warnings) {
    const char *values[NG_OPTION_VALUES_MAX];
    const size_t count = ng_option_values(arguments, "param", values);
    return ng_cli_load_file(arguments->words[0], NULL, NULL, values, count, warnings);
}

void ng_cli_last_line(int code, const struct ng_result *result) {
    struct ng_buf words;
    struct ng_buf safe;
    ng_buf_init(&words, LINE_CAP);
    ng_buf_init(&safe, 2 * LINE_CAP);
    for (size_t i = 0; code == NG_EXIT_BUSY && result != NULL && i < result->lease_count; i++) {
        if (result->leases[i].state == NG_LEASE_BUSY) {
            ng_buf_adds(&words, ": ");
            ng_lease_words(&result->leases[i], &words);
        }
    }
    ng_ci_text(&safe, ng_buf_text(&words));
    fprintf(stderr, "nasgate: exit %d: %s%s\n", code, ng_exit_words(code), ng_buf_text(&safe));
    ng_buf_release(&words);
    ng_buf_release(&safe);
}

void ng_cli_complain(const struct ng_err *err) {
    struct ng_buf text;
    ng_buf_init(&text, 2 * NG_ERR_TEXT_MAX);
    ng_text_clean(&text, err->text, strlen(err->text), NG_TEXT_LINE, NG_ERR_TEXT_MAX);
    struct ng_buf safe;
    ng_buf_init(&safe, 2 * NG_ERR_TEXT_MAX);
    ng_ci_text(&safe, ng_buf_text(&text));
    fprintf(stderr, "nasgate: error: %s\n", ng_buf_text(&safe));
    ng_buf_release(&safe);
    ng_buf_release(&text);
}

bool ng_cli_print(const struct ng_buf *buf) {
    if (fwrite(ng_buf_text(buf), 1, buf->len, stdout) == buf->len && fflush(stdout) == 0) {
        return true;
    }
    struct ng_err err = {0};
    ng_err_set(&err, NG_ERR_FILE, "cannot write to standard output");
    ng_cli_complain(&err);
    return false;
}
