/* md arrays and Unraid's array as arrays. */
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/arrays_sources.h"

#define LOOK "cat /proc/mdstat, /sys/block/md*/md/sync_action"

static const char *clean(struct ng_arena *arena, const char *text) {
    return text == NULL ? NULL : ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, 1000);
}

static const char *or_dash(const char *text) {
    return text == NULL ? "-" : text;
}

/* The raw values of both sources side by side. */
static const char *seen_words(const struct ng_md_array *array, struct ng_arena *arena) {
    const struct ng_md_sysfs *sysfs = &array->sysfs;
    const char *counters = array->slots < 0
                               ? ""
                               : ng_arena_printf(arena, " [%d/%d] [%s]", array->slots,
                                     array->in_sync, array->map == NULL ? "" : array->map);
    const char *more =
        !sysfs->present
            ? ""
            : ng_arena_printf(arena,
                  "; sysfs: array_state %s, sync_action %s, sync_completed %s, degraded %s, "
                  "raid_disks %s, last_sync_action %s, mismatch_cnt %s",
                  or_dash(sysfs->array_state), or_dash(sysfs->sync_action),
                  or_dash(sysfs->sync_completed), or_dash(sysfs->degraded),
                  or_dash(sysfs->raid_disks), or_dash(sysfs->last_sync_action),
                  or_dash(sysfs->mismatch_cnt));
    return ng_arena_printf(arena, "%s%s%s%s%s%s%s%s",
        array->listed ? array->state : "not in /proc/mdstat",
        array->read_only        ? " (read-only)"
        : array->auto_read_only ? " (auto-read-only)"
                                : "",
        array->personality != NULL || sysfs->level != NULL ? " " : "",
        array->personality != NULL ? array->personality
        : sysfs->level != NULL     ? sysfs->level
                                   : "",
        counters, array->container ? ", a container" : "",
        array->bitmap == NULL ? "" : ng_arena_printf(arena, "; %s", array->bitmap), more);
}

/* Names in /proc/mdstat have "/" where those in /sys/block have "!". */
static const char *block_name(struct ng_arena *arena, const char *name) {
    char *block = ng_arena_strdup(arena, name);
    for (char *slash = block; (slash = strchr(slash, '/')) != NULL;) {
        *slash = '!';
    }
    return block;
}

static void add_devices(const struct ng_facts *facts, struct ng_array *array,
    struct ng_arena *arena, const struct ng_md_array *from) {
    const struct ng_block *block = ng_blocks_find(&facts->blocks, from->name);
    for (size_t i = 0; i < from->member_count; i++) {
        ng_array_device(array, arena, block_name(arena, from->members[i].name));
    }
    for (size_t i = 0; from->member_count == 0 && block != NULL && i < block->slave_count; i++) {
        ng_array_device(array, arena, block->slaves[i]);
    }
}

static void set_slots(struct ng_array *array, const struct ng_md_array *from) {
    int64_t now, before;
    if (from->slots >= 0) {
        array->slots = from->slots;
        array->in_sync = from->in_sync;
    } else if (from->sysfs.raid_disks != NULL &&
               ng_md_disks(from->sysfs.raid_disks, &now, &before) && now <= INT32_MAX) {
        array->slots = (int)now;
    }
    array->per_bay = from->per_bay;
    array->every_disk = from->every_disk;
}

static void add(struct ng_facts *facts, struct ng_arena *arena, const struct ng_md_array *from) {
    const struct ng_md_sysfs *sysfs = &from->sysfs;
    struct ng_array *array = ng_arrays_add(facts, arena, "md", clean(arena, from->name));
    array->level = clean(arena, from->personality != NULL ? from->personality : sysfs->level);
    array->block = from->name;
    array->busy = from->busy;
    array->action = from->action;
    array->waiting = from->waiting;
    array->percent = from->percent;
    array->left_ns = from->left_ns;
    array->busy_why = clean(arena, from->busy_why);
    array->degraded = from->degraded;
    array->degraded_why = clean(arena, from->degraded_why);
    array->warning = clean(arena, from->warning);
    array->seen = clean(arena, seen_words(from, arena));
    if (sysfs->present) {
        const char *trace = ng_arena_printf(arena, "last_sync_action %s, mismatch_cnt %s",
            or_dash(sysfs->last_sync_action), or_dash(sysfs->mismatch_cnt));
        array->trace = clean(arena, trace);
    }
    set_slots(array, from);
    add_devices(facts, array, arena, from);
}

static void add_unraid(
    struct ng_facts *facts, struct ng_arena *arena, const struct ng_md_unraid *from) {
    struct ng_array *array = ng_arrays_add(facts, arena, "Unraid", "array");
    array->busy = from->busy;
    array->action = from->doing;
    array->waiting = from->waiting;
    array->percent = from->percent;
    array->left_ns = from->left_ns;
    array->busy_why = clean(arena, from->busy_why);
    array->degraded = from->degraded;
    array->degraded_why = clean(arena, from->degraded_why);
    const char *seen = ng_arena_printf(arena,
        "mdState %s, mdNumDisks %lld, mdResyncAction %s, mdResync %lld, mdResyncPos %lld",
        from->state, (long long)from->disks, from->action, (long long)from->resync,
        (long long)from->resync_pos);
    array->seen = clean(arena, seen);
    const char *trace = ng_arena_printf(arena, "last check %s to %s, errors %s", from->last_start,
        from->last_end, from->last_errors);
    array->trace = clean(arena, trace);
    array->slots = from->disks >= 0 && from->disks <= INT32_MAX ? (int)from->disks : -1;
    for (size_t i = 0; i < from->device_count; i++) {
        ng_array_device(array, arena, block_name(arena, from->devices[i]));
    }
}

void ng_arrays_of_md(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_md *md = &facts->md;
    if (md->kind == NG_MD_UNKNOWN) {
        ng_arrays_gap(facts, arena, "md", LOOK, "the state of md is unknown: %s",
            md->reason != NULL ? clean(arena, md->reason) : "it was not seen");
    } else if (md->kind == NG_MD_NONE) {
        ng_arrays_none(facts, arena, "md", "%s", clean(arena, md->reason));
    } else if (md->kind == NG_MD_UNRAID) {
        add_unraid(facts, arena, &md->unraid);
    }
    for (size_t i = 0; i < md->count; i++) {
        const struct ng_md_array *array = &md->arrays[i];
        if (array->listed || strcmp(or_dash(array->sysfs.array_state), "clear") != 0) {
            add(facts, arena, array); /* a stopped array leaves its device behind */
        }
    }
}
