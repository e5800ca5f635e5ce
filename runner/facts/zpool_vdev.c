/* The table of a pool's devices. */
#include <string.h>

#include "runner/base/units.h"
#include "runner/facts/progress.h"
#include "runner/facts/zpool_parts.h"

bool ng_zpool_is_state(struct ng_span word) {
    static const char *const states[] = {"ONLINE", "DEGRADED", "FAULTED", "OFFLINE", "REMOVED",
        "UNAVAIL", "SPLIT", "SUSPENDED", "AVAIL", "INUSE", "UNKNOWN"};
    for (size_t i = 0; i < NG_COUNT(states); i++) {
        if (ng_span_is(word, states[i])) {
            return true;
        }
    }
    return false;
}

bool ng_zpool_is_group(struct ng_span name) {
    static const char *const kinds[] = {"mirror", "raidz", "raidz1", "raidz2", "raidz3", "draid",
        "draid1", "draid2", "draid3", "replacing", "spare", "indirect", "hole", "missing", "root"};
    struct ng_span kind = name;
    for (size_t i = 0; i < name.len; i++) {
        if (name.at[i] == '-' || name.at[i] == ':') {
            kind.len = i;
            break;
        }
    }
    for (size_t i = 0; i < NG_COUNT(kinds); i++) {
        if (ng_span_is(kind, kinds[i])) {
            return true;
        }
    }
    return false;
}

bool ng_zpool_class_of(struct ng_span word, enum ng_zpool_class *class) {
    static const struct {
        const char *word;
        enum ng_zpool_class class;
    } rows[] = {
        {"logs", NG_ZPOOL_LOG},
        {"log", NG_ZPOOL_LOG},
        {"cache", NG_ZPOOL_CACHE},
        {"l2cache", NG_ZPOOL_CACHE},
        {"spares", NG_ZPOOL_SPARE},
        {"spare", NG_ZPOOL_SPARE},
        {"special", NG_ZPOOL_SPECIAL},
        {"dedup", NG_ZPOOL_DEDUP},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (ng_span_is(word, rows[i].word)) {
            *class = rows[i].class;
            return true;
        }
    }
    return false;
}

struct ng_zpool_vdev *ng_zpool_vdev_add(struct ng_zpool *pool, struct ng_arena *arena) {
    if (pool->vdev_count >= NG_ZPOOL_VDEVS_MAX) {
        pool->cut = true;
        return NULL;
    }
    pool->vdevs = ng_arena_grow(
        arena, pool->vdevs, pool->vdev_count, &pool->vdev_capacity, sizeof *pool->vdevs);
    struct ng_zpool_vdev *vdev = &pool->vdevs[pool->vdev_count++];
    *vdev = (struct ng_zpool_vdev){.name = "", .state = "", .note = ""};
    return vdev;
}

/* Tabs lead to the next column that divides by eight. */
static size_t column_of(struct ng_span line) {
    size_t column = 0;
    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] == '\t') {
            column = column / 8 * 8 + 8;
        } else if (line.at[i] == ' ') {
            column++;
        } else {
            break;
        }
    }
    return column;
}

/* "0", "1.23K", "-"; *zero stays true while all are zero. */
static bool is_counter(struct ng_span word, bool *zero) {
    double number;
    if (ng_span_is(word, "-")) {
        return true;
    }
    size_t used = ng_number_scan(word.at, word.len, &number);
    bool unit = used + 1 == word.len && strchr("BKMGTPE", word.at[used]) != NULL;
    if (used == 0 || (used != word.len && !unit)) {
        return false;
    }
    *zero = *zero && number == 0;
    return true;
}

/* Behind the state: READ WRITE CKSUM, which spares have not, then whatever is worth telling. */
static void set_rest(struct ng_zpool_vdev *vdev, struct ng_arena *arena, struct ng_span rest) {
    bool zero = true;
    for (int i = 0; i < 3; i++) {
        struct ng_span before = rest, word;
        if (!ng_span_word(&rest, &word) || !is_counter(word, &zero)) {
            rest = before;
            break;
        }
    }
    vdev->erred = !zero;
    vdev->note = ng_span_dup(arena, ng_span_trim(rest));
}

