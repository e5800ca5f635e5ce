/* view_meanwhile.c - what happened on the hosts while phases ran: when each ran and what guards
 * saw, and the load of the hosts that were watched. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/writers/view_parts.h"
#include "runner/base/clock.h"
#include "runner/base/guard.h"
#include "runner/base/stats.h"
#include "runner/result/words.h"

static const struct ng_column timeline_columns[] = {
    {"after", NG_COLUMN_NUMBER},
    {"until", NG_COLUMN_NUMBER},
    {"phase", NG_COLUMN_FOREIGN},
    {"repeat", NG_COLUMN_NUMBER},
    {"what", NG_COLUMN_FOREIGN},
    {"seen", NG_COLUMN_FOREIGN},
};

static const struct ng_column remedy_columns[] = {
    {"guard", NG_COLUMN_FOREIGN},
    {"what to do", NG_COLUMN_FOREIGN},
};
static const struct ng_column looked_at_columns[] = {
    {"guard", NG_COLUMN_FOREIGN},
    {"phase", NG_COLUMN_FOREIGN},
    {"repeat", NG_COLUMN_NUMBER},
    {"looked at", NG_COLUMN_FOREIGN},
    {"found", NG_COLUMN_FOREIGN},
};

/* The statistic of each metric that is worth a column. */
static const struct ng_column load_columns[] = {
    {"phase", NG_COLUMN_FOREIGN},
    {"host", NG_COLUMN_FOREIGN},
    {"load", NG_COLUMN_NUMBER},
    {"peak load", NG_COLUMN_NUMBER},
    {"cores at work", NG_COLUMN_NUMBER},
    {"peak tasks in state D", NG_COLUMN_NUMBER},
    {"peak resync", NG_COLUMN_NUMBER},
    {"read from disks", NG_COLUMN_NUMBER},
    {"written to disks", NG_COLUMN_NUMBER},
    {"received", NG_COLUMN_NUMBER},
    {"sent", NG_COLUMN_NUMBER},
    {"peak NIC errors", NG_COLUMN_NUMBER},
    {"peak drops", NG_COLUMN_NUMBER},
};
static const char *const load_metrics[] = {NULL, NULL, "load1.mean", "load1.max", "cpu.mean",
    "dstate.max", "resync.max", "disk.read.mean", "disk.write.mean", "net.rx.mean", "net.tx.mean",
    "net.errors.max", "net.drops.max"};

_Static_assert(NG_COUNT(load_columns) == NG_COUNT(load_metrics), "a metric for each column");

struct entry {
    int64_t at_ns;
    size_t order; /* so that equal times keep their order */
    const char *cells[NG_COUNT(timeline_columns)];
};

struct entries {
    struct entry *items;
    size_t count, capacity;
    struct ng_arena *arena;
};

static const char *when(struct ng_arena *arena, int64_t ns) {
    char text[NG_TIME_TEXT];
    return ng_arena_strdup(arena, ng_duration_format(ns, text));
}

static struct entry *add(
    struct entries *list, int64_t at_ns, int64_t until_ns, const char *phase, int repeat) {
    list->items =
        ng_arena_grow(list->arena, list->items, list->count, &list->capacity, sizeof *list->items);
    struct entry *entry = &list->items[list->count];
    *entry = (struct entry){.at_ns = at_ns, .order = list->count};
    list->count++;
    entry->cells[0] = when(list->arena, at_ns);
    entry->cells[1] = until_ns > 0 ? when(list->arena, until_ns) : "";
    entry->cells[2] = phase;
    entry->cells[3] = ng_arena_printf(list->arena, "%d", repeat);
    return entry;
}

int64_t ng_view_repeat_end(const struct ng_repeat *repeat) {
    return repeat->start_ns < INT64_MAX - repeat->duration_ns
               ? repeat->start_ns + repeat->duration_ns
               : INT64_MAX;
}

static void add_repeat(
    struct entries *list, const struct ng_phase_result *phase, const struct ng_repeat *repeat) {
    struct entry *entry =
        add(list, repeat->start_ns, ng_view_repeat_end(repeat), phase->name, repeat->number);
    entry->cells[4] = repeat->attempts > 1
                          ? ng_arena_printf(list->arena, "measured, attempt %d", repeat->attempts)
                          : "measured";
    entry->cells[5] = repeat->error;
}

static void add_event(struct entries *list, const struct ng_event *event) {
    struct entry *entry = add(list, event->at_ns, event->until_ns, event->phase, event->repeat);
    entry->cells[4] = ng_arena_printf(list->arena, "%s %s%s", event->guard,
        ng_held_word(event->held), event->exact ? "" : ", seen afterwards");
    entry->cells[5] = event->seen;
}

