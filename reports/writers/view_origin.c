/* view_origin.c - how to run it again: what a run was made of, and the command. */
#include <inttypes.h>

#include "reports/writers/cut.h"
#include "reports/writers/view_parts.h"
#include "runner/base/buf.h"
#include "runner/base/guard.h"
#include "runner/base/strv.h"
#include "runner/result/verdict.h"

enum { COMMAND_MAX = 16384, COMMAND_CHARS = 4000 };

static const struct ng_column origin_columns[] = {
    {"what", NG_COLUMN_WORDS},
    {"value", NG_COLUMN_FOREIGN},
};

static void add(struct ng_view *view, const char *what, const char *value, struct ng_arena *arena) {
    const char *row[] = {what, value};
    ng_grid_add(arena, &view->origin, row);
}

void ng_view_origin(struct ng_view *view, struct ng_arena *arena) {
    const struct ng_result *result = view->result;
    view->origin = (struct ng_grid){origin_columns, NG_COUNT(origin_columns), NULL, 0, 0};
    add(view, "plan", view->plan_file, arena);
    add(view, "plan, SHA-256", result->plan_digest, arena);
    if (result->recorded_plan != NULL) {
        add(view, "plan of the run, SHA-256", result->recorded_plan, arena);
    }
    add(view, "plan, commit",
        result->plan_commit == NULL
            ? "not in git"
            : ng_arena_printf(arena, "%s (%s)", result->plan_commit,
                  result->plan_tree != NULL ? result->plan_tree : "unknown"),
        arena);
    add(view, "seed", ng_arena_printf(arena, "%" PRIu64, result->seed), arena);
    add(view, "nasgate", result->version, arena);
    add(view, "run", result->run_id, arena);
    if (result->baseline != NULL) {
        add(view, "baseline run", result->baseline, arena);
        add(view, "baseline's plan, SHA-256", result->baseline_plan, arena);
    }
    struct ng_buf command;
    ng_buf_init(&command, COMMAND_MAX);
    ng_buf_addf(&command, "nasgate run --seed %" PRIu64, result->seed);
    for (size_t i = 0; i < result->params.count; i++) {
        const struct ng_record_item *param = &result->params.items[i];
        ng_buf_adds(&command, " -p ");
        ng_shell_quote(&command, ng_arena_printf(arena, "%s=%s", param->key, param->value));
    }
    for (size_t i = 0; i < result->only_count; i++) {
        ng_buf_adds(&command, " --only ");
        ng_shell_quote(&command, result->only[i]);
    }
    if (result->baseline != NULL) {
        ng_buf_adds(&command, " --baseline BUNDLE/baseline.json");
    }
    ng_buf_addc(&command, ' ');
    ng_shell_quote(&command, view->plan_file);
    view->command = ng_cut_line(arena, ng_buf_text(&command), COMMAND_CHARS);
    ng_buf_release(&command);
}
