/* What ethtool prints of one interface, as lists of keys and values. */
#include "runner/facts/ethtool.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/scan.h"

static const char *clean(struct ng_arena *arena, struct ng_span value) {
    return value.len == 0 ? "" : ng_text_clean_dup(arena, value.at, value.len, NG_TEXT_LINE, 200);
}

/* "RX Mini" is "rx-mini", "Adaptive RX" is "adaptive-rx". */
static char *key_of(struct ng_arena *arena, struct ng_span text) {
    char *key = ng_text_clean_dup(arena, text.at, text.len, NG_TEXT_LINE, 200);
    for (char *at = key; *at != '\0'; at++) {
        if (*at == ' ') {
            *at = '-';
        } else if (*at >= 'A' && *at <= 'Z') {
            *at = (char)(*at - 'A' + 'a');
        }
    }
    return key;
}

static void add(struct ng_nic_list *list, struct ng_arena *arena, struct ng_span key,
    struct ng_span value, struct ng_span note) {
    if (key.len == 0 || list->count >= NG_NIC_ITEMS_MAX) {
        return;
    }
    list->items =
        ng_arena_grow(arena, list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] = (struct ng_nic_item){
        .key = key_of(arena, key), .value = clean(arena, value), .note = clean(arena, note)};
}

/* Errors stand in the middle of good text where both streams were kept together. */
static bool is_complaint(struct ng_span line) {
    return ng_span_begins(line, "netlink error") || ng_span_begins(line, "Cannot ") ||
           ng_span_begins(line, "ethtool: ");
}

/* The next "KEY: VALUE" of the text; headers ("Ring parameters for eth0:") have no value. */
static bool next_pair(struct ng_span *rest, struct ng_span *key, struct ng_span *value) {
    struct ng_span line;
    while (ng_span_line(rest, &line)) {
        line = ng_span_trim(line);
        if (is_complaint(line) || !ng_span_has(line, ':')) {
            continue;
        }
        *value = line;
        *key = ng_span_trim(ng_span_until(value, ':'));
        *value = ng_span_trim(*value);
        return true;
    }
    return false;
}

static void settle(struct ng_nic_list *list) {
    list->why = list->count == 0 ? "there is no value in the text" : NULL;
}

static const struct ng_span nothing = {"", 0};

void ng_ethtool_rings(struct ng_nic_list *maximums, struct ng_nic_list *current,
    struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span_lines(text, len);
    struct ng_span key, value;
    enum { OUTSIDE, MAXIMUMS, CURRENT } block = OUTSIDE; /* the same keys stand in both */
    while (next_pair(&rest, &key, &value)) {
        if (ng_span_is(key, "Pre-set maximums")) {
            block = MAXIMUMS;
        } else if (ng_span_is(key, "Current hardware settings")) {
            block = CURRENT;
        } else if (block != OUTSIDE && value.len > 0) {
            add(block == MAXIMUMS ? maximums : current, arena, key, value, nothing);
        }
    }
    settle(maximums);
    settle(current);
}

void ng_ethtool_features(
    struct ng_nic_list *list, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span_lines(text, len);
    struct ng_span key, value, word;
    while (next_pair(&rest, &key, &value)) {
        if (!ng_span_word(&value, &word) || (!ng_span_is(word, "on") && !ng_span_is(word, "off"))) {
            continue;
        }
        struct ng_span note = ng_span_trim(value); /* "[fixed]", "[requested on]" */
        if (note.len > 2 && note.at[0] == '[' && note.at[note.len - 1] == ']') {
            note = ng_span(note.at + 1, note.len - 2);
        }
        add(list, arena, key, word, note);
    }
    settle(list);
}

static void simple(struct ng_nic_list *list, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span_lines(text, len);
    struct ng_span key, value;
    while (next_pair(&rest, &key, &value)) {
        if (value.len > 0) {
            add(list, arena, key, value, nothing);
        }
    }
    settle(list);
}

void ng_ethtool_pause(
    struct ng_nic_list *list, struct ng_arena *arena, const char *text, size_t len) {
    simple(list, arena, text, len);
}

