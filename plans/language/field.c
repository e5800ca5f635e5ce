/* field.c - records: maps and short forms become C structs by their tables. */
#include "plans/language/field.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plans/language/field_parts.h"
#include "plans/language/plan.h"
#include "plans/language/records.h"
#include "plans/language/script.h"
#include "runner/base/text.h"

enum { KNOWN_KEYS_MAX = 200 };

static const struct ng_field *find_field(const struct ng_record *record, const char *name) {
    assert(record->count <= NG_FIELDS_MAX);
    for (size_t i = 0; i < record->count; i++) {
        if (strcmp(record->fields[i].name, name) == 0) {
            return &record->fields[i];
        }
    }
    return NULL;
}

static bool is_among(const char *const *words, const char *word) {
    for (; words && *words; words++) {
        if (strcmp(*words, word) == 0) {
            return true;
        }
    }
    return false;
}

/* "; known here: a, b, c" for a key that is near to none. */
static const char *known_keys(
    const struct ng_loading *loading, const char *const *candidates, size_t count) {
    struct ng_buf out;
    ng_buf_init(&out, KNOWN_KEYS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (out.len + strlen(candidates[i]) + 8 > KNOWN_KEYS_MAX) {
            ng_buf_adds(&out, " ...");
            break;
        }
        ng_buf_addf(&out, "%s%s", i == 0 ? "; known here: " : ", ", candidates[i]);
    }
    const char *text = ng_arena_strdup(loading->diags->arena, ng_buf_text(&out));
    ng_buf_release(&out);
    return text;
}

/* "; write "args: {host: ...}" inside": where a script finds what is its own. */
static const char *hint_values(
    const struct ng_loading *loading, const struct ng_record *record, const struct ng_node *key) {
    for (size_t i = 0; i < record->count; i++) {
        if (record->fields[i].type == NG_FIELD_VALUES && ng_text_is_name(key->text)) {
            return ng_arena_printf(loading->diags->arena,
                "; what a script is given stands in %s: write \"%s: {%s: ...}\"",
                record->fields[i].name, record->fields[i].name, key->text);
        }
    }
    return "";
}

static void refuse_key(const struct ng_loading *loading, const struct ng_record *record,
    const char *const *also, const struct ng_node *key) {
    if (ng_diags_full(loading->diags)) {
        ng_diag_error(loading->diags, key->pos, "unknown-key", "unknown key");
        return;
    }
    size_t count = record->count;
    for (const char *const *word = also; word && *word; word++) {
        count++;
    }
    const char **candidates = ng_xmalloc((count + 1) * sizeof *candidates);
    size_t n = 0;
    for (; n < record->count; n++) {
        candidates[n] = record->fields[n].name;
    }
    for (const char *const *word = also; word && *word; word++) {
        if (!ng_is_later_word(*word)) {
            candidates[n++] = *word;
        }
    }
    const char *hint = ng_diag_hint(loading->diags, key->text, candidates, n);
    if (*hint == '\0') {
        hint = hint_values(loading, record, key);
    }
    if (*hint == '\0') {
        hint = known_keys(loading, candidates, n);
    }
    free(candidates);
    ng_diag_error(loading->diags, key->pos, "unknown-key", "unknown key %s in %s%s",
        ng_diag_quote(loading->diags, key->text), record->name, hint);
}

/* Fills what the plan leaves out. Bit i of `given` stands for field i. */
static bool complete(const struct ng_loading *loading, const struct ng_record *record,
    const struct ng_node *node, uint64_t given, void *out) {
    bool ok = true;
    for (size_t i = 0; i < record->count; i++) {
        const struct ng_field *field = &record->fields[i];
        if (given & (UINT64_C(1) << i)) {
            continue;
        }
        if ((field->flags & NG_REQUIRED) && !node->broken) {
            ng_diag_error(loading->diags, node->pos, "missing-key",
                "%s needs \"%s\": expected %s (%s)", record->name, field->name,
                ng_field_wanted(loading->diags, field), field->help);
            ok = false;
        } else if (field->fallback) {
            struct ng_node value = {
                .kind = NG_NODE_SCALAR, .pos = node->pos, .text = field->fallback};
            ok = ng_field_load(loading, field, &value, (char *)out + field->offset) && ok;
        }
    }
    return ok;
}

