/**
 * plot_bars.h - a phase by repeat, and a phase over time; the two halves of ng_plot_phase.
 */
#ifndef NG_WRITERS_PLOT_BARS_H
#define NG_WRITERS_PLOT_BARS_H

#include "reports/writers/plot_frame.h"

/** A bar per repeat. */
bool ng_plot_bars(struct ng_frame *frame, bool inside_page, struct ng_buf *out, struct ng_err *err);
/** A line per repeat. */
bool ng_plot_time(struct ng_frame *frame, bool inside_page, struct ng_buf *out, struct ng_err *err);

#endif
