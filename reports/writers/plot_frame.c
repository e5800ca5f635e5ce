/* plot_frame.c - what the plots of phases share. */
#include "reports/writers/plot_frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/buf.h"
#include "runner/result/words.h"

enum {
    TITLE_CHARS = 66,
    LEAD_CHARS = 104,
    LABEL_CHARS = 14,
    CAPTION_CHARS = 120,
    LABEL_GAP = 15 * NG_SVG_PX,
    LEAD_MAX = 2000,
};

int ng_frame_y(const struct ng_frame *frame, double value) {
    return NG_FRAME_BOTTOM - ng_scale_at(&frame->scale, value, NG_FRAME_BOTTOM - NG_FRAME_TOP);
}

const char *ng_frame_words(const struct ng_frame *frame, double value) {
    char text[NG_QUANTITY_TEXT];
    return ng_arena_strdup(
        frame->arena, ng_value_words(value, frame->pick->dim, frame->pick->spelling, text));
}

bool ng_frame_keeps(const struct ng_plot_pick *pick, double value) {
    for (size_t i = 0; i < pick->limit_count; i++) {
        const struct ng_plot_limit *limit = &pick->limits[i];
        bool least = limit->sign[0] == '>' || strcmp(limit->sign, "\xE2\x89\xA5") == 0;
        bool most = limit->sign[0] == '<' || strcmp(limit->sign, "\xE2\x89\xA4") == 0;
        if ((least && value < limit->value) || (most && value > limit->value)) {
            return false;
        }
    }
    return true;
}

/** What was measured against which limits; or the reason of a verdict that has another one. */
static const char *lead(const struct ng_frame *frame, const char *middle, double value) {
    const struct ng_plot_pick *pick = frame->pick;
    enum ng_verdict verdict = frame->shown->phase->verdict;
    if (verdict != NG_VERDICT_PASS && !pick->broken) {
        return frame->shown->reason;
    }
    struct ng_buf text;
    ng_buf_init(&text, LEAD_MAX);
    if (isfinite(value)) {
        ng_buf_addf(&text, "%s %s", middle, ng_frame_words(frame, value));
    }
    for (size_t i = 0; i < pick->limit_count; i++) {
        ng_buf_addf(&text, "%slimit %s %s is %s", text.len > 0 ? ", " : "", pick->limits[i].sign,
            ng_frame_words(frame, pick->limits[i].value),
            pick->limits[i].broken ? "broken" : "held");
    }
    if (pick->limit_count == 0) {
        ng_buf_addf(&text, "%sno limit on it", text.len > 0 ? ", " : "");
    }
    const char *words = ng_arena_strdup(frame->arena, ng_buf_text(&text));
    ng_buf_release(&text);
    return words;
}

static void grid(const struct ng_frame *frame) {
    for (int i = 0; i <= frame->scale.ticks; i++) {
        int y = NG_FRAME_BOTTOM - (NG_FRAME_BOTTOM - NG_FRAME_TOP) * i / frame->scale.ticks;
        ng_svg_line(
            frame->svg, i == 0 ? NG_SVG_AXIS : NG_SVG_GRID, NG_FRAME_LEFT, y, NG_FRAME_RIGHT, y);
        ng_svg_text(frame->svg, NG_SVG_QUIET, NG_SVG_END, NG_SVG_SMALL,
            NG_FRAME_LEFT - 8 * NG_SVG_PX, y + 4 * NG_SVG_PX,
            ng_scale_tick(&frame->scale, i, frame->arena), LABEL_CHARS);
    }
}

