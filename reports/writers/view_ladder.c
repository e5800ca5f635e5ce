/**
 * view_ladder.c - what limits this path: every measured rate from slowest to fastest.
 *
 * A phase stands on the ladder of small requests when its average request (bytes per second divided
 * by requests per second) is below 64 KiB, else on the ladder of bulk throughput, where wires stand
 * as well.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/writers/view_parts.h"
#include "runner/base/guard.h"
#include "runner/base/stats.h"
#include "runner/result/words.h"

enum { SMALL_REQUEST = 64 * 1024 };

static const struct ng_column bulk_columns[] = {
    {"phase", NG_COLUMN_FOREIGN},
    {"metric", NG_COLUMN_FOREIGN},
    {"median", NG_COLUMN_NUMBER},
    {"against the slowest", NG_COLUMN_NUMBER},
    {"share of wire", NG_COLUMN_NUMBER},
    {"share of link", NG_COLUMN_NUMBER},
    {"per disk", NG_COLUMN_NUMBER},
    {"verdict", NG_COLUMN_WORDS},
};
static const struct ng_column iops_columns[] = {
    {"phase", NG_COLUMN_FOREIGN},
    {"metric", NG_COLUMN_FOREIGN},
    {"median", NG_COLUMN_NUMBER},
    {"against the slowest", NG_COLUMN_NUMBER},
    {"average request", NG_COLUMN_NUMBER},
    {"per disk", NG_COLUMN_NUMBER},
    {"verdict", NG_COLUMN_WORDS},
};

static bool ends_with(const char *text, const char *end) {
    size_t len = strlen(text);
    size_t tail = strlen(end);
    return len >= tail && strcmp(text + len - tail, end) == 0;
}

/** Whether the plan named the metrics and a script the records: what they are called proves
 * nothing. */
static bool is_named_freely(const struct ng_phase_result *phase) {
    return phase->engine != NULL &&
           (strcmp(phase->engine, "lua") == 0 || strcmp(phase->engine, "command") == 0);
}

static bool is_wire(const struct ng_phase_result *phase, const char *metric) {
    return !is_named_freely(phase) &&
           (strcmp(metric, "throughput") == 0 || ends_with(metric, ".throughput"));
}

/** Median, lowest and highest of a metric; NaN when there is none. */
static struct ng_view_rung rung_of(const struct ng_phase_result *phase, const char *metric,
    enum ng_spelling spelling, struct ng_arena *arena) {
    const double *values;
    size_t n = ng_view_values(phase, metric, &values, arena);
    double nan = (double)NAN;
    return (struct ng_view_rung){
        .phase = phase,
        .metric = metric,
        .spelling = spelling,
        .value = n > 0 ? ng_stats_median(values, n) : nan,
        .low = n > 0 ? ng_stats_percentile(values, n, 0) : nan,
        .high = n > 0 ? ng_stats_percentile(values, n, 100) : nan,
        .request = nan,
    };
}

static void add(struct ng_view_ladder *ladder, struct ng_view_rung rung, struct ng_arena *arena) {
    if (!isfinite(rung.value) || rung.value <= 0.0) {
        return;
    }
    ladder->rungs = ng_arena_grow(
        arena, ladder->rungs, ladder->count, &ladder->capacity, sizeof *ladder->rungs);
    rung.order = ladder->count;
    ladder->rungs[ladder->count++] = rung;
}

/** Puts a phase's headline rates on the ladders. */
static void climb(const struct ng_phase_result *phase, struct ng_view_ladder *bulk,
    struct ng_view_ladder *iops, struct ng_arena *arena) {
    const struct ng_repeat *first = NULL;
    for (size_t i = 0; i < phase->repeat_count && first == NULL; i++) {
        first = ng_repeat_counts(&phase->repeats[i]) ? &phase->repeats[i] : NULL;
    }
    for (size_t i = 0; first != NULL && i < first->measure_count; i++) {
        const char *metric = first->measures[i].metric;
        struct ng_view_rung rung = rung_of(phase, metric, first->measures[i].spelling, arena);
        if (is_wire(phase, metric)) {
            add(bulk, rung, arena);
        } else if (ends_with(metric, ".bw")) {
            struct ng_view_rung requests = rung_of(phase,
                ng_arena_printf(arena, "%.*s.iops", (int)(strlen(metric) - 3), metric),
                NG_SPELLING_PLAIN, arena);
            double request = requests.value > 0.0 ? rung.value / requests.value : (double)NAN;
            rung.request = requests.request = isfinite(request) ? request : (double)NAN;
            if (rung.request < SMALL_REQUEST) {
                add(iops, requests, arena);
            } else {
                add(bulk, rung, arena);
            }
        }
    }
}

static int by_value(const void *a, const void *b) {
    const struct ng_view_rung *x = a;
    const struct ng_view_rung *y = b;
    if (x->value != y->value) {
        return x->value < y->value ? -1 : 1;
    }
    return (x->order > y->order) - (x->order < y->order);
}

