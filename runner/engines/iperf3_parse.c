/* iperf3_parse.c - from the replies of an iperf3 phase to measures, or to the reason for none. */
#include <math.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/engines/helpers.h"
#include "runner/engines/iperf3.h"

/** What UDP's receiver tells, by whoever could tell it. */
struct arrival {
    double throughput; /* bytes/s */
    double loss, jitter_s;
    const char *told_by;
};

/** Says that `who` failed with `words`; tells whether it is worth another try. */
static bool fail(const char *who, const char *words, bool *transient, struct ng_err *err) {
    const char *hint = ng_iperf3_hint(words);
    *transient = ng_iperf3_is_transient(words);
    return ng_err_set(err, NG_ERR_ENGINE, "%s: %s%s%s", who, words, hint != NULL ? ": " : "",
        hint != NULL ? hint : "");
}

static bool server_failed(
    const struct ng_site *site, const struct ng_reply *reply, bool *transient, struct ng_err *err) {
    if (reply->how == NG_ENDED_STOPPED) {
        return ng_err_set(err, NG_ERR_DEADLINE, "the iperf3 server did not come to listen: %s",
            ng_reply_words(site->arena, reply));
    }
    if (!ng_reply_exited("the iperf3 server", reply, err)) {
        return false;
    }
    struct ng_iperf3_report report;
    const char *words = ng_reply_words(site->arena, reply);
    if (ng_iperf3_read_reply(site->arena, reply, &report, NULL) && report.error != NULL) {
        words = report.error;
    }
    return fail("the iperf3 server ended before the test", words, transient, err);
}

/** Whether a direction was measured for (nearly) all of the time that was asked for. */
static bool accept_time(
    const struct ng_iperf3_sum *sum, double asked, const char *direction, struct ng_err *err) {
    double ran = sum->end_s - sum->start_s;
    return ran >= 0.9 * asked ||
           ng_err_set(err, NG_ERR_ENGINE, "iperf3 measured %.2f s of the %.0f s asked for%s", ran,
               asked, direction);
}

/** Whether the document is about the test that was asked for, and about all of it. */
static bool accept(const struct ng_site *site, const struct ng_iperf3_report *report,
    const struct ng_reply *reply, struct ng_err *err) {
    const struct ng_iperf3_params *p = site->phase->params;
    double asked = (double)p->time_ns / (double)NG_NS_PER_S;
    size_t streams = (size_t)p->streams * (p->bidir ? 2 : 1);
    if (ng_tool_version_below(report->major, report->minor, NG_IPERF3_MAJOR, NG_IPERF3_MINOR)) {
        return ng_err_set(err, NG_ERR_ENGINE, "iperf3 %s is too old; %s or later is needed",
            report->version, NG_IPERF3_MINIMUM);
    }
    if (report->is_server || report->udp != p->udp || report->reverse != p->reverse ||
        report->streams_asked != (double)p->streams || report->duration_s != asked) {
        return ng_err_set(err, NG_ERR_ENGINE,
            "iperf3's result is of another test: %s, %s, %.0f streams, %.0f s",
            report->udp ? "UDP" : "TCP", report->reverse ? "reverse" : "forward",
            report->streams_asked, report->duration_s);
    }
    if (report->streams != streams) {
        return ng_err_set(err, NG_ERR_ENGINE, "iperf3 reports %zu streams where %zu were asked for",
            report->streams, streams);
    }
    const struct ng_iperf3_sum *sum = report->received.found ? &report->received : &report->plain;
    if (!accept_time(sum, asked, "", err)) {
        return false;
    }
    const struct ng_iperf3_sum *other = &report->reverse_received;
    if (p->bidir && other->found && !accept_time(other, asked, " in the other direction", err)) {
        return false;
    }
    double ran = sum->end_s - sum->start_s;
    double other_ran = other->found ? other->end_s - other->start_s : 0;
    return ng_reply_lasted("iperf3", reply, fmax(ran, other_ran), err);
}

