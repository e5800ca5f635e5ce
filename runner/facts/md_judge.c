/* From what md prints to two answers per array, busy and degraded, by the platform's rules. */
#include <inttypes.h>
#include <string.h>

#include "runner/facts/md_parts.h"

static bool begins(const char *text, const char *with) {
    return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

static void say(struct ng_md_array *array, struct ng_arena *arena, const char *text) {
    array->why = array->why[0] == '\0' ? ng_arena_strdup(arena, text)
                                       : ng_arena_printf(arena, "%s; %s", array->why, text);
}

/* Arrays over all bays, most of whose slots are empty in a half-filled box. */
static bool is_system_array(const char *name, enum ng_platform platform) {
    static const char *const dsm[] = {"md0", "md1"};
    static const char *const qts[] = {"md9", "md13", "md256", "md321", "md322"};
    const char *const *names = platform == NG_PLATFORM_DSM ? dsm : qts;
    size_t count = platform == NG_PLATFORM_DSM   ? NG_COUNT(dsm)
                   : platform == NG_PLATFORM_QTS ? NG_COUNT(qts)
                                                 : 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

struct flags {
    size_t faulty, spares, errors;
};

static struct flags count_flags(const struct ng_md_array *array) {
    struct flags flags = {0};
    for (size_t i = 0; i < array->member_count; i++) {
        flags.faulty += array->members[i].faulty ? 1 : 0;
        flags.spares += array->members[i].spare ? 1 : 0;
        flags.errors += array->members[i].disk_error ? 1 : 0;
    }
    return flags;
}

/* A container of Intel's or DDF's metadata never runs itself; its member arrays do. */
static bool is_container(const struct ng_md_array *array, const struct flags *flags) {
    return (begins(array->metadata, "external:imsm") || begins(array->metadata, "external:ddf")) &&
           flags->spares == array->member_count && array->member_count > 0;
}

static void degraded_inactive(
    struct ng_md_array *array, struct ng_arena *arena, const struct flags *flags) {
    if (is_container(array, flags)) {
        array->degraded = NG_ANSWER_NO;
        return;
    }
    array->degraded = NG_ANSWER_YES;
    say(array, arena, "inactive: it was not assembled");
}

/* [n/m] [UU_] against each other. False when they cannot both be right. */
static bool counters_agree(const struct ng_md_array *array) {
    if (array->slots < 0 || array->map == NULL) {
        return false;
    }
    size_t letters = strlen(array->map);
    return letters == (size_t)array->slots && strspn(array->map, "U_E") == letters &&
           array->in_sync <= array->slots;
}

static bool slots_missing(const struct ng_md_array *array) {
    return array->in_sync < array->slots || strchr(array->map, '_') != NULL;
}

static void degraded_active(struct ng_md_array *array, struct ng_arena *arena,
    const struct flags *flags, bool system_array) {
    const char *map = array->map;
    if (flags->errors > 0 || (map != NULL && strchr(map, 'E') != NULL)) {
        array->degraded = NG_ANSWER_YES;
        say(array, arena, "a member in use had a disk error (E)");
        return;
    }
    if (map == NULL && array->slots < 0) {
        if (ng_md_is_plain(array->personality)) {
            array->degraded = NG_ANSWER_NO;
        } else {
            say(array, arena, "it prints no member counters");
        }
        return;
    }
    if (!counters_agree(array)) {
        say(array, arena,
            ng_arena_printf(arena, "counters [%d/%d] and map [%s] contradict each other",
                array->slots, array->in_sync, map == NULL ? "" : map));
        return;
    }
    if (slots_missing(array) && (!system_array || flags->faulty > 0)) {
        array->degraded = NG_ANSWER_YES;
        say(array, arena,
            ng_arena_printf(arena, "degraded [%d/%d] [%s]", array->slots, array->in_sync, map));
        return;
    }
    array->degraded = NG_ANSWER_NO;
    if (flags->faulty > 0) {
        array->warning = ng_arena_printf(
            arena, "%zu member(s) marked faulty although no slot is missing", flags->faulty);
    }
}

/* The second source must agree; where it does not, the answer is unknown. */
static void check_degraded_sysfs(
    struct ng_md_array *array, struct ng_arena *arena, bool system_array) {
    const char *text = array->sysfs.degraded;
    int64_t missing;
    if (ng_md_is(array->sysfs.array_state, "broken")) {
        array->degraded = NG_ANSWER_YES;
        say(array, arena, "array_state is broken");
        return;
    }
    if (system_array || text == NULL || !ng_md_is(array->state, "active") ||
        !counters_agree(array) || !ng_span_int(ng_span(text, strlen(text)), &missing)) {
        return;
    }
    if ((missing > 0) != slots_missing(array)) {
        array->degraded = NG_ANSWER_UNKNOWN;
        say(array, arena,
            ng_arena_printf(arena, "/proc/mdstat says [%d/%d] [%s], but degraded in sysfs is %s",
                array->slots, array->in_sync, array->map, text));
    }
}

static const char *hours(struct ng_arena *arena, double minutes) {
    if (minutes < 0) {
        return "";
    }
    if (minutes < 90) {
        return ng_arena_printf(arena, ", %.0f min left", minutes);
    }
    return minutes < 48 * 60 ? ng_arena_printf(arena, ", %.0f h left", minutes / 60)
                             : ng_arena_printf(arena, ", %.0f days left", minutes / 60 / 24);
}

static const char *work_words(struct ng_arena *arena, const struct ng_md_work *work) {
    if (ng_md_is(work->waiting, "DELAYED")) {
        return "waits for another array (DELAYED) and will start by itself";
    }
    if (ng_md_is(work->waiting, "PENDING")) {
        return "has a resync PENDING, which the first write starts";
    }
    if (work->waiting != NULL) {
        return ng_arena_printf(arena, "is in %s on another node (REMOTE)", work->action);
    }
    return ng_arena_printf(arena, "is in %s, %.1f%%%s", work->action, work->percent,
        hours(arena, work->finish_minutes));
}

static const char *plan_word(const char *action) {
    return ng_md_is(action, "recover") ? "recovery" : action;
}

/* The word a plan would use: sysfs knows a repair from a resync and what is delayed. */
static const char *action_of(const struct ng_md_array *array) {
    const char *sysfs = array->sysfs.sync_action;
    if (sysfs != NULL && strcmp(sysfs, "idle") != 0) {
        return plan_word(sysfs);
    }
    const struct ng_md_work *work = &array->works[0];
    return ng_md_is(work->waiting, "DELAYED") ? "delayed" : work->action;
}

static void busy_by_works(struct ng_md_array *array, struct ng_arena *arena) {
    const struct ng_md_work *work = &array->works[0];
    bool local = !ng_md_is(work->waiting, "PENDING") && !ng_md_is(work->waiting, "REMOTE");
    for (size_t i = 0; i < array->work_count; i++) {
        say(array, arena, work_words(arena, &array->works[i]));
    }
    if (local && ng_md_is(array->sysfs.sync_action, "idle")) {
        say(array, arena, "but sync_action in sysfs is idle");
        return;
    }
    array->busy = NG_ANSWER_YES;
    array->action = array->work_count > 1 ? "several" : action_of(array);
}

/* A running array with redundancy prints counters and a map that fit. Where it does not, its block
 * is cut off or damaged, and a missing progress line proves nothing. */
static bool is_readable(const struct ng_md_array *array) {
    bool bare = array->slots < 0 && array->map == NULL;
    return !ng_md_is(array->state, "active") || (bare && ng_md_is_plain(array->personality)) ||
           counters_agree(array);
}

static void busy_without_works(struct ng_md_array *array, struct ng_arena *arena) {
    const struct ng_md_sysfs *sysfs = &array->sysfs;
    if (ng_md_is(sysfs->sync_action, "frozen")) {
        array->busy = NG_ANSWER_YES;
        array->action = "frozen";
        say(array, arena, "is held back (sync_action is frozen)");
    } else if (sysfs->sync_action != NULL && strcmp(sysfs->sync_action, "idle") != 0) {
        say(array, arena,
            ng_arena_printf(arena, "sync_action in sysfs is %s, but /proc/mdstat shows no progress",
                sysfs->sync_action));
    } else if (sysfs->reshape_position != NULL && strcmp(sysfs->reshape_position, "none") != 0) {
        array->busy = NG_ANSWER_YES;
        array->action = "reshape";
        say(array, arena, "has an unfinished reshape");
    } else if (array->odd_line != NULL) {
        say(array, arena, ng_arena_printf(arena, "a line is not understood: %s", array->odd_line));
    } else if (sysfs->sync_action != NULL || is_readable(array)) {
        array->busy = NG_ANSWER_NO;
    }
}

static void judge_listed(
    struct ng_md_array *array, struct ng_arena *arena, enum ng_platform platform) {
    struct flags flags = count_flags(array);
    bool system_array = is_system_array(array->name, platform);
    bool known = ng_md_is(array->state, "active") || ng_md_is(array->state, "inactive");
    if (array->work_count > 0) {
        busy_by_works(array, arena);
    } else if (known || ng_md_is(array->state, "broken")) {
        busy_without_works(array, arena);
    }
    if (ng_md_is(array->state, "active")) {
        degraded_active(array, arena, &flags, system_array);
    } else if (ng_md_is(array->state, "inactive")) {
        degraded_inactive(array, arena, &flags);
    } else if (ng_md_is(array->state, "broken")) {
        array->degraded = NG_ANSWER_YES;
        say(array, arena, "broken: a member is gone");
    } else {
        say(array, arena, ng_arena_printf(arena, "its state \"%s\" is not known", array->state));
    }
    check_degraded_sysfs(array, arena, system_array);
}

static bool lists_any(const struct ng_md *md) {
    for (size_t i = 0; i < md->count; i++) {
        if (md->arrays[i].listed || !ng_md_is(md->arrays[i].sysfs.array_state, "clear")) {
            return true;
        }
    }
    return false;
}

static void judge_kind(struct ng_md *md, enum ng_platform platform) {
    if (md->kind != NG_MD_LINUX) {
        return;
    }
    if (platform == NG_PLATFORM_UNRAID) {
        md->kind = NG_MD_UNKNOWN;
        md->reason = "the host is an Unraid, but /proc/mdstat is not in Unraid's format";
    } else if (md->dropped > 0) {
        md->kind = NG_MD_UNKNOWN;
        md->reason = "there are more arrays than can be read";
    } else if (!lists_any(md)) {
        bool always = platform == NG_PLATFORM_DSM || platform == NG_PLATFORM_QTS;
        md->kind = always ? NG_MD_UNKNOWN : NG_MD_NONE;
        md->reason = always ? "/proc/mdstat lists no array, but this platform always has some"
                            : "/proc/mdstat lists no array";
    }
}

void ng_md_judge(struct ng_md *md, struct ng_arena *arena, enum ng_platform platform) {
    for (size_t i = 0; i < md->count; i++) {
        struct ng_md_array *array = &md->arrays[i];
        array->why = "";
        if (array->listed) {
            judge_listed(array, arena, platform);
        } else if (md->kind != NG_MD_LINUX || ng_md_is(array->sysfs.array_state, "clear")) {
            ng_md_judge_sysfs(array, arena);
        } else {
            array->why = "is in sysfs, but not in /proc/mdstat";
        }
    }
    judge_kind(md, platform);
}
