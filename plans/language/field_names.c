/* field_names.c - values that name a host, a link, a volume or an interface of the topology. */
#include <stdlib.h>
#include <string.h>

#include "plans/language/field_parts.h"
#include "plans/language/plan.h"

enum { INTERFACE_NAME_MAX = 15 }; /* IFNAMSIZ - 1 */

/* One kind of named thing: how many there are and what the i-th is called. */
struct kin {
    const char *word;
    size_t count;
    const char *(*name)(const struct ng_plan *plan, size_t i);
};

static const char *host_name(const struct ng_plan *plan, size_t i) {
    return plan->hosts[i].name;
}

static const char *link_name(const struct ng_plan *plan, size_t i) {
    return plan->links[i].name;
}

static const char *volume_name(const struct ng_plan *plan, size_t i) {
    return plan->volumes[i].name;
}

static void refuse_name(const struct ng_loading *loading, const struct ng_field *field,
    struct ng_pos pos, const char *name, const struct kin *kin) {
    const char *hint = "";
    if (kin->count == 0) {
        hint = ng_arena_printf(loading->diags->arena, "; the topology has no %ss", kin->word);
    } else if (!ng_diags_full(loading->diags)) {
        const char **names = ng_xmalloc(kin->count * sizeof *names);
        for (size_t i = 0; i < kin->count; i++) {
            names[i] = kin->name(loading->plan, i);
        }
        hint = ng_diag_hint(loading->diags, name, names, kin->count);
        if (*hint == '\0' && kin->count <= 5) {
            struct ng_buf known;
            ng_buf_init(&known, 400);
            for (size_t i = 0; i < kin->count; i++) {
                ng_buf_addf(&known, "%s%s", i == 0 ? "; known: " : ", ", names[i]);
            }
            hint = ng_arena_strdup(loading->diags->arena, ng_buf_text(&known));
            ng_buf_release(&known);
        }
        free(names);
    }
    ng_diag_error(loading->diags, pos, "unknown-name", "%s: unknown %s %s%s", field->name,
        kin->word, ng_diag_quote(loading->diags, name), hint);
}

static bool is_text(const struct ng_node *node) {
    return node->kind == NG_NODE_SCALAR && ng_node_core(node) != NG_CORE_NULL;
}

bool ng_field_load_host(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const struct ng_host **out) {
    if (!is_text(node)) {
        return ng_field_mismatch(loading, field, node);
    }
    *out = ng_plan_host(loading->plan, node->text);
    if (!*out) {
        struct kin kin = {"host", loading->plan->host_count, host_name};
        refuse_name(loading, field, node->pos, node->text, &kin);
    }
    return *out != NULL;
}

bool ng_field_load_link(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const struct ng_link **out) {
    if (!is_text(node)) {
        return ng_field_mismatch(loading, field, node);
    }
    *out = ng_plan_link(loading->plan, node->text);
    if (!*out) {
        struct kin kin = {"link", loading->plan->link_count, link_name};
        refuse_name(loading, field, node->pos, node->text, &kin);
    }
    return *out != NULL;
}

bool ng_field_load_volume(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const struct ng_volume **out) {
    if (!is_text(node)) {
        return ng_field_mismatch(loading, field, node);
    }
    *out = ng_plan_volume(loading->plan, node->text);
    if (!*out) {
        struct kin kin = {"volume", loading->plan->volume_count, volume_name};
        refuse_name(loading, field, node->pos, node->text, &kin);
    }
    return *out != NULL;
}

/* What the kernel takes as the name of an interface (dev_valid_name). */
static bool is_interface_name(const char *name) {
    size_t len = strlen(name);
    if (len == 0 || len > INTERFACE_NAME_MAX || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        return false;
    }
    for (const char *p = name; *p; p++) {
        if ((unsigned char)*p <= 0x20 || *p == 0x7F || *p == '/' || *p == ':') {
            return false;
        }
    }
    return true;
}

bool ng_field_load_interface(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_interface *out) {
    const char *colon = is_text(node) ? strchr(node->text, ':') : NULL;
    if (!colon || colon == node->text) {
        return ng_field_mismatch(loading, field, node);
    }
    if (!is_interface_name(colon + 1)) {
        ng_diag_error(loading->diags, node->pos, "name",
            "%s: %s is no name of an interface; it has 1 to %d characters without blank, \"/\" or "
            "\":\"",
            field->name, ng_diag_quote(loading->diags, colon + 1), INTERFACE_NAME_MAX);
        return false;
    }
    const char *host = ng_arena_strndup(loading->arena, node->text, (size_t)(colon - node->text));
    out->host = ng_plan_host(loading->plan, host);
    out->name = colon + 1;
    if (!out->host) {
        struct kin kin = {"host", loading->plan->host_count, host_name};
        refuse_name(loading, field, node->pos, host, &kin);
    }
    return out->host != NULL;
}
