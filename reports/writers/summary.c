/* summary.c - summary.md: the verdict of a run for the page of a CI job, in three sizes. */
#include "reports/writers/summary.h"

#include "reports/writers/markdown_text.h"
#include "reports/writers/view.h"
#include "reports/writers/writer.h"
#include "runner/result/verdict.h"

enum size { SIZE_FULL, SIZE_RED, SIZE_VERDICT, SIZES };

enum { VERDICT_COLUMN = 1, WHY_CHARS = 300 };

static void add_head(const struct ng_view *view, struct ng_buf *out) {
    const struct ng_result *result = view->result;
    ng_buf_addf(out, "### %s - ", view->verdict);
    ng_md_heading(out, result->plan_name);
    ng_buf_adds(out, "\n\n**Why:** ");
    ng_md_code(out, view->why, NG_MD_SENTENCE, false);
    ng_buf_adds(out, "\n\n- Plan: ");
    ng_md_code(out, view->plan_file, NG_MD_CELL, false);
    ng_buf_adds(out, "\n- Run: ");
    ng_md_code(out, result->run_id, NG_MD_CELL, false);
    ng_buf_addf(out, ", started %s, took %s\n- Exit code: %d, %s\n", view->started, view->duration,
        view->exit_code, view->exit_words);
    for (size_t i = 0; i < view->notes.row_count; i++) {
        ng_buf_adds(out, "\n**Note:** ");
        ng_md_code(out, ng_grid_cell(&view->notes, i, 0), NG_MD_SENTENCE, false);
        ng_buf_addc(out, '\n');
    }
    if (result->not_restored != NULL) {
        ng_buf_adds(out, "\n**Left in the lab:** ");
        ng_md_code(out, result->not_restored, NG_MD_SENTENCE, false);
        ng_buf_addc(out, '\n');
    }
}

/** "- `a`: `b`" for each row, first and last column. */
static void add_list(struct ng_buf *out, const char *heading, const struct ng_grid *grid) {
    if (grid->row_count > 0) {
        ng_buf_addf(out, "\n#### %s\n\n", heading);
    }
    for (size_t i = 0; i < grid->row_count; i++) {
        ng_buf_adds(out, "- ");
        ng_md_code(out, ng_grid_cell(grid, i, 0), NG_MD_CELL, false);
        ng_buf_adds(out, ": ");
        ng_md_code(out, ng_grid_cell(grid, i, grid->column_count - 1), WHY_CHARS, false);
        ng_buf_addc(out, '\n');
    }
}

static void add_grid(struct ng_buf *out, const char *heading, const struct ng_grid *grid) {
    if (grid->row_count > 0) {
        ng_buf_addf(out, "\n#### %s\n", heading);
        ng_md_grid(out, grid, NG_MD_CELL);
    }
}

static void add_limits(const struct ng_view *view, struct ng_buf *out) {
    ng_buf_adds(out, "\n<details>\n<summary>Limits and metrics of each phase</summary>\n");
    for (size_t i = 0; i < view->result->phase_count; i++) {
        const struct ng_view_phase *phase = &view->phases[i];
        ng_buf_adds(out, "\n");
        ng_md_code(out, phase->phase->name, NG_MD_CELL, false);
        ng_buf_addf(out, ": %s, %zu of %d repeats count\n", phase->verdict, phase->counted,
            phase->phase->planned_repeats);
        ng_md_grid(out, &phase->limits, NG_MD_CELL);
        ng_md_grid(out, &phase->metrics, NG_MD_CELL);
    }
    ng_buf_adds(out, "\n</details>\n");
}

static void add_full(const struct ng_view *view, struct ng_buf *out) {
    add_grid(out, "Phases", &view->summary);
    add_list(out, "What did not pass", &view->reasons);
    add_grid(out, "Lease", &view->leases);
    add_grid(out, "Preconditions", &view->conditions);
    add_list(out, "What to do", &view->remedies);
    add_grid(out, "Hooks", &view->hooks);
    add_grid(out, "Predictions", &view->predictions);
    if (view->result->phase_count > 0) {
        add_limits(view, out);
    }
}

static void add_red(const struct ng_view *view, struct ng_arena *arena, struct ng_buf *out) {
    const struct ng_grid red =
        ng_grid_without(arena, &view->summary, VERDICT_COLUMN, ng_view_verdict(NG_VERDICT_PASS));
    add_grid(out, "Phases that did not pass", &red);
    add_list(out, "Why", &view->reasons);
    add_list(out, "What to do", &view->remedies);
}

static void add_end(enum size size, size_t budget, struct ng_buf *out) {
    static const char *const left_out[SIZES] = {
        [SIZE_RED] = "phases that passed, limits, preconditions and predictions are left out",
        [SIZE_VERDICT] = "the phases are left out",
    };
    if (left_out[size] != NULL) {
        ng_buf_addf(
            out, "\n**Cut:** %s, since this page may have %zu bytes.\n", left_out[size], budget);
    }
    ng_buf_adds(out,
        "\nThe whole report is `report.md` in the bundle, beside `result.json` and the "
        "evidence.\n");
}

/** True when this size fits into the budget. */
static bool add_size(const struct ng_view *view, enum size size, size_t budget,
    struct ng_arena *arena, struct ng_buf *out) {
    struct ng_buf text;
    ng_buf_init(&text, budget);
    add_head(view, &text);
    if (size == SIZE_FULL) {
        add_full(view, &text);
    } else if (size == SIZE_RED) {
        add_red(view, arena, &text);
    }
    add_end(size, budget, &text);
    bool fits = text.cut == 0;
    if (fits) {
        ng_buf_add(out, text.data, text.len);
    }
    ng_buf_release(&text);
    return fits;
}

static bool spell(const struct ng_view *view, size_t budget, struct ng_buf *out) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    bool written = false;
    for (int size = SIZE_FULL; size < SIZES && !written; size++) {
        written = add_size(view, (enum size)size, budget, &arena, out);
    }
    ng_arena_release(&arena);
    return written;
}

bool ng_summary_write(const struct ng_result *result, size_t budget, struct ng_buf *out) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const bool written = spell(ng_view_build(result, &arena), budget, out);
    ng_arena_release(&arena);
    return written;
}

static bool write(const struct ng_view *view, struct ng_buf *out, struct ng_err *err) {
    return spell(view, NG_SUMMARY_BUDGET, out) ||
           ng_err_set(err, NG_ERR_LIMIT, "not even the verdict fits into %d bytes",
               (int)NG_SUMMARY_BUDGET);
}

const struct ng_writer ng_writer_summary = {
    .name = "summary",
    .file = "summary.md",
    .help = "the verdict for the page of a CI job, at most 900,000 bytes",
    .write = write,
};
