/* What of a ZFS pool stands between its data and its disks. */
#include <string.h>

#include "runner/facts/zfs.h"

/* The devices of a class as text; NULL: it has none. */
static const char *devices_of(
    const struct ng_zpool *pool, struct ng_arena *arena, enum ng_zpool_class class) {
    const char *list = NULL;
    for (size_t i = 0; i < pool->vdev_count; i++) {
        const struct ng_zpool_vdev *vdev = &pool->vdevs[i];
        if (vdev->group || vdev->class != class) {
            continue;
        }
        const bool fine = strcmp(vdev->state, "ONLINE") == 0;
        if (list != NULL && strlen(list) > 400) {
            return ng_arena_printf(arena, "%s ...", list);
        }
        list = ng_arena_printf(arena, "%s%s%s%s%s%s", list == NULL ? "" : list,
            list == NULL ? "" : " ", vdev->name, fine ? "" : " (", fine ? "" : vdev->state,
            fine ? "" : ")");
    }
    return list;
}

struct ng_zfs_caches ng_zfs_caches_of(const struct ng_zpool *pool, struct ng_arena *arena) {
    return (struct ng_zfs_caches){.l2arc = devices_of(pool, arena, NG_ZPOOL_CACHE),
        .slog = devices_of(pool, arena, NG_ZPOOL_LOG),
        .special = devices_of(pool, arena, NG_ZPOOL_SPECIAL),
        .dedup = devices_of(pool, arena, NG_ZPOOL_DEDUP)};
}

/* "c_max                           4    8283713536" */
static int64_t arc_value(const struct ng_source *source, const char *key) {
    struct ng_span rest = ng_span(source->text, source->len), line, name, type, value;
    int64_t number;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_word(&line, &name) && ng_span_is(name, key) && ng_span_word(&line, &type) &&
            ng_span_word(&line, &value) && ng_span_int(value, &number) && number >= 0) {
            return number;
        }
    }
    return -1;
}

void ng_zfs_arc_read(struct ng_facts *facts) {
    const struct ng_source *source = ng_frames_find(&facts->frames, "zfs.arcstats");
    facts->arc = (struct ng_zfs_arc){.size = arc_value(source, "size"),
        .most = arc_value(source, "c_max"),
        .l2_size = arc_value(source, "l2_size")};
}

const char *ng_zfs_property(const struct ng_facts *facts, struct ng_arena *arena,
    const char *dataset, const char *property) {
    const struct ng_source *source = ng_frames_find(&facts->frames, "zfs.get");
    struct ng_span rest = ng_span(source->text, source->len), line;
    while (ng_span_line(&rest, &line)) {
        struct ng_span name = ng_span_until(&line, '\t');
        struct ng_span key = ng_span_until(&line, '\t');
        struct ng_span value = ng_span_trim(line);
        if (ng_span_is(name, dataset) && ng_span_is(key, property) && value.len > 0 &&
            !ng_span_is(value, "-")) {
            return ng_span_dup(arena, value);
        }
    }
    return NULL;
}
