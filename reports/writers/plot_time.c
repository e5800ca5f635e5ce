/* plot_time.c - a phase over time: average against peak, stalls, limits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/writers/plot.h"
#include "reports/writers/plot_bars.h"
#include "reports/writers/view_parts.h"
#include "runner/base/clock.h"
#include "runner/base/stats.h"

enum { PATH_BYTES = 64 * 1024, TICK_CHARS = 14, FLAT_MOST = 120, BAND_LEAST = 2 * NG_SVG_PX };
#define STALL_SHARE 0.1 /* of the median sample */

/** One repeat's samples as a line. */
struct line {
    const struct ng_repeat *repeat;
    const struct ng_series *series;
};

/** All that is drawn. */
struct course {
    struct ng_frame *frame;
    struct line lines[NG_PLOT_LINES];
    size_t count;   /* lines */
    size_t sampled; /* repeats with samples, also those without a line */
    double seconds; /* of the time axis */
    double average; /* measured; NaN: none */
    double peak;    /* highest sample of the lines */
    double lowest;  /* lowest sample of those that count */
    double stalled; /* a sample below this is a stall; 0: none is */
    double longest; /* seconds of the longest stall */
    size_t stalls;
};

static double step_seconds(const struct ng_series *series) {
    return (double)series->step_ns / (double)NG_NS_PER_S;
}

static int x_of(const struct course *course, double seconds) {
    struct ng_scale axis = {.top = course->seconds};
    return NG_FRAME_LEFT + ng_scale_at(&axis, seconds, NG_FRAME_RIGHT - NG_FRAME_LEFT);
}

/** The samples that count, to know what is usual. */
static void find_usual(struct course *course) {
    double *all =
        ng_arena_array(course->frame->arena, (size_t)NG_PLOT_LINES * NG_SERIES_MAX, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < course->count; i++) {
        const struct line *line = &course->lines[i];
        for (size_t j = 0; j < line->series->value_count; j++) {
            double value = line->series->values[j];
            if (!isfinite(value) || value < 0) {
                continue;
            }
            course->peak = fmax(course->peak, value);
            if (ng_repeat_counts(line->repeat)) {
                all[count++] = value;
            }
        }
    }
    if (count > 0) {
        course->lowest = ng_stats_percentile(all, count, 0);
        course->stalled = ng_stats_median(all, count) * STALL_SHARE;
    }
}

static void collect(struct course *course) {
    const struct ng_phase_result *phase = course->frame->shown->phase;
    const char *metric = course->frame->pick->metric;
    const double *values;
    size_t count = ng_view_values(phase, metric, &values, course->frame->arena);
    course->average = count > 0 ? ng_stats_median(values, count) : (double)NAN;
    course->lowest = (double)NAN;
    for (size_t i = 0; i < phase->repeat_count; i++) {
        const struct ng_series *series = ng_plot_series(&phase->repeats[i], metric);
        if (series == NULL) {
            continue;
        }
        course->sampled++;
        if (course->count < NG_PLOT_LINES) {
            course->lines[course->count++] = (struct line){&phase->repeats[i], series};
            double seconds = step_seconds(series) * (double)ng_series_steps(series);
            course->seconds = fmax(course->seconds, seconds);
        }
    }
    find_usual(course);
}

/** Lowest sample of a step; NaN for none. */
static double lowest_of(const struct ng_series *series, size_t step) {
    return series->values[step * (size_t)series->per_step];
}

static void band(struct course *course, const struct ng_series *series, size_t from, size_t to) {
    int left = x_of(course, step_seconds(series) * (double)from);
    int right = x_of(course, step_seconds(series) * (double)to);
    course->stalls++;
    course->longest = fmax(course->longest, step_seconds(series) * (double)(to - from));
    if (course->frame->svg != NULL) {
        int width = right - left > BAND_LEAST ? right - left : BAND_LEAST;
        ng_svg_rect(course->frame->svg, NG_SVG_STALL, left, NG_FRAME_TOP, width,
            NG_FRAME_BOTTOM - NG_FRAME_TOP, "stall: less than a tenth of the median sample");
    }
}

