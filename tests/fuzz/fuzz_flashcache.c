/* Fuzzes flashcache: the input is split at its first NUL into a table and the files of /proc. */
#include <stdint.h>
#include <string.h>

#include "runner/facts/flashcache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    struct ng_flashcache cache;
    struct ng_flashcaches caches = {0};
    ng_arena_init(&arena);
    const char *text = ng_arena_strndup(&arena, size > 0 ? (const char *)data : "", size);
    size_t first = strlen(text);
    ng_flashcache_of_target(&cache, &arena, text, text);
    if (first < size) {
        ng_flashcaches_parse(&caches, &arena, text + first + 1, size - first - 1);
    }
    const struct ng_flashcache *more =
        cache.disk == NULL ? NULL : ng_flashcaches_find(&caches, cache.ssd, cache.disk);
    if (more != NULL) {
        ng_flashcache_complete(&cache, more);
    }
    if (cache.size < -1 || cache.dirty < -1 || cache.threshold < -1) {
        __builtin_trap();
    }
    (void)ng_flashcache_flushes(&cache);
    ng_arena_release(&arena);
    return 0;
}
