/* Whether a btrfs is being scrubbed: btrfs's own words, the processes, its status file. */
#include "runner/facts/scrub.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/scan.h"

static bool has(struct ng_span line, const char *text) {
    return ng_span_after(line, text).at != NULL;
}

/* One line: what it answers. `unstarted` is kept between the lines of one device: a scrub that has
 * just begun has "no stats available" and yet a time that is left. */
static enum ng_answer status_line(struct ng_span line, bool *unstarted, bool *said) {
    struct ng_span status = ng_span_after(line, "Status:");
    if (ng_span_begins(line, "UUID:") || has(line, "scrub status for")) {
        *unstarted = false;
        return NG_ANSWER_NO;
    }
    if (has(line, "no stats available")) {
        *unstarted = true;
        *said = true;
        return NG_ANSWER_NO;
    }
    if (*unstarted && (has(line, "Time left:") || has(line, "Bytes scrubbed:"))) {
        return NG_ANSWER_YES;
    }
    if (status.at != NULL) {
        status = ng_span_trim(status);
        *said = true;
        return ng_span_is(status, "running") ? NG_ANSWER_YES
               : ng_span_is(status, "finished") || ng_span_is(status, "aborted") ||
                       ng_span_is(status, "interrupted")
                   ? NG_ANSWER_NO
                   : NG_ANSWER_UNKNOWN;
    }
    *said = *said || has(line, "finished after") || has(line, "interrupted after") ||
            has(line, "aborted after");
    return has(line, "running for") ? NG_ANSWER_YES : NG_ANSWER_NO;
}

enum ng_answer ng_scrub_status(const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    bool unstarted = false;
    bool said = false;
    bool doubt = false;
    while (ng_span_line(&rest, &line)) {
        enum ng_answer answer = status_line(ng_span_trim(line), &unstarted, &said);
        if (answer == NG_ANSWER_YES) {
            return NG_ANSWER_YES;
        }
        doubt = doubt || answer == NG_ANSWER_UNKNOWN;
    }
    return said && !doubt ? NG_ANSWER_NO : NG_ANSWER_UNKNOWN;
}

enum ng_answer ng_scrub_file(const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    bool ended = false;
    while (ng_span_line(&rest, &line)) {
        if (!ng_span_has(line, '|')) {
            continue; /* the header */
        }
        if (!has(line, "|finished:1") && !has(line, "|canceled:1")) {
            return NG_ANSWER_UNKNOWN;
        }
        ended = true;
    }
    return ended ? NG_ANSWER_NO : NG_ANSWER_UNKNOWN;
}

/* Lines "/proc/PID<TAB>NAME" of those that may scrub. Process 2 is the kernel's own where, and only
 * where, all processes of the machine can be seen. *who is one that may. */
enum ng_answer ng_btrfs_tasks(
    const struct ng_facts *facts, struct ng_arena *arena, const char **who) {
    const struct ng_source *source = ng_frames_find(&facts->frames, "scrub.tasks");
    struct ng_span rest = ng_span(source->text, source->len);
    struct ng_span line;
    bool all = false;
    *who = NULL;
    while (ng_span_line(&rest, &line)) {
        struct ng_span name = line;
        struct ng_span place = ng_span_until(&name, '\t');
        if (ng_span_is(place, "/proc/2")) {
            all = ng_span_is(name, "kthreadd");
        } else if (*who == NULL) {
            *who = ng_text_clean_dup(arena, line.at, line.len, NG_TEXT_LINE, 100);
        }
    }
    if (*who != NULL) {
        return NG_ANSWER_YES;
    }
    return all && ng_source_read(source) ? NG_ANSWER_NO : NG_ANSWER_UNKNOWN;
}

/* By the processes, else by the file. */
static void judge_unasked(const struct ng_facts *facts, struct ng_arena *arena, enum ng_answer busy,
    const char *who, struct ng_btrfs_work *work) {
    const struct ng_source *file =
        ng_frames_find(&facts->frames, ng_arena_printf(arena, "scrubbed.%s", work->uuid));
    work->scrub = NG_ANSWER_UNKNOWN;
    if (busy == NG_ANSWER_NO) {
        work->scrub = NG_ANSWER_NO;
        work->scrub_why = "no process scrubs";
    } else if (busy == NG_ANSWER_YES) {
        work->scrub_why = ng_arena_printf(arena, "the process %s may scrub it", who);
    } else if (facts->container == NG_ANSWER_NO && file->state == NG_SOURCE_ABSENT) {
        work->scrub = NG_ANSWER_NO;
        work->scrub_why = "it was never scrubbed";
    } else if (ng_source_read(file)) {
        work->scrub = ng_scrub_file(file->text, file->len);
        work->scrub_why = work->scrub == NG_ANSWER_NO ? "its last scrub has ended"
                                                      : "its last scrub may still go on";
    } else {
        work->scrub_why = "the processes of the host are not visible and its status file is not "
                          "readable here";
    }
}

static void judge(struct ng_facts *facts, struct ng_arena *arena, struct ng_btrfs_work *work) {
    const char *who = NULL;
    enum ng_answer busy = ng_btrfs_tasks(facts, arena, &who);
    const struct ng_source *status =
        ng_frames_find(&facts->frames, ng_arena_printf(arena, "scrub.%s", work->uuid));
    enum ng_answer told =
        ng_source_read(status) ? ng_scrub_status(status->text, status->len) : NG_ANSWER_UNKNOWN;
    if (told == NG_ANSWER_UNKNOWN) {
        judge_unasked(facts, arena, busy, who, work);
    } else if (told == NG_ANSWER_NO && busy == NG_ANSWER_YES &&
               has(ng_span(status->text, status->len), "no stats available")) {
        work->scrub = NG_ANSWER_UNKNOWN; /* one that has just begun has none yet */
        work->scrub_why = ng_arena_printf(
            arena, "btrfs has no statistics of it, and the process %s may scrub it", who);
    } else if (told == NG_ANSWER_YES && busy == NG_ANSWER_NO) {
        work->scrub = NG_ANSWER_UNKNOWN; /* what a crash left behind looks like this */
        work->scrub_why = "btrfs scrub status says that it runs, but no process does it";
    } else {
        work->scrub = told;
        work->scrub_why = told == NG_ANSWER_YES ? "btrfs scrub status says that it runs"
                                                : "btrfs scrub status says that none runs";
    }
}

void ng_scrub_read(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t i = 0; i < facts->blocks.work_count; i++) {
        judge(facts, arena, &facts->blocks.works[i]);
    }
}
