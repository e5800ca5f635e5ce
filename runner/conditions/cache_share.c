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

static void add_mount(
    struct ng_cache_share *share, struct ng_arena *arena, const struct ng_mount *mount) {
    share->mounts = ng_arena_grow(
        arena, share->mounts, share->mount_count, &share->mount_capacity, sizeof(*share->mounts));
    share->mounts[share->mount_count++] = mount;
}

/* "/mnt/disk12": a disk of the array. */
static bool is_member(const struct ng_mount *mount) {
    static const char stem[] = "/mnt/disk";
    if (strncmp(mount->point, stem, sizeof stem - 1) != 0) {
        return false;
    }
    const char *number = mount->point + sizeof stem - 1;
    return number[0] != '\0' && number[strspn(number, "0123456789")] == '\0';
}

/* The pool is mounted by its name beside the user shares. */
static void find_pool(struct ng_cache_share *out, const struct ng_unraid_share *share,
    const struct ng_facts *facts, struct ng_arena *arena) {
    const char *point = ng_arena_printf(arena, "/mnt/%s", share->pool);
    const struct ng_mount *mount = share->pool[0] != '\0' && facts->mounts_why == NULL
                                       ? ng_mounts_find(&facts->mounts, point)
                                       : NULL;
    if (mount != NULL && strcmp(mount->point, point) == 0) {
        add_mount(out, arena, mount);
        return;
    }
    out->doubt = ng_arena_printf(arena, "share %s: %s, and what that lies on is not known: %s",
        share->name, words_of(share, arena),
        share->pool[0] == '\0'      ? "there is no name to look for"
        : facts->mounts_why != NULL ? facts->mounts_why
                                    : ng_arena_printf(arena, "nothing is mounted on %s", point));
}

static bool is_source(const struct ng_cache_share *share, const char *device) {
    for (size_t i = 0; i < share->mount_count; i++) {
        const char *source = share->mounts[i]->source;
        if (strncmp(source, "/dev/", 5) == 0 && strcmp(source + 5, device) == 0) {
            return true;
        }
    }
    return false;
}

/* Those that no mount leads to. */
static void add_devices(
    struct ng_cache_share *out, const struct ng_md *md, struct ng_arena *arena) {
    const size_t count = md->kind == NG_MD_UNRAID ? md->unraid.device_count : 0;
    const char **devices = ng_arena_array(arena, count, sizeof(*devices));
    for (size_t i = 0; i < count; i++) {
        if (!is_source(out, md->unraid.devices[i])) {
            devices[out->device_count++] = md->unraid.devices[i];
        }
    }
    out->devices = devices;
}

/* Files lie on any of its disks, and every write on its parity. */
static void find_array(struct ng_cache_share *out, const struct ng_unraid_share *share,
    const struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t i = 0; facts->mounts_why == NULL && i < facts->mounts.count; i++) {
        if (is_member(&facts->mounts.items[i])) {
            add_mount(out, arena, &facts->mounts.items[i]);
        }
    }
    add_devices(out, &facts->md, arena);
    if (out->mount_count == 0 || out->device_count == 0) {
        out->doubt =
            ng_arena_printf(arena, "share %s: %s, and %s", share->name, words_of(share, arena),
                facts->mounts_why != NULL ? facts->mounts_why
                : out->mount_count == 0   ? "none of its disks is mounted on /mnt/diskN"
                                          : "/proc/mdstat does not tell its disks");
    }
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
    ng_outcome_look(
        outcome, ng_arena_printf(arena, "share %s on %s", share->name, host), "%s", words);
    struct ng_cache_share out = {.found = true, .writes = share->use == NG_UNRAID_USE_YES};
    if (share->use == NG_UNRAID_USE_UNKNOWN || share->use == NG_UNRAID_USE_PREFER) {
        out.doubt = ng_arena_printf(arena, "share %s: %s", share->name, words);
    } else if (share->use == NG_UNRAID_USE_ONLY) {
        find_pool(&out, share, facts, arena);
    } else if (share->use == NG_UNRAID_USE_NO) {
        find_array(&out, share, facts, arena);
    }
    return out;
}
