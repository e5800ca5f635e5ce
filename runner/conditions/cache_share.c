/* User shares of Unraid as caches. */
#include "runner/conditions/cache_share.h"

#include <string.h>

static const char *words_of(const struct ng_unraid_share *share, struct ng_arena *arena) {
    const char *pool = share->pool[0] == '\0' ? "that is not named" : share->pool;
    switch (share->use) {
    case NG_UNRAID_USE_NO:
        return "new files go to the array";
    case NG_UNRAID_USE_YES:
        return ng_arena_printf(
            arena, "new files go to the pool %s until the mover takes them to the array", pool);
    case NG_UNRAID_USE_PREFER:
        return ng_arena_printf(
            arena, "new files go to the pool %s, and to the array when it is full", pool);
    case NG_UNRAID_USE_ONLY:
        return ng_arena_printf(arena, "its files lie on the pool %s", pool);
    case NG_UNRAID_USE_UNKNOWN:
        break;
    }
    return "its useCache is not known";
}

struct ng_cache_share ng_cache_share_look(struct ng_outcome *outcome, const char *host,
    const struct ng_facts *facts, const struct ng_mount *mount, const char *path) {
    struct ng_arena *arena = outcome->site->arena;
    if (strcmp(mount->type, "fuse.shfs") != 0) {
        return (struct ng_cache_share){.found = false};
    }
    const struct ng_unraid_share *share =
        ng_unraid_share_of(&facts->unraid_shares, mount->point, path);
    if (share == NULL) {
        return (struct ng_cache_share){.found = true,
            .doubt = ng_arena_printf(arena,
                "%s is below a user share, and %s tells of none that it could be", path,
                "/var/local/emhttp/shares.ini")};
    }
    const char *words = words_of(share, arena);
    const bool unknown = share->use == NG_UNRAID_USE_UNKNOWN || share->use == NG_UNRAID_USE_PREFER;
    ng_outcome_look(
        outcome, ng_arena_printf(arena, "share %s on %s", share->name, host), "%s", words);
    return (struct ng_cache_share){.found = true,
        .writes = share->use == NG_UNRAID_USE_YES,
        .doubt = unknown ? ng_arena_printf(arena, "share %s: %s", share->name, words) : NULL};
}
