// Runs requests on this machine, each in a folder of its own and a plain environment.
#include "runner/transport/local.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/arena.h"
#include "runner/base/files.h"
#include "runner/base/strv.h"
#include "runner/process/child.h"

#define GRACE_NS (5 * NG_NS_PER_S)

enum { PATH_MAX_BYTES = 65536, FOLDER_MAX_BYTES = 8192, MARKER_MAX_BYTES = 256 };

struct local {
    struct ng_transport base;
    struct ng_loop *loop;
    char *run_id;
    char *scratch;
    struct ng_strv env; /* what is the same for all requests */
    struct local_call *calls;
    char *spare;    /* a folder that a command left empty, or NULL */
    unsigned count; /* requests so far */
    int64_t zero_ns;
};

struct local_call {
    struct local *local;
    struct local_call *prev, *next;
    struct ng_child *child;  /* NULL: it will not be started */
    struct ng_timer *refuse; /* tells so */
    struct ng_call_events events;
    char *folder;
    int64_t start_ns, ready_ns;
    char why[256];
};

static int64_t now_of(const struct local *local) {
    return ng_clock_mono(ng_loop_clock(local->loop)) - local->zero_ns;
}

static bool path_has(const char *path, const char *folder) {
    size_t len = strlen(folder);
    for (const char *at = path; *at != '\0';) {
        size_t part = strcspn(at, ":");
        if (part == len && strncmp(at, folder, len) == 0) {
            return true;
        }
        at += part;
        at += *at == ':' ? 1 : 0;
    }
    return false;
}

/** Tools such as ethtool lie in sbin, which is not in the PATH of every user and CI job. All that
 * the facts are looked for in is here too, so that a tool which was found can be started. */
static void push_path(struct ng_strv *env) {
    static const char *const more[] = {
        "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"};
    const char *ours = getenv("PATH");
    struct ng_buf path;
    ng_buf_init(&path, PATH_MAX_BYTES);
    ng_buf_adds(&path, ours && ours[0] != '\0' ? ours : "/usr/local/bin:/usr/bin:/bin");
    for (size_t i = 0; i < NG_COUNT(more); i++) {
        if (!path_has(ng_buf_text(&path), more[i])) {
            ng_buf_addf(&path, ":%s", more[i]);
        }
    }
    ng_strv_pushf(env, "PATH=%s", ng_buf_text(&path));
    ng_buf_release(&path);
}

static void push_env(struct ng_strv *env) {
    static const char *const kept[] = {
        "HOME", "USER", "LOGNAME", "SSH_AUTH_SOCK", "NASGATE_LEASE_FOLDER"};
    push_path(env);
    for (size_t i = 0; i < NG_COUNT(kept); i++) {
        const char *value = getenv(kept[i]);
        if (value) {
            ng_strv_pushf(env, "%s=%s", kept[i], value);
        }
    }
    ng_strv_push(env, "LC_ALL=C");
    ng_strv_push(env, "LANG=C");
    ng_strv_push(env, "TZ=UTC");
}

static void link_call(struct local_call *call) {
    call->next = call->local->calls;
    if (call->next) {
        call->next->prev = call;
    }
    call->local->calls = call;
}

/** Most commands leave their folder empty. Making one and removing it costs as much as a quick
 * command itself, so such a folder serves the next one; what was written to or may still be is
 * removed. */
static void clear_folder(struct local_call *call, const struct ng_reply *reply) {
    struct local *local = call->local;
    bool ended = reply->how == NG_ENDED_EXITED && reply->leftovers == 0;
    bool empty = false;
    if (call->folder && ended && !local->spare && ng_dir_is_empty(call->folder, &empty, NULL) &&
        empty) {
        local->spare = call->folder;
        return;
    }
    if (call->folder && !ng_dir_remove(call->folder, NULL)) {
        // Something still writes there; it is tried again when the whole scratch folder goes.
    }
    free(call->folder);
}

/** Tells the end and forgets the call. */
static void tell(struct local_call *call, struct ng_reply *reply) {
    if (call->prev) {
        call->prev->next = call->next;
    } else {
        call->local->calls = call->next;
    }
    if (call->next) {
        call->next->prev = call->prev;
    }
    reply->start_ns = call->start_ns;
    reply->ready_ns = call->ready_ns;
    reply->end_ns = now_of(call->local);
    clear_folder(call, reply);
    struct ng_call_events events = call->events;
    free(call);
    events.ended(events.context, reply);
}

static void on_ready(void *context) {
    struct local_call *call = context;
    call->ready_ns = now_of(call->local);
    if (call->events.ready) {
        call->events.ready(call->events.context);
    }
}

static void on_output(void *context, const char *bytes, size_t len) {
    struct local_call *call = context;
    call->events.output(call->events.context, bytes, len);
}

static void on_ended(void *context, struct ng_child_end *end) {
    static const enum ng_ended_how how[] = {
        [NG_CHILD_EXITED] = NG_ENDED_EXITED,
        [NG_CHILD_SIGNALLED] = NG_ENDED_SIGNALLED,
        [NG_CHILD_DEADLINE] = NG_ENDED_DEADLINE,
        [NG_CHILD_STOPPED] = NG_ENDED_STOPPED,
        [NG_CHILD_NOT_STARTED] = NG_ENDED_NOT_STARTED,
        [NG_CHILD_STUCK] = NG_ENDED_STUCK,
    };
    struct ng_reply reply = {
        .how = how[end->how],
        .status = end->status,
        .by_kill = end->by_kill,
        .leftovers = end->leftovers,
        .user_ns = end->user_ns,
        .system_ns = end->system_ns,
        .max_rss = end->max_rss,
        .out = end->out,
        .out_len = end->out_len,
        .out_cut = end->out_cut,
        .err = end->err,
        .err_len = end->err_len,
        .err_cut = end->err_cut,
    };
    memcpy(reply.why, end->why, sizeof reply.why);
    tell(context, &reply);
}

