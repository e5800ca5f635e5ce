/* Block devices by name, number, path and mount. */
#include <string.h>

#include "runner/base/buf.h"
#include "runner/facts/dm.h"

const struct ng_block *ng_blocks_find(const struct ng_blocks *blocks, const char *name) {
    for (size_t i = 0; i < blocks->count; i++) {
        if (strcmp(blocks->items[i].name, name) == 0) {
            return &blocks->items[i];
        }
    }
    return NULL;
}

const struct ng_block *ng_blocks_numbered(
    const struct ng_blocks *blocks, unsigned major, unsigned minor) {
    for (size_t i = 0; i < blocks->count; i++) {
        const struct ng_block *block = &blocks->items[i];
        if (block->numbered && block->major == major && block->minor == minor) {
            return block;
        }
    }
    return NULL;
}

const struct ng_block *ng_dm_block(const struct ng_blocks *blocks, const char *dm_name) {
    for (size_t i = 0; i < blocks->count; i++) {
        const char *name = blocks->items[i].dm_name;
        if (name != NULL && strcmp(name, dm_name) == 0) {
            return &blocks->items[i];
        }
    }
    return NULL;
}

static void add_doubled(struct ng_buf *out, const char *text, size_t len) {
    for (size_t i = 0; i < len; i++) {
        ng_buf_adds(out, text[i] == '-' ? "-" : "");
        ng_buf_addc(out, text[i]);
    }
}

/* /dev/VG/LV is VG-LV for the device mapper, where a hyphen in a name is doubled. */
static bool is_volume_name(const char *dm_name, const char *rest) {
    const char *slash = strchr(rest, '/');
    if (slash == NULL || strchr(slash + 1, '/') != NULL) {
        return false;
    }
    struct ng_buf name;
    ng_buf_init(&name, 1024);
    add_doubled(&name, rest, (size_t)(slash - rest));
    ng_buf_addc(&name, '-');
    add_doubled(&name, slash + 1, strlen(slash + 1));
    bool same = strcmp(ng_buf_text(&name), dm_name) == 0;
    ng_buf_release(&name);
    return same;
}

/* A slash of a name is "!" in sysfs: /dev/cciss/c0d0p1 is cciss!c0d0p1. */
static bool is_own_name(const char *name, const char *rest) {
    while (*name != '\0' && (*name == *rest || (*name == '!' && *rest == '/'))) {
        name++;
        rest++;
    }
    return *name == '\0' && *rest == '\0';
}

static bool is_dm_name(const char *dm_name, const char *rest) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    bool same = strcmp(rest, dm_name) == 0 ||
                (strchr(rest, '\\') != NULL &&
                    strcmp(ng_dm_name(&arena, rest, strlen(rest)), dm_name) == 0);
    ng_arena_release(&arena);
    return same;
}

static bool is_named(const struct ng_block *block, const char *rest) {
    if (is_own_name(block->name, rest)) {
        return true;
    }
    if (block->dm_name == NULL) {
        return false;
    }
    return strncmp(rest, "mapper/", 7) == 0 ? is_dm_name(block->dm_name, rest + 7)
                                            : is_volume_name(block->dm_name, rest);
}

const struct ng_block *ng_blocks_of_path(const struct ng_blocks *blocks, const char *path) {
    if (strncmp(path, "/dev/", 5) != 0) {
        return NULL;
    }
    for (size_t i = 0; i < blocks->count; i++) {
        if (is_named(&blocks->items[i], path + 5)) {
            return &blocks->items[i];
        }
    }
    return NULL;
}

const struct ng_block *ng_blocks_of_mount(
    const struct ng_blocks *blocks, const struct ng_mount *mount) {
    const struct ng_block *named = NULL;
    if (mount->major != 0) {
        const struct ng_block *block = ng_blocks_numbered(blocks, mount->major, mount->minor);
        if (block != NULL) {
            return block;
        }
    }
    /* btrfs has device numbers of its own; its source is one of its devices. A device whose number
     * is known and another is not the one, whatever its name. */
    named = ng_blocks_of_path(blocks, mount->source);
    return named != NULL && (mount->major == 0 || !named->numbered) ? named : NULL;
}
