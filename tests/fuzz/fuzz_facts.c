/* Fuzzes the parsers of a host's facts. The token is a fixed one, so that inputs can hold frames.
 */
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/collect.h"
#include "runner/facts/state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_facts *facts =
        ng_facts_parse(&arena, "here", "token", size > 0 ? (const char *)data : "", size);
    if (facts == NULL) {
        __builtin_trap(); /* there are always facts */
    }
    const struct ng_state *state = ng_state_of_host(&arena, facts);
    for (size_t i = 0; i < state->count; i++) {
        if ((state->rows[i].value == NULL) == (state->rows[i].why == NULL)) {
            __builtin_trap(); /* known, or unknown and why */
        }
    }
    (void)ng_state_of_path(&arena, facts, "/");
    ng_arena_release(&arena);
    return 0;
}
