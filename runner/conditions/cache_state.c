/* cache_state: which caches lie between a volume and its disks is written down, and is what the
 * plan expects. */
#include <string.h>

#include "runner/conditions/cache_find.h"
#include "runner/conditions/cache_pool.h"
#include "runner/conditions/cache_share.h"
#include "runner/conditions/mount_match.h"

struct params {
    const struct ng_volume *volume;
    int expect;
};

static const char *const expectations[] = {
    "any", "none", "read", "write-through", "write-back", NULL};

static const struct ng_field fields[] = {
    {.name = "volume",
        .type = NG_FIELD_VOLUME,
        .offset = offsetof(struct params, volume),
        .flags = NG_REQUIRED,
        .help = "the volume whose cache layers are looked at, down to the disks"},
    {.name = "expect",
        .type = NG_FIELD_CHOICE,
        .offset = offsetof(struct params, expect),
        .choices = expectations,
        .fallback = "any",
        .help =
            "the cache layer (bcache, dm-cache, dm-writecache, flashcache, the journal of a "
            "RAID; of "
            "ZFS an L2ARC is read, a SLOG write-back; of Unraid a share whose new files go to a "
            "pool first is write-back, of others those of their pool or of the array's disks) that "
            "must be found; any only records, a "
            "disk's own write cache is recorded and is no layer"},
};

/* Where the blocks of a volume are: on its own host, or on the server that exports it. */
struct place {
    const struct ng_host *host;
    const char *path;
    bool server; /* the far side of a network mount: no further one is followed */
};

/* The server's side of a network mount, where the plan declares the server as a host. */
static bool server_of(const struct ng_volume *volume, struct place *place) {
    const struct ng_mount_spec *spec = volume->mount;
    if (spec == NULL || spec->from == NULL || spec->export == NULL || spec->export[0] != '/' ||
        strncmp(spec->export, "//", 2) == 0) {
        return false;
    }
    *place = (struct place){.host = spec->from, .path = spec->export, .server = true};
    return true;
}

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    const struct ng_volume *volume = ((const struct params *)params)->volume;
    struct place place;
    ng_need_volume(plan, volume, by_host);
    if (server_of(volume, &place)) {
        ng_collect_needs_path(&by_host[ng_site_index(plan, place.host)], place.path);
    }
}

/** What was found: the strongest cache that is certain, and why it may be more. */
struct finding {
    enum ng_cache certain;
    const char *doubt;            /* NULL: nothing is unknown */
    const char *remedy;           /* what would tell; NULL: the usual */
    bool recorded;                /* at least the kind of store is known */
    const struct ng_host *keeper; /* where the walk has ended: whose facts tell */
};

static void doubt(struct finding *found, const char *why, const char *remedy) {
    if (found->doubt == NULL) {
        found->doubt = why;
        found->remedy = remedy;
    }
}

static void look_memory(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct ng_host *host, bool client) {
    const struct ng_facts *facts = ng_site_facts(outcome->site, host);
    struct ng_arena *arena = outcome->site->arena;
    ng_outcome_look(outcome, ng_arena_printf(arena, "page cache of %s", host->name),
        "memory %s, of which %s cached",
        facts->ram > 0 ? ng_size_words(arena, facts->ram) : "unknown",
        facts->ram_cached >= 0 ? ng_size_words(arena, facts->ram_cached) : "unknown");
    ng_cache_find_memory(outcome, volume, host, client);
}

static const char *bytes(struct ng_arena *arena, int64_t count) {
    return count < 0 ? "unknown" : ng_arena_printf(arena, "%lld bytes", (long long)count);
}

/* The parts of a cache in rows of their own, for machines. */
static void record_layer(
    struct ng_outcome *outcome, const char *where, const struct ng_cache_layer *layer) {
    struct ng_arena *arena = outcome->site->arena;
    const char *members = "";
    for (size_t i = 0; i < layer->member_count; i++) {
        members = ng_arena_printf(arena, "%s%s%s", members, i == 0 ? "" : " ", layer->members[i]);
    }
    const struct {
        const char *key, *value;
    } rows[] = {
        {"kind", layer->kind},
        {"mode", ng_cache_word(layer->mode)},
        {"size", bytes(arena, layer->size)},
        {"dirty", bytes(arena, layer->dirty)},
        {"sequential bypass", !layer->has_bypass   ? "none"
                              : layer->bypass == 0 ? "off"
                                                   : bytes(arena, layer->bypass)},
        {"members", members},
        {"trouble", layer->trouble != NULL ? layer->trouble : ""},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        ng_outcome_look(
            outcome, ng_arena_printf(arena, "%s %s", where, rows[i].key), "%s", rows[i].value);
    }
}

