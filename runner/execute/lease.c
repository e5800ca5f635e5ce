/* The leases of a run. */
#include "runner/execute/lease.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/execute/batch.h"
#include "runner/result/words.h"
#include "runner/transport/lease.h"

enum { WORDS_CAP = 4000 };

/* How much longer than its wait a command may take to say whether it holds. */
#define ANSWER_NS (120 * NG_NS_PER_S)

/* The command that takes and holds one lease. */
struct ng_leased {
    struct ng_run *run;
    struct ng_call *call; /* NULL: it does not run */
    bool ready, ended;
    bool given_back; /* it was asked to end */
    struct ng_reply reply;
};

void ng_leases_expect(struct ng_result *result, const struct ng_plan *plan) {
    for (size_t i = 0; i < plan->lease.count; i++) {
        ng_result_add_lease(result)->host =
            ng_arena_strdup(&result->arena, plan->lease.hosts[i]->name);
        result->lease_line = plan->lease.pos.line;
    }
}

static struct ng_lease_result *result_of(const struct ng_leased *leased) {
    const struct ng_run *run = leased->run;
    return &run->result->leases[leased - run->leases];
}

static const char *words_of(struct ng_run *run, const struct ng_lease_result *lease) {
    struct ng_buf words;
    ng_buf_init(&words, WORDS_CAP);
    ng_lease_words(lease, &words);
    const char *text = ng_arena_strdup(&run->result->arena, ng_buf_text(&words));
    ng_buf_release(&words);
    return text;
}

/* What the command says before it holds comes on standard error; standard output is what it said
 * since. */
static struct ng_lease_words said(struct ng_arena *arena, const struct ng_reply *reply) {
    const struct ng_lease_words before = ng_lease_read(arena, reply->err, reply->err_len);
    return before.said != NG_LEASE_SAID_NOTHING ? before
                                                : ng_lease_read(arena, reply->out, reply->out_len);
}

/* Why it ended, for one that should not have. */
static const char *why(
    struct ng_arena *arena, const struct ng_reply *reply, const struct ng_lease_words *words) {
    if (words->said == NG_LEASE_SAID_FAILED && words->why != NULL) {
        return words->why;
    }
    if (reply->why[0] != '\0') {
        return ng_text_clean_dup(
            arena, reply->why, strlen(reply->why), NG_TEXT_LINE, sizeof reply->why);
    }
    const char *err =
        ng_text_clean_dup(arena, reply->err, reply->err_len, NG_TEXT_LINE, NG_LEASE_WORD_MAX);
    return ng_arena_printf(arena, "the command that holds it ended (%s %d)%s%s",
        ng_ended_word(reply->how), reply->status, *err != '\0' ? ": " : "", err);
}

static void set_holder(struct ng_lease_result *out, const struct ng_lease_words *words) {
    out->who = words->who;
    out->since = words->since;
    out->job = words->job;
    out->plan = words->plan;
    out->run = words->run;
}

/* Fills the result of a lease whose command has ended without holding, or only looked. */
static void note(struct ng_run *run, struct ng_lease_result *out, const struct ng_reply *reply) {
    struct ng_arena *arena = &run->result->arena;
    const struct ng_lease_words words = said(arena, reply);
    if (reply->how == NG_ENDED_EXITED && words.said == NG_LEASE_SAID_BUSY) {
        out->state = NG_LEASE_BUSY;
        set_holder(out, &words);
    } else if (reply->how == NG_ENDED_EXITED && words.said == NG_LEASE_SAID_FREE) {
        out->state = NG_LEASE_FREE;
    } else {
        out->state = NG_LEASE_FAILED;
        out->reason = why(arena, reply, &words);
    }
}

/* It was held and is not any more, which nobody here had asked for. */
static void note_lost(struct ng_leased *leased) {
    struct ng_run *run = leased->run;
    struct ng_lease_result *out = result_of(leased);
    const struct ng_lease_words words = said(&run->result->arena, &leased->reply);
    out->state = NG_LEASE_LOST;
    out->reason = why(&run->result->arena, &leased->reply, &words);
    run->lost = run->lost != NULL ? run->lost : words_of(run, out);
}

