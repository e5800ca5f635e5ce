/* The array that a volume states against those that were found. */
#include "runner/conditions/array_match.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* What is compared: the plan's words for an array of a host. */
struct match {
    struct ng_outcome *outcome;
    const struct ng_array_scope *scope;
    const struct ng_array_spec *spec;
};

static const struct ng_arrays *arrays_of(const struct match *match) {
    return &match->scope->facts->arrays;
}

static bool is_named(const struct ng_array *array, const char *device) {
    return strcmp(array->name, device) == 0 ||
           (array->block != NULL && strcmp(array->block, device) == 0);
}

static void advise(const struct match *match) {
    ng_outcome_advise(match->outcome,
        "see which array the volume lies on (lsblk on %s), and correct array: of volume %s",
        match->scope->host->name, match->scope->volume->name);
}

/* Its member disks: slots, or what it lies on where it counts none (raid0); -1: not known. */
static int64_t disks_of(const struct ng_array *array) {
    return array->per_bay             ? array->in_sync
           : array->slots >= 0        ? array->slots
           : array->device_count > 0U ? (int64_t)array->device_count
                                      : -1;
}

static void compare_level(const struct match *match, const struct ng_array *array) {
    const char *wanted = match->spec->level;
    if (wanted == NULL) {
        return;
    }
    if (array->level == NULL) {
        ng_outcome_see(match->outcome, NG_UNKNOWN, "the level of %s is unknown, %s is stated",
            array->name, wanted);
    } else if (strcasecmp(array->level, wanted) != 0) {
        ng_outcome_see(match->outcome, NG_BROKEN, "%s is %s, not %s as volume %s states",
            array->name, array->level, wanted, match->scope->volume->name);
    }
    advise(match);
}

static void compare_disks(const struct match *match, const struct ng_array *array) {
    const int64_t wanted = match->spec->disks, found = disks_of(array);
    if (wanted == 0) {
        return;
    }
    if (found < 0) {
        ng_outcome_see(match->outcome, NG_UNKNOWN,
            "of how many disks %s is made is unknown, %" PRId64 " are stated", array->name, wanted);
    } else if (found != wanted) {
        ng_outcome_see(match->outcome, NG_BROKEN,
            "%s is made of %" PRId64 " disks, not of %" PRId64 " as volume %s states", array->name,
            found, wanted, match->scope->volume->name);
    }
    advise(match);
}

/* Whether the data of the volume really lie on the array that the plan names. */
static void compare_place(const struct match *match, size_t index) {
    const struct ng_array *array = &arrays_of(match)->items[index];
    const char *volume = match->scope->volume->name;
    const enum ng_answer holds = ng_array_scope_holds(match->scope, index);
    if (holds == NG_ANSWER_NO) {
        ng_outcome_see(
            match->outcome, NG_BROKEN, "volume %s does not lie on %s", volume, array->name);
    } else if (holds == NG_ANSWER_UNKNOWN) {
        ng_outcome_see(match->outcome, NG_UNKNOWN, "whether volume %s lies on %s is unknown%s%s",
            volume, array->name, match->scope->gap == NULL ? "" : ": ",
            match->scope->gap == NULL ? "" : match->scope->gap);
    }
    advise(match);
}

static void compare_named(const struct match *match) {
    const struct ng_arrays *arrays = arrays_of(match);
    const char *found = "";
    for (size_t i = 0; i < arrays->count; i++) {
        const struct ng_array *array = &arrays->items[i];
        if (is_named(array, match->spec->device)) {
            compare_place(match, i);
            compare_level(match, array);
            compare_disks(match, array);
            return;
        }
        found = strlen(found) > 200 ? found
                                    : ng_arena_printf(match->outcome->site->arena, "%s%s%s", found,
                                          found[0] == '\0' ? "" : ", ", array->name);
    }
    ng_outcome_see(match->outcome, arrays->gap_count > 0 ? NG_UNKNOWN : NG_BROKEN,
        "%s, on which volume %s is said to lie, was not found on %s (there are: %s)",
        match->spec->device, match->scope->volume->name, match->scope->host->name,
        found[0] == '\0' ? "none" : found);
    advise(match);
}

/* Without a device: one of those that keep the data must be as stated. */
static void compare_unnamed(const struct match *match) {
    const struct ng_arrays *arrays = arrays_of(match);
    const struct ng_array *only = NULL;
    for (size_t i = 0; i < arrays->count; i++) {
        const struct ng_array *array = &arrays->items[i];
        if (ng_array_scope_holds(match->scope, i) != NG_ANSWER_YES || array->level == NULL) {
            continue;
        }
        if ((match->spec->level == NULL || strcasecmp(array->level, match->spec->level) == 0) &&
            (match->spec->disks == 0 || disks_of(array) == match->spec->disks)) {
            return;
        }
        only = array;
    }
    if (only != NULL) {
        compare_level(match, only);
        compare_disks(match, only);
        return;
    }
    const bool sure = match->scope->gap == NULL && arrays->gap_count == 0;
    ng_outcome_see(match->outcome, sure ? NG_BROKEN : NG_UNKNOWN,
        "no array was found that volume %s lies on%s%s", match->scope->volume->name,
        match->scope->gap == NULL ? "" : ": ", match->scope->gap == NULL ? "" : match->scope->gap);
    advise(match);
}

/* The system arrays of a NAS have a part on every disk, and on some a slot for every bay: they tell
 * how many disks there are, and how many bays. */
static void compare_unit(const struct match *match) {
    const struct ng_arrays *arrays = arrays_of(match);
    const struct ng_array_spec *spec = match->spec;
    const bool slots_are_bays = match->scope->facts->platform == NG_PLATFORM_DSM;
    bool compared = false;
    for (size_t i = 0; i < arrays->count; i++) {
        const struct ng_array *array = &arrays->items[i];
        if (!array->every_disk || array->slots < 0) {
            continue;
        }
        if (spec->bays > 0 && slots_are_bays && array->slots != spec->bays) {
            ng_outcome_see(match->outcome, NG_BROKEN,
                "%s has %d slots, one for each bay, and volume %s states %" PRId64 " bays",
                array->name, array->slots, match->scope->volume->name, spec->bays);
        }
        if (spec->disks > array->in_sync) {
            ng_outcome_see(match->outcome, NG_BROKEN,
                "%s, which has a part on every disk, has %d in sync, and volume %s states %" PRId64
                " disks",
                array->name, array->in_sync, match->scope->volume->name, spec->disks);
        }
        advise(match);
        compared = compared || slots_are_bays;
    }
    if (spec->bays > 0 && !compared) {
        ng_outcome_look(match->outcome, "bays", "not compared: no array here has a slot for each");
    }
}

void ng_array_match(struct ng_outcome *outcome, const struct ng_array_scope *scope) {
    const struct match match = {outcome, scope, scope->volume->array};
    const struct ng_array_spec *spec = match.spec;
    if (spec == NULL || scope->host == NULL) {
        return;
    }
    struct ng_arena *arena = outcome->site->arena;
    ng_outcome_look(outcome, ng_arena_printf(arena, "stated for %s", scope->volume->name),
        "%s %s%s%s", spec->device == NULL ? "any array" : spec->device,
        spec->level == NULL ? "" : spec->level,
        spec->disks == 0 ? "" : ng_arena_printf(arena, ", %" PRId64 " disks", spec->disks),
        spec->bays == 0 ? "" : ng_arena_printf(arena, ", %" PRId64 " bays", spec->bays));
    if (spec->device != NULL) {
        compare_named(&match);
    } else {
        compare_unnamed(&match);
    }
    compare_unit(&match);
}
