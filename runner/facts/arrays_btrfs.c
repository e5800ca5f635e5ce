/* btrfs file systems as arrays: what sysfs tells, what btrfs tells root, what the processes tell.
 */
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/arrays_sources.h"
#include "runner/facts/btrfs_status.h"
#include "runner/facts/scrub.h"

#define LOOK "as root: btrfs balance status, btrfs scrub status"

/** All that is known of one file system. */
struct look {
    const struct ng_facts *facts;
    struct ng_arena *arena;
    const struct ng_btrfs_work *work;
    struct ng_btrfs_job scrub, balance, replace, rescan; /* unknown where it was not asked */
    struct ng_btrfs_stats stats;
    enum ng_answer show_missing;
};

static const struct ng_source *source(const struct look *look, const char *name) {
    return ng_frames_find(
        &look->facts->frames, ng_arena_printf(look->arena, "%s.%s", name, look->work->uuid));
}

/* Status 1 of balance is an answer; an error leaves nothing that is understood. */
static void take(struct look *look) {
    const struct ng_source *scrub = source(look, "scrub");
    const struct ng_source *balance = source(look, "balance");
    const struct ng_source *replace = source(look, "replace");
    const struct ng_source *rescan = source(look, "rescan");
    const struct ng_source *stats = source(look, "stats");
    const struct ng_source *show = ng_frames_find(&look->facts->frames, "btrfs.show");
    look->scrub = ng_btrfs_scrub_parse(look->arena, scrub->text, scrub->len);
    look->balance = ng_btrfs_balance_parse(look->arena, balance->text, balance->len);
    look->replace = ng_btrfs_replace_parse(look->arena, replace->text, replace->len);
    look->rescan = ng_btrfs_rescan_parse(look->arena, rescan->text, rescan->len);
    look->stats = ng_btrfs_stats_parse(look->arena, stats->text, stats->len);
    look->show_missing = ng_btrfs_show_missing(look->work->uuid, show->text, show->len);
}

/* Adds a work to what the array is at; a second takes the word, so that neither allows the other.
 */
static void say_busy(struct ng_array *array, struct ng_arena *arena, const char *action,
    const char *words, const struct ng_btrfs_job *job) {
    double percent = job == NULL ? -1 : job->percent;
    int64_t left = job == NULL ? -1 : job->left_ns;
    const char *why =
        ng_arena_printf(arena, "%s%s", words, ng_array_progress(arena, percent, left));
    if (array->busy == NG_ANSWER_YES) {
        array->busy_why = ng_arena_printf(arena, "%s and %s", array->busy_why, why);
        array->action = NULL;
        array->waiting = NULL;
        array->left_ns = -1;
        return;
    }
    array->busy = NG_ANSWER_YES;
    array->action = action;
    array->busy_why = why;
    array->percent = percent;
    array->left_ns = left;
}

static void say_paused(struct ng_array *array, struct ng_arena *arena, const char *action,
    const char *words, const struct ng_btrfs_job *job) {
    const bool first = array->busy != NG_ANSWER_YES;
    say_busy(array, arena, action, words, job);
    array->waiting = first ? "paused" : NULL;
}

/* An exclusive operation as the kernel names it. */
static void busy_by_operation(struct ng_array *array, const struct look *look) {
    static const struct {
        const char *operation, *action;
    } rows[] = {
        {"balance", "balance"},
        {"device add", "expansion"},
        {"device remove", "removal"},
        {"device replace", "replace"},
        {"resize", "expansion"},
    };
    const char *operation = look->work->operation;
    if (strcmp(operation, "none") == 0) {
        return;
    }
    if (strcmp(operation, "balance paused") == 0) {
        say_paused(array, look->arena, "balance", "has a balance that is paused", &look->balance);
        return;
    }
    const char *action = NULL;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        action = strcmp(operation, rows[i].operation) == 0 ? rows[i].action : action;
    }
    const struct ng_btrfs_job *job = strcmp(operation, "balance") == 0          ? &look->balance
                                     : strcmp(operation, "device replace") == 0 ? &look->replace
                                                                                : NULL;
    const char *words = ng_arena_printf(look->arena, "is in %s", operation);
    say_busy(array, look->arena, action,
        ng_text_clean_dup(look->arena, words, strlen(words), NG_TEXT_LINE, 100), job);
}

/* Kernels before 5.10 have no word for it: btrfs tells root of a balance and a replacement. */
static void busy_by_jobs(struct ng_array *array, const struct look *look) {
    if (look->balance.runs == NG_ANSWER_YES) {
        say_busy(array, look->arena, "balance", "is in balance", &look->balance);
    } else if (look->balance.paused) {
        say_paused(array, look->arena, "balance", "has a balance that is paused", &look->balance);
    }
    if (look->replace.runs == NG_ANSWER_YES) {
        say_busy(array, look->arena, "replace", "is in device replace", &look->replace);
    } else if (look->replace.paused) {
        say_paused(
            array, look->arena, "replace", "has a replacement that is suspended", &look->replace);
    }
}