/** Steps in a row that stall are one band. Before the drawing begins they are only counted. */
static void stalls(struct course *course) {
    course->stalls = 0;
    for (size_t i = 0; i < course->count; i++) {
        const struct ng_series *series = course->lines[i].series;
        size_t steps = ng_series_steps(series);
        size_t from = 0;
        bool in = false;
        for (size_t step = 0; step <= steps; step++) {
            bool stall = step < steps && lowest_of(series, step) < course->stalled;
            if (stall && !in) {
                from = step;
            } else if (in && !stall) {
                band(course, series, from, step);
            }
            in = stall;
        }
    }
}

/** The path of a line as it grows. */
struct trace {
    struct ng_buf data;
    bool area; /* closed along the axis */
    bool open;
    int x;
};

static void add_point(struct trace *trace, int x, int y) {
    if (!trace->open && trace->area) {
        ng_svg_point(&trace->data, 'M', x, NG_FRAME_BOTTOM);
    }
    ng_svg_point(&trace->data, trace->open || trace->area ? 'L' : 'M', x, y);
    if (!trace->open && !trace->area) {
        ng_svg_point(&trace->data, 'L', x, y); // a piece of one point is a dot
    }
    trace->open = true;
    trace->x = x;
}

static void end_piece(struct trace *trace) {
    if (trace->open && trace->area) {
        ng_svg_point(&trace->data, 'L', trace->x, NG_FRAME_BOTTOM);
        ng_svg_point(&trace->data, 'Z', 0, 0);
    }
    trace->open = false;
}

/**
 * The points of a line; a gap begins a new piece. Few samples are drawn as what they are, the rate
 * of a whole step; many as points.
 */
static const char *path(const struct course *course, const struct ng_series *series, bool area) {
    struct trace trace = {.area = area};
    bool flat = series->per_step == 1 && series->value_count <= FLAT_MOST;
    double step = step_seconds(series);
    ng_buf_init(&trace.data, PATH_BYTES);
    for (size_t i = 0; i < series->value_count; i++) {
        if (!isfinite(series->values[i]) || series->values[i] < 0) {
            end_piece(&trace);
            continue;
        }
        int y = ng_frame_y(course->frame, series->values[i]);
        if (flat) {
            add_point(&trace, x_of(course, step * (double)i), y);
            add_point(&trace, x_of(course, step * ((double)i + 1)), y);
        } else {
            add_point(&trace, x_of(course, step * ((double)i + 0.5) / series->per_step), y);
        }
    }
    end_piece(&trace);
    const char *text = ng_arena_strdup(course->frame->arena, ng_buf_text(&trace.data));
    ng_buf_release(&trace.data);
    return text;
}

static void draw_lines(const struct course *course) {
    struct ng_svg *svg = course->frame->svg;
    bool broken = course->frame->pick->broken;
    for (size_t i = 0; i < course->count; i++) {
        const struct line *line = &course->lines[i];
        enum ng_svg_paint paint = !ng_repeat_counts(line->repeat) ? NG_SVG_UNCOUNTED_LINE
                                  : broken                        ? NG_SVG_OUTSIDE_LINE
                                                                  : NG_SVG_WITHIN_LINE;
        if (course->count == 1 && paint != NG_SVG_UNCOUNTED_LINE) {
            ng_svg_path(svg, broken ? NG_SVG_OUTSIDE_SHADE : NG_SVG_WITHIN_SHADE,
                path(course, line->series, true));
        }
        ng_svg_path(svg, paint, path(course, line->series, false));
    }
}

/** A dot at the first sample that reaches the peak. */
static void draw_peak(const struct course *course) {
    for (size_t i = 0; i < course->count; i++) {
        const struct ng_series *series = course->lines[i].series;
        for (size_t j = 0; j < series->value_count; j++) {
            if (series->values[j] >= course->peak) {
                double place = ((double)j + 0.5) / series->per_step;
                ng_svg_dot(course->frame->svg, NG_SVG_TEXT,
                    x_of(course, step_seconds(series) * place),
                    ng_frame_y(course->frame, course->peak), 3 * NG_SVG_PX,
                    ng_arena_printf(course->frame->arena, "peak %s",
                        ng_frame_words(course->frame, course->peak)));
                return;
            }
        }
    }
}

