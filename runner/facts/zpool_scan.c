/* What stands behind the keywords of `zpool status`: scans, removals, expansions, checkpoints. */
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/progress.h"
#include "runner/facts/zpool_parts.h"

enum { LAST_MAX = 2048 };

static const char *one_line(struct ng_arena *arena, struct ng_span text) {
    return ng_text_clean_dup(arena, text.len == 0 ? "" : text.at, text.len, NG_TEXT_LINE, 400);
}

static bool has(struct ng_span text, const char *words) {
    return ng_span_after(text, words).at != NULL;
}

void ng_zpool_odd(struct ng_zpool *pool, struct ng_arena *arena, struct ng_span line) {
    pool->odd = pool->odd != NULL ? pool->odd : one_line(arena, line);
}

void ng_zpool_last(struct ng_zpool *pool, struct ng_arena *arena, struct ng_span line) {
    if (strlen(pool->last) < LAST_MAX) {
        pool->last = ng_arena_printf(
            arena, "%s%s%s", pool->last, pool->last[0] == '\0' ? "" : "; ", one_line(arena, line));
    }
}

void ng_zpool_warn(struct ng_zpool *pool, struct ng_arena *arena, const char *text) {
    if (pool->warning == NULL || strlen(pool->warning) < LAST_MAX) {
        pool->warning =
            pool->warning == NULL ? text : ng_arena_printf(arena, "%s; %s", pool->warning, text);
    }
}

struct ng_zpool_work *ng_zpool_work_add(
    struct ng_zpool *pool, struct ng_arena *arena, const char *action, struct ng_span text) {
    if (pool->work_count >= NG_ZPOOL_WORKS_MAX) {
        pool->cut = true;
        return NULL;
    }
    pool->works = ng_arena_grow(
        arena, pool->works, pool->work_count, &pool->work_capacity, sizeof *pool->works);
    struct ng_zpool_work *work = &pool->works[pool->work_count++];
    *work = (struct ng_zpool_work){
        .action = action, .percent = -1, .left_ns = -1, .text = one_line(arena, text)};
    return work;
}

/* "..., 23.87% done, 0 days 09:41:59 to go": what stands before "to go", back to the comma. */
static int64_t time_left(struct ng_span text) {
    struct ng_span behind = ng_span_after(text, " to go");
    if (behind.at == NULL) {
        return -1;
    }
    struct ng_span before = ng_span(text.at, text.len - behind.len - strlen(" to go"));
    const char *comma = before.len == 0 ? NULL : memrchr(before.at, ',', before.len);
    if (comma == NULL) {
        return -1;
    }
    size_t skip = (size_t)(comma - before.at) + 1;
    return ng_progress_duration(ng_span(before.at + skip, before.len - skip));
}

static void add_running(struct ng_zpool *pool, struct ng_arena *arena, const char *action,
    struct ng_span first, struct ng_span all, bool paused) {
    struct ng_zpool_work *work = ng_zpool_work_add(pool, arena, action, all);
    if (work != NULL) {
        work->paused = paused;
        work->percent = ng_progress_percent(all);
        work->left_ns = time_left(all);
    }
    ng_zpool_last(pool, arena, first);
}

static bool has_any(struct ng_span text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (has(text, words[i])) {
            return true;
        }
    }
    return false;
}

/* The phrase counts, not the noun: how a scan ended holds "resilvered" and "repaired" as well. */
static void scan(
    struct ng_zpool *pool, struct ng_arena *arena, struct ng_span first, struct ng_span all) {
    static const char *const ends[] = {"scrub repaired", "resilvered", "scrubbed", "canceled",
        "cancelled", "completed", "stopped"};
    bool resilver = has(first, "resilver");
    bool known = resilver || has(first, "scrub");
    const char *action = resilver ? "resilver" : "scrub";
    if (ng_span_begins(first, "none requested")) {
        return;
    }
    if (known && has(first, "in progress")) {
        add_running(pool, arena, action, first, all, false);
    } else if (known && has(first, "paused since")) {
        add_running(pool, arena, action, first, all, true);
    } else if (has_any(first, ends, NG_COUNT(ends))) {
        ng_zpool_last(pool, arena, first);
    } else {
        ng_zpool_odd(pool, arena, first);
    }
}

