/* load.c - a plan's file or text, step by step, to a typed plan. */
#include "plans/language/load.h"

#include <stdlib.h>
#include <string.h>

#include "plans/language/loader.h"
#include "plans/language/records.h"
#include "runner/base/files.h"
#include "runner/base/text.h"

bool ng_word_among(const char *const *words, const char *word) {
    for (; *words; words++) {
        if (strcmp(*words, word) == 0) {
            return true;
        }
    }
    return false;
}

void ng_refuse_later_key(struct ng_loader *loader, const struct ng_node *key) {
    ng_diag_error(loader->loading.diags, key->pos, "unsupported",
        "\"%s\" is not supported by this version of nasgate; remove it", key->text);
}

void ng_refuse_later(
    struct ng_loader *loader, const struct ng_node *map, const char *const *words) {
    for (size_t i = 0; map->kind == NG_NODE_MAP && i < map->count; i++) {
        if (ng_word_among(words, map->keys[i]->text)) {
            ng_refuse_later_key(loader, map->keys[i]);
        }
    }
}

bool ng_check_items(struct ng_loader *loader, const struct ng_node *node, enum ng_node_kind kind,
    const char *what) {
    if (!node) {
        return false;
    }
    struct ng_diags *diags = loader->loading.diags;
    if (node->kind != kind) {
        ng_diag_error(diags, node->pos, "type", "%s: expected a %s, found %s", what,
            kind == NG_NODE_MAP ? "map of names" : "list (lines that begin with \"- \")",
            ng_node_describe(diags, node));
        return false;
    }
    if (node->count > NG_PLAN_ITEMS_MAX) {
        ng_diag_error(diags, node->pos, "too-many", "%s: %zu items; at most %d", what, node->count,
            NG_PLAN_ITEMS_MAX);
        return false;
    }
    return true;
}

bool ng_check_name(struct ng_loader *loader, const struct ng_node *key, const char *what) {
    if (ng_text_is_name(key->text)) {
        return true;
    }
    ng_diag_error(loader->loading.diags, key->pos, "name",
        "%s is no name for a %s; a name has letters, digits, \"_\", \".\" and \"-\", begins with a "
        "letter or digit, and has at most 63 of them",
        ng_diag_quote(loader->loading.diags, key->text), what);
    return false;
}

/* A plan of another version would give nothing but misleading errors, so this one comes alone. */
static bool check_version(struct ng_loader *loader, const struct ng_node *root) {
    struct ng_diags *diags = loader->loading.diags;
    if (root->kind != NG_NODE_MAP) {
        ng_diag_error(diags, root->pos, "type",
            "a plan is a map that begins with \"nasgate: 1\", found %s",
            ng_node_describe(diags, root));
        return false;
    }
    const struct ng_node *version = ng_node_get(root, "nasgate");
    if (!version || version->kind != NG_NODE_SCALAR || ng_node_core(version) != NG_CORE_INT ||
        strcmp(version->text, "1") == 0) {
        return true; /* absent or odd: the field table says so */
    }
    ng_diag_error(diags, version->pos, "version",
        "plan format %.20s; this version of nasgate reads format 1", version->text);
    return false;
}

/* The keys of the plan that load_head leaves to others; NULL-terminated. */
static const char *const *other_keys(struct ng_arena *arena) {
    size_t later = 0;
    while (ng_later_in_plan[later]) {
        later++;
    }
    const char **keys = ng_arena_array(arena, ng_plan_section_count + later + 1, sizeof *keys);
    for (size_t i = 0; i < ng_plan_section_count; i++) {
        keys[i] = ng_plan_sections[i].name;
    }
    for (size_t i = 0; i < later; i++) {
        keys[ng_plan_section_count + i] = ng_later_in_plan[i];
    }
    return keys;
}

static void load_head(struct ng_loader *loader, const struct ng_node *root) {
    struct ng_plan_fields fields = {0};
    struct ng_plan *plan = loader->plan;
    ng_record_load(
        &loader->loading, &ng_plan_record, root, other_keys(loader->loading.arena), &fields);
    ng_refuse_later(loader, root, ng_later_in_plan);
    for (size_t i = 0; i < ng_plan_section_count; i++) {
        const struct ng_section *section = &ng_plan_sections[i];
        if (section->required && !ng_node_get(root, section->name)) {
            ng_diag_error(loader->loading.diags, root->pos, "missing-key", "plan needs \"%s\": %s",
                section->name, section->help);
        }
    }
    plan->name = fields.name ? fields.name : "";
    plan->title = fields.title ? fields.title : plan->name;
    plan->repeat = fields.repeat; /* 0: not known, since what is written there was refused */
}

static void load_tree(struct ng_loader *loader, struct ng_node *root) {
    if (!check_version(loader, root)) {
        return;
    }
    root = ng_load_params(loader, root);
    load_head(loader, root);
    ng_load_topology(loader, ng_node_get(root, "topology"));
    ng_load_watch(loader, ng_node_get(root, "watch"));
    ng_load_lease(loader, ng_node_get(root, "lease"));
    ng_load_preconditions(loader, ng_node_get(root, "preconditions"));
    ng_load_hooks(loader, ng_node_get(root, "hooks"));
    ng_load_phases(loader, ng_node_get(root, "phases"));
}

struct ng_plan *ng_plan_load_text(const char *file, const char *text, size_t len,
    const struct ng_load_options *options, struct ng_diags *diags) {
    size_t errors = diags->errors;
    struct ng_plan *plan = ng_xmalloc(sizeof *plan);
    *plan = (struct ng_plan){0};
    ng_arena_init(&plan->arena);
    plan->file = ng_arena_strdup(&plan->arena, file);
    plan->vocabulary = options->vocabulary;
    plan->telemetry = ng_arena_alloc(&plan->arena, sizeof *plan->telemetry);
    if (options->lua) {
        struct ng_scripts *lua = ng_arena_alloc(&plan->arena, sizeof *lua);
        *lua = *options->lua;
        plan->lua = lua;
    }
    struct ng_loader loader = {.loading = {&plan->arena, diags, plan, plan},
        .plan = plan,
        .options = options,
        .sound = true};
    if (len <= NG_PLAN_BYTES_MAX) {
        plan->text = ng_arena_strndup(&plan->arena, text, len);
        plan->text_len = len;
    }
    struct ng_node *root = ng_node_parse(&plan->arena, plan->file, text, len, diags);
    if (root) {
        load_tree(&loader, root);
    }
    plan->vocabulary = NULL;
    if (diags->errors > errors) {
        ng_plan_free(plan);
        return NULL;
    }
    return plan;
}

/* The error without the name of the file, which the diag has in front. */
static const char *without_path(const char *text, const char *path) {
    const char *at = strstr(text, path);
    if (!at) {
        return text;
    }
    at += strlen(path);
    at += *at == ':';
    return *at ? at + strspn(at, " ") : text;
}

struct ng_plan *ng_plan_load(
    const char *path, const struct ng_load_options *options, struct ng_diags *diags) {
    struct ng_err err = {0};
    char *text = NULL;
    size_t len = 0;
    if (!ng_file_read(path, NG_PLAN_BYTES_MAX, &text, &len, &err)) {
        bool large = err.kind == NG_ERR_LIMIT;
        ng_diag_error(diags, (struct ng_pos){path, 0, 0}, large ? "too-large" : "file",
            "cannot read the plan: %s", without_path(err.text, path));
        return NULL;
    }
    struct ng_plan *plan = ng_plan_load_text(path, text, len, options, diags);
    free(text);
    return plan;
}
