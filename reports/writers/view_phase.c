/* view_phase.c - one phase: limits, metrics over the repeats, findings, what the engine said. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "reports/writers/view_parts.h"
#include "runner/base/buf.h"
#include "runner/base/clock.h"
#include "runner/base/guard.h"
#include "runner/base/stats.h"
#include "runner/result/words.h"

enum { LIST_MAX = 400 };

static const struct ng_column limit_columns[] = {
    {"threshold", NG_COLUMN_FOREIGN},
    {"state", NG_COLUMN_WORDS},
    {"measured", NG_COLUMN_NUMBER},
    {"limit", NG_COLUMN_NUMBER},
    {"margin", NG_COLUMN_NUMBER},
    {"interval", NG_COLUMN_NUMBER},
    {"note", NG_COLUMN_FOREIGN},
};
static const struct ng_column metric_columns[] = {
    {"metric", NG_COLUMN_FOREIGN},
    {"n", NG_COLUMN_NUMBER},
    {"median", NG_COLUMN_NUMBER},
    {"min", NG_COLUMN_NUMBER},
    {"max", NG_COLUMN_NUMBER},
    {"cv", NG_COLUMN_NUMBER},
};
static const struct ng_column finding_columns[] = {
    {"weight", NG_COLUMN_WORDS},
    {"rule", NG_COLUMN_FOREIGN},
    {"finding", NG_COLUMN_FOREIGN},
    {"repeats", NG_COLUMN_WORDS},
};
static const struct ng_column record_columns[] = {
    {"what", NG_COLUMN_FOREIGN},
    {"value", NG_COLUMN_FOREIGN},
    {"repeats", NG_COLUMN_WORDS},
};
static const struct ng_column repeat_columns[] = {
    {"repeat", NG_COLUMN_NUMBER},
    {"state", NG_COLUMN_WORDS},
    {"start", NG_COLUMN_NUMBER},
    {"took", NG_COLUMN_NUMBER},
    {"attempts", NG_COLUMN_NUMBER},
    {"evidence", NG_COLUMN_WORDS},
    {"error", NG_COLUMN_FOREIGN},
};

size_t ng_view_values(const struct ng_phase_result *phase, const char *metric,
    const double **values, struct ng_arena *arena) {
    double *found = ng_arena_array(arena, phase->repeat_count + 1, sizeof *found);
    size_t count = 0;
    for (size_t i = 0; i < phase->repeat_count; i++) {
        if (ng_repeat_counts(&phase->repeats[i]) &&
            ng_repeat_value(&phase->repeats[i], metric, &found[count])) {
            count++;
        }
    }
    *values = found;
    return count;
}

static void add_judged(
    struct ng_grid *grid, const struct ng_judged *judged, struct ng_arena *arena) {
    const char *interval = "";
    if (isfinite(judged->low_bound) && isfinite(judged->high_bound)) {
        char low[NG_QUANTITY_TEXT];
        char high[NG_QUANTITY_TEXT];
        interval = ng_arena_printf(arena, "%s .. %s",
            ng_value_words(judged->low_bound, judged->dim, judged->spelling, low),
            ng_value_words(judged->high_bound, judged->dim, judged->spelling, high));
    }
    const char *row[] = {judged->text, ng_held_word(judged->held), ng_view_measured(judged, arena),
        ng_view_limit(judged, arena), ng_view_margin(judged, arena), interval, judged->reason};
    ng_grid_add(arena, grid, row);
}

static void add_metric(
    struct ng_view_phase *out, const struct ng_measure *measure, struct ng_arena *arena) {
    char text[4][NG_QUANTITY_TEXT];
    const double *values;
    const char *name = measure->metric;
    size_t n = ng_view_values(out->phase, name, &values, arena);
    double median = n > 0 ? ng_stats_median(values, n) : (double)NAN;
    const char *row[] = {name, ng_arena_printf(arena, "%zu", n),
        ng_arena_strdup(arena, ng_value_words(median, measure->dim, measure->spelling, text[0])),
        "", "", ""};
    if (n > 1) {
        double mean = ng_stats_mean(values, n);
        double low = ng_stats_percentile(values, n, 0.0);
        double high = ng_stats_percentile(values, n, 100.0);
        double cv = mean != 0.0 ? ng_stats_stddev(values, n) / fabs(mean) : (double)NAN;
        row[3] =
            ng_arena_strdup(arena, ng_value_words(low, measure->dim, measure->spelling, text[1]));
        row[4] =
            ng_arena_strdup(arena, ng_value_words(high, measure->dim, measure->spelling, text[2]));
        row[5] = isfinite(cv) ? ng_arena_strdup(arena, ng_share_words(cv, text[3])) : "";
    }
    ng_grid_add(arena, &out->metrics, row);
}

static bool has_row(const struct ng_grid *grid, const char *first) {
    for (size_t i = 0; i < grid->row_count; i++) {
        if (strcmp(ng_grid_cell(grid, i, 0), first) == 0) {
            return true;
        }
    }
    return false;
}

/** All metrics, in the order in which the repeats that count first have them. */
static void add_metrics(struct ng_view_phase *out, struct ng_arena *arena) {
    for (size_t i = 0; i < out->phase->repeat_count; i++) {
        const struct ng_repeat *repeat = &out->phase->repeats[i];
        for (size_t j = 0; ng_repeat_counts(repeat) && j < repeat->measure_count; j++) {
            if (!ng_view_is_telemetry(repeat->measures[j].metric) &&
                !has_row(&out->metrics, repeat->measures[j].metric)) {
                add_metric(out, &repeat->measures[j], arena);
            }
        }
    }
}

