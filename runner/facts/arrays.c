/* The list of arrays, and every source that it comes from. */
#include "runner/facts/arrays.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runner/facts/arrays_sources.h"

static ng_arrays_source *const sources[] = {
    ng_arrays_of_md,
    ng_arrays_of_btrfs,
    ng_arrays_of_caches,
    ng_arrays_of_dm,
    ng_arrays_of_ext4,
    ng_arrays_of_hardware,
    ng_arrays_of_lvm,
    ng_arrays_of_zfs,
};

struct ng_array *ng_arrays_add(
    struct ng_facts *facts, struct ng_arena *arena, const char *kind, const char *name) {
    struct ng_arrays *list = &facts->arrays;
    if (list->count >= NG_ARRAYS_MAX) {
        if (list->gap_count == 0 || list->gaps[list->gap_count - 1].kind[0] != '\0') {
            ng_arrays_gap(facts, arena, "", "", "only %d arrays are kept, %s and others are not",
                NG_ARRAYS_MAX, name);
        }
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
        .left_ns = -1,
        .slots = -1,
        .in_sync = -1};
    return array;
}

void ng_array_device(struct ng_array *array, struct ng_arena *arena, const char *block) {
    if (array->devices_cut || array->device_count >= NG_ARRAY_DEVICES_MAX) {
        array->devices_cut = true;
        array->device_count = 0;
        return;
    }
    array->devices = ng_arena_grow(arena, array->devices, array->device_count,
        &array->device_capacity, sizeof *array->devices);
    array->devices[array->device_count++] = block;
}

void ng_arrays_gap(struct ng_facts *facts, struct ng_arena *arena, const char *kind,
    const char *look, const char *format, ...) {
    struct ng_arrays *list = &facts->arrays;
    va_list args;
    va_start(args, format);
    const char *why = ng_arena_vprintf(arena, format, args);
    va_end(args);
    list->gaps =
        ng_arena_grow(arena, list->gaps, list->gap_count, &list->gap_capacity, sizeof *list->gaps);
    list->gaps[list->gap_count++] = (struct ng_array_gap){.kind = kind, .why = why, .look = look};
}

void ng_arrays_none(
    struct ng_facts *facts, struct ng_arena *arena, const char *kind, const char *format, ...) {
    struct ng_arrays *list = &facts->arrays;
    va_list args;
    va_start(args, format);
    const char *why = ng_arena_vprintf(arena, format, args);
    va_end(args);
    list->nones = ng_arena_grow(
        arena, list->nones, list->none_count, &list->none_capacity, sizeof *list->nones);
    list->nones[list->none_count++] = (struct ng_array_none){.kind = kind, .why = why};
}

void ng_arrays_read(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t i = 0; i < NG_COUNT(sources); i++) {
        sources[i](facts, arena);
    }
    if (!facts->frames.complete) {
        ng_arrays_gap(facts, arena, "", "", "not all that it keeps data on was seen: %s",
            facts->frames.reason);
    }
}

const struct ng_mount *ng_facts_mount_of(const struct ng_facts *facts, const char *type) {
    for (size_t i = 0; i < facts->mounts.count; i++) {
        if (strcmp(facts->mounts.items[i].type, type) == 0) {
            return &facts->mounts.items[i];
        }
    }
    return NULL;
}

static const char *left_words(struct ng_arena *arena, int64_t left_ns) {
    const double minutes = (double)left_ns / 60e9;
    if (minutes < 1) {
        return ", less than a minute left";
    }
    if (minutes < 90) {
        return ng_arena_printf(arena, ", %.0f min left", minutes);
    }
    return minutes < 48 * 60 ? ng_arena_printf(arena, ", %.0f h left", minutes / 60)
                             : ng_arena_printf(arena, ", %.0f days left", minutes / 60 / 24);
}

const char *ng_array_progress(struct ng_arena *arena, double percent, int64_t left_ns) {
    const char *how_far = percent < 0 ? "" : ng_arena_printf(arena, ", %.1f%%", percent);
    return left_ns < 0 ? how_far
                       : ng_arena_printf(arena, "%s%s", how_far, left_words(arena, left_ns));
}
