/**
 * svg.h - a small writer of drawings that look right everywhere and have the same bytes everywhere.
 *
 * Coordinates are whole tenths of a pixel, so that no float is ever printed. The light look stands
 * in presentation attributes; a style element holds nothing but the dark look, because viewers that
 * forbid inline styles must still show the drawing. Nothing depends on the width of a text. Foreign
 * text is cleaned and cut here.
 */
#ifndef NG_WRITERS_SVG_H
#define NG_WRITERS_SVG_H

#include <stdbool.h>

#include "runner/base/buf.h"
#include "runner/base/err.h"

enum { NG_SVG_PX = 10 }; /* units of a pixel */

/** What something is painted as; colours in svg.c. */
enum ng_svg_paint {
    NG_SVG_PAGE,
    NG_SVG_TEXT,
    NG_SVG_QUIET, /* text of axes */
    NG_SVG_ALARM, /* text of limits and of what failed */
    NG_SVG_ON_BAR,
    NG_SVG_GRID,
    NG_SVG_AXIS,
    NG_SVG_WITHIN,       /* area within its limit */
    NG_SVG_OUTSIDE,      /* area outside its limit */
    NG_SVG_WITHIN_LINE,  /* the same as lines */
    NG_SVG_OUTSIDE_LINE, /* */
    NG_SVG_UNCOUNTED_LINE,
    NG_SVG_WITHIN_SHADE,
    NG_SVG_OUTSIDE_SHADE,
    NG_SVG_LIMIT,
    NG_SVG_MARK, /* averages, whiskers */
    NG_SVG_STALL,
    NG_SVG_HATCH, /* what did not count */
    NG_SVG_PAINTS
};

enum ng_svg_anchor { NG_SVG_START, NG_SVG_MIDDLE, NG_SVG_END };
enum ng_svg_size { NG_SVG_SMALL, NG_SVG_NORMAL, NG_SVG_LARGE };

struct ng_svg;

struct ng_svg_head {
    const char *id;    /* letters, digits and hyphens; unique in a page of several drawings */
    int width, height; /* in pixels */
    const char *title; /* what it shows */
    const char *desc;  /* the same for those who cannot see it: the verdict and the numbers */
    bool inside_page;  /* a part of an HTML page, which has ng_svg_dark_style in its style sheet */
};

/** Begins a drawing with its background. Never NULL; errors are told at the end. */
struct ng_svg *ng_svg_new(const struct ng_svg_head *head);
/** Appends the document; frees the drawing in any case. A file of its own is read back first. */
bool ng_svg_finish(struct ng_svg *svg, struct ng_buf *out, struct ng_err *err);

/** `hover` is shown by a pointing device; may be NULL. */
void ng_svg_rect(
    struct ng_svg *svg, enum ng_svg_paint paint, int x, int y, int w, int h, const char *hover);
void ng_svg_line(struct ng_svg *svg, enum ng_svg_paint paint, int x1, int y1, int x2, int y2);
void ng_svg_dot(
    struct ng_svg *svg, enum ng_svg_paint paint, int x, int y, int radius, const char *hover);
/** `data` as ng_svg_point makes it. */
void ng_svg_path(struct ng_svg *svg, enum ng_svg_paint paint, const char *data);
/** Appends a point to the data of a path: command 'M' or 'L', or 'Z' without a point. */
void ng_svg_point(struct ng_buf *data, char command, int x, int y);
/** A line of text at its baseline, cut at `max_chars` code points. */
void ng_svg_text(struct ng_svg *svg, enum ng_svg_paint paint, enum ng_svg_anchor anchor,
    enum ng_svg_size size, int x, int y, const char *text, int max_chars);
/** A word that must be seen and the rest of its line. */
void ng_svg_lead(struct ng_svg *svg, enum ng_svg_paint paint, int x, int y, const char *word,
    const char *rest, int max_chars);

/** The rules of the dark look, one line each, for a style element. */
void ng_svg_dark_style(struct ng_buf *out);

#endif
