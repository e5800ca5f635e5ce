/* ZFS pools as arrays. */
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/arrays_sources.h"
#include "runner/facts/zfs.h"

#define LOOK "zpool status"

/* All devices or none: with one that is not known the pool may share any disk. */
static void add_devices(const struct ng_facts *facts, struct ng_arena *arena,
    const struct ng_zpool *pool, struct ng_array *array) {
    const struct ng_blocks *blocks = &facts->blocks;
    for (size_t i = 0; i < blocks->pool_count; i++) {
        if (strcmp(blocks->pools[i].pool, pool->name) == 0 && blocks->pools[i].block == NULL) {
            return;
        }
    }
    for (size_t i = 0; i < blocks->pool_count; i++) {
        if (strcmp(blocks->pools[i].pool, pool->name) == 0) {
            ng_array_device(array, arena, blocks->pools[i].block);
        }
    }
}

static void add_pool(struct ng_facts *facts, struct ng_arena *arena, const struct ng_zpool *pool) {
    struct ng_array *array = ng_arrays_add(facts, arena, "ZFS", pool->name);
    ng_zpool_judge(pool, arena, array);
    if (array->busy == NG_ANSWER_UNKNOWN && facts->zpools.why != NULL) {
        array->busy_why = facts->zpools.why;
    }
    add_devices(facts, arena, pool, array);
}

/* A pool that is mounted and that nobody told of. */
static void check_mounts(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t i = 0; i < facts->mounts.count; i++) {
        const struct ng_mount *mount = &facts->mounts.items[i];
        if (strcmp(mount->type, "zfs") == 0 && ng_zfs_pool(facts, mount) == NULL) {
            const char *source =
                ng_text_clean_dup(arena, mount->source, strlen(mount->source), NG_TEXT_LINE, 300);
            ng_arrays_gap(facts, arena, "ZFS", LOOK,
                "what the ZFS pool below %s is at is unknown: %s", source,
                facts->zpools.why != NULL ? facts->zpools.why : "zpool status does not list it");
            return; /* one says enough */
        }
    }
}

static void tell_of_none(struct ng_facts *facts, struct ng_arena *arena) {
    if (facts->mounts_why != NULL) {
        ng_arrays_gap(facts, arena, "ZFS", "findmnt -t zfs; " LOOK,
            "whether there is a ZFS that resilvers or scrubs is unknown: %s", facts->mounts_why);
    } else if (!facts->zfs_absent && !facts->zpools.none && facts->frames.reason != NULL) {
        ng_arrays_gap(facts, arena, "ZFS", LOOK, "whether it has ZFS pools is unknown: %s",
            facts->frames.reason);
    } else if (facts->zpools.none) {
        ng_arrays_none(facts, arena, "ZFS", "zpool status lists no pool");
    } else {
        ng_arrays_none(facts, arena, "ZFS", "no ZFS is mounted");
    }
}

void ng_arrays_of_zfs(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_zpools *pools = &facts->zpools;
    const size_t gaps = facts->arrays.gap_count;
    for (size_t i = 0; i < pools->count; i++) {
        add_pool(facts, arena, &pools->items[i]);
    }
    check_mounts(facts, arena);
    if (facts->arrays.gap_count > gaps) {
        return;
    }
    if (pools->why != NULL && (pools->count == 0 || pools->partial)) {
        ng_arrays_gap(
            facts, arena, "ZFS", LOOK, "what its ZFS pools are at is unknown: %s", pools->why);
    } else if (pools->count == 0) {
        tell_of_none(facts, arena);
    }
}
