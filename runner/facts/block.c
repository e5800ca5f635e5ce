/* Block devices out of sysfs. */
#include "runner/facts/block.h"

#include <string.h>

#include "runner/facts/dm.h"
#include "runner/facts/scan.h"

static struct ng_block *find_or_add(
    struct ng_blocks *blocks, struct ng_arena *arena, struct ng_span name) {
    for (size_t i = blocks->count; i-- > 0;) { /* lines of one device stand together */
        if (ng_span_is(name, blocks->items[i].name)) {
            return &blocks->items[i];
        }
    }
    if (name.len == 0) {
        return NULL;
    }
    if (blocks->count >= NG_BLOCKS_MAX) {
        blocks->cut = "there are more block devices than can be kept";
        return NULL;
    }
    blocks->items = ng_arena_grow(
        arena, blocks->items, blocks->count, &blocks->capacity, sizeof *blocks->items);
    struct ng_block *block = &blocks->items[blocks->count++];
    *block = (struct ng_block){.name = ng_span_dup(arena, name), .size = -1};
    return block;
}

static void set_device(struct ng_block *block, struct ng_span value) {
    int64_t major, minor;
    if (ng_span_int(ng_span_until(&value, ':'), &major) && ng_span_int(value, &minor) &&
        major >= 0 && major <= UINT32_MAX && minor >= 0 && minor <= UINT32_MAX) {
        block->major = (unsigned)major;
        block->minor = (unsigned)minor;
        block->numbered = true;
    }
}

static void add_slave(
    struct ng_blocks *blocks, struct ng_block *block, struct ng_arena *arena, struct ng_span name) {
    if (name.len == 0) {
        return;
    }
    if (block->slave_count >= NG_SLAVES_MAX) {
        blocks->cut = ng_arena_printf(
            arena, "more devices lie directly below %s than can be kept", block->name);
        return;
    }
    block->slaves = ng_arena_grow(
        arena, block->slaves, block->slave_count, &block->slave_capacity, sizeof *block->slaves);
    block->slaves[block->slave_count++] = ng_span_dup(arena, name);
}

/* Values that are kept as text. */
static const char **text_slot(struct ng_block *block, struct ng_span file) {
    const struct {
        const char *file;
        const char **at;
    } slots[] = {
        {"queue/write_cache", &block->write_cache},
        {"queue/scheduler", &block->scheduler},
        {"dm/name", &block->dm_name},
        {"dm/uuid", &block->dm_uuid},
        {"md/level", &block->md_level},
        {"md/journal_mode", &block->md_journal},
        {"loop/backing_file", &block->loop_file},
        {"device/vendor", &block->vendor},
        {"device/model", &block->model},
    };
    for (size_t i = 0; i < NG_COUNT(slots); i++) {
        if (ng_span_is(file, slots[i].file)) {
            return slots[i].at;
        }
    }
    return NULL;
}

static void set_value(
    struct ng_block *block, struct ng_arena *arena, struct ng_span file, struct ng_span value) {
    int64_t number;
    const char **text = text_slot(block, file);
    if (text == &block->dm_name) {
        block->dm_name = ng_dm_name(arena, value.at, value.len);
    } else if (text != NULL) {
        *text = ng_span_dup(arena, value);
    } else if (ng_span_is(file, "dev")) {
        set_device(block, value);
    } else if (ng_span_is(file, "size")) {
        bool fits = ng_span_int(value, &number) && number >= 0 && number <= INT64_MAX / 512;
        block->size = fits ? number * 512 : -1;
    } else if (ng_span_is(file, "queue/rotational")) {
        block->rotational = ng_span_is(value, "1")   ? NG_ANSWER_YES
                            : ng_span_is(value, "0") ? NG_ANSWER_NO
                                                     : NG_ANSWER_UNKNOWN;
    }
}

/* "vda/queue/rotational", "md0/slaves/sda1", "vda/part/vda1/dev" */
static void parse_block(
    struct ng_blocks *blocks, struct ng_arena *arena, struct ng_span path, struct ng_span value) {
    struct ng_span name = ng_span_until(&path, '/');
    struct ng_block *block = find_or_add(blocks, arena, name);
    if (block == NULL) {
        return;
    }
    if (ng_span_begins(path, "slaves/")) {
        (void)ng_span_until(&path, '/');
        add_slave(blocks, block, arena, path);
    } else if (ng_span_is(path, "slaves")) {
        block->slaves_now = ng_span_dup(arena, value);
    } else if (ng_span_begins(path, "part/")) {
        const char *disk = block->name;
        (void)ng_span_until(&path, '/');
        struct ng_block *part = find_or_add(blocks, arena, ng_span_until(&path, '/'));
        if (part != NULL) {
            part->disk = disk;
            set_device(part, value);
        }
    } else if (value.len > 0) {
        set_value(block, arena, path, value);
    }
}

