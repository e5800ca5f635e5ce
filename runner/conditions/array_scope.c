/* Which arrays a precondition speaks of. */
#include "runner/conditions/array_scope.h"

#include <string.h>

enum { NAMES_MAX = 12 };

void ng_array_scope_check(const struct ng_host *host, const struct ng_volume *volume,
    const struct ng_node *node, struct ng_diags *diags) {
    if (host == NULL && volume == NULL) {
        ng_diag_error(diags, ng_field_place(node, "host"), "missing-key",
            "whose arrays are meant? write \"host:\" for all of a host, or \"volume:\" for those "
            "on "
            "the disks of a volume");
    } else if (host != NULL && volume != NULL) {
        ng_diag_error(diags, ng_field_place(node, "volume"), "host",
            "give host or volume, not both: the volume's data are on the host of its mount: from");
    }
}

const struct ng_host *ng_volume_keeper(const struct ng_volume *volume) {
    return volume->mount != NULL && volume->mount->from != NULL ? volume->mount->from : volume->on;
}

/* Where the data lie on the host that keeps them, or NULL: an SMB share has a name, no path. */
static const char *path_there(const struct ng_volume *volume) {
    const struct ng_mount_spec *mount = volume->mount;
    if (mount == NULL || mount->from == NULL) {
        return volume->path;
    }
    bool share = mount->type != NULL &&
                 (strcmp(mount->type, "cifs") == 0 || strcmp(mount->type, "smb3") == 0);
    return share || mount->export == NULL || mount->export[0] != '/' ||
                   strncmp(mount->export, "//", 2) == 0
               ? NULL
               : mount->export;
}

void ng_array_scope_needs(
    const struct ng_plan *plan, const struct ng_volume *volume, struct ng_collect_needs *by_host) {
    if (volume == NULL) {
        return;
    }
    ng_need_volume(plan, volume, by_host);
    const char *path = path_there(volume);
    if (path != NULL) {
        ng_collect_needs_path(&by_host[ng_site_index(plan, ng_volume_keeper(volume))], path);
    }
}

/* A volume on a server that the plan does not name. */
static bool is_elsewhere(const struct ng_condition_site *site, const struct ng_volume *volume) {
    const struct ng_mount *mount = ng_facts_mount(ng_site_facts(site, volume->on), volume->path);
    return ng_volume_keeper(volume) == volume->on &&
           (volume->mount == NULL || volume->mount->from == NULL) && mount != NULL &&
           ng_mount_is_network(mount);
}

static void share(struct ng_array_scope *scope, struct ng_arena *arena) {
    const struct ng_volume *volume = scope->volume;
    const char *path = path_there(volume);
    const char *device = volume->array != NULL ? volume->array->device : NULL;
    /* The root of an export may have another path for its clients: one that is not there tells
     * nothing of where the data lie. */
    bool there =
        path != NULL && (scope->host == volume->on ||
                            ng_facts_path(scope->facts, arena, path)->exists == NG_ANSWER_YES);
    if (there) {
        ng_arrays_share_path(scope->facts, path, arena, &scope->share);
        scope->gap = scope->share.gap;
    } else if (device != NULL) {
        ng_arrays_share_array(scope->facts, device, arena, &scope->share);
        scope->gap = scope->share.gap;
    } else {
        scope->gap = path == NULL
                         ? "the plan does not say where its data lie there"
                         : ng_arena_printf(arena, "the exported path %s was not seen there", path);
    }
    scope->where = ng_arena_printf(arena, "the disks of %s (%s%s%s)", volume->name,
        scope->host->name, there ? ":" : "", there ? path : "");
}

struct ng_array_scope ng_array_scope_of(const struct ng_condition_site *site,
    const struct ng_host *host, const struct ng_volume *volume) {
    struct ng_array_scope scope = {.host = host, .volume = volume};
    if (volume == NULL) {
        scope.facts = ng_site_facts(site, host);
        scope.subject = scope.where = host->name;
        return scope;
    }
    scope.subject = volume->name;
    scope.host = ng_volume_keeper(volume);
    scope.facts = ng_site_facts(site, scope.host);
    if (is_elsewhere(site, volume)) {
        scope.host = NULL;
        scope.where = ng_arena_printf(site->arena, "the server of %s", volume->name);
        scope.gap = "it is mounted from a server that the plan does not name";
        return scope;
    }
    share(&scope, site->arena);
    return scope;
}

