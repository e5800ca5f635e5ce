// Makes and keeps the control connection of an ssh host.
#include "runner/transport/master.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/arena.h"
#include "runner/transport/ssh_words.h"

struct ng_master {
    struct ng_transport *local;
    struct ng_loop *loop;
    const struct ng_reach *reach;
    char *socket;
    void (*settled)(void *context, const char *failed);
    void *context;
    struct ng_call *call; // the connection's process, or NULL
    struct ng_timer *limit;
    bool stands, late;
};

// A whole run and more; the connection ends with the run.
#define LIFE_NS (366 * 86400 * NG_NS_PER_S)

static void end_attempt(struct ng_master *master, const char *failed) {
    ng_timer_stop(master->limit);
    master->limit = NULL;
    master->settled(master->context, failed);
}

static void on_late(void *context) {
    struct ng_master *master = context;
    master->late = true;
    ng_transport_stop(master->local, master->call);
}

/** The local command of ssh: it is run once the login is done and the socket is there. */
static void on_output(void *context, const char *bytes, size_t len) {
    struct ng_master *master = context;
    (void)bytes;
    if (len > 0 && master->limit) {
        master->stands = true;
        end_attempt(master, NULL);
    }
}

static void on_ended(void *context, struct ng_reply *reply) {
    struct ng_master *master = context;
    char words[NG_SSH_WORDS];
    const bool known = ng_ssh_words(master->reach->target, reply->err, reply->err_len, words);
    master->call = NULL;
    master->stands = false;
    if (master->limit && reply->how == NG_ENDED_NOT_STARTED) {
        snprintf(words, sizeof words, "%.120s: install openssh-client here", reply->why);
        end_attempt(master, words);
    } else if (master->limit && master->late) {
        snprintf(words, sizeof words,
            "the login at %.60s took longer than %d s: does the agent ask a question?",
            master->reach->target, (int)(NG_MASTER_NS / NG_NS_PER_S));
        end_attempt(master, words);
    } else if (master->limit) {
        // What is not known may be about sharing connections only: then each command tries alone.
        end_attempt(master, known ? words : NULL);
    }
    ng_reply_release(reply);
}

struct ng_master *ng_master_new(struct ng_transport *local, struct ng_loop *loop,
    const struct ng_reach *reach, const char *socket,
    void (*settled)(void *context, const char *failed), void *context) {
    struct ng_master *master = ng_xmalloc(sizeof *master);
    *master = (struct ng_master){.local = local,
        .loop = loop,
        .reach = reach,
        .socket = ng_xstrdup(socket),
        .settled = settled,
        .context = context};
    return master;
}

void ng_master_free(struct ng_master *master) {
    if (master) {
        ng_timer_stop(master->limit);
        free(master->socket);
        free(master);
    }
}

bool ng_master_ready(struct ng_master *master) {
    if (master->stands || master->call) {
        return master->stands;
    }
    struct ng_strv argv = {0};
    ng_wrap_master(master->reach, master->socket, &argv);
    const struct ng_request request = {
        .host = master->reach->host,
        .purpose = "control connection",
        .argv = ng_strv_argv(&argv),
        .deadline_ns = LIFE_NS,
        .grace_ns = NG_NS_PER_S,
    };
    const struct ng_call_events events = {
        .ended = on_ended, .output = on_output, .context = master};
    master->late = false;
    master->limit = ng_timer_start(master->loop, NG_MASTER_NS, 0, on_late, master);
    master->call = ng_transport_submit(master->local, &request, &events);
    ng_strv_release(&argv);
    return false;
}

const char *ng_master_socket(const struct ng_master *master) {
    return master->stands ? master->socket : NULL;
}
