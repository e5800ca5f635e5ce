/* The state of a host: what its ZFS pools cache, and the properties of what is mounted. */
#include <string.h>

#include "runner/facts/state_parts.h"
#include "runner/facts/zfs.h"

enum { DATASETS_MAX = 8 };

static void describe_pool(struct ng_state *state, const struct ng_zpool *pool) {
    const struct ng_state_thing thing = {state, NG_STATE_CACHES, pool->name, "zpool status"};
    const struct ng_zfs_caches caches = ng_zfs_caches_of(pool, state->arena);
    if (pool->vdev_count == 0 || pool->cut) {
        ng_state_unknown(&thing, "L2ARC", "the devices of the pool were not told");
        return;
    }
    ng_state_known(&thing, "L2ARC", "%s", caches.l2arc == NULL ? "none" : caches.l2arc);
    ng_state_known(&thing, "SLOG", "%s", caches.slog == NULL ? "none" : caches.slog);
    if (caches.special != NULL) {
        ng_state_known(&thing, "special devices", "%s", caches.special);
    }
    if (caches.dedup != NULL) {
        ng_state_known(&thing, "dedup devices", "%s", caches.dedup);
    }
}

static bool is_first(const struct ng_mounts *mounts, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (strcmp(mounts->items[i].type, "zfs") == 0 &&
            strcmp(mounts->items[i].source, mounts->items[index].source) == 0) {
            return false;
        }
    }
    return true;
}

static void describe_dataset(
    struct ng_state *state, const struct ng_facts *facts, const char *dataset) {
    static const char *const properties[] = NG_ZFS_PROPERTIES;
    const struct ng_state_thing thing = {state, NG_STATE_CACHES, dataset, "zfs get"};
    for (size_t i = 0; i < NG_COUNT(properties); i++) {
        ng_state_text(&thing, properties[i],
            ng_zfs_property(facts, state->arena, dataset, properties[i]),
            "zfs get did not tell it");
    }
}

void ng_state_zfs(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_zpools *pools = &facts->zpools;
    size_t datasets = 0;
    for (size_t i = 0; i < pools->count; i++) {
        describe_pool(state, &pools->items[i]);
    }
    if (pools->count > 0) {
        const struct ng_state_thing arc = {
            state, NG_STATE_CACHES, "", "/proc/spl/kstat/zfs/arcstats"};
        ng_state_size(&arc, "ARC", facts->arc.size, "arcstats could not be read");
        ng_state_size(&arc, "ARC at most", facts->arc.most, "arcstats could not be read");
        ng_state_size(&arc, "L2ARC", facts->arc.l2_size, "arcstats could not be read");
    }
    for (size_t i = 0; i < facts->mounts.count && datasets < DATASETS_MAX; i++) {
        const struct ng_mount *mount = &facts->mounts.items[i];
        if (strcmp(mount->type, "zfs") == 0 && is_first(&facts->mounts, i)) {
            describe_dataset(state, facts, mount->source);
            datasets++;
        }
    }
}
