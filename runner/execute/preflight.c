/* Facts from all hosts, then all preconditions. */
#include "runner/execute/preflight.h"

#include <string.h>

#include "runner/conditions/mounted.h"
#include "runner/conditions/outcome.h"
#include "runner/conditions/reachable.h"
#include "runner/conditions/tools.h"
#include "runner/conditions/volume_ready.h"
#include "runner/engines/engine.h"
#include "runner/execute/gather.h"
#include "runner/execute/lab_state.h"
#include "runner/execute/probes.h"
#include "runner/facts/collect.h"

struct list {
    struct ng_arena *arena;
    struct ng_precondition *items;
    size_t count, capacity;
    size_t from_plan; /* the first so many are the plan's own */
};

static struct ng_precondition *add(struct list *list) {
    list->items =
        ng_arena_grow(list->arena, list->items, list->count, &list->capacity, sizeof *list->items);
    struct ng_precondition *item = &list->items[list->count++];
    memset(item, 0, sizeof *item);
    return item;
}

static bool has_id(const struct list *list, size_t from, size_t to, const char *id) {
    for (size_t i = from; i < to; i++) {
        if (strcmp(list->items[i].id, id) == 0) {
            return true;
        }
    }
    return false;
}

/* The plan's own item of the same name does not replace an implied one, since it may ask for less.
 */
static const char *implied_id(
    const struct list *list, const struct ng_kind *kind, const char *subject) {
    const char *id = ng_arena_printf(list->arena, "%s-%s", kind->record.name, subject);
    return has_id(list, 0, list->from_plan, id) ? ng_arena_printf(list->arena, "%s-implied", id)
                                                : id;
}

static bool is_implied(const struct list *list, const struct ng_kind *kind, const char *subject) {
    return has_id(list, list->from_plan, list->count, implied_id(list, kind, subject));
}

/* Adds what a phase implies, once. */
static void imply(struct list *list, const char *subject, const struct ng_phase *phase,
    const struct ng_kind *kind, const void *params) {
    const char *id = implied_id(list, kind, subject);
    if (has_id(list, list->from_plan, list->count, id)) {
        return;
    }
    struct ng_precondition *item = add(list);
    item->id = id;
    item->pos = phase->pos;
    item->kind = kind;
    item->params = params;
    item->when = ng_when_of(kind, NG_WHEN_DEFAULT);
}

/* `tools` for every host that an engine runs on: "fio >= 3.2". */
static void imply_tools(struct list *list, const struct ng_phase *phase) {
    struct ng_arena *arena = list->arena;
    const struct ng_engine *engine = ng_engine_of(phase->kind);
    const struct ng_host *hosts[2] = {NULL, NULL};
    const size_t count = engine->tool.tool != NULL ? engine->hosts(phase->params, hosts) : 0;
    for (size_t i = 0; i < count; i++) {
        const char **needs = ng_arena_array(arena, 1, sizeof *needs);
        needs[0] = engine->tool.minimum != NULL
                       ? ng_arena_printf(arena, "%s >= %s", engine->tool.tool, engine->tool.minimum)
                       : engine->tool.tool;
        struct ng_pos *places = ng_arena_array(arena, 1, sizeof *places);
        places[0] = phase->pos;
        struct ng_tools_params *params = ng_arena_alloc(arena, sizeof *params);
        params->host = hosts[i];
        params->package = engine->tool.package;
        params->need = (struct ng_texts){.items = needs, .places = places, .count = 1};
        imply(list, ng_arena_printf(arena, "%s-%s", hosts[i]->name, engine->tool.tool), phase,
            &ng_condition_tools.kind, params);
    }
}

/* The plan's own item for the host asks the same. */
static bool plan_asks_reachable(const struct ng_plan *plan, const struct ng_host *host) {
    for (size_t i = 0; i < plan->precondition_count; i++) {
        const struct ng_precondition *item = &plan->preconditions[i];
        if (item->kind == &ng_condition_reachable.kind &&
            ((const struct ng_reachable_params *)item->params)->host == host) {
            return true;
        }
    }
    return false;
}

static void imply_reachable(struct list *list, const struct ng_plan *plan,
    const struct ng_phase *phase, const struct ng_host *host) {
    if (host != NULL && host->via != NG_VIA_LOCAL && !plan_asks_reachable(plan, host)) {
        struct ng_reachable_params *params = ng_arena_alloc(list->arena, sizeof *params);
        *params = (struct ng_reachable_params){.host = host};
        imply(list, host->name, phase, &ng_condition_reachable.kind, params);
    }
}

/* For every other machine at an end of the phase's link where `tools` does not ask: its address and
 * what else is known of that end come from there. And for those that run what nobody can ask for
 * beforehand. */
