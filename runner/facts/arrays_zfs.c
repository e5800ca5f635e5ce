/* ZFS pools as arrays. Nothing asks them yet: where there may be some, that is a gap. */
#include "runner/facts/arrays_sources.h"

void ng_arrays_of_zfs(struct ng_facts *facts, struct ng_arena *arena) {
    if (ng_facts_mount_of(facts, "zfs") != NULL) {
        ng_arrays_gap(facts, arena, "ZFS", "zpool status",
            "there are ZFS pools, whose resilver and scrub are not looked at");
    } else if (facts->mounts_why != NULL) {
        ng_arrays_gap(facts, arena, "ZFS", "findmnt -t zfs; zpool status",
            "whether there is a ZFS that resilvers or scrubs is unknown: %s", facts->mounts_why);
    } else {
        ng_arrays_none(facts, arena, "ZFS", "no ZFS is mounted");
    }
}
