// Sends requests of other hosts through ssh or a prefix, under the watchdog.
#include "runner/transport/hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/arena.h"
#include "runner/base/digest.h"
#include "runner/base/files.h"
#include "runner/process/child.h"
#include "runner/transport/master.h"
#include "runner/transport/settle.h"

enum {
    INPUT_CAP = 256 * 1024 * 1024,
    NOISE_ROOM = 64 * 1024, /* what shells and ssh may say on standard error beside the command */
    SOCKET_PATH_MAX = 80,   /* of the 108 bytes that a socket's name can have: ssh adds to it */
    NAME_MAX_BYTES = 200,
};

// How long the connection may stay open after the command there has told its end.
#define FAREWELL_NS (10 * NG_NS_PER_S)
// How long an order to stop waits for the command to start: BusyBox's head reads the command's
// input with what stands behind it, and an order that is there already would be lost.
#define STOP_WAITS_NS (2 * NG_NS_PER_S)

struct line {
    const struct ng_reach *reach;
    struct hosts *hosts;
    struct ng_master *master; /* NULL: none is used */
};

struct hosts {
    struct ng_transport base;
    struct ng_transport *next;
    struct ng_loop *loop;
    char *run_id;
    char *folder; /* for sockets, or NULL */
    struct line *lines;
    size_t line_count;
    unsigned count; /* requests to other hosts so far */
    bool closing;
    struct hosts_call *calls;
};

struct hosts_call {
    struct hosts *hosts;
    struct hosts_call *prev, *next;
    struct line *line;
    struct ng_call *below; /* NULL: it waits for the connection, or has ended */
    bool waits;            /* for the connection */
    bool told_ready;
    bool speaks; /* is ready once it has written something */
    struct ng_timer *timer;
    struct ng_timer *order; /* runs while an order to stop waits */
    struct ng_call_events events;
    char *word, *purpose;
    struct ng_buf input;
    struct ng_request limits; /* only its numbers are used */
    struct ng_marks marks;
    struct ng_reply reply; /* while the timer runs to its telling */
};

static void free_call(struct hosts_call *call) {
    if (call->prev) {
        call->prev->next = call->next;
    } else {
        call->hosts->calls = call->next;
    }
    if (call->next) {
        call->next->prev = call->prev;
    }
    ng_timer_stop(call->timer);
    ng_timer_stop(call->order);
    ng_marks_release(&call->marks);
    ng_buf_release(&call->input);
    free(call->word);
    free(call->purpose);
    free(call);
}

static void tell(struct hosts_call *call) {
    const struct ng_call_events events = call->events;
    struct ng_reply reply = call->reply;
    free_call(call);
    events.ended(events.context, &reply);
}

static void on_tell(void *context) {
    tell(context);
}

/** From the loop, since nothing is told from within submit and stop. */
static void tell_later(struct hosts_call *call, int64_t after_ns) {
    ng_timer_stop(call->timer);
    call->timer = ng_timer_start(call->hosts->loop, after_ns, 0, on_tell, call);
}

static void not_sent(struct hosts_call *call, enum ng_ended_how how, const char *why) {
    call->waits = false;
    call->reply = (struct ng_reply){.how = how, .out = ng_xstrdup(""), .err = ng_xstrdup("")};
    snprintf(call->reply.why, sizeof call->reply.why, "%s", why);
    tell_later(call, 0);
}

static void on_farewell(void *context) {
    const struct hosts_call *call = context;
    ng_transport_stop(call->hosts->next, call->below);
}

static void pass_order(void *context) {
    struct hosts_call *call = context;
    ng_timer_stop(call->order);
    call->order = NULL;
    ng_transport_stop(call->hosts->next, call->below);
}

static void on_output(void *context, const char *bytes, size_t len) {
    struct hosts_call *call = context;
    struct ng_marks *marks = &call->marks;
    ng_marks_feed(marks, bytes, len);
    const bool ready = call->limits.listen_port ? marks->ready
                       : call->speaks           ? marks->body.len + marks->body.cut > 0
                                                : marks->started;
    if (ready && !call->told_ready) {
        call->told_ready = true;
        if (call->events.ready) {
            call->events.ready(call->events.context);
        }
    }
    if (call->order && marks->started) {
        pass_order(call);
    }
    if (marks->ended && !call->timer) {
        call->timer = ng_timer_start(call->hosts->loop, FAREWELL_NS, 0, on_farewell, call);
    }
}

