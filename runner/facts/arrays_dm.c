/* What the device mapper keeps over disks as arrays. */
#include <inttypes.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/arrays_sources.h"
#include "runner/facts/dm.h"

#define KIND "LVM and device mapper"
#define LOOK "as root: dmsetup status, lvs -a -o +sync_percent,raid_sync_action,lv_health_status"

static const char *clean(struct ng_arena *arena, const char *text) {
    return ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, 1000);
}

static struct ng_array *add(
    struct ng_facts *facts, struct ng_arena *arena, const struct ng_dm_target *target) {
    const struct ng_block *block = ng_dm_block(&facts->blocks, target->device);
    struct ng_array *array = ng_arrays_add(facts, arena, ng_dm_is_lvm(block) ? "LVM" : "dm",
        ng_dm_label(arena, block, target->device));
    array->block = block == NULL ? NULL : block->name;
    array->level = clean(arena, target->target);
    for (size_t i = 0; block != NULL && i < block->slave_count; i++) {
        ng_array_device(array, arena, block->slaves[i]);
    }
    array->seen =
        clean(arena, ng_arena_printf(arena, "%s: %s", target->target,
                         target->status == NULL ? "its status was not printed" : target->status));
    return array;
}

static size_t letters(const char *health, const char *wanted) {
    size_t count = 0;
    for (const char *at = health; *at != '\0'; at++) {
        count += strchr(wanted, *at) != NULL ? 1 : 0;
    }
    return count;
}

static bool is_move(const char *dm_name) {
    const char *at = strstr(dm_name, "-pvmove");
    return at != NULL && at[7] >= '0' && at[7] <= '9';
}

static void busy(struct ng_array *array, const char *action, double percent, const char *why) {
    array->busy = NG_ANSWER_YES;
    array->action = action;
    array->percent = percent;
    array->busy_why = why;
}

/* A fraction that is not full is copying, whether or not the action says so: older kernels name
 * none, and an idle one goes on by itself. */
static void judge_sync(struct ng_array *array, struct ng_arena *arena,
    const struct ng_dm_target *target, const struct ng_dm_sync *sync) {
    const char *action = sync->action == NULL ? "idle" : sync->action;
    double percent = sync->total > 0 ? 100 * (double)sync->done / (double)sync->total : -1;
    array->busy = NG_ANSWER_NO;
    if (strcmp(action, "frozen") == 0) {
        busy(array, "frozen", -1, "is held back (frozen)");
    } else if (strcmp(action, "idle") != 0) {
        const char *word = strcmp(action, "recover") == 0 ? "recovery" : action;
        busy(array, clean(arena, word), percent,
            ng_arena_printf(arena, "is in %s%s", word, ng_array_progress(arena, percent, -1)));
    } else if (sync->done < sync->total && is_move(target->device)) {
        busy(array, "removal", percent,
            ng_arena_printf(
                arena, "is being moved (pvmove)%s", ng_array_progress(arena, percent, -1)));
    } else if (sync->done < sync->total) {
        bool told = sync->action != NULL;
        busy(array, "resync", percent,
            ng_arena_printf(arena, "%s%s", told ? "is not in sync, and may go on" : "is in resync",
                ng_array_progress(arena, percent, -1)));
        array->waiting = told ? "pending" : NULL;
    }
}

/* While mirrors are made equal for the first time, none is in sync and none is missing. */
static void judge_health(struct ng_array *array, struct ng_arena *arena,
    const struct ng_dm_target *target, const struct ng_dm_sync *sync) {
    bool raid = strcmp(target->target, "raid") == 0;
    const char *action = sync->action == NULL ? "" : sync->action;
    bool filling = strcmp(action, "resync") == 0 || strcmp(action, "reshape") == 0 ||
                   (sync->action == NULL && sync->done < sync->total);
    size_t lost = letters(sync->health, raid ? "D-" : "DFSRU");
    size_t behind = raid ? letters(sync->health, "a") : 0;
    array->degraded = NG_ANSWER_NO;
    if (lost > 0 || (behind > 0 && !filling)) {
        array->degraded = NG_ANSWER_YES;
        array->degraded_why =
            ng_arena_printf(arena, "[%s]: %zu of %" PRId64 " failed or missing, %zu not in sync",
                sync->health, lost, sync->devices, behind);
    } else if (letters(sync->log, "DFSRU") > 0) {
        array->warning = ng_arena_printf(arena, "its log has failed [%s]", sync->log);
    } else if (sync->mismatches > 0) {
        array->warning = ng_arena_printf(
            arena, "its last check counted %" PRId64 " mismatches", sync->mismatches);
    }
    array->slots = (int)sync->devices;
    array->in_sync = (int)letters(sync->health, "A");
}

