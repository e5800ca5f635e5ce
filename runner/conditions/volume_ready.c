/* volume_ready: a volume is a folder that can be written to, and has room for what the run writes.
 */
#include "runner/conditions/volume_ready.h"

#include <string.h>

#include "runner/conditions/outcome.h"

static const struct ng_field fields[] = {
    {.name = "volume",
        .type = NG_FIELD_VOLUME,
        .offset = offsetof(struct ng_volume_ready_params, volume),
        .flags = NG_REQUIRED,
        .help = "the volume that phases work on"},
    {.name = "room",
        .type = NG_FIELD_SIZE,
        .offset = offsetof(struct ng_volume_ready_params, room),
        .min = 0,
        .max = 1e18,
        .help = "how much must be available; not asked where this is left out"},
};

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    ng_need_volume(plan, ((const struct ng_volume_ready_params *)params)->volume, by_host);
}

static void judge_folder(
    struct ng_outcome *outcome, const struct ng_volume *volume, const struct ng_path *path) {
    const char *where = ng_volume_where(outcome->site, volume);
    if (path->directory != NG_ANSWER_YES) {
        bool no = path->directory == NG_ANSWER_NO;
        ng_outcome_see(outcome, no ? NG_BROKEN : NG_UNKNOWN, "%s is %s folder", where,
            no ? "no" : "perhaps no");
        ng_outcome_advise(outcome, "give the path of a folder");
        return;
    }
    const struct ng_facts *facts = ng_site_facts(outcome->site, volume->on);
    const struct ng_mount *mount = ng_facts_mount(facts, volume->path);
    if (mount != NULL) {
        ng_outcome_look(outcome, "mount", "%s %s on %s", mount->type, mount->source, mount->point);
    }
    if (mount != NULL && strcmp(mount->type, "fuse.gvfsd-fuse") == 0) {
        ng_outcome_see(outcome, NG_BROKEN, "%s is a desktop's gvfs mount", where);
        ng_outcome_advise(
            outcome, "mount the share itself (mount -t cifs or nfs): gvfs measures its own daemon");
    }
    if (mount != NULL && ng_mount_read_only(mount)) {
        ng_outcome_see(outcome, NG_BROKEN, "%s is mounted read-only", where);
        ng_outcome_advise(outcome, "mount it read-write; a volume may be read-only after an error");
        return;
    }
    if (path->writable != NG_ANSWER_YES) {
        bool no = path->writable == NG_ANSWER_NO;
        ng_outcome_see(outcome, no ? NG_BROKEN : NG_UNKNOWN, "%s %s", where,
            no ? "cannot be written to by this user" : "may not be writable: it was not seen");
        ng_outcome_advise(outcome, "let the user that the run works as write to %s", volume->path);
        return;
    }
    ng_outcome_see(outcome, NG_HELD, "%s is a folder and can be written to", where);
}

static bool same_mount(
    const struct ng_condition_site *site, const struct ng_volume *a, const struct ng_volume *b) {
    const struct ng_facts *facts = ng_site_facts(site, a->on);
    const struct ng_mount *left = ng_facts_mount(facts, a->path);
    const struct ng_mount *right = ng_facts_mount(facts, b->path);
    return left != NULL && right != NULL && left->major == right->major &&
           left->minor == right->minor;
}

/* Whether two volumes take their room from one file system: by the device of their paths, or by
 * that of their mounts, because each subvolume of btrfs has a device number of its own. */
static bool shares_space(
    const struct ng_condition_site *site, const struct ng_volume *a, const struct ng_volume *b) {
    if (a->on != b->on) {
        return false;
    }
    const struct ng_facts *facts = ng_site_facts(site, a->on);
    int64_t left = ng_facts_path(facts, site->arena, a->path)->device;
    int64_t right = ng_facts_path(facts, site->arena, b->path)->device;
    return (left >= 0 && left == right) || same_mount(site, a, b);
}

/* The most that some item asks for a volume. */
static int64_t room_of(const struct ng_condition_site *site, const struct ng_volume *volume) {
    int64_t room = 0;
    for (size_t i = 0; i < site->item_count; i++) {
        const struct ng_volume_ready_params *params = site->items[i].params;
        if (site->items[i].kind == &ng_condition_volume_ready.kind && params->volume == volume &&
            params->room > room) {
            room = params->room;
        }
    }
    return room;
}

/* What all volumes on the file system of `given` need together; *others names those beside it. */
static int64_t room_together(const struct ng_condition_site *site,
    const struct ng_volume_ready_params *given, const char **others) {
    int64_t sum = given->room;
    *others = "";
    for (size_t i = 0; i < site->plan->volume_count; i++) {
        const struct ng_volume *other = &site->plan->volumes[i];
        int64_t room = room_of(site, other);
        if (other == given->volume || room == 0 || !shares_space(site, given->volume, other)) {
            continue;
        }
        sum = __builtin_add_overflow(sum, room, &sum) ? INT64_MAX : sum;
        *others = ng_arena_printf(site->arena, "%s%s%s for volume %s", *others,
            (*others)[0] == '\0' ? "" : " and ", ng_size_words(site->arena, room), other->name);
    }
    return sum;
}

static void judge_room(struct ng_outcome *outcome, const struct ng_volume_ready_params *given,
    const struct ng_path *path) {
    const char *others = "";
    int64_t room = room_together(outcome->site, given, &others);
    ng_outcome_space(outcome, given->volume, path, room);
    if (others[0] != '\0') {
        const char *all = ng_size_words(outcome->site->arena, room);
        ng_outcome_look(
            outcome, "needed together", "%s, %s of it on the same file system", all, others);
        if (outcome->out->held == NG_BROKEN) {
            ng_outcome_see(
                outcome, NG_BROKEN, "%s are needed, %s of it on the same file system", all, others);
        }
    }
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct ng_volume_ready_params *given = params;
    const struct ng_volume *volume = given->volume;
    const char *where = ng_volume_where(site, volume);
    const struct ng_path *path =
        ng_facts_path(ng_site_facts(site, volume->on), site->arena, volume->path);
    struct ng_outcome outcome =
        ng_outcome_begin(site, out, volume->name, ng_arena_printf(site->arena, "%s itself", where));
    if (given->room > 0) {
        ng_outcome_expect(&outcome, "%s is a folder that can be written to, with room for %s",
            where, ng_size_words(site->arena, given->room));
    } else {
        ng_outcome_expect(&outcome, "%s is a folder that can be written to", where);
    }
    if (!ng_outcome_path(&outcome, volume, path)) {
        return;
    }
    judge_folder(&outcome, volume, path);
    if (given->room > 0) {
        judge_room(&outcome, given, path);
    }
}

const struct ng_condition ng_condition_volume_ready = {
    .kind = {.record = {.name = "volume_ready",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct ng_volume_ready_params),
                 .shorthand = "volume",
                 .help = "a volume is a folder that can be written to, with room"}},
    .reads = NG_GROUP_DISKS,
    .needs = needs,
    .evaluate = evaluate,
};