static void imply_answers(
    struct list *list, const struct ng_plan *plan, const struct ng_phase *phase) {
    const struct ng_engine *engine = ng_engine_of(phase->kind);
    const struct ng_link *link = engine->link != NULL ? engine->link(phase->params) : NULL;
    const struct ng_host *asked[2] = {NULL, NULL};
    engine->hosts(phase->params, asked);
    for (size_t i = 0; link != NULL && i < NG_COUNT(link->ends); i++) {
        const struct ng_host *host = link->ends[i].at.host;
        if (host != asked[0] && host != asked[1]) {
            imply_reachable(list, plan, phase, host);
        }
    }
    for (size_t i = 0; engine->tool.tool == NULL && i < NG_COUNT(asked); i++) {
        imply_reachable(list, plan, phase, asked[i]);
    }
}

/* `mounted` asks nothing but its volume, so the plan's own item is the same. */
static bool plan_asks_mounted(const struct ng_plan *plan, const struct ng_volume *volume) {
    for (size_t i = 0; i < plan->precondition_count; i++) {
        const struct ng_precondition *item = &plan->preconditions[i];
        if (item->kind == &ng_condition_mounted.kind &&
            ((const struct ng_mounted_params *)item->params)->volume == volume) {
            return true;
        }
    }
    return false;
}

/* For every volume that is worked on: `volume_ready`, with room for all that will lie there at
 * once, and `mounted` where the plan says what must be mounted. */
static void imply_volume(
    struct list *list, const struct ng_schedule *schedule, const struct ng_phase *phase) {
    const struct ng_volume *volume =
        phase->kind->volume != NULL ? phase->kind->volume(phase->params) : NULL;
    if (volume == NULL || is_implied(list, &ng_condition_volume_ready.kind, volume->name)) {
        return;
    }
    struct ng_volume_ready_params *ready = ng_arena_alloc(list->arena, sizeof *ready);
    ready->volume = volume;
    ready->room = ng_schedule_footprint(schedule, volume);
    imply(list, volume->name, phase, &ng_condition_volume_ready.kind, ready);
    if (volume->mount != NULL && !plan_asks_mounted(schedule->plan, volume)) {
        struct ng_mounted_params *mounted = ng_arena_alloc(list->arena, sizeof *mounted);
        mounted->volume = volume;
        mounted->write_check = true;
        imply(list, volume->name, phase, &ng_condition_mounted.kind, mounted);
    }
}

struct ng_preflight ng_preflight_new(struct ng_arena *arena, const struct ng_schedule *schedule) {
    const struct ng_plan *plan = schedule->plan;
    struct list list = {.arena = arena, .from_plan = plan->precondition_count};
    for (size_t i = 0; i < plan->precondition_count; i++) {
        *add(&list) = plan->preconditions[i];
    }
    for (size_t i = 0; i < schedule->count; i++) {
        if (schedule->steps[i].repeat == 1) {
            imply_tools(&list, schedule->steps[i].phase);
            imply_answers(&list, plan, schedule->steps[i].phase);
            imply_volume(&list, schedule, schedule->steps[i].phase);
        }
    }
    return (struct ng_preflight){
        .items = list.items, .count = list.count, .from_plan = list.from_plan};
}

static void add_environment(struct ng_run *run, size_t index) {
    const struct ng_facts *facts = run->facts[index];
    struct ng_host_result *out = &run->result->hosts[index];
    out->environment.count = 0; /* of an earlier collection */
    for (size_t i = 0; i < facts->environment_count; i++) {
        ng_records_add(&run->result->arena, &out->environment, facts->environment[i].key, "%s",
            facts->environment[i].value);
    }
}

/* The ends of links are looked at in any case: their drivers are part of the environment. */
static void need_link(
    struct ng_run *run, const struct ng_link *link, struct ng_collect_needs *needs) {
    for (size_t i = 0; i < NG_COUNT(link->ends); i++) {
        const struct ng_interface *at = &link->ends[i].at;
        ng_collect_needs_interface(&needs[at->host - run->plan->hosts], at->name);
    }
}

/* So are volumes, on both sides of a network mount: their state is part of the report. */
static void need_volume(
    struct ng_run *run, const struct ng_volume *volume, struct ng_collect_needs *needs) {
    struct ng_place places[NG_PLACES_MAX];
    const size_t count = ng_places_of(volume, places);
    for (size_t i = 0; i < count; i++) {
        ng_collect_needs_path(&needs[places[i].host - run->plan->hosts], places[i].path);
    }
}

/* What the caller wants to know besides. */
static void need_more(const struct ng_run *run, size_t index, struct ng_collect_needs *needs) {
    const struct ng_host *host = &run->plan->hosts[index];
    needs->all_cards = run->ask.all_cards;
    for (const char *const *tool = run->ask.tools; tool != NULL && *tool != NULL; tool++) {
        const struct ng_texts *words = ng_host_tool(host, *tool);
        if (words != NULL) {
            ng_collect_needs_command(needs, *tool, words->items, words->count);
        } else {
            ng_collect_needs_tool(needs, *tool);
        }
    }
}

