/* value.c - values of any shape in a plan. */
#include "plans/language/value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plans/language/field_parts.h"
#include "plans/language/field_write.h"
#include "runner/base/units.h"

const struct ng_value *ng_value_get(const struct ng_value *map, const char *key) {
    for (size_t i = 0; map && map->kind == NG_VALUE_MAP && i < map->count; i++) {
        if (strcmp(map->items[i].key, key) == 0) {
            return &map->items[i];
        }
    }
    return NULL;
}

static bool load_any(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_value *out);

static bool load_items(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_value *out) {
    bool ok = true;
    struct ng_value *items = ng_arena_array(loading->arena, node->count, sizeof *items);
    for (size_t i = 0; i < node->count; i++) {
        ok = load_any(loading, field, node->items[i], &items[i]) && ok;
        items[i].key = node->kind == NG_NODE_MAP ? node->keys[i]->text : NULL;
    }
    out->kind = node->kind == NG_NODE_MAP ? NG_VALUE_MAP : NG_VALUE_LIST;
    out->items = items;
    out->count = node->count;
    return ok && !node->broken;
}

static bool load_scalar(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_value *out) {
    out->text = node->text;
    switch (ng_node_core(node)) {
    case NG_CORE_STRING:
        return true;
    case NG_CORE_BOOL:
        out->kind = NG_VALUE_BOOL;
        out->truth = node->text[0] == 't' || node->text[0] == 'T';
        return true;
    case NG_CORE_INT: {
        char *end = NULL;
        errno = 0;
        out->whole = strtoll(node->text, &end, 0);
        out->kind = NG_VALUE_INT;
        if (errno == 0 && *end == '\0') {
            return true;
        }
        break;
    }
    case NG_CORE_FLOAT: {
        const bool minus = node->text[0] == '-';
        const char *digits = node->text + (minus || node->text[0] == '+');
        out->kind = NG_VALUE_NUMBER;
        if (ng_number_scan(digits, strlen(digits), &out->number) == strlen(digits)) {
            out->number = minus ? -out->number : out->number;
            return true;
        }
        break;
    }
    case NG_CORE_DISPUTED:
        return ng_field_disputed(loading, field, node);
    case NG_CORE_NULL:
        break;
    }
    ng_diag_error(loading->diags, node->pos, "value", "%s: %s cannot be an argument", field->name,
        ng_node_describe(loading->diags, node));
    return false;
}

static bool load_any(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_value *out) {
    out->pos = node->pos;
    if (ng_node_is_unknown(node)) {
        return false;
    }
    return node->kind == NG_NODE_SCALAR ? load_scalar(loading, field, node, out)
                                        : load_items(loading, field, node, out);
}

bool ng_field_load_values(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const struct ng_value **out) {
    if (node->kind != NG_NODE_MAP) {
        return ng_field_mismatch(loading, field, node);
    }
    struct ng_value *value = ng_arena_alloc(loading->arena, sizeof *value);
    *out = value;
    if (!load_any(loading, field, node, value)) {
        return false;
    }
    const struct ng_node *host = ng_node_get(node, "host");
    const struct ng_field row = {.name = "host", .type = NG_FIELD_HOST};
    const struct ng_host *found = NULL;
    return !host || ng_field_load_host(loading, &row, host, &found);
}

void ng_value_write(const struct ng_value *value, struct ng_buf *out) {
    char number[NG_QUANTITY_TEXT];
    switch (value->kind) {
    case NG_VALUE_TEXT:
        ng_yaml_quote(value->text, out);
        break;
    case NG_VALUE_BOOL:
        ng_buf_adds(out, value->truth ? "true" : "false");
        break;
    case NG_VALUE_INT:
        ng_buf_addf(out, "%" PRId64, value->whole);
        break;
    case NG_VALUE_NUMBER:
        ng_number_format(value->number, number);
        ng_buf_addf(out, "%s%s", number, strpbrk(number, ".eE") ? "" : ".0");
        break;
    case NG_VALUE_LIST:
    case NG_VALUE_MAP:
        ng_buf_addc(out, value->kind == NG_VALUE_MAP ? '{' : '[');
        for (size_t i = 0; i < value->count; i++) {
            ng_buf_adds(out, i > 0 ? ", " : "");
            if (value->items[i].key) {
                ng_yaml_quote(value->items[i].key, out);
                ng_buf_adds(out, ": ");
            }
            ng_value_write(&value->items[i], out);
        }
        ng_buf_addc(out, value->kind == NG_VALUE_MAP ? '}' : ']');
        break;
    }
}
