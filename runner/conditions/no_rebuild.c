/* no_rebuild: no array is being rebuilt, checked, scrubbed or reshaped, or is about to be. */
#include "runner/conditions/no_rebuild.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/base/units.h"
#include "runner/conditions/array_scope.h"
#include "runner/facts/activity.h"

#define DAY_NS 86400e9

static const struct ng_field fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct ng_no_rebuild_params, host),
        .help = "the host, all of whose arrays are looked at; this or volume is required"},
    {.name = "volume",
        .type = NG_FIELD_VOLUME,
        .offset = offsetof(struct ng_no_rebuild_params, volume),
        .help = "in the place of host: every array that shares a disk with this volume, on the "
                "host that keeps its data"},
    {.name = "allow",
        .type = NG_FIELD_TEXTS,
        .offset = offsetof(struct ng_no_rebuild_params, allow),
        .help = "what may go on all the same:"
#define X(word, help) " " word
        NG_ACTIVITIES(X)
#undef X
    },
    {.name = "wait",
        .type = NG_FIELD_DURATION,
        .offset = offsetof(struct ng_no_rebuild_params, wait_ns),
        .min = 1e9,
        .max = 30 * DAY_NS,
        .help = "how long the run may wait for the end of what goes on; without it, it does not"},
};

static const char *const words[] = {
#define X(word, help) word,
    NG_ACTIVITIES(X)
#undef X
};

static void check_word(
    const struct ng_node *node, const struct ng_texts *allow, size_t i, struct ng_diags *diags) {
    const char *all = words[0];
    for (size_t j = 1; j < NG_COUNT(words); j++) {
        all = ng_arena_printf(diags->arena, "%s, %s", all, words[j]);
    }
    struct ng_pos pos = allow->places != NULL ? allow->places[i] : ng_field_place(node, "allow");
    const char *near = ng_text_nearest(allow->items[i], words, NG_COUNT(words));
    ng_diag_error(diags, pos, "choice", "\"%s\" is nothing that an array does%s%s%s: %s",
        allow->items[i], near == NULL ? "" : "; did you mean \"", near == NULL ? "" : near,
        near == NULL ? "" : "\"?", all);
}

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    const struct ng_no_rebuild_params *given = params;
    ng_array_scope_check(given->host, given->volume, node, diags);
    for (size_t i = 0; i < given->allow.count; i++) {
        if (ng_activity_find(given->allow.items[i]) == NULL) {
            check_word(node, &given->allow, i, diags);
        }
    }
}

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    const struct ng_no_rebuild_params *given = params;
    const struct ng_host *host =
        given->host != NULL ? given->host : ng_volume_keeper(given->volume);
    ng_array_scope_needs(plan, given->volume, by_host);
    ng_collect_needs_want(&by_host[ng_site_index(plan, host)], NG_WANT_TASKS); /* ext4lazyinit */
}

