/* benchmark.c - benchmark-bigger.json and benchmark-smaller.json: the figures of a run for the
 * action github-action-benchmark (tools customBiggerIsBetter and customSmallerIsBetter). */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "reports/writers/cut.h"
#include "reports/writers/samples.h"
#include "reports/writers/writer.h"
#include "runner/result/unit_text.h"

enum { DIGITS = 5, NAME_CHARS = 200 };

/** The unit of a metric is the same in every run, so that a chart over runs makes sense. */
static double scaled(struct ng_dim dim, const char **unit, char text[NG_UNIT_TEXT]) {
    static const struct {
        struct ng_dim dim;
        double divisor;
        const char *unit;
    } known[] = {
        {{1, -1}, 1e6, "MB/s"},
        {{1, 0}, 1e6, "MB"},
        {{0, 1}, 1e-3, "ms"},
        {{0, -1}, 1.0, "IOPS"},
    };
    for (size_t i = 0; i < NG_COUNT(known); i++) {
        if (ng_dim_equal(dim, known[i].dim)) {
            *unit = known[i].unit;
            return known[i].divisor;
        }
    }
    *unit = ng_unit_text(dim, text);
    return 1.0;
}

static const char *number(double value, double divisor, char out[NG_QUANTITY_TEXT]) {
    return ng_number_format(ng_round_digits(value / divisor, DIGITS), out);
}

static json_t *entry_of(const struct ng_sample *sample, struct ng_arena *arena) {
    char text[NG_UNIT_TEXT];
    char numbers[3][NG_QUANTITY_TEXT];
    const char *unit;
    double divisor = scaled(sample->dim, &unit, text);
    json_t *entry = json_object();
    json_object_set_new(entry, "name",
        json_string(ng_cut_line(arena,
            ng_arena_printf(arena, "%s / %s", sample->phase->name, sample->metric), NAME_CHARS)));
    json_object_set_new(entry, "unit", json_string(unit));
    json_object_set_new(
        entry, "value", json_real(ng_round_digits(sample->median / divisor, DIGITS)));
    if (isfinite(sample->stddev)) {
        json_object_set_new(entry, "range",
            json_string(
                ng_arena_printf(arena, "± %s", number(sample->stddev, divisor, numbers[0]))));
    }
    json_object_set_new(entry, "extra",
        json_string(ng_arena_printf(arena, "median of %zu, %s .. %s", sample->count,
            number(sample->min, divisor, numbers[1]), number(sample->max, divisor, numbers[2]))));
    return entry;
}

static bool write(const struct ng_view *view, enum ng_better better, struct ng_buf *out) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_sample *samples;
    size_t count = ng_samples(view->result, &arena, &samples);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        if (samples[i].better == better && isfinite(samples[i].median)) {
            json_array_append_new(list, entry_of(&samples[i], &arena));
        }
    }
    char *text =
        json_dumps(list, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(DIGITS + 1));
    ng_buf_addf(out, "%s\n", text != NULL ? text : "[]");
    free(text);
    json_decref(list);
    ng_arena_release(&arena);
    return true;
}

static bool write_bigger(const struct ng_view *view, struct ng_buf *out, struct ng_err *err) {
    (void)err;
    return write(view, NG_BETTER_HIGHER, out);
}

static bool write_smaller(const struct ng_view *view, struct ng_buf *out, struct ng_err *err) {
    (void)err;
    return write(view, NG_BETTER_LOWER, out);
}

const struct ng_writer ng_writer_benchmark_bigger = {
    .name = "benchmark-bigger",
    .file = "benchmark-bigger.json",
    .help = "figures of which more is better, for github-action-benchmark",
    .write = write_bigger,
};

const struct ng_writer ng_writer_benchmark_smaller = {
    .name = "benchmark-smaller",
    .file = "benchmark-smaller.json",
    .help = "figures of which less is better, for github-action-benchmark",
    .write = write_smaller,
};
