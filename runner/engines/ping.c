/* ping.c - the ping engine: fields, metrics, command, verdict over its text. */
#include "runner/engines/ping.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/engines/helpers.h"

enum { WAIT_S = 2, GRACE_S = 10, HEADERS_V4 = 28, HEADERS_V6 = 48 };

#define AT(member) offsetof(struct ng_ping_params, member)

static const struct ng_field fields[] = {
    {.name = "link",
        .type = NG_FIELD_LINK,
        .offset = AT(link),
        .flags = NG_REQUIRED,
        .help = "the link to measure"},
    {.name = "from",
        .type = NG_FIELD_HOST,
        .offset = AT(from),
        .help = "the host that asks; the link's first end without it"},
    {.name = "count",
        .type = NG_FIELD_INT,
        .offset = AT(count),
        .min = 1,
        .max = 10000,
        .fallback = "10",
        .help = "packets to send"},
    {.name = "interval",
        .type = NG_FIELD_DURATION,
        .offset = AT(interval_ns),
        .min = 2e6,
        .max = 60e9,
        .fallback = "200 ms",
        .help = "time between packets, in whole milliseconds; old releases want root below 200 ms"},
    {.name = "size",
        .type = NG_FIELD_SIZE,
        .offset = AT(size),
        .max = 65507,
        .fallback = "56 B",
        .help = "payload: the packet is 28 bytes larger with IPv4, 48 with IPv6"},
    {.name = "df",
        .type = NG_FIELD_BOOL,
        .offset = AT(df),
        .fallback = "false",
        .help = "forbid fragments, to prove that packets of this size pass"},
};

static const struct ng_metric_def metrics[] = {
    {"rtt.min", NG_TIME_INIT, NG_BETTER_LOWER, "shortest round trip", "rtt min/avg/max/mdev"},
    {"rtt.avg", NG_TIME_INIT, NG_BETTER_LOWER, "mean round trip", "rtt min/avg/max/mdev"},
    {"rtt.max", NG_TIME_INIT, NG_BETTER_LOWER, "longest round trip", "rtt min/avg/max/mdev"},
    {"rtt.mdev", NG_TIME_INIT, NG_BETTER_LOWER, "standard deviation of the round trips",
        "rtt min/avg/max/mdev"},
    {"loss", NG_SHARE_INIT, NG_BETTER_LOWER, "share of packets without a reply",
        "1 - received / transmitted"},
    {"received", NG_NONE_INIT, NG_BETTER_HIGHER, "replies, without duplicates", "received"},
    {"transmitted", NG_NONE_INIT, NG_BETTER_NEITHER, "packets sent", "packets transmitted"},
    {"duplicates", NG_NONE_INIT, NG_BETTER_LOWER, "replies that came more than once",
        "+N duplicates"},
};

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    const struct ng_ping_params *p = params;
    ng_link_check_from(p->link, p->from, node, diags);
    if (p->interval_ns % NG_NS_PER_MS != 0) {
        ng_diag_error(diags, ng_field_place(node, "interval"), "whole-milliseconds",
            "ping takes its interval in whole milliseconds");
    }
    if (p->link != NULL && p->df && p->link->mtu > 0 && p->size + HEADERS_V4 > p->link->mtu) {
        ng_diag_warning(diags, ng_field_place(node, "size"), "larger-than-mtu",
            "a payload of %" PRId64 " bytes cannot pass the link's MTU of %" PRId64
            " without fragments; the largest that can is %" PRId64 " (IPv4) or %" PRId64 " (IPv6)",
            p->size, p->link->mtu, p->link->mtu - HEADERS_V4, p->link->mtu - HEADERS_V6);
    }
}

static bool measures(const void *params, const struct ng_metric_def *metric) {
    const struct ng_ping_params *p = params;
    return strncmp(metric->name, "rtt.", 4) != 0 || p->size >= NG_PING_TIMED_SIZE;
}

static void estimate(const void *params, struct ng_cost *cost) {
    const struct ng_ping_params *p = params;
    cost->time_ns = p->count * p->interval_ns;
}

