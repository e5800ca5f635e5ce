/* iperf3.c - the iperf3 engine's face: fields, metrics, rules across fields, cost. */
#include "runner/engines/iperf3.h"

#include <string.h>

#include "runner/base/clock.h"
#include "runner/engines/helpers.h"

#define NS 1e9 /* per second: durations are in nanoseconds */
#define AT(member) offsetof(struct ng_iperf3_params, member)

static const struct ng_field fields[] = {
    {.name = "link",
        .type = NG_FIELD_LINK,
        .offset = AT(link),
        .flags = NG_REQUIRED,
        .help = "the link to measure"},
    {.name = "from",
        .type = NG_FIELD_HOST,
        .offset = AT(from),
        .help = "the host that sends; the link's first end without it"},
    {.name = "streams",
        .type = NG_FIELD_INT,
        .offset = AT(streams),
        .min = 1,
        .max = NG_IPERF3_STREAMS_MAX,
        .fallback = "1",
        .help = "connections at the same time"},
    {.name = "time",
        .type = NG_FIELD_DURATION,
        .offset = AT(time_ns),
        .min = NS,
        .max = 3600 * NS,
        .fallback = "10 s",
        .help = "how long, in whole seconds"},
    {.name = "omit",
        .type = NG_FIELD_DURATION,
        .offset = AT(omit_ns),
        .max = 60 * NS,
        .fallback = "0 s",
        .help = "whole seconds at the beginning that are not measured"},
    {.name = "reverse",
        .type = NG_FIELD_BOOL,
        .offset = AT(reverse),
        .fallback = "false",
        .help = "the second end sends; only where both ends lie on one host, else use from"},
    {.name = "bidir",
        .type = NG_FIELD_BOOL,
        .offset = AT(bidir),
        .fallback = "false",
        .help = "both ends send at the same time"},
    {.name = "udp",
        .type = NG_FIELD_BOOL,
        .offset = AT(udp),
        .fallback = "false",
        .help = "UDP at the given rate, to measure loss and jitter"},
    {.name = "rate",
        .type = NG_FIELD_RATE,
        .offset = AT(rate),
        .help = "cap for all streams together, in each direction; udp needs it"},
    {.name = "window",
        .type = NG_FIELD_SIZE,
        .offset = AT(window),
        .min = 1024,
        .max = 1073741824,
        .help = "socket buffer size; without it the kernel tunes it"},
};

static const struct ng_metric_def metrics[] = {
    {"throughput", NG_WIRE_INIT, NG_BETTER_HIGHER, "goodput as the receiver counted it",
        "end.sum_received: bytes / (end - start)"},
    {"sent", NG_WIRE_INIT, NG_BETTER_NEITHER, "rate as the sender counted it",
        "end.sum_sent: bytes / (end - start)"},
    {"retransmits", NG_NONE_INIT, NG_BETTER_LOWER,
        "TCP segments sent again; not measured where the sender does not tell",
        "end.sum_sent.retransmits"},
    {"throughput.min", NG_WIRE_INIT, NG_BETTER_HIGHER,
        "the slowest whole interval of a second, as the client counted it",
        "intervals[].sum: bytes / seconds"},
    {"throughput.cv", NG_SHARE_INIT, NG_BETTER_LOWER,
        "spread of the intervals: standard deviation / mean", "intervals[].sum"},
    {"cpu.sender", NG_NONE_INIT, NG_BETTER_LOWER, "CPU of the sending iperf3; 1 is one core",
        "end.cpu_utilization_percent, host or remote"},
    {"cpu.receiver", NG_NONE_INIT, NG_BETTER_LOWER, "CPU of the receiving iperf3; 1 is one core",
        "end.cpu_utilization_percent, remote or host"},
    {"rtt.mean", NG_TIME_INIT, NG_BETTER_LOWER, "round trip of TCP under load, mean of the streams",
        "end.streams[].sender.mean_rtt"},
    {"loss", NG_SHARE_INIT, NG_BETTER_LOWER, "share of UDP packets that did not arrive",
        "end.sum_received.lost_percent, the receiver's own where it can be had"},
    {"jitter", NG_TIME_INIT, NG_BETTER_LOWER, "variation of the UDP packets' transit times",
        "end.sum_received.jitter_ms"},
    {"reverse.throughput", NG_WIRE_INIT, NG_BETTER_HIGHER,
        "goodput of the other direction at the same time", "end.sum_received_bidir_reverse"},
    {"reverse.retransmits", NG_NONE_INIT, NG_BETTER_LOWER,
        "TCP segments sent again in the other direction", "end.sum_sent_bidir_reverse.retransmits"},
};

