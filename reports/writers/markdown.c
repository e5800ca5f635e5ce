/* markdown.c - report.md: the view spelled in Markdown, for people and merge requests. */
#include "reports/writers/markdown.h"

#include <string.h>

#include "reports/writers/markdown_text.h"
#include "reports/writers/view.h"
#include "reports/writers/writer.h"

static void heading(struct ng_buf *out, const char *level, const char *words) {
    ng_buf_addf(out, "\n%s %s\n", level, words);
}

/** "**Label:** `text`" as a paragraph. */
static void labelled(struct ng_buf *out, const char *label, const char *text) {
    ng_buf_addf(out, "\n**%s:** ", label);
    ng_md_code(out, text, NG_MD_SENTENCE, false);
    ng_buf_addc(out, '\n');
}

static void plot(struct ng_buf *out, const struct ng_view_plot *plot) {
    if (plot->file != NULL) {
        ng_buf_addf(out, "\n![%s](%s)\n", plot->alt, plot->file);
    }
}

/** What must not be lost, out of the way: cells are cut late. `summary` has letters and blanks
 * alone: nothing else passes as a tag of ours into the page. */
static void details(struct ng_buf *out, const char *summary, const struct ng_grid *grid) {
    if (grid->row_count > 0) {
        ng_buf_addf(out, "\n<details>\n<summary>%s</summary>\n", summary);
        ng_md_grid(out, grid, NG_MD_SENTENCE);
        ng_buf_adds(out, "\n</details>\n");
    }
}

/** A list item "- **LABEL** `a`: `b`" for each row of a grid of two or three columns. */
static void list(struct ng_buf *out, const struct ng_grid *grid) {
    for (size_t i = 0; i < grid->row_count; i++) {
        ng_buf_adds(out, i == 0 ? "\n- " : "- ");
        ng_md_code(out, ng_grid_cell(grid, i, 0), NG_MD_CELL, false);
        if (grid->column_count > 2) {
            ng_buf_addf(out, " %s", ng_grid_cell(grid, i, 1));
        }
        ng_buf_adds(out, ": ");
        ng_md_code(out, ng_grid_cell(grid, i, grid->column_count - 1), NG_MD_SENTENCE, false);
        ng_buf_addc(out, '\n');
    }
}

static void verdict(const struct ng_view *view, struct ng_buf *out) {
    const struct ng_result *result = view->result;
    ng_buf_addf(out, "# %s - ", view->verdict);
    ng_md_heading(out, result->plan_name);
    ng_buf_addc(out, '\n');
    labelled(out, "Why", view->why);
    ng_buf_adds(out, "\n- Plan: ");
    ng_md_code(out, result->plan_title, NG_MD_CELL, false);
    ng_buf_adds(out, " in ");
    ng_md_code(out, view->plan_file, NG_MD_CELL, false);
    ng_buf_adds(out, "\n- Run: ");
    ng_md_code(out, result->run_id, NG_MD_CELL, false);
    ng_buf_addf(out, ", started %s, took %s\n- Exit code: %d, %s\n", view->started, view->duration,
        view->exit_code, view->exit_words);
    if (result->not_restored != NULL) {
        labelled(out, "Left in the lab", result->not_restored);
    }
    if (result->error != NULL) {
        labelled(out, "Error", result->error);
    }
    for (size_t i = 0; i < result->warning_count; i++) {
        labelled(out, "Warning", result->warnings[i]);
    }
    for (size_t i = 0; i < view->notes.row_count; i++) {
        labelled(out, "Note", ng_grid_cell(&view->notes, i, 0));
    }
    ng_md_grid(out, &view->summary, NG_MD_CELL);
    if (view->reasons.row_count > 1) {
        list(out, &view->reasons);
    }
}

static void leases(const struct ng_view *view, struct ng_buf *out) {
    if (view->leases.row_count > 0) {
        heading(out, "##", "Lease");
        ng_md_grid(out, &view->leases, NG_MD_CELL);
    }
}

static void conditions(const struct ng_view *view, struct ng_buf *out) {
    heading(out, "##", "Conditions");
    if (view->conditions.row_count == 0) {
        ng_buf_adds(out, "\nNo precondition was checked.\n");
    }
    ng_md_grid(out, &view->conditions, NG_MD_CELL);
    if (view->remedies.row_count > 0) {
        ng_buf_adds(out, "\nWhat to do:\n");
        list(out, &view->remedies);
    }
    details(out, "Everything the preconditions looked at", &view->looked_at);
    details(out, "Hosts and their environment", &view->hosts);
}

/** Nothing for a plan without hooks. */
static void hooks(const struct ng_view *view, struct ng_buf *out) {
    if (view->hooks.row_count > 0) {
        heading(out, "##", "Hooks");
        ng_md_grid(out, &view->hooks, NG_MD_CELL);
        details(out, "Everything the hooks looked at", &view->hooks_looked_at);
    }
}

/** What the lab was like before anything was measured; nothing where no host could be asked yet. */
static void state(const struct ng_view *view, struct ng_buf *out) {
    const size_t unknown = view->state_unknown.row_count;
    if (view->state_hosts.row_count + view->state_volumes.row_count + unknown == 0) {
        return;
    }
    heading(out, "##", "State of the lab");
    ng_buf_addf(out,
        "\nAs it was before anything was measured; %zu fact%s of the hosts %s unknown.\n", unknown,
        unknown == 1 ? "" : "s", unknown == 1 ? "was" : "were");
    ng_md_grid(out, &view->state_volumes, NG_MD_SENTENCE);
    details(out, "The hosts fact by fact", &view->state_hosts);
    details(out, "What was unknown and why", &view->state_unknown);
}

