/* Facts of all hosts of the plan at the same time. */
#include "runner/execute/gather.h"

#include <stdio.h>
#include <string.h>

#include "runner/base/digest.h"
#include "runner/base/text.h"
#include "runner/execute/batch.h"
#include "runner/execute/reach.h"

#define COLLECT_NS (20 * NG_NS_PER_S)

/* Frames the collector's output. Not guessable by what a host prints, yet the same in a replay. */
const char *ng_run_token(struct ng_run *run, const struct ng_host *host) {
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

/* A batch of hosts, and where their facts go. */
struct gathering {
    struct ng_run *run;
    const struct ng_collect_needs *needs;
    const char *purpose;
    struct ng_arena *arena;
    const struct ng_facts **facts;
};

static const struct ng_facts *facts_of(const struct gathering *gathering,
    const struct ng_host *host, const char *token, const struct ng_reply *reply) {
    struct ng_arena *arena = gathering->arena;
    const char *why = silence(arena, host, reply);
    return why != NULL ? ng_facts_none(arena, host->name, why)
                       : ng_facts_parse(arena, host->name, token, reply->out, reply->out_len);
}

/* Asks the hosts from `first` on, as many as fit into one batch; returns how many. */
static size_t gather_some(const struct gathering *gathering, size_t first) {
    struct ng_run *run = gathering->run;
    struct ng_request requests[NG_BATCH_MAX] = {0};
    struct ng_reply replies[NG_BATCH_MAX];
    struct ng_strv argvs[NG_BATCH_MAX] = {0};
    const char *tokens[NG_BATCH_MAX];
    size_t count = 0;
    for (; first + count < run->plan->host_count && count < NG_BATCH_MAX; count++) {
        const struct ng_host *host = &run->plan->hosts[first + count];
        tokens[count] = ng_run_token(run, host);
        ng_reach_privilege(host, &argvs[count]);
        ng_collect_argv(&gathering->needs[first + count], tokens[count], &argvs[count]);
        requests[count] = (struct ng_request){
            .host = host->name,
            .purpose = gathering->purpose,
            .argv = ng_strv_argv(&argvs[count]),
            .stdin_data = (const char *)ng_collector_sh,
            .stdin_len = ng_collector_sh_len,
            .deadline_ns = COLLECT_NS,
            .grace_ns = NG_NS_PER_S,
        };
    }
    ng_batch_run(run, requests, count, true, replies);
    for (size_t i = 0; i < count; i++) {
        gathering->facts[first + i] =
            facts_of(gathering, &run->plan->hosts[first + i], tokens[i], &replies[i]);
        ng_reply_release(&replies[i]);
        ng_strv_release(&argvs[i]);
    }
    return count;
}

void ng_gather(struct ng_run *run, const struct ng_collect_needs *needs, const char *purpose,
    struct ng_arena *arena, const struct ng_facts **facts) {
    const struct gathering gathering = {run, needs, purpose, arena, facts};
    const size_t hosts = run->plan->host_count;
    size_t at = 0;
    while (at < hosts && !ng_run_stopped(run)) {
        at += gather_some(&gathering, at);
    }
    for (; at < hosts; at++) {
        facts[at] = ng_facts_none(arena, run->plan->hosts[at].name, "the run was interrupted");
    }
}
