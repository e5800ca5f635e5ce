/**
 * arrays_share.h - which arrays a place on a host depends on: those that keep its data, and those
 * that merely lie on the same disks (the system arrays of a NAS have a partition on every disk), so
 * that their work is felt as well.
 */
#ifndef NG_FACTS_ARRAYS_SHARE_H
#define NG_FACTS_ARRAYS_SHARE_H

#include "runner/facts/facts.h"

/** Of one array in facts->arrays. */
struct ng_array_share {
    enum ng_answer disks; /* it lies on a disk that the place lies on */
    enum ng_answer holds; /* it keeps the place's data */
};

struct ng_share {
    struct ng_array_share *items; /* by index in facts->arrays.items */
    const char *gap; /* where the way to the disks could not be followed, after "on nas, "; NULL:
                        it is known to its end */
};

/**
 * From a path through its mount, device mapper, md, btrfs and ZFS down to the disks. The path must
 * have been asked for (ng_collect_needs_path). Where the way cannot be followed, every array that
 * was not reached is unknown; where the disks of an array are not known, that one is.
 */
void ng_arrays_share_path(
    const struct ng_facts *facts, const char *path, struct ng_arena *arena, struct ng_share *share);
/** The same from an array of that name (or block device) down to its disks. */
void ng_arrays_share_array(
    const struct ng_facts *facts, const char *name, struct ng_arena *arena, struct ng_share *share);

#endif
