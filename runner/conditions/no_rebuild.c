/* no_rebuild: no array of a host is being rebuilt, checked or reshaped, or is about to be. */
#include <string.h>

#include "runner/base/text.h"
#include "runner/conditions/outcome.h"

struct params {
    const struct ng_host *host;
    struct ng_texts allow;
};

static const struct ng_field fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct params, host),
        .flags = NG_REQUIRED,
        .help = "the host whose arrays are looked at"},
    {.name = "allow",
        .type = NG_FIELD_TEXTS,
        .offset = offsetof(struct params, allow),
        .help = "what may go on all the same: check, resync, recovery, reshape, repair, delayed, "
                "frozen"},
};

static const char *const actions[] = {
    "check", "resync", "recovery", "reshape", "repair", "delayed", "frozen"};

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    const struct ng_texts *allow = &((const struct params *)params)->allow;
    for (size_t i = 0; i < allow->count; i++) {
        bool known = false;
        for (size_t j = 0; j < NG_COUNT(actions); j++) {
            known = known || strcmp(actions[j], allow->items[i]) == 0;
        }
        if (!known) {
            struct ng_pos pos =
                allow->places != NULL ? allow->places[i] : ng_field_place(node, "allow");
            const char *near = ng_text_nearest(allow->items[i], actions, NG_COUNT(actions));
            ng_diag_error(diags, pos, "choice",
                "\"%s\" is nothing that an array does%s%s%s: check, resync, recovery, reshape, "
                "repair, delayed, frozen",
                allow->items[i], near == NULL ? "" : "; did you mean \"", near == NULL ? "" : near,
                near == NULL ? "" : "\"?");
        }
    }
}

static bool allowed(const struct ng_texts *allow, const char *action) {
    for (size_t i = 0; i < allow->count && action != NULL; i++) {
        if (strcmp(allow->items[i], action) == 0) {
            return true;
        }
    }
    return false;
}

/* For the report: an array as it was, the raw sources side by side. */
static void look(struct ng_outcome *outcome, const struct ng_md_array *array) {
    struct ng_arena *arena = outcome->site->arena;
    const struct ng_md_sysfs *sysfs = &array->sysfs;
    const char *counters = array->slots < 0
                               ? ""
                               : ng_arena_printf(arena, " [%d/%d] [%s]", array->slots,
                                     array->in_sync, array->map == NULL ? "" : array->map);
    const char *more =
        !sysfs->present
            ? ""
            : ng_arena_printf(arena,
                  "; sysfs: array_state %s, sync_action %s, degraded %s, last_sync_action %s, "
                  "mismatch_cnt %s",
                  sysfs->array_state == NULL ? "-" : sysfs->array_state,
                  sysfs->sync_action == NULL ? "-" : sysfs->sync_action,
                  sysfs->degraded == NULL ? "-" : sysfs->degraded,
                  sysfs->last_sync_action == NULL ? "-" : sysfs->last_sync_action,
                  sysfs->mismatch_cnt == NULL ? "-" : sysfs->mismatch_cnt);
    ng_outcome_look(outcome, array->name, "%s %s%s%s%s; busy: %s, degraded: %s%s%s",
        array->listed ? array->state : "not in /proc/mdstat",
        array->personality != NULL ? array->personality
        : sysfs->level != NULL     ? sysfs->level
                                   : "",
        counters, array->warning == NULL ? "" : "; ", array->warning == NULL ? "" : array->warning,
        array->busy == NG_ANSWER_YES  ? "yes"
        : array->busy == NG_ANSWER_NO ? "no"
                                      : "unknown",
        array->degraded == NG_ANSWER_YES  ? "yes"
        : array->degraded == NG_ANSWER_NO ? "no"
                                          : "unknown",
        array->why[0] == '\0' ? more : ng_arena_printf(arena, "; %s", array->why),
        array->why[0] == '\0' ? "" : more);
}

static void advise_wait(struct ng_outcome *outcome, const char *host) {
    ng_outcome_advise(outcome,
        "wait until it is done (see /proc/mdstat on %s), or write what may go on in allow:", host);
}

