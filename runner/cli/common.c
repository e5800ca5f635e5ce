/* What all sub-commands share: vocabulary, loading a plan, complaints, printing. */
#include <stdio.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/cli/cli.h"
#include "runner/conditions/condition.h"
#include "runner/engines/engine.h"

enum { DIAGS_CAP = 1024 * 1024 };

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
    return (struct ng_vocabulary){.engines = engines,
        .engine_count = ng_engine_count,
        .conditions = conditions,
        .condition_count = ng_condition_count};
}

/* Splits every -p NAME=VALUE; false after a complaint. */
static bool read_settings(const struct ng_arguments *arguments, struct ng_arena *arena,
    struct ng_setting **settings, size_t *count) {
    const char *values[NG_OPTION_VALUES_MAX];
    *count = ng_option_values(arguments, "param", values);
    *settings = ng_arena_array(arena, *count, sizeof **settings);
    for (size_t i = 0; i < *count; i++) {
        const char *equals = strchr(values[i], '=');
        if (equals == NULL || equals == values[i]) {
            struct ng_err err = {0};
            ng_err_set(&err, NG_ERR_USAGE, "-p %.60s: write NAME=VALUE", values[i]);
            ng_cli_complain(&err);
            return false;
        }
        (*settings)[i].name = ng_arena_strndup(arena, values[i], (size_t)(equals - values[i]));
        (*settings)[i].value = equals + 1;
    }
    return true;
}

struct ng_plan *ng_cli_load(const struct ng_arguments *arguments, size_t *warnings) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_diags diags = {.arena = &arena};
    const struct ng_vocabulary vocabulary = ng_cli_vocabulary(&arena);
    struct ng_load_options options = {.vocabulary = &vocabulary};
    struct ng_setting *settings = NULL;
    struct ng_plan *plan = NULL;
    if (read_settings(arguments, &arena, &settings, &options.setting_count)) {
        options.settings = settings;
        plan = ng_plan_load(arguments->words[0], &options, &diags);
        struct ng_buf text;
        ng_buf_init(&text, DIAGS_CAP);
        ng_diags_sort(&diags);
        ng_diags_format(&diags, &text);
        fputs(ng_buf_text(&text), stderr);
        ng_buf_release(&text);
    }
    if (warnings != NULL) {
        *warnings = diags.warnings;
    }
    ng_arena_release(&arena);
    return plan;
}

void ng_cli_complain(const struct ng_err *err) {
    struct ng_buf text;
    ng_buf_init(&text, 2 * NG_ERR_TEXT_MAX);
    ng_text_clean(&text, err->text, strlen(err->text), NG_TEXT_LINE, NG_ERR_TEXT_MAX);
    fprintf(stderr, "nasgate: error: %s\n", ng_buf_text(&text));
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