static void look_layer(struct ng_outcome *outcome, const struct ng_volume *volume,
    const char *where, const struct ng_cache_layer *layer, struct finding *found) {
    ng_outcome_look(outcome, where, "%s%s%s", layer->seen,
        layer->mode == NG_CACHE_NONE ? "" : "; cache: ",
        layer->mode == NG_CACHE_NONE ? "" : ng_cache_word(layer->mode));
    if (layer->kind != NULL) {
        record_layer(outcome, where, layer);
        ng_cache_find_bypass(outcome, volume, where, layer);
    }
    if (layer->mode == NG_CACHE_UNKNOWN) {
        doubt(found, ng_arena_printf(outcome->site->arena, "%s: %s", layer->label, layer->why),
            layer->remedy);
    } else if (layer->mode > found->certain) {
        found->certain = layer->mode;
    }
}

/* First, so that its reason is the one that is told. */
static void walk_pool(struct ng_outcome *outcome, const char *host, const struct ng_facts *facts,
    const struct ng_mount *mount, const struct ng_stack *stack, struct finding *found) {
    const struct ng_cache_pool pool = ng_cache_pool_look(outcome, host, facts, mount, stack);
    const enum ng_cache cache = pool.writes  ? NG_CACHE_WRITE_BACK
                                : pool.reads ? NG_CACHE_READ
                                             : NG_CACHE_NONE;
    found->certain = cache > found->certain ? cache : found->certain;
    if (pool.doubt != NULL) {
        doubt(found, pool.doubt, "let zpool status answer there: as root where it refuses others");
    }
}

static void walk_layers(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct place *place, const struct ng_stack *stack, struct finding *found) {
    const struct ng_facts *facts = ng_site_facts(outcome->site, place->host);
    struct ng_arena *arena = outcome->site->arena;
    for (size_t i = 0; i < stack->count; i++) {
        struct ng_cache_layer layer;
        ng_cache_of_block(facts, stack->items[i], arena, &layer);
        look_layer(outcome, volume,
            ng_arena_printf(arena, "%s:%s", place->host->name, layer.device), &layer, found);
    }
    if (stack->gap != NULL) {
        const char *why = facts->blocks.why != NULL ? facts->blocks.why : stack->gap;
        doubt(found, why, NULL);
        ng_outcome_look(outcome, "not followed", "%s", why);
    }
    found->recorded = true;
}

static void walk_stack(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct place *place, const struct ng_mount *mount, struct finding *found) {
    const struct ng_facts *facts = ng_site_facts(outcome->site, place->host);
    struct ng_stack stack;
    ng_blocks_stack(&facts->blocks, &facts->mounts, mount, outcome->site->arena, &stack);
    walk_pool(outcome, place->host->name, facts, mount, &stack, found);
    walk_layers(outcome, volume, place, &stack, found);
}

/* A file system without a block device below. */
static void walk_other(
    struct ng_outcome *outcome, const struct ng_mount *mount, struct finding *found) {
    struct ng_arena *arena = outcome->site->arena;
    bool memory = strcmp(mount->type, "tmpfs") == 0 || strcmp(mount->type, "ramfs") == 0;
    found->recorded = true;
    const char *why =
        memory ? ng_arena_printf(arena, "its %s lies in memory: no disk is measured", mount->type)
               : ng_arena_printf(arena, "what lies below its %s is not visible here", mount->type);
    doubt(found, why, NULL);
    ng_outcome_look(outcome, "store", "%s", why);
}

/* What keeps the files of a user share. */
static void walk_keepers(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct place *place, const struct ng_cache_share *share, struct finding *found) {
    const struct ng_facts *facts = ng_site_facts(outcome->site, place->host);
    for (size_t i = 0; i < share->mount_count; i++) {
        const struct ng_mount *mount = share->mounts[i];
        ng_outcome_look(outcome,
            ng_arena_printf(outcome->site->arena, "mount on %s", place->host->name), "%s %s on %s",
            mount->type, mount->source, mount->point);
        if (ng_mount_is_network(mount) || ng_mount_is_virtual(mount)) {
            walk_other(outcome, mount, found);
        } else {
            walk_stack(outcome, volume, place, mount, found);
        }
    }
    for (size_t i = 0; i < share->device_count; i++) {
        struct ng_stack stack;
        ng_blocks_stack_named(
            &facts->blocks, &facts->mounts, share->devices[i], outcome->site->arena, &stack);
        walk_layers(outcome, volume, place, &stack, found);
    }
}

