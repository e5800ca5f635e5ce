/* From what a pool prints to what it is at and whether it is whole. */
#include <string.h>

#include "runner/base/guard.h"
#include "runner/facts/arrays.h"
#include "runner/facts/zpool_parts.h"

enum { NAMED_MAX = 8, FULL_SHARE = 80 };

static bool is(const char *text, const char *word) {
    return text != NULL && strcmp(text, word) == 0;
}

/** What zpool calls it, what a plan may allow (activity.h; NULL: nothing does), how people say it.
 */
struct work_words {
    const char *action, *activity, *words;
};

static const struct work_words *words_of(const struct ng_zpool_work *work) {
    static const struct work_words rows[] = {
        {"scrub", "scrub", "is in a scrub"},
        {"resilver", "resilver", "is in a resilver"},
        {"remove", "removal", "evacuates a device that is removed"},
        {"expand", "expansion", "is in an expansion"},
        {"initialize", "initialization", "initializes devices"},
        {"trim", "trim", "trims devices"},
        {"discard", NULL, "discards a checkpoint"},
        {"free", NULL, "frees what was destroyed"},
    };
    size_t row = 0;
    while (row + 1 < NG_COUNT(rows) && !is(work->action, rows[row].action)) {
        row++;
    }
    return &rows[row];
}

/* Whether an earlier work says the same with less or more: scans are told by their line and by
 * notes beside the devices. */
static bool is_told(const struct ng_zpool *pool, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (pool->works[i].paused == pool->works[index].paused &&
            is(pool->works[i].action, pool->works[index].action)) {
            return true;
        }
    }
    return false;
}

static void tell_work(
    struct ng_array *array, struct ng_arena *arena, const struct ng_zpool_work *work) {
    const char *more = strstr(work->text, "paused for resilver or clear") != NULL
                           ? ", which waits for a resilver or for \"zpool clear\""
                           : "";
    const char *why = ng_arena_printf(arena, "%s%s%s", words_of(work)->words,
        ng_array_progress(arena, work->percent, work->left_ns), more);
    if (array->busy == NG_ANSWER_YES) {
        array->busy_why = ng_arena_printf(arena, "%s and %s", array->busy_why, why);
        array->action = NULL; /* two words: neither allows the other */
        bool told = work->left_ns >= 0 && array->left_ns >= 0;
        array->left_ns = !told                            ? -1
                         : work->left_ns > array->left_ns ? work->left_ns
                                                          : array->left_ns;
        return;
    }
    array->busy = NG_ANSWER_YES;
    array->busy_why = why;
    array->action = words_of(work)->activity;
    array->percent = work->percent;
    array->left_ns = work->left_ns;
}

static void warn(struct ng_array *array, struct ng_arena *arena, const char *text) {
    array->warning =
        array->warning == NULL ? text : ng_arena_printf(arena, "%s; %s", array->warning, text);
}

/* A pool that cannot be opened does nothing. */
static bool is_closed(const struct ng_zpool *pool) {
    return is(pool->state, "UNAVAIL") || is(pool->state, "FAULTED");
}

static void judge_busy(
    const struct ng_zpool *pool, struct ng_arena *arena, struct ng_array *array) {
    for (size_t i = 0; i < pool->work_count; i++) {
        const struct ng_zpool_work *work = &pool->works[i];
        if (is_told(pool, i)) {
            continue;
        }
        if (work->paused) {
            warn(array, arena,
                ng_arena_printf(arena,
                    "its %s is paused%s; it goes on at the next import or by command", work->action,
                    ng_array_progress(arena, work->percent, -1)));
        } else {
            tell_work(array, arena, work);
        }
    }
    if (array->busy == NG_ANSWER_YES) {
        return;
    }
    if (pool->odd != NULL) {
        array->busy_why =
            ng_arena_printf(arena, "a line of zpool status is not understood: %s", pool->odd);
    } else if (pool->cut) {
        array->busy_why = "it has more devices than can be kept";
    } else if (pool->scans_known || is_closed(pool)) {
        array->busy = NG_ANSWER_NO;
    } else {
        array->busy_why = "what zpool status printed says nothing of its scans";
    }
}

static bool is_fine(const struct ng_zpool_vdev *vdev) {
    return is(vdev->state, "ONLINE") || (vdev->class == NG_ZPOOL_SPARE &&
                                            (is(vdev->state, "AVAIL") || is(vdev->state, "INUSE")));
}

/* Without a cache or a spare a pool is whole. */
static bool is_needed(const struct ng_zpool_vdev *vdev) {
    return vdev->class != NG_ZPOOL_CACHE && vdev->class != NG_ZPOOL_SPARE;
}

/* The devices that are not fine, in words; "" when all are. */
static const char *list_broken(
    const struct ng_zpool *pool, struct ng_arena *arena, bool needed, size_t *count) {
    const char *list = "";
    *count = 0;
    for (size_t i = 0; i < pool->vdev_count; i++) {
        const struct ng_zpool_vdev *vdev = &pool->vdevs[i];
        bool pool_itself = i == 0 && vdev->group;
        if (pool_itself || is_fine(vdev) || is_needed(vdev) != needed || ++*count > NAMED_MAX) {
            continue;
        }
        list = ng_arena_printf(arena, "%s%s%s%s is %s%s%s", list, list[0] == '\0' ? "" : ", ",
            needed ? "" : ng_zpool_class_word(vdev->class), needed ? vdev->name : "", vdev->state,
            vdev->note[0] == '\0' ? "" : ", ", vdev->note);
    }
    return *count <= NAMED_MAX
               ? list
               : ng_arena_printf(arena, "%s and %zu more", list, *count - NAMED_MAX);
}

