/* event.c - what happened to guards while phases were measured. */
#include <stdio.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/base/text.h"
#include "runner/result/result.h"

enum {
    SEEN_MAX = 400,
    REMEDY_MAX = 300,
    LOOKS_MAX =
        5000, /* records of all events together: a guard may break at each of many samples */
};

static const char *clean(struct ng_arena *arena, const char *text, size_t most) {
    return text == NULL ? NULL : ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, most);
}

/* What it says of the moment, in the result's own arena. */
static void take(struct ng_result *result, struct ng_event *event, const struct ng_event *given) {
    struct ng_arena *arena = &result->arena;
    size_t count = 0;
    event->remedy = clean(arena, given->remedy, REMEDY_MAX);
    event->looked_at = (struct ng_records){0};
    for (size_t i = 0; i < result->event_count; i++) {
        count += result->events[i].looked_at.count;
    }
    for (size_t i = 0; i < given->looked_at.count && count <= LOOKS_MAX; i++, count++) {
        const struct ng_record_item *item = &given->looked_at.items[i];
        if (count < LOOKS_MAX) {
            ng_records_add(arena, &event->looked_at, item->key, "%s", item->value);
        } else {
            ng_records_add(arena, &event->looked_at, "and more",
                "what guards looked at is told up to here; the evidence has the rest");
        }
    }
}

void ng_result_add_event(struct ng_result *result, const struct ng_event *event) {
    struct ng_arena *arena = &result->arena;
    result->events = ng_arena_grow(
        arena, result->events, result->event_count, &result->event_capacity, sizeof *event);
    struct ng_event *copy = &result->events[result->event_count++];
    *copy = *event;
    copy->phase = ng_arena_strdup(arena, event->phase);
    copy->guard = ng_arena_strdup(arena, event->guard);
    copy->seen = clean(arena, event->seen, SEEN_MAX);
    copy->looked_at = (struct ng_records){0};
    take(result, copy, event);
}

void ng_result_settle_event(struct ng_result *result, size_t index, const struct ng_event *then) {
    struct ng_event *event = &result->events[index];
    event->held = NG_BROKEN;
    event->seen = clean(&result->arena,
        ng_arena_printf(&result->arena, "%s; then: %s", event->seen, then->seen), SEEN_MAX);
    take(result, event, then);
}

static double seconds(int64_t ns) {
    return (double)ns / NG_NS_PER_S;
}

const char *ng_event_words(
    const struct ng_event *event, int64_t start_ns, char out[NG_EVENT_TEXT]) {
    const char *what = event->held == NG_UNKNOWN ? "became unknown" : "broke";
    const int64_t into_ns = event->at_ns > start_ns ? event->at_ns - start_ns : 0;
    char until[60] = "";
    if (event->until_ns > 0 && event->exact) {
        snprintf(until, sizeof until, "; it held again %.1f s later",
            seconds(event->until_ns - event->at_ns));
    }
    const char *remedy = event->remedy != NULL ? event->remedy : "";
    const char *then = event->remedy != NULL ? "; " : "";
    if (event->exact) {
        snprintf(out, NG_EVENT_TEXT, "%.80s %s %.1f s into it: %.400s%s%s%.300s", event->guard,
            what, seconds(into_ns), event->seen, until, then, remedy);
    } else {
        snprintf(out, NG_EVENT_TEXT, "%.80s %s in the course of it: %.400s%s%.300s", event->guard,
            what, event->seen, then, remedy);
    }
    return out;
}
