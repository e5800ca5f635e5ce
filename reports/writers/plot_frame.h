/**
 * plot_frame.h - what the plots of phases share: title, verdict, an upright axis from 0, lines
 * across it with their labels at the right.
 */
#ifndef NG_WRITERS_PLOT_FRAME_H
#define NG_WRITERS_PLOT_FRAME_H

#include "reports/writers/plot_pick.h"
#include "reports/writers/plot_scale.h"
#include "reports/writers/svg.h"
#include "reports/writers/view.h"

/** The canvas and the area of the data, in tenths of a pixel. */
enum {
    NG_FRAME_WIDTH = 760,
    NG_FRAME_HEIGHT = 360,
    NG_FRAME_LEFT = 64 * NG_SVG_PX,
    NG_FRAME_RIGHT = (NG_FRAME_WIDTH - 92) * NG_SVG_PX,
    NG_FRAME_TOP = 66 * NG_SVG_PX,
    NG_FRAME_BOTTOM = 300 * NG_SVG_PX,
    NG_FRAME_LABELS = NG_PLOT_LIMITS + 3,
};

struct ng_frame_label {
    int y;  /* of what it speaks of */
    int at; /* where it stands */
    enum ng_svg_paint paint;
    const char *text;
};

struct ng_frame {
    struct ng_arena *arena;
    const struct ng_view_phase *shown;
    const struct ng_plot_pick *pick;
    struct ng_scale scale;
    struct ng_svg *svg;
    struct ng_frame_label labels[NG_FRAME_LABELS];
    size_t label_count;
};

/**
 * Begins the drawing: title with the unit, verdict in words, grid. `max` is the largest value to be
 * shown; `middle` what was measured, as "median of 3 repeats"; `value` its value (NaN: none);
 * `desc` more about it in words.
 */
void ng_frame_begin(struct ng_frame *frame, double max, const char *middle, double value,
    const char *desc, bool inside_page);
/** The line of a value in the frame, from the top. */
int ng_frame_y(const struct ng_frame *frame, double value);
/** A line across at a value, with its label "WORD VALUE". */
void ng_frame_rule(struct ng_frame *frame, enum ng_svg_paint line, enum ng_svg_paint text,
    const char *word, double value);
/** Only the label. */
void ng_frame_note(struct ng_frame *frame, enum ng_svg_paint text, const char *word, double value);
/** Lines of all limits. */
void ng_frame_limits(struct ng_frame *frame);
/** Draws the labels so that none covers another, and a line of text below everything. */
bool ng_frame_end(
    struct ng_frame *frame, const char *caption, struct ng_buf *out, struct ng_err *err);

/** Whether a value keeps all limits. */
bool ng_frame_keeps(const struct ng_plot_pick *pick, double value);
/** A value for people, as in the tables. */
const char *ng_frame_words(const struct ng_frame *frame, double value);

#endif
