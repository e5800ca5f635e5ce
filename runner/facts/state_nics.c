/* The state of a host: cards as ethtool tells them, queueing disciplines that shape, routes. */
#include <stdio.h>
#include <string.h>

#include "runner/facts/state_parts.h"

/* "rx 512 of 4096, tx 512 of 4096": the list's values in one line, with those of `most` behind. */
static const char *line_of(struct ng_arena *arena, const struct ng_nic_list *list,
    const struct ng_nic_list *most, bool (*wanted)(const struct ng_nic_item *)) {
    const char *text = "";
    for (size_t i = 0; i < list->count && strlen(text) < NG_STATE_TEXT_MAX; i++) {
        const struct ng_nic_item *item = &list->items[i];
        if (wanted != NULL && !wanted(item)) {
            continue;
        }
        const char *limit = most != NULL ? ng_nic_value(most, item->key) : NULL;
        text = ng_arena_printf(arena, "%s%s%s %s%s%s", text, *text == '\0' ? "" : ", ", item->key,
            item->value, limit != NULL ? " of " : "", limit != NULL ? limit : "");
    }
    return text;
}

static bool is_applicable(const struct ng_nic_item *item) {
    return strcmp(item->value, "n/a") != 0;
}

/* The offloads that decide how much a processor has to do per byte. */
static bool is_main_feature(const struct ng_nic_item *item) {
    static const char *const names[] = {"rx-checksumming", "tx-checksumming", "scatter-gather",
        "tcp-segmentation-offload", "generic-segmentation-offload", "generic-receive-offload",
        "large-receive-offload"};
    for (size_t i = 0; i < NG_COUNT(names); i++) {
        if (strcmp(item->key, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_counted(const struct ng_nic_item *item) {
    return strcmp(item->value, "0") != 0;
}

/* What a driver does not have is no gap in what is known of it. */
static bool is_unsupported(const char *why) {
    return why != NULL && strstr(why, "Operation not supported") != NULL;
}

static void describe_list(const struct ng_state_thing *thing, const char *key,
    const struct ng_nic_list *list, const struct ng_nic_list *most,
    bool (*wanted)(const struct ng_nic_item *)) {
    if (list->count == 0 && is_unsupported(list->why)) {
        ng_state_known(thing, key, "its driver has none");
        return;
    }
    if (list->count == 0) {
        ng_state_unknown(thing, key, "%s", list->why != NULL ? list->why : "it was not told");
        return;
    }
    const char *text = line_of(thing->state->arena, list, most, wanted);
    ng_state_known(thing, key, "%s", *text != '\0' ? text : "none");
}

static void describe_nic(struct ng_state *state, const struct ng_nic *nic) {
    const struct ng_state_thing thing = {state, NG_STATE_LINKS, nic->name, "ethtool"};
    const char *driver = ng_nic_value(&nic->driver, "driver");
    const char *version = ng_nic_value(&nic->driver, "version");
    const char *firmware = ng_nic_value(&nic->driver, "firmware-version");
    if (driver != NULL) {
        ng_state_known(&thing, "driver", "%s%s%s%s%s", driver, version != NULL ? " " : "",
            version != NULL ? version : "", firmware != NULL ? ", firmware " : "",
            firmware != NULL ? firmware : "");
    } else if (is_unsupported(nic->driver.why)) {
        ng_state_known(&thing, "driver", "it has none");
    } else {
        ng_state_unknown(&thing, "driver", "%s",
            nic->driver.why != NULL ? nic->driver.why : "ethtool -i does not name it");
    }
    describe_list(&thing, "rings", &nic->rings, &nic->ring_maximums, is_applicable);
    describe_list(&thing, "offloads", &nic->features, NULL, is_main_feature);
    describe_list(&thing, "pause", &nic->pause, NULL, is_applicable);
    describe_list(&thing, "coalescing", &nic->coalesce, NULL, is_applicable);
    describe_list(&thing, "drops and errors", &nic->stats, NULL, is_counted);
}

static void describe_route(struct ng_state *state, const struct ng_route *route) {
    const struct ng_state_thing thing = {state, NG_STATE_LINKS, route->peer, "ip route get"};
    if (route->why != NULL) {
        ng_state_unknown(&thing, "route", "%s", route->why);
        return;
    }
    char mtu[48] = "";
    if (route->mtu > 0) {
        snprintf(mtu, sizeof mtu, ", mtu %lld%s", (long long)route->mtu,
            route->learned ? " (learned)" : "");
    }
    ng_state_known(&thing, "route", "%s by %s from %s%s%s%s",
        route->type != NULL ? route->type : "type unknown",
        route->device != NULL ? route->device : "no device",
        route->source != NULL ? route->source : "an address that was not told",
        route->via != NULL ? " via " : "", route->via != NULL ? route->via : "", mtu);
}

static void describe_qdiscs(struct ng_state *state, const struct ng_facts *facts) {
    for (size_t i = 0; i < facts->qdiscs.count; i++) {
        const struct ng_qdisc *qdisc = &facts->qdiscs.items[i];
        if (qdisc->shapes) {
            const struct ng_state_thing thing = {
                state, NG_STATE_LINKS, qdisc->device, "tc qdisc show"};
            ng_state_known(&thing, "shaped", "%s", qdisc->text);
        }
    }
}

void ng_state_nics(struct ng_state *state, const struct ng_facts *facts) {
    /* what nobody asked for is not unknown, it is not looked at */
    const bool asked = ng_frames_find(&facts->frames, "ethtool")->state != NG_SOURCE_MISSING;
    if (asked && facts->ethtool_why != NULL) {
        const struct ng_state_thing thing = {state, NG_STATE_LINKS, "", "ethtool"};
        ng_state_unknown(&thing, "cards", "%s", facts->ethtool_why);
    }
    if (asked && facts->qdiscs.why != NULL) {
        const struct ng_state_thing thing = {state, NG_STATE_LINKS, "", "tc qdisc show"};
        ng_state_unknown(&thing, "queueing disciplines", "%s", facts->qdiscs.why);
    }
    for (size_t i = 0; i < facts->nics.count; i++) {
        describe_nic(state, &facts->nics.items[i]);
    }
    describe_qdiscs(state, facts);
    for (size_t i = 0; i < facts->routes.count; i++) {
        describe_route(state, &facts->routes.items[i]);
    }
}
