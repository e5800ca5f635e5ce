/* An ext4 that was made a short while ago: a thread of the kernel writes its tables for minutes to
 * hours. There is one thread for all of them, so that each may be the one. */
#include <string.h>

#include "runner/facts/arrays_sources.h"

static bool runs(const struct ng_tasks *tasks) {
    for (size_t i = 0; i < tasks->count; i++) {
        if (strcmp(tasks->items[i].name, "ext4lazyinit") == 0) {
            return true;
        }
    }
    return false;
}

void ng_arrays_of_ext4(struct ng_facts *facts, struct ng_arena *arena) {
    if (!runs(&facts->load.tasks)) {
        return; /* or it is not visible: where processes are hidden, nothing tells of it */
    }
    struct ng_array *array = ng_arrays_add(facts, arena, "ext4", "ext4");
    array->busy = NG_ANSWER_YES;
    array->action = "initialization";
    array->busy_why = "is still written for the first time after it was made (ext4lazyinit)";
    array->degraded = NG_ANSWER_NO;
    array->seen = "the thread ext4lazyinit runs";
    for (size_t i = 0; i < facts->mounts.count; i++) {
        const struct ng_mount *mount = &facts->mounts.items[i];
        const struct ng_block *block =
            strcmp(mount->type, "ext4") == 0 ? ng_blocks_of_mount(&facts->blocks, mount) : NULL;
        if (block != NULL) {
            ng_array_device(array, arena, block->name);
        }
    }
}
