/* Whether an md array is at work, from /proc/mdstat with sysfs as cross-check. */
#include <string.h>

#include "runner/facts/activity.h"
#include "runner/facts/arrays.h"
#include "runner/facts/md_parts.h"

const char *ng_md_activity(const char *action) {
    const char *word =
        ng_md_is(action, "recover") || ng_md_is(action, "rebuild") ? "recovery" : action;
    const struct ng_activity *known = word == NULL ? NULL : ng_activity_find(word);
    return known == NULL ? NULL : known->word;
}

/* What sysfs says it does, which tells a repair from a resync and what a DELAYED waits for; NULL
 * where it says nothing or nothing goes on. */
static const char *sysfs_action(const struct ng_md_array *array) {
    const char *action = array->sysfs.sync_action;
    return action == NULL || ng_md_is(action, "idle") ? NULL : action;
}

/* md prints "resync" for what waits whatever it is, so that the word counts for PENDING alone. */
static const char *doing(const struct ng_md_array *array, const struct ng_md_work *work) {
    const char *action = sysfs_action(array);
    if (action != NULL && !ng_md_is(action, "frozen")) {
        return ng_md_is(action, "recover") ? "recovery" : action; /* one word for one thing */
    }
    return ng_md_is(work->waiting, "DELAYED") ? NULL : work->action;
}

static const char *waiting_word(const struct ng_md_work *work) {
    return ng_md_is(work->waiting, "DELAYED")   ? "delayed"
           : ng_md_is(work->waiting, "PENDING") ? "pending"
           : ng_md_is(work->waiting, "REMOTE")  ? "remote"
                                                : NULL;
}

static int64_t left_ns(const struct ng_md_work *work) {
    const double ns = work->finish_minutes * 60e9;
    return work->finish_minutes < 0 || ns > 9e18 ? -1 : (int64_t)ns;
}

static const char *work_words(
    const struct ng_md_array *array, struct ng_arena *arena, const struct ng_md_work *work) {
    const char *action = doing(array, work);
    if (ng_md_is(work->waiting, "DELAYED")) {
        return ng_arena_printf(arena,
            "waits for another array%s%s (DELAYED) and will start by itself",
            action == NULL ? "" : " to begin its ", action == NULL ? "" : action);
    }
    if (ng_md_is(work->waiting, "PENDING")) {
        return ng_arena_printf(arena, "has a %s PENDING, which the first write starts", action);
    }
    if (work->waiting != NULL) {
        return ng_arena_printf(arena, "is in %s on another node (REMOTE)", action);
    }
    return ng_arena_printf(
        arena, "is in %s%s", action, ng_array_progress(arena, work->percent, left_ns(work)));
}

/* Several at once have no word that a plan could allow. */
static void set_action(struct ng_md_array *array) {
    const struct ng_md_work *work = &array->works[0];
    if (array->work_count > 1) {
        return;
    }
    array->action = ng_md_activity(doing(array, work));
    array->waiting = waiting_word(work);
    if (work->waiting == NULL) {
        array->percent = work->percent;
        array->left_ns = left_ns(work);
    }
}

static void busy_by_works(struct ng_md_array *array, struct ng_arena *arena) {
    const struct ng_md_work *work = &array->works[0];
    bool local = !ng_md_is(work->waiting, "PENDING") && !ng_md_is(work->waiting, "REMOTE");
    for (size_t i = 0; i < array->work_count; i++) {
        ng_md_say(arena, &array->busy_why, work_words(array, arena, &array->works[i]));
    }
    if (local && ng_md_is(array->sysfs.sync_action, "idle")) {
        ng_md_say(arena, &array->busy_why, "but sync_action in sysfs is idle");
        return;
    }
    array->busy = NG_ANSWER_YES;
    set_action(array);
}

/* A running array with redundancy prints counters and a map that fit, and its lines have an end.
 * Where one is missing, they are cut off or damaged, and a missing progress line proves nothing;
 * except below a disk error of DSM, which does not rebuild from such a member. */
static bool is_readable(const struct ng_md_array *array) {
    bool bare = array->slots < 0 && array->map == NULL;
    bool refused = array->map != NULL && strchr(array->map, 'E') != NULL;
    return (array->closed || refused) &&
           (!ng_md_is(array->state, "active") || (bare && ng_md_is_plain(array->personality)) ||
               ng_md_counters_agree(array));
}

static void busy_without_works(struct ng_md_array *array, struct ng_arena *arena) {
    const struct ng_md_sysfs *sysfs = &array->sysfs;
    if (ng_md_is(sysfs->sync_action, "frozen")) {
        array->busy = NG_ANSWER_YES;
        array->action = "frozen";
        array->busy_why = "is held back (sync_action is frozen)";
    } else if (sysfs_action(array) != NULL) {
        array->busy_why = ng_arena_printf(arena,
            "sync_action in sysfs is %s, but /proc/mdstat shows no progress", sysfs->sync_action);
    } else if (sysfs->reshape_position != NULL && !ng_md_is(sysfs->reshape_position, "none")) {
        array->busy = NG_ANSWER_YES;
        array->action = "reshape";
        array->waiting = "paused";
        array->busy_why = "has an unfinished reshape";
    } else if (array->odd_line != NULL) {
        array->busy_why = ng_arena_printf(arena, "a line is not understood: %s", array->odd_line);
    } else if (sysfs->sync_action != NULL || is_readable(array)) {
        array->busy = NG_ANSWER_NO;
    } else {
        array->busy_why = NG_MD_NOT_CLOSED;
    }
}

void ng_md_judge_busy(struct ng_md_array *array, struct ng_arena *arena) {
    bool known = ng_md_is(array->state, "active") || ng_md_is(array->state, "inactive") ||
                 ng_md_is(array->state, "broken");
    if (array->work_count > 0) {
        busy_by_works(array, arena);
    } else if (known) {
        busy_without_works(array, arena);
    } else {
        array->busy_why = ng_arena_printf(arena, "its state \"%s\" is not known", array->state);
    }
}
