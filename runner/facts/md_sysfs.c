/* /sys/block/mdN/md: one value per file, and what they say when they are all there is. */
#include <string.h>

#include "runner/facts/arrays.h"
#include "runner/facts/md_parts.h"

static const char **slot(struct ng_md_sysfs *sysfs, struct ng_span file) {
    const struct {
        const char *name;
        const char **at;
    } files[] = {
        {"array_state", &sysfs->array_state},
        {"sync_action", &sysfs->sync_action},
        {"sync_completed", &sysfs->sync_completed},
        {"degraded", &sysfs->degraded},
        {"raid_disks", &sysfs->raid_disks},
        {"level", &sysfs->level},
        {"resync_start", &sysfs->resync_start},
        {"reshape_position", &sysfs->reshape_position},
        {"last_sync_action", &sysfs->last_sync_action},
        {"mismatch_cnt", &sysfs->mismatch_cnt},
    };
    for (size_t i = 0; i < NG_COUNT(files); i++) {
        if (ng_span_is(file, files[i].name)) {
            return files[i].at;
        }
    }
    return NULL;
}

void ng_md_sysfs_parse(struct ng_md *md, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        bool unreadable = ng_span_begins(line, "!");
        if (unreadable) {
            line = ng_span(line.at + 1, line.len - 1);
        }
        struct ng_span name = ng_span_until(&line, '/');
        struct ng_span file = ng_span_until(&line, '\t');
        struct ng_span value = ng_span_trim(line);
        if (name.len == 0 || file.len == 0) {
            continue;
        }
        struct ng_md_array *array = ng_md_find_or_add(md, arena, name);
        if (array == NULL) {
            continue;
        }
        array->sysfs.present = true;
        const char **at = slot(&array->sysfs, file);
        if (at != NULL && !unreadable && value.len > 0) {
            *at = ng_span_dup(arena, value);
        }
    }
}

bool ng_md_is(const char *text, const char *word) {
    return text != NULL && strcmp(text, word) == 0;
}

bool ng_md_is_plain(const char *level) {
    return ng_md_is(level, "raid0") || ng_md_is(level, "linear") || ng_md_is(level, "faulty");
}

double ng_md_completed(const char *text) {
    struct ng_span rest = ng_span(text, text == NULL ? 0 : strlen(text));
    int64_t done, total;
    if (!ng_span_digits(&rest, &done)) {
        return -1;
    }
    rest = ng_span_trim(rest);
    if (!ng_span_begins(rest, "/") ||
        !ng_span_int(ng_span_trim(ng_span(rest.at + 1, rest.len - 1)), &total) || total <= 0) {
        return -1;
    }
    return 100.0 * (double)done / (double)total;
}

static void busy_by_action(struct ng_md_array *array, struct ng_arena *arena) {
    const struct ng_md_sysfs *sysfs = &array->sysfs;
    array->busy = NG_ANSWER_YES;
    array->action = ng_md_activity(sysfs->sync_action);
    array->percent = ng_md_completed(sysfs->sync_completed);
    array->waiting = ng_md_is(sysfs->sync_completed, "delayed") ? "delayed" : NULL;
    array->busy_why = ng_arena_printf(arena, "is in %s%s%s (sync_action)",
        ng_md_is(sysfs->sync_action, "recover") ? "recovery" : sysfs->sync_action,
        array->waiting != NULL ? ", delayed" : "", ng_array_progress(arena, array->percent, -1));
}

static void busy_by_sysfs(struct ng_md_array *array, struct ng_arena *arena) {
    const struct ng_md_sysfs *sysfs = &array->sysfs;
    if (sysfs->sync_action != NULL && !ng_md_is(sysfs->sync_action, "idle")) {
        busy_by_action(array, arena);
    } else if (ng_md_is(sysfs->sync_completed, "delayed")) {
        array->busy = NG_ANSWER_YES;
        array->waiting = "delayed";
        array->busy_why = "waits for another array (sync_completed is delayed)";
    } else if (sysfs->reshape_position != NULL && !ng_md_is(sysfs->reshape_position, "none")) {
        array->busy = NG_ANSWER_YES;
        array->action = "reshape";
        array->waiting = "paused";
        array->busy_why = "has an unfinished reshape";
    } else if (sysfs->resync_start != NULL && !ng_md_is(sysfs->resync_start, "none")) {
        array->busy = NG_ANSWER_YES;
        array->action = "resync";
        array->waiting = "pending";
        array->busy_why = "needs a resync (resync_start)";
    } else if (sysfs->sync_action != NULL || ng_md_is_plain(sysfs->level)) {
        array->busy = NG_ANSWER_NO;
    } else {
        array->busy_why = "sync_action could not be read";
    }
}

static void degraded_by_sysfs(struct ng_md_array *array, struct ng_arena *arena) {
    const struct ng_md_sysfs *sysfs = &array->sysfs;
    const char *text = sysfs->degraded;
    int64_t missing = 0;
    if (ng_md_is(sysfs->array_state, "broken") || ng_md_is(sysfs->array_state, "inactive")) {
        array->degraded = NG_ANSWER_YES;
        array->degraded_why = ng_arena_printf(arena, "array_state is %s", sysfs->array_state);
    } else if (text != NULL && ng_span_int(ng_span(text, strlen(text)), &missing)) {
        if (missing < 0) {
            array->degraded_why = ng_arena_printf(arena, "degraded in sysfs is \"%s\"", text);
        } else if (missing > 0 && array->per_bay) {
            array->degraded_why = "which of its slots may be empty is only told by /proc/mdstat";
        } else if (missing > 0) {
            array->degraded = NG_ANSWER_YES;
            array->degraded_why = ng_arena_printf(arena, "degraded, %s member(s) missing", text);
        } else {
            array->degraded = NG_ANSWER_NO;
        }
    } else if (ng_md_is_plain(sysfs->level) && sysfs->array_state != NULL) {
        array->degraded = NG_ANSWER_NO;
    } else {
        array->degraded_why = "degraded in sysfs could not be read";
    }
}

void ng_md_judge_sysfs(
    struct ng_md_array *array, struct ng_arena *arena, enum ng_platform platform) {
    ng_md_set_place(array, platform);
    if (ng_md_is(array->sysfs.array_state, "clear")) {
        array->busy = NG_ANSWER_NO;
        array->degraded = NG_ANSWER_NO;
        return;
    }
    busy_by_sysfs(array, arena);
    degraded_by_sysfs(array, arena);
}
