// The last link of a replay: recorded answers at recorded times.
#include "runner/transport/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/arena.h"
#include "runner/base/strv.h"
#include "runner/base/text.h"
#include "runner/transport/evidence.h"

enum { WORD_CAP = 2000 };

struct replay {
    struct ng_transport base;
    struct ng_tape *tape;
    struct ng_loop *loop;
    struct ng_evidence asked; // only its count of occurrences is used
    struct ng_timer *signal_timer;
    const struct ng_tape_entry *signal_behind;
    struct replay_call *calls;
    size_t unknown_count;
    char unknown[256];
};

struct replay_call {
    struct replay *replay;
    struct replay_call *next;
    struct ng_tape_entry *entry; // NULL: the tape has no answer
    struct ng_call_events events;
    struct ng_timer *ready_timer, *end_timer;
    bool answered;
    char why[256];
};

static int64_t wait_until(const struct replay *replay, int64_t at_ns) {
    const int64_t now = ng_clock_mono(ng_loop_clock(replay->loop));
    return at_ns > now ? at_ns - now : 0;
}

static void on_ready(void *context) {
    struct replay_call *call = context;
    if (!call->answered && call->events.ready) {
        call->events.ready(call->events.context);
    }
}

static void load(const struct replay *replay, const char *digest, char **data, size_t *len,
    struct ng_reply *reply) {
    struct ng_err err = {0};
    if (digest && !ng_tape_object(replay->tape, digest, data, len, &err)) {
        reply->how = NG_ENDED_NOT_STARTED;
        snprintf(reply->why, sizeof reply->why, "evidence: %.200s", err.text);
    }
    if (!*data) {
        *data = ng_xstrdup("");
        *len = 0;
    }
}

/**
 * A signal that came while nothing ran is told behind the last command that had ended by then, so
 * that the executor makes the same decision; see ng_replay_new for one that came during a command.
 */
static void tell_signal_behind(struct replay *replay, const struct ng_tape_entry *entry) {
    if (entry && entry == replay->signal_behind) {
        ng_loop_tell_signal(replay->loop, replay->tape->signal);
    }
}

static void on_end(void *context) {
    struct replay_call *call = context;
    const struct ng_tape_entry *entry = call->entry;
    struct ng_reply reply = {.how = NG_ENDED_NOT_STARTED};
    if (entry && entry->end_ns >= 0) {
        reply = entry->reply;
    } else if (entry) {
        reply = (struct ng_reply){.id = entry->id,
            .how = NG_ENDED_STOPPED,
            .start_ns = entry->start_ns,
            .end_ns = entry->start_ns};
        snprintf(reply.why, sizeof reply.why, "the evidence ends while it runs");
    } else {
        memcpy(reply.why, call->why, sizeof reply.why);
    }
    load(call->replay, entry ? entry->out : NULL, &reply.out, &reply.out_len, &reply);
    load(call->replay, entry ? entry->err : NULL, &reply.err, &reply.err_len, &reply);
    call->answered = true;
    call->events.ended(call->events.context, &reply);
    tell_signal_behind(call->replay, entry);
}

static size_t common_prefix(const char *a, const char *b) {
    size_t len = 0;
    while (a[len] != '\0' && a[len] == b[len]) {
        len++;
    }
    return len;
}

/** Two command lines of the same program. */
static bool same_program(const char *a, const char *b) {
    const size_t len = strcspn(a, " ");
    return strcspn(b, " ") == len && strncmp(a, b, len) == 0;
}

/** The recorded command in the same place that is for the same purpose, or of the same program and
 * begins most alike. */
static const struct ng_tape_entry *nearest(
    const struct replay *replay, const struct ng_request *request, const char *asked) {
    const struct ng_tape_entry *best = NULL;
    size_t best_len = 0;
    for (size_t i = 0; i < replay->tape->count; i++) {
        const struct ng_tape_entry *entry = &replay->tape->entries[i];
        if (strcmp(entry->host, request->host) != 0) {
            continue;
        }
        if (request->purpose && strcmp(entry->purpose, request->purpose) == 0) {
            return entry;
        }
        size_t len = common_prefix(entry->shown, asked);
        if (!same_program(entry->shown, asked)) {
            continue;
        }
        if (!best || len > best_len) {
            best = entry;
            best_len = len;
        }
    }
    return best;
}

/** Puts the two side by side from where they part, since long command lines begin alike. */
static void describe(struct replay_call *call, const struct ng_request *request, const char *asked,
    const struct ng_tape_entry *near) {
    const size_t room = sizeof call->why;
    if (!near) {
        snprintf(call->why, room, "the evidence has no answer to %.150s: the run did not ask this",
            asked);
        return;
    }
    if (strcmp(near->shown, asked) == 0) {
        snprintf(call->why, room, "the evidence has not that many runs of: %.150s", asked);
        return;
    }
    size_t at = common_prefix(near->shown, asked);
    while (at > 0 && asked[at - 1] != ' ') {
        at--;
    }
    snprintf(call->why, room,
        "%.36s: the evidence has no answer to %.16s with \"%.48s\"; the nearest, %.36s, has "
        "\"%.48s\"",
        request->purpose ? request->purpose : "request", request->argv[0], asked + at,
        near->purpose, near->shown + at);
}

static void explain(
    struct replay *replay, struct replay_call *call, const struct ng_request *request) {
    struct ng_buf asked;
    ng_buf_init(&asked, WORD_CAP);
    ng_shell_quote_all(&asked, request->argv);
    const char *text = ng_buf_text(&asked);
    const struct ng_tape_entry *near = nearest(replay, request, text);
    describe(call, request, text, near);
    ng_buf_release(&asked);
    if (replay->unknown_count++ == 0) {
        snprintf(replay->unknown, sizeof replay->unknown, "%s", call->why);
    }
}

