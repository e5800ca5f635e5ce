/* The list of arrays, and every source that it comes from. */
#include "runner/facts/arrays.h"

#include <stdarg.h>
#include <stdio.h>

#include "runner/facts/facts.h"

static ng_arrays_source *const sources[] = {
    NULL,
};

struct ng_array *ng_arrays_add(
    struct ng_facts *facts, struct ng_arena *arena, const char *kind, const char *name) {
    struct ng_arrays *list = &facts->arrays;
    if (list->count >= NG_ARRAYS_MAX) {
        ng_arrays_gap(facts, arena, kind, "",
            "only %d arrays of %s are kept, %s and others are not", NG_ARRAYS_MAX, facts->host,
            name);
        return &list->items[list->count - 1];
    }
    list->items =
        ng_arena_grow(arena, list->items, list->count, &list->capacity, sizeof *list->items);
    struct ng_array *array = &list->items[list->count++];
    *array = (struct ng_array){.kind = kind,
        .name = name,
        .busy_why = "",
        .degraded_why = "",
        .seen = "",
        .trace = "",
        .percent = -1,
        .left_ns = -1};
    return array;
}

void ng_array_device(struct ng_array *array, struct ng_arena *arena, const char *block) {
    if (array->device_count >= NG_ARRAY_DEVICES_MAX) {
        return;
    }
    array->devices = ng_arena_grow(arena, array->devices, array->device_count,
        &array->device_capacity, sizeof *array->devices);
    array->devices[array->device_count++] = block;
}

void ng_arrays_gap(struct ng_facts *facts, struct ng_arena *arena, const char *kind,
    const char *look, const char *format, ...) {
    struct ng_arrays *list = &facts->arrays;
    char why[512];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    list->gaps =
        ng_arena_grow(arena, list->gaps, list->gap_count, &list->gap_capacity, sizeof *list->gaps);
    list->gaps[list->gap_count++] =
        (struct ng_array_gap){.kind = kind, .why = ng_arena_strdup(arena, why), .look = look};
}

void ng_arrays_read(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t i = 0; i < sizeof sources / sizeof *sources && sources[i] != NULL; i++) {
        sources[i](facts, arena);
    }
}
