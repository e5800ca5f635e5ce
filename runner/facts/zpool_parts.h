/**
 * zpool_parts.h - the pieces of the reader of zpool.h; used by its files alone.
 */
#ifndef NG_FACTS_ZPOOL_PARTS_H
#define NG_FACTS_ZPOOL_PARTS_H

#include "runner/facts/zpool.h"

/** What stands behind a keyword and in the lines that continue it, joined by newlines. */
void ng_zpool_entry(
    struct ng_zpool *pool, struct ng_arena *arena, struct ng_span keyword, struct ng_span text);
struct ng_zpool_work *ng_zpool_work_add(
    struct ng_zpool *pool, struct ng_arena *arena, const char *action, struct ng_span text);
struct ng_zpool_vdev *ng_zpool_vdev_add(struct ng_zpool *pool, struct ng_arena *arena);
/** One line of the table of devices; *class and `base`, the column of its names, are kept between
 * lines. */
void ng_zpool_row(struct ng_zpool *pool, struct ng_arena *arena, struct ng_span line,
    enum ng_zpool_class *class, size_t *base);
/** Whether a word is the state of a device or pool. */
bool ng_zpool_is_state(struct ng_span word);
/** Whether a name is that of a group of devices. */
bool ng_zpool_is_group(struct ng_span name);
/** The class that a heading of the table or a member of the JSON names; false: none. */
bool ng_zpool_class_of(struct ng_span word, enum ng_zpool_class *class);
/** "note" of a device: (initializing), (trimming), (removing) ... are works. */
void ng_zpool_note(struct ng_zpool *pool, struct ng_arena *arena, const struct ng_zpool_vdev *vdev);
/** Keeps the first line that is not understood. */
void ng_zpool_odd(struct ng_zpool *pool, struct ng_arena *arena, struct ng_span line);
void ng_zpool_last(struct ng_zpool *pool, struct ng_arena *arena, struct ng_span line);
void ng_zpool_warn(struct ng_zpool *pool, struct ng_arena *arena, const char *text);
void ng_zpools_parse_json(
    struct ng_zpools *pools, struct ng_arena *arena, const char *text, size_t len);

#endif