static double share_lost(const struct ng_iperf3_sum *sum) {
    double share = sum->packets > 0 ? sum->lost / sum->packets : sum->lost_percent / 100;
    return isnan(share) ? (double)NAN : fmin(fmax(share, 0), 1);
}

/** The receiver's figures from its own document where it has them. */
static bool arrival_at_server(
    const struct ng_site *site, const struct ng_reply *reply, struct arrival *out) {
    struct ng_iperf3_report server;
    if (!ng_iperf3_read_reply(site->arena, reply, &server, NULL) || server.error != NULL ||
        !server.is_server || !(server.received.bytes > 0)) {
        return false;
    }
    *out = (struct arrival){ng_iperf3_rate(&server.received), share_lost(&server.received),
        server.received.jitter_s, "the receiver"};
    return isfinite(out->throughput) && isfinite(out->loss);
}

/* Before 3.11 the only sum has the sender's bytes and the receiver's losses. */
static struct arrival arrival_at_client(const struct ng_iperf3_report *report) {
    const struct ng_iperf3_sum *sum = &report->received;
    if (sum->found) {
        return (struct arrival){ng_iperf3_rate(sum), share_lost(sum), sum->jitter_s,
            report->reverse ? "the receiver" : "the sender, as told by the receiver"};
    }
    double loss = share_lost(&report->plain);
    return (struct arrival){ng_iperf3_rate(&report->plain) * (1 - loss), loss,
        report->plain.jitter_s, "the sender, from what it sent and what was lost"};
}

static void measure_udp(const struct ng_site *site, const struct ng_iperf3_report *report,
    const struct ng_reply *server, struct ng_repeat *repeat, double *throughput) {
    struct arrival client = arrival_at_client(report);
    struct arrival used = client;
    if (!report->reverse && arrival_at_server(site, server, &used) &&
        fabs(used.loss - client.loss) > 0.01) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "counts-disagree",
            "the sender tells of %.2f%% loss, the receiver of %.2f%%; the receiver's is taken",
            client.loss * 100, used.loss * 100);
    }
    *throughput = used.throughput;
    ng_measure(site, repeat, &ng_iperf3, "loss", used.loss);
    ng_measure(site, repeat, &ng_iperf3, "jitter", used.jitter_s);
    ng_records_add(site->arena, &repeat->records, "loss told by", "%s", used.told_by);
}

/* The intervals are the client's own: what it sent, unless it received. TCP hands over what it
 * sends within the buffers' worth, UDP does not. */
static void sample(
    const struct ng_site *site, const struct ng_iperf3_report *report, struct ng_repeat *repeat) {
    const char *metric = report->udp && !report->reverse ? "sent" : "throughput";
    ng_repeat_sample(site->arena, repeat, ng_kind_metric(&ng_iperf3.kind, metric),
        NG_IPERF3_STEP_S * NG_NS_PER_S, report->steps, report->step_count);
}

static void measure_rest(
    const struct ng_site *site, const struct ng_iperf3_report *report, struct ng_repeat *repeat) {
    const struct ng_iperf3_params *p = site->phase->params;
    ng_measure(site, repeat, &ng_iperf3, "sent", ng_iperf3_rate(&report->sent));
    ng_measure(site, repeat, &ng_iperf3, "cpu.sender",
        report->reverse ? report->remote_cpu : report->host_cpu);
    ng_measure(site, repeat, &ng_iperf3, "cpu.receiver",
        report->reverse ? report->host_cpu : report->remote_cpu);
    if (!p->udp) {
        ng_measure(site, repeat, &ng_iperf3, "retransmits", report->sent.retransmits);
    }
    if (!p->udp && !p->reverse) {
        ng_measure(site, repeat, &ng_iperf3, "rtt.mean", report->rtt_mean_s);
    }
    if (p->bidir) {
        ng_measure(site, repeat, &ng_iperf3, "reverse.throughput",
            ng_iperf3_rate(&report->reverse_received));
    }
    if (p->bidir && !p->udp) {
        ng_measure(
            site, repeat, &ng_iperf3, "reverse.retransmits", report->reverse_sent.retransmits);
    }
    if (report->intervals > 1) {
        ng_measure(site, repeat, &ng_iperf3, "throughput.min", report->lowest);
        ng_measure(site, repeat, &ng_iperf3, "throughput.cv", report->deviation / report->mean);
    }
}

