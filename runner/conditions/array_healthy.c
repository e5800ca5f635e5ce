/* array_healthy: no array is degraded, and each is what the plan states. */
#include "runner/conditions/array_healthy.h"

#include <string.h>

#include "runner/conditions/array_match.h"
#include "runner/conditions/no_rebuild.h"

static const struct ng_field fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct ng_array_healthy_params, host),
        .help = "the host, all of whose arrays are looked at; this or volume is required"},
    {.name = "volume",
        .type = NG_FIELD_VOLUME,
        .offset = offsetof(struct ng_array_healthy_params, volume),
        .help = "in the place of host: the arrays that keep the data of this volume, on the host "
                "that has them, and its array: compared with what is found"},
};

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    const struct ng_array_healthy_params *given = params;
    ng_array_scope_check(given->host, given->volume, node, diags);
}

/* What a host's volumes state is compared as well. */
static bool is_compared(
    const struct ng_array_healthy_params *given, const struct ng_volume *volume) {
    return given->volume == volume || (given->host != NULL && volume->array != NULL &&
                                          ng_volume_keeper(volume) == given->host);
}

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    for (size_t i = 0; i < plan->volume_count; i++) {
        if (is_compared(params, &plan->volumes[i])) {
            ng_array_scope_needs(plan, &plan->volumes[i], by_host);
        }
    }
}

static void judge_unknown(
    struct ng_outcome *outcome, const struct ng_array_scope *scope, const struct ng_array *array) {
    ng_outcome_see(outcome, NG_UNKNOWN, "whether %s %s on %s is whole is unknown: %s", array->kind,
        array->name, scope->host->name,
        array->degraded_why[0] == '\0' ? "nothing tells it" : array->degraded_why);
    ng_outcome_advise(outcome,
        "look by hand on %s, as root: cat /proc/mdstat, btrfs device stats, zpool status; or write "
        "\"unknown: allow\"",
        scope->host->name);
}

static void judge_degraded(
    struct ng_outcome *outcome, const struct ng_array_scope *scope, size_t index) {
    const struct ng_array *array = &scope->facts->arrays.items[index];
    const char *host = scope->host->name;
    switch (ng_array_scope_holds(scope, index)) {
    case NG_ANSWER_YES:
        ng_outcome_see(outcome, NG_BROKEN, "%s on %s is not whole: %s", array->name, host,
            array->degraded_why);
        break;
    case NG_ANSWER_NO: /* on the same disks: a disk that fails there fails here next */
        ng_outcome_see(outcome, NG_HELD, "%s on %s, on the same disks, is not whole: %s",
            array->name, host, array->degraded_why);
        break;
    case NG_ANSWER_UNKNOWN:
        ng_outcome_see(outcome, NG_UNKNOWN,
            "%s on %s is not whole (%s), and whether it keeps the data of %s is unknown%s%s",
            array->name, host, array->degraded_why, scope->subject, scope->gap == NULL ? "" : ": ",
            scope->gap == NULL ? "" : scope->gap);
        break;
    }
    ng_outcome_advise(outcome,
        "replace what is missing and let it be rebuilt: an array that misses a member reads and "
        "writes at another speed");
}

static void judge_array(
    struct ng_outcome *outcome, const struct ng_array_scope *scope, size_t index) {
    const struct ng_array *array = &scope->facts->arrays.items[index];
    if (ng_array_scope_disks(scope, index) == NG_ANSWER_NO &&
        ng_array_scope_holds(scope, index) == NG_ANSWER_NO) {
        return;
    }
    if (array->degraded == NG_ANSWER_YES) {
        judge_degraded(outcome, scope, index);
    } else if (array->degraded == NG_ANSWER_UNKNOWN &&
               ng_array_scope_holds(scope, index) != NG_ANSWER_NO) {
        judge_unknown(outcome, scope, array);
    } else if (array->warning != NULL) {
        ng_outcome_see(outcome, NG_HELD, "%s on %s is whole, but: %s", array->name,
            scope->host->name, array->warning);
    }
}

