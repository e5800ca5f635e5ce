/* iperf3_json.c - iperf3's JSON document as plain numbers in base units. */
#include <math.h>
#include <string.h>

#include "runner/base/jsonscan.h"
#include "runner/base/text.h"
#include "runner/engines/helpers.h"
#include "runner/engines/iperf3.h"

enum { TEXT_MAX = 300, STEPS_MAX = 2 * 3600 };
#define SHORTEST_INTERVAL_S (NG_IPERF3_STEP_S / 2.0)

static double number(const json_t *object, const char *path) {
    double value = NAN;
    return ng_json_number(object, path, &value) ? value : (double)NAN;
}

/** Numbers that are flags (0, 1) in some versions and booleans in others. */
static bool flag(const json_t *object, const char *path) {
    const json_t *value = ng_json_at(object, path);
    return json_is_true(value) || (json_is_number(value) && json_number_value(value) != 0);
}

/* Before 3.11 the sums of the other direction stand under the same key a second time. */
static void read_sum(
    const json_t *end, const char *key, const char *older, struct ng_iperf3_sum *out) {
    const json_t *sum = json_object_get(end, key);
    if (sum == NULL && older != NULL) {
        sum = json_object_get(end, older);
    }
    out->found = json_is_object(sum);
    out->bytes = number(sum, "bytes");
    out->start_s = number(sum, "start");
    out->end_s = number(sum, "end");
    out->bits_per_s = number(sum, "bits_per_second");
    out->retransmits = number(sum, "retransmits");
    out->packets = number(sum, "packets");
    out->lost = number(sum, "lost_packets");
    out->lost_percent = number(sum, "lost_percent");
    out->jitter_s = number(sum, "jitter_ms") / 1000;
}

double ng_iperf3_rate(const struct ng_iperf3_sum *sum) {
    double seconds = sum->end_s - sum->start_s;
    return sum->found && seconds > 0 && sum->bytes >= 0 ? sum->bytes / seconds : (double)NAN;
}

static void read_streams(const json_t *end, struct ng_iperf3_report *out) {
    const json_t *streams = json_object_get(end, "streams");
    double rtt_us = 0;
    size_t rtts = 0;
    out->streams = json_array_size(streams);
    for (size_t i = 0; i < out->streams; i++) {
        const json_t *stream = json_array_get(streams, i);
        if (number(stream, "receiver.bytes") <= 0) {
            out->idle_streams++;
        }
        double rtt = number(stream, "sender.mean_rtt");
        if (json_is_true(ng_json_at(stream, "sender.sender")) && rtt > 0) {
            rtt_us += rtt;
            rtts++;
        }
    }
    out->rtt_mean_s = rtts > 0 ? rtt_us / (double)rtts / 1e6 : (double)NAN;
}

/** The rate of a whole interval that counts, else NaN. */
static double interval_rate(const json_t *sum) {
    double seconds = number(sum, "seconds");
    double bytes = number(sum, "bytes");
    if (flag(sum, "omitted") || !(seconds >= SHORTEST_INTERVAL_S) || !(bytes >= 0)) {
        return NAN;
    }
    return bytes / seconds;
}

static void read_intervals(const json_t *doc, struct ng_iperf3_report *out) {
    const json_t *intervals = json_object_get(doc, "intervals");
    double squares = 0;
    for (size_t i = 0; i < json_array_size(intervals); i++) {
        const json_t *sum = json_object_get(json_array_get(intervals, i), "sum");
        double rate = interval_rate(sum);
        if (isnan(rate)) {
            continue;
        }
        /* Welford's running mean and sum of squares */
        out->intervals++;
        double off = rate - out->mean;
        out->mean += off / (double)out->intervals;
        squares += off * (rate - out->mean);
        out->lowest = out->intervals == 1 ? rate : fmin(out->lowest, rate);
        out->interval_bytes += number(sum, "bytes");
        out->interval_s += number(sum, "seconds");
    }
    if (out->intervals > 1) {
        out->deviation = sqrt(squares / (double)(out->intervals - 1));
    }
}

/**
 * Where an interval lies, in whole steps since the first that counts. A late timer makes one that
 * is several steps long.
 */
static bool interval_place(const json_t *sum, double first_s, size_t *begin, size_t *end) {
    double start = number(sum, "start") - first_s;
    double length = number(sum, "seconds");
    if (isnan(interval_rate(sum)) || !(start > -SHORTEST_INTERVAL_S) ||
        !(start + length < (double)STEPS_MAX * NG_IPERF3_STEP_S)) {
        return false;
    }
    *begin = (size_t)llround(fmax(start, 0) / NG_IPERF3_STEP_S);
    *end = (size_t)llround(fmax(start + length, 0) / NG_IPERF3_STEP_S);
    return *end > *begin;
}