static void stop(struct ng_leased *leased) {
    if (leased->call != NULL) {
        leased->given_back = true;
        ng_transport_stop(leased->run->transport, leased->call);
    }
}

/* Of several leases one was lost while another is waited for. */
static void stop_waiting(struct ng_run *run) {
    for (size_t i = 0; i < run->result->lease_count; i++) {
        if (run->leases[i].call != NULL && !run->leases[i].ready) {
            run->halt = run->lost;
            stop(&run->leases[i]);
        }
    }
}

static void on_ready(void *context) {
    ((struct ng_leased *)context)->ready = true;
}

static void on_ended(void *context, struct ng_reply *reply) {
    struct ng_leased *leased = context;
    leased->reply = *reply; /* ownership of the outputs moves */
    memset(reply, 0, sizeof *reply);
    leased->ended = true;
    leased->call = NULL;
    if (leased->reply.end_ns > leased->run->result->duration_ns) {
        leased->run->result->duration_ns = leased->reply.end_ns;
    }
    /* Its own end tells who ended it: a replay may not yet have come to where we asked for it. */
    const bool asked = leased->given_back || leased->run->options.cut_short;
    if (leased->ready && !(asked && leased->reply.how == NG_ENDED_STOPPED)) {
        note_lost(leased);
        stop_waiting(leased->run);
        ng_batch_lost(leased->run);
    }
}

/* What is waited for while a lease is taken. */
struct wait {
    struct ng_run *run;
    struct ng_leased *leased;
};

/* It holds, whatever becomes of it later: that is for the next command to see, as in a replay. */
static bool holds(const struct ng_leased *leased) {
    return leased->ready && !leased->given_back;
}

static bool decided(void *context) {
    const struct wait *wait = context;
    return wait->leased->ended || holds(wait->leased);
}

static void on_late(void *context) {
    stop(((struct wait *)context)->leased);
}

static void on_signal(void *context, int signal) {
    const struct wait *wait = context;
    const struct ng_progress *progress = wait->run->options.progress;
    if (progress != NULL && progress->stopping != NULL) {
        progress->stopping(progress->context, signal);
    }
    stop(wait->leased);
}

/* Starts the command and waits until it holds or has ended. */
static void attempt(struct ng_run *run, struct ng_leased *leased, int64_t wait_ns) {
    const struct ng_lease_holder holder = {
        .run = run->result->run_id,
        .who = run->options.who != NULL ? run->options.who : "",
        .job = run->options.job != NULL ? run->options.job : "",
        .plan = run->plan->name,
    };
    const struct ng_call_events events = {.ready = on_ready, .ended = on_ended, .context = leased};
    struct ng_strv argv = {0};
    struct ng_request request = {.host = result_of(leased)->host, .purpose = "lease"};
    ng_lease_take(&holder, (wait_ns + NG_NS_PER_S - 1) / NG_NS_PER_S, &argv, &request);
    ng_reply_release(&leased->reply);
    *leased = (struct ng_leased){.run = run};
    struct wait wait = {.run = run, .leased = leased};
    ng_loop_on_signal(run->loop, on_signal, &wait);
    leased->call = ng_transport_submit(run->transport, &request, &events);
    ng_strv_release(&argv);
    if (run->lost != NULL) {
        stop_waiting(run);
    }
    struct ng_timer *late = ng_timer_start(run->loop, wait_ns + ANSWER_NS, 0, on_late, &wait);
    ng_loop_run(run->loop, decided, &wait);
    ng_timer_stop(late);
    ng_loop_on_signal(run->loop, NULL, NULL);
    if (!holds(leased) && !ng_run_halted(run)) {
        note(run, result_of(leased), &leased->reply);
    }
}

