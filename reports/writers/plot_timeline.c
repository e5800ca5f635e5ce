/* plot_timeline.c - when each phase ran and what the guards saw, on one axis. */
#include <string.h>

#include "reports/writers/plot.h"
#include "reports/writers/plot_scale.h"
#include "reports/writers/svg.h"
#include "reports/writers/view_parts.h"
#include "runner/base/clock.h"

/* In tenths of a pixel, but for the width. */
enum {
    WIDTH = 760,
    LEFT = 190 * NG_SVG_PX,
    RIGHT = (WIDTH - 24) * NG_SVG_PX,
    TOP = 44 * NG_SVG_PX,
    LANE = 22 * NG_SVG_PX,
    BAR = 14 * NG_SVG_PX,
    AXIS = 34 * NG_SVG_PX,
    LABEL_CHARS = 28,
    LEAST = 2 * NG_SVG_PX, /* so that what is short is seen */
};

struct drawing {
    const struct ng_result *result;
    struct ng_svg *svg;
    struct ng_scale scale;
    struct ng_arena arena;
    const char *lanes[NG_PLOT_LANES]; /* phases first, then guards */
    size_t phases, count;
    size_t left_out;
};

static size_t lane_of(const struct drawing *drawing, size_t from, const char *name) {
    for (size_t i = from; i < drawing->count; i++) {
        if (strcmp(drawing->lanes[i], name) == 0) {
            return i;
        }
    }
    return drawing->count;
}

static void add_lane(struct drawing *drawing, size_t from, const char *name) {
    if (lane_of(drawing, from, name) < drawing->count) {
        return;
    }
    if (drawing->count < NG_PLOT_LANES) {
        drawing->lanes[drawing->count++] = name;
    } else {
        drawing->left_out++;
    }
}

/* Guards that saw something go first into the room that there is: they are why one looks. */
static void find_lanes(struct drawing *drawing) {
    const struct ng_result *result = drawing->result;
    for (size_t i = 0; i < result->phase_count; i++) {
        if (result->phases[i].repeat_count > 0 && drawing->count < NG_PLOT_LANES / 2) {
            drawing->lanes[drawing->count++] = result->phases[i].name;
        } else if (result->phases[i].repeat_count > 0) {
            drawing->left_out++;
        }
    }
    drawing->phases = drawing->count;
    for (size_t i = 0; i < result->event_count; i++) {
        add_lane(drawing, drawing->phases, result->events[i].guard);
    }
}

static int x_of(const struct drawing *drawing, int64_t ns) {
    return LEFT + ng_scale_at(&drawing->scale, (double)ns / NG_NS_PER_S, RIGHT - LEFT);
}

static void bar(struct drawing *drawing, size_t lane, int64_t from_ns, int64_t to_ns,
    enum ng_svg_paint paint, const char *hover) {
    const int from = x_of(drawing, from_ns);
    const int to = x_of(drawing, to_ns);
    ng_svg_rect(drawing->svg, paint, from, TOP + (int)lane * LANE + (LANE - BAR) / 2,
        to - from > LEAST ? to - from : LEAST, BAR, hover);
}

static void draw_axis(struct drawing *drawing) {
    const int bottom = TOP + (int)drawing->count * LANE;
    for (int tick = 0; tick <= drawing->scale.ticks; tick++) {
        const char *words = ng_scale_tick(&drawing->scale, tick, &drawing->arena);
        const int x = LEFT + (RIGHT - LEFT) * tick / drawing->scale.ticks;
        ng_svg_line(drawing->svg, NG_SVG_GRID, x, TOP, x, bottom);
        ng_svg_text(drawing->svg, NG_SVG_QUIET, NG_SVG_MIDDLE, NG_SVG_SMALL, x,
            bottom + 16 * NG_SVG_PX,
            tick == 0 ? ng_arena_printf(&drawing->arena, "0 %s", drawing->scale.unit) : words, 16);
    }
}