/** The rates over time. Needs what read_intervals counted. */
static void read_steps(struct ng_arena *arena, const json_t *doc, struct ng_iperf3_report *out) {
    const json_t *intervals = json_object_get(doc, "intervals");
    double first_s = (double)NAN;
    size_t begin;
    size_t end;
    for (size_t i = 0; i < json_array_size(intervals); i++) {
        const json_t *sum = json_object_get(json_array_get(intervals, i), "sum");
        first_s = isnan(first_s) && !isnan(interval_rate(sum)) ? number(sum, "start") : first_s;
        if (interval_place(sum, first_s, &begin, &end) && end > out->step_count) {
            out->step_count = end;
        }
    }
    out->steps = ng_arena_array(arena, out->step_count + 1, sizeof *out->steps);
    for (size_t i = 0; i < out->step_count; i++) {
        out->steps[i] = (double)NAN;
    }
    for (size_t i = 0; i < json_array_size(intervals); i++) {
        const json_t *sum = json_object_get(json_array_get(intervals, i), "sum");
        if (interval_place(sum, first_s, &begin, &end)) {
            for (size_t step = begin; step < end; step++) {
                out->steps[step] = interval_rate(sum);
            }
        }
    }
}

static bool read_version(
    struct ng_arena *arena, const json_t *doc, struct ng_iperf3_report *out, struct ng_err *err) {
    const char *text = ng_json_string(doc, "start.version");
    if (text == NULL) {
        return out->error != NULL ||
               ng_err_set(err, NG_ERR_FORMAT, "the JSON has no start.version: it is not iperf3's");
    }
    text += strncmp(text, "iperf ", 6) == 0 ? 6 : 0;
    out->version = ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, TEXT_MAX);
    return ng_tool_version_read(text, &out->major, &out->minor) ||
           ng_err_set(
               err, NG_ERR_FORMAT, "iperf3's version \"%s\" is not understood", out->version);
}

bool ng_iperf3_read(
    struct ng_arena *arena, const json_t *doc, struct ng_iperf3_report *out, struct ng_err *err) {
    *out = (struct ng_iperf3_report){0};
    const char *error = ng_json_string(doc, "error");
    if (error != NULL) {
        out->error = ng_text_clean_dup(arena, error, strlen(error), NG_TEXT_LINE, TEXT_MAX);
    }
    if (!read_version(arena, doc, out, err)) {
        return false;
    }
    const char *protocol = ng_json_string(doc, "start.test_start.protocol");
    out->udp = protocol != NULL && strcmp(protocol, "UDP") == 0;
    out->is_server = ng_json_at(doc, "start.accepted_connection") != NULL;
    out->reverse = flag(doc, "start.test_start.reverse");
    out->bidir = flag(doc, "start.test_start.bidir");
    out->streams_asked = number(doc, "start.test_start.num_streams");
    out->duration_s = number(doc, "start.test_start.duration");
    const json_t *end = json_object_get(doc, "end");
    read_sum(end, "sum_sent", NULL, &out->sent);
    read_sum(end, "sum_received", NULL, &out->received);
    read_sum(end, "sum_sent_bidir_reverse", "sum_sent#2", &out->reverse_sent);
    read_sum(end, "sum_received_bidir_reverse", "sum_received#2", &out->reverse_received);
    read_sum(end, "sum", NULL, &out->plain);
    out->host_cpu = number(end, "cpu_utilization_percent.host_total") / 100;
    out->remote_cpu = number(end, "cpu_utilization_percent.remote_total") / 100;
    read_streams(end, out);
    read_intervals(doc, out);
    read_steps(arena, doc, out);
    return true;
}

bool ng_iperf3_read_reply(struct ng_arena *arena, const struct ng_reply *reply,
    struct ng_iperf3_report *out, struct ng_err *err) {
    if (!ng_reply_whole("iperf3", reply, err)) {
        return false;
    }
    struct ng_jsonscan scan;
    ng_jsonscan_init(&scan, reply->out, reply->out_len);
    bool ok = false;
    size_t same = 1;
    while (same < scan.count && json_equal(scan.docs[0], scan.docs[same]) == 1) {
        same++;
    }
    if (scan.count == 0) {
        ng_err_set(err, NG_ERR_ENGINE, "iperf3 ended with status %d and %s result: %s",
            reply->status, scan.truncated ? "a cut-off" : "without a",
            ng_reply_words(arena, reply));
    } else if (same < scan.count) {
        ng_err_set(err, NG_ERR_FORMAT, "iperf3 printed %zu results that differ", scan.count);
    } else {
        ok = ng_iperf3_read(arena, scan.docs[0], out, err);
    }
    ng_jsonscan_release(&scan);
    return ok;
}