static void judge_degraded(
    const struct ng_zpool *pool, struct ng_arena *arena, struct ng_array *array) {
    size_t broken;
    const char *list = list_broken(pool, arena, true, &broken);
    if (pool->state == NULL) {
        array->degraded_why = "its state was not seen";
    } else if (is(pool->state, "ONLINE") && broken == 0 && pool->by_status &&
               pool->errors == NULL) {
        array->degraded_why = "what zpool status printed of it ends early";
    } else if (is(pool->state, "ONLINE")) {
        array->degraded = broken > 0 ? NG_ANSWER_YES : NG_ANSWER_NO;
        array->degraded_why =
            broken > 0 ? ng_arena_printf(arena, "its state is ONLINE, but %s", list) : "";
    } else if (is(pool->state, "SUSPENDED")) {
        array->degraded = NG_ANSWER_YES;
        array->degraded_why = "is SUSPENDED: whatever touches it hangs";
    } else if (ng_zpool_is_state(ng_span(pool->state, strlen(pool->state))) &&
               !is(pool->state, "UNKNOWN")) {
        array->degraded = NG_ANSWER_YES;
        array->degraded_why =
            ng_arena_printf(arena, "is %s%s%s", pool->state, list[0] == '\0' ? "" : ": ", list);
    } else {
        array->degraded_why = ng_arena_printf(arena, "its state \"%s\" is not known", pool->state);
    }
}

/* "raidz2" when all its groups are, "stripe" of bare disks, "mixed"; NULL: not told. */
static const char *level_of(const struct ng_zpool *pool, struct ng_arena *arena) {
    const char *level = NULL;
    for (size_t i = 0; i < pool->vdev_count; i++) {
        const struct ng_zpool_vdev *vdev = &pool->vdevs[i];
        if (!vdev->top || vdev->class != NG_ZPOOL_DATA || strncmp(vdev->name, "indirect", 8) == 0) {
            continue;
        }
        const char *kind =
            vdev->group ? ng_arena_strndup(arena, vdev->name, strcspn(vdev->name, "-:")) : "stripe";
        level = level == NULL || is(level, kind) ? kind : "mixed";
    }
    return level;
}

static void warn_of_devices(
    const struct ng_zpool *pool, struct ng_arena *arena, struct ng_array *array) {
    size_t count;
    const char *list = list_broken(pool, arena, false, &count);
    if (count > 0) {
        warn(array, arena, list);
    }
    const char *erred = "";
    count = 0;
    for (size_t i = 0; i < pool->vdev_count; i++) {
        if (pool->vdevs[i].erred && !pool->vdevs[i].group && ++count <= NAMED_MAX) {
            erred = ng_arena_printf(
                arena, "%s%s%s", erred, erred[0] == '\0' ? "" : ", ", pool->vdevs[i].name);
        }
    }
    if (count > 0) {
        warn(array, arena,
            ng_arena_printf(arena, "errors were counted on %zu device(s): %s", count, erred));
    }
}

/* A device that is being replaced is there twice: then nothing is counted. */
static void count_members(const struct ng_zpool *pool, struct ng_array *array) {
    int slots = 0, in_sync = 0;
    for (size_t i = 0; i < pool->vdev_count; i++) {
        const struct ng_zpool_vdev *vdev = &pool->vdevs[i];
        if (vdev->class != NG_ZPOOL_DATA) {
            continue;
        }
        if (strncmp(vdev->name, "replacing", 9) == 0 || strncmp(vdev->name, "spare", 5) == 0) {
            return;
        }
        slots += !vdev->group;
        in_sync += !vdev->group && is(vdev->state, "ONLINE");
    }
    if (slots > 0 && !pool->cut) {
        array->slots = slots;
        array->in_sync = in_sync;
    }
}

static const char *devices_seen(const struct ng_zpool *pool, struct ng_arena *arena) {
    const char *text = "";
    for (int class = NG_ZPOOL_DATA; class <= NG_ZPOOL_DEDUP; class ++) {
        size_t count = 0;
        for (size_t i = 0; i < pool->vdev_count; i++) {
            const struct ng_zpool_vdev *vdev = &pool->vdevs[i];
            count += !vdev->group && vdev->class == (enum ng_zpool_class) class;
        }
        if (count > 0) {
            text = ng_arena_printf(
                arena, "%s, %zu %s", text, count, ng_zpool_class_word((enum ng_zpool_class) class));
        }
    }
    return text;
}

void ng_zpool_judge(const struct ng_zpool *pool, struct ng_arena *arena, struct ng_array *array) {
    array->level = level_of(pool, arena);
    judge_busy(pool, arena, array);
    judge_degraded(pool, arena, array);
    count_members(pool, array);
    warn_of_devices(pool, arena, array);
    if (pool->errors != NULL && strcmp(pool->errors, "No known data errors") != 0) {
        warn(array, arena, ng_arena_printf(arena, "data errors: %s", pool->errors));
    }
    if (pool->share >= FULL_SHARE) {
        warn(array, arena,
            ng_arena_printf(arena, "it is %d%% full, which slows writes", pool->share));
    }
    if (pool->warning != NULL) {
        warn(array, arena, pool->warning);
    }
    array->trace = pool->last;
    array->seen = ng_arena_printf(arena, "state %s%s; scans: %s; errors: %s",
        pool->state == NULL ? "not seen" : pool->state, devices_seen(pool, arena),
        pool->last[0] == '\0' ? "none told" : pool->last,
        pool->errors == NULL ? "not seen" : pool->errors);
}
