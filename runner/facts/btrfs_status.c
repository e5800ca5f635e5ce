/* What the btrfs tool prints of one file system. */
#include "runner/facts/btrfs_status.h"

#include <string.h>

#include "runner/base/guard.h"
#include "runner/base/text.h"
#include "runner/facts/progress.h"
#include "runner/facts/scrub.h"

enum { LAST_MAX = 1024, ERRED_MAX = 400 };

static bool has(struct ng_span line, const char *text) {
    return ng_span_after(line, text).at != NULL;
}

static const char *one_line(struct ng_arena *arena, struct ng_span text) {
    return ng_text_clean_dup(arena, text.len == 0 ? "" : text.at, text.len, NG_TEXT_LINE, 300);
}

static const char *join(struct ng_arena *arena, const char *list, size_t max, struct ng_span line) {
    return list != NULL && strlen(list) >= max
               ? list
               : ng_arena_printf(arena, "%s%s%s", list == NULL ? "" : list,
                     list == NULL || list[0] == '\0' ? "" : "; ", one_line(arena, line));
}

static struct ng_btrfs_job nothing(void) {
    return (struct ng_btrfs_job){.percent = -1, .left_ns = -1, .last = ""};
}

/* Of several devices the one that is the least far counts, and the one that takes longest. */
static void scrub_amounts(struct ng_btrfs_job *job, struct ng_span line) {
    struct ng_span left = ng_span_after(line, "Time left:");
    if (left.at != NULL) {
        int64_t ns = ng_progress_duration(left);
        job->left_ns = ns > job->left_ns ? ns : job->left_ns;
    } else if (has(line, "Bytes scrubbed:")) {
        double percent = ng_progress_percent(line);
        if (percent >= 0 && (job->percent < 0 || percent < job->percent)) {
            job->percent = percent;
        }
    }
}

/* "Error summary:    csum=3", and before 5.2 "total bytes scrubbed: 1.00GiB with 3 errors". */
static void scrub_errors(struct ng_btrfs_job *job, struct ng_arena *arena, struct ng_span line) {
    struct ng_span summary = ng_span_after(line, "Error summary:");
    bool some = summary.at != NULL && !has(summary, "no errors found");
    struct ng_span with = ng_span_after(line, " with ");
    if (has(line, "total bytes scrubbed:") && with.at != NULL) {
        some = !ng_span_begins(with, "0 errors");
    }
    if (some) {
        job->errors = join(arena, job->errors, LAST_MAX, ng_span_trim(line));
    }
}

struct ng_btrfs_job ng_btrfs_scrub_parse(struct ng_arena *arena, const char *text, size_t len) {
    struct ng_btrfs_job job = nothing();
    struct ng_span rest = ng_span(text, len), line;
    job.runs = ng_scrub_status(text, len);
    while (ng_span_line(&rest, &line)) {
        line = ng_span_trim(line);
        scrub_amounts(&job, line);
        scrub_errors(&job, arena, line);
        /* what changes while it runs is no trace: the old words have the duration on one line */
        bool old = has(line, "scrub started at") || has(line, "scrub resumed at");
        if (old && has(line, "running for")) {
            line = ng_span_until(&line, ',');
        }
        if (old || has(line, "Scrub started:") || has(line, "Scrub resumed:") ||
            has(line, "Status:")) {
            job.last = join(arena, job.last, LAST_MAX, line);
        }
    }
    if (job.runs != NG_ANSWER_YES) {
        job.percent = -1;
        job.left_ns = -1;
    }
    return job;
}

/* "Balance on '/mnt' is running" or "is paused", then "3 out of about 9 chunks balanced (10
 * considered),  67% left". */
struct ng_btrfs_job ng_btrfs_balance_parse(struct ng_arena *arena, const char *text, size_t len) {
    struct ng_btrfs_job job = nothing();
    struct ng_span rest = ng_span(text, len), line;
    (void)arena;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_begins(line, "No balance found on")) {
            job.runs = NG_ANSWER_NO;
        } else if (ng_span_begins(line, "Balance on")) {
            bool runs = has(line, "' is running");
            job.paused = !runs && has(line, "' is paused");
            job.runs = runs ? NG_ANSWER_YES : job.paused ? NG_ANSWER_NO : NG_ANSWER_UNKNOWN;
        } else if (has(line, "% left")) {
            double left = ng_progress_percent(line);
            job.percent = left >= 0 ? 100 - left : -1;
        }
    }
    return job;
}

/* "12.3% done, 0 write errs, 0 uncorr. read errs", "Never started", "Started on 30.Nov 11:51:53,
 * finished on 30.Nov 12:00:01, 0 write errs, 0 uncorr. read errs"; suspended is until the next
 * mount. A terminal's backspaces stand between repeated lines. */