void ng_ethtool_driver(
    struct ng_nic_list *list, struct ng_arena *arena, const char *text, size_t len) {
    simple(list, arena, text, len);
}

/* "Adaptive RX: off  TX: off", "CQE mode RX: n/a  TX: n/a": two values on one line. */
static void add_two(
    struct ng_nic_list *list, struct ng_arena *arena, struct ng_span key, struct ng_span value) {
    struct ng_span word;
    struct ng_span stem = ng_span(key.at, key.len - 2); /* without "RX" */
    if (ng_span_word(&value, &word)) {
        add(list, arena, key, word, nothing);
    }
    struct ng_span second = ng_span_after(value, "TX:");
    if (ng_span_word(&second, &word)) {
        const char *name = ng_arena_printf(arena, "%.*sTX", (int)stem.len, stem.at);
        add(list, arena, ng_span(name, strlen(name)), word, nothing);
    }
}

void ng_ethtool_coalesce(
    struct ng_nic_list *list, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span_lines(text, len);
    struct ng_span key, value;
    while (next_pair(&rest, &key, &value)) {
        if (value.len == 0) {
            continue;
        }
        if (ng_span_is(key, "Adaptive RX") || ng_span_is(key, "CQE mode RX")) {
            add_two(list, arena, key, value);
        } else {
            add(list, arena, key, value, nothing);
        }
    }
    settle(list);
}

static bool speaks_of_trouble(const char *name) {
    static const char *const parts[] = {"drop", "err", "miss", "fifo", "crc", "pause", "discard"};
    for (size_t i = 0; i < NG_COUNT(parts); i++) {
        if (strstr(name, parts[i]) != NULL) {
            return true;
        }
    }
    return false;
}

/* Names may hold colons ("rxq0: rx_drops: 5"): the last one divides. */
void ng_ethtool_stats(
    struct ng_nic_list *list, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span_lines(text, len);
    struct ng_span line;
    bool any = false;
    while (ng_span_line(&rest, &line)) {
        const char *colon = line.len == 0 ? NULL : memrchr(line.at, ':', line.len);
        if (colon == NULL || is_complaint(ng_span_trim(line))) {
            continue;
        }
        size_t used = (size_t)(colon - line.at);
        struct ng_span key = ng_span_trim(ng_span(line.at, used));
        struct ng_span value = ng_span_trim(ng_span(colon + 1, line.len - used - 1));
        int64_t number;
        if (key.len == 0 || !ng_span_int(value, &number)) {
            continue;
        }
        any = true;
        if (speaks_of_trouble(key_of(arena, key))) {
            add(list, arena, key, value, nothing);
        }
    }
    list->why = any ? NULL : "there is no counter in the text";
}

const struct ng_nic *ng_nics_find(const struct ng_nics *nics, const char *name) {
    for (size_t i = 0; i < nics->count; i++) {
        if (strcmp(nics->items[i].name, name) == 0) {
            return &nics->items[i];
        }
    }
    return NULL;
}

const struct ng_nic_item *ng_nic_item(const struct ng_nic_list *list, const char *key) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].key, key) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

const char *ng_nic_value(const struct ng_nic_list *list, const char *key) {
    const struct ng_nic_item *item = ng_nic_item(list, key);
    return item != NULL ? item->value : NULL;
}

const char *ng_feature_name(const char *name) {
    static const struct {
        const char *brief, *full;
    } rows[] = {
        {"gro", "generic-receive-offload"},
        {"gso", "generic-segmentation-offload"},
        {"lro", "large-receive-offload"},
        {"ntuple", "ntuple-filters"},
        {"rx", "rx-checksumming"},
        {"rxhash", "receive-hashing"},
        {"rxvlan", "rx-vlan-offload"},
        {"sg", "scatter-gather"},
        {"tso", "tcp-segmentation-offload"},
        {"tx", "tx-checksumming"},
        {"txvlan", "tx-vlan-offload"},
        {"ufo", "udp-fragmentation-offload"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (strcmp(rows[i].brief, name) == 0) {
            return rows[i].full;
        }
    }
    return name;
}
