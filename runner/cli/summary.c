/* The table at the end of a run. */
#include "runner/cli/summary.h"

#include "reports/writers/view.h"
#include "runner/cli/ci_text.h"
#include "runner/cli/cli.h"

enum { SUMMARY_CAP = 4 * 1024 * 1024, CELL_CHARS = 48 };

static enum ng_colour colour_of(int exit_code) {
    if (exit_code == 0) {
        return NG_COLOUR_GREEN;
    }
    return exit_code == 6 ? NG_COLOUR_YELLOW : NG_COLOUR_RED;
}

static void add_grid(struct ng_buf *out, const char *title, const struct ng_grid *grid) {
    if (grid->row_count > 0) {
        ng_buf_addf(out, "\n%s\n", title);
        ng_grid_text(grid, "  ", CELL_CHARS, out);
    }
}

bool ng_summary_print(
    const struct ng_result *result, const char *bundle, const struct ng_output *output) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_view *view = ng_view_build(result, &arena);
    struct ng_buf out;
    ng_buf_init(&out, SUMMARY_CAP);
    ng_buf_addf(&out, "\n%s%s%s  %s\n", ng_output_on(output, colour_of(view->exit_code)),
        view->verdict, ng_output_off(output), view->why);
    add_grid(&out, "Phases", &view->summary);
    add_grid(&out, "Why", &view->reasons);
    add_grid(&out, "Predictions", &view->predictions);
    for (size_t i = 0; i < result->warning_count; i++) {
        ng_buf_addf(&out, "\nwarning: %s\n", result->warnings[i]);
    }
    ng_buf_addf(&out, "\nreport: %s/report.md\n", bundle);
    struct ng_buf safe;
    ng_buf_init(&safe, 2 * SUMMARY_CAP);
    ng_ci_text(&safe, ng_buf_text(&out));
    const bool ok = ng_cli_print(&safe);
    ng_buf_release(&safe);
    ng_buf_release(&out);
    ng_arena_release(&arena);
    return ok;
}
