/* view.c - the view as a whole: verdict, one line per phase, predictions. */
#include "reports/writers/view.h"

#include <math.h>
#include <string.h>

#include "reports/writers/view_parts.h"
#include "runner/base/clock.h"
#include "runner/base/guard.h"
#include "runner/result/verdict.h"
#include "runner/result/words.h"

static const struct ng_column summary_columns[] = {
    {"phase", NG_COLUMN_FOREIGN},
    {"verdict", NG_COLUMN_WORDS},
    {"metric", NG_COLUMN_FOREIGN},
    {"measured", NG_COLUMN_NUMBER},
    {"limit", NG_COLUMN_NUMBER},
    {"margin", NG_COLUMN_NUMBER},
};
static const struct ng_column reason_columns[] = {
    {"phase", NG_COLUMN_FOREIGN},
    {"verdict", NG_COLUMN_WORDS},
    {"why", NG_COLUMN_FOREIGN},
};
static const struct ng_column prediction_columns[] = {
    {"phase", NG_COLUMN_FOREIGN},
    {"prediction", NG_COLUMN_FOREIGN},
    {"outcome", NG_COLUMN_WORDS},
    {"measured", NG_COLUMN_NUMBER},
    {"predicted", NG_COLUMN_NUMBER},
    {"margin", NG_COLUMN_NUMBER},
};

const char *ng_view_verdict(enum ng_verdict verdict) {
    switch (verdict) {
    case NG_VERDICT_PASS:
        return "pass";
    case NG_VERDICT_FAIL:
        return "FAIL";
    case NG_VERDICT_INCONCLUSIVE:
        return "INCONCLUSIVE";
    case NG_VERDICT_ERROR:
        return "ERROR";
    case NG_VERDICT_SKIPPED:
        return "skipped";
    case NG_VERDICT_NONE:
        break;
    }
    return "not run";
}

const char *ng_view_measured(const struct ng_judged *judged, struct ng_arena *arena) {
    char text[NG_QUANTITY_TEXT];
    if (!isfinite(judged->left)) {
        return "";
    }
    return ng_arena_strdup(
        arena, ng_value_words(judged->left, judged->dim, judged->spelling, text));
}

const char *ng_view_limit(const struct ng_judged *judged, struct ng_arena *arena) {
    // The word comes from a file that anyone may have written: only the known ones are ours.
    static const char *const known[] = {"<=", "<", ">=", ">", "==", "!=", "within"};
    const char *comparison = judged->within ? "within" : "";
    for (size_t i = 0; i < NG_COUNT(known) && judged->comparison != NULL; i++) {
        if (strcmp(judged->comparison, known[i]) == 0) {
            comparison = known[i];
        }
    }
    if (!isfinite(judged->limit)) {
        return "";
    }
    struct ng_buf limit;
    ng_buf_init(&limit, 4 * NG_QUANTITY_TEXT);
    ng_buf_addf(&limit, "%s%s", comparison, comparison[0] != '\0' ? " " : "");
    ng_judged_limit(judged, &limit);
    const char *text = ng_arena_strdup(arena, ng_buf_text(&limit));
    ng_buf_release(&limit);
    return text;
}

const char *ng_view_margin(const struct ng_judged *judged, struct ng_arena *arena) {
    char text[NG_QUANTITY_TEXT];
    if (!isfinite(judged->margin)) {
        return "";
    }
    return ng_arena_printf(
        arena, "%s%s", judged->margin > 0.0 ? "+" : "", ng_margin_words(judged->margin, text));
}

/** The threshold that tells most: the first that did not hold, else the first of the plan. */
static const struct ng_judged *telling(const struct ng_phase_result *phase) {
    const struct ng_judged *first = NULL;
    for (size_t i = 0; i < phase->judged_count; i++) {
        const struct ng_judged *judged = &phase->judged[i];
        if (!judged->gates || !isfinite(judged->left)) {
            continue;
        }
        if (judged->held != NG_HELD) {
            return judged;
        }
        first = first != NULL ? first : judged;
    }
    return first;
}

