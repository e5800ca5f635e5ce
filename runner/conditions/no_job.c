/* no_job: jobs that disturb a measurement do not run on a host, by the names of their processes. */
#include <string.h>

#include "runner/conditions/outcome.h"
#include "runner/facts/jobs.h"

struct params {
    const struct ng_host *host;
    struct ng_texts names;
};

static const struct ng_field fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct params, host),
        .flags = NG_REQUIRED,
        .help = "the host whose processes are looked at"},
    {.name = "names",
        .type = NG_FIELD_TEXTS,
        .offset = offsetof(struct params, names),
        .help =
            "names of processes, programs or scripts, never a piece of a path; * stands for any "
            "characters; backup, indexing, lazy_init, mover, rebuild, scheduled and trim also "
            "stand for the known ones of their kind; without it backup, lazy_init, mover, "
            "rebuild and trim are looked for"},
};

/* What is looked for where the plan names nothing: not the daemons that stay and mostly sleep. */
static struct ng_texts names_of(const struct params *given) {
    static const char *const usual[] = {"backup", "lazy_init", "mover", "rebuild", "trim"};
    return given->names.count > 0
               ? given->names
               : (struct ng_texts){.items = usual, .places = NULL, .count = NG_COUNT(usual)};
}

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    (void)node;
    const struct ng_texts *names = &((const struct params *)params)->names;
    for (size_t i = 0; i < names->count; i++) {
        if (!ng_collect_job_is_name(names->items[i])) {
            ng_diag_error(diags, names->places[i], "name",
                "%s is no name of a process: write it as ps prints it, without its folder, such as "
                "rsync or \"synodr*\"",
                ng_diag_quote(diags, names->items[i]));
        }
    }
}

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    const struct params *given = params;
    struct ng_collect_needs *asked = &by_host[ng_site_index(plan, given->host)];
    const struct ng_texts names = names_of(given);
    ng_collect_needs_want(asked, NG_WANT_TASKS);
    for (size_t i = 0; i < names.count; i++) {
        const struct ng_job_group *group = ng_job_group_of(names.items[i]);
        ng_collect_needs_job(asked, names.items[i]);
        for (size_t j = 0; group != NULL && group->names[j] != NULL; j++) {
            ng_collect_needs_job(asked, group->names[j]);
        }
    }
}

static bool judge_name(
    struct ng_outcome *outcome, const struct params *given, const char *name, const char *of) {
    struct ng_arena *arena = outcome->site->arena;
    const struct ng_facts *facts = ng_site_facts(outcome->site, given->host);
    const struct ng_task_match match = ng_tasks_match(&facts->load.tasks, arena, name);
    if (match.task == NULL) {
        return false;
    }
    ng_outcome_look(outcome, name, "%s", match.how);
    ng_outcome_see(outcome, NG_BROKEN, "%s runs on %s%s%s%s", match.how, given->host->name,
        of != NULL ? " (" : "", of != NULL ? of : "", of != NULL ? ")" : "");
    ng_outcome_advise(
        outcome, "let it end, or stop it for the time of the run, on %s", given->host->name);
    return true;
}

static size_t judge_all(struct ng_outcome *outcome, const struct params *given) {
    const struct ng_texts names = names_of(given);
    size_t found = 0;
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.items[i];
        const struct ng_job_group *group = ng_job_group_of(name);
        found += judge_name(outcome, given, name, NULL) ? 1 : 0;
        for (size_t j = 0; group != NULL && group->names[j] != NULL; j++) {
            if (strcmp(group->names[j], name) != 0) {
                found += judge_name(outcome, given, group->names[j], group->word) ? 1 : 0;
            }
        }
    }
    return found;
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    const char *host = given->host->name;
    const struct ng_tasks *tasks = &ng_site_facts(site, given->host)->load.tasks;
    struct ng_outcome outcome =
        ng_outcome_begin(site, out, host, ng_arena_printf(site->arena, "/proc/PID on %s", host));
    const struct ng_texts names = names_of(given);
    const char *list = "";
    for (size_t i = 0; i < names.count; i++) {
        list = ng_arena_printf(site->arena, "%s%s%s", list, i == 0 ? "" : ", ", names.items[i]);
    }
    ng_outcome_expect(&outcome, "none of these runs on %s: %s", host, list);
    if (tasks->why != NULL) {
        ng_outcome_see(&outcome, NG_UNKNOWN, "what runs on %s is unknown: %s", host, tasks->why);
        ng_outcome_advise(&outcome, "look by hand on %s: ps", host);
        return;
    }
    ng_outcome_look(&outcome, "processes", "%zu", tasks->count);
    if (judge_all(&outcome, given) > 0) {
        return;
    }
    if (!ng_tasks_complete(tasks)) {
        ng_outcome_see(&outcome, NG_UNKNOWN,
            "none of them is to be seen on %s, but not all of its processes are: it is a "
            "container, "
            "or hidepid hides them",
            host);
        ng_outcome_advise(
            &outcome, "collect with \"privilege: sudo\", or let the host be the machine itself");
    } else if (tasks->words_cut) {
        ng_outcome_see(&outcome, NG_UNKNOWN,
            "none of them is to be seen on %s, but more command lines hold a name than are read",
            host);
        ng_outcome_advise(&outcome, "write names that are less common");
    } else {
        ng_outcome_see(
            &outcome, NG_HELD, "none of them is among the %zu processes of %s", tasks->count, host);
    }
}

const struct ng_condition ng_condition_no_job = {
    .kind = {.record = {.name = "no_job",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "host",
                 .help = "no backup, mover or other named job runs on a host"},
        .check = check},
    .reads = NG_GROUP_IDENTITY,
    .needs = needs,
    .evaluate = evaluate,
};
