/* load_target.c - a plan of one host that is given on the command line. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "plans/language/loader.h"
#include "runner/base/text.h"

/* The host as a plan writes it, so that it is loaded and checked by the same code; NULL for what is
 * not UTF-8. JSON is YAML. */
static char *write_host(
    const char *target, const struct ng_setting *options, size_t count, bool sudo) {
    json_t *host = json_object();
    const bool local = strcmp(target, "local") == 0;
    bool ok = json_object_set_new(host, "via", json_string(local ? "local" : "ssh")) == 0;
    if (!local) {
        ok = ok && json_object_set_new(host, "target", json_string(target)) == 0;
    }
    if (sudo) {
        ok = ok && json_object_set_new(host, "privilege", json_string("sudo")) == 0;
    }
    if (count > 0) {
        json_t *pairs = json_object();
        for (size_t i = 0; i < count; i++) {
            ok = ok &&
                 json_object_set_new(pairs, options[i].name, json_string(options[i].value)) == 0;
        }
        ok = json_object_set_new(host, "options", pairs) == 0 && ok;
    }
    char *text = ok ? json_dumps(host, JSON_ENSURE_ASCII) : NULL;
    json_decref(host);
    return text;
}

/* "nas" of "ssh://root@nas:2222". */
static const char *name_of(struct ng_arena *arena, const char *target) {
    const char *at = strncmp(target, "ssh://", 6) == 0 ? target + 6 : target;
    const char *login = strrchr(at, '@');
    at = login != NULL ? login + 1 : at;
    const char *name = ng_arena_strndup(arena, at, strcspn(at, ":/%"));
    return ng_text_is_name(name) ? name : "host";
}

static void load_host(struct ng_loader *loader, const char *target, const char *text) {
    struct ng_plan *plan = loader->plan;
    const struct ng_node *node =
        ng_node_parse(&plan->arena, plan->file, text, strlen(text), loader->loading.diags);
    struct ng_host *host = ng_arena_alloc(&plan->arena, sizeof *host);
    host->name = name_of(&plan->arena, target);
    if (node != NULL) {
        ng_load_host(loader, node, host);
    }
    plan->hosts = host;
    plan->host_count = 1;
}

struct ng_plan *ng_plan_of_target(const char *target, const struct ng_setting *options,
    size_t option_count, bool sudo, struct ng_diags *diags) {
    const size_t errors = diags->errors;
    struct ng_plan *plan = ng_xmalloc(sizeof *plan);
    *plan = (struct ng_plan){.text = ""};
    ng_arena_init(&plan->arena);
    plan->file = plan->name = plan->title = "target";
    struct ng_loader loader = {.loading = {.arena = &plan->arena, .diags = diags, .plan = plan},
        .plan = plan,
        .sound = true};
    char *text = write_host(target, options, option_count, sudo);
    if (text != NULL) {
        load_host(&loader, target, text);
    } else {
        ng_diag_error(diags, (struct ng_pos){plan->file, 0, 0}, "value",
            "the target and the options of ssh have to be UTF-8");
    }
    free(text);
    if (diags->errors > errors) {
        ng_plan_free(plan);
        return NULL;
    }
    return plan;
}
