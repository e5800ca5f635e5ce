/* Samplers on the hosts while a repeat is measured. */
#include "runner/execute/watch.h"

#include <string.h>

#include "runner/base/strv.h"
#include "runner/base/text.h"
#include "runner/execute/gather.h"
#include "runner/execute/guards.h"

/* Longer than any phase may take; the sampler ends with the repeat. */
#define DEADLINE_NS (30 * 86400 * NG_NS_PER_S)
#define GRACE_NS (3 * NG_NS_PER_S)

struct sampler {
    struct ng_watch *watch;
    size_t host;
    const char *token;
    struct ng_call *call; /* NULL once ended */
    struct ng_reply reply;
};

struct ng_watch {
    struct ng_run *run;
    struct sampler *samplers;
    size_t count;
};

static void on_ended(void *context, struct ng_reply *reply) {
    struct sampler *sampler = context;
    sampler->reply = *reply; /* ownership of the outputs moves */
    memset(reply, 0, sizeof *reply);
    sampler->call = NULL;
    struct ng_result *result = sampler->watch->run->result;
    if (sampler->reply.end_ns > result->duration_ns) {
        result->duration_ns = sampler->reply.end_ns;
    }
}

static void start(struct ng_watch *watch, size_t host, const char *purpose) {
    struct ng_run *run = watch->run;
    struct sampler *sampler = &watch->samplers[watch->count++];
    struct ng_sample_needs needs;
    struct ng_strv argv = {0};
    *sampler = (struct sampler){.watch = watch, .host = host};
    sampler->token = ng_run_token(run, &run->plan->hosts[host]);
    ng_sample_needs_all(run->facts[host], &run->arena, &needs);
    ng_sample_argv(&needs, sampler->token, run->plan->watch_every_ns, &argv);
    const struct ng_request request = {
        .host = run->plan->hosts[host].name,
        .purpose = purpose,
        .argv = ng_strv_argv(&argv),
        .stdin_data = (const char *)ng_sampler_sh,
        .stdin_len = ng_sampler_sh_len,
        .deadline_ns = DEADLINE_NS,
        .grace_ns = GRACE_NS,
        .background = true,
    };
    const struct ng_call_events events = {.ended = on_ended, .context = sampler};
    sampler->call = ng_transport_submit(run->transport, &request, &events);
    ng_strv_release(&argv);
}

/* Hosts of guards are all of the plan: which of them a guard looks at is its own affair. */
static bool is_watched(const struct ng_run *run, size_t host) {
    const struct ng_plan *plan = run->plan;
    bool wanted = ng_guards_count(run->guards) > 0;
    for (size_t i = 0; i < plan->watched_count && !wanted; i++) {
        wanted = plan->watched[i] == &plan->hosts[host];
    }
    for (size_t i = 0; i < plan->telemetry->count && !wanted; i++) {
        wanted = plan->telemetry->items[i].host == &plan->hosts[host];
    }
    return wanted && run->facts[host]->reason == NULL;
}

struct ng_watch *ng_watch_start(struct ng_run *run, const char *purpose) {
    size_t wanted = 0;
    for (size_t i = 0; i < run->plan->host_count; i++) {
        wanted += is_watched(run, i) ? 1 : 0;
    }
    if (wanted == 0) {
        return NULL;
    }
    struct ng_watch *watch = ng_xmalloc(sizeof *watch);
    *watch = (struct ng_watch){.run = run};
    watch->samplers = ng_xmalloc(wanted * sizeof *watch->samplers);
    for (size_t i = 0; i < run->plan->host_count; i++) {
        if (is_watched(run, i)) {
            start(watch, i, ng_arena_printf(&run->arena, "watch: %s", purpose));
        }
    }
    return watch;
}

static bool all_ended(void *context) {
    const struct ng_watch *watch = context;
    for (size_t i = 0; i < watch->count; i++) {
        if (watch->samplers[i].call != NULL) {
            return false;
        }
    }
    return true;
}

/* Why the samples do not reach to the end of the repeat. */
static const char *silence(
    struct ng_arena *arena, const struct sampler *sampler, const struct ng_samples *samples) {
    const struct ng_reply *reply = &sampler->reply;
    if (samples->ended && samples->count > 0) {
        return samples->cut ? "there were more samples than are kept" : NULL;
    }
    const char *words = reply->why[0] != '\0' ? reply->why : ng_ended_word(reply->how);
    return ng_arena_printf(arena, "the sampler %s: %s",
        samples->count > 0 ? "ended early" : "gave no sample",
        ng_text_clean_dup(arena, words, strlen(words), NG_TEXT_LINE, sizeof reply->why));
}

size_t ng_watch_stop(
    struct ng_watch *watch, struct ng_arena *arena, const struct ng_watched **watched) {
    if (watch == NULL) {
        return 0;
    }
    struct ng_run *run = watch->run;
    for (size_t i = 0; i < watch->count; i++) {
        if (watch->samplers[i].call != NULL) {
            ng_transport_stop(run->transport, watch->samplers[i].call);
        }
    }
    ng_loop_run(run->loop, all_ended, watch);
    struct ng_watched *all = ng_arena_array(arena, watch->count, sizeof *all);
    const size_t count = watch->count;
    for (size_t i = 0; i < count; i++) {
        struct sampler *sampler = &watch->samplers[i];
        struct ng_reply *reply = &sampler->reply;
        ng_samples_parse(
            &all[i].samples, arena, sampler->token, reply->out ? reply->out : "", reply->out_len);
        all[i].host = sampler->host;
        all[i].began_ns = reply->ready_ns > 0 ? reply->ready_ns : reply->start_ns;
        all[i].ended_ns = reply->end_ns;
        all[i].evidence = reply->id;
        all[i].why = silence(arena, sampler, &all[i].samples);
        ng_reply_release(reply);
    }
    free(watch->samplers);
    free(watch);
    *watched = all;
    return count;
}

int64_t ng_watched_time(const struct ng_watched *watched, size_t sample) {
    const struct ng_sample *items = watched->samples.items;
    const double since = items[sample].uptime - items[0].uptime;
    const int64_t at = watched->began_ns + (int64_t)((since > 0 ? since : 0) * NG_NS_PER_S);
    return at < watched->ended_ns ? at : watched->ended_ns;
}
