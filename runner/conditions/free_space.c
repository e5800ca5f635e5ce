/* free_space: a volume has room for at least so many bytes. */
#include "runner/conditions/outcome.h"

struct params {
    const struct ng_volume *volume;
    int64_t at_least;
};

static const struct ng_field fields[] = {
    {.name = "volume",
        .type = NG_FIELD_VOLUME,
        .offset = offsetof(struct params, volume),
        .flags = NG_REQUIRED,
        .help = "the volume that is asked for its space"},
    {.name = "at_least",
        .type = NG_FIELD_SIZE,
        .offset = offsetof(struct params, at_least),
        .flags = NG_REQUIRED,
        .min = 1,
        .max = 1e18,
        .help = "how much must be available to the user that the run works as"},
};

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    ng_need_volume(plan, ((const struct params *)params)->volume, by_host);
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    const struct ng_volume *volume = given->volume;
    const struct ng_path *path =
        ng_facts_path(ng_site_facts(site, volume->on), site->arena, volume->path);
    struct ng_outcome outcome = ng_outcome_begin(site, out, volume->name,
        ng_arena_printf(site->arena, "statfs of %s on %s", volume->path, volume->on->name));
    ng_outcome_expect(&outcome, "at least %s available on %s",
        ng_size_words(site->arena, given->at_least), ng_volume_where(site, volume));
    if (ng_outcome_path(&outcome, volume, path)) {
        ng_outcome_space(&outcome, volume, path, given->at_least);
    }
}

const struct ng_condition ng_condition_free_space = {
    .kind = {.record = {.name = "free_space",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "volume",
                 .help = "a volume has so much space available"}},
    .needs = needs,
    .evaluate = evaluate,
};
