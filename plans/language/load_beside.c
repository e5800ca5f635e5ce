/* load_beside.c - keys that stand beside the name of a kind: {lua: x, host: nas}. */
#include <string.h>

#include "plans/language/loader.h"
#include "plans/language/records.h"

static bool is_common(const char *key) {
    for (size_t i = 0; i < ng_precondition_record.count; i++) {
        if (strcmp(ng_precondition_record.fields[i].name, key) == 0) {
            return true;
        }
    }
    return false;
}

static struct ng_node *new_map(struct ng_arena *arena, struct ng_pos pos, size_t room) {
    struct ng_node *map = ng_arena_alloc(arena, sizeof *map);
    map->kind = NG_NODE_MAP;
    map->pos = pos;
    map->keys = ng_arena_array(arena, room, sizeof *map->keys);
    map->items = ng_arena_array(arena, room, sizeof *map->items);
    return map;
}

static void put(struct ng_node *map, struct ng_node *key, struct ng_node *value) {
    map->keys[map->count] = key;
    map->items[map->count++] = value;
}

static struct ng_node *new_key(struct ng_arena *arena, struct ng_pos pos, const char *text) {
    struct ng_node *key = ng_arena_alloc(arena, sizeof *key);
    key->kind = NG_NODE_SCALAR;
    key->pos = pos;
    key->text = text;
    return key;
}

const struct ng_kind *ng_beside_kind(
    const struct ng_loader *loader, const struct ng_node *item, size_t *at) {
    for (size_t i = 0; i < item->count; i++) {
        const struct ng_kind *kind =
            ng_vocabulary_condition(loader->options->vocabulary, item->keys[i]->text);
        if (kind && kind->beside) {
            *at = i;
            return kind;
        }
    }
    return NULL;
}

bool ng_beside_sound(
    struct ng_loader *loader, const struct ng_node *item, size_t at, const struct ng_kind *kind) {
    struct ng_diags *diags = loader->loading.diags;
    if (item->count == 1 || item->items[at]->kind == NG_NODE_SCALAR) {
        return true;
    }
    const struct ng_node *key = item->keys[at == 0 ? 1 : 0];
    const char *word = ng_diag_quote(diags, key->text);
    if (ng_vocabulary_condition(loader->options->vocabulary, key->text)) {
        ng_diag_error(diags, key->pos, "type",
            "%s is a precondition of its own; begin a new line with \"- \" for it", word);
    } else if (is_common(key->text)) {
        ng_diag_error(diags, key->pos, "type", "%s stands among the keys of %s; put it there", word,
            kind->record.name);
    } else {
        ng_diag_error(diags, key->pos, "type",
            "%s cannot stand beside a map; put it into %s: {%s: {%s: ..., %s: {%.60s: ...}}}", word,
            kind->beside, kind->record.name, kind->record.shorthand, kind->beside, key->text);
    }
    return false;
}

const struct ng_node *ng_beside_value(
    struct ng_loader *loader, const struct ng_node *item, size_t at, const struct ng_kind *kind) {
    struct ng_arena *arena = loader->loading.arena;
    if (item->count == 1) {
        return item->items[at];
    }
    struct ng_node *value = new_map(arena, item->items[at]->pos, item->count + 1);
    struct ng_node *rest = new_map(arena, item->items[at]->pos, item->count);
    put(value, new_key(arena, item->keys[at]->pos, kind->record.shorthand), item->items[at]);
    for (size_t i = 0; i < item->count; i++) {
        if (i != at) {
            put(is_common(item->keys[i]->text) ? value : rest, item->keys[i], item->items[i]);
        }
    }
    value->broken = item->broken;
    if (rest->count > 0) {
        put(value, new_key(arena, rest->pos, kind->beside), rest);
    }
    return value;
}

const char *ng_beside_stem(
    struct ng_arena *arena, const struct ng_kind *kind, const struct ng_node *value) {
    const struct ng_node *name =
        value->kind == NG_NODE_MAP ? ng_node_get(value, kind->record.shorthand) : value;
    const struct ng_node *more = ng_node_get(value, kind->beside);
    const struct ng_node *host = more ? ng_node_get(more, "host") : NULL;
    if (!name || name->kind != NG_NODE_SCALAR) {
        return kind->record.name; /* has its own error */
    }
    char *words = ng_arena_strdup(arena, name->text);
    const size_t len = strlen(words);
    if (len > 4 && strcmp(words + len - 4, ".lua") == 0) {
        words[len - 4] = '\0';
    }
    for (char *slash = words; (slash = strchr(slash, '/')) != NULL;) {
        *slash = '-';
    }
    const bool with_host = host && host->kind == NG_NODE_SCALAR && !ng_node_is_unknown(host);
    return ng_arena_printf(arena, "%s-%s%s%s", kind->record.name, words, with_host ? "-" : "",
        with_host ? host->text : "");
}
