/* What lies below and above an interface: bonds, bridges, VLANs, Open vSwitch. */
#include <string.h>

#include "runner/facts/netif.h"
#include "runner/facts/scan.h"

static bool layers_have(const struct ng_layers *layers, const struct ng_netif *netif) {
    for (size_t i = 0; i < layers->count; i++) {
        if (layers->items[i] == netif) {
            return true;
        }
    }
    return false;
}

static void add_all(const struct ng_netifs *netifs, const struct ng_netif *start,
    const struct ng_netif_names *names, struct ng_layers *layers) {
    for (size_t i = 0; i < names->count; i++) {
        const struct ng_netif *netif = ng_netifs_find(netifs, names->items[i]);
        if (netif == NULL || netif == start || layers_have(layers, netif)) {
            continue;
        }
        if (layers->count >= NG_LAYERS_MAX) {
            layers->cut = true;
            return;
        }
        layers->items[layers->count++] = netif;
    }
}

void ng_netifs_below(
    const struct ng_netifs *netifs, const struct ng_netif *netif, struct ng_layers *layers) {
    *layers = (struct ng_layers){.count = 0};
    add_all(netifs, netif, &netif->lowers, layers);
    for (size_t i = 0; i < layers->count; i++) {
        add_all(netifs, netif, &layers->items[i]->lowers, layers);
    }
}

void ng_netifs_above(
    const struct ng_netifs *netifs, const struct ng_netif *netif, struct ng_layers *layers) {
    *layers = (struct ng_layers){.count = 0};
    add_all(netifs, netif, &netif->uppers, layers);
    for (size_t i = 0; i < layers->count; i++) {
        add_all(netifs, netif, &layers->items[i]->uppers, layers);
    }
}

const struct ng_netif *ng_netifs_holder(
    const struct ng_netifs *netifs, const struct ng_netif *netif) {
    struct ng_layers above;
    if (ng_netif_address(netif) != NULL) {
        return netif;
    }
    ng_netifs_above(netifs, netif, &above);
    for (size_t i = 0; i < above.count; i++) {
        if (ng_netif_address(above.items[i]) != NULL) {
            return above.items[i];
        }
    }
    return NULL;
}

/* "eth0.100       | 100  | eth0" below two lines of titles. */
void ng_netifs_vlans(
    struct ng_netifs *netifs, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        struct ng_span upper = ng_span_trim(ng_span_until(&line, '|'));
        struct ng_span number = ng_span_trim(ng_span_until(&line, '|'));
        struct ng_span lower = ng_span_trim(line);
        int64_t id;
        if (ng_span_int(number, &id) && upper.len > 0 && lower.len > 0) {
            ng_netifs_stack(netifs, arena, ng_span_dup(arena, upper), ng_span_dup(arena, lower));
        }
    }
}

void ng_netifs_settle(struct ng_netifs *netifs, struct ng_arena *arena) {
    static const char prefix[] = "ovs_";
    const size_t count = netifs->count;
    for (size_t i = 0; i < count; i++) {
        const struct ng_netif *netif = &netifs->items[i];
        if (netif->lowers.count > 0 || strncmp(netif->name, prefix, strlen(prefix)) != 0) {
            continue;
        }
        const char *port = netif->name + strlen(prefix);
        if (ng_netifs_find(netifs, port) != NULL) {
            ng_netifs_stack(netifs, arena, netif->name, port);
        }
    }
}
