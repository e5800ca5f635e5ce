/**
 * btrfs_room.h - how much room a btrfs has given to data and metadata: what statfs calls available
 * is an estimate, and there may be some while metadata is full and every write fails.
 */
#ifndef NG_FACTS_BTRFS_ROOM_H
#define NG_FACTS_BTRFS_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"

enum { NG_BTRFS_ROOMS_MAX = 1024 };

/** Bytes; -1: unknown. */
struct ng_btrfs_kind {
    int64_t total, used; /* in the view of files */
    int64_t disk;        /* on all devices: twice as much for raid1 */
};

struct ng_btrfs_room {
    const char *uuid;
    struct ng_btrfs_kind data, metadata, system;
};

struct ng_btrfs_rooms {
    struct ng_btrfs_room *items;
    size_t count, capacity;
    bool cut; /* there were more than are kept */
};

/** Lines `[.../]UUID/allocation/KIND/FILE:NUMBER` below /sys/fs/btrfs; others are left out. */
void ng_btrfs_rooms_parse(
    struct ng_btrfs_rooms *rooms, struct ng_arena *arena, const char *text, size_t len);
const struct ng_btrfs_room *ng_btrfs_rooms_find(
    const struct ng_btrfs_rooms *rooms, const char *uuid);
/**
 * Whether metadata has no room left: less than 2 % and less than 256 MiB of it are free, and of
 * the devices' `size` bytes less than 1 GiB, the size of a piece, belong to nobody. False where
 * that is not known, too.
 */
bool ng_btrfs_metadata_full(const struct ng_btrfs_room *room, int64_t size);

#endif
