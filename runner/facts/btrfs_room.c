/* How much room a btrfs has given to data and metadata. */
#include "runner/facts/btrfs_room.h"

#include <string.h>

#include "runner/facts/scan.h"

static struct ng_btrfs_room *room_of(
    struct ng_btrfs_rooms *rooms, struct ng_arena *arena, struct ng_span uuid) {
    for (size_t i = rooms->count; i > 0; i--) {
        if (ng_span_is(uuid, rooms->items[i - 1].uuid)) {
            return &rooms->items[i - 1];
        }
    }
    if (rooms->count >= NG_BTRFS_ROOMS_MAX) {
        rooms->cut = true;
        return NULL;
    }
    const struct ng_btrfs_kind unknown = {-1, -1, -1};
    rooms->items =
        ng_arena_grow(arena, rooms->items, rooms->count, &rooms->capacity, sizeof *rooms->items);
    struct ng_btrfs_room *room = &rooms->items[rooms->count++];
    *room = (struct ng_btrfs_room){ng_span_dup(arena, uuid), unknown, unknown, unknown};
    return room;
}

/* The last piece of a path, taken off it. */
static struct ng_span last_piece(struct ng_span *path) {
    const char *slash = path->len == 0 ? NULL : memrchr(path->at, '/', path->len);
    const size_t from = slash == NULL ? 0 : (size_t)(slash - path->at) + 1;
    const struct ng_span piece =
        path->len == 0 ? ng_span("", 0) : ng_span(path->at + from, path->len - from);
    path->len = from > 0 ? from - 1 : 0;
    return piece;
}

static struct ng_btrfs_kind *kind_of(struct ng_btrfs_room *room, struct ng_span word) {
    return ng_span_is(word, "data")       ? &room->data
           : ng_span_is(word, "metadata") ? &room->metadata
           : ng_span_is(word, "system")   ? &room->system
                                          : NULL;
}

void ng_btrfs_rooms_parse(
    struct ng_btrfs_rooms *rooms, struct ng_arena *arena, const char *text, size_t len) {
    enum { LINES_MAX = 65536 };
    struct ng_span rest = ng_span(text, len), line;
    for (size_t i = 0; ng_span_line(&rest, &line); i++) {
        int64_t number;
        struct ng_span value = line;
        struct ng_span path = ng_span_until(&value, ':');
        const struct ng_span file = last_piece(&path), word = last_piece(&path);
        const struct ng_span folder = last_piece(&path), uuid = last_piece(&path);
        if (i >= LINES_MAX) {
            rooms->cut = true;
            return;
        }
        if (!ng_span_is(folder, "allocation") || uuid.len == 0 ||
            !ng_span_int(ng_span_trim(value), &number) || number < 0) {
            continue;
        }
        struct ng_btrfs_room *room = room_of(rooms, arena, uuid);
        struct ng_btrfs_kind *kind = room != NULL ? kind_of(room, word) : NULL;
        if (kind == NULL) {
            continue;
        }
        kind->total = ng_span_is(file, "total_bytes") ? number : kind->total;
        kind->used = ng_span_is(file, "bytes_used") ? number : kind->used;
        kind->disk = ng_span_is(file, "disk_total") ? number : kind->disk;
    }
}

const struct ng_btrfs_room *ng_btrfs_rooms_find(
    const struct ng_btrfs_rooms *rooms, const char *uuid) {
    for (size_t i = 0; i < rooms->count; i++) {
        if (strcmp(rooms->items[i].uuid, uuid) == 0) {
            return &rooms->items[i];
        }
    }
    return NULL;
}

bool ng_btrfs_metadata_full(const struct ng_btrfs_room *room, int64_t size) {
    const int64_t piece = INT64_C(1) << 30, least = INT64_C(256) << 20;
    const struct ng_btrfs_kind *kinds[] = {&room->data, &room->metadata, &room->system};
    int64_t taken = 0;
    if (size <= 0 || room->metadata.total < 0 || room->metadata.used < 0) {
        return false;
    }
    for (size_t i = 0; i < NG_COUNT(kinds); i++) {
        if (kinds[i]->disk < 0 || __builtin_add_overflow(taken, kinds[i]->disk, &taken)) {
            return false;
        }
    }
    const int64_t left = room->metadata.total - room->metadata.used;
    return left < least && left < room->metadata.total / 50 + 1 && size - taken < piece;
}