static size_t hosts(const void *params, const struct ng_host *out[2]) {
    const struct ng_ping_params *p = params;
    out[0] = p->link->ends[ng_link_from_end(p->link, p->from)].at.host;
    return 1;
}

static const struct ng_link *link_of(const void *params) {
    return ((const struct ng_ping_params *)params)->link;
}

static bool build(const struct ng_site *site, struct ng_commands *out, struct ng_err *err) {
    const struct ng_ping_params *p = site->phase->params;
    int from = ng_link_from_end(p->link, p->from);
    const char *address = ng_site_address(site, p->link, 1 - from, err);
    if (address == NULL) {
        return false;
    }
    const char *own = ng_site_address(site, p->link, from, NULL);
    int64_t interval_ms = p->interval_ns / NG_NS_PER_MS;
    struct ng_command *command = ng_commands_add(out, "measure", p->link->ends[from].at.host);
    struct ng_strv *argv = &command->argv;
    ng_strv_push(argv, "ping");
    ng_strv_push(argv, "-n");
    ng_strv_push(argv, "-c");
    ng_strv_pushf(argv, "%" PRId64, p->count);
    ng_strv_push(argv, "-i");
    ng_strv_pushf(argv, "%" PRId64 ".%03" PRId64, interval_ms / 1000, interval_ms % 1000);
    ng_strv_push(argv, "-s");
    ng_strv_pushf(argv, "%" PRId64, p->size);
    ng_strv_push(argv, "-W");
    ng_strv_pushf(argv, "%d", WAIT_S);
    if (p->df) {
        ng_strv_push(argv, "-M");
        ng_strv_push(argv, "do");
    }
    if (own != NULL && ng_same_family(own, address)) {
        ng_strv_push(argv, "-I"); /* from its end of the link, not from where a route points */
        ng_strv_push(argv, own);
    }
    ng_strv_push(argv, address);
    command->deadline_ns =
        ng_site_deadline(site, p->count * p->interval_ns + (WAIT_S + GRACE_S) * NG_NS_PER_S);
    command->measures = true;
    return true;
}

static void find_too_long(const struct ng_site *site, const struct ng_ping_text *text,
    const char *address, struct ng_repeat *repeat) {
    const struct ng_ping_params *p = site->phase->params;
    int headers = strchr(address, ':') != NULL ? HEADERS_V6 : HEADERS_V4;
    if (text->mtu > 0) {
        ng_records_add(site->arena, &repeat->records, "path MTU", "%.0f", text->mtu);
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "packet-too-long",
            "packets of %" PRId64 " bytes are too long for the path, whose MTU is %.0f: the "
            "largest payload is %.0f bytes",
            p->size + headers, text->mtu, text->mtu - headers);
    } else {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "packet-too-long",
            "packets of %" PRId64 " bytes are too long for the path", p->size + headers);
    }
}

static void measure(const struct ng_site *site, const struct ng_ping_text *text,
    const char *address, struct ng_repeat *repeat) {
    double loss = fmax(0, 1 - text->received / text->transmitted);
    ng_measure(site, repeat, &ng_ping, "rtt.min", text->min);
    ng_measure(site, repeat, &ng_ping, "rtt.avg", text->avg);
    ng_measure(site, repeat, &ng_ping, "rtt.max", text->max);
    ng_measure(site, repeat, &ng_ping, "rtt.mdev", text->mdev);
    ng_measure(site, repeat, &ng_ping, "loss", loss);
    ng_measure(site, repeat, &ng_ping, "received", text->received);
    ng_measure(site, repeat, &ng_ping, "transmitted", text->transmitted);
    ng_measure(site, repeat, &ng_ping, "duplicates", text->duplicates);
    ng_records_add(site->arena, &repeat->records, "address", "%s", address);
    if (text->errors > 0) {
        ng_records_add(site->arena, &repeat->records, "errors", "%.0f", text->errors);
    }
    if (text->corrupted > 0) {
        ng_records_add(site->arena, &repeat->records, "corrupted", "%.0f", text->corrupted);
    }
}

