/* Fuzzes /proc/net/bonding: LACP is never sound without a partner or a slave. */
#include <stdint.h>

#include "runner/facts/bonding.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    struct ng_bonds bonds = {0};
    ng_arena_init(&arena);
    ng_bonds_parse(&bonds, &arena, size > 0 ? (const char *)data : "", size);
    for (size_t i = 0; i < bonds.count; i++) {
        const struct ng_bond *bond = &bonds.items[i];
        if ((bond->sound == NG_ANSWER_YES) != (bond->why == NULL) ||
            (bond->sound == NG_ANSWER_YES && bond->slave_count == 0) ||
            (bond->sound == NG_ANSWER_YES && bond->mode == NG_BOND_LACP &&
                bond->partner != NG_ANSWER_YES)) {
            __builtin_trap();
        }
    }
    ng_arena_release(&arena);
    return 0;
}