static bool same_host(const struct ng_link *link) {
    return link->ends[0].at.host == link->ends[1].at.host;
}

static void check_direction(
    const struct ng_iperf3_params *p, const struct ng_node *node, struct ng_diags *diags) {
    if (p->link == NULL) {
        return; /* told already */
    }
    ng_link_check_from(p->link, p->from, node, diags);
    if (p->reverse && !same_host(p->link)) {
        const struct ng_link_end *other = &p->link->ends[1 - ng_link_from_end(p->link, p->from)];
        ng_diag_error(diags, ng_field_place(node, "reverse"), "reverse-between-hosts",
            "the ends lie on two hosts; name the sender instead: from: %s", other->at.host->name);
    }
    if (p->reverse && p->bidir) {
        ng_diag_error(diags, ng_field_place(node, "bidir"), "reverse-and-bidir",
            "bidir measures both directions already; leave reverse out");
    }
}

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    const struct ng_iperf3_params *p = params;
    check_direction(p, node, diags);
    if (p->time_ns % NG_NS_PER_S != 0) {
        ng_diag_error(diags, ng_field_place(node, "time"), "whole-seconds",
            "iperf3 takes its time in whole seconds");
    }
    if (p->omit_ns % NG_NS_PER_S != 0) {
        ng_diag_error(diags, ng_field_place(node, "omit"), "whole-seconds",
            "iperf3 takes the seconds to omit as a whole number");
    }
    if (p->udp && p->rate == 0) {
        ng_diag_error(diags, ng_field_place(node, "udp"), "udp-without-rate",
            "udp needs rate: iperf3 sends at 1 Mbit/s without it");
    }
    if (p->rate > 0 && p->rate / (p->streams > 0 ? p->streams : 1) < 1000) {
        ng_diag_error(diags, ng_field_place(node, "rate"), "rate-too-low",
            "rate leaves less than 1 kbit/s for each stream");
    }
}

static bool measures(const void *params, const struct ng_metric_def *metric) {
    const struct ng_iperf3_params *p = params;
    const char *name = metric->name;
    if (strcmp(name, "loss") == 0 || strcmp(name, "jitter") == 0) {
        return p->udp;
    }
    if (strcmp(name, "retransmits") == 0) {
        return !p->udp;
    }
    if (strcmp(name, "rtt.mean") == 0) {
        return !p->udp && !p->reverse; /* the client sees it of what it sends only */
    }
    if (strcmp(name, "reverse.throughput") == 0) {
        return p->bidir;
    }
    if (strcmp(name, "reverse.retransmits") == 0) {
        return p->bidir && !p->udp;
    }
    if (strncmp(name, "throughput.", 11) == 0) {
        return p->time_ns >= 2 * NG_NS_PER_S; /* one interval has no spread */
    }
    return true;
}

static void estimate(const void *params, struct ng_cost *cost) {
    const struct ng_iperf3_params *p = params;
    cost->time_ns = p->time_ns + p->omit_ns;
}

static size_t hosts(const void *params, const struct ng_host *out[2]) {
    const struct ng_iperf3_params *p = params;
    out[0] = p->link->ends[0].at.host;
    out[1] = p->link->ends[1].at.host;
    return same_host(p->link) ? 1 : 2;
}

static const struct ng_link *link_of(const void *params) {
    return ((const struct ng_iperf3_params *)params)->link;
}

const struct ng_engine ng_iperf3 = {
    .kind =
        {
            .record = {.name = "iperf3",
                .fields = fields,
                .count = NG_COUNT(fields),
                .size = sizeof(struct ng_iperf3_params),
                .help = "measures the goodput of a link with TCP or UDP"},
            .metrics = metrics,
            .metric_count = NG_COUNT(metrics),
            .check = check,
            .measures = measures,
            .estimate = estimate,
        },
    .tool = {.tool = "iperf3", .package = "iperf3", .minimum = NG_IPERF3_MINIMUM},
    .hosts = hosts,
    .link = link_of,
    .build = ng_iperf3_build,
    .parse = ng_iperf3_parse,
};