static void on_ended(void *context, struct ng_reply *reply) {
    struct hosts_call *call = context;
    ng_timer_stop(call->order);
    call->order = NULL;
    call->below = NULL;
    call->reply = *reply;
    ng_settle(call->line->reach, call->word, &call->marks, &call->reply);
    if (call->reply.how == NG_ENDED_LOST && !call->hosts->closing) {
        tell_later(call, NG_HOSTS_LOST_NS);
    } else {
        tell(call);
    }
}

static void send(struct hosts_call *call) {
    const struct line *line = call->line;
    struct ng_strv argv = {0};
    ng_wrap_argv(line->reach, line->master ? ng_master_socket(line->master) : NULL, &argv);
    struct ng_request request = call->limits;
    request.host = line->reach->host;
    request.purpose = call->purpose;
    request.argv = ng_strv_argv(&argv);
    request.stdin_data = ng_buf_text(&call->input);
    request.stdin_len = call->input.len;
    request.listen_port = 0;
    request.held = true;
    const struct ng_call_events events = {.ended = on_ended, .output = on_output, .context = call};
    call->waits = false;
    call->below = ng_transport_submit(call->hosts->next, &request, &events);
    ng_buf_release(&call->input);
    ng_strv_release(&argv);
}

static void on_settled(void *context, const char *failed) {
    struct line *line = context;
    for (struct hosts_call *call = line->hosts->calls; call; call = call->next) {
        if (!call->waits || call->line != line) {
            continue;
        }
        if (failed) {
            not_sent(call, NG_ENDED_NOT_STARTED, failed);
        } else {
            send(call);
        }
    }
}

/** Nobody can guess it from what a command prints, and equal runs need not agree on it. */
static void make_token(const struct hosts *hosts, char token[NG_MARKS_TOKEN]) {
    char seed[NAME_MAX_BYTES];
    char digest[NG_DIGEST_TEXT];
    snprintf(
        seed, sizeof seed, "watchdog %s %u %p", hosts->run_id, hosts->count, (const void *)hosts);
    snprintf(token, NG_MARKS_TOKEN, "NG%.24s", ng_digest(seed, strlen(seed), digest));
}

static struct hosts_call *new_call(struct hosts *hosts, struct line *line,
    const struct ng_request *request, const struct ng_call_events *events) {
    char token[NG_MARKS_TOKEN];
    char mark[NAME_MAX_BYTES];
    struct hosts_call *call = ng_xmalloc(sizeof *call);
    *call =
        (struct hosts_call){.hosts = hosts, .next = hosts->calls, .line = line, .events = *events};
    if (call->next) {
        call->next->prev = call;
    }
    hosts->calls = call;
    hosts->count++;
    make_token(hosts, token);
    snprintf(mark, sizeof mark, "%s.%u", hosts->run_id, hosts->count);
    ng_marks_init(&call->marks, token, request->out_cap ? request->out_cap : NG_OUT_CAP);
    ng_buf_init(&call->input, INPUT_CAP);
    ng_wrap_input(request, token, mark, &call->input);
    call->speaks = request->ready_output;
    call->word = ng_xstrdup(request->argv[0]);
    call->purpose = ng_xstrdup(request->purpose ? request->purpose : "");
    call->limits = (struct ng_request){.deadline_ns = request->deadline_ns,
        .grace_ns = request->grace_ns,
        .listen_port = request->listen_port,
        .err_cap = (request->err_cap ? request->err_cap : NG_ERR_CAP) + NOISE_ROOM};
    return call;
}

static struct line *line_to(const struct hosts *hosts, const char *host) {
    for (size_t i = 0; i < hosts->line_count; i++) {
        if (strcmp(hosts->lines[i].reach->host, host) == 0) {
            return &hosts->lines[i];
        }
    }
    return NULL;
}

