/**
 * iperf3.h - the iperf3 engine: goodput of a link, by a one-shot server on the end that receives
 * and a client on the end that sends (`from`). Private to runner/engines.
 */
#ifndef NG_ENGINES_IPERF3_H
#define NG_ENGINES_IPERF3_H

#include <jansson.h>

#include "runner/engines/engine.h"

enum { NG_IPERF3_MAJOR = 3, NG_IPERF3_MINOR = 7, NG_IPERF3_STREAMS_MAX = 128 };
#define NG_IPERF3_MINIMUM "3.7" /* the first with --bidir and the flag "sender" */

struct ng_iperf3_params {
    const struct ng_link *link;
    const struct ng_host *from; /* NULL: the link's first end */
    int64_t streams;
    int64_t time_ns, omit_ns;
    bool reverse, bidir, udp;
    int64_t rate;   /* bit/s of all streams together, 0: no cap */
    int64_t window; /* bytes, 0: the kernel decides */
};

extern const struct ng_engine ng_iperf3;

bool ng_iperf3_build(const struct ng_site *site, struct ng_commands *out, struct ng_err *err);
bool ng_iperf3_parse(const struct ng_site *site, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t reply_count, struct ng_repeat *repeat, bool *transient,
    struct ng_err *err);

/** One of the sums at the end. NaN: not in the document. */
struct ng_iperf3_sum {
    bool found;
    double bytes, start_s, end_s, bits_per_s, retransmits;
    double packets, lost, lost_percent, jitter_s;
};

enum { NG_IPERF3_STEP_S = 1 }; /* -i: every second */

/** What iperf3 says in one document, of the side that printed it. */
struct ng_iperf3_report {
    const char *version; /* "3.12" */
    int major, minor;
    const char *error; /* in-band error, one clean line; NULL */
    bool is_server, udp, reverse, bidir;
    double streams_asked, duration_s; /* of test_start; NaN when the test did not start */
    size_t streams;                   /* in the result; both directions with bidir */
    size_t idle_streams;              /* of them: nothing was received */
    struct ng_iperf3_sum sent, received, reverse_sent, reverse_received;
    struct ng_iperf3_sum plain;  /* end.sum of UDP: mixes both sides */
    double host_cpu, remote_cpu; /* share of one core */
    double rtt_mean_s;           /* of the streams that this side sent */
    /* whole intervals of the forward direction that count, as this side saw them */
    size_t intervals;
    double lowest, mean, deviation;    /* bytes/s; deviation is of the sample */
    double interval_bytes, interval_s; /* sums, for what was cut short */
    double *steps; /* their rates, bytes/s, one per NG_IPERF3_STEP_S; NaN where there is none */
    size_t step_count;
};

/** Reads one document. Everything lives in `arena`. False when it is none of iperf3's. */
bool ng_iperf3_read(
    struct ng_arena *arena, const json_t *doc, struct ng_iperf3_report *out, struct ng_err *err);
/** Reads the document in an output; copies must be identical. False with the reason otherwise. */
bool ng_iperf3_read_reply(struct ng_arena *arena, const struct ng_reply *reply,
    struct ng_iperf3_report *out, struct ng_err *err);

/** Bytes per second by bytes and end - start; NaN when there is no time or no sum. */
double ng_iperf3_rate(const struct ng_iperf3_sum *sum);

/** Whether a failure that iperf3 words like this may be gone at the next try. */
bool ng_iperf3_is_transient(const char *words);
/** What the words mean and what to do, or NULL. */
const char *ng_iperf3_hint(const char *words);

/** Doubts about a report that was accepted. */
void ng_iperf3_find(const struct ng_site *site, const struct ng_iperf3_report *report,
    double throughput, struct ng_repeat *repeat);

#endif