/* "Evacuation of sdb in progress since ...", "Removal of vdev 1 copied ... completed on ...". */
static void removal(
    struct ng_zpool *pool, struct ng_arena *arena, struct ng_span first, struct ng_span all) {
    if (has(first, "in progress")) {
        add_running(pool, arena, "remove", first, all, false);
    } else if (has(first, "completed on") || has(first, "canceled on")) {
        ng_zpool_last(pool, arena, first);
    } else if (!has(all, "memory used for removed device")) {
        ng_zpool_odd(pool, arena, first);
    }
}

/* One that waits for a resilver goes on by itself: it is at work. */
static void expansion(
    struct ng_zpool *pool, struct ng_arena *arena, struct ng_span first, struct ng_span all) {
    if (has(first, "in progress") || has(first, "paused")) {
        add_running(pool, arena, "expand", first, all, false);
    } else if (has(first, "expanded") || has(first, "canceled") || has(first, "completed")) {
        ng_zpool_last(pool, arena, first);
    } else {
        ng_zpool_odd(pool, arena, first);
    }
}

static void checkpoint(
    struct ng_zpool *pool, struct ng_arena *arena, struct ng_span first, struct ng_span all) {
    if (has(first, "discarding")) {
        (void)ng_zpool_work_add(pool, arena, "discard", all);
    } else if (has(first, "created")) {
        ng_zpool_warn(pool, arena,
            ng_arena_printf(arena, "it has a checkpoint (%s)", one_line(arena, first)));
    } else {
        ng_zpool_odd(pool, arena, first);
    }
}

static void plain(struct ng_zpool *pool, struct ng_arena *arena, struct ng_span keyword,
    struct ng_span first, struct ng_span all) {
    if (ng_span_is(keyword, "state")) {
        pool->state = first.len == 0 ? NULL : one_line(arena, first);
        if (all.len > first.len) { /* it is one word: what follows it is another entry */
            ng_zpool_odd(pool, arena, ng_span(all.at + first.len, all.len - first.len));
        }
    } else if (ng_span_is(keyword, "status")) {
        pool->status = one_line(arena, all);
    } else if (ng_span_is(keyword, "errors")) {
        pool->errors = one_line(arena, first);
        /* it comes last: there is no scan where none was told, between the pool's name and it */
        pool->scans_known = pool->by_status;
    } else if (ng_span_is(keyword, "scan warning")) {
        ng_zpool_warn(pool, arena, one_line(arena, all));
    } else if (has(all, "in progress") && !ng_span_is(keyword, "action")) {
        const char *text = ng_span_dup(arena, first);
        const char *line = ng_arena_printf(arena, "%s: %s", ng_span_dup(arena, keyword), text);
        ng_zpool_odd(pool, arena, ng_span(line, strlen(line)));
    }
}

void ng_zpool_entry(
    struct ng_zpool *pool, struct ng_arena *arena, struct ng_span keyword, struct ng_span text) {
    struct ng_span rest = text, first = ng_span("", 0);
    (void)ng_span_line(&rest, &first);
    if (ng_span_is(keyword, "scan") || ng_span_is(keyword, "scrub")) {
        scan(pool, arena, first, text);
    } else if (ng_span_is(keyword, "remove")) {
        removal(pool, arena, first, text);
    } else if (ng_span_is(keyword, "expand") || ng_span_is(keyword, "raidz expand")) {
        expansion(pool, arena, first, text);
    } else if (ng_span_is(keyword, "checkpoint")) {
        checkpoint(pool, arena, first, text);
    } else {
        plain(pool, arena, keyword, first, text);
    }
}
