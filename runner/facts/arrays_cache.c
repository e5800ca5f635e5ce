/* The caches of block layers as arrays. */
#include <string.h>

#include "runner/facts/arrays_sources.h"
#include "runner/facts/cache.h"

#define NOT_TOLD "its status was not told"

/* Caches that are there: one that is emptied works the disks like a rebuild. */
void ng_arrays_of_caches(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t i = 0; i < facts->blocks.count; i++) {
        const struct ng_block *block = &facts->blocks.items[i];
        struct ng_cache_layer layer;
        ng_cache_of_block(facts, block, arena, &layer);
        bool cache = layer.kind != NULL && layer.mode != NG_CACHE_NONE &&
                     strcmp(layer.kind, "tier") != 0 && strcmp(layer.kind, "raid journal") != 0;
        if (!cache) {
            continue;
        }
        struct ng_array *array = ng_arrays_add(facts, arena, layer.kind, layer.label);
        array->level = layer.mode_text;
        array->block = block->name;
        array->busy = layer.flushing;
        array->action = layer.flushing == NG_ANSWER_YES ? "flush" : NULL;
        array->percent = layer.flushed;
        array->busy_why = layer.flushing == NG_ANSWER_NO ? "" : layer.flush_why;
        array->degraded = layer.broken   ? NG_ANSWER_YES
                          : layer.unseen ? NG_ANSWER_UNKNOWN
                                         : NG_ANSWER_NO;
        array->degraded_why = layer.broken && layer.trouble != NULL ? layer.trouble
                              : layer.unseen                        ? NOT_TOLD
                                                                    : "";
        array->warning = layer.broken ? NULL : layer.trouble;
        array->seen = layer.seen;
        for (size_t j = 0; j < block->slave_count; j++) {
            ng_array_device(array, arena, block->slaves[j]);
        }
    }
}