static const struct ng_field *field_of_type(
    const struct ng_record *record, enum ng_field_type type) {
    for (size_t i = 0; i < record->count; i++) {
        if (record->fields[i].type == type) {
            return &record->fields[i];
        }
    }
    return NULL;
}

/* An argument that is misspelt leaves the script with its default: told where it is written, and
 * with every run. */
static void doubt_argument(
    const struct ng_loading *loading, const struct ng_script *script, const struct ng_node *key) {
    struct ng_arena *arena = loading->arena;
    const char *near = NULL;
    if (loading->plan->lua->reads(script, key->text, arena, &near)) {
        return;
    }
    const char *text = ng_arena_printf(arena, "%s never reads the argument %s%s%s%s", script->name,
        ng_diag_quote(loading->diags, key->text), near ? "; did you mean \"" : "", near ? near : "",
        near ? "\"?" : "");
    ng_diag_warning(loading->diags, key->pos, "argument", "%s", text);
    ng_plan_add_doubt(
        loading->mutable_plan, ng_arena_printf(arena, "%s (line %d)", text, key->pos.line));
}

static void doubt_arguments(const struct ng_loading *loading, const struct ng_record *record,
    const struct ng_node *node, const void *out) {
    const struct ng_field *file = field_of_type(record, NG_FIELD_SCRIPT);
    const struct ng_field *values = field_of_type(record, NG_FIELD_VALUES);
    const struct ng_scripts *scripts = loading->plan ? loading->plan->lua : NULL;
    const struct ng_script *script = NULL;
    if (!file || !values || !scripts || !scripts->reads || !loading->mutable_plan) {
        return;
    }
    memcpy(&script, (const char *)out + file->offset, sizeof script);
    const struct ng_node *given = ng_node_get(node, values->name);
    for (size_t i = 0; script && given && given->kind == NG_NODE_MAP && i < given->count; i++) {
        doubt_argument(loading, script, given->keys[i]);
    }
}

static bool load_map(const struct ng_loading *loading, const struct ng_record *record,
    const struct ng_node *node, const char *const *also, void *out) {
    bool ok = true;
    uint64_t given = 0;
    for (size_t i = 0; i < node->count; i++) {
        const struct ng_field *field = find_field(record, node->keys[i]->text);
        if (field) {
            given |= UINT64_C(1) << (field - record->fields);
            ok = ng_field_load(loading, field, node->items[i], (char *)out + field->offset) && ok;
        } else if (!is_among(also, node->keys[i]->text)) {
            refuse_key(loading, record, also, node->keys[i]);
            ok = false;
        }
    }
    ok = complete(loading, record, node, given, out) && ok && !node->broken;
    if (ok) {
        doubt_arguments(loading, record, node, out);
    }
    return ok;
}

const struct ng_field *ng_record_short(const struct ng_record *record) {
    return record->shorthand ? find_field(record, record->shorthand) : NULL;
}

/* `called`: what the plan calls the value of a short form, NULL for the name of its field. */
static bool load_any(const struct ng_loading *loading, const struct ng_record *record,
    const struct ng_node *node, const char *const *also, const char *called, void *out) {
    if (node->kind == NG_NODE_MAP) {
        return load_map(loading, record, node, also, out);
    }
    const struct ng_field *field = ng_record_short(record);
    if (!field) {
        ng_diag_error(loading->diags, node->pos, "type", "%s: expected a map, found %s",
            record->name, ng_node_describe(loading->diags, node));
        return false;
    }
    if (node->kind == NG_NODE_SCALAR && ng_node_core(node) == NG_CORE_NULL) {
        ng_diag_error(loading->diags, node->pos, "type",
            "%s: expected a map, or \"%s\" alone: %s; found nothing", record->name, field->name,
            ng_field_wanted(loading->diags, field));
        return false;
    }
    struct ng_field as_called = *field;
    as_called.name = called ? called : field->name;
    bool ok = ng_field_load(loading, &as_called, node, (char *)out + field->offset);
    uint64_t given = UINT64_C(1) << (field - record->fields);
    return complete(loading, record, node, given, out) && ok;
}