/* Vendors' daemons do such work under names of their own. */
static bool has_own_daemons(const struct ng_facts *facts) {
    return facts->platform == NG_PLATFORM_DSM || facts->platform == NG_PLATFORM_QTS;
}

/* Whether an exclusive operation can be excluded where the kernel has no word for it; else *why. */
static bool excludes_operation(const struct look *look, const char **why) {
    const char *who = NULL;
    const enum ng_answer tasks = ng_btrfs_tasks(look->facts, look->arena, &who);
    const bool told = look->balance.runs == NG_ANSWER_NO && look->replace.runs == NG_ANSWER_NO;
    const bool several = look->stats.devices != 1;
    *why = NULL;
    if (tasks == NG_ANSWER_YES && look->work->scrub != NG_ANSWER_YES) {
        *why = ng_arena_printf(look->arena,
            "the process %s may be at a balance, a replacement or the removal of a device", who);
    } else if (!told && (tasks != NG_ANSWER_NO || has_own_daemons(look->facts))) {
        *why = "a balance or a replacement cannot be excluded: the kernel has no "
               "exclusive_operation (before 5.10), and btrfs tells it only to root";
    } else if (told && tasks == NG_ANSWER_UNKNOWN && several) {
        *why = "the removal of a device cannot be excluded: the kernel has no exclusive_operation "
               "(before 5.10), and not all processes are visible";
    }
    return *why == NULL;
}

static void judge_busy(struct ng_array *array, const struct look *look) {
    const struct ng_btrfs_work *work = look->work;
    const char *why = NULL;
    if (work->operation != NULL) {
        busy_by_operation(array, look);
    } else {
        busy_by_jobs(array, look);
    }
    if (work->scrub == NG_ANSWER_YES) {
        say_busy(array, look->arena, "scrub", "is in a scrub", &look->scrub);
    }
    if (look->rescan.runs == NG_ANSWER_YES) {
        say_busy(array, look->arena, NULL, "counts its quotas anew (rescan)", NULL);
    }
    if (array->busy == NG_ANSWER_YES) {
        return;
    }
    if (work->operation == NULL && !excludes_operation(look, &why)) {
        array->busy_why = why;
    } else if (work->scrub == NG_ANSWER_UNKNOWN) {
        array->busy_why =
            ng_arena_printf(look->arena, "whether it is scrubbed: %s", work->scrub_why);
    } else {
        array->busy = NG_ANSWER_NO;
    }
}

static void warn(struct ng_array *array, struct ng_arena *arena, const char *text) {
    array->warning =
        array->warning == NULL ? text : ng_arena_printf(arena, "%s; %s", array->warning, text);
}

/* Only the list of devices counts them: the counters of each may end before the one that is gone.
 */
static void judge_degraded(struct ng_array *array, const struct look *look) {
    const int missing = look->work->missing;
    if (missing > 0 || look->stats.missing > 0 || look->show_missing == NG_ANSWER_YES) {
        size_t count = missing > 0 ? (size_t)missing : look->stats.missing;
        array->degraded = NG_ANSWER_YES;
        array->degraded_why = count == 0 ? "a device is missing"
                                         : ng_arena_printf(look->arena, "%zu device%s missing",
                                               count, count == 1 ? " is" : "s are");
    } else if (missing == 0 || look->show_missing == NG_ANSWER_NO) {
        array->degraded = NG_ANSWER_NO;
    } else {
        array->degraded_why = "whether a device is missing: the kernel does not tell it in /sys "
                              "(before 5.6), and btrfs tells it only to root";
    }
}

static bool is_parity(const char *profile) {
    return profile != NULL &&
           (strstr(profile, "raid5") != NULL || strstr(profile, "raid6") != NULL);
}

/* The mounts of this file system, found by their source. */
static void warn_of_mounts(struct ng_array *array, const struct look *look) {
    const struct ng_facts *facts = look->facts;
    for (size_t i = 0; i < facts->mounts.count; i++) {
        const struct ng_mount *mount = &facts->mounts.items[i];
        const char *value;
        if (strcmp(mount->type, "btrfs") != 0) {
            continue;
        }
        const struct ng_block *block = ng_blocks_of_mount(&facts->blocks, mount);
        bool ours = false;
        for (size_t j = 0; block != NULL && j < array->device_count; j++) {
            ours = ours || strcmp(array->devices[j], block->name) == 0;
        }
        if (ours && ng_mount_option(mount, "degraded", look->arena, &value)) {
            warn(array, look->arena, "it is mounted with \"degraded\"");
            return;
        }
    }
}

