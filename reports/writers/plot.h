/**
 * plot.h - the drawings of a report. Pure functions of the view.
 *
 * A phase whose engine samples is drawn over time: average and peak as lines and numbers, stalls as
 * bands. Any other is drawn by repeat. Ladders are drawn as bars from slowest to fastest. Limits
 * are lines everywhere, and the verdict stands in words under the title.
 */
#ifndef NG_WRITERS_PLOT_H
#define NG_WRITERS_PLOT_H

#include <stdbool.h>

#include "reports/writers/view.h"
#include "runner/base/buf.h"
#include "runner/base/err.h"

/** Bounds; what is beyond is told in the drawing. */
enum {
    NG_PLOT_LANES = 40,
    NG_PLOT_RUNGS = 40,
    NG_PLOT_LINES = 12,
    NG_PLOT_BARS = 24,
    NG_PLOT_BYTES = 4 * 1000 * 1000
};

/** A plot as SVG. `inside_page`: as a part of an HTML page. The plot must have a file. */
bool ng_plot_bulk(
    const struct ng_view *view, bool inside_page, struct ng_buf *out, struct ng_err *err);
bool ng_plot_iops(
    const struct ng_view *view, bool inside_page, struct ng_buf *out, struct ng_err *err);
bool ng_plot_timeline(
    const struct ng_view *view, bool inside_page, struct ng_buf *out, struct ng_err *err);
bool ng_plot_phase(
    const struct ng_view_phase *shown, bool inside_page, struct ng_buf *out, struct ng_err *err);

#endif
