/* Fuzzes the files of a btrfs's allocation. */
#include <stdint.h>

#include "runner/facts/btrfs_room.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    struct ng_btrfs_rooms rooms = {0};
    ng_arena_init(&arena);
    ng_btrfs_rooms_parse(&rooms, &arena, size > 0 ? (const char *)data : "", size);
    for (size_t i = 0; i < rooms.count && i < 64; i++) {
        (void)ng_btrfs_metadata_full(&rooms.items[i], INT64_MAX);
        if (ng_btrfs_rooms_find(&rooms, rooms.items[i].uuid) == NULL) {
            __builtin_trap(); /* what is listed is found */
        }
    }
    ng_arena_release(&arena);
    return 0;
}
