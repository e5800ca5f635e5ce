/* plot_ladder.c - what limits a path: rungs from slowest to fastest, each with its limit. */
#include <math.h>

#include "reports/writers/cut.h"
#include "reports/writers/plot.h"
#include "reports/writers/plot_pick.h"
#include "reports/writers/plot_scale.h"
#include "reports/writers/svg.h"
#include "runner/result/words.h"

/* In tenths of a pixel, but for the width. */
enum {
    WIDTH = 760,
    LEFT = 176 * NG_SVG_PX,
    RIGHT = 652 * NG_SVG_PX,
    TOP = 62 * NG_SVG_PX,
    PITCH = 44 * NG_SVG_PX,
    THICK = 24 * NG_SVG_PX,
    BELOW = 48, /* pixels below the last rung */
    VALUE_ROOM = 96 * NG_SVG_PX,
    CAP = 5 * NG_SVG_PX,
    NAME_CHARS = 22,
    SIDE_CHARS = 16,
    TITLE_CHARS = 66,
    LEAD_CHARS = 104,
    CAPTION_CHARS = 120,
    HOVER_CHARS = 48,
    DESC_MAX = 16000,
};

struct drawing {
    struct ng_arena *arena;
    const struct ng_view *view;
    const struct ng_view_ladder *ladder;
    struct ng_plot_pick *picks; /* the limits of each rung */
    size_t rungs;               /* that are shown */
    size_t limited, broken;     /* of them: have a limit; broke it */
    struct ng_dim dim;
    struct ng_scale scale;
    struct ng_svg *svg;
};

static const char *words(
    const struct drawing *drawing, const struct ng_view_rung *rung, double value) {
    char text[NG_QUANTITY_TEXT];
    return ng_arena_strdup(
        drawing->arena, ng_value_words(value, drawing->dim, rung->spelling, text));
}

/** A foreign name that leaves room for what is said of it. */
static const char *name_of(const struct drawing *drawing, const char *name) {
    return ng_cut_line(drawing->arena, name, HOVER_CHARS);
}

static void prepare(struct drawing *drawing) {
    double max = 0;
    drawing->picks =
        ng_arena_array(drawing->arena, drawing->ladder->count + 1, sizeof *drawing->picks);
    drawing->rungs =
        drawing->ladder->count < NG_PLOT_RUNGS ? drawing->ladder->count : NG_PLOT_RUNGS;
    for (size_t i = 0; i < drawing->rungs; i++) {
        const struct ng_view_rung *rung = &drawing->ladder->rungs[i];
        struct ng_plot_pick *pick = &drawing->picks[i];
        ng_plot_pick_limits(rung->phase, rung->metric, pick);
        drawing->limited += pick->limit_count > 0 ? 1 : 0;
        drawing->broken += pick->broken ? 1 : 0;
        max = fmax(max, rung->high);
        for (size_t j = 0; j < pick->limit_count; j++) {
            max = fmax(max, pick->limits[j].value);
        }
    }
    drawing->scale = ng_scale_fit(max, drawing->dim, NG_SPELLING_PLAIN, drawing->arena);
}

static const char *lead(const struct drawing *drawing) {
    return drawing->broken > 0 ? "FAIL" : drawing->limited > 0 ? "pass" : "not judged";
}

static const char *verdict(const struct drawing *drawing) {
    if (drawing->broken > 0) {
        return ng_arena_printf(
            drawing->arena, "%zu of %zu outside the limit", drawing->broken, drawing->rungs);
    }
    if (drawing->limited > 0) {
        return ng_arena_printf(drawing->arena, "%zu of %zu have a limit and hold it",
            drawing->limited, drawing->rungs);
    }
    return "no limit on any of them";
}

static const char *describe(const struct drawing *drawing) {
    struct ng_buf text;
    ng_buf_init(&text, DESC_MAX);
    ng_buf_addf(&text, "%s: %s.", lead(drawing), verdict(drawing));
    for (size_t i = 0; i < drawing->rungs; i++) {
        const struct ng_view_rung *rung = &drawing->ladder->rungs[i];
        ng_buf_addf(&text, " %s %s %s%s.", name_of(drawing, rung->phase->name),
            name_of(drawing, rung->metric), words(drawing, rung, rung->value),
            drawing->picks[i].broken ? ", outside" : "");
    }
    const char *out = ng_arena_strdup(drawing->arena, ng_buf_text(&text));
    ng_buf_release(&text);
    return out;
}

static int x_of(const struct drawing *drawing, double value) {
    return LEFT + ng_scale_at(&drawing->scale, value, RIGHT - LEFT);
}