bool ng_record_load(const struct ng_loading *loading, const struct ng_record *record,
    const struct ng_node *node, const char *const *also, void *out) {
    return load_any(loading, record, node, also, NULL, out);
}

struct ng_pos ng_field_place(const struct ng_node *record, const char *field) {
    const struct ng_node *value = ng_node_get(record, field);
    return value ? value->pos : record->pos;
}

static bool load_record(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, void *out) {
    void *record = ng_arena_alloc(loading->arena, field->record->size);
    if (!load_any(loading, field->record, node, NULL, field->name, record)) {
        return false;
    }
    memcpy(out, &record, sizeof record); /* into a pointer to whatever the record is */
    return true;
}

static bool load_records(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_list *out) {
    if (node->kind != NG_NODE_LIST) {
        return ng_field_mismatch(loading, field, node);
    }
    double most = field->max > 0 ? field->max : (double)NG_PLAN_ITEMS_MAX;
    if ((double)node->count < field->min || (double)node->count > most) {
        if (field->min >= most) {
            ng_diag_error(loading->diags, node->pos, "range", "%s: expected %.0f items, found %zu",
                field->name, most, node->count);
        } else {
            ng_diag_error(loading->diags, node->pos, "range",
                "%s: expected %.0f .. %.0f items, found %zu", field->name, field->min, most,
                node->count);
        }
        return false;
    }
    size_t size = field->record->size;
    char *items = ng_arena_array(loading->arena, node->count, size);
    bool ok = true;
    for (size_t i = 0; i < node->count; i++) {
        ok = ng_record_load(loading, field->record, node->items[i], NULL, items + i * size) && ok;
    }
    *out = (struct ng_list){items, node->count};
    return ok;
}

bool ng_field_load(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, void *out) {
    if (ng_node_is_unknown(node)) {
        return false;
    }
    switch (field->type) {
    case NG_FIELD_TEXT:
    case NG_FIELD_NAME:
        return ng_field_load_text(loading, field, node, out);
    case NG_FIELD_PATH:
        return ng_field_load_path(loading, field, node, out);
    case NG_FIELD_BOOL:
    case NG_FIELD_INT:
    case NG_FIELD_NUMBER:
        return ng_field_load_number(loading, field, node, out);
    case NG_FIELD_SIZE:
    case NG_FIELD_RATE:
    case NG_FIELD_DURATION:
    case NG_FIELD_PERCENT:
        return ng_field_load_quantity(loading, field, node, out);
    case NG_FIELD_CHOICE:
        return ng_field_load_choice(loading, field, node, out);
    case NG_FIELD_TEXTS:
        return ng_field_load_texts(loading, field, node, out);
    case NG_FIELD_PAIRS:
        return ng_field_load_pairs(loading, field, node, out);
    case NG_FIELD_ARGVS:
        return ng_field_load_argvs(loading, field, node, out);
    case NG_FIELD_SCRIPT:
        return ng_field_load_script(loading, field, node, out);
    case NG_FIELD_VALUES:
        return ng_field_load_values(loading, field, node, out);
    case NG_FIELD_METRICS:
        return ng_field_load_metrics(loading, field, node, out);
    case NG_FIELD_HOST:
        return ng_field_load_host(loading, field, node, out);
    case NG_FIELD_LINK:
        return ng_field_load_link(loading, field, node, out);
    case NG_FIELD_VOLUME:
        return ng_field_load_volume(loading, field, node, out);
    case NG_FIELD_INTERFACE:
        return ng_field_load_interface(loading, field, node, out);
    case NG_FIELD_RECORDS:
        return load_records(loading, field, node, out);
    case NG_FIELD_RECORD:
        return load_record(loading, field, node, out);
    }
    return false;
}
