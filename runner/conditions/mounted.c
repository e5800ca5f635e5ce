/* mounted: a volume's path lies on the mount that the plan describes, with its options in force. */
#include "runner/conditions/mounted.h"

#include <string.h>

#include "runner/conditions/mount_match.h"
#include "runner/conditions/mount_seen.h"

static const struct ng_field fields[] = {
    {.name = "volume",
        .type = NG_FIELD_VOLUME,
        .offset = offsetof(struct ng_mounted_params, volume),
        .flags = NG_REQUIRED,
        .help = "the volume whose mount is compared"},
    {.name = "write_check",
        .type = NG_FIELD_BOOL,
        .offset = offsetof(struct ng_mounted_params, write_check),
        .fallback = "true",
        .help = "whether a small file is written on the volume and looked for on the server, where "
                "the plan says from which host and export it is mounted; it is removed again"},
};

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    const struct ng_mounted_params *given = params;
    ng_need_volume(plan, given->volume, by_host);
    if (given->write_check) {
        ng_mount_seen_needs(plan, given->volume, by_host);
    }
}

static void probes(
    const struct ng_condition_site *site, const void *params, struct ng_probe_list *wanted) {
    const struct ng_mounted_params *given = params;
    if (given->write_check) {
        ng_mount_seen_probes(site, given->volume, wanted);
    }
}

static void look(struct ng_outcome *outcome, const struct ng_facts *facts,
    const struct ng_path *path, const struct ng_mount *mount) {
    struct ng_arena *arena = outcome->site->arena;
    ng_outcome_look(outcome, "mount", "%s %s on %s", mount->type, mount->source, mount->point);
    ng_outcome_look(outcome, "options in force", "%s", ng_mount_options_safe(mount, arena));
    ng_outcome_look(outcome, "root", "%s", strcmp(mount->root, "/") == 0 ? "" : mount->root);
    ng_outcome_look(outcome, "real path", "%s",
        path->real != NULL && strcmp(path->real, path->path) != 0 ? path->real : "");
    size_t stacked = ng_mounts_stacked(&facts->mounts, mount);
    if (stacked > 1) {
        ng_outcome_look(outcome, "over-mounted", "%zu mounts on %s; the last one is in force",
            stacked, mount->point);
    }
    ng_mount_look_peers(outcome, facts, mount);
    for (size_t i = 0; i < facts->servers.read_ahead_count; i++) {
        const struct ng_read_ahead *item = &facts->servers.read_aheads[i];
        if (item->major == mount->major && item->minor == mount->minor) {
            ng_outcome_look(outcome, "read-ahead", "%lld KiB", (long long)item->kib);
        }
    }
    const struct ng_mountstat *stat = ng_mountstats_find(&facts->servers.mountstats, mount->point);
    if (stat != NULL && stat->connections > 0) {
        ng_outcome_look(outcome, "connections", "%zu by %s", stat->connections,
            stat->protocol != NULL ? stat->protocol : "unknown");
    }
}

/* The device number of the path must be that of the mount. btrfs gives each subvolume its own, and
 * an overlay may pass on those of its layers. */
static void check_device(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct ng_path *path, const struct ng_mount *mount) {
    unsigned major, minor;
    if (path->device < 0 || strcmp(mount->type, "btrfs") == 0 ||
        strcmp(mount->type, "overlay") == 0 || strcmp(mount->type, "zfs") == 0) {
        return;
    }
    ng_device_split(path->device, &major, &minor);
    const struct ng_mount *over =
        ng_mounts_hidden_by(&ng_site_facts(outcome->site, volume->on)->mounts, mount);
    if (over != NULL && over->major == major && over->minor == minor) {
        ng_outcome_see(outcome, NG_BROKEN, "%s is hidden: %s %s is mounted over %s", mount->point,
            over->type, over->source, over->point);
        ng_outcome_advise(outcome, "unmount what lies over it on %s", volume->on->name);
        return;
    }
    if (major != mount->major || minor != mount->minor) {
        ng_outcome_see(outcome, NG_UNKNOWN, "%s has device %u:%u, but mountinfo says %u:%u for %s",
            ng_volume_where(outcome->site, volume), major, minor, mount->major, mount->minor,
            mount->point);
        ng_outcome_advise(
            outcome, "see what is mounted over what: findmnt on %s", volume->on->name);
    }
}

static const char *wanted(const struct ng_volume *volume, struct ng_arena *arena) {
    const struct ng_mount_spec *spec = volume->mount;
    const char *text = spec->type == NULL ? "a mount" : spec->type;
    if (spec->export != NULL || spec->from != NULL) {
        text = ng_arena_printf(arena, "%s from %s%s%s", text,
            spec->from == NULL ? "" : spec->from->name,
            spec->from != NULL && spec->export != NULL ? ":" : "",
            spec->export == NULL ? "" : spec->export);
    }
    for (size_t i = 0; i < spec->options.count; i++) {
        text = ng_arena_printf(arena, "%s%s%s=%s", text, i == 0 ? " with " : ",",
            spec->options.items[i].key, spec->options.items[i].value);
    }
    return text;
}

/* A share is mounted on the path itself: a folder on what lies below it is what a missing mount
 * looks like. A local type asks only what the path lies on, wherever that is mounted. */
static bool wants_own_mount(const struct ng_mount_spec *spec) {
    const struct ng_mount typed = {.type = spec->type};
    return spec->from != NULL || spec->type == NULL || ng_mount_is_network(&typed);
}