static void advise_by_hand(struct ng_outcome *outcome, const char *host) {
    ng_outcome_advise(
        outcome, "look by hand on %s: cat /proc/mdstat, /sys/block/md*/md/sync_action", host);
}

static void judge_array(
    struct ng_outcome *outcome, const struct params *params, const struct ng_md_array *array) {
    const char *host = params->host->name;
    look(outcome, array);
    if (array->busy == NG_ANSWER_UNKNOWN) {
        ng_outcome_see(outcome, NG_UNKNOWN, "whether %s on %s is at work is unknown: %s",
            array->name, host, array->why[0] == '\0' ? "its text is not understood" : array->why);
        advise_by_hand(outcome, host);
        return;
    }
    if (array->busy == NG_ANSWER_YES) {
        bool may = allowed(&params->allow, array->action);
        ng_outcome_see(outcome, may ? NG_HELD : NG_BROKEN, "%s on %s %s%s", array->name, host,
            array->why, may ? " (allowed by the plan)" : "");
        advise_wait(outcome, host);
    } else if (array->degraded == NG_ANSWER_YES) {
        ng_outcome_see(
            outcome, NG_HELD, "%s on %s is idle, but not whole: %s", array->name, host, array->why);
    }
}

static void judge_unraid(
    struct ng_outcome *outcome, const struct params *params, const struct ng_md_unraid *unraid) {
    const char *host = params->host->name;
    ng_outcome_look(outcome, "Unraid", "mdState %s, mdResyncAction %s, busy: %s; %s", unraid->state,
        unraid->action,
        unraid->busy == NG_ANSWER_YES  ? "yes"
        : unraid->busy == NG_ANSWER_NO ? "no"
                                       : "unknown",
        unraid->why);
    if (unraid->busy == NG_ANSWER_UNKNOWN) {
        ng_outcome_see(
            outcome, NG_UNKNOWN, "Unraid's state on %s is unknown: %s", host, unraid->why);
        advise_by_hand(outcome, host);
    } else if (unraid->busy == NG_ANSWER_YES) {
        bool may = strncmp(unraid->action, "check", 5) == 0 && allowed(&params->allow, "check");
        may = may ||
              (strncmp(unraid->action, "recon", 5) == 0 && allowed(&params->allow, "recovery"));
        ng_outcome_see(outcome, may ? NG_HELD : NG_BROKEN, "on %s %s%s", host, unraid->why,
            may ? " (allowed by the plan)" : "");
        advise_wait(outcome, host);
    } else if (unraid->degraded != NG_ANSWER_NO) {
        ng_outcome_see(outcome, NG_HELD, "the array on %s is idle, but: %s", host, unraid->why);
    }
}

static void judge_btrfs(
    struct ng_outcome *outcome, const char *host, const struct ng_btrfs_work *work) {
    ng_outcome_look(outcome, ng_arena_printf(outcome->site->arena, "btrfs %s", work->uuid),
        "exclusive operation: %s; scrub: %s (%s)",
        work->operation == NULL ? "unknown" : work->operation,
        work->scrub == NG_ANSWER_YES  ? "yes"
        : work->scrub == NG_ANSWER_NO ? "no"
                                      : "unknown",
        work->scrub_why);
    if (work->operation == NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "whether the btrfs %s on %s is in a balance or a replacement is unknown: its "
            "exclusive_operation could not be read",
            work->uuid, host);
    } else if (strcmp(work->operation, "none") != 0) {
        ng_outcome_see(outcome, NG_BROKEN, "a btrfs on %s is in %s", host, work->operation);
        ng_outcome_advise(
            outcome, "wait until it is done (btrfs balance status, btrfs replace status)");
    }
    if (work->scrub == NG_ANSWER_UNKNOWN) {
        ng_outcome_see(outcome, NG_UNKNOWN, "whether the btrfs %s on %s is scrubbed is unknown: %s",
            work->uuid, host, work->scrub_why);
    } else if (work->scrub == NG_ANSWER_YES) {
        ng_outcome_see(outcome, NG_BROKEN, "a btrfs on %s is scrubbed", host);
        ng_outcome_advise(outcome, "wait until it is done (btrfs scrub status)");
    }
    ng_outcome_advise(outcome,
        "look by hand on %s, as root: btrfs balance status, btrfs scrub status; or write "
        "\"unknown: allow\"",
        host);
}

