/* plots.c - plots/: the drawings that report.md shows, as files of their own. */
#include "reports/writers/plot.h"
#include "reports/writers/writer.h"

/** Hands a finished drawing over, or the error. */
static bool hand_over(const struct ng_view_plot *plot, bool drawn, struct ng_buf *text,
    const struct ng_sink *sink, struct ng_err *err) {
    bool ok = drawn;
    if (ok && text->cut > 0) {
        ok = ng_err_set(err, NG_ERR_LIMIT, "%s would be larger than %d bytes: not written",
            plot->file, NG_PLOT_BYTES);
    }
    ok = ok && sink->put(sink->context, plot->file, text, err);
    ng_buf_clear(text);
    return ok;
}

static bool write_files(
    const struct ng_view *view, const struct ng_sink *sink, struct ng_err *err) {
    struct ng_buf text;
    ng_buf_init(&text, NG_PLOT_BYTES);
    bool ok = true;
    if (view->bulk_plot.file != NULL) {
        bool drawn = ng_plot_bulk(view, false, &text, err);
        ok = hand_over(&view->bulk_plot, drawn, &text, sink, err);
    }
    if (ok && view->iops_plot.file != NULL) {
        bool drawn = ng_plot_iops(view, false, &text, err);
        ok = hand_over(&view->iops_plot, drawn, &text, sink, err);
    }
    if (ok && view->timeline_plot.file != NULL) {
        bool drawn = ng_plot_timeline(view, false, &text, err);
        ok = hand_over(&view->timeline_plot, drawn, &text, sink, err);
    }
    for (size_t i = 0; i < view->result->phase_count && ok; i++) {
        const struct ng_view_phase *shown = &view->phases[i];
        if (shown->plot.file != NULL) {
            bool drawn = ng_plot_phase(shown, false, &text, err);
            ok = hand_over(&shown->plot, drawn, &text, sink, err);
        }
    }
    ng_buf_release(&text);
    return ok;
}

const struct ng_writer ng_writer_plots = {
    .name = "plots",
    .file = "plots",
    .help = "the drawings of the report, as SVG files",
    .write_files = write_files,
};
