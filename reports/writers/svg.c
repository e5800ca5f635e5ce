/* svg.c - drawings by libxml2's writer. */
#include "reports/writers/svg.h"

#include <libxml/parser.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/writers/cut.h"
#include "runner/base/guard.h"

enum { NUMBER_TEXT = 24, TITLE_CHARS = 160, DESC_CHARS = 2000 };

struct ng_svg {
    xmlBufferPtr buffer;
    xmlTextWriterPtr writer;
    struct ng_arena arena;
    bool inside_page;
    bool ok;
};

/** Colours light and dark; the pair of blue and red is told apart with any colour vision. */
struct paint {
    const char *name; /* of the class */
    bool lines;       /* the colour is of the stroke, else of the fill */
    const char *light, *dark;
    const char *more[4]; /* further attributes and their values */
};

static const struct paint paints[NG_SVG_PAINTS] = {
    [NG_SVG_PAGE] = {"ng-page", false, "#ffffff", "#0d1117", {NULL}},
    [NG_SVG_TEXT] = {"ng-text", false, "#1f2328", "#e6edf3", {NULL}},
    [NG_SVG_QUIET] = {"ng-quiet", false, "#57606a", "#9198a1", {NULL}},
    [NG_SVG_ALARM] = {"ng-alarm", false, "#b42318", "#ff7b72", {NULL}},
    [NG_SVG_ON_BAR] = {"ng-on-bar", false, "#ffffff", "#ffffff", {NULL}},
    [NG_SVG_GRID] = {"ng-grid", true, "#d8dee4", "#262c36", {"stroke-width", "1"}},
    [NG_SVG_AXIS] = {"ng-axis", true, "#8c959f", "#6e7681", {"stroke-width", "1"}},
    [NG_SVG_WITHIN] = {"ng-within", false, "#2f6fb5", "#4c8bd6", {NULL}},
    [NG_SVG_OUTSIDE] = {"ng-outside", false, "#d9483b", "#e5534b", {NULL}},
    [NG_SVG_WITHIN_LINE] = {"ng-within-line", true, "#2f6fb5", "#4c8bd6", {"stroke-width", "2"}},
    [NG_SVG_OUTSIDE_LINE] = {"ng-outside-line", true, "#d9483b", "#e5534b", {"stroke-width", "2"}},
    [NG_SVG_UNCOUNTED_LINE] = {"ng-uncounted-line", true, "#8c959f", "#6e7681",
        {"stroke-width", "1.5", "stroke-dasharray", "2 3"}},
    [NG_SVG_WITHIN_SHADE] = {"ng-within-shade", false, "#2f6fb5", "#4c8bd6",
        {"fill-opacity", "0.14"}},
    [NG_SVG_OUTSIDE_SHADE] = {"ng-outside-shade", false, "#d9483b", "#e5534b",
        {"fill-opacity", "0.14"}},
    [NG_SVG_LIMIT] = {"ng-limit", true, "#b42318", "#ff7b72",
        {"stroke-width", "2", "stroke-dasharray", "6 4"}},
    [NG_SVG_MARK] = {"ng-mark", true, "#1f2328", "#e6edf3", {"stroke-width", "1.5"}},
    [NG_SVG_STALL] = {"ng-stall", false, "#fff1e5", "#3d2a12", {NULL}},
    [NG_SVG_HATCH] = {"ng-hatch", true, "#8c959f", "#6e7681",
        {"stroke-width", "1", "stroke-dasharray", "3 3"}},
};

static const xmlChar *utf8(const char *text) {
    return (const xmlChar *)text;
}

static void begin(struct ng_svg *svg, const char *name) {
    svg->ok = svg->ok && xmlTextWriterStartElement(svg->writer, utf8(name)) >= 0;
}

static void end(struct ng_svg *svg) {
    svg->ok = svg->ok && xmlTextWriterEndElement(svg->writer) >= 0;
}

static void attribute(struct ng_svg *svg, const char *name, const char *value) {
    svg->ok = svg->ok && xmlTextWriterWriteAttribute(svg->writer, utf8(name), utf8(value)) >= 0;
}

static void string(struct ng_svg *svg, const char *text, size_t max_chars) {
    const char *line = ng_cut_line(&svg->arena, text, max_chars);
    svg->ok = svg->ok && xmlTextWriterWriteString(svg->writer, utf8(line)) >= 0;
}