/* The first mount of a type, or NULL. */
static const struct ng_mount *mount_of(const struct ng_facts *facts, const char *type) {
    for (size_t i = 0; i < facts->mounts.count; i++) {
        if (strcmp(facts->mounts.items[i].type, type) == 0) {
            return &facts->mounts.items[i];
        }
    }
    return NULL;
}

/* Other layers that rebuild: btrfs, and ZFS, which is not asked yet. What tells whether there are
 * any must have been seen. */
static void judge_others(
    struct ng_outcome *outcome, const char *host, const struct ng_facts *facts) {
    const struct ng_blocks *blocks = &facts->blocks;
    const char *why = facts->mounts_why != NULL ? facts->mounts_why
                      : blocks->why != NULL     ? blocks->why
                                                : blocks->cut;
    if (why != NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "whether %s has a btrfs or ZFS that rebuilds or scrubs is unknown: %s", host, why);
        ng_outcome_advise(outcome, "look by hand on %s: findmnt -t btrfs,zfs", host);
    }
    for (size_t i = 0; i < blocks->work_count; i++) {
        judge_btrfs(outcome, host, &blocks->works[i]);
    }
    const struct ng_mount *btrfs = mount_of(facts, "btrfs");
    if (btrfs != NULL && blocks->work_count == 0 && blocks->why == NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "what the btrfs on %s of %s is at is unknown: /sys/fs/btrfs does not show it here",
            btrfs->point, host);
        ng_outcome_advise(
            outcome, "look by hand on %s, as root: btrfs scrub status %s", host, btrfs->point);
    }
    if (mount_of(facts, "zfs") != NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "%s has ZFS pools, whose resilver and scrub are not looked at", host);
        ng_outcome_advise(outcome, "look by hand on %s: zpool status", host);
    }
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    const struct ng_facts *facts = ng_site_facts(site, given->host);
    const struct ng_md *md = &facts->md;
    struct ng_outcome outcome = ng_outcome_begin(site, out, given->host->name,
        ng_arena_printf(site->arena,
            "/proc/mdstat, /sys/block/md*, /sys/fs/btrfs and the mounts on %s", given->host->name));
    ng_outcome_expect(&outcome,
        "no array or btrfs on %s is rebuilt, checked or reshaped, or waits to be",
        given->host->name);
    if (md->kind == NG_MD_UNKNOWN) {
        ng_outcome_see(&outcome, NG_UNKNOWN, "the state of md on %s is unknown: %s",
            given->host->name, md->reason != NULL ? md->reason : "it was not seen");
        advise_by_hand(&outcome, given->host->name);
    }
    for (size_t i = 0; i < md->count; i++) {
        judge_array(&outcome, given, &md->arrays[i]);
    }
    if (md->kind == NG_MD_UNRAID) {
        judge_unraid(&outcome, given, &md->unraid);
    }
    judge_others(&outcome, given->host->name, facts);
    if (md->kind == NG_MD_NONE) {
        ng_outcome_look(&outcome, "md", "no md arrays: %s", md->reason);
    }
    if (outcome.out->seen[0] == '\0') {
        ng_outcome_see(&outcome, NG_HELD, "%s",
            md->kind == NG_MD_NONE ? ng_arena_printf(site->arena, "no md arrays (%s)", md->reason)
            : md->kind == NG_MD_UNRAID
                ? "the array is idle"
                : ng_arena_printf(site->arena, "%zu md array(s), all idle", md->count));
    }
}

const struct ng_condition ng_condition_no_rebuild = {
    .kind = {.record = {.name = "no_rebuild",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "host",
                 .help = "no array of a host is being rebuilt, checked or reshaped"},
        .check = check},
    .evaluate = evaluate,
};
