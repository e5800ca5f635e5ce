/** arena.c - blocks of zeroed memory, handed out from the front, freed together. */
#include "runner/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_SIZE ((size_t)16 * 1024)
#define ALIGNMENT alignof(max_align_t)

struct ng_arena_block {
    struct ng_arena_block *next;
    size_t size;
    size_t used;
    alignas(max_align_t) unsigned char data[];
};

void ng_oom(void) {
    static const char text[] = "nasgate: out of memory\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(70); /* exit handlers may want memory */
}

void ng_arena_init(struct ng_arena *arena) {
    *arena = (struct ng_arena){0};
}

void ng_arena_release(struct ng_arena *arena) {
    struct ng_arena_block *block = arena->blocks;
    while (block != NULL) {
        struct ng_arena_block *next = block->next;
        free(block);
        block = next;
    }
    ng_arena_init(arena);
}

static struct ng_arena_block *new_block(size_t size) {
    if (size > SIZE_MAX - sizeof(struct ng_arena_block)) {
        ng_oom();
    }
    struct ng_arena_block *block = calloc(1, sizeof *block + size);
    if (block == NULL) {
        ng_oom();
    }
    block->size = size;
    return block;
}

/** A block with `size` free bytes. One that is big goes behind the first, which keeps its rest. */
static struct ng_arena_block *room_for(struct ng_arena *arena, size_t size) {
    struct ng_arena_block *first = arena->blocks;
    if (first != NULL && first->size - first->used >= size) {
        return first;
    }
    if (first != NULL && size > BLOCK_SIZE / 4) {
        struct ng_arena_block *own = new_block(size);
        own->next = first->next;
        first->next = own;
        return own;
    }
    struct ng_arena_block *block = new_block(size > BLOCK_SIZE ? size : BLOCK_SIZE);
    block->next = first;
    arena->blocks = block;
    return block;
}

void *ng_arena_alloc(struct ng_arena *arena, size_t size) {
    if (size > SIZE_MAX - ALIGNMENT) {
        ng_oom();
    }
    size_t rounded = size == 0 ? ALIGNMENT : (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct ng_arena_block *block = room_for(arena, rounded);
    void *memory = block->data + block->used;
    block->used += rounded;
    arena->used += rounded;
    return memory;
}

void *ng_arena_array(struct ng_arena *arena, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        ng_oom();
    }
    return ng_arena_alloc(arena, count * size);
}

char *ng_arena_strndup(struct ng_arena *arena, const char *text, size_t len) {
    if (len == SIZE_MAX) {
        ng_oom();
    }
    char *copy = ng_arena_alloc(arena, len + 1);
    if (len > 0) {
        memcpy(copy, text, len);
    }
    return copy;
}

char *ng_arena_strdup(struct ng_arena *arena, const char *text) {
    return text == NULL ? NULL : ng_arena_strndup(arena, text, strlen(text));
}

char *ng_arena_vprintf(struct ng_arena *arena, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (len < 0) { /* longer than INT_MAX */
        ng_oom();
    }
    char *text = ng_arena_alloc(arena, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, args);
    return text;
}

char *ng_arena_printf(struct ng_arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = ng_arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

void *ng_arena_grow(
    struct ng_arena *arena, void *array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return array;
    }
    if (count > SIZE_MAX / 2) {
        ng_oom();
    }
    size_t wanted = count < 4 ? 8 : count * 2;
    void *larger = ng_arena_array(arena, wanted, size);
    if (count > 0) {
        memcpy(larger, array, count * size);
    }
    *capacity = wanted;
    return larger;
}

void *ng_xmalloc(size_t size) {
    void *memory = malloc(size == 0 ? 1 : size);
    if (memory == NULL) {
        ng_oom();
    }
    return memory;
}

void *ng_xrealloc(void *old, size_t size) {
    void *memory = realloc(old, size == 0 ? 1 : size);
    if (memory == NULL) {
        ng_oom();
    }
    return memory;
}

char *ng_xstrdup(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(ng_xmalloc(size), text, size);
}
