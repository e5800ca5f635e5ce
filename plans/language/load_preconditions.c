/* load_preconditions.c - the list of what must hold before anything is measured. */
#include <string.h>

#include "plans/language/loader.h"
#include "plans/language/records.h"
#include "runner/base/text.h"

enum { ID_MAX = 63, PRECONDITION_KEYS = 8 };

static const char *hint_condition(struct ng_loader *loader, const char *word) {
    const struct ng_vocabulary *vocabulary = loader->options->vocabulary;
    const char **names =
        ng_arena_array(loader->loading.arena, vocabulary->condition_count, sizeof *names);
    for (size_t i = 0; i < vocabulary->condition_count; i++) {
        names[i] = vocabulary->conditions[i]->record.name;
    }
    return ng_diag_hint(loader->loading.diags, word, names, vocabulary->condition_count);
}

static void refuse_kind(struct ng_loader *loader, const struct ng_node *key) {
    struct ng_diags *diags = loader->loading.diags;
    if (ng_word_among(ng_later_conditions, key->text)) {
        ng_diag_error(diags, key->pos, "unsupported",
            "precondition \"%s\" is not supported by this version of nasgate; remove it",
            key->text);
        return;
    }
    const char *hint = hint_condition(loader, key->text);
    ng_diag_error(diags, key->pos, "unknown-key", "unknown precondition %s%s",
        ng_diag_quote(diags, key->text),
        *hint ? hint : "; \"nasgate schema\" prints those that there are");
}

static bool is_subject(enum ng_field_type type) {
    return type == NG_FIELD_HOST || type == NG_FIELD_LINK || type == NG_FIELD_VOLUME ||
           type == NG_FIELD_INTERFACE;
}

/* The value of the first field that says of what a precondition speaks and is given; `any` tells
 * whether it has such fields at all. */
static const struct ng_node *subject_of(
    const struct ng_record *record, const struct ng_node *value, bool *any) {
    *any = false;
    for (size_t i = 0; i < record->count; i++) {
        const struct ng_field *field = &record->fields[i];
        if (!is_subject(field->type)) {
            continue;
        }
        *any = true;
        const bool lone = value->kind != NG_NODE_MAP && record->shorthand &&
                          strcmp(record->shorthand, field->name) == 0;
        const struct ng_node *subject = lone ? value : ng_node_get(value, field->name);
        if (subject) {
            return subject;
        }
    }
    return NULL;
}

/* "KIND-SUBJECT": "mtu_match-fiber", "nic-nas-eth4"; "tools-all" where no subject is named. Values
 * that measure something are no part of it, so that histories of checks outlive a new version. */
static const char *stem_of(
    struct ng_loader *loader, const struct ng_kind *kind, const struct ng_node *value) {
    struct ng_arena *arena = loader->loading.arena;
    bool any = false;
    if (kind->beside) {
        char *words = ng_arena_strdup(arena, ng_beside_stem(arena, kind, value));
        words[strnlen(words, ID_MAX)] = '\0';
        return words;
    }
    const struct ng_node *subject = subject_of(&kind->record, value, &any);
    if (!subject) {
        return any ? ng_arena_printf(arena, "%s-all", kind->record.name) : kind->record.name;
    }
    if (subject->kind != NG_NODE_SCALAR) {
        return kind->record.name; /* has its own error */
    }
    char *words = ng_arena_strdup(arena, subject->text);
    for (char *colon = words; (colon = strchr(colon, ':')) != NULL;) {
        *colon = '-';
    }
    if (!ng_text_is_name(words)) {
        return kind->record.name; /* has its own error */
    }
    char *stem = ng_arena_printf(arena, "%s-%s", kind->record.name, words);
    stem[strnlen(stem, ID_MAX)] = '\0';
    return stem;
}

static const char *unique_id(struct ng_arena *arena, struct ng_names *ids, const char *stem) {
    const char *id = stem;
    for (int n = 2; ng_names_add(ids, id, stem); n++) {
        id = ng_arena_printf(arena, "%.*s-%d", ID_MAX - 6, stem, n);
    }
    return id;
}

static void load_item(struct ng_loader *loader, const struct ng_node *key,
    const struct ng_node *value, const struct ng_kind *kind, struct ng_precondition *out) {
    const char *also[PRECONDITION_KEYS + 1] = {NULL};
    const struct ng_loading *loading = &loader->loading;
    void *params = ng_arena_alloc(loading->arena, kind->record.size);
    struct ng_precondition_fields fields = {0};
    for (size_t i = 0; i < ng_precondition_record.count && i < PRECONDITION_KEYS; i++) {
        const struct ng_field *field = &ng_precondition_record.fields[i];
        const struct ng_node *node = ng_node_get(value, field->name);
        also[i] = field->name;
        if (node) {
            ng_field_load(loading, field, node, (char *)&fields + field->offset);
        }
    }
    bool ok = ng_record_load(loading, &kind->record, value, also, params);
    out->allow_unknown = fields.unknown == 1;
    out->when = ng_when_of(kind, fields.when);
    out->on_broken = fields.on_broken;
    out->pos = key->pos;
    out->kind = kind;
    out->params = params;
    if (ok && loader->sound && kind->check) {
        kind->check(loader->plan, params, value, loading->diags);
    }
}

/* An item is a map of one key: its kind. NULL after an error. */
static const struct ng_kind *kind_of(
    struct ng_loader *loader, const struct ng_node *item, size_t *at) {
    struct ng_diags *diags = loader->loading.diags;
    *at = 0;
    if (item->kind != NG_NODE_MAP) {
        ng_diag_error(diags, item->pos, "type",
            "a precondition is written \"- KIND: ...\" as in \"- mounted: repo\", found %s",
            ng_node_describe(diags, item));
        return NULL;
    }
    const struct ng_kind *beside = ng_beside_kind(loader, item, at);
    if (beside) {
        return ng_beside_sound(loader, item, *at, beside) ? beside : NULL;
    }
    *at = 0;
    if (item->count != 1) {
        ng_diag_error(diags, item->count > 1 ? item->keys[1]->pos : item->pos, "type",
            "a precondition has one key, found %zu; begin a new line with \"- \" for the next one",
            item->count);
        return NULL;
    }
    const struct ng_kind *kind =
        ng_vocabulary_condition(loader->options->vocabulary, item->keys[0]->text);
    if (!kind) {
        refuse_kind(loader, item->keys[0]);
    }
    return kind;
}

void ng_load_preconditions(struct ng_loader *loader, const struct ng_node *node) {
    if (!ng_check_items(loader, node, NG_NODE_LIST, "preconditions")) {
        return;
    }
    struct ng_plan *plan = loader->plan;
    struct ng_names ids;
    ng_names_init(&ids, &plan->arena);
    struct ng_precondition *items = ng_arena_array(&plan->arena, node->count, sizeof *items);
    for (size_t i = 0; i < node->count; i++) {
        const struct ng_node *item = node->items[i];
        size_t at = 0;
        const struct ng_kind *kind = kind_of(loader, item, &at);
        if (!kind) {
            continue;
        }
        struct ng_precondition *out = &items[plan->precondition_count++];
        const struct ng_node *value =
            kind->beside ? ng_beside_value(loader, item, at, kind) : item->items[0];
        load_item(loader, item->keys[at], value, kind, out);
        out->id = unique_id(&plan->arena, &ids, stem_of(loader, kind, value));
    }
    plan->preconditions = items;
}