static void on_refuse(void *context) {
    struct local_call *call = context;
    struct ng_reply reply = {
        .how = NG_ENDED_NOT_STARTED, .out = ng_xstrdup(""), .err = ng_xstrdup("")};
    memcpy(reply.why, call->why, sizeof reply.why);
    ng_timer_stop(call->refuse);
    tell(call, &reply);
}

static char *make_folder(struct local *local, struct ng_err *err) {
    char *spare = local->spare;
    local->spare = NULL;
    if (spare) {
        return spare;
    }
    struct ng_buf path;
    ng_buf_init(&path, FOLDER_MAX_BYTES);
    ng_buf_addf(&path, "%s/%u", local->scratch, local->count);
    char *folder = ng_buf_detach(&path);
    if (!ng_dir_create_new(folder, err)) {
        free(folder);
        return NULL;
    }
    return folder;
}

static struct ng_child *start(struct local_call *call, const struct ng_request *request) {
    const struct local *local = call->local;
    char marker[MARKER_MAX_BYTES];
    snprintf(marker, sizeof marker, "%s.%u", local->run_id, local->count);
    struct ng_strv env = {0};
    ng_strv_pushv(&env, ng_strv_argv(&local->env));
    ng_strv_pushf(&env, "TMPDIR=%s", call->folder);
    struct ng_child_spec spec = {
        .argv = request->argv,
        .env = ng_strv_argv(&env),
        .cwd = request->cwd ? request->cwd : call->folder,
        .marker = marker,
        .stdin_data = request->stdin_data,
        .stdin_len = request->stdin_len,
        .held = request->held,
        .swept = request->swept,
        .out_cap = request->out_cap ? request->out_cap : NG_OUT_CAP,
        .err_cap = request->err_cap ? request->err_cap : NG_ERR_CAP,
        .deadline_ns = request->deadline_ns,
        .grace_ns = request->grace_ns ? request->grace_ns : GRACE_NS,
        .listen_port = request->listen_port,
        .ready_output = request->ready_output,
        .ready = on_ready,
        .ended = on_ended,
        .output = call->events.output ? on_output : NULL,
        .context = call,
    };
    struct ng_child *child = ng_child_start(local->loop, &spec);
    ng_strv_release(&env);
    return child;
}

static struct ng_call *local_submit(struct ng_transport *self, const struct ng_request *request,
    const struct ng_call_events *events) {
    struct local *local = (struct local *)self;
    local->count++;
    struct local_call *call = ng_xmalloc(sizeof *call);
    *call = (struct local_call){.local = local, .events = *events};
    link_call(call);
    struct ng_err err = {0};
    call->folder = make_folder(local, &err);
    call->start_ns = now_of(local);
    if (call->folder) {
        call->child = start(call, request);
    } else {
        snprintf(call->why, sizeof call->why, "%.*s", (int)sizeof call->why - 1, err.text);
        call->refuse = ng_timer_start(local->loop, 0, 0, on_refuse, call);
    }
    return (struct ng_call *)call;
}

static void local_stop(struct ng_transport *self, struct ng_call *call) {
    (void)self;
    struct ng_child *child = ((struct local_call *)call)->child;
    if (child) {
        ng_child_stop(child);
    }
}

static bool no_calls(void *context) {
    const struct local *local = context;
    return local->calls == NULL;
}

static void local_free(struct ng_transport *self) {
    struct local *local = (struct local *)self;
    for (const struct local_call *call = local->calls; call; call = call->next) {
        if (call->child) {
            ng_child_stop(call->child);
            ng_child_stop(call->child); // not politely: nobody waits for a result any more
        }
    }
    ng_loop_run(local->loop, no_calls, local);
    if (!ng_dir_remove(local->scratch, NULL)) {
        // It lies below the folder for temporary files, holds no result and is nobody's but ours.
    }
    ng_strv_release(&local->env);
    free(local->spare);
    free(local->scratch);
    free(local->run_id);
    free(local);
}

static const struct ng_transport_ops local_ops = {
    .name = "local",
    .submit = local_submit,
    .stop = local_stop,
    .free = local_free,
};

struct ng_transport *ng_local_new(struct ng_loop *loop, const char *run_id, struct ng_err *err) {
    char stem[MARKER_MAX_BYTES];
    char *scratch = NULL;
    snprintf(stem, sizeof stem, NG_SCRATCH_STEM, run_id);
    if (!ng_dir_create_temp(stem, &scratch, err)) {
        ng_err_wrap(err, "scratch folder");
        return NULL;
    }
    struct local *local = ng_xmalloc(sizeof *local);
    *local = (struct local){.base = {.ops = &local_ops}, .loop = loop, .scratch = scratch};
    local->run_id = ng_xstrdup(run_id);
    local->zero_ns = ng_clock_mono(ng_loop_clock(loop));
    push_env(&local->env);
    return &local->base;
}
