/* Fuzzes the parsers of a host's facts. The token is a fixed one, so that inputs can hold frames.
 */
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/collect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    if (ng_facts_parse(&arena, "here", "token", size > 0 ? (const char *)data : "", size) == NULL) {
        __builtin_trap(); /* there are always facts */
    }
    ng_arena_release(&arena);
    return 0;
}
