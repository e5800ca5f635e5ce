/* Fuzzes bcache's files. */
#include <stdint.h>

#include "runner/facts/bcache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    struct ng_bcache bcache = {0};
    ng_arena_init(&arena);
    ng_bcache_parse(&bcache, &arena, size > 0 ? (const char *)data : "", size);
    for (size_t i = 0; i < bcache.count; i++) {
        const struct ng_bcache_device *device = &bcache.devices[i];
        const char *why = NULL;
        if (device->dirty < -1 || device->cutoff < -1 ||
            ng_bcache_dirty(device, &arena, &why) < -1) {
            __builtin_trap();
        }
        (void)ng_bcache_set_of(&bcache, device->device);
    }
    ng_arena_release(&arena);
    return 0;
}
