/**
 * ping.h - the ping engine: round trip times, loss, and whether a packet size fits through a link.
 * Private to runner/engines.
 */
#ifndef NG_ENGINES_PING_H
#define NG_ENGINES_PING_H

#include "runner/engines/engine.h"
#include "runner/facts/ping_text.h"

enum { NG_PING_TIMED_SIZE = 16 }; /* smaller payloads have no room for a time stamp */

struct ng_ping_params {
    const struct ng_link *link;
    const struct ng_host *from; /* NULL: the link's first end */
    int64_t count;
    int64_t interval_ns;
    int64_t size; /* bytes of payload */
    bool df;      /* do not fragment */
};

extern const struct ng_engine ng_ping;

bool ng_ping_parse(const struct ng_site *site, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t reply_count, struct ng_repeat *repeat, bool *transient,
    struct ng_err *err);

#endif