/** A quantity that an engine or the executor recorded of a phase; NaN when there is none. */
static double recorded(const struct ng_phase_result *phase, const char *key, struct ng_dim dim) {
    for (size_t i = 0; i < phase->repeat_count && !is_named_freely(phase); i++) {
        const struct ng_records *records = &phase->repeats[i].records;
        for (size_t j = 0; j < records->count; j++) {
            struct ng_quantity quantity;
            if (strcmp(records->items[j].key, key) == 0 &&
                ng_quantity_parse(records->items[j].value, &quantity, NULL) &&
                ng_dim_equal(quantity.dim, dim) && quantity.value > 0.0) {
                return quantity.value;
            }
        }
    }
    return (double)NAN;
}

static const char *share(double part, double whole, struct ng_arena *arena) {
    char text[NG_QUANTITY_TEXT];
    return isfinite(part) && isfinite(whole) && whole > 0.0
               ? ng_arena_strdup(arena, ng_share_words(part / whole, text))
               : "";
}

static const char *value_text(
    double value, struct ng_dim dim, enum ng_spelling spelling, struct ng_arena *arena) {
    char text[NG_QUANTITY_TEXT];
    return isfinite(value) ? ng_arena_strdup(arena, ng_value_words(value, dim, spelling, text))
                           : "";
}

/** "2.13 x" */
static const char *times(double value, double slowest, struct ng_arena *arena) {
    char text[NG_QUANTITY_TEXT];
    struct ng_quantity factor = {round(value / slowest * 100.0) / 100.0, NG_DIM_NONE};
    return ng_arena_printf(arena, "%s x", ng_quantity_format(factor, text));
}

static void show_bulk(struct ng_view *view, const struct ng_view_ladder *ladder, double wire,
    struct ng_arena *arena) {
    for (size_t i = 0; i < ladder->count; i++) {
        const struct ng_view_rung *rung = &ladder->rungs[i];
        const struct ng_phase_result *phase = rung->phase;
        double disks = recorded(phase, "disks", NG_DIM_NONE);
        const char *row[] = {phase->name, rung->metric,
            value_text(rung->value, NG_DIM_RATE, rung->spelling, arena),
            times(rung->value, ladder->rungs[0].value, arena), share(rung->value, wire, arena),
            share(rung->value, recorded(phase, "link.speed", NG_DIM_RATE), arena),
            value_text(rung->value / disks, NG_DIM_RATE, rung->spelling, arena),
            ng_view_verdict(phase->verdict)};
        ng_grid_add(arena, &view->bulk, row);
    }
}

static void show_iops(
    struct ng_view *view, const struct ng_view_ladder *ladder, struct ng_arena *arena) {
    for (size_t i = 0; i < ladder->count; i++) {
        const struct ng_view_rung *rung = &ladder->rungs[i];
        double disks = recorded(rung->phase, "disks", NG_DIM_NONE);
        const char *row[] = {rung->phase->name, rung->metric,
            value_text(rung->value, NG_DIM_IOPS, rung->spelling, arena),
            times(rung->value, ladder->rungs[0].value, arena),
            value_text(rung->request, NG_DIM_SIZE, NG_SPELLING_PLAIN, arena),
            value_text(rung->value / disks, NG_DIM_IOPS, rung->spelling, arena),
            ng_view_verdict(rung->phase->verdict)};
        ng_grid_add(arena, &view->iops, row);
    }
}

/**
 * The measured wire: the fastest throughput, when all wires measured are one link. A result does
 * not say which of several links a volume is reached by.
 */
static double find_wire(struct ng_view *view, const struct ng_view_ladder *bulk) {
    double wire = (double)NAN;
    const char *link = NULL;
    for (size_t i = 0; i < bulk->count; i++) {
        const struct ng_view_rung *rung = &bulk->rungs[i];
        if (!is_wire(rung->phase, rung->metric)) {
            continue;
        }
        const char *subject = rung->phase->subject != NULL ? rung->phase->subject : "";
        if (link != NULL && strcmp(link, subject) != 0) {
            view->wire = NULL;
            return (double)NAN;
        }
        link = subject;
        wire = rung->value; // sorted: the last is the fastest
        view->wire = rung->phase->name;
    }
    return wire;
}

void ng_view_ladders(struct ng_view *view, struct ng_arena *arena) {
    struct ng_view_ladder *bulk = &view->bulk_ladder;
    struct ng_view_ladder *iops = &view->iops_ladder;
    view->bulk = (struct ng_grid){bulk_columns, NG_COUNT(bulk_columns), NULL, 0, 0};
    view->iops = (struct ng_grid){iops_columns, NG_COUNT(iops_columns), NULL, 0, 0};
    view->wire_speed = (double)NAN;
    for (size_t i = 0; i < view->result->phase_count; i++) {
        climb(&view->result->phases[i], bulk, iops, arena);
    }
    if (bulk->count > 0) {
        qsort(bulk->rungs, bulk->count, sizeof *bulk->rungs, by_value);
        view->wire_speed = find_wire(view, bulk);
        show_bulk(view, bulk, view->wire_speed, arena);
    }
    if (iops->count > 0) {
        qsort(iops->rungs, iops->count, sizeof *iops->rungs, by_value);
        show_iops(view, iops, arena);
    }
}
