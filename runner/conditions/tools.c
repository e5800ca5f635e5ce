/* tools: programs that the run needs are on a host, and new enough. */
#include "runner/conditions/tools.h"

#include <string.h>

#include "runner/conditions/outcome.h"
#include "runner/facts/tool_advice.h"

static const struct ng_field fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct ng_tools_params, host),
        .help = "where the tools are needed; every host of the plan where this is left out"},
    {.name = "need",
        .type = NG_FIELD_TEXTS,
        .offset = offsetof(struct ng_tools_params, need),
        .flags = NG_REQUIRED,
        .help = "names of tools, each with a lowest version where that matters: \"fio >= 3.30\""},
};

enum { TOOL_MAX = 40 };

/** One item of `need`. */
struct need {
    char tool[TOOL_MAX + 1];
    const char *minimum; /* as written, or NULL */
    struct ng_version version;
    const char *package; /* or NULL */
};

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t");
}

/* "NAME" or "NAME >= VERSION". */
static bool parse_need(const char *text, struct need *need) {
    const char *at = skip_blanks(text);
    size_t len = strcspn(at, " \t<>=");
    *need = (struct need){0};
    if (len == 0 || len > TOOL_MAX || strchr("-.+", at[0]) != NULL ||
        strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-") < len) {
        return false;
    }
    memcpy(need->tool, at, len);
    at = skip_blanks(at + len);
    if (*at == '\0') {
        return true;
    }
    if (strncmp(at, ">=", 2) != 0) {
        return false;
    }
    need->minimum = skip_blanks(at + 2);
    need->version = ng_version_read(need->minimum);
    return need->version.count > 0;
}

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    const struct ng_tools_params *tools = params;
    for (size_t i = 0; i < tools->need.count; i++) {
        struct need need;
        struct ng_pos pos =
            tools->need.places != NULL ? tools->need.places[i] : ng_field_place(node, "need");
        if (!parse_need(tools->need.items[i], &need)) {
            ng_diag_error(diags, pos, "tool-need",
                "\"%s\" is no tool: write a name, or a name and its lowest version, as in "
                "\"fio >= 3.30\"",
                tools->need.items[i]);
        }
    }
}

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    const struct ng_tools_params *tools = params;
    for (size_t i = 0; i < plan->host_count; i++) {
        for (size_t j = 0; j < tools->need.count; j++) {
            struct need need;
            if ((tools->host == NULL || tools->host == &plan->hosts[i]) &&
                parse_need(tools->need.items[j], &need)) {
                const struct ng_texts *words = ng_host_tool(&plan->hosts[i], need.tool);
                if (words != NULL) {
                    ng_collect_needs_command(&by_host[i], need.tool, words->items, words->count);
                } else {
                    ng_collect_needs_tool(&by_host[i], need.tool);
                }
            }
        }
    }
}

static void advise_install(
    struct ng_outcome *outcome, const char *tool, const char *package, const struct ng_host *at) {
    const char *host = at->name;
    const struct ng_texts *words = ng_host_tool(at, tool);
    const struct ng_facts *facts = ng_site_facts(outcome->site, at);
    const bool as_root = facts->root == NG_ANSWER_YES && at->privilege != NG_PRIVILEGE_SUDO;
    if (words != NULL) {
        ng_outcome_advise(outcome,
            "install %s on %s, or correct tools of host %s: %s is run there "
            "by it",
            words->items[0], host, host, tool);
    } else if (ng_family_of(facts) != NG_FAMILY_UNKNOWN) {
        ng_outcome_advise(outcome, "install it on %s: %s", host,
            ng_tool_advice(facts, outcome->site->arena, tool, package, as_root));
    } else if (package != NULL) {
        ng_outcome_advise(outcome, "install it on %s: apt-get install %s", host, package);
    } else {
        ng_outcome_advise(outcome, "install %s on %s", tool, host);
    }
}

static void judge(struct ng_outcome *outcome, const struct ng_host *host, const struct need *need) {
    struct ng_arena *arena = outcome->site->arena;
    const struct ng_tool *tool =
        ng_facts_tool(ng_site_facts(outcome->site, host), arena, need->tool);
    const char *key = ng_arena_printf(arena, "%s on %s", need->tool, host->name);
    if (tool->found == NG_ANSWER_UNKNOWN) {
        ng_outcome_see(outcome, NG_UNKNOWN, "whether %s has %s is unknown: %s", host->name,
            need->tool, tool->why != NULL ? tool->why : "no reason is known");
        ng_outcome_advise(outcome, "look by hand on %s: command -v %s", host->name, need->tool);
        return;
    }
    if (tool->found == NG_ANSWER_NO) {
        ng_outcome_look(outcome, key, "not installed");
        ng_outcome_see(outcome, NG_BROKEN, "%s is not installed on %s", need->tool, host->name);
        advise_install(outcome, need->tool, need->package, host);
        return;
    }
    ng_outcome_look(outcome, key, "%s (%s)", tool->text, tool->path);
    if (need->minimum == NULL) {
        ng_outcome_see(outcome, NG_HELD, "%s on %s: %s", need->tool, host->name, tool->text);
    } else if (tool->version.count == 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the version of %s on %s is not understood: \"%s\"",
            need->tool, host->name, tool->text);
        ng_outcome_advise(
            outcome, "install a usual build of %s, or ask for no version", need->tool);
    } else {
        bool enough = ng_version_compare(&tool->version, &need->version) >= 0;
        ng_outcome_see(outcome, enough ? NG_HELD : NG_BROKEN, "%s on %s: %s%s%s", need->tool,
            host->name, tool->text, enough ? "" : ", older than ", enough ? "" : need->minimum);
        ng_outcome_advise(
            outcome, "update %s on %s to %s or newer", need->tool, host->name, need->minimum);
    }
}

static const char *list(const struct ng_texts *need, struct ng_arena *arena) {
    const char *text = "";
    for (size_t i = 0; i < need->count; i++) {
        text = ng_arena_printf(arena, "%s%s%s", text, i == 0 ? "" : ", ", need->items[i]);
    }
    return text;
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct ng_tools_params *tools = params;
    const char *subject = tools->host != NULL ? tools->host->name : "all hosts";
    struct ng_outcome outcome = ng_outcome_begin(site, out, subject,
        ng_arena_printf(site->arena, "command -v and version calls on %s", subject));
    ng_outcome_expect(&outcome, "%s on %s", list(&tools->need, site->arena), subject);
    for (size_t i = 0; i < site->plan->host_count; i++) {
        const struct ng_host *host = &site->plan->hosts[i];
        for (size_t j = 0; j < tools->need.count; j++) {
            struct need need;
            if (tools->host != NULL && tools->host != host) {
                continue;
            }
            if (parse_need(tools->need.items[j], &need)) {
                need.package = tools->package != NULL ? tools->package : ng_tool_package(need.tool);
                judge(&outcome, host, &need);
            } else {
                ng_outcome_see(&outcome, NG_UNKNOWN, "\"%s\" names no tool", tools->need.items[j]);
            }
        }
    }
}

const struct ng_condition ng_condition_tools = {
    .kind = {.record = {.name = "tools",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct ng_tools_params),
                 .shorthand = "need",
                 .help = "programs are installed, and new enough"},
        .check = check},
    .reads = NG_GROUP_IDENTITY,
    .needs = needs,
    .evaluate = evaluate,
};