static struct ng_call *hosts_submit(struct ng_transport *self, const struct ng_request *request,
    const struct ng_call_events *events) {
    struct hosts *hosts = (struct hosts *)self;
    struct line *line = line_to(hosts, request->host);
    if (!line) {
        return ng_transport_submit(hosts->next, request, events);
    }
    struct hosts_call *call = new_call(hosts, line, request, events);
    if (call->input.cut > 0) {
        not_sent(call, NG_ENDED_NOT_STARTED, "the command's input is too large");
    } else if (line->master && !ng_master_ready(line->master)) {
        call->waits = true;
    } else {
        send(call);
    }
    return (struct ng_call *)call;
}

static void hosts_stop(struct ng_transport *self, struct ng_call *handle) {
    struct hosts *hosts = (struct hosts *)self;
    struct hosts_call *call = hosts->calls;
    while (call && (struct ng_call *)call != handle) {
        call = call->next;
    }
    if (!call) {
        ng_transport_stop(hosts->next, handle); // of this machine
    } else if (call->below && !call->marks.started && !call->order) {
        call->order = ng_timer_start(hosts->loop, STOP_WAITS_NS, 0, pass_order, call);
    } else if (call->below) {
        pass_order(call); // also one that waits: it is the second
    } else if (call->waits) {
        not_sent(call, NG_ENDED_STOPPED, "");
    }
}

static void hosts_free(struct ng_transport *self) {
    struct hosts *hosts = (struct hosts *)self;
    hosts->closing = true;
    for (struct hosts_call *call = hosts->calls, *next; call; call = next) {
        next = call->next;
        if (call->waits) {
            not_sent(call, NG_ENDED_STOPPED, "");
        }
        if (!call->below) {
            tell(call);
        }
    }
    ng_transport_free(hosts->next); // ends the connections, and what still runs through them
    for (size_t i = 0; i < hosts->line_count; i++) {
        ng_master_free(hosts->lines[i].master);
    }
    if (hosts->folder && !ng_dir_remove(hosts->folder, NULL)) {
        // It lies below the folder for temporary files and holds nothing but sockets.
    }
    free(hosts->folder);
    free(hosts->lines);
    free(hosts->run_id);
    free(hosts);
}

static const struct ng_transport_ops hosts_ops = {
    .name = "hosts",
    .submit = hosts_submit,
    .stop = hosts_stop,
    .free = hosts_free,
};

/** Gives an ssh host its control connection, unless its socket's name would not do: ssh replaces
 * what follows a percent sign. */
static void set_up_line(struct hosts *hosts, size_t index) {
    struct line *line = &hosts->lines[index];
    char socket[SOCKET_PATH_MAX];
    const int len = snprintf(socket, sizeof socket, "%s/%zu", hosts->folder, index);
    if (!line->reach->prefix && len > 0 && (size_t)len < sizeof socket && !strchr(socket, '%')) {
        line->master =
            ng_master_new(hosts->next, hosts->loop, line->reach, socket, on_settled, line);
    }
}

struct ng_transport *ng_hosts_new(struct ng_transport *next, struct ng_loop *loop,
    const char *run_id, const struct ng_reach *reaches, size_t count, struct ng_err *err) {
    char stem[NAME_MAX_BYTES];
    char *folder = NULL;
    if (count == 0) {
        return next;
    }
    snprintf(stem, sizeof stem, NG_SCRATCH_STEM, run_id);
    if (!ng_dir_create_temp(stem, &folder, err)) {
        ng_err_wrap(err, "folder for control connections");
        ng_transport_free(next);
        return NULL;
    }
    struct hosts *hosts = ng_xmalloc(sizeof *hosts);
    *hosts = (struct hosts){.base = {.ops = &hosts_ops},
        .next = next,
        .loop = loop,
        .run_id = ng_xstrdup(run_id),
        .folder = folder,
        .line_count = count,
        .lines = ng_xmalloc(count * sizeof *hosts->lines)};
    for (size_t i = 0; i < count; i++) {
        hosts->lines[i] = (struct line){.reach = &reaches[i], .hosts = hosts};
        set_up_line(hosts, i);
    }
    return &hosts->base;
}
