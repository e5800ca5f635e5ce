/* Facts from all hosts, then all preconditions. */
#include "runner/execute/preflight.h"

#include <stdio.h>
#include <string.h>

#include "runner/base/digest.h"
#include "runner/base/text.h"
#include "runner/conditions/condition.h"
#include "runner/conditions/mounted.h"
#include "runner/conditions/tools.h"
#include "runner/conditions/volume_ready.h"
#include "runner/engines/engine.h"
#include "runner/execute/batch.h"
#include "runner/execute/probes.h"
#include "runner/execute/reach.h"
#include "runner/facts/collect.h"

#define COLLECT_NS (20 * NG_NS_PER_S)

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
    const size_t count = engine->hosts(phase->params, hosts);
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
            imply_volume(&list, schedule, schedule->steps[i].phase);
        }
    }
    return (struct ng_preflight){
        .items = list.items, .count = list.count, .from_plan = list.from_plan};
}

/* Frames the collector's output. Not guessable by what a host prints, yet the same in a replay. */
static const char *token_for(struct ng_run *run, const struct ng_host *host) {
    char seed[160];
    char digest[NG_DIGEST_TEXT];
    const int len = snprintf(seed, sizeof seed, "%016llx %s %s",
        (unsigned long long)run->result->seed, run->result->run_id, host->name);
    ng_digest(seed, len < 0 ? 0 : strlen(seed), digest);
    return ng_arena_printf(&run->arena, "NG%.24s", digest);
}

/* What a host that could not be asked is missing. */
static const char *silence(
    struct ng_arena *arena, const struct ng_host *host, const struct ng_reply *reply) {
    if (reply->how == NG_ENDED_EXITED && reply->out_len > 0) {
        return NULL;
    }
    if (reply->how == NG_ENDED_DEADLINE && reply->out_len > 0) {
        return NULL; /* the frames that came are good; the missing ones say so themselves */
    }
    const char *err = ng_text_clean_dup(arena, reply->err, reply->err_len, NG_TEXT_LINE, 300);
    if (reply->how == NG_ENDED_NOT_STARTED && reply->why[0] != '\0') {
        return ng_arena_strdup(arena, reply->why);
    }
    if (host->privilege == NG_PRIVILEGE_SUDO && strstr(err, "sudo") != NULL) {
        return ng_arena_printf(arena,
            "sudo on %s does not run the collector (%s): allow it without a password, by a line in "
            "/etc/sudoers.d: LOGIN ALL=(root) NOPASSWD: /bin/sh; or use a login that needs no "
            "sudo, "
            "and remove privilege",
            host->name, err);
    }
    return ng_arena_printf(arena, "the collector gave no answer (%s %d)%s%s%s%s",
        ng_ended_word(reply->how), reply->status, reply->why[0] != '\0' ? ": " : "", reply->why,
        *err != '\0' ? ": " : "", err);
}

static void take_facts(
    struct ng_run *run, size_t index, const char *token, const struct ng_reply *reply) {
    const struct ng_host *host = &run->plan->hosts[index];
    const char *why = silence(&run->arena, host, reply);
    const struct ng_facts *facts =
        why != NULL ? ng_facts_none(&run->arena, host->name, why)
                    : ng_facts_parse(&run->arena, host->name, token, reply->out, reply->out_len);
    run->facts[index] = facts;
    struct ng_host_result *out = &run->result->hosts[index];
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
    return needs;
}

/* Asks the hosts from `first` on, as many as fit into one batch; returns how many. */
static size_t collect_some(struct ng_run *run, const struct ng_collect_needs *needs, size_t first) {
    struct ng_request requests[NG_BATCH_MAX] = {0};
    struct ng_reply replies[NG_BATCH_MAX];
    struct ng_strv argvs[NG_BATCH_MAX] = {0};
    const char *tokens[NG_BATCH_MAX];
    size_t count = 0;
    for (; first + count < run->plan->host_count && count < NG_BATCH_MAX; count++) {
        const struct ng_host *host = &run->plan->hosts[first + count];
        tokens[count] = token_for(run, host);
        ng_reach_privilege(host, &argvs[count]);
        ng_collect_argv(&needs[first + count], tokens[count], &argvs[count]);
        requests[count] = (struct ng_request){
            .host = host->name,
            .purpose = "facts",
            .argv = ng_strv_argv(&argvs[count]),
            .stdin_data = (const char *)ng_collector_sh,
            .stdin_len = ng_collector_sh_len,
            .deadline_ns = COLLECT_NS,
            .grace_ns = NG_NS_PER_S,
        };
    }
    ng_batch_run(run, requests, count, true, replies);
    for (size_t i = 0; i < count; i++) {
        take_facts(run, first + i, tokens[i], &replies[i]);
        ng_reply_release(&replies[i]);
        ng_strv_release(&argvs[i]);
    }
    return count;
}

void ng_preflight_collect(struct ng_run *run, const struct ng_preflight *preflight) {
    const size_t hosts = run->plan->host_count;
    run->facts = ng_arena_array(&run->arena, hosts, sizeof *run->facts);
    struct ng_collect_needs *needs = all_needs(run, preflight);
    for (size_t i = 0; i < hosts; i++) {
        run->facts[i] =
            ng_facts_none(&run->arena, run->plan->hosts[i].name, "the run was interrupted");
    }
    for (size_t at = 0; at < hosts && !ng_run_stopped(run);) {
        at += collect_some(run, needs, at);
    }
    for (size_t i = 0; i < hosts; i++) {
        ng_collect_needs_release(&needs[i]);
    }
    ng_probes_run(run, preflight);
}

size_t ng_preflight_evaluate(struct ng_run *run, const struct ng_preflight *preflight) {
    const struct ng_condition_site site = {.arena = &run->result->arena,
        .plan = run->plan,
        .facts = run->facts,
        .items = preflight->items,
        .item_count = preflight->count,
        .probes = &run->probes};
    const struct ng_progress *progress = run->options.progress;
    size_t stops = 0;
    for (size_t i = 0; i < preflight->count; i++) {
        const struct ng_precondition *item = &preflight->items[i];
        struct ng_condition_result *out = ng_result_add_condition(run->result);
        out->held = NG_UNKNOWN;
        ng_condition_of(item->kind)->evaluate(&site, item->params, out);
        out->id = ng_arena_strdup(&run->result->arena, item->id);
        out->kind = item->kind->record.name;
        out->line = item->pos.line;
        out->implied = i >= preflight->from_plan;
        out->allow_unknown = item->allow_unknown;
        stops += ng_condition_stops(out) ? 1 : 0;
        if (progress != NULL && progress->condition != NULL) {
            progress->condition(progress->context, out);
        }
    }
    return stops;
}
