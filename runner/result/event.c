/* event.c - what happened to guards while phases were measured. */
#include <stdio.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/base/text.h"
#include "runner/result/result.h"

enum { SEEN_MAX = 400 };

static const char *clean(struct ng_arena *arena, const char *text) {
    return ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, SEEN_MAX);
}

void ng_result_add_event(struct ng_result *result, const struct ng_event *event) {
    struct ng_arena *arena = &result->arena;
    result->events = ng_arena_grow(
        arena, result->events, result->event_count, &result->event_capacity, sizeof *event);
    struct ng_event *copy = &result->events[result->event_count++];
    *copy = *event;
    copy->phase = ng_arena_strdup(arena, event->phase);
    copy->guard = ng_arena_strdup(arena, event->guard);
    copy->seen = clean(arena, event->seen);
}

void ng_result_settle_event(struct ng_result *result, size_t index, const char *seen) {
    struct ng_event *event = &result->events[index];
    event->held = NG_BROKEN;
    event->seen =
        clean(&result->arena, ng_arena_printf(&result->arena, "%s; then: %s", event->seen, seen));
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
    if (event->exact) {
        snprintf(out, NG_EVENT_TEXT, "%.80s %s %.1f s into it: %.400s%s", event->guard, what,
            seconds(into_ns), event->seen, until);
    } else {
        snprintf(out, NG_EVENT_TEXT, "%.80s %s in the course of it: %.400s", event->guard, what,
            event->seen);
    }
    return out;
}