static bool among(const struct ng_texts *allow, const char *word) {
    for (size_t i = 0; i < allow->count && word != NULL; i++) {
        if (strcmp(allow->items[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_allowed(const struct ng_texts *allow, const struct ng_array *array) {
    return among(allow, array->action) || among(allow, array->waiting);
}

/* Whether an array stands in the way now, as far as that is known. */
static bool is_at_work(
    const struct ng_no_rebuild_params *given, const struct ng_array_scope *scope, size_t index) {
    const struct ng_array *array = &scope->facts->arrays.items[index];
    return array->busy == NG_ANSWER_YES && !is_allowed(&given->allow, array) &&
           ng_array_scope_disks(scope, index) != NG_ANSWER_NO;
}

static void advise_wait(struct ng_outcome *outcome, const struct ng_no_rebuild_params *given) {
    ng_outcome_advise(outcome, "wait until it is done%s, or write what may go on in allow:",
        given->wait_ns > 0 ? "" : " (\"wait: 2 h\" lets the run do so)");
}

static void judge_busy(struct ng_outcome *outcome, const struct ng_no_rebuild_params *given,
    const struct ng_array_scope *scope, size_t index) {
    const struct ng_array *array = &scope->facts->arrays.items[index];
    const char *host = scope->host->name;
    if (is_allowed(&given->allow, array)) {
        ng_outcome_see(outcome, NG_HELD, "%s on %s %s (allowed by the plan)", array->name, host,
            array->busy_why);
    } else if (ng_array_scope_disks(scope, index) == NG_ANSWER_YES) {
        ng_outcome_see(outcome, NG_BROKEN, "%s on %s %s", array->name, host, array->busy_why);
    } else {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "%s on %s %s, and whether it shares a disk with %s is unknown%s%s", array->name, host,
            array->busy_why, scope->volume->name, scope->gap == NULL ? "" : ": ",
            scope->gap == NULL ? "" : scope->gap);
    }
    advise_wait(outcome, given);
}

static void judge_array(struct ng_outcome *outcome, const struct ng_no_rebuild_params *given,
    const struct ng_array_scope *scope, size_t index) {
    const struct ng_array *array = &scope->facts->arrays.items[index];
    const char *host = scope->host->name;
    if (ng_array_scope_disks(scope, index) == NG_ANSWER_NO) {
        return; /* its work is not felt */
    }
    if (array->busy == NG_ANSWER_UNKNOWN) {
        ng_outcome_see(outcome, NG_UNKNOWN, "whether %s %s on %s is at work is unknown: %s",
            array->kind, array->name, host,
            array->busy_why[0] == '\0' ? "its text is not understood" : array->busy_why);
        ng_outcome_advise(outcome,
            "look by hand on %s, as root: cat /proc/mdstat, btrfs scrub status, zpool status; or "
            "write \"unknown: allow\"",
            host);
    } else if (array->busy == NG_ANSWER_YES) {
        judge_busy(outcome, given, scope, index);
    } else if (array->degraded == NG_ANSWER_YES) {
        ng_outcome_see(outcome, NG_HELD, "%s on %s is idle, but not whole: %s", array->name, host,
            array->degraded_why);
    }
}

/* What to say where nothing is in the way. */
static const char *idle_words(const struct ng_array_scope *scope, struct ng_arena *arena) {
    size_t count;
    const char *names = ng_array_scope_names(scope, arena, &count);
    if (count > 0) {
        return ng_arena_printf(
            arena, "%zu array%s idle: %s", count, count == 1 ? " is" : "s are", names);
    }
    const struct ng_arrays *arrays = &scope->facts->arrays;
    const char *text = scope->volume != NULL ? "no array is on its disks" : "no array is there";
    for (size_t i = 0; i < arrays->none_count; i++) {
        text = ng_arena_printf(arena, "%s%s%s", text, i == 0 ? ": " : "; ", arrays->nones[i].why);
    }
    return text;
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct ng_no_rebuild_params *given = params;
    const struct ng_array_scope scope = ng_array_scope_of(site, given->host, given->volume);
    struct ng_outcome outcome = ng_outcome_begin(site, out, scope.subject,
        ng_arena_printf(site->arena,
            "/proc/mdstat, /sys/block, /sys/fs/btrfs, ZFS and the mounts%s%s",
            scope.host == NULL ? "" : " on ", scope.host == NULL ? "" : scope.host->name));
    ng_outcome_expect(&outcome,
        "no array on %s is rebuilt, checked, scrubbed or reshaped, or waits to be", scope.where);
    ng_array_scope_tell(&scope, &outcome);
    for (size_t i = 0; scope.host != NULL && i < scope.facts->arrays.count; i++) {
        judge_array(&outcome, given, &scope, i);
    }
    if (outcome.out->seen[0] == '\0') {
        ng_outcome_see(&outcome, NG_HELD, "%s", idle_words(&scope, site->arena));
    }
}

static bool wait_for(
    const struct ng_condition_site *site, const void *params, struct ng_condition_wait *out) {
    const struct ng_no_rebuild_params *given = params;
    const struct ng_array_scope scope = ng_array_scope_of(site, given->host, given->volume);
    if (given->wait_ns == 0 || scope.host == NULL || scope.facts->arrays.gap_count > 0) {
        return false;
    }
    size_t count = 0;
    bool told = true;
    *out = (struct ng_condition_wait){.host = scope.host, .at_most_ns = given->wait_ns};
    for (size_t i = 0; i < scope.facts->arrays.count; i++) {
        const struct ng_array *array = &scope.facts->arrays.items[i];
        if (array->busy == NG_ANSWER_UNKNOWN && ng_array_scope_disks(&scope, i) != NG_ANSWER_NO) {
            return false; /* waiting tells nothing new */
        }
        if (is_at_work(given, &scope, i)) {
            count++;
            told = told && array->left_ns >= 0;
            out->left_ns = array->left_ns > out->left_ns ? array->left_ns : out->left_ns;
        }
    }
    out->left_ns = told ? out->left_ns : -1;
    return count > 0;
}

bool ng_no_rebuild_awaits(
    const struct ng_condition_site *site, const struct ng_host *host, size_t index) {
    for (size_t i = 0; i < site->item_count; i++) {
        const struct ng_no_rebuild_params *given = site->items[i].params;
        if (site->items[i].kind != &ng_condition_no_rebuild.kind || given->wait_ns == 0) {
            continue;
        }
        const struct ng_array_scope scope = ng_array_scope_of(site, given->host, given->volume);
        if (scope.host == host && is_at_work(given, &scope, index)) {
            return true;
        }
    }
    return false;
}

/* Where something may go on, it may also begin and end. */
static const char *trace(const struct ng_condition_site *site, const void *params) {
    const struct ng_no_rebuild_params *given = params;
    const struct ng_array_scope scope = ng_array_scope_of(site, given->host, given->volume);
    const char *text = "";
    for (size_t i = 0; scope.host != NULL && i < scope.facts->arrays.count; i++) {
        const struct ng_array *array = &scope.facts->arrays.items[i];
        if (given->allow.count == 0 && array->trace[0] != '\0' &&
            ng_array_scope_disks(&scope, i) != NG_ANSWER_NO) {
            text = ng_arena_printf(site->arena, "%s%s%s: %s", text, text[0] == '\0' ? "" : "; ",
                array->name, array->trace);
        }
    }
    return text;
}

const struct ng_condition ng_condition_no_rebuild = {
    .kind = {.record = {.name = "no_rebuild",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct ng_no_rebuild_params),
                 .shorthand = "host",
                 .help = "no array of a host, or on the disks of a volume, is being rebuilt, "
                         "checked, scrubbed or reshaped"},
        .guards = true,
        .check = check},
    .reads = NG_GROUP_DISKS | NG_GROUP_IDENTITY,
    .needs = needs,
    .evaluate = evaluate,
    .trace = trace,
    .wait = wait_for,
};
