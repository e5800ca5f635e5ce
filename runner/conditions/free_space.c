/* free_space: a volume has room for at least so many bytes and files, on its own host and on the
 * server's side. */
#include <string.h>

#include "runner/conditions/outcome.h"

struct params {
    const struct ng_volume *volume;
    int64_t at_least;
    int64_t files;
};

static const struct ng_field fields[] = {
    {.name = "volume",
        .type = NG_FIELD_VOLUME,
        .offset = offsetof(struct params, volume),
        .flags = NG_REQUIRED,
        .help = "the volume that is asked for its space"},
    {.name = "at_least",
        .type = NG_FIELD_SIZE,
        .offset = offsetof(struct params, at_least),
        .flags = NG_REQUIRED,
        .min = 1,
        .max = 1e18,
        .help = "how much must be available to the user that the run works as"},
    {.name = "files",
        .type = NG_FIELD_INT,
        .offset = offsetof(struct params, files),
        .min = 1,
        .max = 1e15,
        .fallback = "1",
        .help = "how many files can be made (inodes), where the file system has a limit"},
};

/* The server's side, where the plan says which host and path that is. */
static const char *server_path(const struct ng_volume *volume) {
    const struct ng_mount_spec *spec = volume->mount;
    return spec != NULL && spec->from != NULL && spec->from != volume->on && spec->export != NULL &&
                   spec->export[0] == '/' && strncmp(spec->export, "//", 2) != 0
               ? spec->export
               : NULL;
}

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    const struct ng_volume *volume = ((const struct params *)params)->volume;
    ng_need_volume(plan, volume, by_host);
    if (server_path(volume) != NULL) {
        ng_collect_needs_path(
            &by_host[ng_site_index(plan, volume->mount->from)], server_path(volume));
    }
}

static void judge_files(
    struct ng_outcome *outcome, const struct params *given, const struct ng_path *path) {
    const char *where = ng_volume_where(outcome->site, given->volume);
    if (path->files < 0) {
        if (given->files > 1) {
            ng_outcome_see(
                outcome, NG_UNKNOWN, "how many files can be made on %s is unknown", where);
            ng_outcome_advise(outcome, "look by hand on %s: df -i %s", given->volume->on->name,
                given->volume->path);
        }
        return;
    }
    if (path->files == 0) {
        ng_outcome_look(outcome, "files", "no limit");
        return;
    }
    ng_outcome_look(outcome, "files", "%lld of %lld are free", (long long)path->free_files,
        (long long)path->files);
    if (path->free_files < given->files) {
        ng_outcome_see(outcome, NG_BROKEN,
            "only %lld more files can be made on %s: its inodes are used up",
            (long long)path->free_files, where);
        ng_outcome_advise(outcome, "remove files on it, or use another file system");
    }
}

/* All devices of the btrfs that a mount is of. */
static int64_t btrfs_size(const struct ng_blocks *blocks, const char *uuid) {
    int64_t sum = 0;
    for (size_t i = 0; i < blocks->btrfs_count; i++) {
        if (strcmp(blocks->btrfs[i].uuid, uuid) != 0) {
            continue;
        }
        const struct ng_block *block = ng_blocks_find(blocks, blocks->btrfs[i].block);
        if (block == NULL || block->size < 0 || __builtin_add_overflow(sum, block->size, &sum)) {
            return -1;
        }
    }
    return sum;
}

static const char *btrfs_uuid(const struct ng_blocks *blocks, const struct ng_mount *mount) {
    const struct ng_block *block = ng_blocks_of_mount(blocks, mount);
    for (size_t i = 0; block != NULL && i < blocks->btrfs_count; i++) {
        if (strcmp(blocks->btrfs[i].block, block->name) == 0) {
            return blocks->btrfs[i].uuid;
        }
    }
    return NULL;
}

