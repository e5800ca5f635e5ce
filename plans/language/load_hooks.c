/* load_hooks.c - the scripts that run before and after the run and its phases. */
#include <string.h>

#include "plans/language/loader.h"
#include "plans/language/records.h"
#include "runner/base/text.h"

enum { ID_MAX = 63 };

/* What a hook says counts always, and its place says when it is asked. */
static bool has_no_common(struct ng_loader *loader, const struct ng_node *node) {
    struct ng_diags *diags = loader->loading.diags;
    bool ok = true;
    for (size_t i = 0; node->kind == NG_NODE_MAP && i < node->count; i++) {
        for (size_t j = 0; j < ng_precondition_record.count; j++) {
            if (strcmp(node->keys[i]->text, ng_precondition_record.fields[j].name) == 0) {
                ng_diag_error(diags, node->keys[i]->pos, "unknown-key",
                    "hooks have no \"%s\", which is for preconditions; remove it",
                    node->keys[i]->text);
                ok = false;
            }
        }
    }
    return ok;
}

/* An item is written as among the preconditions. NULL after an error. */
static const struct ng_kind *kind_of(
    struct ng_loader *loader, const struct ng_node *item, size_t *at) {
    struct ng_diags *diags = loader->loading.diags;
    *at = 0;
    const struct ng_kind *kind =
        item->kind == NG_NODE_MAP ? ng_beside_kind(loader, item, at) : NULL;
    if (kind && kind->hooks) {
        const bool sound = ng_beside_sound(loader, item, *at, kind) &&
                           has_no_common(loader, item) && has_no_common(loader, item->items[*at]);
        return sound ? kind : NULL;
    }
    ng_diag_error(diags, item->pos, "type",
        "a hook is a script, written \"- lua: NAME\" or \"- {lua: NAME, host: nas}\", found %s",
        ng_node_describe(diags, item));
    return NULL;
}

/* "before_run-no_backup_job-nas" */
static const char *id_of(struct ng_loader *loader, struct ng_names *ids, const char *place,
    const struct ng_kind *kind, const struct ng_node *value) {
    struct ng_arena *arena = loader->loading.arena;
    const char *stem = ng_beside_stem(arena, kind, value);
    const size_t own = strlen(kind->record.name);
    char *whole =
        ng_arena_printf(arena, "%s-%s", place, strlen(stem) > own + 1 ? stem + own + 1 : stem);
    whole[strnlen(whole, ID_MAX)] = '\0';
    const char *id = whole;
    for (int n = 2; ng_names_add(ids, id, whole); n++) {
        id = ng_arena_printf(arena, "%.*s-%d", ID_MAX - 6, whole, n);
    }
    return id;
}

static void load_list(struct ng_loader *loader, struct ng_names *ids, const struct ng_node *node,
    enum ng_hook_place place) {
    const char *word = ng_hook_place_word(place);
    if (!ng_check_items(loader, node, NG_NODE_LIST, word)) {
        return;
    }
    struct ng_arena *arena = loader->loading.arena;
    struct ng_hook *items = ng_arena_array(arena, node->count, sizeof *items);
    struct ng_hooks *hooks = &loader->plan->hooks[place];
    for (size_t i = 0; i < node->count; i++) {
        const struct ng_node *item = node->items[i];
        size_t at = 0;
        const struct ng_kind *kind = kind_of(loader, item, &at);
        if (!kind) {
            continue;
        }
        const struct ng_node *value = ng_beside_value(loader, item, at, kind);
        void *params = ng_arena_alloc(arena, kind->record.size);
        ng_record_load(&loader->loading, &kind->record, value, NULL, params);
        items[hooks->count++] = (struct ng_hook){
            .id = id_of(loader, ids, word, kind, value),
            .pos = item->keys[at]->pos,
            .kind = kind,
            .params = params,
        };
    }
    hooks->items = items;
}

/* "; there are before_run, ... and after_run" */
static const char *all_places(struct ng_diags *diags) {
    const char *text = "; there are";
    for (int i = 0; i < NG_HOOK_PLACE_COUNT; i++) {
        text = ng_arena_printf(diags->arena, "%s%s %s", text,
            i == 0                         ? ""
            : i + 1 == NG_HOOK_PLACE_COUNT ? " and"
                                           : ",",
            ng_hook_place_word((enum ng_hook_place)i));
    }
    return text;
}

void ng_load_hooks(struct ng_loader *loader, const struct ng_node *node) {
    if (!ng_check_items(loader, node, NG_NODE_MAP, "hooks")) {
        return;
    }
    const char *words[NG_HOOK_PLACE_COUNT];
    struct ng_diags *diags = loader->loading.diags;
    struct ng_names ids;
    ng_names_init(&ids, &loader->plan->arena);
    for (int i = 0; i < NG_HOOK_PLACE_COUNT; i++) {
        words[i] = ng_hook_place_word((enum ng_hook_place)i);
    }
    for (size_t i = 0; i < node->count; i++) {
        int place = 0;
        while (place < NG_HOOK_PLACE_COUNT && strcmp(words[place], node->keys[i]->text) != 0) {
            place++;
        }
        if (place < NG_HOOK_PLACE_COUNT) {
            load_list(loader, &ids, node->items[i], (enum ng_hook_place)place);
            continue;
        }
        const char *hint = ng_diag_hint(diags, node->keys[i]->text, words, NG_HOOK_PLACE_COUNT);
        ng_diag_error(diags, node->keys[i]->pos, "unknown-key", "hooks: unknown key %s%s",
            ng_diag_quote(diags, node->keys[i]->text), *hint ? hint : all_places(diags));
    }
}