static void summarise(
    struct ng_view *view, const struct ng_view_phase *shown, struct ng_arena *arena) {
    const struct ng_phase_result *phase = shown->phase;
    const struct ng_judged *judged = telling(phase);
    const char *row[] = {phase->name, shown->verdict, "", "", "", ""};
    if (judged != NULL) {
        struct ng_judged_parts parts = ng_judged_split(judged);
        row[2] = ng_arena_strndup(arena, parts.left, (size_t)parts.left_len);
        row[3] = ng_view_measured(judged, arena);
        row[4] = ng_view_limit(judged, arena);
        row[5] = ng_view_margin(judged, arena);
    } else if (shown->metrics.row_count > 0) {
        row[2] = ng_grid_cell(&shown->metrics, 0, 0);
        row[3] = ng_grid_cell(&shown->metrics, 0, 2);
    }
    ng_grid_add(arena, &view->summary, row);
    if (phase->verdict != NG_VERDICT_PASS) {
        const char *why[] = {phase->name, shown->verdict, shown->reason};
        ng_grid_add(arena, &view->reasons, why);
    }
}

static void add_predictions(
    struct ng_view *view, const struct ng_phase_result *phase, struct ng_arena *arena) {
    static const char *const outcomes[] = {[NG_HELD] = "held",
        [NG_BROKEN] = "missed",
        [NG_UNKNOWN] = "unknown",
        [NG_UNDECIDED] = "undecided"};
    for (size_t i = 0; i < phase->judged_count; i++) {
        const struct ng_judged *judged = &phase->judged[i];
        if (!judged->gates) {
            const char *row[] = {phase->name, judged->text, outcomes[judged->held],
                ng_view_measured(judged, arena), ng_view_limit(judged, arena),
                ng_view_margin(judged, arena)};
            ng_grid_add(arena, &view->predictions, row);
        }
    }
}

/** The recorded exit code, unless the file claims more than its own verdicts allow. */
static int exit_code(const struct ng_result *result) {
    int computed = ng_result_exit(result);
    return result->complete && result->exit_code != 0 ? result->exit_code : computed;
}

/** A plan's place without anything of the machine: an absolute path keeps its last part only. */
static const char *relative(const char *path) {
    const char *slash = strrchr(path, '/');
    return path[0] == '/' && slash != NULL ? slash + 1 : path;
}

struct ng_view *ng_view_build(const struct ng_result *result, struct ng_arena *arena) {
    struct ng_view *view = ng_arena_alloc(arena, sizeof *view);
    char text[NG_TIME_TEXT];
    view->result = result;
    view->exit_code = exit_code(result);
    view->exit_words = ng_exit_words(view->exit_code);
    view->started = result->started_wall_ns == 0
                        ? "unknown"
                        : ng_arena_strdup(arena, ng_time_format(result->started_wall_ns, text));
    view->duration = ng_arena_strdup(arena, ng_duration_format(result->duration_ns, text));
    view->plan_file = relative(result->plan_file);
    view->summary = (struct ng_grid){summary_columns, NG_COUNT(summary_columns), NULL, 0, 0};
    view->reasons = (struct ng_grid){reason_columns, NG_COUNT(reason_columns), NULL, 0, 0};
    view->predictions =
        (struct ng_grid){prediction_columns, NG_COUNT(prediction_columns), NULL, 0, 0};
    ng_view_headline(view, arena);
    ng_view_leases(view, arena);
    ng_view_conditions(view, arena);
    ng_view_hooks(view, arena);
    ng_view_state(view, arena);
    ng_view_notes(view, arena);
    view->phases = ng_arena_array(arena, result->phase_count + 1, sizeof *view->phases);
    for (size_t i = 0; i < result->phase_count; i++) {
        ng_view_phase(&result->phases[i], &view->phases[i], arena);
        summarise(view, &view->phases[i], arena);
        add_predictions(view, &result->phases[i], arena);
    }
    ng_view_ladders(view, arena);
    ng_view_meanwhile(view, arena);
    ng_view_plots(view, arena);
    ng_view_origin(view, arena);
    return view;
}
