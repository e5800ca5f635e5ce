/* What lvs says of volumes, beside what the kernel says of them. */
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/arrays_sources.h"

static const char *clean(struct ng_arena *arena, const char *text) {
    return ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, 1000);
}

/* What the kernel has told of the same volume. */
static struct ng_array *find(struct ng_facts *facts, const char *name) {
    for (size_t i = 0; i < facts->arrays.count; i++) {
        struct ng_array *array = &facts->arrays.items[i];
        if (strcmp(array->name, name) == 0 && strcmp(array->kind, "LVM") == 0) {
            return array;
        }
    }
    return NULL;
}

/* What lvs adds to what the kernel says: the worse of both, and what the kernel did not tell. */
static void merge_lvm(
    struct ng_array *array, struct ng_arena *arena, const struct ng_lvm_volume *volume) {
    const char *what = NULL, *why = "";
    enum ng_answer answer = ng_lvm_busy(volume, arena, &what, &why);
    if ((answer == NG_ANSWER_YES && array->busy != NG_ANSWER_YES) ||
        array->busy == NG_ANSWER_UNKNOWN) {
        array->busy = answer;
        array->action = what;
        array->busy_why = clean(arena, why);
        array->percent = answer == NG_ANSWER_YES ? volume->sync : -1;
    }
    answer = ng_lvm_degraded(volume, arena, &why);
    if ((answer == NG_ANSWER_YES && array->degraded != NG_ANSWER_YES) ||
        array->degraded == NG_ANSWER_UNKNOWN) {
        array->degraded = answer;
        array->degraded_why = clean(arena, why);
    }
    array->seen = clean(arena, ng_arena_printf(arena, "%s%slvs: %s %s %s %s", array->seen,
                                   array->seen[0] == '\0' ? "" : "; ", volume->attr, volume->type,
                                   volume->action, volume->health));
}

static const struct ng_block *block_of(
    const struct ng_facts *facts, const struct ng_lvm_volume *volume, struct ng_arena *arena) {
    return ng_blocks_of_path(
        &facts->blocks, ng_arena_printf(arena, "/dev/%s/%s", volume->group, volume->name));
}

static void add_lvm(struct ng_facts *facts, struct ng_arena *arena,
    const struct ng_lvm_volume *volume, const char *name) {
    struct ng_array *array = ng_arrays_add(facts, arena, "LVM", name);
    const struct ng_block *block = block_of(facts, volume, arena);
    array->level = volume->type[0] == '\0' ? NULL : volume->type;
    array->block = block == NULL ? NULL : block->name;
    for (size_t i = 0; block != NULL && i < block->slave_count; i++) {
        ng_array_device(array, arena, block->slaves[i]);
    }
    merge_lvm(array, arena, volume);
}

/* Volumes that copy, are at work or not whole; the plain ones are no arrays. */
void ng_arrays_of_lvm(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t i = 0; i < facts->lvm.count; i++) {
        const struct ng_lvm_volume *volume = &facts->lvm.volumes[i];
        const char *what = NULL, *why = "";
        const char *name =
            clean(arena, ng_arena_printf(arena, "%s/%s", volume->group, volume->name));
        struct ng_array *array = find(facts, name);
        bool moves = volume->attr[0] == 'p';
        if (array != NULL) {
            merge_lvm(array, arena, volume);
        } else if ((!volume->hidden || moves) &&
                   (ng_lvm_is_copied(volume) ||
                       ng_lvm_busy(volume, arena, &what, &why) != NG_ANSWER_NO ||
                       ng_lvm_degraded(volume, arena, &why) != NG_ANSWER_NO)) {
            add_lvm(facts, arena, volume, name);
        }
    }
}
