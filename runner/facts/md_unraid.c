/* Unraid's /proc/mdstat: key=value text of a driver of its own. */
#include <inttypes.h>
#include <string.h>

#include "runner/facts/arrays.h"
#include "runner/facts/md_parts.h"

enum { UNREADABLE = -2 }; /* the key is there, unlike -1 */

static void take_number(struct ng_md_unraid *unraid, struct ng_span key, struct ng_span value) {
    const struct {
        const char *name;
        int64_t *at;
    } rows[] = {
        {"mdNumDisks", &unraid->disks},
        {"mdNumDisabled", &unraid->disabled},
        {"mdNumInvalid", &unraid->invalid},
        {"mdNumMissing", &unraid->missing},
        {"mdNumWrong", &unraid->wrong},
        {"mdResync", &unraid->resync},
        {"mdResyncPos", &unraid->resync_pos},
        {"mdResyncDt", &unraid->resync_dt},
        {"mdResyncDb", &unraid->resync_db},
        {"mdResyncSize", &unraid->resync_size},
    };
    int64_t number;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (ng_span_is(key, rows[i].name)) {
            *rows[i].at = ng_span_int(value, &number) && number >= 0 ? number : UNREADABLE;
        }
    }
}

/* rdevName.3=sdd, diskName.3=md3p1: what it lies on and what it is. */
static void take_device(
    struct ng_md_unraid *unraid, struct ng_arena *arena, struct ng_span key, struct ng_span value) {
    bool device = ng_span_begins(key, "rdevName.") || ng_span_begins(key, "diskName.");
    if (device && value.len > 0 && unraid->device_count < NG_MD_UNRAID_DISKS_MAX) {
        unraid->devices[unraid->device_count++] = ng_span_dup(arena, value);
    }
}

/* rdevStatus.N that tells of a member that is not in use as it should; empty slots are normal. */
static void take_status(
    struct ng_md_unraid *unraid, struct ng_arena *arena, struct ng_span key, struct ng_span value) {
    static const char *const bad[] = {"DISK_DSBL", "DISK_INVALID", "DISK_WRONG", "DISK_NP_MISSING",
        "DISK_NP_DSBL", "DISK_DSBL_NEW"};
    struct ng_span slot = ng_span_after(key, "rdevStatus.");
    if (ng_span_is(slot, "29") && ng_span_is(value, "DISK_NP_DSBL")) {
        return; /* no second parity was ever configured */
    }
    for (size_t i = 0; slot.at != NULL && i < NG_COUNT(bad); i++) {
        if (ng_span_is(value, bad[i]) && strlen(unraid->members) < 500) {
            unraid->members = ng_arena_printf(arena, "%s, slot %.*s %s", unraid->members,
                (int)(slot.len > 8 ? 8 : slot.len), slot.at, bad[i]);
        }
    }
}

/* "check P", "recon D3", "clear": what it is in the words that a plan uses. */
static const char *activity(const char *action) {
    return strncmp(action, "check", 5) == 0   ? "check"
           : strncmp(action, "recon", 5) == 0 ? "recovery"
           : strcmp(action, "clear") == 0     ? "initialization"
                                              : NULL;
}

static void set_progress(struct ng_md_unraid *unraid) {
    int64_t size = unraid->resync_size > 0 ? unraid->resync_size : unraid->resync;
    if (size <= 0 || unraid->resync_pos > size) {
        return;
    }
    unraid->percent = 100.0 * (double)unraid->resync_pos / (double)size;
    if (unraid->waiting == NULL && unraid->resync_dt > 0 && unraid->resync_db > 0) {
        double seconds = (double)(size - unraid->resync_pos) * (double)unraid->resync_dt /
                         (double)unraid->resync_db;
        unraid->left_ns = seconds < 9e9 ? (int64_t)(seconds * 1e9) : -1;
    }
}

static void judge_busy(struct ng_md_unraid *unraid, struct ng_arena *arena) {
    const char *action = unraid->action[0] == '\0' ? "an operation" : unraid->action;
    if (unraid->resync < 0 || unraid->resync_pos < 0) {
        unraid->busy_why = "mdResync or mdResyncPos is missing";
        return;
    }
    if (unraid->resync == 0 && unraid->resync_pos == 0) {
        unraid->busy = NG_ANSWER_NO;
        return;
    }
    bool paused = unraid->resync == 0 || unraid->resync_dt == 0;
    unraid->busy = NG_ANSWER_YES;
    unraid->doing = activity(unraid->action);
    unraid->waiting = paused ? "paused" : NULL;
    set_progress(unraid);
    unraid->busy_why = ng_arena_printf(arena, "is in %s%s%s", action,
        ng_array_progress(arena, unraid->percent, unraid->left_ns), paused ? ", paused" : "");
}

static void judge_degraded(struct ng_md_unraid *unraid, struct ng_arena *arena) {
    if (unraid->disabled > 0 || unraid->invalid > 0 || unraid->missing > 0 || unraid->wrong > 0) {
        unraid->degraded = NG_ANSWER_YES;
    } else if (unraid->disabled == 0 && unraid->invalid == 0 && unraid->missing == 0 &&
               (unraid->wrong == 0 || (unraid->wrong == -1 && unraid->resync >= 0)) &&
               strcmp(unraid->state, "STARTED") == 0) {
        /* what comes behind tells that a count of wrong disks is absent, and not cut off */
        unraid->degraded = NG_ANSWER_NO;
    }
    if (unraid->degraded != NG_ANSWER_NO) {
        unraid->degraded_why = ng_arena_printf(arena,
            "mdState %s; disks disabled %" PRId64 ", invalid %" PRId64 ", missing %" PRId64
            ", wrong %" PRId64 "%s",
            unraid->state, unraid->disabled, unraid->invalid, unraid->missing, unraid->wrong,
            unraid->members);
    }
}

void ng_md_unraid_parse(struct ng_md_unraid *unraid, struct ng_arena *arena, struct ng_span text) {
    *unraid = (struct ng_md_unraid){.state = "",
        .action = "",
        .members = "",
        .last_start = "",
        .last_end = "",
        .last_errors = "",
        .disks = -1,
        .disabled = -1,
        .invalid = -1,
        .missing = -1,
        .wrong = -1,
        .resync = -1,
        .resync_pos = -1,
        .resync_dt = -1,
        .resync_db = -1,
        .resync_size = -1,
        .percent = -1,
        .left_ns = -1,
        .busy_why = "",
        .degraded_why = ""};
    struct ng_span line;
    while (ng_span_line(&text, &line)) {
        struct ng_span key = ng_span_until(&line, '=');
        const char **word = ng_span_is(key, "mdState")          ? &unraid->state
                            : ng_span_is(key, "mdResyncAction") ? &unraid->action
                            : ng_span_is(key, "sbSynced")       ? &unraid->last_start
                            : ng_span_is(key, "sbSynced2")      ? &unraid->last_end
                            : ng_span_is(key, "sbSyncErrs")     ? &unraid->last_errors
                                                                : NULL;
        if (word != NULL) {
            *word = ng_span_dup(arena, ng_span(line.at, line.len > 100 ? 100 : line.len));
        }
        take_number(unraid, key, line);
        take_device(unraid, arena, key, line);
        take_status(unraid, arena, key, line);
    }
    judge_busy(unraid, arena);
    judge_degraded(unraid, arena);
}
