/* load_params.c - parameters, and their values put into the tree. */
#include <stdlib.h>
#include <string.h>

#include "plans/language/loader.h"
#include "plans/language/records.h"
#include "runner/base/text.h"

enum { VALUE_BYTES_MAX = 4096 };

/* A parameter while the plan is loaded. */
struct param {
    const char *text; /* NULL: it has no value, and that was said */
    bool quoted;
    bool used;
};

struct scope {
    struct ng_loader *loader;
    struct ng_names names; /* of struct param */
    const char **words;    /* all names, for suggestions */
    size_t count;
    size_t bytes; /* made by substitution so far */
    bool too_large;
};

static const struct ng_setting *find_setting(const struct ng_loader *loader, const char *name) {
    for (size_t i = loader->options->setting_count; i > 0; i--) {
        if (strcmp(loader->options->settings[i - 1].name, name) == 0) {
            return &loader->options->settings[i - 1]; /* the last one given wins */
        }
    }
    return NULL;
}

/* The node that holds the default, or NULL. Errors were added where *ok becomes false. */
static const struct ng_node *default_of(
    struct ng_loader *loader, const struct ng_node *value, struct ng_param *param, bool *ok) {
    const struct ng_loading *loading = &loader->loading;
    param->help = "";
    if (value->kind == NG_NODE_SCALAR) {
        return ng_node_core(value) == NG_CORE_NULL ? NULL : value;
    }
    struct ng_param_fields fields = {0};
    if (value->kind == NG_NODE_LIST) {
        ng_diag_error(loading->diags, value->pos, "type",
            "parameter %s: expected a text, a number or {default: VALUE, help: TEXT}, found a list",
            param->name);
        *ok = false;
        return NULL;
    }
    *ok = ng_record_load(loading, &ng_param_record, value, NULL, &fields);
    param->help = fields.help ? fields.help : "";
    return *ok ? ng_node_get(value, "default") : NULL;
}

static bool check_setting(struct ng_loader *loader, const struct ng_setting *setting) {
    struct ng_diags *diags = loader->loading.diags;
    size_t bad = 0;
    size_t len = strlen(setting->value);
    const char *problem = NULL;
    if (len > VALUE_BYTES_MAX) {
        problem = "the value is longer than 4096 bytes";
    } else if (!ng_utf8_valid(setting->value, len, &bad)) {
        problem = "the value is not UTF-8";
    }
    for (size_t i = 0; i < len && !problem; i++) {
        if ((unsigned char)setting->value[i] < 0x20 || setting->value[i] == 0x7F) {
            problem = "a control character cannot stand in the value";
        }
    }
    if (problem) {
        ng_diag_error(diags, (struct ng_pos){loader->plan->file, 0, 0}, "param", "-p %s: %s",
            setting->name, problem);
    }
    return problem == NULL;
}

/* Settles the value of one parameter. */
static void load_param(struct scope *scope, const struct ng_node *key, const struct ng_node *value,
    struct ng_param *out, struct param *param) {
    struct ng_loader *loader = scope->loader;
    struct ng_diags *diags = loader->loading.diags;
    *out = (struct ng_param){.name = key->text, .pos = key->pos, .value = ""};
    bool ok = ng_check_name(loader, key, "parameter");
    const struct ng_node *fallback = default_of(loader, value, out, &ok);
    const struct ng_setting *setting = find_setting(loader, key->text);
    if (fallback && strstr(fallback->text, "${")) {
        ng_diag_error(diags, fallback->pos, "param",
            "parameter %s: a default cannot name a parameter", key->text);
        ok = false;
    }
    if (setting) {
        ok = check_setting(loader, setting) && ok;
        param->text = ng_arena_strdup(loader->loading.arena, setting->value);
        out->from_command_line = true;
    } else if (fallback) {
        param->text = fallback->text;
        param->quoted = fallback->quoted;
    } else if (ok) {
        ng_diag_error(diags, key->pos, "missing-param",
            "parameter %s has no default; give it with -p %s=VALUE", key->text, key->text);
    }
    param->text = ok ? param->text : NULL;
    out->value = param->text ? param->text : "";
}

static void load_section(struct scope *scope, const struct ng_node *section) {
    struct ng_loader *loader = scope->loader;
    struct ng_arena *arena = loader->loading.arena;
    if (!ng_check_items(loader, section, NG_NODE_MAP, "params")) {
        return;
    }
    struct ng_param *params = ng_arena_array(arena, section->count, sizeof *params);
    struct param *values = ng_arena_array(arena, section->count, sizeof *values);
    scope->words = ng_arena_array(arena, section->count, sizeof *scope->words);
    scope->count = section->count;
    for (size_t i = 0; i < section->count; i++) {
        load_param(scope, section->keys[i], section->items[i], &params[i], &values[i]);
        ng_names_add(&scope->names, section->keys[i]->text, &values[i]);
        scope->words[i] = section->keys[i]->text;
    }
    loader->plan->params = params;
    loader->plan->param_count = section->count;
}

/* The parameter of "${name}" at an offset of a scalar, or NULL after an error. */
static struct param *use(
    struct scope *scope, const struct ng_node *node, size_t offset, const char *name) {
    struct ng_diags *diags = scope->loader->loading.diags;
    /* The table holds what load_section gave it, which is not const. */
    union {
        const void *given;
        struct param *param;
    } found = {ng_names_get(&scope->names, name)};
    if (!found.given) {
        ng_diag_error(diags, ng_node_place(node, offset), "unknown-param", "unknown parameter %s%s",
            ng_diag_quote(diags, name),
            scope->count == 0 ? "; the plan has no params"
                              : ng_diag_hint(diags, name, scope->words, scope->count));
        return NULL;
    }
    found.param->used = true;
    return found.param->text ? found.param : NULL;
}