/* True where the path lies in a user share of Unraid, whose layer hides the disks. */
static bool walk_share(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct place *place, const struct ng_mount *mount, struct finding *found) {
    const struct ng_cache_share share = ng_cache_share_look(
        outcome, place->host->name, ng_site_facts(outcome->site, place->host), mount, place->path);
    walk_keepers(outcome, volume, place, &share, found);
    found->recorded = found->recorded || share.found;
    if (share.writes) {
        found->certain = NG_CACHE_WRITE_BACK;
    }
    if (share.doubt != NULL) {
        doubt(found, share.doubt,
            "measure /mnt/diskN or the pool itself, which are no user shares, or set the share's "
            "primary storage");
    }
    return share.found;
}

static void walk(struct ng_outcome *outcome, const struct ng_volume *volume, struct place place,
    struct finding *found) {
    struct ng_arena *arena = outcome->site->arena;
    const struct ng_facts *facts = ng_site_facts(outcome->site, place.host);
    const struct ng_mount *mount = ng_facts_mount(facts, place.path);
    found->keeper = place.host;
    look_memory(outcome, volume, place.host, !place.server);
    if (mount == NULL) {
        doubt(found,
            ng_arena_printf(arena, "what %s:%s is mounted from is unknown: %s", place.host->name,
                place.path,
                facts->mounts_why != NULL ? facts->mounts_why : "no mount holds this path"),
            NULL);
        return;
    }
    ng_outcome_look(outcome, ng_arena_printf(arena, "mount on %s", place.host->name), "%s %s on %s",
        mount->type, mount->source, mount->point);
    struct place server;
    if (!ng_mount_is_network(mount)) {
        if (walk_share(outcome, volume, &place, mount, found)) {
            return;
        }
        if (ng_mount_is_virtual(mount)) {
            walk_other(outcome, mount, found);
        } else {
            walk_stack(outcome, volume, &place, mount, found);
        }
    } else if (!place.server && server_of(volume, &server)) {
        walk(outcome, volume, server, found);
    } else {
        doubt(found,
            ng_arena_printf(arena,
                "%s %s is a network mount: the server's side is not visible from %s", mount->type,
                mount->source, place.host->name),
            NULL);
    }
}

static void judge(struct ng_outcome *outcome, int expect, const struct finding *found) {
    const char *certain = ng_cache_word(found->certain);
    bool any = expect == 0;
    enum ng_cache wanted = any ? NG_CACHE_NONE : (enum ng_cache)(expect - 1);
    if (found->doubt == NULL || found->certain == NG_CACHE_WRITE_BACK) {
        /* nothing that is unknown can be stronger than write-back */
        bool same = any || wanted == found->certain;
        ng_outcome_see(outcome, same ? NG_HELD : NG_BROKEN, "cache: %s%s%s", certain,
            found->doubt == NULL ? "" : "; not all is visible: ",
            found->doubt == NULL ? "" : found->doubt);
    } else if (!any && found->certain > wanted) {
        ng_outcome_see(outcome, NG_BROKEN, "cache: %s at least; %s", certain, found->doubt);
    } else {
        /* `any` asks for a record: what could not be seen is written down as unknown, with its
         * reason */
        ng_outcome_see(outcome, any && found->recorded ? NG_HELD : NG_UNKNOWN, "cache: unknown; %s",
            found->doubt);
        ng_outcome_advise(outcome, "%s; or write \"unknown: allow\"",
            found->remedy != NULL
                ? found->remedy
                : "declare the host that has the disks, with mount: {from: HOST, export: PATH}; "
                  "collect as root (privilege: sudo), so that dmsetup answers");
    }
    ng_outcome_advise(outcome, "attach or detach the cache, or correct expect:");
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    const struct ng_volume *volume = given->volume;
    struct ng_outcome outcome = ng_outcome_begin(site, out, volume->name, "");
    if (given->expect == 0) {
        ng_outcome_expect(&outcome, "the caches below %s, recorded", ng_volume_where(site, volume));
    } else {
        ng_outcome_expect(&outcome, "%s below %s",
            given->expect == 1
                ? "no cache layer"
                : ng_arena_printf(site->arena, "a %s cache", expectations[given->expect]),
            ng_volume_where(site, volume));
    }
    struct finding found = {.certain = NG_CACHE_NONE};
    walk(&outcome, volume, (struct place){.host = volume->on, .path = volume->path}, &found);
    out->source = ng_arena_printf(site->arena,
        "mountinfo, /sys/block, /proc/flashcache, dmsetup, lvs and zpool on %s%s%s",
        found.keeper->name, found.keeper == volume->on ? "" : ", found by the mount on ",
        found.keeper == volume->on ? "" : volume->on->name);
    judge(&outcome, given->expect, &found);
}

const struct ng_condition ng_condition_cache_state = {
    .kind = {.record = {.name = "cache_state",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "volume",
                 .help = "the caches between a volume and its disks are recorded and expected"},
        .guards = true},
    .reads = NG_GROUP_DISKS | NG_GROUP_IDENTITY,
    .needs = needs,
    .evaluate = evaluate,
};