/** Tenths as "12", "12.5" or "-0.5". */
static const char *tenths(int value, char out[NUMBER_TEXT]) {
    int whole = abs(value) / NG_SVG_PX;
    int rest = abs(value) % NG_SVG_PX;
    const char *sign = value < 0 ? "-" : "";
    if (rest == 0) {
        snprintf(out, NUMBER_TEXT, "%s%d", sign, whole);
    } else {
        snprintf(out, NUMBER_TEXT, "%s%d.%d", sign, whole, rest);
    }
    return out;
}

static void length(struct ng_svg *svg, const char *name, int value) {
    char text[NUMBER_TEXT];
    attribute(svg, name, tenths(value, text));
}

static void painted(struct ng_svg *svg, enum ng_svg_paint paint) {
    const struct paint *row = &paints[paint];
    attribute(svg, "class", row->name);
    attribute(svg, "fill", row->lines ? "none" : row->light);
    if (row->lines) {
        attribute(svg, "stroke", row->light);
    }
    for (size_t i = 0; i + 1 < NG_COUNT(row->more) && row->more[i] != NULL; i += 2) {
        attribute(svg, row->more[i], row->more[i + 1]);
    }
}

static void labelled(
    struct ng_svg *svg, const char *element, const char *id, const char *text, size_t max_chars) {
    begin(svg, element);
    if (id != NULL) {
        attribute(svg, "id", ng_arena_printf(&svg->arena, "%s-%s", id, element));
    }
    string(svg, text, max_chars);
    end(svg);
}

void ng_svg_dark_style(struct ng_buf *out) {
    for (size_t i = 0; i < NG_SVG_PAINTS; i++) {
        ng_buf_addf(out, ".%s{%s:%s}\n", paints[i].name, paints[i].lines ? "stroke" : "fill",
            paints[i].dark);
    }
}

static void style(struct ng_svg *svg) {
    struct ng_buf rules;
    ng_buf_init(&rules, 8192);
    ng_buf_adds(&rules, "@media (prefers-color-scheme:dark){\n");
    ng_svg_dark_style(&rules);
    ng_buf_adds(&rules, "}");
    begin(svg, "style");
    svg->ok = svg->ok && xmlTextWriterWriteString(svg->writer, utf8(ng_buf_text(&rules))) >= 0;
    end(svg);
    ng_buf_release(&rules);
}

static void start(struct ng_svg *svg, const struct ng_svg_head *head) {
    if (!head->inside_page) {
        svg->ok = svg->ok && xmlTextWriterStartDocument(svg->writer, NULL, "UTF-8", NULL) >= 0;
    }
    begin(svg, "svg");
    if (!head->inside_page) { // HTML knows what an svg is
        attribute(svg, "xmlns", "http://www.w3.org/2000/svg");
    }
    attribute(svg, "width", ng_arena_printf(&svg->arena, "%d", head->width));
    attribute(svg, "height", ng_arena_printf(&svg->arena, "%d", head->height));
    attribute(svg, "viewBox", ng_arena_printf(&svg->arena, "0 0 %d %d", head->width, head->height));
    attribute(svg, "role", "img");
    attribute(svg, "aria-labelledby",
        ng_arena_printf(&svg->arena, "%s-title %s-desc", head->id, head->id));
    attribute(
        svg, "font-family", "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif");
    labelled(svg, "title", head->id, head->title, TITLE_CHARS);
    labelled(svg, "desc", head->id, head->desc, DESC_CHARS);
    if (!head->inside_page) {
        style(svg);
    }
    ng_svg_rect(svg, NG_SVG_PAGE, 0, 0, head->width * NG_SVG_PX, head->height * NG_SVG_PX, NULL);
}

struct ng_svg *ng_svg_new(const struct ng_svg_head *head) {
    struct ng_svg *svg = ng_xmalloc(sizeof *svg);
    *svg = (struct ng_svg){.inside_page = head->inside_page};
    ng_arena_init(&svg->arena);
    svg->buffer = xmlBufferCreate();
    svg->writer = svg->buffer != NULL ? xmlNewTextWriterMemory(svg->buffer, 0) : NULL;
    svg->ok = svg->writer != NULL;
    if (svg->ok) {
        xmlTextWriterSetIndent(svg->writer, 1);
        xmlTextWriterSetIndentString(svg->writer, utf8(""));
    }
    start(svg, head);
    return svg;
}

/** libxml2 writes some broken documents without complaint. No tree is made: that costs more than
 * the drawing. */
static bool reads_back(const xmlChar *text, int len) {
    xmlSAXHandler nothing = {.initialized = 0};
    return xmlSAXUserParseMemory(&nothing, NULL, (const char *)text, len) == 0;
}