static bool measure(const struct ng_site *site, const struct ng_iperf3_report *report,
    const struct ng_reply *server, struct ng_repeat *repeat, struct ng_err *err) {
    const struct ng_iperf3_params *p = site->phase->params;
    double throughput = ng_iperf3_rate(&report->received);
    if (p->udp) {
        measure_udp(site, report, server, repeat, &throughput);
    }
    if (!(throughput > 0)) {
        return ng_err_set(err, NG_ERR_ENGINE,
            "iperf3 tells of no data that was received (sent: %.0f bytes)", report->sent.bytes);
    }
    if (p->bidir && !(ng_iperf3_rate(&report->reverse_received) > 0)) {
        return ng_err_set(
            err, NG_ERR_ENGINE, "iperf3 tells of no data received in the other direction");
    }
    ng_measure(site, repeat, &ng_iperf3, "throughput", throughput);
    measure_rest(site, report, repeat);
    sample(site, report, repeat);
    ng_records_add(site->arena, &repeat->records, "iperf3", "%s", report->version);
    ng_iperf3_find(site, report, throughput, repeat);
    return true;
}

/* What was counted before the end came: the intervals are the client's own. */
static void salvage(
    const struct ng_site *site, const struct ng_iperf3_report *report, struct ng_repeat *repeat) {
    if (report->interval_s <= 0 || report->interval_bytes <= 0 || report->is_server) {
        return;
    }
    ng_measure(site, repeat, &ng_iperf3, report->reverse ? "throughput" : "sent",
        report->interval_bytes / report->interval_s);
    sample(site, report, repeat);
    repeat->partial = true;
}

static bool parse_client(const struct ng_site *site, const struct ng_reply *server,
    const struct ng_reply *client, struct ng_repeat *repeat, bool *transient, struct ng_err *err) {
    struct ng_iperf3_report report;
    bool ended = ng_reply_exited("the iperf3 client", client, err);
    if (!ended) {
        if (ng_reply_cut_short(client) &&
            ng_iperf3_read_reply(site->arena, client, &report, NULL)) {
            salvage(site, &report, repeat);
        }
        return client->how == NG_ENDED_DEADLINE
                   ? ng_err_wrap(err, "no end of the test (a link that goes dark looks like this)")
                   : false;
    }
    if (!ng_iperf3_read_reply(site->arena, client, &report, err)) {
        *transient = err != NULL && ng_iperf3_is_transient(err->text);
        return false;
    }
    if (report.error != NULL) {
        salvage(site, &report, repeat);
        return fail("the iperf3 client failed", report.error, transient, err);
    }
    if (client->status != 0) {
        salvage(site, &report, repeat);
        return ng_err_set(err, NG_ERR_ENGINE, "the iperf3 client ended with status %d: %s",
            client->status, ng_reply_words(site->arena, client));
    }
    return accept(site, &report, client, err) && measure(site, &report, server, repeat, err);
}

bool ng_iperf3_parse(const struct ng_site *site, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t reply_count, struct ng_repeat *repeat, bool *transient,
    struct ng_err *err) {
    (void)commands;
    *transient = false;
    if (reply_count == 0) {
        return ng_err_set(err, NG_ERR_INTERNAL, "the iperf3 server was not started");
    }
    /* a port that another program has listens as well: then the client spoke to that one */
    bool other = ng_reply_has(&replies[0], "unable to start listener");
    if (reply_count == 1 || other) {
        return server_failed(site, &replies[0], transient, err);
    }
    return parse_client(site, &replies[0], &replies[1], repeat, transient, err);
}
