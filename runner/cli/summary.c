/* The table at the end of a run. */
#include "runner/cli/summary.h"

#include "reports/writers/cut.h"
#include "reports/writers/view.h"
#include "runner/cli/ci_text.h"
#include "runner/cli/cli.h"

enum { SUMMARY_CAP = 4 * 1024 * 1024, CELL_CHARS = 240, VERDICT_COLUMN = 1 };

static enum ng_colour colour_of(int exit_code) {
    if (exit_code == 0) {
        return NG_COLOUR_GREEN;
    }
    return exit_code == 6 ? NG_COLOUR_YELLOW : NG_COLOUR_RED;
}

static void add_grid(struct ng_buf *out, const char *title, const struct ng_grid *grid,
    const struct ng_output *output) {
    if (grid->row_count > 0) {
        ng_buf_addf(out, "\n%s\n", title);
        ng_grid_text(grid, "  ", CELL_CHARS, output->width, out);
    }
}

/* A line "    expected: TEXT", cut as cells are; nothing without a text. */
static void add_detail(struct ng_buf *out, const char *what, const char *text,
    const struct ng_output *output, struct ng_arena *arena) {
    const size_t used = 4 + ng_chars(what) + 2;
    const size_t room = output->width > used + 16 ? output->width - used : CELL_CHARS;
    if (text != NULL && text[0] != '\0') {
        ng_buf_addf(out, "    %s: %s\n", what, ng_cut_line(arena, text, room));
    }
}

/* Those that stopped the run, one below the other: a table of them is too wide for a console. */
static void add_conditions(struct ng_buf *out, const struct ng_result *result,
    const struct ng_output *output, struct ng_arena *arena) {
    size_t found = 0;
    for (size_t i = 0; i < result->condition_count; i++) {
        const struct ng_condition_result *condition = &result->conditions[i];
        if (!ng_condition_stops(condition)) {
            continue;
        }
        ng_buf_adds(out, found++ == 0 ? "\nPreconditions that do not hold\n" : "");
        ng_buf_addf(out, "  %s: %s\n", ng_cut_line(arena, condition->id, CELL_CHARS),
            ng_held_word(condition->held));
        add_detail(out, "expected", condition->expected, output, arena);
        add_detail(out, "seen", condition->seen, output, arena);
        add_detail(out, "what to do", condition->remedy, output, arena);
    }
}

/* Hooks before and after the run that were not content; those at phases say why in the tables. */
static void add_hooks(struct ng_buf *out, const struct ng_result *result,
    const struct ng_output *output, struct ng_arena *arena) {
    size_t found = 0;
    for (size_t i = 0; i < result->hook_count; i++) {
        const struct ng_hook_result *hook = &result->hooks[i];
        if (hook->phase != NULL || hook->outcome == NG_HOOK_HELD) {
            continue;
        }
        ng_buf_adds(out, found++ == 0 ? "\nHooks that are not content\n" : "");
        ng_buf_addf(out, "  %s: %s\n", ng_cut_line(arena, hook->id, CELL_CHARS),
            ng_hook_word(hook->outcome));
        add_detail(out, "expected", hook->expected, output, arena);
        add_detail(out, "why", hook->reason, output, arena);
        add_detail(out, "what to do", hook->remedy, output, arena);
    }
}

static void add_tables(struct ng_buf *out, const struct ng_view *view,
    const struct ng_output *output, struct ng_arena *arena) {
    struct ng_grid phases = view->summary;
    if (output->quiet) {
        phases = ng_grid_without(arena, &phases, VERDICT_COLUMN, ng_view_verdict(NG_VERDICT_PASS));
    }
    add_conditions(out, view->result, output, arena);
    add_hooks(out, view->result, output, arena);
    add_grid(out, "Phases", &phases, output);
    add_grid(out, "Why", &view->reasons, output);
    if (!output->quiet) {
        add_grid(out, "Predictions", &view->predictions, output);
    }
}

static void add_remarks(
    struct ng_buf *out, const struct ng_view *view, const struct ng_output *output) {
    for (size_t i = 0; i < view->result->warning_count; i++) {
        ng_buf_addf(out, "\nwarning: %s\n", view->result->warnings[i]);
    }
    for (size_t i = 0; i < view->notes.row_count && !output->quiet; i++) {
        ng_buf_addf(out, "\nnote: %s\n", ng_grid_cell(&view->notes, i, 0));
    }
}

bool ng_summary_print(
    const struct ng_result *result, const char *bundle, const struct ng_output *output) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_view *view = ng_view_build(result, &arena);
    struct ng_buf out;
    ng_buf_init(&out, SUMMARY_CAP);
    const bool brief = output->quiet && view->exit_code == 0;
    ng_buf_addf(&out, "%s%s%s%s  %s", brief ? "" : "\n",
        ng_output_on(output, colour_of(view->exit_code)), view->verdict, ng_output_off(output),
        view->why);
    if (!brief) {
        ng_buf_addc(&out, '\n');
        add_tables(&out, view, output, &arena);
        add_remarks(&out, view, output);
    }
    if (bundle != NULL) {
        ng_buf_addf(&out, "%s%s/report.md\n", brief ? "; report: " : "\nreport: ", bundle);
    } else {
        ng_buf_adds(&out, "\nno report: it could not be written\n");
    }
    if (brief) {
        add_remarks(&out, view, output);
    }
    struct ng_buf safe;
    ng_buf_init(&safe, 2 * SUMMARY_CAP);
    ng_ci_text(&safe, ng_buf_text(&out));
    const bool ok = ng_cli_print(&safe);
    ng_buf_release(&safe);
    ng_buf_release(&out);
    ng_arena_release(&arena);
    return ok;
}