static void grid(const struct drawing *drawing, int bottom) {
    for (int i = 0; i <= drawing->scale.ticks; i++) {
        int x = LEFT + (RIGHT - LEFT) * i / drawing->scale.ticks;
        ng_svg_line(drawing->svg, i == 0 ? NG_SVG_AXIS : NG_SVG_GRID, x, TOP, x, bottom);
        ng_svg_text(drawing->svg, NG_SVG_QUIET, NG_SVG_MIDDLE, NG_SVG_SMALL, x,
            bottom + 16 * NG_SVG_PX, ng_scale_tick(&drawing->scale, i, drawing->arena), SIDE_CHARS);
    }
}

/** The limit that tells most: one that is broken, else the nearest. */
static const struct ng_plot_limit *telling(const struct ng_plot_pick *pick, double value) {
    const struct ng_plot_limit *best = &pick->limits[0];
    for (size_t i = 1; i < pick->limit_count; i++) {
        const struct ng_plot_limit *limit = &pick->limits[i];
        bool nearer = fabs(limit->value - value) < fabs(best->value - value);
        if (limit->broken != best->broken ? limit->broken : nearer) {
            best = limit;
        }
    }
    return best;
}

/** The name at the left, limit and share at the right. */
static void sides(const struct drawing *drawing, size_t index, int middle) {
    const struct ng_view_rung *rung = &drawing->ladder->rungs[index];
    const struct ng_plot_pick *pick = &drawing->picks[index];
    int upper = middle - 2 * NG_SVG_PX;
    int lower = middle + 12 * NG_SVG_PX;
    bool passed = rung->phase->verdict == NG_VERDICT_PASS;
    ng_svg_text(drawing->svg, NG_SVG_TEXT, NG_SVG_END, NG_SVG_NORMAL, LEFT - 10 * NG_SVG_PX, upper,
        rung->phase->name, NAME_CHARS);
    ng_svg_text(drawing->svg, passed ? NG_SVG_QUIET : NG_SVG_ALARM, NG_SVG_END, NG_SVG_SMALL,
        LEFT - 10 * NG_SVG_PX, lower,
        passed ? rung->metric
               : ng_arena_printf(
                     drawing->arena, "%s, %s", ng_view_verdict(rung->phase->verdict), rung->metric),
        NAME_CHARS);
    if (pick->limit_count > 0) {
        const struct ng_plot_limit *limit = telling(pick, rung->value);
        ng_svg_text(drawing->svg, pick->broken ? NG_SVG_ALARM : NG_SVG_QUIET, NG_SVG_START,
            NG_SVG_SMALL, RIGHT + 10 * NG_SVG_PX, upper,
            ng_arena_printf(
                drawing->arena, "%s %s", limit->sign, words(drawing, rung, limit->value)),
            SIDE_CHARS);
    }
    char share[NG_QUANTITY_TEXT];
    const char *note = NULL;
    if (isfinite(rung->request) && drawing->ladder == &drawing->view->iops_ladder) {
        note = ng_arena_printf(drawing->arena, "%s each",
            ng_value_words(rung->request, NG_DIM_SIZE, NG_SPELLING_PLAIN, share));
    } else if (drawing->view->wire_speed > 0) {
        note = ng_arena_printf(drawing->arena, "%s of wire",
            ng_share_words(rung->value / drawing->view->wire_speed, share));
    }
    if (note != NULL) {
        ng_svg_text(drawing->svg, NG_SVG_QUIET, NG_SVG_START, NG_SVG_SMALL, RIGHT + 10 * NG_SVG_PX,
            lower, note, SIDE_CHARS);
    }
}

/** From lowest to highest repeat, with caps. */
static void whisker(const struct drawing *drawing, const struct ng_view_rung *rung, int middle) {
    int low = x_of(drawing, rung->low);
    int high = x_of(drawing, rung->high);
    if (rung->high > rung->low) {
        ng_svg_line(drawing->svg, NG_SVG_MARK, low, middle, high, middle);
        ng_svg_line(drawing->svg, NG_SVG_MARK, low, middle - CAP, low, middle + CAP);
        ng_svg_line(drawing->svg, NG_SVG_MARK, high, middle - CAP, high, middle + CAP);
    }
}