struct ng_btrfs_job ng_btrfs_replace_parse(struct ng_arena *arena, const char *text, size_t len) {
    struct ng_btrfs_job job = nothing();
    struct ng_span rest = ng_span(text, len), line = ng_span("", 0);
    while (rest.len > 0 && line.len == 0) {
        (void)ng_span_line(&rest, &line);
        line = ng_span_trim(line);
    }
    struct ng_span writes = ng_span_after(line, ", ");
    if (ng_span_begins(line, "Never started")) {
        job.runs = NG_ANSWER_NO;
        return job;
    }
    if (has(line, "% done")) {
        job.runs = NG_ANSWER_YES;
        job.percent = ng_progress_percent(line);
    } else if (has(line, ", finished on ") || has(line, ", canceled on ")) {
        job.runs = NG_ANSWER_NO;
        job.last = one_line(arena, line);
        writes = ng_span_after(writes, ", ");
    } else if (has(line, ", suspended on ")) {
        job.runs = NG_ANSWER_NO;
        job.paused = true;
        job.percent = ng_progress_percent(line);
        job.last = one_line(arena, line);
        writes = ng_span_after(writes, ", ");
    }
    if (writes.at != NULL && has(writes, " errs") &&
        !ng_span_begins(writes, "0 write errs, 0 uncorr. read errs")) {
        job.errors = one_line(arena, writes);
    }
    return job;
}

struct ng_btrfs_job ng_btrfs_rescan_parse(struct ng_arena *arena, const char *text, size_t len) {
    struct ng_btrfs_job job = nothing();
    struct ng_span all = ng_span(text, len);
    (void)arena;
    job.runs = has(all, "no rescan operation in progress") ? NG_ANSWER_NO
               : has(all, "rescan operation running")      ? NG_ANSWER_YES
                                                           : NG_ANSWER_UNKNOWN;
    return job;
}

/* A device that is not there has its number or nothing for a path. */
static bool is_missing(struct ng_span device) {
    return !ng_span_begins(device, "/");
}

/* "[/dev/sda].write_io_errs    0": five lines a device. The brackets may hold brackets. */
struct ng_btrfs_stats ng_btrfs_stats_parse(struct ng_arena *arena, const char *text, size_t len) {
    struct ng_btrfs_stats stats = {0};
    struct ng_span rest = ng_span(text, len), line, before = ng_span(NULL, 0);
    while (ng_span_line(&rest, &line)) {
        line = ng_span_trim(line);
        struct ng_span counter = ng_span_after(line, "].");
        struct ng_span word, number;
        int64_t value;
        if (!ng_span_begins(line, "[") || counter.at == NULL || !ng_span_word(&counter, &word) ||
            !ng_span_word(&counter, &number) || !ng_span_int(number, &value)) {
            continue;
        }
        struct ng_span device = ng_span(line.at + 1, (size_t)(word.at - line.at) - 3);
        if (before.at == NULL || device.len != before.len ||
            memcmp(device.at, before.at, device.len) != 0) {
            stats.devices++;
            stats.missing += is_missing(device);
        }
        before = device;
        if (value != 0) {
            stats.erred = join(arena, stats.erred, ERRED_MAX, line);
        }
    }
    return stats;
}

static struct ng_span behind_last(struct ng_span line, const char *text) {
    struct ng_span found = ng_span(NULL, 0);
    for (struct ng_span rest = ng_span_after(line, text); rest.at != NULL;
         rest = ng_span_after(rest, text)) {
        found = rest;
    }
    return found;
}

/* "Total devices 2 FS bytes used ...", then "devid 1 size ... path /dev/sda" each. A device that is
 * not there has the path "MISSING" or "<missing disk>", or is left out with "*** Some devices
 * missing". */
enum ng_answer ng_btrfs_show_missing(const char *uuid, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len), line, word;
    int64_t total = -1, listed = 0;
    bool ours = false;
    while (ng_span_line(&rest, &line)) {
        struct ng_span id = behind_last(line, "uuid: "); /* a label may hold the word */
        struct ng_span count = ng_span_after(line, "Total devices ");
        if (id.at != NULL) {
            ours = ng_span_is(ng_span_trim(id), uuid);
        } else if (!ours) {
            continue;
        } else if (count.at != NULL) {
            (void)ng_span_digits(&count, &total);
        } else if (has(line, "Some devices missing") || has(line, "MISSING") ||
                   has(line, "<missing disk>")) {
            return NG_ANSWER_YES;
        } else if (ng_span_word(&line, &word) && ng_span_is(word, "devid")) {
            listed++;
        }
    }
    return total > 0 && listed == total ? NG_ANSWER_NO : NG_ANSWER_UNKNOWN;
}
