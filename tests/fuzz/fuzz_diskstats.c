/* Fuzzes counters of disks and interfaces. */
#include <stdint.h>

#include "runner/facts/diskstats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    const char *text = size > 0 ? (const char *)data : "";
    ng_arena_init(&arena);
    struct ng_flows flows;
    ng_netdev_parse(&flows, &arena, text, size);
    ng_diskstats_parse(&flows, &arena, text, size);
    for (size_t i = 0; i < flows.count && i < 64; i++) {
        (void)ng_flow_is_disk(&flows, flows.items[i].name);
    }
    ng_arena_release(&arena);
    return 0;
}
