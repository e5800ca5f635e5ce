/**
 * calls.h - what the tests of this folder share: running one request to its end.
 */
#ifndef NG_TRANSPORT_CALLS_H
#define NG_TRANSPORT_CALLS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/files.h"
#include "runner/process/loop.h"
#include "runner/transport/local.h"
#include "runner/transport/transport.h"

struct waited {
    bool submitted, ready, ended;
    struct ng_reply reply;
};

static inline void waited_ready(void *context) {
    struct waited *waited = context;
    assert_true(waited->submitted);
    assert_false(waited->ready || waited->ended);
    waited->ready = true;
}

static inline void waited_ended(void *context, struct ng_reply *reply) {
    struct waited *waited = context;
    assert_true(waited->submitted);
    assert_false(waited->ended);
    waited->ended = true;
    waited->reply = *reply;
}

static inline bool waited_done(void *context) {
    const struct waited *waited = context;
    return waited->ended;
}

static inline struct ng_call *submit(
    struct waited *waited, struct ng_transport *transport, const struct ng_request *request) {
    const struct ng_call_events events = {
        .ready = waited_ready, .ended = waited_ended, .context = waited};
    struct ng_call *call = ng_transport_submit(transport, request, &events);
    assert_non_null(call);
    assert_false(waited->ended || waited->ready);
    waited->submitted = true;
    return call;
}

static inline struct ng_request request_of(const char *const *argv) {
    return (struct ng_request){
        .host = "here", .purpose = "a test", .argv = argv, .deadline_ns = 60 * NG_NS_PER_S};
}

static inline void run_sh(struct waited *waited, struct ng_loop *loop,
    struct ng_transport *transport, const char *script) {
    const char *argv[] = {"sh", "-c", script, NULL};
    struct ng_request request = request_of(argv);
    submit(waited, transport, &request);
    ng_loop_run(loop, waited_done, waited);
}

static inline void waited_release(struct waited *waited) {
    ng_reply_release(&waited->reply);
    *waited = (struct waited){0};
}

/** A run id that no other test and no other process has. */
static inline const char *unique_run(char id[32]) {
    static int count;
    snprintf(id, 32, "x%ld-%d", (long)getpid(), ++count);
    return id;
}

#endif
