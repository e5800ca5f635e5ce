/* plot_bars.c - a phase by repeat: for engines that print no samples over time. */
#include "reports/writers/plot_bars.h"

#include <math.h>

#include "reports/writers/plot.h"
#include "reports/writers/view_parts.h"
#include "runner/base/stats.h"
#include "runner/result/words.h"

enum {
    BAR_MOST = 72 * NG_SVG_PX,
    VALUE_SLOT = 48 * NG_SVG_PX, /* narrower ones have no room for a number */
    NAME_SLOT = 66 * NG_SVG_PX,
    FOOT = 18 * NG_SVG_PX,
    LABEL_CHARS = 14,
};

static void label(const struct ng_frame *frame, const struct ng_repeat *repeat, int middle,
    int slot, bool outside) {
    const char *name =
        ng_arena_printf(frame->arena, slot >= NAME_SLOT ? "repeat %d" : "%d", repeat->number);
    ng_svg_text(frame->svg, NG_SVG_QUIET, NG_SVG_MIDDLE, NG_SVG_SMALL, middle,
        NG_FRAME_BOTTOM + 16 * NG_SVG_PX, name, LABEL_CHARS);
    const char *note = !ng_repeat_counts(repeat) ? "not counted" : outside ? "outside" : NULL;
    if (note != NULL && slot >= NAME_SLOT) {
        ng_svg_text(frame->svg, NG_SVG_ALARM, NG_SVG_MIDDLE, NG_SVG_SMALL, middle,
            NG_FRAME_BOTTOM + 30 * NG_SVG_PX, note, LABEL_CHARS);
    }
}

static void bar(
    const struct ng_frame *frame, const struct ng_repeat *repeat, int middle, int slot) {
    double value = (double)NAN;
    bool measured = ng_repeat_value(repeat, frame->pick->metric, &value);
    bool counts = ng_repeat_counts(repeat);
    bool outside = measured && !ng_frame_keeps(frame->pick, value);
    int width = slot * 6 / 10 < BAR_MOST ? slot * 6 / 10 : BAR_MOST;
    int top = measured ? ng_frame_y(frame, value) : NG_FRAME_TOP;
    const char *hover = ng_arena_printf(frame->arena, "repeat %d: %s%s%s", repeat->number,
        measured ? ng_frame_words(frame, value) : "not measured", counts ? "" : ", not counted",
        counts && outside ? ", outside the limit" : "");
    enum ng_svg_paint paint = !counts ? NG_SVG_HATCH : outside ? NG_SVG_OUTSIDE : NG_SVG_WITHIN;
    ng_svg_rect(frame->svg, paint, middle - width / 2, top, width, NG_FRAME_BOTTOM - top, hover);
    if (measured && slot >= VALUE_SLOT) {
        bool inside = counts && NG_FRAME_BOTTOM - top >= FOOT;
        int y = inside || !counts ? NG_FRAME_BOTTOM - 6 * NG_SVG_PX : top - 5 * NG_SVG_PX;
        ng_svg_text(frame->svg, inside ? NG_SVG_ON_BAR : NG_SVG_TEXT, NG_SVG_MIDDLE, NG_SVG_SMALL,
            middle, y, ng_scale_value(&frame->scale, value, frame->arena), LABEL_CHARS);
    }
    label(frame, repeat, middle, slot, counts && outside);
}

/** The largest value of any repeat, also of those that do not count. */
static double largest(const struct ng_frame *frame) {
    double max = 0;
    for (size_t i = 0; i < frame->shown->phase->repeat_count; i++) {
        double value;
        if (ng_repeat_value(&frame->shown->phase->repeats[i], frame->pick->metric, &value)) {
            max = fmax(max, value);
        }
    }
    return max;
}

static const char *describe(
    const struct ng_frame *frame, const double *values, size_t count, double median) {
    if (count < 2) {
        return "One repeat counts.";
    }
    return ng_arena_printf(frame->arena, "%zu repeats count: lowest %s, median %s, highest %s.",
        count, ng_frame_words(frame, ng_stats_percentile(values, count, 0)),
        ng_frame_words(frame, median),
        ng_frame_words(frame, ng_stats_percentile(values, count, 100)));
}

static const char *caption(const struct ng_frame *frame, size_t bars) {
    const struct ng_phase_result *phase = frame->shown->phase;
    const char *left_out =
        bars < phase->repeat_count
            ? ng_arena_printf(frame->arena, "; the first %zu of %zu", bars, phase->repeat_count)
            : "";
    return ng_arena_printf(frame->arena,
        "each bar is one repeat as a whole%s; no samples over time from %s", left_out,
        phase->engine);
}

bool ng_plot_bars(
    struct ng_frame *frame, bool inside_page, struct ng_buf *out, struct ng_err *err) {
    const struct ng_phase_result *phase = frame->shown->phase;
    size_t bars = phase->repeat_count < NG_PLOT_BARS ? phase->repeat_count : NG_PLOT_BARS;
    const double *values;
    size_t count = ng_view_values(phase, frame->pick->metric, &values, frame->arena);
    double median = count > 0 ? ng_stats_median(values, count) : (double)NAN;
    const char *middle =
        count > 1 ? ng_arena_printf(frame->arena, "median of %zu repeats", count) : "measured";
    ng_frame_begin(
        frame, largest(frame), middle, median, describe(frame, values, count, median), inside_page);
    int slot = (NG_FRAME_RIGHT - NG_FRAME_LEFT) / (int)bars;
    for (size_t i = 0; i < bars; i++) {
        bar(frame, &phase->repeats[i], NG_FRAME_LEFT + slot * (int)i + slot / 2, slot);
    }
    if (count > 1) {
        ng_frame_rule(frame, NG_SVG_MARK, NG_SVG_TEXT, "median", median);
    }
    ng_frame_limits(frame);
    return ng_frame_end(frame, caption(frame, bars), out, err);
}
