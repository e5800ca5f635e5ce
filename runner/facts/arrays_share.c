/* Which arrays a place on a host depends on. */
#include "runner/facts/arrays_share.h"

#include <string.h>

/* The disks and devices that a place or an array lies on, by name. */
struct reach {
    const char **names;
    size_t count, capacity;
    const char *gap;
};

static bool reaches(const struct reach *reach, const char *name) {
    for (size_t i = 0; i < reach->count; i++) {
        if (strcmp(reach->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_name(struct reach *reach, struct ng_arena *arena, const char *name) {
    if (!reaches(reach, name)) {
        reach->names = ng_arena_grow(
            arena, reach->names, reach->count, &reach->capacity, sizeof *reach->names);
        reach->names[reach->count++] = name;
    }
}

static void add_stack(struct reach *reach, struct ng_arena *arena, const struct ng_stack *stack) {
    for (size_t i = 0; i < stack->count; i++) {
        add_name(reach, arena, stack->items[i]->name);
    }
    reach->gap = reach->gap != NULL ? reach->gap : stack->gap;
}

static void add_device(
    const struct ng_facts *facts, struct reach *reach, struct ng_arena *arena, const char *name) {
    struct ng_stack stack;
    ng_blocks_stack_named(&facts->blocks, &facts->mounts, name, arena, &stack);
    add_name(reach, arena, name);
    add_stack(reach, arena, &stack);
}

static struct reach reach_of_array(
    const struct ng_facts *facts, const struct ng_array *array, struct ng_arena *arena) {
    struct reach reach = {0};
    if (array->block != NULL) {
        add_device(facts, &reach, arena, array->block);
        /* One that is stopped, or whose layers sysfs does not show, still has its members. */
        reach.gap = array->device_count > 0 ? NULL : reach.gap;
    }
    for (size_t i = 0; i < array->device_count; i++) {
        add_device(facts, &reach, arena, array->devices[i]);
    }
    if (array->device_count == 0 && reach.count <= 1 && reach.gap == NULL) {
        reach.gap = "its disks are not known";
    }
    return reach;
}

static bool meet(const struct reach *a, const struct reach *b) {
    for (size_t i = 0; i < a->count; i++) {
        if (reaches(b, a->names[i])) {
            return true;
        }
    }
    return false;
}

/* An array without a block device of its own keeps what lies directly on its devices. */
static enum ng_answer holds(const struct ng_array *array, const struct reach *place) {
    if (array->block != NULL && reaches(place, array->block)) {
        return NG_ANSWER_YES;
    }
    for (size_t i = 0; array->block == NULL && i < array->device_count; i++) {
        if (reaches(place, array->devices[i])) {
            return NG_ANSWER_YES;
        }
    }
    bool known = place->gap == NULL && (array->block != NULL || array->device_count > 0);
    return known ? NG_ANSWER_NO : NG_ANSWER_UNKNOWN;
}

static void compare(const struct ng_facts *facts, const struct reach *place, struct ng_arena *arena,
    struct ng_share *share) {
    share->gap = place->gap;
    for (size_t i = 0; i < facts->arrays.count; i++) {
        const struct ng_array *array = &facts->arrays.items[i];
        const struct reach own = reach_of_array(facts, array, arena);
        struct ng_array_share *out = &share->items[i];
        out->holds = holds(array, place);
        out->disks = meet(&own, place)                       ? NG_ANSWER_YES
                     : own.gap == NULL && place->gap == NULL ? NG_ANSWER_NO
                                                             : NG_ANSWER_UNKNOWN;
    }
}

static struct ng_share start(const struct ng_facts *facts, struct ng_arena *arena) {
    return (struct ng_share){
        .items = ng_arena_array(arena, facts->arrays.count, sizeof(struct ng_array_share))};
}

static const struct ng_array *find(const struct ng_facts *facts, const char *name) {
    for (size_t i = 0; i < facts->arrays.count; i++) {
        const struct ng_array *array = &facts->arrays.items[i];
        if (strcmp(array->name, name) == 0 ||
            (array->block != NULL && strcmp(array->block, name) == 0)) {
            return array;
        }
    }
    return NULL;
}

/* ZFS has no block device that a mount names; its source is POOL/DATASET. */
static struct reach reach_of_zfs(
    const struct ng_facts *facts, const struct ng_mount *mount, struct ng_arena *arena) {
    const char *pool = ng_arena_strndup(arena, mount->source, strcspn(mount->source, "/"));
    const struct ng_array *array = find(facts, pool);
    if (array == NULL || strcmp(array->kind, "ZFS") != 0) {
        return (struct reach){
            .gap = ng_arena_printf(arena, "the disks of the ZFS pool %s are not known", pool)};
    }
    return reach_of_array(facts, array, arena);
}

static struct reach reach_of_mount(
    const struct ng_facts *facts, const struct ng_mount *mount, struct ng_arena *arena) {
    struct reach reach = {0};
    if (strcmp(mount->type, "tmpfs") == 0 || strcmp(mount->type, "ramfs") == 0) {
        return reach; /* no disk at all */
    }
    if (strcmp(mount->type, "zfs") == 0) {
        return reach_of_zfs(facts, mount, arena);
    }
    struct ng_stack stack;
    ng_blocks_stack(&facts->blocks, &facts->mounts, mount, arena, &stack);
    add_stack(&reach, arena, &stack);
    return reach;
}

void ng_arrays_share_path(const struct ng_facts *facts, const char *path, struct ng_arena *arena,
    struct ng_share *share) {
    const struct ng_mount *mount = ng_facts_mount(facts, path);
    struct reach place = {0};
    *share = start(facts, arena);
    if (mount == NULL) {
        place.gap = ng_arena_printf(arena, "what %s lies on is unknown: %s", path,
            facts->mounts_why != NULL ? facts->mounts_why : "no mount holds this path");
    } else {
        place = reach_of_mount(facts, mount, arena);
    }
    compare(facts, &place, arena, share);
}

void ng_arrays_share_array(const struct ng_facts *facts, const char *name, struct ng_arena *arena,
    struct ng_share *share) {
    const struct ng_array *array = find(facts, name);
    struct reach place = {0};
    *share = start(facts, arena);
    if (array == NULL) {
        place.gap = ng_arena_printf(arena, "no array %s was found", name);
    } else {
        place = reach_of_array(facts, array, arena);
    }
    compare(facts, &place, arena, share);
}
