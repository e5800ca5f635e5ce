/* The state of a host: every array, whether it is whole, and what it is at work with. */
#include <string.h>

#include "runner/base/clock.h"
#include "runner/base/units.h"
#include "runner/facts/state_parts.h"

static const char *devices(const struct ng_array *array, struct ng_arena *arena) {
    const char *text = "";
    /* the text is cut long before that */
    for (size_t i = 0; i < array->device_count && i < 64; i++) {
        text = ng_arena_printf(arena, "%s%s%s", text, i == 0 ? "" : " ", array->devices[i]);
    }
    return text;
}

static void describe_health(const struct ng_state_thing *thing, const struct ng_array *array) {
    switch (array->degraded) {
    case NG_ANSWER_NO:
        ng_state_known(thing, "health", "whole");
        break;
    case NG_ANSWER_YES:
        ng_state_known(thing, "health", "degraded: %s", array->degraded_why);
        break;
    case NG_ANSWER_UNKNOWN:
        ng_state_unknown(thing, "health", "%s",
            array->degraded_why[0] != '\0' ? array->degraded_why : "it was not told");
    }
}

static void describe_work(const struct ng_state_thing *thing, const struct ng_array *array) {
    switch (array->busy) {
    case NG_ANSWER_NO:
        ng_state_known(thing, "work", "none");
        break;
    case NG_ANSWER_YES:
        ng_state_known(thing, "work", "%s", array->busy_why);
        break;
    case NG_ANSWER_UNKNOWN:
        ng_state_unknown(
            thing, "work", "%s", array->busy_why[0] != '\0' ? array->busy_why : "it was not told");
    }
    if (array->percent >= 0) {
        char text[NG_QUANTITY_TEXT];
        ng_state_known(thing, "done", "%s%%", ng_number_format(array->percent, text));
    }
    if (array->left_ns >= 0) {
        char text[NG_TIME_TEXT];
        ng_state_known(thing, "left", "%s", ng_duration_format(array->left_ns, text));
    }
}

void ng_state_array(struct ng_state *state, const struct ng_array *array) {
    const struct ng_state_thing thing = {state, NG_STATE_ARRAYS, array->name, array->kind};
    const struct ng_state_thing work = {state, NG_STATE_ACTIVITY, array->name, array->kind};
    ng_state_known(&thing, "kind", "%s%s%s", array->kind, array->level != NULL ? " " : "",
        array->level != NULL ? array->level : "");
    describe_health(&thing, array);
    ng_state_text(&thing, "devices", array->device_count > 0 ? devices(array, state->arena) : NULL,
        "which disks it lies on was not told");
    if (array->warning != NULL) {
        ng_state_known(&thing, "warning", "%s", array->warning);
    }
    if (array->seen[0] != '\0') {
        ng_state_known(&thing, "seen", "%s", array->seen);
    }
    describe_work(&work, array);
}

void ng_state_array_gaps(struct ng_state *state, const struct ng_facts *facts) {
    for (size_t i = 0; i < facts->arrays.gap_count; i++) {
        const struct ng_array_gap *gap = &facts->arrays.gaps[i];
        const struct ng_state_thing thing = {state, NG_STATE_ARRAYS, gap->kind, gap->look};
        ng_state_unknown(&thing, "arrays", "%s", gap->why);
    }
}

void ng_state_arrays(struct ng_state *state, const struct ng_facts *facts) {
    for (size_t i = 0; i < facts->arrays.count; i++) {
        ng_state_array(state, &facts->arrays.items[i]);
    }
    ng_state_array_gaps(state, facts);
    if (facts->arrays.count == 0 && facts->arrays.gap_count == 0) {
        const struct ng_state_thing thing = {state, NG_STATE_ARRAYS, "", "all kinds of store"};
        ng_state_known(&thing, "arrays", "none");
    }
}