/* Copies the text with all parameters filled in. False when one has no value. */
static bool fill(struct scope *scope, const struct ng_node *node, struct ng_buf *out) {
    bool ok = true;
    const char *text = node->text;
    for (const char *at = strstr(text, "${"); at; at = strstr(text, "${")) {
        if (at > text && at[-1] == '$') {
            ng_buf_add(out, text, (size_t)(at - text - 1));
            ng_buf_adds(out, "${");
            text = at + 2;
            continue;
        }
        const char *end = strchr(at, '}');
        if (!end) {
            ng_diag_error(scope->loader->loading.diags,
                ng_node_place(node, (size_t)(at - node->text)), "param",
                "\"${\" without \"}\"; write \"$${\" where a plain \"${\" is meant");
            return false;
        }
        const char *name =
            ng_arena_strndup(scope->loader->loading.arena, at + 2, (size_t)(end - at - 2));
        const struct param *param = use(scope, node, (size_t)(at - node->text), name);
        ng_buf_add(out, text, (size_t)(at - text));
        ng_buf_adds(out, param ? param->text : "");
        ok = ok && param;
        text = end + 1;
    }
    ng_buf_adds(out, text);
    return ok;
}

/* A scalar that is nothing but "${name}" becomes what the parameter is: a quoted text stays one. */
static bool is_whole(const char *text) {
    size_t len = strlen(text);
    return len > 3 && strncmp(text, "${", 2) == 0 && strchr(text, '}') == text + len - 1;
}

static struct ng_node *fill_scalar(struct scope *scope, struct ng_node *node) {
    if (scope->too_large || !strstr(node->text, "${")) {
        return node;
    }
    struct ng_arena *arena = scope->loader->loading.arena;
    struct ng_node *copy = ng_arena_alloc(arena, sizeof *copy);
    *copy = *node;
    copy->text_column = 0;
    struct ng_buf out;
    ng_buf_init(&out, NG_PLAN_BYTES_MAX);
    copy->broken = !fill(scope, node, &out);
    if (is_whole(node->text) && !copy->broken) {
        const char *name = ng_arena_strndup(arena, node->text + 2, strlen(node->text) - 3);
        const struct param *param = ng_names_get(&scope->names, name);
        copy->quoted = param->quoted;
    }
    scope->bytes += out.len + out.cut;
    if (scope->bytes > NG_PLAN_BYTES_MAX) {
        ng_diag_error(scope->loader->loading.diags, node->pos, "too-large",
            "with its parameters filled in the plan is larger than %d MiB",
            NG_PLAN_BYTES_MAX / (1024 * 1024));
        scope->too_large = copy->broken = true;
    }
    copy->text = ng_arena_strdup(arena, ng_buf_text(&out));
    ng_buf_release(&out);
    return copy;
}

/* Copies what changes and shares the rest. The depth was bounded when the tree was made. */
static struct ng_node *fill_node(struct scope *scope, struct ng_node *node) {
    if (node->kind == NG_NODE_SCALAR) {
        return fill_scalar(scope, node);
    }
    struct ng_node *copy = node;
    for (size_t i = 0; i < node->count; i++) {
        struct ng_node *item = fill_node(scope, node->items[i]);
        if (item == node->items[i]) {
            continue;
        }
        if (copy == node) {
            struct ng_arena *arena = scope->loader->loading.arena;
            copy = ng_arena_alloc(arena, sizeof *copy);
            *copy = *node;
            copy->items = ng_arena_array(arena, node->count, sizeof *copy->items);
            memcpy(copy->items, node->items, node->count * sizeof *copy->items);
        }
        copy->items[i] = item;
    }
    return copy;
}

static struct ng_node *fill_root(struct scope *scope, const struct ng_node *root) {
    struct ng_arena *arena = scope->loader->loading.arena;
    struct ng_node *copy = ng_arena_alloc(arena, sizeof *copy);
    *copy = *root;
    copy->items = ng_arena_array(arena, root->count, sizeof *copy->items);
    for (size_t i = 0; i < root->count; i++) {
        bool section = strcmp(root->keys[i]->text, "params") == 0;
        copy->items[i] = section ? root->items[i] : fill_node(scope, root->items[i]);
    }
    return copy;
}

static void check_settings(struct scope *scope) {
    struct ng_loader *loader = scope->loader;
    struct ng_diags *diags = loader->loading.diags;
    for (size_t i = 0; i < loader->options->setting_count; i++) {
        const char *name = loader->options->settings[i].name;
        if (!ng_names_get(&scope->names, name)) {
            ng_diag_error(diags, (struct ng_pos){loader->plan->file, 0, 0}, "unknown-param",
                "-p %s: the plan has no such parameter%s", ng_diag_quote(diags, name),
                ng_diag_hint(diags, name, scope->words, scope->count));
        }
    }
}

struct ng_node *ng_load_params(struct ng_loader *loader, struct ng_node *root) {
    struct scope scope = {.loader = loader};
    ng_names_init(&scope.names, loader->loading.arena);
    load_section(&scope, ng_node_get(root, "params"));
    check_settings(&scope);
    struct ng_node *filled = fill_root(&scope, root);
    for (size_t i = 0; i < loader->plan->param_count; i++) {
        const struct ng_param *param = &loader->plan->params[i];
        const struct param *value = ng_names_get(&scope.names, param->name);
        if (!value->used && value->text) {
            ng_diag_warning(loader->loading.diags, param->pos, "unused-param",
                "parameter %s is never used; write ${%s} where it belongs, or remove it",
                ng_diag_quote(loader->loading.diags, param->name), param->name);
        }
    }
    return filled;
}