static void find(const struct ng_site *site, const struct ng_ping_text *text, const char *address,
    struct ng_repeat *repeat) {
    if (text->too_long) {
        find_too_long(site, text, address, repeat);
    }
    if (text->duplicates > 0 || text->received > text->transmitted) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "duplicates",
            "%.0f replies came more than once: a loop, or several hosts with this address",
            fmax(text->duplicates, text->received - text->transmitted));
    }
    if (text->corrupted > 0) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "corrupted",
            "%.0f replies were corrupted", text->corrupted);
    }
    if (text->received <= 0) {
        /* loss = 1 is a measurement, but where no limit judges it, it must not pass */
        bool judged = ng_site_gates(site, "loss") || ng_site_gates(site, "received");
        ng_repeat_find(site->arena, repeat, judged ? NG_FINDING_WARNING : NG_FINDING_INCONCLUSIVE,
            "no-reply", "none of %.0f packets to %s was answered", text->transmitted, address);
    }
    if (!ng_agree(fmax(0, 1 - text->received / text->transmitted), text->printed_loss, 0.05) &&
        fabs(1 - text->received / text->transmitted - text->printed_loss) > 0.011) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "counts-disagree",
            "ping prints a loss of %.2f%%, but received %.0f of %.0f", text->printed_loss * 100,
            text->received, text->transmitted);
    }
}

bool ng_ping_parse(const struct ng_site *site, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t reply_count, struct ng_repeat *repeat, bool *transient,
    struct ng_err *err) {
    *transient = false;
    if (reply_count == 0 || commands->count == 0) {
        return ng_err_set(err, NG_ERR_INTERNAL, "ping was not started");
    }
    const struct ng_ping_params *p = site->phase->params;
    const struct ng_reply *reply = &replies[0];
    const struct ng_command *command = &commands->items[0];
    const char *address = command->argv.items[command->argv.count - 1];
    struct ng_ping_text text;
    bool read = ng_ping_read(reply->out, reply->out_len, reply->err, reply->err_len, &text, NULL);
    if (!ng_reply_exited("ping", reply, err)) {
        if (ng_reply_cut_short(reply) && read && text.transmitted > 0) {
            measure(site, &text, address, repeat);
            repeat->partial = true;
        }
        return false;
    }
    if (!ng_reply_whole("ping", reply, err)) {
        return false;
    }
    /* 1: no reply came, which is a measurement */
    if (!read || reply->status > 1 || text.transmitted <= 0) {
        return ng_err_set(err, NG_ERR_ENGINE, "ping to %s failed with status %d: %s", address,
            reply->status, ng_reply_words(site->arena, reply));
    }
    measure(site, &text, address, repeat);
    if (text.transmitted < (double)p->count) {
        repeat->partial = true;
        return ng_err_set(err, NG_ERR_ENGINE, "ping sent %.0f of the %" PRId64 " packets asked for",
            text.transmitted, p->count);
    }
    if (text.transmitted > (double)p->count) {
        return ng_err_set(err, NG_ERR_ENGINE,
            "ping reports %.0f packets where %" PRId64 " were asked for: its result is not of "
            "this run",
            text.transmitted, p->count);
    }
    double shortest = (double)((p->count - 1) * p->interval_ns) / (double)NG_NS_PER_S;
    if (!ng_reply_lasted("ping", reply, fmax(shortest, text.max), err)) {
        return false;
    }
    find(site, &text, address, repeat);
    return true;
}

const struct ng_engine ng_ping = {
    .kind =
        {
            .record = {.name = "ping",
                .fields = fields,
                .count = NG_COUNT(fields),
                .size = sizeof(struct ng_ping_params),
                .shorthand = "link",
                .help = "measures round trip times and loss of a link"},
            .metrics = metrics,
            .metric_count = NG_COUNT(metrics),
            .check = check,
            .measures = measures,
            .estimate = estimate,
        },
    .tool = {.tool = "ping", .package = "iputils-ping", .minimum = NULL},
    .hosts = hosts,
    .link = link_of,
    .build = build,
    .parse = ng_ping_parse,
};