void ng_frame_begin(struct ng_frame *frame, double max, const char *middle, double value,
    const char *desc, bool inside_page) {
    const struct ng_plot_pick *pick = frame->pick;
    const struct ng_phase_result *phase = frame->shown->phase;
    for (size_t i = 0; i < pick->limit_count; i++) {
        max = fmax(max, pick->limits[i].value);
    }
    frame->scale = ng_scale_fit(max, pick->dim, pick->spelling, frame->arena);
    const char *unit = frame->scale.unit;
    const char *title = ng_arena_printf(
        frame->arena, "%s: %s%s%s", phase->name, pick->metric, unit[0] != '\0' ? ", " : "", unit);
    const char *words = lead(frame, middle, value);
    const struct ng_svg_head head = {
        .id = frame->shown->plot.id,
        .width = NG_FRAME_WIDTH,
        .height = NG_FRAME_HEIGHT,
        .title = title,
        .desc = ng_arena_printf(frame->arena, "%s: %s. %s", frame->shown->verdict, words, desc),
        .inside_page = inside_page,
    };
    frame->svg = ng_svg_new(&head);
    ng_svg_text(frame->svg, NG_SVG_TEXT, NG_SVG_START, NG_SVG_LARGE, 16 * NG_SVG_PX, 26 * NG_SVG_PX,
        title, TITLE_CHARS);
    bool alarm = phase->verdict != NG_VERDICT_PASS && phase->verdict != NG_VERDICT_NONE;
    ng_svg_lead(frame->svg, alarm ? NG_SVG_ALARM : NG_SVG_TEXT, 16 * NG_SVG_PX, 46 * NG_SVG_PX,
        frame->shown->verdict, words, LEAD_CHARS);
    grid(frame);
}

void ng_frame_note(struct ng_frame *frame, enum ng_svg_paint text, const char *word, double value) {
    if (frame->label_count < NG_FRAME_LABELS) {
        int y = ng_frame_y(frame, value);
        frame->labels[frame->label_count++] = (struct ng_frame_label){y, y, text,
            ng_arena_printf(
                frame->arena, "%s %s", word, ng_scale_value(&frame->scale, value, frame->arena))};
    }
}

void ng_frame_rule(struct ng_frame *frame, enum ng_svg_paint line, enum ng_svg_paint text,
    const char *word, double value) {
    int y = ng_frame_y(frame, value);
    ng_svg_line(frame->svg, line, NG_FRAME_LEFT, y, NG_FRAME_RIGHT, y);
    ng_frame_note(frame, text, word, value);
}

void ng_frame_limits(struct ng_frame *frame) {
    for (size_t i = 0; i < frame->pick->limit_count; i++) {
        const struct ng_plot_limit *limit = &frame->pick->limits[i];
        ng_frame_rule(frame, NG_SVG_LIMIT, NG_SVG_ALARM,
            ng_arena_printf(frame->arena, "limit %s", limit->sign), limit->value);
    }
}

static int by_place(const void *a, const void *b) {
    const struct ng_frame_label *x = a;
    const struct ng_frame_label *y = b;
    if (x->y != y->y) {
        return x->y < y->y ? -1 : 1;
    }
    return strcmp(x->text, y->text);
}

/** Pushes labels apart: downwards first, then up from the bottom. */
static void spread(struct ng_frame *frame) {
    struct ng_frame_label *labels = frame->labels;
    size_t count = frame->label_count;
    qsort(labels, count, sizeof *labels, by_place);
    for (size_t i = 1; i < count; i++) {
        if (labels[i].at < labels[i - 1].at + LABEL_GAP) {
            labels[i].at = labels[i - 1].at + LABEL_GAP;
        }
    }
    int most = NG_FRAME_BOTTOM;
    for (size_t i = count; i-- > 0;) {
        labels[i].at = labels[i].at < most ? labels[i].at : most;
        most = labels[i].at - LABEL_GAP;
    }
}

bool ng_frame_end(
    struct ng_frame *frame, const char *caption, struct ng_buf *out, struct ng_err *err) {
    spread(frame);
    for (size_t i = 0; i < frame->label_count; i++) {
        const struct ng_frame_label *label = &frame->labels[i];
        ng_svg_line(frame->svg, NG_SVG_GRID, NG_FRAME_RIGHT, label->y,
            NG_FRAME_RIGHT + 6 * NG_SVG_PX, label->at);
        ng_svg_text(frame->svg, label->paint, NG_SVG_START, NG_SVG_SMALL,
            NG_FRAME_RIGHT + 9 * NG_SVG_PX, label->at + 4 * NG_SVG_PX, label->text, LABEL_CHARS);
    }
    ng_svg_text(frame->svg, NG_SVG_QUIET, NG_SVG_START, NG_SVG_SMALL, NG_FRAME_LEFT,
        (NG_FRAME_HEIGHT - 12) * NG_SVG_PX, caption, CAPTION_CHARS);
    return ng_svg_finish(frame->svg, out, err);
}