static void advise_mount(struct ng_outcome *outcome, const struct ng_volume *volume) {
    if (wants_own_mount(volume->mount)) {
        ng_outcome_advise(outcome,
            "mount it on %s; make the empty folder immutable (chattr +i) before, so that nothing "
            "is written to it when the mount is missing",
            volume->on->name);
    } else {
        ng_outcome_advise(outcome,
            "mount the file system that is meant on %s, or correct the volume's path or its "
            "mount: type",
            volume->on->name);
    }
}

/* False when the path is not on the mount that is wanted at all. */
static bool check_place(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct ng_path *path, const struct ng_mount *mount) {
    const struct ng_mounts *mounts = &ng_site_facts(outcome->site, volume->on)->mounts;
    const struct ng_mount_spec *spec = volume->mount;
    const char *where = ng_volume_where(outcome->site, volume);
    const char *type = spec->type == NULL ? "a mount of its own" : spec->type;
    if (strcmp(mount->type, "autofs") == 0) {
        enum ng_held held = path->why == NULL ? NG_BROKEN : NG_UNKNOWN;
        ng_outcome_see(
            outcome, held, "%s is only the trigger of an automount, which mounted nothing", where);
        ng_outcome_advise(outcome, "see why the automount fails on %s", volume->on->name);
        return false;
    }
    if (!ng_mount_type_matches(spec->type, mount)) {
        bool missing = wants_own_mount(spec) && !ng_mount_is_network(mount);
        ng_outcome_see(outcome, NG_BROKEN, "%s is on %s %s, not on %s%s", where, mount->type,
            mount->source, type, missing ? ": share not mounted" : "");
        advise_mount(outcome, volume);
        return false;
    }
    const char *own = path->real != NULL ? path->real : volume->path;
    bool stated =
        spec->export != NULL && ng_mount_export_matches(spec->export, mount, outcome->site->arena);
    if (wants_own_mount(spec) && !ng_mounts_is_point(mounts, own) && !stated) {
        ng_outcome_see(outcome, NG_BROKEN,
            "%s is no mount point: it is a folder on %s %s, mounted on %s: share not mounted",
            where, mount->type, mount->source, mount->point);
        advise_mount(outcome, volume);
        return false;
    }
    return true;
}

static void judge_mount(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct ng_path *path, const struct ng_mount *mount) {
    const char *where = ng_volume_where(outcome->site, volume);
    if (volume->mount != NULL) {
        if (!check_place(outcome, volume, path, mount)) {
            return;
        }
        ng_mount_compare(outcome, volume, mount);
    }
    check_device(outcome, volume, path, mount);
    if (ng_mount_is_deleted(mount)) {
        ng_outcome_see(
            outcome, NG_BROKEN, "the folder that is bound to %s was removed", mount->point);
        ng_outcome_advise(outcome, "mount it anew on %s", volume->on->name);
    }
    ng_outcome_see(outcome, NG_HELD, "%s is on %s %s (%s)", where, mount->type, mount->source,
        ng_mount_options_safe(mount, outcome->site->arena));
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct ng_volume *volume = ((const struct ng_mounted_params *)params)->volume;
    const struct ng_facts *facts = ng_site_facts(site, volume->on);
    const struct ng_path *path = ng_facts_path(facts, site->arena, volume->path);
    const struct ng_mount *mount = ng_facts_mount(facts, volume->path);
    const char *where = ng_volume_where(site, volume);
    struct ng_outcome outcome = ng_outcome_begin(site, out, volume->name,
        ng_arena_printf(site->arena, "/proc/self/mountinfo on %s", volume->on->name));
    ng_outcome_expect(&outcome, "%s on %s", where,
        volume->mount == NULL ? "any mount" : wanted(volume, site->arena));
    if (mount == NULL) {
        ng_outcome_see(&outcome, NG_UNKNOWN, "what is mounted on %s is unknown: %s", where,
            facts->mounts_why != NULL ? facts->mounts_why : "no mount holds this path");
        ng_outcome_advise(
            &outcome, "look by hand on %s: findmnt -T %s", volume->on->name, volume->path);
        return;
    }
    look(&outcome, facts, path, mount);
    /* A path that does not exist or does not answer is told first; a wrong mount is told as well.
     */
    bool seen = ng_outcome_path(&outcome, volume, path);
    if (seen || volume->mount != NULL) {
        judge_mount(&outcome, volume, path, mount);
    }
    if (((const struct ng_mounted_params *)params)->write_check) {
        ng_mount_seen_judge(&outcome, volume);
    }
}

/* A mount that came and went has another number. Behind a prefix each command may have mounts of
 * its own, whose numbers tell nothing. */
static const char *trace(const struct ng_condition_site *site, const void *params) {
    const struct ng_volume *volume = ((const struct ng_mounted_params *)params)->volume;
    const struct ng_mount *mount = ng_facts_mount(ng_site_facts(site, volume->on), volume->path);
    return mount == NULL || volume->on->via == NG_VIA_PREFIX
               ? ""
               : ng_arena_printf(site->arena, "mount number %d", mount->id);
}

const struct ng_condition ng_condition_mounted = {
    .kind = {.record = {.name = "mounted",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct ng_mounted_params),
                 .shorthand = "volume",
                 .help = "a volume lies on the mount that the plan describes, options in force"},
        .guards = true},
    .reads = NG_GROUP_CLOCK | NG_GROUP_INTERFACES | NG_GROUP_MOUNTS,
    .needs = needs,
    .probes = probes,
    .evaluate = evaluate,
    .trace = trace,
};
