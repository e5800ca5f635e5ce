/* Whether an md array is whole, from /proc/mdstat with sysfs as cross-check, by the platform's
 * rules. */
#include <inttypes.h>
#include <string.h>

#include "runner/facts/md_parts.h"

/* So many members and slots are named; of more, the number tells. */
enum { NAMES_MAX = 8 };

static bool begins(const char *text, const char *with) {
    return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

void ng_md_set_place(struct ng_md_array *array, enum ng_platform platform) {
    static const struct {
        enum ng_platform platform;
        const char *name;
        bool every_disk;
    } rows[] = {
        {NG_PLATFORM_DSM, "md0", true},
        {NG_PLATFORM_DSM, "md1", true},
        {NG_PLATFORM_QTS, "md9", true},
        {NG_PLATFORM_QTS, "md13", true},
        {NG_PLATFORM_QTS, "md256", false}, /* of two disks, or one */
        {NG_PLATFORM_QTS, "md321", false},
        {NG_PLATFORM_QTS, "md322", false},
    };
    array->per_bay = array->every_disk = false;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (rows[i].platform == platform && strcmp(rows[i].name, array->name) == 0) {
            array->per_bay = true;
            array->every_disk = rows[i].every_disk;
        }
    }
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

bool ng_md_counters_agree(const struct ng_md_array *array) {
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

/* ", sdc3 is faulty" for each member with a flag. */
static const char *faulty_words(
    const struct ng_md_array *array, struct ng_arena *arena, const char *text) {
    size_t named = 0;
    for (size_t i = 0; i < array->member_count && named < NAMES_MAX; i++) {
        const struct ng_md_member *member = &array->members[i];
        if (member->faulty || member->disk_error) {
            named++;
            text = ng_arena_printf(arena, "%s, %s %s", text, member->name,
                member->faulty ? "is faulty (F)" : "had a disk error (E)");
        }
    }
    return text;
}

/* ", no member in sync in slot 2": slots are counted as the map shows them, from 0. */
static const char *slot_words(
    const struct ng_md_array *array, struct ng_arena *arena, const char *text) {
    size_t named = 0;
    for (size_t i = 0; array->map[i] != '\0' && named < NAMES_MAX; i++) {
        if (array->map[i] == '_') {
            text = ng_arena_printf(
                arena, "%s%s %zu", text, named == 0 ? ", no member in sync in slot" : " and", i);
            named++;
        }
    }
    return named == NAMES_MAX ? ng_arena_printf(arena, "%s and more", text) : text;
}

static const char *missing_words(const struct ng_md_array *array, struct ng_arena *arena) {
    const char *text = array->slots < 0
                           ? "degraded"
                           : ng_arena_printf(arena, "degraded [%d/%d] [%s]", array->slots,
                                 array->in_sync, array->map == NULL ? "" : array->map);
    text = faulty_words(array, arena, text);
    return array->map == NULL ? text : slot_words(array, arena, text);
}

static void judge_inactive(
    struct ng_md_array *array, struct ng_arena *arena, const struct flags *flags) {
    array->container = is_container(array, flags);
    if (array->container) {
        array->degraded = NG_ANSWER_NO;
        return;
    }
    array->degraded = NG_ANSWER_YES;
    ng_md_say(arena, &array->degraded_why, "inactive: it was not assembled");
}

/* Without [n/m] and without a map. */
static void judge_bare(struct ng_md_array *array) {
    bool whole = array->closed && array->size_kib >= 0 && array->odd_line == NULL;
    if (ng_md_is_plain(array->personality) && whole) {
        array->degraded = NG_ANSWER_NO;
    } else if (ng_md_is_plain(array->personality)) {
        array->degraded_why = NG_MD_NOT_CLOSED;
    } else {
        array->degraded_why = "it prints no member counters";
    }
}

static void judge_active(
    struct ng_md_array *array, struct ng_arena *arena, const struct flags *flags) {
    const char *map = array->map;
    if (flags->errors > 0 || (map != NULL && strchr(map, 'E') != NULL)) {
        array->degraded = NG_ANSWER_YES;
        array->degraded_why = ng_arena_printf(
            arena, "%s: a member in use had a disk error (E)", missing_words(array, arena));
    } else if (map == NULL && array->slots < 0) {
        judge_bare(array);
    } else if (!ng_md_counters_agree(array)) {
        array->degraded_why =
            ng_arena_printf(arena, "counters [%d/%d] and map [%s] contradict each other",
                array->slots, array->in_sync, map == NULL ? "" : map);
    } else if (slots_missing(array) && (!array->per_bay || flags->faulty > 0)) {
        array->degraded = NG_ANSWER_YES;
        array->degraded_why = missing_words(array, arena);
    } else {
        array->degraded = NG_ANSWER_NO;
        array->warning = flags->faulty == 0
                             ? NULL
                             : ng_arena_printf(arena,
                                   "%zu member(s) marked faulty although no slot is missing%s",
                                   flags->faulty, faulty_words(array, arena, ""));
    }
}

static void contradict(
    struct ng_md_array *array, struct ng_arena *arena, const char *file, const char *value) {
    array->degraded = NG_ANSWER_UNKNOWN;
    ng_md_say(arena, &array->degraded_why,
        ng_arena_printf(arena, "/proc/mdstat says %s [%d/%d] [%s], but %s in sysfs is %s",
            array->state, array->slots, array->in_sync, array->map == NULL ? "" : array->map, file,
            value));
}

bool ng_md_disks(const char *text, int64_t *now, int64_t *before) {
    struct ng_span rest = ng_span(text, strlen(text));
    if (!ng_span_digits(&rest, now)) {
        return false;
    }
    rest = ng_span_trim(rest);
    if (rest.len == 0) {
        *before = *now;
        return true;
    }
    return ng_span_begins(rest, "(") && rest.at[rest.len - 1] == ')' &&
           ng_span_int(ng_span(rest.at + 1, rest.len - 2), before);
}

/* Both sources were read at different times: an array may be stopped or started in between, which
 * is no reason to believe either. */
static bool states_agree(const struct ng_md_array *array) {
    const char *state = array->sysfs.array_state;
    bool stopped = ng_md_is(state, "inactive") || ng_md_is(state, "clear");
    return state == NULL || !ng_md_is(array->state, "active") || !stopped;
}

/* The second source must agree; where it does not, the answer is unknown. */
static void check_sysfs(struct ng_md_array *array, struct ng_arena *arena) {
    const struct ng_md_sysfs *sysfs = &array->sysfs;
    int64_t missing, now, before;
    if (ng_md_is(sysfs->array_state, "broken")) {
        array->degraded = NG_ANSWER_YES;
        ng_md_say(arena, &array->degraded_why, "array_state is broken");
        return;
    }
    if (!states_agree(array)) {
        contradict(array, arena, "array_state", sysfs->array_state);
        return;
    }
    if (!ng_md_is(array->state, "active") || !ng_md_counters_agree(array)) {
        return;
    }
    if (sysfs->raid_disks != NULL && ng_md_disks(sysfs->raid_disks, &now, &before) &&
        array->slots != now && array->slots != before) {
        contradict(array, arena, "raid_disks", sysfs->raid_disks);
    }
    if (!array->per_bay && sysfs->degraded != NULL &&
        ng_span_int(ng_span(sysfs->degraded, strlen(sysfs->degraded)), &missing) &&
        (missing > 0) != slots_missing(array)) {
        contradict(array, arena, "degraded", sysfs->degraded);
    }
}

void ng_md_judge_degraded(
    struct ng_md_array *array, struct ng_arena *arena, enum ng_platform platform) {
    struct flags flags = count_flags(array);
    ng_md_set_place(array, platform);
    if (ng_md_is(array->state, "active")) {
        judge_active(array, arena, &flags);
    } else if (ng_md_is(array->state, "inactive")) {
        judge_inactive(array, arena, &flags);
    } else if (ng_md_is(array->state, "broken")) {
        array->degraded = NG_ANSWER_YES;
        array->degraded_why =
            ng_arena_printf(arena, "broken: a member is gone%s", faulty_words(array, arena, ""));
    } else {
        array->degraded_why = ng_arena_printf(arena, "its state \"%s\" is not known", array->state);
    }
    check_sysfs(array, arena);
}
