/* Facts of all hosts of the plan at the same time. */
#include "runner/execute/gather.h"

#include <stdio.h>
#include <string.h>

#include "runner/base/digest.h"
#include "runner/base/text.h"
#include "runner/base/units.h"
#include "runner/execute/batch.h"
#include "runner/execute/reach.h"

#define COLLECT_NS (20 * NG_NS_PER_S)

/* How long a host's facts may take. */
static int64_t within(const struct ng_host *host) {
    return host->facts_within_ns > 0 ? host->facts_within_ns : COLLECT_NS;
}

/* Why they are not all there. */
static const char *late_words(struct ng_arena *arena, const struct ng_host *host) {
    char text[NG_TIME_TEXT];
    ng_duration_format(within(host), text);
    return ng_arena_printf(arena,
        "the collector on %s was stopped after %s: if the host is slow or loaded, let it take "
        "longer "
        "(facts_within: of host %s); else see what hangs there",
        host->name, text, host->name);
}

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
    if (reply->how == NG_ENDED_DEADLINE) {
        return late_words(arena, host);
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
    struct ng_frames frames;
    if (why != NULL) {
        return ng_facts_none(arena, host->name, why);
    }
    ng_frames_parse(&frames, arena, token, reply->out, reply->out_len);
    if (reply->how == NG_ENDED_DEADLINE && !frames.complete) {
        frames.reason = late_words(arena, host);
    }
    return ng_facts_of_frames(arena, host->name, &frames);
}

/* What is kept of how a host answered. */
static void keep(struct ng_run *run, size_t host, const struct ng_reply *reply) {
    if (run->asked == NULL) {
        return;
    }
    struct ng_asked *asked = &run->asked[host];
    *asked = (struct ng_asked){.sent_ns = reply->start_ns, .answered_ns = reply->end_ns};
    if (run->ask.keep_raw) {
        asked->raw = ng_arena_strndup(&run->arena, reply->out, reply->out_len);
        asked->raw_len = reply->out_len;
    }
}

/* Hosts that are asked at the same time. */
struct round {
    struct ng_request requests[NG_BATCH_MAX];
    struct ng_reply replies[NG_BATCH_MAX];
    struct ng_strv argvs[NG_BATCH_MAX];
    const char *tokens[NG_BATCH_MAX];
    size_t hosts[NG_BATCH_MAX]; /* by index of plan->hosts */
    size_t count;
};

static void add_host(const struct gathering *gathering, struct round *round, size_t index) {
    const struct ng_host *host = &gathering->run->plan->hosts[index];
    const size_t at = round->count++;
    round->hosts[at] = index;
    round->tokens[at] = ng_run_token(gathering->run, host);
    ng_reach_privilege(host, &round->argvs[at]);
    ng_collect_argv(&gathering->needs[index], round->tokens[at], &round->argvs[at]);
    round->requests[at] = (struct ng_request){
        .host = host->name,
        .purpose = gathering->purpose,
        .argv = ng_strv_argv(&round->argvs[at]),
        .stdin_data = (const char *)ng_collector_sh,
        .stdin_len = ng_collector_sh_len,
        .deadline_ns = within(host),
        .grace_ns = NG_NS_PER_S,
    };
}

static void run_round(const struct gathering *gathering, struct round *round) {
    struct ng_run *run = gathering->run;
    ng_batch_run(run, round->requests, round->count, true, round->replies);
    for (size_t i = 0; i < round->count; i++) {
        const size_t host = round->hosts[i];
        gathering->facts[host] =
            facts_of(gathering, &run->plan->hosts[host], round->tokens[i], &round->replies[i]);
        keep(run, host, &round->replies[i]);
        ng_reply_release(&round->replies[i]);
        ng_strv_release(&round->argvs[i]);
    }
    round->count = 0;
}

void ng_gather(struct ng_run *run, const struct ng_collect_needs *needs, const char *purpose,
    struct ng_arena *arena, const struct ng_facts **facts) {
    const struct gathering gathering = {run, needs, purpose, arena, facts};
    const size_t hosts = run->plan->host_count;
    struct round round = {0};
    for (size_t i = 0; i < hosts; i++) {
        const bool left_out = run->ask.left_out != NULL && run->ask.left_out[i];
        if (left_out || ng_run_halted(run)) {
            facts[i] = ng_facts_none(arena, run->plan->hosts[i].name,
                left_out            ? "it was not asked"
                : run->halt != NULL ? run->halt
                                    : "the run was interrupted");
        } else {
            add_host(&gathering, &round, i);
        }
        if (round.count == NG_BATCH_MAX || (i + 1 == hosts && round.count > 0)) {
            run_round(&gathering, &round);
        }
    }
}

void ng_gather_host(struct ng_run *run, size_t host, const struct ng_collect_needs *needs,
    const char *purpose, struct ng_arena *arena, const struct ng_facts **facts) {
    const struct gathering gathering = {run, needs, purpose, arena, facts};
    struct round round = {0};
    add_host(&gathering, &round, host);
    run_round(&gathering, &round);
}
