/* hook.c - what hooks said of a run. */
#include <string.h>

#include "plans/language/plan.h"
#include "runner/result/result.h"

const char *ng_hook_word(enum ng_hook_outcome outcome) {
    static const char *const words[] = {
#define X(name, word) [name] = word,
        NG_HOOK_OUTCOMES(X)
#undef X
    };
    return (size_t)outcome < NG_COUNT(words) ? words[outcome] : "unknown";
}

static bool is_at(const struct ng_hook_result *hook, enum ng_hook_place place) {
    return strcmp(hook->place, ng_hook_place_word(place)) == 0;
}

bool ng_hook_stops(const struct ng_hook_result *hook) {
    return ng_hook_is_before_run(hook) && hook->outcome != NG_HOOK_HELD &&
           hook->outcome != NG_HOOK_INTERRUPTED;
}

bool ng_hook_is_before_run(const struct ng_hook_result *hook) {
    return is_at(hook, NG_HOOK_BEFORE_RUN);
}

bool ng_hook_is_after_run(const struct ng_hook_result *hook) {
    return is_at(hook, NG_HOOK_AFTER_RUN);
}

struct ng_hook_result *ng_result_add_hook(struct ng_result *result) {
    result->hooks = ng_arena_grow(&result->arena, result->hooks, result->hook_count,
        &result->hook_capacity, sizeof *result->hooks);
    struct ng_hook_result *hook = &result->hooks[result->hook_count++];
    *hook = (struct ng_hook_result){.id = "", .place = "", .reason = ""};
    return hook;
}