static struct ng_collect_needs *all_needs(
    struct ng_run *run, const struct ng_preflight *preflight) {
    struct ng_collect_needs *needs =
        ng_arena_array(&run->arena, run->plan->host_count, sizeof *needs);
    for (size_t i = 0; i < preflight->count; i++) {
        const struct ng_condition *condition = ng_condition_of(preflight->items[i].kind);
        if (condition->needs != NULL) {
            condition->needs(run->plan, preflight->items[i].params, needs);
        }
    }
    for (size_t i = 0; i < run->plan->link_count; i++) {
        need_link(run, &run->plan->links[i], needs);
    }
    for (size_t i = 0; i < run->plan->volume_count; i++) {
        need_volume(run, &run->plan->volumes[i], needs);
    }
    for (size_t i = 0; i < run->plan->host_count; i++) {
        need_more(run, i, &needs[i]);
    }
    return needs;
}

void ng_preflight_ask(struct ng_run *run, const struct ng_preflight *preflight) {
    const size_t hosts = run->plan->host_count;
    run->facts = ng_arena_array(&run->arena, hosts, sizeof *run->facts);
    run->asked = ng_arena_array(&run->arena, hosts, sizeof *run->asked);
    struct ng_collect_needs *needs = all_needs(run, preflight);
    ng_gather(run, needs, "facts", &run->arena, run->facts);
    for (size_t i = 0; i < hosts; i++) {
        if (run->facts[i]->reason == NULL || !ng_run_halted(run)) {
            add_environment(run, i);
        }
        ng_collect_needs_release(&needs[i]);
    }
    ng_lab_state_record(run);
}

void ng_preflight_collect(struct ng_run *run, const struct ng_preflight *preflight) {
    ng_preflight_ask(run, preflight);
    run->probes = (struct ng_probe_results){0};
    ng_probes_run(run, preflight);
}

/* That the run waited is part of what was looked at, and of why it stops. */
static void tell_waited(struct ng_run *run, size_t index, struct ng_condition_result *out) {
    const int64_t waited_ns = run->waited_ns == NULL ? 0 : run->waited_ns[index];
    char text[NG_TIME_TEXT];
    if (waited_ns <= 0) {
        return;
    }
    ng_duration_format(waited_ns, text);
    ng_records_add(&run->result->arena, &out->looked_at, "waited", "%s", text);
    if (ng_condition_stops(out)) {
        out->seen =
            ng_arena_printf(&run->result->arena, "%s; the run waited %s for it", out->seen, text);
    }
}

/* What looks like trouble for a phase, and what the plan lets be unknown, is said where the run's
 * warnings are. */
static void warn(struct ng_run *run, const struct ng_condition_result *out) {
    if (ng_condition_is_allowed(out)) {
        ng_result_warn(run->result, "%s is " NG_UNKNOWN_ALLOWED " (unknown: allow): %s", out->id,
            out->seen[0] != '\0' ? out->seen : "it does not say why");
    }
    for (size_t i = 0; i < out->looked_at.count; i++) {
        const struct ng_record_item *item = &out->looked_at.items[i];
        if (strcmp(item->key, NG_LOOK_WARNING) == 0) {
            ng_result_warn(run->result, "%s of %s: %s", out->kind, out->subject, item->value);
        }
    }
}

/* A host that nothing depends on does not stop the run; that it was not looked at is told. */
static void warn_of_silence(struct ng_run *run) {
    for (size_t i = 0; i < run->plan->host_count; i++) {
        if (run->facts[i]->reason != NULL) {
            ng_result_warn(run->result, "host %s could not be asked: %s", run->plan->hosts[i].name,
                run->facts[i]->reason);
        }
    }
}

size_t ng_preflight_evaluate(struct ng_run *run, const struct ng_preflight *preflight) {
    struct ng_condition_site site = {.arena = &run->result->arena,
        .plan = run->plan,
        .facts = run->facts,
        .items = preflight->items,
        .item_count = preflight->count,
        .probes = &run->probes,
        .seed = run->result->seed};
    const struct ng_progress *progress = run->options.progress;
    size_t stops = 0;
    run->kept = ng_arena_array(&run->arena, preflight->count, sizeof *run->kept);
    for (size_t i = 0; i < preflight->count; i++) {
        const struct ng_precondition *item = &preflight->items[i];
        struct ng_condition_result *out = ng_result_add_condition(run->result);
        site.kept = &run->kept[i];
        out->held = NG_UNKNOWN;
        ng_condition_of(item->kind)->evaluate(&site, item->params, out);
        out->id = ng_arena_strdup(&run->result->arena, item->id);
        out->kind = item->kind->record.name;
        out->line = item->pos.line;
        out->implied = i >= preflight->from_plan;
        out->allow_unknown = item->allow_unknown;
        tell_waited(run, i, out);
        out->when = ng_when_word(item->when);
        stops += ng_condition_stops(out) ? 1 : 0;
        warn(run, out);
        if (progress != NULL && progress->condition != NULL) {
            progress->condition(progress->context, out);
        }
    }
    if (stops == 0) {
        warn_of_silence(run);
    }
    return stops;
}
