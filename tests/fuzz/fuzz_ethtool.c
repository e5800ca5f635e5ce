/* Fuzzes all texts of ethtool: every list that has values has clean ones, and no list is without
 * both values and a reason. */
#include <stdint.h>
#include <string.h>

#include "runner/facts/ethtool.h"

static void check(const struct ng_nic_list *list) {
    if (list->count == 0 && list->capacity > 0) {
        __builtin_trap();
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct ng_nic_item *item = &list->items[i];
        if (strchr(item->value, '\n') != NULL || strchr(item->note, '\x1b') != NULL ||
            ng_nic_item(list, item->key) == NULL) {
            __builtin_trap();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    typedef void parse(struct ng_nic_list *, struct ng_arena *, const char *, size_t);
    static parse *const all[] = {ng_ethtool_features, ng_ethtool_pause, ng_ethtool_coalesce,
        ng_ethtool_driver, ng_ethtool_stats};
    const char *text = size > 0 ? (const char *)data : "";
    struct ng_arena arena;
    struct ng_nic_list most = {0}, now = {0};
    struct ng_nic_settings settings;
    ng_arena_init(&arena);
    for (size_t i = 0; i < NG_COUNT(all); i++) {
        struct ng_nic_list list = {0};
        all[i](&list, &arena, text, size);
        check(&list);
        if (all[i] != ng_ethtool_stats && (list.count == 0) != (list.why != NULL)) {
            __builtin_trap(); /* nothing without a reason */
        }
    }
    ng_ethtool_rings(&most, &now, &arena, text, size);
    check(&most);
    check(&now);
    ng_ethtool_settings(&settings, text, size);
    if (settings.speed < 0 || settings.supported < 0) {
        __builtin_trap();
    }
    ng_arena_release(&arena);
    return 0;
}