/* The btrfs of that UUID; NULL when there are too many. */
static struct ng_btrfs_work *work_of(
    struct ng_blocks *blocks, struct ng_arena *arena, struct ng_span uuid) {
    for (size_t i = 0; i < blocks->work_count; i++) {
        if (ng_span_is(uuid, blocks->works[i].uuid)) {
            return &blocks->works[i];
        }
    }
    if (blocks->work_count >= NG_BTRFS_MAX) {
        blocks->cut = "there are more btrfs than can be kept";
        return NULL;
    }
    blocks->works = ng_arena_grow(
        arena, blocks->works, blocks->work_count, &blocks->work_capacity, sizeof *blocks->works);
    struct ng_btrfs_work *work = &blocks->works[blocks->work_count++];
    *work =
        (struct ng_btrfs_work){.uuid = ng_span_dup(arena, uuid), .scrub_why = "", .missing = -1};
    return work;
}

static void add_profile(const char **profile, struct ng_arena *arena, struct ng_span name) {
    if (name.len > 0 && (*profile == NULL || strlen(*profile) < 100)) {
        *profile = *profile == NULL ? ng_span_dup(arena, name)
                                    : ng_arena_printf(arena, "%s+%.*s", *profile,
                                          (int)(name.len < 20 ? name.len : 20), name.at);
    }
}

/* "exclusive_operation", "devinfo/1/missing", "data/raid1", "metadata/raid1" */
static void set_work(
    struct ng_btrfs_work *work, struct ng_arena *arena, struct ng_span path, struct ng_span value) {
    struct ng_span rest = path;
    struct ng_span first = ng_span_until(&rest, '/');
    if (ng_span_is(path, "exclusive_operation") && value.len > 0) {
        work->operation = ng_span_dup(arena, value);
    } else if (ng_span_is(first, "data")) {
        add_profile(&work->data, arena, rest);
    } else if (ng_span_is(first, "metadata")) {
        add_profile(&work->metadata, arena, rest);
    } else if (ng_span_is(first, "devinfo") && ng_span_after(rest, "/missing").at != NULL &&
               (ng_span_is(value, "0") || ng_span_is(value, "1"))) {
        work->missing = (work->missing < 0 ? 0 : work->missing) + (ng_span_is(value, "1") ? 1 : 0);
    }
}

/* "UUID/devices/sda1", and what set_work takes */
static void parse_btrfs(
    struct ng_blocks *blocks, struct ng_arena *arena, struct ng_span path, struct ng_span value) {
    struct ng_span uuid = ng_span_until(&path, '/');
    struct ng_btrfs_work *work = work_of(blocks, arena, uuid);
    if (ng_span_begins(path, "devices/")) {
        if (blocks->btrfs_count >= NG_BLOCKS_MAX) {
            blocks->cut = "there are more devices of btrfs than can be kept";
            return;
        }
        (void)ng_span_until(&path, '/');
        blocks->btrfs = ng_arena_grow(arena, blocks->btrfs, blocks->btrfs_count,
            &blocks->btrfs_capacity, sizeof *blocks->btrfs);
        blocks->btrfs[blocks->btrfs_count++] = (struct ng_btrfs_device){
            .uuid = ng_span_dup(arena, uuid), .block = ng_span_dup(arena, path)};
    } else if (work != NULL) {
        set_work(work, arena, path, value);
    }
}

void ng_blocks_parse(
    struct ng_blocks *blocks, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_begins(line, "!")) {
            continue; /* there, but not readable: stays unknown */
        }
        struct ng_span path = ng_span_until(&line, '\t');
        struct ng_span kind = ng_span_until(&path, '/');
        if (ng_span_is(kind, "block")) {
            parse_block(blocks, arena, path, ng_span_trim(line));
        } else if (ng_span_is(kind, "btrfs")) {
            parse_btrfs(blocks, arena, path, ng_span_trim(line));
        }
    }
}
