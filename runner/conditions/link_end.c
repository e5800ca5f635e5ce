/* One end of a link as its host tells it. */
#include "runner/conditions/link_end.h"

#include <inttypes.h>
#include <string.h>

#include "runner/base/buf.h"
#include "runner/base/clock.h"
#include "runner/base/units.h"

#define ROUTE_NS (8 * NG_NS_PER_S)

struct ng_end ng_end_read(
    const struct ng_condition_site *site, const struct ng_link *link, size_t index) {
    const struct ng_link_end *from = &link->ends[index];
    struct ng_end end = {
        .host = from->at.host,
        .facts = ng_site_facts(site, from->at.host),
        .interface = from->at.name,
        .where = ng_arena_printf(site->arena, "%s:%s", from->at.host->name, from->at.name),
        .address = from->address,
    };
    end.netif = ng_netifs_find(&end.facts->netifs, end.interface);
    if (end.netif != NULL) {
        const struct ng_netif *holder = ng_netifs_holder(&end.facts->netifs, end.netif);
        end.top = holder != NULL ? holder : end.netif;
        end.address = end.address != NULL ? end.address : ng_netif_address(end.top);
    }
    if (end.address == NULL) {
        end.address_why = end.facts->netifs.addresses_why != NULL
                              ? end.facts->netifs.addresses_why
                              : ng_arena_printf(site->arena, "%s has no address", end.where);
    }
    return end;
}

bool ng_link_is_inside(const struct ng_link *link) {
    return link->ends[0].at.host == link->ends[1].at.host;
}

/* The names of all interfaces, so that a typing error is seen at once. */
static const char *names(const struct ng_facts *facts, struct ng_arena *arena) {
    struct ng_buf out;
    ng_buf_init(&out, 400);
    for (size_t i = 0; i < facts->netifs.count; i++) {
        ng_buf_addf(&out, "%s%s", i == 0 ? "" : ", ", facts->netifs.items[i].name);
    }
    const char *text = ng_arena_strdup(arena, ng_buf_text(&out));
    ng_buf_release(&out);
    return text;
}

bool ng_outcome_end(struct ng_outcome *outcome, const struct ng_end *end) {
    struct ng_arena *arena = outcome->site->arena;
    const struct ng_source *source = ng_frames_find(&end->facts->frames, "net");
    const char *host = end->host->name;
    if (end->netif != NULL) {
        return true;
    }
    if (!ng_source_read(source)) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the interfaces of %s are unknown: %s", host,
            ng_source_why(&end->facts->frames, source, "/sys/class/net", arena));
        ng_outcome_advise(
            outcome, "read it by hand on %s: ip link show dev %s", host, end->interface);
        return false;
    }
    ng_outcome_see(outcome, NG_BROKEN, "%s has no interface %s, only %s", host, end->interface,
        names(end->facts, arena));
    ng_outcome_advise(outcome, "correct the end %s of the link", end->where);
    return false;
}

static const char *mtu_words(struct ng_arena *arena, int64_t mtu) {
    return mtu > 0 ? ng_arena_printf(arena, "%" PRId64, mtu) : "unknown";
}

static void look_netif(struct ng_outcome *outcome, const char *key, const struct ng_netif *netif) {
    char speed[NG_QUANTITY_TEXT] = "unknown";
    if (netif->speed > 0) {
        ng_rate_format_bits((double)netif->speed / 8, speed);
    }
    ng_outcome_look(outcome, key, "%s%smtu %s, speed %s, duplex %s, state %s", netif->kind,
        netif->kind[0] != '\0' ? ", " : "", mtu_words(outcome->site->arena, netif->mtu), speed,
        netif->duplex, netif->operstate);
}

void ng_look_end(struct ng_outcome *outcome, const struct ng_end *end) {
    struct ng_arena *arena = outcome->site->arena;
    struct ng_layers layers;
    look_netif(outcome, end->where, end->netif);
    if (end->top != end->netif) {
        look_netif(outcome,
            ng_arena_printf(arena, "%s:%s above it", end->host->name, end->top->name), end->top);
    }
    ng_netifs_below(&end->facts->netifs, end->top, &layers);
    for (size_t i = 0; i < layers.count; i++) {
        if (layers.items[i] != end->netif) {
            look_netif(outcome,
                ng_arena_printf(arena, "%s:%s below", end->host->name, layers.items[i]->name),
                layers.items[i]);
        }
    }
}

/* "route 10.0.0.2" */
static const char *route_name(struct ng_arena *arena, const char *address) {
    return ng_arena_printf(arena, "route %s", address);
}

const struct ng_route *ng_end_route(
    const struct ng_condition_site *site, const struct ng_end *end, const struct ng_end *peer) {
    struct ng_route *route = ng_arena_alloc(site->arena, sizeof *route);
    if (peer->address == NULL) {
        route->why = ng_arena_printf(
            site->arena, "the address of the other end is unknown: %s", peer->address_why);
        return route;
    }
    const struct ng_route *known = ng_routes_find(&end->facts->routes, peer->address);
    if (known != NULL) {
        return known;
    }
    route->peer = peer->address;
    const struct ng_probe_result *said =
        ng_probe_find(site->probes, end->host, route_name(site->arena, peer->address));
    if (said == NULL || said->failed != NULL) {
        route->why = said == NULL ? "it was not asked for" : said->failed;
        return route;
    }
    ng_route_parse(route, site->arena, said->out, said->out_len);
    if (route->why != NULL && said->err_len > 0) {
        route->why = ng_arena_printf(site->arena, "ip route get %s: %.*s", peer->address,
            (int)(said->err_len < 200 ? said->err_len : 200), said->err);
    }
    return route;
}