static void draw_lanes(struct drawing *drawing) {
    for (size_t i = 0; i < drawing->count; i++) {
        ng_svg_text(drawing->svg, i < drawing->phases ? NG_SVG_TEXT : NG_SVG_ALARM, NG_SVG_END,
            NG_SVG_NORMAL, LEFT - 8 * NG_SVG_PX, TOP + (int)i * LANE + LANE / 2 + 4 * NG_SVG_PX,
            drawing->lanes[i], LABEL_CHARS);
    }
}

static void draw_phases(struct drawing *drawing) {
    const struct ng_result *result = drawing->result;
    for (size_t i = 0; i < result->phase_count; i++) {
        const struct ng_phase_result *phase = &result->phases[i];
        const size_t lane = lane_of(drawing, 0, phase->name);
        for (size_t j = 0; j < phase->repeat_count && lane < drawing->phases; j++) {
            const struct ng_repeat *repeat = &phase->repeats[j];
            const bool good = ng_repeat_counts(repeat) && !ng_repeat_is_disowned(repeat);
            bar(drawing, lane, repeat->start_ns, ng_view_repeat_end(repeat),
                good ? NG_SVG_WITHIN : NG_SVG_OUTSIDE_SHADE,
                ng_arena_printf(&drawing->arena, "%s, repeat %d%s", phase->name, repeat->number,
                    good ? "" : ": does not count"));
        }
    }
}

/* The end of the repeat in which an event was, where it is not known to have ended before. */
static int64_t end_of(const struct ng_result *result, const struct ng_event *event) {
    const struct ng_phase_result *phase = ng_result_phase(result, event->phase);
    int64_t end_ns = event->at_ns;
    for (size_t i = 0; phase != NULL && i < phase->repeat_count; i++) {
        const int64_t ended_ns = ng_view_repeat_end(&phase->repeats[i]);
        if (phase->repeats[i].number == event->repeat && ended_ns > end_ns) {
            end_ns = ended_ns;
        }
    }
    return event->until_ns > 0 ? event->until_ns : end_ns;
}

static void draw_events(struct drawing *drawing) {
    for (size_t i = 0; i < drawing->result->event_count; i++) {
        const struct ng_event *event = &drawing->result->events[i];
        const size_t lane = lane_of(drawing, drawing->phases, event->guard);
        if (lane < drawing->count) {
            bar(drawing, lane, event->at_ns, end_of(drawing->result, event), NG_SVG_OUTSIDE,
                event->seen);
        }
    }
}

bool ng_plot_timeline(
    const struct ng_view *view, bool inside_page, struct ng_buf *out, struct ng_err *err) {
    struct drawing drawing = {.result = view->result};
    ng_arena_init(&drawing.arena);
    find_lanes(&drawing);
    drawing.scale = ng_scale_fit((double)view->result->duration_ns / NG_NS_PER_S, NG_DIM_TIME,
        NG_SPELLING_PLAIN, &drawing.arena);
    const struct ng_svg_head head = {.id = view->timeline_plot.id,
        .width = WIDTH,
        .height = (TOP + (int)drawing.count * LANE + AXIS) / NG_SVG_PX,
        .title = "When phases ran and what guards saw",
        .desc = ng_arena_printf(&drawing.arena, "%zu phases and %zu breaks of guards over %s%s",
            drawing.phases, view->result->event_count, view->duration,
            drawing.left_out > 0 ? "; not all are drawn" : ""),
        .inside_page = inside_page};
    drawing.svg = ng_svg_new(&head);
    ng_svg_text(drawing.svg, NG_SVG_TEXT, NG_SVG_START, NG_SVG_LARGE, 16 * NG_SVG_PX,
        26 * NG_SVG_PX, head.title, 60);
    draw_axis(&drawing);
    draw_lanes(&drawing);
    draw_phases(&drawing);
    draw_events(&drawing);
    const bool ok = ng_svg_finish(drawing.svg, out, err);
    ng_arena_release(&drawing.arena);
    return ok;
}
