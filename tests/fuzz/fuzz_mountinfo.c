/* Fuzzes mountinfo: whatever was accepted can be looked up and asked for options. */
#include <stdint.h>

#include "runner/facts/mountinfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    struct ng_mounts mounts;
    const char *value;
    ng_arena_init(&arena);
    ng_mounts_parse(&mounts, &arena, size > 0 ? (const char *)data : "", size);
    for (size_t i = 0; i < mounts.count && i < 64; i++) {
        const struct ng_mount *mount = &mounts.items[i];
        if (ng_mounts_find(&mounts, mount->point) == NULL ||
            !ng_mounts_is_point(&mounts, mount->point)) {
            __builtin_trap(); /* a mount point lies on a mount, at its point */
        }
        (void)ng_mount_option(mount, "vers", &arena, &value);
        (void)ng_mount_options_safe(mount, &arena);
        (void)ng_mount_read_only(mount);
    }
    ng_arena_release(&arena);
    return 0;
}
