/* Unraid's /proc/mdstat: key=value text of a driver of its own. */
#include <inttypes.h>
#include <string.h>

#include "runner/facts/md_parts.h"

static void take(struct ng_span key, struct ng_span value, const char *name, int64_t *out) {
    int64_t number;
    if (ng_span_is(key, name) && ng_span_int(value, &number)) {
        *out = number;
    }
}

static void judge_busy(struct ng_md_unraid *unraid, struct ng_arena *arena, int64_t size) {
    const char *action = unraid->action[0] == '\0' ? "an operation" : unraid->action;
    if (unraid->resync < 0 || unraid->resync_pos < 0) {
        unraid->why = "mdResync or mdResyncPos is missing";
        return;
    }
    if (unraid->resync == 0 && unraid->resync_pos == 0) {
        unraid->busy = NG_ANSWER_NO;
        return;
    }
    unraid->busy = NG_ANSWER_YES;
    if (size <= 0) {
        size = unraid->resync > 0 ? unraid->resync : 0;
    }
    bool paused = unraid->resync == 0 || unraid->resync_dt == 0;
    const char *percent = size == 0 ? ""
                                    : ng_arena_printf(arena, ", %.1f%%",
                                          100.0 * (double)unraid->resync_pos / (double)size);
    unraid->why =
        ng_arena_printf(arena, "the array is in %s%s%s", action, percent, paused ? ", paused" : "");
}

static void judge_degraded(struct ng_md_unraid *unraid, struct ng_arena *arena) {
    if (unraid->disabled > 0 || unraid->invalid > 0 || unraid->missing > 0 || unraid->wrong > 0) {
        unraid->degraded = NG_ANSWER_YES;
    } else if (unraid->disabled == 0 && unraid->invalid == 0 && unraid->missing == 0 &&
               strcmp(unraid->state, "STARTED") == 0) {
        unraid->degraded = NG_ANSWER_NO;
    }
    if (unraid->degraded != NG_ANSWER_NO) {
        unraid->why = ng_arena_printf(arena,
            "%s%smdState %s; disks disabled %" PRId64 ", invalid %" PRId64 ", missing %" PRId64
            ", wrong %" PRId64,
            unraid->why, unraid->why[0] == '\0' ? "" : "; ", unraid->state, unraid->disabled,
            unraid->invalid, unraid->missing, unraid->wrong);
    }
}

void ng_md_unraid_parse(struct ng_md_unraid *unraid, struct ng_arena *arena, struct ng_span text) {
    *unraid = (struct ng_md_unraid){.state = "",
        .action = "",
        .disks = -1,
        .disabled = -1,
        .invalid = -1,
        .missing = -1,
        .wrong = -1,
        .resync = -1,
        .resync_pos = -1,
        .resync_dt = -1,
        .resync_db = -1,
        .why = ""};
    int64_t size = -1;
    struct ng_span line;
    while (ng_span_line(&text, &line)) {
        struct ng_span key = ng_span_until(&line, '=');
        if (ng_span_is(key, "mdState")) {
            unraid->state = ng_span_dup(arena, line);
        } else if (ng_span_is(key, "mdResyncAction")) {
            unraid->action = ng_span_dup(arena, line);
        }
        take(key, line, "mdNumDisks", &unraid->disks);
        take(key, line, "mdNumDisabled", &unraid->disabled);
        take(key, line, "mdNumInvalid", &unraid->invalid);
        take(key, line, "mdNumMissing", &unraid->missing);
        take(key, line, "mdNumWrong", &unraid->wrong);
        take(key, line, "mdResync", &unraid->resync);
        take(key, line, "mdResyncPos", &unraid->resync_pos);
        take(key, line, "mdResyncDt", &unraid->resync_dt);
        take(key, line, "mdResyncDb", &unraid->resync_db);
        take(key, line, "mdResyncSize", &size);
    }
    judge_busy(unraid, arena, size);
    judge_degraded(unraid, arena);
}
