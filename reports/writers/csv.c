/* csv.c - metrics.csv: every figure of every repeat, whether it counts or not, for spreadsheets,
 * Jenkins' plot plugin and one's own evaluation. */
#include <math.h>
#include <string.h>

#include "reports/writers/cut.h"
#include "reports/writers/writer.h"
#include "runner/result/unit_text.h"

enum { CELL_CHARS = 1000 };

/**
 * A foreign cell (RFC 4180). Spreadsheets take a cell that begins with one of "=+-@" for a formula,
 * so such a one gets an apostrophe.
 */
static void add_cell(struct ng_buf *out, const char *text) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const char *line = ng_cut_line(&arena, text, CELL_CHARS);
    bool quoted = strpbrk(line, ",\"'") != NULL;
    ng_buf_adds(out, quoted ? "\"" : "");
    if (line[0] != '\0' && strchr("=+-@", line[0]) != NULL) {
        ng_buf_addc(out, '\'');
    }
    for (const char *at = line; *at != '\0'; at++) {
        ng_buf_adds(out, *at == '"' ? "\"" : "");
        ng_buf_addc(out, *at);
    }
    ng_buf_adds(out, quoted ? "\"," : ",");
    ng_arena_release(&arena);
}

static void add_repeat(
    struct ng_buf *out, const struct ng_phase_result *phase, const struct ng_repeat *repeat) {
    char number[NG_QUANTITY_TEXT];
    char unit[NG_UNIT_TEXT];
    bool valid = ng_repeat_counts(repeat) && !ng_repeat_is_disowned(repeat);
    for (size_t i = 0; i < repeat->measure_count; i++) {
        const struct ng_measure *measure = &repeat->measures[i];
        add_cell(out, phase->name);
        ng_buf_addf(out, "%d,", repeat->number);
        add_cell(out, measure->metric);
        ng_buf_addf(out, "%s,%s,%s\n",
            isfinite(measure->value) ? ng_number_format(measure->value, number) : "",
            ng_unit_text(measure->dim, unit), valid ? "true" : "false");
    }
}

static bool write(const struct ng_view *view, struct ng_buf *out, struct ng_err *err) {
    const struct ng_result *result = view->result;
    (void)err;
    ng_buf_adds(out, "phase,repeat,metric,value,unit,valid\n");
    for (size_t i = 0; i < result->phase_count; i++) {
        for (size_t j = 0; j < result->phases[i].repeat_count; j++) {
            add_repeat(out, &result->phases[i], &result->phases[i].repeats[j]);
        }
    }
    return true;
}

const struct ng_writer ng_writer_csv = {
    .name = "csv",
    .file = "metrics.csv",
    .help = "every figure of every repeat as a table",
    .write = write,
};