/* The name is all before the first word that is a state: names may hold blanks. */
static bool split_row(
    struct ng_span line, struct ng_span *name, struct ng_span *state, struct ng_span *rest) {
    *rest = line;
    bool first = true;
    while (ng_span_word(rest, state)) {
        if (!first && ng_zpool_is_state(*state)) {
            *name = ng_span_trim(ng_span(line.at, (size_t)(state->at - line.at)));
            return true;
        }
        first = false;
    }
    return false;
}

void ng_zpool_row(struct ng_zpool *pool, struct ng_arena *arena, struct ng_span line,
    enum ng_zpool_class *class, size_t *base) {
    struct ng_span name, state, rest;
    struct ng_span trimmed = ng_span_trim(line);
    if (ng_zpool_class_of(trimmed, class)) {
        return;
    }
    if (ng_span_begins(trimmed, "The configuration cannot be determined")) {
        return;
    }
    if (!split_row(line, &name, &state, &rest)) {
        ng_zpool_odd(pool, arena, trimmed);
        return;
    }
    struct ng_zpool_vdev *vdev = ng_zpool_vdev_add(pool, arena);
    if (vdev == NULL) {
        return;
    }
    size_t column = column_of(line);
    bool first = *base == SIZE_MAX;
    *base = first ? column : *base;
    vdev->name = ng_span_dup(arena, name);
    vdev->state = ng_span_dup(arena, state);
    vdev->class = *class;
    vdev->top = !first && column == *base + 2;
    vdev->group = first || (*class != NG_ZPOOL_SPARE && ng_zpool_is_group(name));
    set_rest(vdev, arena, rest);
    ng_zpool_note(pool, arena, vdev);
}

/* "(initializing)", and with -i and -t "(45% initialized, started at ...)", "(... suspended ...)",
 * "(100% trimmed, completed at ...)". */
static void note_progress(struct ng_zpool *pool, struct ng_arena *arena, const char *done,
    const char *action, struct ng_span note) {
    struct ng_span behind = ng_span_after(note, done);
    if (behind.at == NULL) {
        return;
    }
    struct ng_span words = ng_span_until(&behind, ')');
    if (ng_span_after(words, "completed").at != NULL) {
        return;
    }
    struct ng_zpool_work *work = ng_zpool_work_add(pool, arena, action, note);
    if (work != NULL) {
        size_t len = (size_t)(words.at - note.at);
        work->percent = ng_progress_percent(ng_span(note.at, len));
        work->paused = ng_span_after(words, "suspended").at != NULL;
    }
}

/* A scrub that is paused leaves "(repairing)" behind. */
static bool has_paused(const struct ng_zpool *pool, const char *action) {
    for (size_t i = 0; i < pool->work_count; i++) {
        if (pool->works[i].paused && strcmp(pool->works[i].action, action) == 0) {
            return true;
        }
    }
    return false;
}

void ng_zpool_note(
    struct ng_zpool *pool, struct ng_arena *arena, const struct ng_zpool_vdev *vdev) {
    static const struct {
        const char *text, *action;
    } rows[] = {
        {"(resilvering)", "resilver"},
        {"(awaiting resilver)", "resilver"},
        {"(repairing)", "scrub"},
        {"(initializing)", "initialize"},
        {"(trimming)", "trim"},
        {"(removing)", "remove"},
    };
    struct ng_span note = ng_span(vdev->note, strlen(vdev->note));
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (ng_span_after(note, rows[i].text).at != NULL) {
            const char *text = ng_arena_printf(arena, "%s %s", vdev->name, rows[i].text);
            bool paused = has_paused(pool, rows[i].action);
            struct ng_zpool_work *work =
                ng_zpool_work_add(pool, arena, rows[i].action, ng_span(text, strlen(text)));
            if (work != NULL) {
                work->paused = paused;
            }
        }
    }
    note_progress(pool, arena, "% initialized", "initialize", note);
    note_progress(pool, arena, "% trimmed", "trim", note);
}
