/* field_text.c - texts, paths, choices, lists and maps of texts. */
#include <string.h>

#include "plans/language/field_parts.h"
#include "plans/language/plan.h"
#include "runner/base/text.h"

static bool has_control(const char *text, const char *allowed) {
    for (const char *p = text; *p; p++) {
        if (((unsigned char)*p < 0x20 || *p == 0x7F) && !strchr(allowed, *p)) {
            return true;
        }
    }
    return false;
}

/* Any scalar but null is a text, as it is written: `title: 2026` needs no quotes. */
static const char *scalar_text(
    const struct ng_loading *loading, const struct ng_field *field, const struct ng_node *node) {
    if (node->kind != NG_NODE_SCALAR || ng_node_core(node) == NG_CORE_NULL) {
        ng_field_mismatch(loading, field, node);
        return NULL;
    }
    if (strlen(node->text) > NG_FIELD_TEXT_MAX) {
        ng_diag_error(loading->diags, node->pos, "range", "%s: a text of %zu bytes; at most %d",
            field->name, strlen(node->text), NG_FIELD_TEXT_MAX);
        return NULL;
    }
    if (has_control(node->text, "\n\t")) {
        ng_diag_error(loading->diags, node->pos, "value",
            "%s: a control character cannot stand in %s", field->name,
            ng_node_describe(loading->diags, node));
        return NULL;
    }
    return node->text;
}

bool ng_field_load_text(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const char **out) {
    const char *text = scalar_text(loading, field, node);
    if (!text) {
        return false;
    }
    if (field->type == NG_FIELD_NAME && !ng_text_is_name(text)) {
        ng_diag_error(loading->diags, node->pos, "name",
            "%s: %s is no name; a name has letters, digits, \"_\", \".\" and \"-\", begins with a "
            "letter or digit, and has at most 63 of them",
            field->name, ng_diag_quote(loading->diags, text));
        return false;
    }
    *out = text;
    return true;
}

/* Copies a path without empty and "." parts. NULL if a part is "..". */
static const char *normalise(struct ng_arena *arena, const char *path) {
    char *out = ng_arena_alloc(arena, strlen(path) + 2);
    size_t used = 0;
    while (*path) {
        path += strspn(path, "/");
        size_t len = strcspn(path, "/");
        if (len == 2 && path[0] == '.' && path[1] == '.') {
            return NULL;
        }
        if (len > 0 && !(len == 1 && path[0] == '.')) {
            out[used++] = '/';
            memcpy(out + used, path, len);
            used += len;
        }
        path += len;
    }
    return used > 0 ? out : "/";
}

bool ng_field_load_path(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const char **out) {
    const char *text = scalar_text(loading, field, node);
    if (!text) {
        return false;
    }
    const char *why = NULL;
    const char *path = NULL;
    if (text[0] == '~') {
        why = "\"~\" is not expanded; write the whole path";
    } else if (text[0] != '/') {
        why = "it must begin with \"/\"";
    } else if (has_control(text, "")) {
        why = "a control character cannot stand in it";
    } else if (strpbrk(text, ":,")) {
        why = "\":\" and \",\" cannot stand in it, since the engines split names there";
    } else if (strlen(text) > 1000) {
        why = "it is longer than 1000 bytes";
    } else if (!(path = normalise(loading->arena, text))) {
        why = "\"..\" cannot stand in it; write where it leads";
    }
    if (why) {
        ng_diag_error(loading->diags, node->pos, "path", "%s: expected %s, found %s: %s",
            field->name, ng_field_type_example(NG_FIELD_PATH),
            ng_node_describe(loading->diags, node), why);
        return false;
    }
    *out = path;
    return true;
}

bool ng_field_load_choice(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, int *out) {
    size_t count = 0;
    for (; field->choices[count]; count++) {
        if (node->kind == NG_NODE_SCALAR && strcmp(node->text, field->choices[count]) == 0) {
            *out = (int)count;
            return true;
        }
    }
    const char *hint = node->kind == NG_NODE_SCALAR
                           ? ng_diag_hint(loading->diags, node->text, field->choices, count)
                           : "";
    ng_diag_error(loading->diags, node->pos, "choice", "%s: expected %s, found %s%s", field->name,
        ng_field_wanted(loading->diags, field), ng_node_describe(loading->diags, node), hint);
    return false;
}

bool ng_field_load_texts(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_texts *out) {
    struct ng_node *alone[1];
    struct ng_node copy = *node;
    alone[0] = &copy;
    struct ng_node *const *nodes = node->kind == NG_NODE_LIST ? node->items : alone;
    size_t count = node->kind == NG_NODE_LIST ? node->count : 1;
    if (node->kind == NG_NODE_MAP) {
        return ng_field_mismatch(loading, field, node);
    }
    if (count > NG_PLAN_ITEMS_MAX) {
        ng_diag_error(loading->diags, node->pos, "too-many", "%s: %zu items; at most %d",
            field->name, count, NG_PLAN_ITEMS_MAX);
        return false;
    }
    const char **items = ng_arena_array(loading->arena, count, sizeof *items);
    struct ng_pos *places = ng_arena_array(loading->arena, count, sizeof *places);
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        items[i] = ng_node_is_unknown(nodes[i]) ? NULL : scalar_text(loading, field, nodes[i]);
        places[i] = nodes[i]->pos;
        ok = items[i] && ok;
    }
    if (ok) {
        *out = (struct ng_texts){items, places, count};
    }
    return ok;
}

/* A key of a map whose keys the plan chooses. */
static bool check_key(
    const struct ng_loading *loading, const struct ng_field *field, const struct ng_node *key) {
    if (key->text[0] != '\0' && !has_control(key->text, "")) {
        return true;
    }
    ng_diag_error(loading->diags, key->pos, "name", "%s: %s is no key", field->name,
        ng_diag_quote(loading->diags, key->text));
    return false;
}

bool ng_field_load_argvs(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_argvs *out) {
    if (node->kind != NG_NODE_MAP) {
        return ng_field_mismatch(loading, field, node);
    }
    struct ng_argv_item *items = ng_arena_array(loading->arena, node->count, sizeof *items);
    bool ok = true;
    for (size_t i = 0; i < node->count; i++) {
        const struct ng_field row = {.name = node->keys[i]->text, .type = NG_FIELD_TEXTS};
        items[i].key = node->keys[i]->text;
        items[i].pos = node->keys[i]->pos;
        ok = check_key(loading, field, node->keys[i]) && ok;
        ok = !ng_node_is_unknown(node->items[i]) &&
             ng_field_load_texts(loading, &row, node->items[i], &items[i].words) && ok;
    }
    if (ok) {
        *out = (struct ng_argvs){items, node->count};
    }
    return ok;
}

bool ng_field_load_pairs(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_pairs *out) {
    if (node->kind != NG_NODE_MAP) {
        return ng_field_mismatch(loading, field, node);
    }
    struct ng_pair *items = ng_arena_array(loading->arena, node->count, sizeof *items);
    bool ok = true;
    for (size_t i = 0; i < node->count; i++) {
        const struct ng_field row = {.name = node->keys[i]->text, .type = NG_FIELD_TEXT};
        const struct ng_node *value = node->items[i];
        items[i] = (struct ng_pair){node->keys[i]->text,
            ng_node_is_unknown(value) ? NULL : scalar_text(loading, &row, value),
            node->keys[i]->pos};
        ok = check_key(loading, field, node->keys[i]) && items[i].value && ok;
    }
    if (ok) {
        *out = (struct ng_pairs){items, node->count};
    }
    return ok;
}
