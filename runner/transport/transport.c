// The face that all links share.
#include "runner/transport/transport.h"

#include <stdlib.h>

const char *ng_ended_word(enum ng_ended_how how) {
    switch (how) {
    case NG_ENDED_EXITED:
        return "exited";
    case NG_ENDED_SIGNALLED:
        return "signalled";
    case NG_ENDED_DEADLINE:
        return "deadline";
    case NG_ENDED_STOPPED:
        return "stopped";
    case NG_ENDED_NOT_STARTED:
        return "not started";
    case NG_ENDED_STUCK:
        return "stuck";
    case NG_ENDED_LOST:
        return "lost";
    }
    return "unknown";
}

void ng_reply_release(struct ng_reply *reply) {
    free(reply->out);
    free(reply->err);
    *reply = (struct ng_reply){0};
}

struct ng_call *ng_transport_submit(struct ng_transport *transport,
    const struct ng_request *request, const struct ng_call_events *events) {
    return transport->ops->submit(transport, request, events);
}

void ng_transport_stop(struct ng_transport *transport, struct ng_call *call) {
    transport->ops->stop(transport, call);
}

void ng_transport_free(struct ng_transport *transport) {
    if (transport) {
        transport->ops->free(transport);
    }
}