static void of_sync(
    struct ng_facts *facts, struct ng_arena *arena, const struct ng_dm_target *target) {
    struct ng_dm_sync sync;
    struct ng_array *array = add(facts, arena, target);
    if (!ng_dm_sync_parse(target, arena, &sync)) {
        array->busy_why = array->degraded_why = target->status == NULL
                                                    ? "dmsetup printed no status of it"
                                                    : "its status is not understood";
        return;
    }
    array->level = clean(arena, sync.level);
    judge_sync(array, arena, target, &sync);
    judge_health(array, arena, target, &sync);
    if (sync.mismatches >= 0) {
        array->trace = ng_arena_printf(arena, "mismatches %" PRId64, sync.mismatches);
    }
}

/* Thin volumes and snapshots are many: those that are idle and whole are not told of. */
static void of_state(struct ng_facts *facts, struct ng_arena *arena,
    const struct ng_dm_target *target, const struct ng_dm_state *state) {
    bool whole = strcmp(target->target, "thin-pool") == 0 ||
                 strcmp(target->target, "snapshot-merge") == 0 ||
                 strcmp(target->target, "clone") == 0 || strcmp(target->target, "vdo") == 0;
    if (!whole && state->busy == NG_ANSWER_NO && state->broken == NG_ANSWER_NO) {
        return;
    }
    struct ng_array *array = add(facts, arena, target);
    array->busy = state->busy;
    array->percent = state->percent;
    array->degraded = state->broken;
    array->busy_why = state->busy == NG_ANSWER_NO ? "" : clean(arena, state->why);
    array->degraded_why = state->broken == NG_ANSWER_NO ? "" : clean(arena, state->why);
}

static bool is_sync_target(const char *word) {
    return strcmp(word, "raid") == 0 || strcmp(word, "mirror") == 0 || strcmp(word, "striped") == 0;
}

static void of_targets(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t i = 0; i < facts->blocks.target_count; i++) {
        const struct ng_dm_target *target = &facts->blocks.targets[i];
        struct ng_dm_state state;
        if (is_sync_target(target->target)) {
            of_sync(facts, arena, target);
        } else if (ng_dm_state_parse(target, arena, &state)) {
            of_state(facts, arena, target, &state);
        }
    }
}

static bool is_listed(const struct ng_blocks *blocks, const char *dm_name) {
    for (size_t i = 0; i < blocks->target_count; i++) {
        if (strcmp(blocks->targets[i].device, dm_name) == 0) {
            return true;
        }
    }
    return false;
}

/* Devices whose targets were not told. One device below can hold no copies. */
static const struct ng_block *unseen(const struct ng_facts *facts) {
    for (size_t i = 0; i < facts->blocks.count; i++) {
        const struct ng_block *block = &facts->blocks.items[i];
        const char *name = block->dm_name != NULL ? block->dm_name : block->name;
        bool dm =
            block->disk == NULL && (block->dm_name != NULL || strncmp(block->name, "dm-", 3) == 0);
        bool told = is_listed(&facts->blocks, name) || (facts->lvm.known && ng_dm_is_lvm(block));
        if (dm && !told && block->slave_count != 1) {
            return block;
        }
    }
    return NULL;
}

static bool has_dm(const struct ng_facts *facts) {
    for (size_t i = 0; i < facts->blocks.count; i++) {
        const struct ng_block *block = &facts->blocks.items[i];
        if (block->dm_name != NULL || strncmp(block->name, "dm-", 3) == 0) {
            return true;
        }
    }
    return facts->blocks.target_count > 0 || facts->lvm.count > 0;
}

void ng_arrays_of_dm(struct ng_facts *facts, struct ng_arena *arena) {
    const char *why = facts->blocks.why != NULL ? facts->blocks.why : facts->blocks.cut;
    of_targets(facts, arena);
    const struct ng_block *block = unseen(facts);
    if (why != NULL) {
        ng_arrays_gap(facts, arena, KIND, LOOK,
            "whether LVM or the device mapper copy something is unknown: %s", clean(arena, why));
    } else if (block != NULL) {
        ng_arrays_gap(facts, arena, KIND, LOOK, "whether %s (%s) copies something is unknown: %s",
            clean(arena, block->dm_name == NULL ? block->name : block->dm_name), block->name,
            facts->blocks.targets_why != NULL ? clean(arena, facts->blocks.targets_why)
                                              : "dmsetup did not list it");
    } else if (!has_dm(facts)) {
        ng_arrays_none(facts, arena, KIND, "there is no device of the device mapper");
    }
}
