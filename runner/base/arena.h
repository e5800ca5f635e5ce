/**
 * arena.h - memory that lives and dies together.
 *
 * Plan, schedule and result each own one arena; nothing in them is freed alone. Memory is zeroed
 * and aligned for any type. Running out of memory ends the process with exit code 70 in ng_oom(),
 * the only exit outside main, so no caller checks for NULL.
 */
#ifndef NG_BASE_ARENA_H
#define NG_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "runner/base/guard.h"

struct ng_arena {
    struct ng_arena_block *blocks;
    size_t used; /* bytes handed out, for tests and budgets */
};

/** Makes an empty arena of a zeroed or uninitialised struct. Allocates nothing. */
void ng_arena_init(struct ng_arena *arena);
/** Frees everything; the arena may be used again. */
void ng_arena_release(struct ng_arena *arena);

void *ng_arena_alloc(struct ng_arena *arena, size_t size);
/** `count` zeroed elements; an overflow of count * size counts as out of memory. */
void *ng_arena_array(struct ng_arena *arena, size_t count, size_t size);
/** A copy of a string; NULL gives NULL. */
char *ng_arena_strdup(struct ng_arena *arena, const char *text);
/** A NUL-terminated copy of `len` bytes. */
char *ng_arena_strndup(struct ng_arena *arena, const char *text, size_t len);
char *ng_arena_printf(struct ng_arena *arena, const char *format, ...) NG_PRINTF(2, 3);
char *ng_arena_vprintf(struct ng_arena *arena, const char *format, va_list args) NG_PRINTF(2, 0);

/**
 * Makes room for one more element in an array that lives in an arena: returns the (possibly moved)
 * array with capacity for at least count + 1 elements. `capacity` is updated. The old array stays
 * in the arena, so growth doubles and total waste is at most the final size.
 */
void *ng_arena_grow(
    struct ng_arena *arena, void *array, size_t count, size_t *capacity, size_t size);

/** malloc and realloc that never return NULL (size 0 gives a valid pointer). Free with free(). */
void *ng_xmalloc(size_t size);
void *ng_xrealloc(void *old, size_t size);
char *ng_xstrdup(const char *text);
/** Says that memory ran out and ends the process with 70. */
NG_NORETURN void ng_oom(void);

#endif
