/* btrfs file systems as arrays: exclusive operations and scrub. */
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/arrays_sources.h"

#define LOOK "as root: btrfs balance status, btrfs scrub status"

/* The word of activity.h for an exclusive operation as the kernel prints it. */
static const char *action_of(const char *operation) {
    static const struct {
        const char *operation, *action;
    } rows[] = {
        {"balance", "balance"},
        {"balance paused", "balance"},
        {"device add", "expansion"},
        {"device remove", "removal"},
        {"device replace", "replace"},
        {"resize", "expansion"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (strcmp(rows[i].operation, operation) == 0) {
            return rows[i].action;
        }
    }
    return NULL;
}

static void busy_by_operation(
    struct ng_array *array, struct ng_arena *arena, const char *operation) {
    array->busy = NG_ANSWER_YES;
    array->action = action_of(operation);
    array->waiting = strcmp(operation, "balance paused") == 0 ? "paused" : NULL;
    array->busy_why = ng_arena_printf(arena, "is in %s", operation);
}

static void judge_busy(
    struct ng_array *array, struct ng_arena *arena, const struct ng_btrfs_work *work) {
    const char *operation = work->operation;
    if (operation != NULL && strcmp(operation, "none") != 0) {
        busy_by_operation(array, arena, operation);
    } else if (work->scrub == NG_ANSWER_YES) {
        array->busy = NG_ANSWER_YES;
        array->action = "scrub";
        array->busy_why = "is scrubbed";
    } else if (operation == NULL) {
        array->busy_why = "a balance or a replacement cannot be excluded: its exclusive_operation "
                          "could not be read";
    } else if (work->scrub == NG_ANSWER_UNKNOWN) {
        array->busy_why = ng_arena_printf(arena, "whether it is scrubbed: %s", work->scrub_why);
    } else {
        array->busy = NG_ANSWER_NO;
    }
}

static void add(struct ng_facts *facts, struct ng_arena *arena, const struct ng_btrfs_work *work) {
    const char *uuid = ng_text_clean_dup(arena, work->uuid, strlen(work->uuid), NG_TEXT_LINE, 100);
    struct ng_array *array = ng_arrays_add(facts, arena, "btrfs", uuid);
    judge_busy(array, arena, work);
    array->degraded_why = "whether a device is missing is not looked at";
    const char *seen = ng_arena_printf(arena, "exclusive operation: %s; scrub: %s (%s)",
        work->operation == NULL ? "unknown" : work->operation, ng_answer_word(work->scrub),
        work->scrub_why);
    array->seen = ng_text_clean_dup(arena, seen, strlen(seen), NG_TEXT_LINE, 500);
    const struct ng_blocks *blocks = &facts->blocks;
    for (size_t i = 0; i < blocks->btrfs_count; i++) {
        if (strcmp(blocks->btrfs[i].uuid, work->uuid) == 0) {
            ng_array_device(array, arena, blocks->btrfs[i].block);
        }
    }
}

void ng_arrays_of_btrfs(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_blocks *blocks = &facts->blocks;
    const char *why = facts->mounts_why != NULL ? facts->mounts_why
                      : blocks->why != NULL     ? blocks->why
                                                : blocks->cut;
    const struct ng_mount *mount = ng_facts_mount_of(facts, "btrfs");
    if (why != NULL) {
        ng_arrays_gap(facts, arena, "btrfs", "findmnt -t btrfs; " LOOK,
            "whether there is a btrfs that rebuilds or scrubs is unknown: %s", why);
    }
    for (size_t i = 0; i < blocks->work_count; i++) {
        add(facts, arena, &blocks->works[i]);
    }
    if (mount != NULL && blocks->work_count == 0 && why == NULL) {
        const char *point =
            ng_text_clean_dup(arena, mount->point, strlen(mount->point), NG_TEXT_LINE, 300);
        ng_arrays_gap(facts, arena, "btrfs",
            ng_arena_printf(arena, "as root: btrfs scrub status %s", point),
            "what the btrfs on %s is at is unknown: /sys/fs/btrfs does not show it here", point);
    } else if (blocks->work_count == 0 && why == NULL) {
        ng_arrays_none(facts, arena, "btrfs", "no btrfs is mounted");
    }
}