static void phase(const struct ng_view_phase *shown, size_t number, struct ng_buf *out) {
    const struct ng_phase_result *result = shown->phase;
    ng_buf_addf(out, "\n### Phase %zu ", number);
    ng_md_heading(out, result->name);
    ng_buf_adds(out, "\n\n");
    ng_md_code(out, result->name, NG_MD_CELL, false);
    ng_buf_addf(out, ": %s, measured by ", shown->verdict);
    ng_md_code(out, shown->heading, NG_MD_CELL, false);
    ng_buf_addf(out, ", %zu of %d repeats count", shown->counted, result->planned_repeats);
    if (result->line > 0) {
        ng_buf_addf(out, ", line %d of the plan", result->line);
    }
    ng_buf_adds(out, ".\n");
    labelled(out, "Why", shown->reason);
    plot(out, &shown->plot);
    ng_md_grid(out, &shown->limits, NG_MD_CELL);
    ng_md_grid(out, &shown->metrics, NG_MD_CELL);
    if (shown->findings.row_count > 0) {
        ng_buf_adds(out, "\nFindings:\n");
        ng_md_grid(out, &shown->findings, NG_MD_CELL);
    }
    details(out, "What the engine recorded", &shown->records);
    details(out, "Repeats and their evidence", &shown->repeats);
}

static void phases(const struct ng_view *view, struct ng_buf *out) {
    heading(out, "##", "Phases");
    if (view->result->phase_count == 0) {
        ng_buf_adds(out, "\nThe run has no phases.\n");
    }
    for (size_t i = 0; i < view->result->phase_count; i++) {
        phase(&view->phases[i], i + 1, out);
    }
}

static void ladders(const struct ng_view *view, struct ng_buf *out) {
    if (view->bulk.row_count + view->iops.row_count == 0) {
        return;
    }
    heading(out, "##", "What limits this path");
    if (view->bulk.row_count > 0) {
        ng_buf_adds(out, "\nBulk throughput, slowest to fastest");
        if (view->wire != NULL) {
            ng_buf_adds(out, "; the measured wire is phase ");
            ng_md_code(out, view->wire, NG_MD_CELL, false);
        }
        ng_buf_adds(out, ":\n");
    }
    plot(out, &view->bulk_plot);
    ng_md_grid(out, &view->bulk, NG_MD_CELL);
    if (view->iops.row_count > 0) {
        ng_buf_adds(out, "\nSmall requests (below 64 KiB on average), slowest to fastest:\n");
    }
    plot(out, &view->iops_plot);
    ng_md_grid(out, &view->iops, NG_MD_CELL);
}

static bool is_guarded(const struct ng_result *result) {
    for (size_t i = 0; i < result->condition_count; i++) {
        const char *when = result->conditions[i].when;
        if (when != NULL && strcmp(when, "before") != 0) {
            return true;
        }
    }
    return false;
}

/** Nothing where nobody watched. */
static void meanwhile(const struct ng_view *view, struct ng_buf *out) {
    if (view->result->event_count + view->load.row_count == 0) {
        return;
    }
    heading(out, "##", "What happened on the hosts meanwhile");
    if (view->result->event_count == 0 && is_guarded(view->result)) {
        ng_buf_adds(out, "\nEverything that was guarded held while the phases ran.\n");
    } else if (view->result->event_count > 0) {
        ng_buf_addf(out,
            "\nWhat was guarded did not hold %zu time%s; nobody stands behind the numbers of those "
            "repeats.\n",
            view->result->event_count, view->result->event_count == 1 ? "" : "s");
    }
    plot(out, &view->timeline_plot);
    if (view->result->event_count > 0) {
        ng_md_grid(out, &view->timeline, NG_MD_SENTENCE);
        if (view->guards_remedies.row_count > 0) {
            ng_buf_adds(out, "\nWhat to do:\n");
            list(out, &view->guards_remedies);
        }
        details(out, "What guards looked at when they did not hold", &view->guards_looked_at);
    } else {
        details(out, "When each repeat ran", &view->timeline);
    }
    ng_md_grid(out, &view->load, NG_MD_CELL);
}

static void predictions(const struct ng_view *view, struct ng_buf *out) {
    if (view->predictions.row_count > 0) {
        heading(out, "##", "Predictions");
        ng_buf_adds(out, "\nWritten down before the run; they never change the verdict.\n");
        ng_md_grid(out, &view->predictions, NG_MD_CELL);
    }
}

static void reproduce(const struct ng_view *view, struct ng_buf *out) {
    heading(out, "##", "How to reproduce");
    ng_buf_addc(out, '\n');
    ng_md_fenced(out, "sh", view->command);
    ng_md_grid(out, &view->origin, NG_MD_CELL);
    ng_buf_adds(out,
        "\nThe bundle holds the plan as it was run (`plan.yaml`), every command with all that it "
        "printed\n(`evidence/`), the record from which this report was made (`result.json`) and "
        "`TEST-nasgate.xml`.\n");
}

void ng_markdown_spell(const struct ng_view *view, struct ng_buf *out) {
    verdict(view, out);
    leases(view, out);
    conditions(view, out);
    state(view, out);
    phases(view, out);
    hooks(view, out);
    ladders(view, out);
    meanwhile(view, out);
    predictions(view, out);
    reproduce(view, out);
}

static bool write(const struct ng_view *view, struct ng_buf *out, struct ng_err *err) {
    (void)err;
    ng_markdown_spell(view, out);
    return true;
}

const struct ng_writer ng_writer_markdown = {
    .name = "markdown",
    .file = "report.md",
    .help = "the report for people and merge requests",
    .write = write,
};
