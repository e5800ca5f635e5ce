/* load_watch.c - what is sampled while phases run. */
#include "plans/language/loader.h"
#include "plans/language/records.h"
#include "runner/base/clock.h"

static bool has(const struct ng_host *const *hosts, size_t count, const struct ng_host *host) {
    for (size_t i = 0; i < count; i++) {
        if (hosts[i] == host) {
            return true;
        }
    }
    return false;
}

/* One name of the list; false after an error. */
static bool load_name(
    struct ng_loader *loader, const struct ng_texts *names, size_t i, const struct ng_host **host) {
    static const struct ng_field field = {.name = "hosts", .type = NG_FIELD_HOST};
    const struct ng_node node = {
        .kind = NG_NODE_SCALAR, .text = names->items[i], .pos = names->places[i], .quoted = true};
    return ng_field_load(&loader->loading, &field, &node, host);
}

size_t ng_load_host_list(
    struct ng_loader *loader, const struct ng_texts *names, const struct ng_host ***out) {
    const struct ng_host **hosts =
        ng_arena_array(&loader->plan->arena, names->count + 1, sizeof *hosts);
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++) {
        const struct ng_host *host = NULL;
        if (!load_name(loader, names, i, &host)) {
            continue;
        }
        if (has(hosts, count, host)) {
            ng_diag_error(loader->loading.diags, names->places[i], "duplicate-name",
                "hosts: %s stands twice; remove one", host->name);
            continue;
        }
        hosts[count++] = host;
    }
    *out = hosts;
    return count;
}

void ng_load_watch(struct ng_loader *loader, const struct ng_node *node) {
    struct ng_plan *plan = loader->plan;
    struct ng_watch_fields fields = {.every_ns = NG_NS_PER_S};
    if (node && ng_record_load(&loader->loading, &ng_watch_record, node, NULL, &fields)) {
        const struct ng_host **hosts = NULL;
        plan->watched_count = ng_load_host_list(loader, &fields.hosts, &hosts);
        plan->watched = hosts;
    }
    plan->watch_every_ns = fields.every_ns;
}