enum ng_answer ng_array_scope_disks(const struct ng_array_scope *scope, size_t index) {
    return scope->volume == NULL        ? NG_ANSWER_YES
           : scope->share.items == NULL ? NG_ANSWER_UNKNOWN
                                        : scope->share.items[index].disks;
}

enum ng_answer ng_array_scope_holds(const struct ng_array_scope *scope, size_t index) {
    return scope->volume == NULL        ? NG_ANSWER_YES
           : scope->share.items == NULL ? NG_ANSWER_UNKNOWN
                                        : scope->share.items[index].holds;
}

/* For the report: an array as it was, the raw values side by side. */
static void look(struct ng_outcome *outcome, const struct ng_array_scope *scope, size_t index) {
    struct ng_arena *arena = outcome->site->arena;
    const struct ng_array *array = &scope->facts->arrays.items[index];
    const char *why =
        array->busy_why[0] == '\0' ? "" : ng_arena_printf(arena, "; %s", array->busy_why);
    const char *whole =
        array->degraded_why[0] == '\0' ? "" : ng_arena_printf(arena, "; %s", array->degraded_why);
    const char *share =
        scope->volume == NULL
            ? ""
            : ng_arena_printf(arena, "; on the disks of %s: %s", scope->volume->name,
                  ng_answer_word(ng_array_scope_disks(scope, index)));
    const char *key = strcmp(array->kind, "md") == 0
                          ? array->name
                          : ng_arena_printf(arena, "%s %s", array->kind, array->name);
    ng_outcome_look(outcome, key, "%s; busy: %s, degraded: %s%s%s%s%s%s", array->seen,
        ng_answer_word(array->busy), ng_answer_word(array->degraded), why, whole,
        array->warning == NULL ? "" : "; ", array->warning == NULL ? "" : array->warning, share);
}

void ng_array_scope_tell(const struct ng_array_scope *scope, struct ng_outcome *outcome) {
    if (scope->host == NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN, "%s cannot be looked at: %s", scope->where, scope->gap);
        ng_outcome_advise(outcome,
            "state the server in the volume's mount: {from: HOST, export: PATH}, or name a host");
        return;
    }
    const struct ng_arrays *arrays = &scope->facts->arrays;
    for (size_t i = 0; i < arrays->gap_count; i++) {
        const struct ng_array_gap *gap = &arrays->gaps[i];
        ng_outcome_see(outcome, NG_UNKNOWN, "on %s, %s", scope->host->name, gap->why);
        ng_outcome_advise(outcome, "look by hand on %s: %s; or write \"unknown: allow\"",
            scope->host->name, gap->look[0] == '\0' ? "cat /proc/mdstat" : gap->look);
    }
    for (size_t i = 0; i < arrays->count; i++) {
        look(outcome, scope, i);
    }
    for (size_t i = 0; i < arrays->none_count; i++) {
        ng_outcome_look(outcome, arrays->nones[i].kind, "none: %s", arrays->nones[i].why);
    }
    ng_outcome_look(outcome, "disks", "%s", scope->gap == NULL ? "" : scope->gap);
}

const char *ng_array_scope_names(
    const struct ng_array_scope *scope, struct ng_arena *arena, size_t *count) {
    const char *text = "";
    *count = 0;
    for (size_t i = 0; scope->host != NULL && i < scope->facts->arrays.count; i++) {
        if (ng_array_scope_disks(scope, i) == NG_ANSWER_NO) {
            continue;
        }
        (*count)++;
        if (*count <= NAMES_MAX) {
            text = ng_arena_printf(
                arena, "%s%s%s", text, *count == 1 ? "" : ", ", scope->facts->arrays.items[i].name);
        }
    }
    return *count <= NAMES_MAX
               ? text
               : ng_arena_printf(arena, "%s and %zu more", text, *count - NAMES_MAX);
}