static void rung(const struct drawing *drawing, size_t index) {
    const struct ng_view_rung *at = &drawing->ladder->rungs[index];
    const struct ng_plot_pick *pick = &drawing->picks[index];
    int middle = TOP + PITCH * (int)index + PITCH / 2;
    int end = x_of(drawing, at->value);
    int text = LEFT + 8 * NG_SVG_PX;
    bool inside = end - LEFT >= VALUE_ROOM;
    const char *value = words(drawing, at, at->value);
    ng_svg_rect(drawing->svg, pick->broken ? NG_SVG_OUTSIDE : NG_SVG_WITHIN, LEFT,
        middle - THICK / 2, end - LEFT, THICK,
        ng_arena_printf(drawing->arena, "%s %s: %s (%s .. %s)%s", name_of(drawing, at->phase->name),
            name_of(drawing, at->metric), value, words(drawing, at, at->low),
            words(drawing, at, at->high), pick->broken ? ", outside the limit" : ""));
    whisker(drawing, at, middle);
    if (!inside) {
        text = x_of(drawing, at->high) + 8 * NG_SVG_PX;
    }
    for (size_t i = 0; i < pick->limit_count; i++) {
        int x = x_of(drawing, pick->limits[i].value);
        ng_svg_line(drawing->svg, NG_SVG_LIMIT, x, middle - PITCH / 2 + 3 * NG_SVG_PX, x,
            middle + PITCH / 2 - 3 * NG_SVG_PX);
        bool free = !inside || end - x >= VALUE_ROOM;
        if (free && x >= text - CAP && x < text + VALUE_ROOM) {
            text = x + 8 * NG_SVG_PX; // not through the number
        }
    }
    ng_svg_text(drawing->svg, inside ? NG_SVG_ON_BAR : NG_SVG_TEXT, NG_SVG_START, NG_SVG_NORMAL,
        text, middle + 4 * NG_SVG_PX, value, SIDE_CHARS);
    sides(drawing, index, middle);
}

static bool draw(struct drawing *drawing, const struct ng_view_plot *plot, bool inside_page,
    struct ng_buf *out, struct ng_err *err) {
    prepare(drawing);
    int bottom = TOP + PITCH * (int)drawing->rungs;
    int height = bottom / NG_SVG_PX + BELOW;
    const char *title = ng_arena_printf(drawing->arena, "%s, %s", plot->alt, drawing->scale.unit);
    const struct ng_svg_head head = {.id = plot->id,
        .width = WIDTH,
        .height = height,
        .title = title,
        .desc = describe(drawing),
        .inside_page = inside_page};
    drawing->svg = ng_svg_new(&head);
    ng_svg_text(drawing->svg, NG_SVG_TEXT, NG_SVG_START, NG_SVG_LARGE, 16 * NG_SVG_PX,
        26 * NG_SVG_PX, title, TITLE_CHARS);
    ng_svg_lead(drawing->svg, drawing->broken > 0 ? NG_SVG_ALARM : NG_SVG_TEXT, 16 * NG_SVG_PX,
        46 * NG_SVG_PX, lead(drawing), verdict(drawing), LEAD_CHARS);
    grid(drawing, bottom);
    for (size_t i = 0; i < drawing->rungs; i++) {
        rung(drawing, i);
    }
    const char *caption = "bars: median of the repeats; whiskers: lowest to highest repeat; "
                          "dashed: limit";
    if (drawing->rungs < drawing->ladder->count) {
        caption = ng_arena_printf(drawing->arena, "the slowest %zu of %zu; %s", drawing->rungs,
            drawing->ladder->count, caption);
    }
    ng_svg_text(drawing->svg, NG_SVG_QUIET, NG_SVG_START, NG_SVG_SMALL, LEFT,
        (height - 12) * NG_SVG_PX, caption, CAPTION_CHARS);
    return ng_svg_finish(drawing->svg, out, err);
}

static bool plot_ladder(const struct ng_view *view, const struct ng_view_ladder *ladder,
    const struct ng_view_plot *plot, struct ng_dim dim, bool inside_page, struct ng_buf *out,
    struct ng_err *err) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct drawing drawing = {.arena = &arena, .view = view, .ladder = ladder, .dim = dim};
    bool ok = draw(&drawing, plot, inside_page, out, err);
    ng_arena_release(&arena);
    return ok;
}

bool ng_plot_bulk(
    const struct ng_view *view, bool inside_page, struct ng_buf *out, struct ng_err *err) {
    return plot_ladder(
        view, &view->bulk_ladder, &view->bulk_plot, NG_DIM_RATE, inside_page, out, err);
}

bool ng_plot_iops(
    const struct ng_view *view, bool inside_page, struct ng_buf *out, struct ng_err *err) {
    return plot_ladder(
        view, &view->iops_ladder, &view->iops_plot, NG_DIM_IOPS, inside_page, out, err);
}