/* True when it is held. */
static bool take(struct ng_run *run, struct ng_leased *leased) {
    const struct ng_progress *progress = run->options.progress;
    struct ng_lease_result *out = result_of(leased);
    const int64_t wait_ns = run->plan->lease.wait_ns;
    attempt(run, leased, 0);
    if (out->state == NG_LEASE_BUSY && wait_ns > 0 && !ng_run_halted(run)) {
        if (progress != NULL && progress->leased != NULL) {
            progress->leased(progress->context, out, wait_ns);
        }
        *out = (struct ng_lease_result){.host = out->host};
        attempt(run, leased, wait_ns);
    }
    if (!holds(leased) || ng_run_halted(run)) {
        return false;
    }
    if (out->state != NG_LEASE_LOST) {
        out->state = NG_LEASE_HELD;
    }
    return true;
}

bool ng_leases_take(struct ng_run *run) {
    const struct ng_progress *progress = run->options.progress;
    if (run->options.other_plan) { /* what the run leased then says nothing of this plan's leases */
        run->result->lease_count = 0;
    }
    const size_t count = run->result->lease_count;
    run->leases = ng_arena_array(&run->arena, count, sizeof *run->leases);
    for (size_t i = 0; i < count; i++) {
        run->leases[i].run = run;
    }
    if (count > 0 && progress != NULL && progress->step != NULL) {
        progress->step(progress->context, "taking the lease");
    }
    for (size_t i = 0; i < count; i++) {
        if (!take(run, &run->leases[i])) {
            return false;
        }
    }
    return true;
}

const char *ng_leases_refused(struct ng_run *run) {
    if (ng_run_stopped(run)) {
        return "the run was interrupted";
    }
    for (size_t i = 0; i < run->result->lease_count; i++) {
        const struct ng_lease_result *lease = &run->result->leases[i];
        if (lease->state == NG_LEASE_FAILED) {
            run->result->error = words_of(run, lease);
        }
        if (lease->state != NG_LEASE_HELD) {
            return words_of(run, lease);
        }
    }
    return "the lease could not be taken";
}

static bool all_ended(void *context) {
    const struct ng_run *run = context;
    for (size_t i = 0; i < run->result->lease_count; i++) {
        if (run->leases[i].call != NULL) {
            return false;
        }
    }
    return true;
}

/* What its own words and end tell of a lease that was held to the end. */
static void note_given_back(struct ng_run *run, struct ng_leased *leased) {
    struct ng_arena *arena = &run->result->arena;
    struct ng_lease_result *out = result_of(leased);
    if (out->state != NG_LEASE_HELD) {
        return;
    }
    out->since = ng_lease_read(arena, leased->reply.out, leased->reply.out_len).since;
    if (leased->reply.why[0] != '\0') {
        ng_result_warn(run->result, "the lease of %s was to be given back, but %s", out->host,
            ng_text_clean_dup(&run->arena, leased->reply.why, strlen(leased->reply.why),
                NG_TEXT_LINE, sizeof leased->reply.why));
    }
}

void ng_leases_give_back(struct ng_run *run) {
    for (size_t i = 0; i < run->result->lease_count; i++) {
        stop(&run->leases[i]);
    }
    ng_loop_run(run->loop, all_ended, run);
    for (size_t i = 0; i < run->result->lease_count; i++) {
        note_given_back(run, &run->leases[i]);
        ng_reply_release(&run->leases[i].reply);
    }
    if (run->lost != NULL && run->result->error == NULL) {
        run->result->error = run->lost;
    }
}

void ng_leases_look(struct ng_run *run) {
    const size_t count = run->result->lease_count;
    for (size_t at = 0; at < count;) {
        struct ng_request requests[NG_BATCH_MAX] = {0};
        struct ng_reply replies[NG_BATCH_MAX];
        struct ng_strv argvs[NG_BATCH_MAX] = {0};
        size_t some = 0;
        for (; at + some < count && some < NG_BATCH_MAX; some++) {
            ng_lease_look(&argvs[some], &requests[some]);
            requests[some].host = run->result->leases[at + some].host;
            requests[some].purpose = "lease";
        }
        ng_batch_run(run, requests, some, true, replies);
        for (size_t i = 0; i < some; i++) {
            note(run, &run->result->leases[at + i], &replies[i]);
            ng_reply_release(&replies[i]);
            ng_strv_release(&argvs[i]);
        }
        at += some;
    }
}
