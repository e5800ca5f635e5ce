/* The ZFS pools of a host: zpool's words, zpool's list, the kernel's word for each pool. */
#include "runner/facts/zfs.h"

#include <string.h>

#include "runner/base/text.h"

/* Why zpool status could not be used: its own words on stderr are better than its status. */
static const char *refusal(
    const struct ng_facts *facts, const struct ng_source *status, struct ng_arena *arena) {
    const struct ng_source *words = ng_frames_find(&facts->frames, "zpool.status.err");
    const char *why = status->state == NG_SOURCE_ABSENT
                          ? "the kernel has ZFS, but there is no zpool here"
                          : ng_source_why(&facts->frames, status, "zpool status", arena);
    if (words->len == 0) {
        return why;
    }
    return ng_arena_printf(
        arena, "%s: %s", why, ng_text_clean_dup(arena, words->text, words->len, NG_TEXT_LINE, 200));
}

/* A pool that hangs is told by the kernel even where zpool does not answer; of others it says the
 * state, and nothing of what they are at. */
static void read_states(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_source *states = ng_frames_find(&facts->frames, "zfs.states");
    struct ng_span rest = ng_span(states->text, states->len), line;
    while (ng_span_line(&rest, &line)) {
        struct ng_span state = line;
        struct ng_span name = ng_span_until(&state, '\t');
        state = ng_span_trim(state);
        if (name.len == 0 || name.at[0] == '!' || state.len == 0) {
            continue;
        }
        struct ng_zpool *pool = ng_zpools_find(&facts->zpools, name);
        pool = pool != NULL ? pool : ng_zpools_add(&facts->zpools, arena, name);
        if (pool != NULL && (pool->state == NULL || ng_span_is(state, "SUSPENDED"))) {
            pool->state = ng_text_clean_dup(arena, state.at, state.len, NG_TEXT_LINE, 40);
        }
    }
}

/* One that is gone lies on no disk that is there. */
static bool is_gone(const struct ng_zpool_vdev *vdev) {
    static const char *const states[] = {"UNAVAIL", "REMOVED", "OFFLINE", "FAULTED"};
    for (size_t i = 0; i < NG_COUNT(states); i++) {
        if (strcmp(vdev->state, states[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* An idle spare carries nothing. */
static void add_devices(
    struct ng_blocks *blocks, struct ng_arena *arena, const struct ng_zpool *pool) {
    for (size_t i = 0; i < pool->vdev_count; i++) {
        const struct ng_zpool_vdev *vdev = &pool->vdevs[i];
        if (vdev->group || vdev->class == NG_ZPOOL_SPARE) {
            continue;
        }
        const char *block = ng_zpool_block(vdev);
        if (block != NULL && ng_blocks_find(blocks, block) == NULL) {
            block = NULL;
        }
        if (block == NULL && is_gone(vdev)) {
            continue;
        }
        if (blocks->pool_count >= NG_BLOCKS_MAX) {
            blocks->cut = "there are more devices of ZFS than can be kept";
            return;
        }
        blocks->pools = ng_arena_grow(arena, blocks->pools, blocks->pool_count,
            &blocks->pool_capacity, sizeof *blocks->pools);
        blocks->pools[blocks->pool_count++] =
            (struct ng_pool_device){.pool = pool->name, .name = vdev->name, .block = block};
    }
}

void ng_zfs_read(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_frames *frames = &facts->frames;
    const struct ng_source *status = ng_frames_find(frames, "zpool.status");
    const struct ng_source *list = ng_frames_find(frames, "zpool.list");
    facts->zfs_absent = ng_frames_find(frames, "zfs")->state == NG_SOURCE_ABSENT;
    if (status->len > 0 || ng_source_read(status)) {
        ng_zpools_parse(&facts->zpools, arena, status->text, status->len);
    }
    if (status->state != NG_SOURCE_MISSING && !ng_source_read(status)) {
        facts->zpools.why = refusal(facts, status, arena);
        facts->zpools.none = false;
        facts->zpools.partial = facts->zpools.partial || status->state == NG_SOURCE_CUT;
    }
    if (ng_source_read(list)) {
        ng_zpools_parse_list(&facts->zpools, arena, list->text, list->len);
    }
    read_states(facts, arena);
    ng_zfs_arc_read(facts);
    for (size_t i = 0; i < facts->zpools.count; i++) {
        add_devices(&facts->blocks, arena, &facts->zpools.items[i]);
    }
}

const struct ng_zpool *ng_zfs_pool(const struct ng_facts *facts, const struct ng_mount *mount) {
    if (mount == NULL || strcmp(mount->type, "zfs") != 0) {
        return NULL;
    }
    return ng_zpools_find(&facts->zpools, ng_span(mount->source, strcspn(mount->source, "/@")));
}
