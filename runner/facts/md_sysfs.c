/* /sys/block/mdN/md: one value per file, and what they say when they are all there is. */
#include <string.h>

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

static void busy_by_sysfs(struct ng_md_array *array, struct ng_arena *arena) {
    const struct ng_md_sysfs *sysfs = &array->sysfs;
    if (sysfs->sync_action != NULL && strcmp(sysfs->sync_action, "idle") != 0) {
        array->busy = NG_ANSWER_YES;
        array->action = ng_md_is(sysfs->sync_action, "recover") ? "recovery" : sysfs->sync_action;
        array->why = ng_arena_printf(arena, "sync_action is %s", sysfs->sync_action);
    } else if (ng_md_is(sysfs->sync_completed, "delayed")) {
        array->busy = NG_ANSWER_YES;
        array->action = "delayed";
        array->why = "sync_completed is delayed";
    } else if (sysfs->reshape_position != NULL && strcmp(sysfs->reshape_position, "none") != 0) {
        array->busy = NG_ANSWER_YES;
        array->action = "reshape";
        array->why = "an unfinished reshape";
    } else if (sysfs->resync_start != NULL && strcmp(sysfs->resync_start, "none") != 0) {
        array->busy = NG_ANSWER_YES;
        array->action = "resync";
        array->why = "a resync is needed";
    } else if (sysfs->sync_action != NULL || ng_md_is_plain(sysfs->level)) {
        array->busy = NG_ANSWER_NO;
    } else {
        array->why = "sync_action could not be read";
    }
}

void ng_md_judge_sysfs(struct ng_md_array *array, struct ng_arena *arena) {
    const struct ng_md_sysfs *sysfs = &array->sysfs;
    if (ng_md_is(sysfs->array_state, "clear")) {
        array->busy = NG_ANSWER_NO;
        array->degraded = NG_ANSWER_NO;
        return;
    }
    busy_by_sysfs(array, arena);
    int64_t missing = 0;
    const char *text = sysfs->degraded;
    if (ng_md_is(sysfs->array_state, "broken") || ng_md_is(sysfs->array_state, "inactive")) {
        array->degraded = NG_ANSWER_YES;
    } else if (text != NULL && ng_span_int(ng_span(text, strlen(text)), &missing)) {
        array->degraded = missing > 0 ? NG_ANSWER_YES : NG_ANSWER_NO;
    } else if (ng_md_is_plain(sysfs->level) && sysfs->array_state != NULL) {
        array->degraded = NG_ANSWER_NO;
    }
}