static void time_axis(const struct course *course) {
    struct ng_arena *arena = course->frame->arena;
    struct ng_scale axis = ng_scale_fit(course->seconds, NG_DIM_TIME, NG_SPELLING_PLAIN, arena);
    for (int i = 0; i <= axis.ticks; i++) {
        double seconds = axis.top / axis.ticks * i;
        if (seconds <= course->seconds * 1.0001) {
            int x = x_of(course, seconds);
            ng_svg_line(course->frame->svg, NG_SVG_AXIS, x, NG_FRAME_BOTTOM, x,
                NG_FRAME_BOTTOM + 4 * NG_SVG_PX);
            ng_svg_text(course->frame->svg, NG_SVG_QUIET, NG_SVG_MIDDLE, NG_SVG_SMALL, x,
                NG_FRAME_BOTTOM + 18 * NG_SVG_PX,
                ng_arena_printf(arena, "%s %s", ng_scale_tick(&axis, i, arena), axis.unit),
                TICK_CHARS);
        }
    }
}

static const char *duration(const struct course *course, double seconds) {
    char text[NG_QUANTITY_TEXT];
    return ng_arena_strdup(
        course->frame->arena, ng_quantity_format((struct ng_quantity){seconds, NG_DIM_TIME}, text));
}

static const char *describe(const struct course *course) {
    const struct ng_frame *frame = course->frame;
    return ng_arena_printf(frame->arena, "Over %s, %zu repeat%s: lowest sample %s, highest %s%s",
        duration(course, course->seconds), course->sampled, course->sampled == 1 ? "" : "s",
        ng_frame_words(frame, course->lowest), ng_frame_words(frame, course->peak),
        course->stalls == 0
            ? "."
            : ng_arena_printf(frame->arena, ", %zu stall%s, the longest %s.", course->stalls,
                  course->stalls == 1 ? "" : "s", duration(course, course->longest)));
}

static const char *caption(const struct course *course) {
    struct ng_arena *arena = course->frame->arena;
    const struct ng_series *series = course->lines[0].series;
    const char *stalled = course->stalls > 0
                              ? ng_arena_printf(arena, "; %zu stall%s (below 10%% of the median)",
                                    course->stalls, course->stalls == 1 ? "" : "s")
                              : "";
    const char *lines =
        course->sampled < 2
            ? ""
            : ng_arena_printf(arena, "; a line for each of %s%zu repeats",
                  course->count < course->sampled ? "the first " : "", course->count);
    return ng_arena_printf(arena, "time, %s %s%s%s",
        series->per_step == 1 ? "one sample per" : "lowest and highest sample of each",
        duration(course, step_seconds(series)), lines, stalled);
}

bool ng_plot_time(
    struct ng_frame *frame, bool inside_page, struct ng_buf *out, struct ng_err *err) {
    struct course course = {.frame = frame};
    collect(&course);
    if (course.count == 0) {
        return ng_err_set(err, NG_ERR_INTERNAL, "the phase has no samples to draw");
    }
    stalls(&course);
    const char *middle =
        frame->shown->counted > 1
            ? ng_arena_printf(frame->arena, "median of %zu repeats", frame->shown->counted)
            : "average";
    double max = fmax(course.peak, isfinite(course.average) ? course.average : 0);
    ng_frame_begin(frame, max, middle, course.average, describe(&course), inside_page);
    stalls(&course);
    time_axis(&course);
    if (isfinite(course.average)) {
        ng_frame_rule(frame, NG_SVG_MARK, NG_SVG_TEXT,
            frame->shown->counted > 1 ? "median" : "average", course.average);
    }
    draw_lines(&course);
    ng_frame_limits(frame);
    draw_peak(&course);
    ng_frame_note(frame, NG_SVG_QUIET, "peak", course.peak);
    return ng_frame_end(frame, caption(&course), out, err);
}
