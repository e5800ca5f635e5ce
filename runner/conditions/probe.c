/* Active probes: what is wanted, what was answered. */
#include "runner/conditions/probe.h"

#include <string.h>

const struct ng_probe_result *ng_probe_find(
    const struct ng_probe_results *results, const struct ng_host *host, const char *name) {
    for (size_t i = 0; results != NULL && i < results->count; i++) {
        if (results->items[i].host == host && strcmp(results->items[i].name, name) == 0) {
            return &results->items[i];
        }
    }
    return NULL;
}

static bool is_wanted(
    const struct ng_probe_list *list, const struct ng_host *host, const char *name) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].host == host && strcmp(list->items[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void want(struct ng_probe_list *list, struct ng_probe probe, const char *const *argv) {
    const struct ng_host *host = probe.host;
    const char *name = probe.name;
    if (ng_probe_find(list->done, host, name) != NULL || is_wanted(list, host, name) ||
        list->count + (list->done != NULL ? list->done->count : 0) >= NG_PROBES_MAX) {
        return;
    }
    const struct ng_texts *stand_in = ng_host_tool(host, argv[0]);
    const size_t front = stand_in != NULL ? stand_in->count : 1;
    size_t rest = 0;
    while (argv[1 + rest] != NULL) {
        rest++;
    }
    const char **copy = ng_arena_array(list->arena, front + rest + 1, sizeof *copy);
    for (size_t i = 0; i < front; i++) {
        copy[i] = ng_arena_strdup(list->arena, stand_in != NULL ? stand_in->items[i] : argv[0]);
    }
    for (size_t i = 0; i < rest; i++) {
        copy[front + i] = ng_arena_strdup(list->arena, argv[1 + i]);
    }
    list->items =
        ng_arena_grow(list->arena, list->items, list->count, &list->capacity, sizeof *list->items);
    probe.name = ng_arena_strdup(list->arena, name);
    probe.argv = copy;
    list->items[list->count++] = probe;
}

void ng_probe_want(struct ng_probe_list *list, const struct ng_host *host, const char *name,
    int64_t deadline_ns, const char *const *argv) {
    want(list, (struct ng_probe){.host = host, .name = name, .deadline_ns = deadline_ns}, argv);
}

void ng_probe_want_undo(struct ng_probe_list *list, const struct ng_host *host, const char *name,
    int64_t deadline_ns, const char *const *argv) {
    want(list,
        (struct ng_probe){.host = host, .name = name, .deadline_ns = deadline_ns, .undo = true},
        argv);
}