static int by_time(const void *left, const void *right) {
    const struct entry *a = left;
    const struct entry *b = right;
    if (a->at_ns != b->at_ns) {
        return a->at_ns < b->at_ns ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

static void fill_timeline(struct ng_view *view, struct ng_arena *arena) {
    const struct ng_result *result = view->result;
    struct entries list = {.arena = arena};
    for (size_t i = 0; i < result->phase_count; i++) {
        for (size_t j = 0; j < result->phases[i].repeat_count; j++) {
            if (result->phases[i].repeats[j].duration_ns > 0) {
                add_repeat(&list, &result->phases[i], &result->phases[i].repeats[j]);
            }
        }
    }
    for (size_t i = 0; i < result->event_count; i++) {
        add_event(&list, &result->events[i]);
    }
    if (list.count > 0) {
        qsort(list.items, list.count, sizeof *list.items, by_time);
    }
    for (size_t i = 0; i < list.count; i++) {
        ng_grid_add(arena, &view->timeline, list.items[i].cells);
    }
}

/* Each advice once: a guard may break in many repeats. */
static void add_remedy(struct ng_view *view, const struct ng_event *event, struct ng_arena *arena) {
    const char *row[] = {event->guard, event->remedy};
    for (size_t i = 0; i < view->guards_remedies.row_count; i++) {
        if (strcmp(ng_grid_cell(&view->guards_remedies, i, 0), row[0]) == 0 &&
            strcmp(ng_grid_cell(&view->guards_remedies, i, 1), row[1]) == 0) {
            return;
        }
    }
    ng_grid_add(arena, &view->guards_remedies, row);
}

static void fill_looked_at(struct ng_view *view, struct ng_arena *arena) {
    for (size_t i = 0; i < view->result->event_count; i++) {
        const struct ng_event *event = &view->result->events[i];
        if (event->remedy != NULL) {
            add_remedy(view, event, arena);
        }
        for (size_t j = 0; j < event->looked_at.count; j++) {
            const struct ng_record_item *item = &event->looked_at.items[j];
            const char *found[] = {event->guard, event->phase,
                ng_arena_printf(arena, "%d", event->repeat), item->key, item->value};
            ng_grid_add(arena, &view->guards_looked_at, found);
        }
    }
}

/* The median over the repeats that count, in words; "" where nobody measured it. */
static const char *load_of(const struct ng_phase_result *phase, const char *host,
    const char *metric, struct ng_arena *arena) {
    const char *name = ng_arena_printf(arena, "host.%s.%s", host, metric);
    const double *values;
    const size_t count = ng_view_values(phase, name, &values, arena);
    for (size_t i = 0; i < phase->repeat_count && count > 0; i++) {
        for (size_t j = 0; j < phase->repeats[i].measure_count; j++) {
            const struct ng_measure *measure = &phase->repeats[i].measures[j];
            if (strcmp(measure->metric, name) == 0) {
                char text[NG_QUANTITY_TEXT];
                return ng_arena_strdup(arena, ng_value_words(ng_stats_median(values, count),
                                                  measure->dim, measure->spelling, text));
            }
        }
    }
    return "";
}

static void fill_load(struct ng_view *view, struct ng_arena *arena) {
    const struct ng_result *result = view->result;
    for (size_t i = 0; i < result->phase_count; i++) {
        for (size_t j = 0; j < result->host_count; j++) {
            const char *row[NG_COUNT(load_columns)] = {
                result->phases[i].name, result->hosts[j].name};
            bool any = false;
            for (size_t k = 2; k < NG_COUNT(load_columns) && result->phases[i].repeat_count > 0;
                 k++) {
                row[k] = load_of(&result->phases[i], result->hosts[j].name, load_metrics[k], arena);
                any = any || row[k][0] != '\0';
            }
            if (any) {
                ng_grid_add(arena, &view->load, row);
            }
        }
    }
}

bool ng_view_is_telemetry(const char *metric) {
    return strncmp(metric, "host.", 5) == 0;
}

void ng_view_meanwhile(struct ng_view *view, struct ng_arena *arena) {
    view->timeline = (struct ng_grid){timeline_columns, NG_COUNT(timeline_columns), NULL, 0, 0};
    view->load = (struct ng_grid){load_columns, NG_COUNT(load_columns), NULL, 0, 0};
    view->guards_remedies = (struct ng_grid){remedy_columns, NG_COUNT(remedy_columns), NULL, 0, 0};
    view->guards_looked_at =
        (struct ng_grid){looked_at_columns, NG_COUNT(looked_at_columns), NULL, 0, 0};
    fill_timeline(view, arena);
    fill_looked_at(view, arena);
    fill_load(view, arena);
}
