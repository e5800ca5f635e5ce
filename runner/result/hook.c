/* hook.c - what hooks said of a run. */
#include <string.h>

#include "runner/result/result.h"

const char *ng_hook_word(enum ng_hook_outcome outcome) {
    static const char *const words[] = {
#define X(name, word) [name] = word,
        NG_HOOK_OUTCOMES(X)
#undef X
    };
    return (size_t)outcome < NG_COUNT(words) ? words[outcome] : "unknown";
}

bool ng_hook_stops(const struct ng_hook_result *hook) {
    return strcmp(hook->place, "before_run") == 0 && hook->outcome != NG_HOOK_HELD;
}

bool ng_hook_is_after_run(const struct ng_hook_result *hook) {
    return strcmp(hook->place, "after_run") == 0;
}

struct ng_hook_result *ng_result_add_hook(struct ng_result *result) {
    result->hooks = ng_arena_grow(&result->arena, result->hooks, result->hook_count,
        &result->hook_capacity, sizeof *result->hooks);
    struct ng_hook_result *hook = &result->hooks[result->hook_count++];
    *hook = (struct ng_hook_result){.id = "", .place = "", .reason = ""};
    return hook;
}
