/* Runs the active probes that preconditions want. */
#include "runner/execute/probes.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/conditions/condition.h"
#include "runner/execute/batch.h"

/* How often they are asked, and how many probes one host runs at a time: an ssh server lets ten
 * sessions into a connection. */
enum { ROUNDS_MAX = 24, AT_ONCE = 6 };

#define GRACE_NS (1 * NG_NS_PER_S)

static const char *failure(struct ng_arena *arena, const struct ng_reply *reply) {
    if (reply->how == NG_ENDED_EXITED) {
        return NULL;
    }
    const char *why =
        ng_text_clean_dup(arena, reply->why, strlen(reply->why), NG_TEXT_LINE, sizeof reply->why);
    return *why != '\0'
               ? why
               : ng_arena_printf(arena, "the probe ended early (%s)", ng_ended_word(reply->how));
}

static void take(struct ng_run *run, const struct ng_probing *probing, const struct ng_probe *probe,
    const struct ng_reply *reply) {
    struct ng_probe_results *results = probing->results;
    struct ng_arena *arena = probing->arena;
    results->items = ng_arena_grow(
        arena, results->items, results->count, &results->capacity, sizeof *results->items);
    results->items[results->count++] = (struct ng_probe_result){
        .host = probe->host,
        .name = probe->name,
        .failed = failure(arena, reply),
        .status = reply->status,
        .out = ng_arena_strndup(arena, reply->out_len > 0 ? reply->out : "", reply->out_len),
        .out_len = reply->out_len,
        .err = ng_arena_strndup(arena, reply->err_len > 0 ? reply->err : "", reply->err_len),
        .err_len = reply->err_len,
        .cut = reply->out_cut > 0 || reply->err_cut > 0,
        .asked_ns = run->result->started_wall_ns + reply->start_ns,
        .answered_ns = run->result->started_wall_ns + reply->end_ns,
    };
}

/* Takes as many as may run together off the list; `left` keeps the others in their order. */
static size_t pick(const struct ng_probe *probes, size_t count, struct ng_probe *left,
    size_t *left_count, struct ng_probe wave[NG_BATCH_MAX]) {
    size_t picked = 0;
    *left_count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        for (size_t j = 0; j < picked; j++) {
            same += wave[j].host == probes[i].host ? 1 : 0;
        }
        if (picked < NG_BATCH_MAX && same < AT_ONCE) {
            wave[picked++] = probes[i];
        } else {
            left[(*left_count)++] = probes[i];
        }
    }
    return picked;
}

static void run_wave(struct ng_run *run, const struct ng_probing *probing,
    const struct ng_probe *wave, size_t count, bool stoppable) {
    struct ng_request requests[NG_BATCH_MAX] = {0};
    struct ng_reply replies[NG_BATCH_MAX];
    for (size_t i = 0; i < count; i++) {
        requests[i] = (struct ng_request){
            .host = wave[i].host->name,
            .purpose = ng_arena_printf(probing->arena, "%s: %s", probing->purpose, wave[i].name),
            .argv = wave[i].argv,
            .out_cap = NG_PROBE_OUT_MAX,
            .err_cap = NG_PROBE_OUT_MAX,
            .deadline_ns = wave[i].deadline_ns,
            .grace_ns = GRACE_NS,
            .swept = true,
        };
    }
    ng_batch_run(run, requests, count, stoppable, replies);
    for (size_t i = 0; i < count; i++) {
        take(run, probing, &wave[i], &replies[i]);
        ng_reply_release(&replies[i]);
    }
}

/* Clean-up is not stopped, everything else is. */
static void run_list(struct ng_run *run, const struct ng_probing *probing,
    const struct ng_probe_list *list, bool stoppable) {
    if (list->count == 0) {
        return;
    }
    struct ng_probe *left = ng_arena_array(probing->arena, list->count, sizeof *left);
    memcpy(left, list->items, list->count * sizeof *left);
    for (size_t count = list->count; count > 0 && !(stoppable && ng_run_halted(run));) {
        struct ng_probe wave[NG_BATCH_MAX];
        const size_t picked = pick(left, count, left, &count, wave);
        run_wave(run, probing, wave, picked, stoppable);
    }
}

/* What is wanted next. With `undo_only`, what takes back something and nothing else. */
static struct ng_probe_list ask(
    struct ng_run *run, const struct ng_probing *probing, bool undo_only) {
    struct ng_probe_list list = {
        .done = probing->results, .undo_only = undo_only, .arena = probing->arena};
    for (size_t i = 0; i < probing->count; i++) {
        const struct ng_prober *prober = &probing->probers[i];
        const struct ng_condition *condition = ng_condition_of(prober->item->kind);
        const struct ng_condition_site site = {.arena = probing->arena,
            .plan = run->plan,
            .facts = probing->facts,
            .probes = probing->results,
            .seed = run->result->seed,
            .earlier = prober->earlier};
        if (condition->probes != NULL) {
            condition->probes(&site, prober->item->params, &list);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < list.count; i++) {
        if (list.items[i].undo || !undo_only) {
            list.items[kept++] = list.items[i];
        }
    }
    list.count = kept;
    return list;
}

void ng_probes_ask(struct ng_run *run, const struct ng_probing *probing) {
    for (int round = 0; round < ROUNDS_MAX && !ng_run_halted(run); round++) {
        const struct ng_probe_list list = ask(run, probing, false);
        if (list.count == 0) {
            return;
        }
        run_list(run, probing, &list, true);
    }
    const struct ng_probe_list left = ask(run, probing, true);
    run_list(run, probing, &left, false);
}

void ng_probes_run(struct ng_run *run, const struct ng_preflight *preflight) {
    struct ng_prober *probers = ng_arena_array(&run->arena, preflight->count, sizeof *probers);
    for (size_t i = 0; i < preflight->count; i++) {
        probers[i] = (struct ng_prober){&preflight->items[i], NULL};
    }
    const struct ng_probing probing = {.purpose = "probe",
        .probers = probers,
        .count = preflight->count,
        .facts = run->facts,
        .results = &run->probes,
        .arena = &run->arena};
    ng_probes_ask(run, &probing);
}
