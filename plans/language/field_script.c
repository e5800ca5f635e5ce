/* field_script.c - files of Lua that a plan names, and the metrics that they measure. */
#include <string.h>

#include "plans/language/expr.h"
#include "plans/language/field_parts.h"
#include "plans/language/script.h"
#include "runner/base/text.h"

/* Relative, of plain names, without "..": nothing that leads out of the plan's folder. */
static const char *refuse_name(const char *name) {
    if (strlen(name) > NG_SCRIPT_NAME_MAX) {
        return "it is too long";
    }
    if (name[0] == '/') {
        return "it must be relative: beside the plan, or one that is shipped";
    }
    for (const char *at = name;; at++) {
        const size_t len = strcspn(at, "/");
        if (len == 0 || at[0] == '.' || at[0] == '-' ||
            strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") < len) {
            return "its parts have letters, digits, \"_\", \".\" and \"-\", and begin with no "
                   "\".\"";
        }
        at += len;
        if (*at == '\0') {
            return NULL;
        }
    }
}

/* The same file twice is one. */
static const struct ng_script *known(const struct ng_loading *loading, const char *name) {
    for (size_t i = 0; i < loading->plan->script_count; i++) {
        if (strcmp(loading->plan->scripts[i]->name, name) == 0) {
            return loading->plan->scripts[i];
        }
    }
    return NULL;
}

static const struct ng_script *find(
    const struct ng_loading *loading, const char *name, struct ng_pos pos) {
    const struct ng_scripts *scripts = loading->plan->lua;
    struct ng_err err = {0};
    struct ng_script *script = ng_arena_alloc(loading->arena, sizeof *script);
    script->name = name;
    if (!scripts) {
        ng_diag_error(loading->diags, pos, "lua-file", "there is no Lua here");
        return NULL;
    }
    if (loading->plan->script_count >= NG_SCRIPTS_MAX) {
        ng_diag_error(loading->diags, pos, "too-many", "more than %d files of Lua", NG_SCRIPTS_MAX);
        return NULL;
    }
    if (!scripts->find(scripts->context, loading->arena, name, script, &err)) {
        ng_diag_error(loading->diags, pos, "lua-file", "%s", err.text);
        return NULL;
    }
    ng_plan_add_script(loading->mutable_plan, script);
    scripts->check(script, loading->diags);
    return script;
}

bool ng_field_load_script(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const struct ng_script **out) {
    const char *text = NULL;
    if (!ng_field_load_text(loading, field, node, &text)) {
        return false;
    }
    const char *why = refuse_name(text);
    if (why) {
        ng_diag_error(loading->diags, node->pos, "lua-file", "%s: %s is no name of a file: %s",
            field->name, ng_diag_quote(loading->diags, text), why);
        return false;
    }
    const size_t len = strlen(text);
    const bool whole = len > 4 && strcmp(text + len - 4, ".lua") == 0;
    const char *name = whole ? text : ng_arena_printf(loading->arena, "%s.lua", text);
    *out = known(loading, name);
    const size_t errors = loading->diags->errors;
    if (!*out) {
        *out = find(loading, name, node->pos);
    }
    return *out && loading->diags->errors == errors;
}

static bool read_unit(const struct ng_loading *loading, const struct ng_node *node,
    const char *unit, struct ng_metric_def *out) {
    double factor = 1;
    const char *hint = NULL;
    if (strcmp(unit, "count") == 0) {
        return true;
    }
    if (!ng_unit_find(unit, strlen(unit), &factor, &out->dim, &hint)) {
        ng_diag_error(loading->diags, node->pos, "unit",
            "%s is no unit%s%s%s; write count, %%, or a unit such as ms, MB/s, GiB, IOPS",
            ng_diag_quote(loading->diags, unit), hint ? "; did you mean \"" : "", hint ? hint : "",
            hint ? "\"?" : "");
        return false;
    }
    const bool bits = ng_dim_equal(out->dim, NG_DIM_RATE) &&
                      (strstr(unit, "bit") != NULL || strstr(unit, "bps") != NULL);
    out->spelling = bits                     ? NG_SPELLING_BITS
                    : strcmp(unit, "%") == 0 ? NG_SPELLING_SHARE
                                             : NG_SPELLING_PLAIN;
    return true;
}

static const char *const betters[] = {"higher", "lower", "neither", NULL};

struct metric_fields {
    const char *unit;
    int better;
};

static const struct ng_field metric_rows[] = {
    {.name = "unit",
        .type = NG_FIELD_TEXT,
        .offset = offsetof(struct metric_fields, unit),
        .flags = NG_REQUIRED,
        .help = "count, %, or a unit such as ms, MB/s, GiB, IOPS"},
    {.name = "better",
        .type = NG_FIELD_CHOICE,
        .offset = offsetof(struct metric_fields, better),
        .choices = betters,
        .fallback = "neither",
        .help = "which direction is better, for comparisons"},
};

const struct ng_record ng_metric_record = {"metric", metric_rows, NG_COUNT(metric_rows),
    sizeof(struct metric_fields), "unit", "A metric that a script measures, and its unit"};

/* Names of metrics are written in thresholds: words with dots between them. */
static bool is_metric_name(const char *name) {
    return ng_text_is_name(name) && strchr(name, '-') == NULL &&
           !(name[0] >= '0' && name[0] <= '9');
}

bool ng_field_load_metrics(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_metrics *out) {
    if (node->kind != NG_NODE_MAP) {
        return ng_field_mismatch(loading, field, node);
    }
    if (node->count > NG_METRICS_MAX) {
        ng_diag_error(
            loading->diags, node->pos, "too-many", "more than %d metrics", NG_METRICS_MAX);
        return false;
    }
    struct ng_metric_def *items = ng_arena_array(loading->arena, node->count, sizeof *items);
    const char **units = ng_arena_array(loading->arena, node->count, sizeof *units);
    bool ok = !node->broken;
    for (size_t i = 0; i < node->count; i++) {
        struct metric_fields fields = {0};
        items[i] = (struct ng_metric_def){
            .name = node->keys[i]->text, .meaning = "measured by a script", .source = "Lua"};
        if (!is_metric_name(items[i].name)) {
            ng_diag_error(loading->diags, node->keys[i]->pos, "name",
                "%s is no name of a metric; it has letters, digits, \"_\" and \".\", and begins "
                "with "
                "a letter",
                ng_diag_quote(loading->diags, items[i].name));
            ok = false;
        } else if (ng_expr_is_reserved(items[i].name)) {
            ng_diag_error(loading->diags, node->keys[i]->pos, "name",
                "a metric cannot be called %s, which has a meaning of its own in thresholds",
                ng_diag_quote(loading->diags, items[i].name));
            ok = false;
        } else if (!ng_record_load(loading, &ng_metric_record, node->items[i], NULL, &fields) ||
                   !read_unit(loading, node->items[i], fields.unit, &items[i])) {
            ok = false;
        }
        items[i].better = (enum ng_better)fields.better;
        units[i] = fields.unit;
    }
    *out = (struct ng_metrics){items, units, node->count};
    return ok;
}