bool ng_route_was_asked(
    const struct ng_condition_site *site, const struct ng_end *end, const struct ng_end *peer) {
    return peer->address != NULL && (ng_routes_find(&end->facts->routes, peer->address) != NULL ||
                                        ng_probe_find(site->probes, end->host,
                                            route_name(site->arena, peer->address)) != NULL);
}

enum ng_way ng_end_way(const struct ng_end *end, const struct ng_route *route) {
    struct ng_layers layers;
    if (ng_route_is_local(route)) {
        return NG_WAY_LOCAL;
    }
    if (route->type != NULL && strcmp(route->type, "unicast") != 0) {
        return NG_WAY_NONE;
    }
    if (route->device == NULL) {
        return route->why != NULL && strstr(route->why, "nreachable") != NULL ? NG_WAY_NONE
                                                                              : NG_WAY_UNKNOWN;
    }
    if (strcmp(route->device, end->interface) == 0) {
        return NG_WAY_LINK;
    }
    const struct ng_netif *device = ng_netifs_find(&end->facts->netifs, route->device);
    if (device == NULL || end->netif == NULL) {
        return NG_WAY_OTHER;
    }
    ng_netifs_below(&end->facts->netifs, device, &layers);
    for (size_t i = 0; i < layers.count; i++) {
        if (layers.items[i] == end->netif) {
            return NG_WAY_LINK;
        }
    }
    return NG_WAY_OTHER;
}

const char *ng_route_words(struct ng_arena *arena, const struct ng_route *route) {
    if (route->type == NULL || route->why != NULL) {
        return ng_arena_printf(
            arena, "unknown: %s", route->why != NULL ? route->why : "not asked for");
    }
    return ng_arena_printf(arena, "%s %s by %s%s%s%s%s%s", route->type, route->peer,
        route->device != NULL ? route->device : "nothing", route->via != NULL ? " via " : "",
        route->via != NULL ? route->via : "", route->source != NULL ? ", from " : "",
        route->source != NULL ? route->source : "",
        route->mtu > 0 ? ng_arena_printf(arena, ", path MTU %" PRId64 "%s", route->mtu,
                             route->learned ? " learned" : "")
                       : "");
}

void ng_need_link(
    const struct ng_plan *plan, const struct ng_link *link, struct ng_collect_needs *by_host) {
    for (size_t i = 0; i < NG_COUNT(link->ends); i++) {
        struct ng_collect_needs *needs = &by_host[ng_site_index(plan, link->ends[i].at.host)];
        ng_collect_needs_interface(needs, link->ends[i].at.name);
        if (link->ends[1 - i].address != NULL && !ng_link_is_inside(link)) {
            ng_collect_needs_peer(needs, link->ends[1 - i].address);
        }
    }
}

void ng_want_route(const struct ng_condition_site *site, struct ng_probe_list *wanted,
    const struct ng_end *end, const struct ng_end *peer) {
    if (peer->address == NULL || end->facts->reason != NULL ||
        ng_routes_find(&end->facts->routes, peer->address) != NULL) {
        return;
    }
    /* A zone belongs to the machine that writes it: it says which interface is meant. */
    const size_t len = strcspn(peer->address, "%");
    const char *plain = ng_arena_strndup(site->arena, peer->address, len);
    const char *argv[] = {
        "ip", strchr(plain, ':') != NULL ? "-6" : "-4", "route", "get", plain, NULL, NULL, NULL};
    if (peer->address[len] == '%') {
        argv[5] = "oif";
        argv[6] = end->interface;
    }
    ng_probe_want(wanted, end->host, route_name(site->arena, peer->address), ROUTE_NS, argv);
}

static const char *trace_of(struct ng_arena *arena, const char *before, const struct ng_end *end,
    const char *name, int64_t changes) {
    return changes < 0
               ? before
               : ng_arena_printf(arena, "%s%scarrier of %s:%s changed %lld times", before,
                     before[0] == '\0' ? "" : ", ", end->host->name, name, (long long)changes);
}

const char *ng_link_trace(const struct ng_condition_site *site, const struct ng_link *link) {
    const char *trace = "";
    for (size_t i = 0; i < NG_COUNT(link->ends); i++) {
        const struct ng_end end = ng_end_read(site, link, i);
        struct ng_layers below;
        if (end.netif == NULL) {
            continue;
        }
        trace = trace_of(site->arena, trace, &end, end.netif->name, end.netif->carrier_changes);
        ng_netifs_below(&end.facts->netifs, end.netif, &below);
        for (size_t j = 0; j < below.count; j++) {
            trace = trace_of(
                site->arena, trace, &end, below.items[j]->name, below.items[j]->carrier_changes);
        }
    }
    return trace;
}
