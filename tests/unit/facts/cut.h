/**
 * cut.h - for tests: what a text that ends too early must never be taken for.
 *
 * A whole text is the judge of its own beginnings: what it reports as at work, as not whole, as
 * cached or as not sound, none of its beginnings may report as idle, whole, uncached or sound. A
 * beginning that does not name the thing yet must leave a gap, or say that there are things it does
 * not know.
 */
#ifndef NG_TESTS_FACTS_CUT_H
#define NG_TESTS_FACTS_CUT_H

#include "runner/facts/cache.h"
#include "runner/facts/collect.h"
#include "tests/unit/facts/parse.h"

/** A text that a host prints, between what it prints before and behind. */
struct cut_text {
    const char *title;
    const char *before; /* frames */
    const char *frame;  /* the name of the frame of `text` */
    const char *text;
    const char *after; /* frames; NULL: a file may be absent, so that its own mark must tell */
    bool open_end;     /* a beginning that does not name the thing may leave no gap: its end cannot
                          be told, and the frame's own mark must do */
};

#define CUT_F(name, text) "\nt B " name "\n" text "\nt E " name " 0\n"
#define CUT_END "\nt Z end\n"

static inline const struct ng_array *cut_array(
    const struct ng_facts *facts, const struct ng_array *like) {
    for (size_t i = 0; i < facts->arrays.count; i++) {
        const struct ng_array *array = &facts->arrays.items[i];
        if (strcmp(array->kind, like->kind) == 0 && strcmp(array->name, like->name) == 0) {
            return array;
        }
    }
    return NULL;
}

static inline bool cut_has_none(const struct ng_facts *facts, const char *kind) {
    for (size_t i = 0; i < facts->arrays.none_count; i++) {
        if (strcmp(facts->arrays.nones[i].kind, kind) == 0) {
            return true;
        }
    }
    return false;
}

/** Whether there is something that it knows nothing of: the beginning of a name, for one. */
static inline bool cut_has_doubt(const struct ng_facts *facts) {
    for (size_t i = 0; i < facts->arrays.count; i++) {
        if (facts->arrays.items[i].busy == NG_ANSWER_UNKNOWN) {
            return true;
        }
    }
    return false;
}

/** What of `whole` a beginning of it hides; NULL: nothing. */
static inline const char *cut_hidden_array(
    const struct ng_facts *whole, const struct ng_facts *part, bool open_end) {
    for (size_t i = 0; i < whole->arrays.count; i++) {
        const struct ng_array *array = &whole->arrays.items[i];
        const struct ng_array *seen = cut_array(part, array);
        if (array->busy != NG_ANSWER_YES && array->degraded != NG_ANSWER_YES) {
            continue;
        }
        if (seen == NULL && !open_end && part->arrays.gap_count == 0 && !cut_has_doubt(part)) {
            return ng_arena_printf(&arena, "%s %s is not seen, and there is no gap%s", array->kind,
                array->name, cut_has_none(part, array->kind) ? " but a none" : "");
        }
        if (seen != NULL && array->busy == NG_ANSWER_YES && seen->busy == NG_ANSWER_NO) {
            return ng_arena_printf(
                &arena, "%s %s is idle, not \"%s\"", array->kind, array->name, array->busy_why);
        }
        if (seen != NULL && array->degraded == NG_ANSWER_YES && seen->degraded == NG_ANSWER_NO) {
            return ng_arena_printf(&arena, "%s %s is whole, not \"%s\"", array->kind, array->name,
                array->degraded_why);
        }
    }
    return NULL;
}

static inline const char *cut_hidden_cache(
    const struct ng_facts *whole, const struct ng_facts *part) {
    for (size_t i = 0; i < whole->blocks.count; i++) {
        const struct ng_block *block = &whole->blocks.items[i];
        const struct ng_block *seen = ng_blocks_find(&part->blocks, block->name);
        struct ng_cache_layer layer, found;
        ng_cache_of_block(whole, block, &arena, &layer);
        if (seen == NULL) {
            continue;
        }
        ng_cache_of_block(part, seen, &arena, &found);
        if (found.mode < layer.mode) {
            return ng_arena_printf(&arena, "%s is %s, not %s", block->name,
                ng_cache_word(found.mode), ng_cache_word(layer.mode));
        }
        if (layer.flushing == NG_ANSWER_YES && found.flushing == NG_ANSWER_NO &&
            found.mode != NG_CACHE_UNKNOWN) {
            return ng_arena_printf(&arena, "%s is not flushed", block->name);
        }
        if (layer.broken && !found.broken && !found.unseen && found.mode != NG_CACHE_UNKNOWN) {
            return ng_arena_printf(&arena, "%s is not broken", block->name);
        }
    }
    return NULL;
}

static inline const char *cut_hidden_bond(
    const struct ng_facts *whole, const struct ng_facts *part) {
    for (size_t i = 0; i < whole->bonds.count; i++) {
        const struct ng_bond *bond = &whole->bonds.items[i];
        const struct ng_bond *seen = ng_bonds_find(&part->bonds, bond->name);
        if (seen != NULL && bond->sound != NG_ANSWER_YES && seen->sound == NG_ANSWER_YES) {
            return ng_arena_printf(&arena, "%s is sound, not \"%s\"", bond->name, bond->why);
        }
    }
    return NULL;
}

static inline const char *cut_hidden(
    const struct ng_facts *whole, const struct ng_facts *part, bool open_end) {
    const char *hidden = cut_hidden_array(whole, part, open_end);
    hidden = hidden != NULL ? hidden : cut_hidden_cache(whole, part);
    return hidden != NULL ? hidden : cut_hidden_bond(whole, part);
}

/** How many things of it a beginning could hide. */
static inline size_t cut_things(const struct ng_facts *facts) {
    size_t count = 0;
    for (size_t i = 0; i < facts->arrays.count; i++) {
        count += facts->arrays.items[i].busy == NG_ANSWER_YES;
        count += facts->arrays.items[i].degraded == NG_ANSWER_YES;
    }
    for (size_t i = 0; i < facts->blocks.count; i++) {
        struct ng_cache_layer layer;
        ng_cache_of_block(facts, &facts->blocks.items[i], &arena, &layer);
        count += layer.mode != NG_CACHE_NONE && layer.mode != NG_CACHE_UNKNOWN;
    }
    for (size_t i = 0; i < facts->bonds.count; i++) {
        count += facts->bonds.items[i].sound == NG_ANSWER_NO;
    }
    return count;
}

#endif
