/* The state of a host: what is mounted where, with which options in force, and how much room. */
#include <string.h>

#include "runner/facts/state_parts.h"

/* What is mounted besides the paths that were asked for: a machine of containers has thousands. */
enum { OTHERS_MAX = 40, LOOKED_MAX = 400 };

#define SOURCE "/proc/self/mountinfo"

static void describe_mount(const struct ng_state_thing *thing, const struct ng_facts *facts,
    const struct ng_mount *mount) {
    ng_state_known(thing, "mount", "%s %s on %s", mount->type,
        mount->source[0] != '\0' ? mount->source : "none", mount->point);
    ng_state_known(thing, "options", "%s", ng_mount_options_safe(mount, thing->state->arena));
    const size_t stacked = ng_mounts_stacked(&facts->mounts, mount);
    if (stacked > 1) {
        ng_state_known(
            thing, "over-mounted", "%zu mounts at %s, this one is on top", stacked, mount->point);
    }
}

void ng_state_path(struct ng_state *state, const struct ng_facts *facts, const char *text) {
    const struct ng_state_thing mounted = {state, NG_STATE_MOUNTS, text, SOURCE};
    const struct ng_state_thing looked = {state, NG_STATE_MOUNTS, text, "stat, statfs"};
    const struct ng_path *path = ng_facts_path(facts, state->arena, text);
    const struct ng_mount *mount = ng_facts_mount(facts, text);
    if (mount != NULL) {
        describe_mount(&mounted, facts, mount);
    } else {
        ng_state_text(&mounted, "mount", NULL,
            facts->mounts_why != NULL ? facts->mounts_why : "no mount holds this path");
    }
    if (path->why != NULL) {
        ng_state_unknown(&looked, "path", "%s", path->why);
        return;
    }
    if (path->exists == NG_ANSWER_NO) {
        ng_state_known(&looked, "path", "does not exist");
        return;
    }
    if (path->real != NULL && strcmp(path->real, text) != 0) {
        ng_state_known(&looked, "real path", "%s", path->real);
    }
    ng_state_answer(&looked, "writable", path->writable, NULL);
    ng_state_size(&looked, "available", path->available, path->space_why);
    ng_state_size(&looked, "size", path->total, path->space_why);
}

/* The mounts below the paths that were asked for: they are shown already. */
static const struct ng_mount **find_asked(
    const struct ng_facts *facts, struct ng_arena *arena, size_t *count) {
    const struct ng_mount **asked = ng_arena_array(arena, facts->path_count, sizeof *asked);
    for (size_t i = 0; i < facts->path_count; i++) {
        asked[i] = ng_facts_mount(facts, facts->paths[i].path);
    }
    *count = facts->path_count;
    return asked;
}

static bool is_among(
    const struct ng_mount *mount, const struct ng_mount *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (list[i] == mount) {
            return true;
        }
    }
    return false;
}

/* Hidden below another mount at the same point. */
static bool is_covered(const struct ng_facts *facts, size_t at) {
    for (size_t i = at + 1; i < facts->mounts.count; i++) {
        if (strcmp(facts->mounts.items[i].point, facts->mounts.items[at].point) == 0) {
            return true;
        }
    }
    return false;
}

static void describe_others(struct ng_state *state, const struct ng_facts *facts) {
    size_t asked_count;
    const struct ng_mount *const *asked = find_asked(facts, state->arena, &asked_count);
    size_t shown = 0;
    size_t looked = 0;
    size_t more = 0;
    for (size_t i = 0; i < facts->mounts.count; i++) {
        const struct ng_mount *mount = &facts->mounts.items[i];
        if (ng_mount_is_virtual(mount)) {
            continue;
        }
        if (shown >= OTHERS_MAX || looked >= LOOKED_MAX) {
            more++;
            continue;
        }
        looked++;
        if (!is_among(mount, asked, asked_count) && !is_covered(facts, i)) {
            const struct ng_state_thing thing = {state, NG_STATE_MOUNTS, mount->point, SOURCE};
            describe_mount(&thing, facts, mount);
            shown++;
        }
    }
    if (more > 0) {
        const struct ng_state_thing thing = {state, NG_STATE_MOUNTS, "", SOURCE};
        ng_state_known(&thing, "others", "up to %zu mounts more, not shown here", more);
    }
}

void ng_state_mounts(struct ng_state *state, const struct ng_facts *facts) {
    for (size_t i = 0; i < facts->path_count; i++) {
        ng_state_path(state, facts, facts->paths[i].path);
    }
    if (facts->mounts_why != NULL) {
        const struct ng_state_thing thing = {state, NG_STATE_MOUNTS, "", SOURCE};
        ng_state_unknown(&thing, "mounts", "%s", facts->mounts_why);
    }
    describe_others(state, facts);
}
