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
        ng_outcome_space(&outcome, volume, path, given->room);
    }
}

const struct ng_condition ng_condition_volume_ready = {
    .kind = {.record = {.name = "volume_ready",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct ng_volume_ready_params),
                 .shorthand = "volume",
                 .help = "a volume is a folder that can be written to, with room"}},
    .needs = needs,
    .evaluate = evaluate,
};