/**
 * Adds a row, or the repeat's number to the row that is the same but for its last column, so that
 * what every repeat says is told once. The last column is the list of repeats.
 */
static void merge(
    struct ng_arena *arena, struct ng_grid *grid, const char **row, size_t last, int number) {
    for (size_t i = 0; i < grid->row_count; i++) {
        bool same = true;
        for (size_t j = 0; j < last && same; j++) {
            same = strcmp(ng_grid_cell(grid, i, j), row[j] != NULL ? row[j] : "") == 0;
        }
        const char **list = &grid->cells[i * grid->column_count + last];
        if (same && strlen(*list) < LIST_MAX) {
            *list = ng_arena_printf(arena, "%s, %d", *list, number);
        } else if (same && strncmp(*list + strlen(*list) - 3, "...", 3) != 0) {
            *list = ng_arena_printf(arena, "%s, ...", *list);
        }
        if (same) {
            return;
        }
    }
    row[last] = ng_arena_printf(arena, "%d", number);
    ng_grid_add(arena, grid, row);
}

static const char *evidence_list(const struct ng_repeat *repeat, struct ng_arena *arena) {
    struct ng_buf list;
    ng_buf_init(&list, LIST_MAX);
    for (size_t i = 0; i < repeat->evidence_count; i++) {
        ng_buf_addf(&list, "%s%u", i > 0 ? ", " : "", repeat->evidence[i]);
    }
    const char *text = ng_arena_strdup(arena, ng_buf_text(&list));
    ng_buf_release(&list);
    return text;
}

static void add_repeat(
    struct ng_view_phase *out, const struct ng_repeat *repeat, struct ng_arena *arena) {
    char start[NG_TIME_TEXT];
    char took[NG_TIME_TEXT];
    const char *state = repeat->partial                 ? "partial"
                        : !repeat->valid                ? "not valid"
                        : ng_repeat_is_disowned(repeat) ? "disowned"
                                                        : "valid";
    const char *row[] = {ng_arena_printf(arena, "%d", repeat->number), state,
        ng_arena_strdup(arena, ng_duration_format(repeat->start_ns, start)),
        ng_arena_strdup(arena, ng_duration_format(repeat->duration_ns, took)),
        ng_arena_printf(arena, "%d", repeat->attempts), evidence_list(repeat, arena),
        repeat->error};
    ng_grid_add(arena, &out->repeats, row);
    for (size_t i = 0; i < repeat->finding_count; i++) {
        const struct ng_finding *finding = &repeat->findings[i];
        const char *found[] = {ng_finding_word(finding->weight), finding->rule, finding->text, ""};
        merge(arena, &out->findings, found, NG_COUNT(found) - 1, repeat->number);
    }
    for (size_t i = 0; i < repeat->records.count; i++) {
        const struct ng_record_item *item = &repeat->records.items[i];
        const char *record[] = {item->key, item->value, ""};
        merge(arena, &out->records, record, NG_COUNT(record) - 1, repeat->number);
    }
}

static const char *reason_of(const struct ng_phase_result *phase) {
    if (phase->reason != NULL) {
        return phase->reason;
    }
    return phase->repeat_count > 0 ? "it was not finished" : "it was not started";
}

void ng_view_phase(
    const struct ng_phase_result *phase, struct ng_view_phase *out, struct ng_arena *arena) {
    *out = (struct ng_view_phase){
        .phase = phase,
        .verdict = ng_view_verdict(phase->verdict),
        .reason = reason_of(phase),
        .limits = {limit_columns, NG_COUNT(limit_columns), NULL, 0, 0},
        .predictions = {limit_columns, NG_COUNT(limit_columns), NULL, 0, 0},
        .metrics = {metric_columns, NG_COUNT(metric_columns), NULL, 0, 0},
        .findings = {finding_columns, NG_COUNT(finding_columns), NULL, 0, 0},
        .records = {record_columns, NG_COUNT(record_columns), NULL, 0, 0},
        .repeats = {repeat_columns, NG_COUNT(repeat_columns), NULL, 0, 0},
    };
    out->heading = phase->subject != NULL && phase->subject[0] != '\0'
                       ? ng_arena_printf(arena, "%s on %s", phase->engine, phase->subject)
                       : phase->engine;
    for (size_t i = 0; i < phase->judged_count; i++) {
        const struct ng_judged *judged = &phase->judged[i];
        add_judged(judged->gates ? &out->limits : &out->predictions, judged, arena);
    }
    for (size_t i = 0; i < phase->repeat_count; i++) {
        const struct ng_repeat *repeat = &phase->repeats[i];
        out->counted += ng_repeat_counts(repeat) && !ng_repeat_is_disowned(repeat) ? 1 : 0;
        if (__builtin_add_overflow(out->duration_ns, repeat->duration_ns, &out->duration_ns)) {
            out->duration_ns = INT64_MAX;
        }
        add_repeat(out, repeat, arena);
    }
    add_metrics(out, arena);
}
