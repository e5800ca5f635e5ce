/* Drops the page cache of hosts before a repeat. */
#include "runner/execute/page_drop.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/conditions/page_cache.h"
#include "runner/execute/batch.h"
#include "runner/execute/reach.h"

/* Dirty pages are written first, and that can be gigabytes. */
#define DROP_NS (180 * NG_NS_PER_S)

static const char *size_words(struct ng_run *run, int64_t bytes) {
    char text[NG_QUANTITY_TEXT];
    return bytes < 0
               ? "an unknown amount"
               : ng_arena_strdup(&run->arena,
                     ng_quantity_format(
                         (struct ng_quantity){.value = (double)bytes, .dim = NG_DIM_SIZE}, text));
}

static void note(struct ng_run *run, const struct ng_host *host, const struct ng_reply *reply,
    struct ng_repeat *repeat) {
    struct ng_arena *arena = &run->result->arena;
    const struct ng_page_dropped said = ng_page_cache_read(reply->out, reply->out_len);
    const char *key = ng_arena_printf(arena, "page cache of %s", host->name);
    ng_repeat_add_evidence(arena, repeat, reply->id);
    if (reply->how == NG_ENDED_EXITED && said.dropped) {
        ng_records_add(arena, &repeat->records, key, "dropped before: %s cached, %s after",
            size_words(run, said.before), size_words(run, said.after));
        return;
    }
    const char *err = ng_text_clean_dup(&run->arena, reply->err, reply->err_len, NG_TEXT_LINE, 200);
    const char *why = reply->why[0] != '\0' ? ng_text_clean_dup(&run->arena, reply->why,
                                                  strlen(reply->why), NG_TEXT_LINE, 200)
                      : *err != '\0'        ? err
                                            : ng_ended_word(reply->how);
    ng_records_add(arena, &repeat->records, key, "not dropped: %s", why);
    ng_repeat_find(arena, repeat, NG_FINDING_INCONCLUSIVE, "page-cache",
        "the page cache of %s was not dropped before it, as the plan wants: %s", host->name, why);
}

/* The hosts of all items that apply, each once. */
static size_t hosts_of(const struct ng_run *run, const struct ng_phase *phase, int number,
    const struct ng_host *hosts[NG_BATCH_MAX]) {
    const struct ng_plan *plan = run->plan;
    size_t count = 0;
    for (size_t i = 0; i < plan->precondition_count; i++) {
        const struct ng_precondition *item = &plan->preconditions[i];
        const struct ng_page_cache_params *params = item->params;
        if (item->kind != &ng_condition_page_cache.kind ||
            !ng_page_cache_applies(params, phase, number)) {
            continue;
        }
        for (size_t j = 0; j < params->hosts.count && count < NG_BATCH_MAX; j++) {
            const struct ng_host *host = ng_plan_host(plan, params->hosts.items[j]);
            bool known = host == NULL;
            for (size_t k = 0; k < count; k++) {
                known = known || hosts[k] == host;
            }
            if (!known) {
                hosts[count++] = host;
            }
        }
    }
    return count;
}

void ng_page_drop(struct ng_run *run, const struct ng_phase *phase, struct ng_repeat *repeat) {
    const struct ng_host *hosts[NG_BATCH_MAX];
    struct ng_request requests[NG_BATCH_MAX] = {0};
    struct ng_reply replies[NG_BATCH_MAX];
    struct ng_strv argvs[NG_BATCH_MAX] = {0};
    const size_t count = hosts_of(run, phase, repeat->number, hosts);
    if (count == 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const char *const argv[] = {"/bin/sh", "-c", ng_page_cache_script, "page-cache", NULL};
        ng_reach_privilege(hosts[i], &argvs[i]);
        ng_strv_pushv(&argvs[i], argv);
        requests[i] = (struct ng_request){
            .host = hosts[i]->name,
            .purpose = ng_arena_printf(&run->arena, "drop the page cache before phase %s %d/%d",
                phase->name, repeat->number, (int)phase->repeat),
            .argv = ng_strv_argv(&argvs[i]),
            .deadline_ns = DROP_NS,
            .grace_ns = NG_NS_PER_S,
        };
    }
    ng_batch_run(run, requests, count, true, replies);
    for (size_t i = 0; i < count; i++) {
        if (!ng_run_stopped(run)) {
            note(run, hosts[i], &replies[i], repeat);
        }
        ng_reply_release(&replies[i]);
        ng_strv_release(&argvs[i]);
    }
}