/* "available" of btrfs is an estimate: with metadata full nothing can be written. */
static void judge_btrfs(struct ng_outcome *outcome, const struct ng_host *host, const char *path) {
    const struct ng_facts *facts = ng_site_facts(outcome->site, host);
    const struct ng_mount *mount = ng_facts_mount(facts, path);
    struct ng_arena *arena = outcome->site->arena;
    if (mount == NULL || strcmp(mount->type, "btrfs") != 0) {
        return;
    }
    const char *uuid = btrfs_uuid(&facts->blocks, mount);
    const struct ng_btrfs_room *room =
        uuid != NULL ? ng_btrfs_rooms_find(&facts->btrfs_rooms, uuid) : NULL;
    if (room == NULL || room->metadata.total < 0 || room->metadata.used < 0) {
        ng_outcome_look(
            outcome, "btrfs", "what is available is an estimate; its metadata is unknown");
        return;
    }
    ng_outcome_look(outcome, ng_arena_printf(arena, "metadata of btrfs on %s", host->name),
        "%s of %s used", ng_size_words(arena, room->metadata.used),
        ng_size_words(arena, room->metadata.total));
    if (ng_btrfs_metadata_full(room, btrfs_size(&facts->blocks, uuid))) {
        ng_outcome_see(outcome, NG_BROKEN,
            "the metadata of %s:%s is full: writes fail, whatever is said to be available",
            host->name, path);
        ng_outcome_advise(outcome, "free whole pieces on %s: btrfs balance start -dusage=10 %s",
            host->name, path);
    }
}

/* What the client sees is the server's space, or the quota of the share. */
static void judge_server(
    struct ng_outcome *outcome, const struct params *given, const struct ng_path *own) {
    struct ng_arena *arena = outcome->site->arena;
    const char *export = server_path(given->volume);
    const struct ng_mount *mount =
        ng_facts_mount(ng_site_facts(outcome->site, given->volume->on), given->volume->path);
    if (export == NULL || mount == NULL || !ng_mount_is_network(mount)) {
        return;
    }
    const struct ng_host *server = given->volume->mount->from;
    const struct ng_path *path = ng_facts_path(ng_site_facts(outcome->site, server), arena, export);
    const char *key = ng_arena_printf(arena, "%s:%s", server->name, export);
    if (path->available < 0) {
        ng_outcome_look(outcome, key, "unknown: %s",
            path->why != NULL         ? path->why
            : path->space_why != NULL ? path->space_why
                                      : "it was not told");
        return;
    }
    const bool same = own->total > 0 && own->total == path->total;
    ng_outcome_look(outcome, key, "%s available of %s%s", ng_size_words(arena, path->available),
        ng_size_words(arena, path->total), same ? ", as the client sees it" : "");
    if (path->available < given->at_least) {
        ng_outcome_see(outcome, NG_BROKEN, "the server has %s available at %s:%s",
            ng_size_words(arena, path->available), server->name, export);
        ng_outcome_advise(outcome, "free space on %s", server->name);
    }
    judge_btrfs(outcome, server, export);
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    const struct ng_volume *volume = given->volume;
    const struct ng_path *path =
        ng_facts_path(ng_site_facts(site, volume->on), site->arena, volume->path);
    struct ng_outcome outcome = ng_outcome_begin(site, out, volume->name,
        ng_arena_printf(site->arena, "statfs of %s on %s", volume->path, volume->on->name));
    ng_outcome_expect(&outcome, "at least %s available on %s",
        ng_size_words(site->arena, given->at_least), ng_volume_where(site, volume));
    if (!ng_outcome_path(&outcome, volume, path)) {
        return;
    }
    ng_outcome_space(&outcome, volume, path, given->at_least);
    ng_outcome_look(&outcome, "kept for root", "%s",
        path->reserved > 0 ? ng_size_words(site->arena, path->reserved) : "");
    judge_files(&outcome, given, path);
    judge_btrfs(&outcome, volume->on, volume->path);
    judge_server(&outcome, given, path);
}

const struct ng_condition ng_condition_free_space = {
    .kind = {.record = {.name = "free_space",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "volume",
                 .help = "a volume has so much space available"}},
    .reads = NG_GROUP_DISKS | NG_GROUP_LOAD,
    .needs = needs,
    .evaluate = evaluate,
};