/** Facts of a host are good for another plan as well; see replay.h. */
static struct ng_tape_entry *facts_of(
    const struct replay *replay, const struct ng_request *request) {
    for (size_t i = 0; i < replay->tape->count; i++) {
        struct ng_tape_entry *entry = &replay->tape->entries[i];
        if (request->purpose && strcmp(request->purpose, "facts") == 0 && !entry->used &&
            strcmp(entry->purpose, "facts") == 0 && strcmp(entry->host, request->host) == 0) {
            return entry;
        }
    }
    return NULL;
}

/** What was asked for the same purpose, as the same in order; a purpose that the evidence does not
 *  know (another plan's phase, another version's words) is answered by the words alone. */
static struct ng_tape_entry *find(struct replay *replay, const struct ng_request *request) {
    char key[NG_EVIDENCE_KEY];
    char own[NG_EVIDENCE_KEY];
    const char *purpose = request->purpose ? request->purpose : "";
    ng_evidence_key(&replay->asked, request, key);
    ng_evidence_key_for(replay->asked.occurrences, key, purpose, own);
    struct ng_tape_entry *entry = ng_tape_find_for(replay->tape, own);
    entry = entry ? entry : facts_of(replay, request);
    if (!entry && !ng_tape_has_purpose(replay->tape, purpose)) {
        entry = ng_tape_find(replay->tape, key);
    }
    return entry;
}

static struct ng_call *replay_submit(struct ng_transport *self, const struct ng_request *request,
    const struct ng_call_events *events) {
    struct replay *replay = (struct replay *)self;
    struct replay_call *call = ng_xmalloc(sizeof *call);
    *call = (struct replay_call){.replay = replay, .next = replay->calls, .events = *events};
    replay->calls = call;
    call->entry = find(replay, request);
    if (!call->entry) {
        explain(replay, call, request);
    } else {
        call->entry->used = true;
    }
    const struct ng_tape_entry *entry = call->entry;
    if (entry && entry->ready_ns >= 0) {
        call->ready_timer =
            ng_timer_start(replay->loop, wait_until(replay, entry->ready_ns), 0, on_ready, call);
    }
    // What had no end was still there when the evidence ends.
    const int64_t end_ns = !entry ? 0 : entry->end_ns >= 0 ? entry->end_ns : replay->tape->last_ns;
    call->end_timer = ng_timer_start(replay->loop, wait_until(replay, end_ns), 0, on_end, call);
    return (struct ng_call *)call;
}

// Stopping changes nothing: the recorded end is the end that stopping had.
static void replay_stop(struct ng_transport *self, struct ng_call *call) {
    (void)self;
    (void)call;
}

static void replay_free(struct ng_transport *self) {
    struct replay *replay = (struct replay *)self;
    while (replay->calls) {
        struct replay_call *call = replay->calls;
        replay->calls = call->next;
        ng_timer_stop(call->ready_timer);
        ng_timer_stop(call->end_timer);
        free(call);
    }
    ng_timer_stop(replay->signal_timer);
    json_decref(replay->asked.occurrences);
    free(replay);
}

static const struct ng_transport_ops replay_ops = {
    .name = "replay",
    .submit = replay_submit,
    .stop = replay_stop,
    .free = replay_free,
};

static void on_signal(void *context) {
    const struct replay *replay = context;
    ng_loop_tell_signal(replay->loop, replay->tape->signal);
}

/** Until when the run waited for a command: a background one is waited for until it is ready. */
static int64_t busy_until(const struct ng_tape_entry *entry) {
    return entry->background && entry->ready_ns >= 0 ? entry->ready_ns : entry->end_ns;
}

/** Decides how the recorded signal will be told. */
static void plan_signal(struct replay *replay) {
    const struct ng_tape *tape = replay->tape;
    const struct ng_tape_entry *last = NULL;
    bool during = false;
    for (size_t i = 0; i < tape->count; i++) {
        const struct ng_tape_entry *entry = &tape->entries[i];
        during = during || (entry->start_ns <= tape->signal_ns &&
                               (busy_until(entry) < 0 || busy_until(entry) > tape->signal_ns));
        if (entry->end_ns >= 0 && entry->end_ns <= tape->signal_ns &&
            (!last || entry->end_ns >= last->end_ns)) {
            last = entry;
        }
    }
    if (during) {
        replay->signal_timer =
            ng_timer_start(replay->loop, wait_until(replay, tape->signal_ns), 0, on_signal, replay);
    } else if (last) {
        replay->signal_behind = last;
    } else {
        ng_loop_tell_signal(replay->loop, tape->signal);
    }
}

struct ng_transport *ng_replay_new(struct ng_tape *tape, struct ng_loop *loop) {
    struct replay *replay = ng_xmalloc(sizeof *replay);
    *replay = (struct replay){.base = {.ops = &replay_ops}, .tape = tape, .loop = loop};
    replay->asked = (struct ng_evidence){.index = -1, .occurrences = json_object()};
    if (tape->signal != 0) {
        plan_signal(replay);
    }
    return &replay->base;
}

const char *ng_replay_unknown(const struct ng_transport *self, size_t *count) {
    const struct replay *replay = (const struct replay *)self;
    if (count) {
        *count = replay->unknown_count;
    }
    return replay->unknown_count > 0 ? replay->unknown : NULL;
}
