/* What a ZFS pool caches. */
#include "runner/conditions/cache_pool.h"

#include <string.h>

static bool is_volume(const struct ng_block *block) {
    return strncmp(block->name, "zd", 2) == 0 && block->name[2] >= '0' && block->name[2] <= '9';
}

/* A volume does not say of which pool it is; of one pool that is no question. */
static const struct ng_zpool *find_pool(const struct ng_facts *facts, const struct ng_mount *mount,
    const struct ng_stack *stack, bool *wanted) {
    *wanted = strcmp(mount->type, "zfs") == 0;
    for (size_t i = 0; !*wanted && i < stack->count; i++) {
        if (is_volume(stack->items[i])) {
            *wanted = true;
            return facts->zpools.count == 1 ? &facts->zpools.items[0] : NULL;
        }
    }
    return ng_zfs_pool(facts, mount);
}

static void look_dataset(struct ng_outcome *outcome, const char *where,
    const struct ng_facts *facts, const struct ng_mount *mount) {
    static const char *const properties[] = NG_ZFS_PROPERTIES;
    struct ng_arena *arena = outcome->site->arena;
    const char *text = "";
    for (size_t i = 0; strcmp(mount->type, "zfs") == 0 && i < NG_COUNT(properties); i++) {
        const char *value = ng_zfs_property(facts, arena, mount->source, properties[i]);
        text = ng_arena_printf(arena, "%s%s%s %s", text, i == 0 ? "" : ", ", properties[i],
            value == NULL ? "unknown" : value);
    }
    if (text[0] != '\0') {
        ng_outcome_look(outcome, ng_arena_printf(arena, "%s %s", where, mount->source), "%s", text);
    }
}

static const char *bytes(struct ng_arena *arena, int64_t count) {
    return count < 0 ? "unknown" : ng_size_words(arena, count);
}

struct ng_cache_pool ng_cache_pool_look(struct ng_outcome *outcome, const char *host,
    const struct ng_facts *facts, const struct ng_mount *mount, const struct ng_stack *stack) {
    struct ng_arena *arena = outcome->site->arena;
    bool wanted = false;
    const struct ng_zpool *pool = find_pool(facts, mount, stack, &wanted);
    if (!wanted) {
        return (struct ng_cache_pool){0};
    }
    if (pool == NULL || pool->vdev_count == 0 || pool->cut) {
        return (struct ng_cache_pool){
            .doubt = ng_arena_printf(arena, "what the ZFS pool below %s caches is not known%s%s",
                mount->source, facts->zpools.why == NULL ? "" : ": ",
                facts->zpools.why == NULL ? "" : facts->zpools.why)};
    }
    const struct ng_zfs_caches caches = ng_zfs_caches_of(pool, arena);
    const char *where = ng_arena_printf(arena, "%s:%s", host, pool->name);
    const char *none = "none";
    ng_outcome_look(outcome, ng_arena_printf(arena, "%s L2ARC", where), "%s%s",
        caches.l2arc == NULL ? none : caches.l2arc, caches.l2arc == NULL ? "" : "; cache: read");
    ng_outcome_look(outcome, ng_arena_printf(arena, "%s SLOG", where), "%s%s",
        caches.slog == NULL ? none : caches.slog,
        caches.slog == NULL ? ""
                            : "; synchronous writes are acknowledged from it; cache: write-back");
    if (caches.special != NULL) {
        ng_outcome_look(outcome, ng_arena_printf(arena, "%s special", where),
            "%s; metadata and perhaps small blocks lie there", caches.special);
    }
    ng_outcome_look(outcome, ng_arena_printf(arena, "%s ARC", host),
        "%s in memory, %s at most, %s in L2ARC devices", bytes(arena, facts->arc.size),
        bytes(arena, facts->arc.most), bytes(arena, facts->arc.l2_size));
    look_dataset(outcome, where, facts, mount);
    return (struct ng_cache_pool){.reads = caches.l2arc != NULL, .writes = caches.slog != NULL};
}