static const char *whole_words(const struct ng_array_scope *scope, struct ng_arena *arena) {
    size_t count = 0;
    const char *names = "";
    for (size_t i = 0; i < scope->facts->arrays.count; i++) {
        if (ng_array_scope_holds(scope, i) != NG_ANSWER_NO) {
            names = count >= 12 ? names
                                : ng_arena_printf(arena, "%s%s%s", names, count == 0 ? "" : ", ",
                                      scope->facts->arrays.items[i].name);
            count++;
        }
    }
    return count == 0 ? ng_arena_printf(arena, "no array keeps the data of %s", scope->subject)
                      : ng_arena_printf(arena, "%zu array%s whole: %s%s", count,
                            count == 1 ? " is" : "s are", names, count > 12 ? " and others" : "");
}

static void compare(const struct ng_condition_site *site,
    const struct ng_array_healthy_params *given, struct ng_outcome *outcome) {
    for (size_t i = 0; i < site->plan->volume_count; i++) {
        const struct ng_volume *volume = &site->plan->volumes[i];
        if (is_compared(given, volume)) {
            const struct ng_array_scope scope = ng_array_scope_of(site, NULL, volume);
            ng_array_match(outcome, &scope);
        }
    }
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct ng_array_healthy_params *given = params;
    const struct ng_array_scope scope = ng_array_scope_of(site, given->host, given->volume);
    struct ng_outcome outcome = ng_outcome_begin(site, out, scope.subject,
        ng_arena_printf(site->arena,
            "/proc/mdstat, /sys/block, /sys/fs/btrfs, ZFS and the mounts%s%s",
            scope.host == NULL ? "" : " on ", scope.host == NULL ? "" : scope.host->name));
    ng_outcome_expect(&outcome, "no array %s %s misses a member, and each is what the plan states",
        given->volume == NULL ? "of" : "below", scope.subject);
    ng_array_scope_tell(&scope, &outcome);
    for (size_t i = 0; scope.host != NULL && i < scope.facts->arrays.count; i++) {
        judge_array(&outcome, &scope, i);
    }
    compare(site, given, &outcome);
    if (outcome.out->seen[0] == '\0') {
        ng_outcome_see(&outcome, NG_HELD, "%s", whole_words(&scope, site->arena));
    }
}

/* Whether it is at work with what makes it whole. */
static bool is_filled_anew(const struct ng_array *array) {
    static const char *const words[] = {"recovery", "replace", "resilver"};
    for (size_t i = 0; i < NG_COUNT(words) && array->action != NULL; i++) {
        if (strcmp(array->action, words[i]) == 0) {
            return array->busy == NG_ANSWER_YES;
        }
    }
    return false;
}

/* Whether an array is whole, or will be once what others wait for is done. */
static bool is_mended(
    const struct ng_condition_site *site, const struct ng_array_scope *scope, size_t index) {
    const struct ng_array *array = &scope->facts->arrays.items[index];
    if (array->degraded == NG_ANSWER_NO || ng_array_scope_holds(scope, index) == NG_ANSWER_NO) {
        return true;
    }
    return array->degraded == NG_ANSWER_YES && is_filled_anew(array) &&
           ng_no_rebuild_awaits(site, scope->host, index);
}

/* What is not as the plan states is not mended by waiting. */
static bool is_as_stated(
    const struct ng_condition_site *site, const struct ng_array_healthy_params *given) {
    struct ng_condition_result out = {0};
    struct ng_outcome outcome = ng_outcome_begin(site, &out, "", "");
    compare(site, given, &outcome);
    return out.held == NG_HELD;
}

static bool mends(const struct ng_condition_site *site, const void *params) {
    const struct ng_array_healthy_params *given = params;
    const struct ng_array_scope scope = ng_array_scope_of(site, given->host, given->volume);
    if (scope.host == NULL || scope.facts->arrays.gap_count > 0) {
        return false;
    }
    for (size_t i = 0; i < scope.facts->arrays.count; i++) {
        if (!is_mended(site, &scope, i)) {
            return false;
        }
    }
    return is_as_stated(site, given);
}

const struct ng_condition ng_condition_array_healthy = {
    .kind = {.record = {.name = "array_healthy",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct ng_array_healthy_params),
                 .shorthand = "host",
                 .help = "no array of a host, or of a volume, misses a member; each is what the "
                         "plan states"},
        .guards = true,
        .check = check},
    .reads = NG_GROUP_DISKS | NG_GROUP_IDENTITY,
    .needs = needs,
    .evaluate = evaluate,
    .mends = mends,
};