static void warn_of_all(struct ng_array *array, const struct look *look) {
    struct ng_arena *arena = look->arena;
    if (look->stats.erred != NULL) {
        warn(array, arena,
            ng_arena_printf(
                arena, "errors were counted since the last reset: %s", look->stats.erred));
    }
    if (look->scrub.errors != NULL) {
        warn(array, arena, ng_arena_printf(arena, "its last scrub: %s", look->scrub.errors));
    }
    if (look->replace.errors != NULL) {
        warn(array, arena, ng_arena_printf(arena, "its replacement: %s", look->replace.errors));
    }
    if (is_parity(look->work->data) || is_parity(look->work->metadata)) {
        warn(array, arena, "its parity profiles (raid5, raid6) are not safe against a crash");
    }
    warn_of_mounts(array, look);
}

/* When the last scrubs began, by the file of btrfs-progs: it stands still while one runs. */
static const char *begun(const struct look *look) {
    const struct ng_source *file = source(look, "scrubbed");
    struct ng_span rest = ng_span(file->text, file->len), line;
    const char *text = "";
    while (ng_span_line(&rest, &line) && strlen(text) < 400) {
        struct ng_span start = ng_span_after(line, "|t_start:");
        int64_t number;
        if (start.at != NULL && ng_span_digits(&start, &number)) {
            text = ng_arena_printf(
                look->arena, "%s%s%lld", text, text[0] == '\0' ? "" : " ", (long long)number);
        }
    }
    return text;
}

static const char *trace_of(const struct look *look) {
    const char *file = begun(look);
    return ng_arena_printf(look->arena, "%s%s%s%s%s", look->scrub.last,
        look->replace.last[0] == '\0' ? "" : "; replace: ", look->replace.last,
        file[0] == '\0' ? "" : "; scrubs begun at ", file);
}

static void add_devices(struct ng_array *array, const struct look *look) {
    const struct ng_blocks *blocks = &look->facts->blocks;
    for (size_t i = 0; i < blocks->btrfs_count; i++) {
        if (strcmp(blocks->btrfs[i].uuid, look->work->uuid) == 0) {
            ng_array_device(array, look->arena, blocks->btrfs[i].block);
        }
    }
    if (look->work->missing >= 0 && array->device_count > 0) {
        array->in_sync = (int)array->device_count;
        array->slots = array->in_sync + look->work->missing;
    }
}

static void add(struct ng_facts *facts, struct ng_arena *arena, const struct ng_btrfs_work *work) {
    struct look look = {.facts = facts, .arena = arena, .work = work};
    const char *uuid = ng_text_clean_dup(arena, work->uuid, strlen(work->uuid), NG_TEXT_LINE, 100);
    struct ng_array *array = ng_arrays_add(facts, arena, "btrfs", uuid);
    take(&look);
    add_devices(array, &look);
    judge_busy(array, &look);
    judge_degraded(array, &look);
    warn_of_all(array, &look);
    array->level = work->data == NULL ? NULL
                                      : ng_text_clean_dup(arena, work->data, strlen(work->data),
                                            NG_TEXT_LINE, 100);
    const char *seen = ng_arena_printf(arena,
        "exclusive operation: %s; scrub: %s (%s); data %s, metadata %s; devices missing: %s",
        work->operation == NULL ? "unknown" : work->operation, ng_answer_word(work->scrub),
        work->scrub_why, work->data == NULL ? "unknown" : work->data,
        work->metadata == NULL ? "unknown" : work->metadata, ng_answer_word(array->degraded));
    array->seen = ng_text_clean_dup(arena, seen, strlen(seen), NG_TEXT_LINE, 500);
    array->trace = trace_of(&look);
}

void ng_arrays_of_btrfs(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_blocks *blocks = &facts->blocks;
    const char *why = facts->mounts_why != NULL ? facts->mounts_why
                      : blocks->why != NULL     ? blocks->why
                                                : blocks->cut;
    const struct ng_mount *mount = ng_facts_mount_of(facts, "btrfs");
    if (why != NULL) {
        ng_arrays_gap(facts, arena, "btrfs", "findmnt -t btrfs; " LOOK,
            "whether there is a btrfs that rebuilds or scrubs is unknown: %s", why);
    }
    for (size_t i = 0; i < blocks->work_count; i++) {
        add(facts, arena, &blocks->works[i]);
    }
    if (mount != NULL && blocks->work_count == 0 && why == NULL) {
        const char *point =
            ng_text_clean_dup(arena, mount->point, strlen(mount->point), NG_TEXT_LINE, 300);
        ng_arrays_gap(facts, arena, "btrfs",
            ng_arena_printf(arena, "as root: btrfs scrub status %s", point),
            "what the btrfs on %s is at is unknown: /sys/fs/btrfs does not show it here", point);
    } else if (blocks->work_count == 0 && why == NULL) {
        ng_arrays_none(facts, arena, "btrfs", "no btrfs is mounted");
    }
}
