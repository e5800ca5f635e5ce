/* load_lease.c - the hosts that only one run at a time may work on. */
#include <stdlib.h>
#include <string.h>

#include "plans/language/loader.h"
#include "plans/language/records.h"

/* Words for how a host is reached, which plans agree on rather than on names. */
static const char *way_to(struct ng_arena *arena, const struct ng_host *host) {
    if (host->target) {
        return host->target;
    }
    const char *way = "";
    for (size_t i = 0; i < host->prefix.count; i++) {
        way = ng_arena_printf(arena, "%s %s", way, host->prefix.items[i]);
    }
    return way;
}

struct leased {
    const struct ng_host *host;
    const char *way;
};

static int by_way(const void *left, const void *right) {
    const struct leased *a = left;
    const struct leased *b = right;
    const int order = strcmp(a->way, b->way);
    return order != 0 ? order : strcmp(a->host->name, b->host->name);
}

/* Two runs that want the same hosts take them in the same order, or each could hold what the other
 * waits for. */
static void sort(struct ng_arena *arena, const struct ng_host **hosts, size_t count) {
    struct leased *all = ng_arena_array(arena, count, sizeof *all);
    for (size_t i = 0; i < count; i++) {
        all[i] = (struct leased){hosts[i], way_to(arena, hosts[i])};
    }
    qsort(all, count, sizeof *all, by_way);
    for (size_t i = 0; i < count; i++) {
        hosts[i] = all[i].host;
    }
}

void ng_load_lease(struct ng_loader *loader, const struct ng_node *node) {
    struct ng_plan *plan = loader->plan;
    struct ng_lease_fields fields = {0};
    if (!node) {
        return;
    }
    const bool sound = ng_record_load(&loader->loading, &ng_lease_record, node, NULL, &fields);
    const struct ng_host **hosts = NULL;
    const size_t count = ng_load_host_list(loader, &fields.hosts, &hosts);
    if (sound && fields.hosts.count == 0) {
        ng_diag_error(loader->loading.diags, node->pos, "missing-key",
            "lease: expected at least one host, as in \"lease: nas\"");
    }
    sort(&plan->arena, hosts, count);
    plan->lease = (struct ng_lease_spec){
        .pos = node->pos, .hosts = hosts, .count = count, .wait_ns = fields.wait_ns};
}