bool ng_svg_finish(struct ng_svg *svg, struct ng_buf *out, struct ng_err *err) {
    end(svg);
    svg->ok = svg->ok && xmlTextWriterEndDocument(svg->writer) >= 0;
    if (svg->writer != NULL) {
        xmlFreeTextWriter(svg->writer);
    }
    const xmlChar *text = svg->buffer != NULL ? xmlBufferContent(svg->buffer) : NULL;
    // What is put into a page is read back as a file of its own.
    bool ok = svg->ok && text != NULL &&
              (svg->inside_page || reads_back(text, xmlBufferLength(svg->buffer)));
    if (ok) {
        ng_buf_add(out, text, (size_t)xmlBufferLength(svg->buffer));
    } else {
        ng_err_set(err, NG_ERR_INTERNAL, "the SVG that was written does not read back");
    }
    xmlBufferFree(svg->buffer);
    ng_arena_release(&svg->arena);
    free(svg);
    return ok;
}

static void hover_text(struct ng_svg *svg, const char *hover) {
    if (hover != NULL) {
        labelled(svg, "title", NULL, hover, TITLE_CHARS);
    }
}

void ng_svg_rect(
    struct ng_svg *svg, enum ng_svg_paint paint, int x, int y, int w, int h, const char *hover) {
    begin(svg, "rect");
    length(svg, "x", x);
    length(svg, "y", y);
    length(svg, "width", w > 0 ? w : 0);
    length(svg, "height", h > 0 ? h : 0);
    painted(svg, paint);
    hover_text(svg, hover);
    end(svg);
}

void ng_svg_line(struct ng_svg *svg, enum ng_svg_paint paint, int x1, int y1, int x2, int y2) {
    begin(svg, "line");
    length(svg, "x1", x1);
    length(svg, "y1", y1);
    length(svg, "x2", x2);
    length(svg, "y2", y2);
    painted(svg, paint);
    end(svg);
}

void ng_svg_dot(
    struct ng_svg *svg, enum ng_svg_paint paint, int x, int y, int radius, const char *hover) {
    begin(svg, "circle");
    length(svg, "cx", x);
    length(svg, "cy", y);
    length(svg, "r", radius);
    painted(svg, paint);
    hover_text(svg, hover);
    end(svg);
}

void ng_svg_path(struct ng_svg *svg, enum ng_svg_paint paint, const char *data) {
    begin(svg, "path");
    attribute(svg, "d", data);
    painted(svg, paint);
    if (paints[paint].lines) {
        attribute(svg, "stroke-linejoin", "round");
        attribute(svg, "stroke-linecap", "round"); // a point alone is seen as a dot
    }
    end(svg);
}

void ng_svg_point(struct ng_buf *data, char command, int x, int y) {
    char text[2][NUMBER_TEXT];
    if (command == 'Z') {
        ng_buf_addc(data, 'Z');
    } else {
        ng_buf_addf(data, "%c%s %s", command, tenths(x, text[0]), tenths(y, text[1]));
    }
}

static void begin_text(struct ng_svg *svg, enum ng_svg_paint paint, enum ng_svg_anchor anchor,
    enum ng_svg_size size, int x, int y) {
    static const char *const anchors[] = {"start", "middle", "end"};
    static const char *const sizes[] = {"11", "12", "15"};
    begin(svg, "text");
    length(svg, "x", x);
    length(svg, "y", y);
    attribute(svg, "font-size", sizes[size]);
    if (anchor != NG_SVG_START) {
        attribute(svg, "text-anchor", anchors[anchor]);
    }
    if (size == NG_SVG_LARGE) {
        attribute(svg, "font-weight", "600");
    }
    painted(svg, paint);
}

void ng_svg_text(struct ng_svg *svg, enum ng_svg_paint paint, enum ng_svg_anchor anchor,
    enum ng_svg_size size, int x, int y, const char *text, int max_chars) {
    begin_text(svg, paint, anchor, size, x, y);
    string(svg, text, (size_t)max_chars);
    end(svg);
}

void ng_svg_lead(struct ng_svg *svg, enum ng_svg_paint paint, int x, int y, const char *word,
    const char *rest, int max_chars) {
    xmlTextWriterSetIndent(svg->writer, 0); // a line break would be a blank in the text
    begin_text(svg, NG_SVG_QUIET, NG_SVG_START, NG_SVG_NORMAL, x, y);
    begin(svg, "tspan");
    attribute(svg, "font-weight", "600");
    painted(svg, paint);
    string(svg, word, (size_t)max_chars);
    end(svg);
    svg->ok = svg->ok && xmlTextWriterWriteString(svg->writer, utf8(": ")) >= 0;
    string(svg, rest, (size_t)max_chars);
    xmlTextWriterSetIndent(svg->writer, 1);
    end(svg);
}
