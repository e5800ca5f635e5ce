// The link that writes down what goes out and what comes back, and passes both on unchanged.
#include "runner/transport/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner/base/arena.h"
#include "runner/transport/evidence.h"

struct record {
    struct ng_transport base;
    struct ng_transport *next;
    const struct ng_clock *clock;
    int64_t zero_ns;
    unsigned count; /* ids given away */
    struct ng_evidence evidence;
};

struct record_call {
    struct record *record;
    struct ng_call *below;
    struct ng_call_events events;
    unsigned id;
    int64_t start_ns, ready_ns;
};

static int64_t now_of(const struct record *record) {
    return ng_clock_mono(record->clock) - record->zero_ns;
}

static void put_int(json_t *line, const char *key, int64_t value) {
    json_object_set_new(line, key, json_integer(value));
}

static void put_text(json_t *line, const char *key, const char *value) {
    json_object_set_new(line, key, ng_evidence_text(value));
}

static json_t *event_of(const struct record_call *call, const char *event, int64_t at_ns) {
    json_t *line = json_object();
    put_text(line, "event", event);
    put_int(line, "id", call->id);
    put_int(line, "at", at_ns);
    return line;
}

static void put_output(struct record *record, json_t *line, const char *name, const char *data,
    size_t len, size_t cut) {
    char key[16];
    char digest[NG_DIGEST_TEXT];
    put_text(line, name, ng_evidence_store(&record->evidence, data ? data : "", len, digest));
    snprintf(key, sizeof key, "%s_len", name);
    put_int(line, key, (int64_t)len);
    snprintf(key, sizeof key, "%s_cut", name);
    put_int(line, key, (int64_t)cut);
}

static void write_start(const struct record_call *call, const struct ng_request *request) {
    struct ng_evidence *evidence = &call->record->evidence;
    char key[NG_EVIDENCE_KEY];
    char digest[NG_DIGEST_TEXT];
    json_t *line = event_of(call, "start", call->start_ns);
    json_t *argv = json_array();
    for (size_t i = 0; request->argv[i]; i++) {
        json_array_append_new(argv, ng_evidence_text(request->argv[i]));
    }
    json_object_set_new(line, "argv", argv);
    put_text(line, "host", request->host);
    put_text(line, "purpose", request->purpose ? request->purpose : "");
    put_int(line, "deadline_ns", request->deadline_ns);
    put_int(line, "grace_ns", request->grace_ns);
    put_int(line, "port", request->listen_port);
    json_object_set_new(line, "background", json_boolean(request->background));
    put_text(line, "key", ng_evidence_key(evidence, request, key));
    json_object_set_new(line, "stdin",
        request->stdin_data ? json_string(ng_evidence_store(
                                  evidence, request->stdin_data, request->stdin_len, digest))
                            : json_null());
    ng_evidence_line(evidence, line);
}

static void write_end(const struct record_call *call, const struct ng_reply *reply) {
    struct record *record = call->record;
    json_t *line = event_of(call, "end", reply->end_ns);
    put_text(line, "how", ng_ended_word(reply->how));
    put_int(line, "status", reply->status);
    json_object_set_new(line, "by_kill", json_boolean(reply->by_kill));
    put_int(line, "leftovers", reply->leftovers);
    put_int(line, "duration_ns", reply->end_ns - reply->start_ns);
    put_int(line, "user_ns", reply->user_ns);
    put_int(line, "system_ns", reply->system_ns);
    put_int(line, "max_rss", reply->max_rss);
    put_text(line, "why", reply->why);
    put_output(record, line, "out", reply->out, reply->out_len, reply->out_cut);
    put_output(record, line, "err", reply->err, reply->err_len, reply->err_cut);
    ng_evidence_line(&record->evidence, line);
}

static void on_ready(void *context) {
    struct record_call *call = context;
    call->ready_ns = now_of(call->record);
    ng_evidence_line(&call->record->evidence, event_of(call, "ready", call->ready_ns));
    if (call->events.ready) {
        call->events.ready(call->events.context);
    }
}

static void on_ended(void *context, struct ng_reply *reply) {
    struct record_call *call = context;
    reply->id = call->id;
    reply->start_ns = call->start_ns;
    reply->ready_ns = call->ready_ns;
    reply->end_ns = now_of(call->record);
    write_end(call, reply);
    struct ng_call_events events = call->events;
    free(call);
    events.ended(events.context, reply);
}

static struct ng_call *record_submit(struct ng_transport *self, const struct ng_request *request,
    const struct ng_call_events *events) {
    struct record *record = (struct record *)self;
    struct record_call *call = ng_xmalloc(sizeof *call);
    *call = (struct record_call){.record = record, .events = *events, .id = ++record->count};
    call->start_ns = now_of(record);
    write_start(call, request);
    struct ng_call_events ours = {.ready = on_ready, .ended = on_ended, .context = call};
    call->below = ng_transport_submit(record->next, request, &ours);
    return (struct ng_call *)call;
}

static void record_stop(struct ng_transport *self, struct ng_call *handle) {
    struct record *record = (struct record *)self;
    const struct record_call *call = (const struct record_call *)handle;
    ng_evidence_line(&record->evidence, event_of(call, "stop", now_of(record)));
    ng_transport_stop(record->next, call->below);
}

static void record_free(struct ng_transport *self) {
    struct record *record = (struct record *)self;
    ng_transport_free(record->next); // ends what is left, which is still written down
    ng_evidence_close(&record->evidence);
    free(record);
}

static const struct ng_transport_ops record_ops = {
    .name = "record",
    .submit = record_submit,
    .stop = record_stop,
    .free = record_free,
};

struct ng_transport *ng_record_new(struct ng_transport *next, const char *dir,
    const struct ng_evidence_head *head, const struct ng_clock *clock, int64_t start_mono_ns,
    struct ng_err *err) {
    struct record *record = ng_xmalloc(sizeof *record);
    *record = (struct record){.base = {.ops = &record_ops}, .next = next, .clock = clock};
    record->zero_ns = start_mono_ns;
    if (!ng_evidence_open(&record->evidence, dir, err)) {
        ng_transport_free(next);
        free(record);
        return NULL;
    }
    ng_evidence_line(&record->evidence, ng_head_write(head));
    return &record->base;
}

void ng_record_finish(struct ng_transport *self, int signal, int64_t signal_mono_ns) {
    struct record *record = (struct record *)self;
    json_t *line = json_object();
    put_text(line, "event", "finish");
    put_int(line, "at", now_of(record));
    put_int(line, "signal", signal);
    put_int(line, "signal_at", signal != 0 ? signal_mono_ns - record->zero_ns : 0);
    ng_evidence_last_line(&record->evidence, line);
}

bool ng_record_failed(const struct ng_transport *record, struct ng_err *err) {
    const struct ng_err *failed = &((const struct record *)record)->evidence.failed;
    if (failed->kind == NG_ERR_NONE) {
        return false;
    }
    if (err) {
        *err = *failed;
    }
    return true;
}
