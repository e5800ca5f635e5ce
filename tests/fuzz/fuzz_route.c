/* Fuzzes what `ip`, `tc`, `date` and /proc/sys print. */
#include <stdint.h>
#include <string.h>

#include "runner/facts/netif.h"
#include "runner/facts/ping_probe.h"
#include "runner/facts/qdisc.h"
#include "runner/facts/route.h"
#include "runner/facts/sysctl.h"
#include "runner/facts/wallclock.h"

static void stacks(struct ng_arena *arena, const char *text, size_t size) {
    struct ng_netifs netifs = {0};
    struct ng_layers layers;
    ng_netifs_parse(&netifs, arena, text, size);
    ng_netifs_vlans(&netifs, arena, text, size);
    ng_netifs_addresses(&netifs, arena, text, size);
    ng_netifs_settle(&netifs, arena);
    for (size_t i = 0; i < netifs.count && i < 64; i++) {
        ng_netifs_below(&netifs, &netifs.items[i], &layers);
        for (size_t j = 0; j < layers.count; j++) {
            if (layers.items[j] == &netifs.items[i]) {
                __builtin_trap(); /* nothing lies below itself */
            }
        }
        (void)ng_netifs_holder(&netifs, &netifs.items[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = size > 0 ? (const char *)data : "";
    struct ng_arena arena;
    struct ng_route route = {.peer = "10.0.0.2"};
    struct ng_qdiscs qdiscs = {0};
    struct ng_sysctls sysctls = {0};
    struct ng_wallclock clock;
    struct ng_ping_probe probe;
    ng_arena_init(&arena);
    ng_route_parse(&route, &arena, text, size);
    if ((route.type == NULL && route.why == NULL) || route.mtu < 0 || route.mtu > 65536) {
        __builtin_trap();
    }
    ng_qdiscs_parse(&qdiscs, &arena, text, size);
    ng_sysctls_parse(&sysctls, &arena, text, size);
    for (size_t i = 0; i < sysctls.count && i < 64; i++) {
        const char *value = sysctls.items[i].value;
        if (value != NULL && !ng_sysctl_equal(value, value)) {
            __builtin_trap();
        }
        (void)ng_sysctl_path(&arena, sysctls.items[i].path);
    }
    if (ng_wallclock_parse(&clock, text, size) && (clock.ns < 0 || clock.step <= 0)) {
        __builtin_trap();
    }
    ng_ping_probe_read(&probe, &arena, text, size / 2, text + size / 2, size - size / 2);
    if (ng_ping_probe_all(&probe) && ng_ping_probe_none(&probe)) {
        __builtin_trap();
    }
    stacks(&arena, text, size);
    ng_arena_release(&arena);
    return 0;
}
