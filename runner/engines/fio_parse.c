/* fio_parse.c - from the replies of a fio phase to measures, or to the reason why there are none.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/base/jsonscan.h"
#include "runner/engines/fio.h"
#include "runner/engines/helpers.h"

/* A file counts as written when at least this share of it is allocated: metadata is rounded. */
#define ALLOCATED 0.95

/** The last complete document: fio prints more than one when it is asked for its status. */
static bool read_reply(const struct ng_site *site, const struct ng_reply *reply,
    struct ng_fio_report *report, struct ng_err *err) {
    if (!ng_reply_whole("fio", reply, err)) {
        return false;
    }
    struct ng_jsonscan scan;
    ng_jsonscan_init(&scan, reply->out, reply->out_len);
    bool ok = false;
    if (scan.count > 0) {
        ok = ng_fio_read(site->arena, scan.docs[scan.count - 1], report, err);
    } else {
        ng_err_set(err, NG_ERR_ENGINE, "fio ended with status %d and %s result: %s", reply->status,
            scan.truncated ? "a cut-off" : "without a", ng_reply_words(site->arena, reply));
    }
    ng_jsonscan_release(&scan);
    return ok;
}

static void measure_side(const struct ng_site *site, struct ng_repeat *repeat, const char *side,
    const struct ng_fio_sum *sum) {
    const struct {
        const char *metric;
        double value;
    } rows[] = {
        {"bw", sum->bw},
        {"iops", sum->iops},
        {"bytes", sum->bytes},
        {"lat.mean", sum->lat_mean},
        {"lat.p50", sum->lat_p50},
        {"lat.p95", sum->lat_p95},
        {"lat.p99", sum->lat_p99},
        {"lat.p99.9", sum->lat_p99_9},
        {"lat.max", sum->lat_max},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.%s", side, rows[i].metric);
        ng_measure(site, repeat, &ng_fio, name, rows[i].value);
    }
}

static void measure(
    const struct ng_site *site, const struct ng_fio_report *report, struct ng_repeat *repeat) {
    double runtime_s = 0;
    for (int write = 0; write < 2; write++) {
        struct ng_fio_sum sum = ng_fio_add_up(report, write == 1);
        if (sum.ios > 0) {
            measure_side(site, repeat, write == 1 ? "write" : "read", &sum);
            runtime_s = fmax(runtime_s, sum.runtime_s);
        }
    }
    ng_measure(site, repeat, &ng_fio, "runtime", runtime_s);
    double user = 0;
    double kernel = 0;
    for (size_t i = 0; i < report->count; i++) {
        user += report->jobs[i].user;
        kernel += report->jobs[i].system;
    }
    ng_measure(site, repeat, &ng_fio, "cpu.user", user);
    ng_measure(site, repeat, &ng_fio, "cpu.system", kernel);
}

static void record(
    const struct ng_site *site, const struct ng_fio_report *report, struct ng_repeat *repeat) {
    const struct ng_fio_params *p = site->phase->params;
    const char *why = p->direct == NG_FIO_DIRECT_TRUE    ? "asked for"
                      : p->direct == NG_FIO_DIRECT_FALSE ? "switched off in the plan"
                      : site->direct == NG_ANSWER_YES    ? "a trial write worked"
                      : site->direct == NG_ANSWER_NO
                          ? "a trial write was refused"
                          : "whether it works is unknown: no trial write could tell";
    ng_records_add(site->arena, &repeat->records, "fio", "%s", report->version);
    ng_records_add(site->arena, &repeat->records, "direct I/O", "%s (%s)",
        ng_fio_is_direct(site, p) ? "on" : "off", why);
    ng_records_add(site->arena, &repeat->records, "file", "%s, %lld x %s", p->file,
        (long long)p->jobs, ng_say_size(site->arena, (double)p->size));
    ng_records_add(site->arena, &repeat->records, "latency", "completion latency (clat)");
}

/** Keeps what was measured before the end came, unless it may be from the ramp. */
static void salvage(
    const struct ng_site *site, const struct ng_reply *reply, struct ng_repeat *repeat) {
    const struct ng_fio_params *p = site->phase->params;
    struct ng_fio_report report;
    if (!read_reply(site, reply, &report, NULL)) {
        return;
    }
    bool in_ramp = reply->end_ns - reply->start_ns <= p->ramp_ns + NG_NS_PER_S && p->ramp_ns > 0;
    double moved = ng_fio_add_up(&report, false).bytes + ng_fio_add_up(&report, true).bytes;
    if (in_ramp || moved <= 0) {
        return;
    }
    measure(site, &report, repeat);
    record(site, &report, repeat);
    repeat->partial = true;
}

static bool parse_measurement(const struct ng_site *site, const struct ng_reply *reply,
    struct ng_repeat *repeat, struct ng_err *err) {
    if (!ng_reply_exited("fio", reply, err)) {
        if (ng_reply_cut_short(reply)) {
            salvage(site, reply, repeat);
        }
        return false;
    }
    struct ng_fio_report report;
    if (!read_reply(site, reply, &report, err)) {
        return false;
    }
    if (!ng_fio_accept(site, &report, reply, err)) {
        salvage(site, reply, repeat);
        return false;
    }
    measure(site, &report, repeat);
    record(site, &report, repeat);
    ng_fio_find(site, &report, repeat);
    return true;
}

/** Whether the commands before the measurement did their work. */
static bool check_layout(
    const struct ng_site *site, const struct ng_reply *reply, struct ng_err *err) {
    struct ng_fio_report report;
    if (!read_reply(site, reply, &report, err)) {
        return ng_err_wrap(err, "laying out the file");
    }
    for (size_t i = 0; i < report.count; i++) {
        if (report.jobs[i].error != 0) {
            return ng_fio_explain(
                site, report.jobs[i].error, "fio could not lay out the file", err);
        }
    }
    if (reply->status != 0) {
        return ng_err_set(err, NG_ERR_ENGINE, "fio could not lay out the file (status %d): %s",
            reply->status, ng_reply_words(site->arena, reply));
    }
    return true;
}

static bool check_prepared(const struct ng_site *site, const struct ng_command *command,
    const struct ng_reply *reply, struct ng_err *err) {
    const char *tool = command->argv.items[0];
    if (!ng_reply_exited(tool, reply, err)) {
        return ng_err_wrap(err, "preparing the file");
    }
    if (strcmp(tool, "fio") == 0) {
        return check_layout(site, reply, err);
    }
    return reply->status == 0 ||
           ng_err_set(err, NG_ERR_ENGINE, "could not remove the file of an earlier phase: %s",
               ng_reply_words(site->arena, reply));
}

/** One line of `stat -c '%s %b %B'`; returns what follows it, NULL at the end or when it is none.
 */
static const char *scan_stat(const char *text, double *size, double *allocated) {
    double numbers[3];
    for (size_t i = 0; i < NG_COUNT(numbers); i++) {
        size_t used = ng_number_scan(text, strlen(text), &numbers[i]);
        if (used == 0 || text[used] != (i < 2 ? ' ' : '\n')) {
            return NULL;
        }
        text += used + 1;
    }
    *size = numbers[0];
    *allocated = numbers[1] * numbers[2];
    return text;
}

static bool check_whole(
    const struct ng_site *site, const struct ng_reply *reply, bool *transient, struct ng_err *err) {
    const struct ng_fio_params *p = site->phase->params;
    if (!ng_reply_exited("stat", reply, err)) {
        return ng_err_wrap(err, "looking at the file");
    }
    if (reply->status != 0) {
        return ng_err_set(err, NG_ERR_ENGINE, "the file is not there after it was laid out: %s",
            ng_reply_words(site->arena, reply));
    }
    const char *text = reply->out_len > 0 ? reply->out : "";
    for (int64_t job = 0; job < p->jobs; job++) {
        double size = 0;
        double allocated = 0;
        text = scan_stat(text, &size, &allocated);
        if (text == NULL) {
            return ng_err_set(
                err, NG_ERR_FORMAT, "stat told nothing about file %s.%" PRId64, p->file, job);
        }
        if (size < (double)p->size) {
            return ng_err_set(err, NG_ERR_ENGINE,
                "file %s.%" PRId64 " has %.0f of %" PRId64 " bytes after it was laid out", p->file,
                job, size, p->size);
        }
        if (allocated < ALLOCATED * size) {
            *transient = true; /* some file systems tell the blocks seconds later */
            return ng_err_set(err, NG_ERR_ENGINE,
                "file %s.%" PRId64 " has holes: %s of %s are allocated; reading holes measures "
                "memory (a file system that compresses or dedups shows the same)",
                p->file, job, ng_say_size(site->arena, allocated), ng_say_size(site->arena, size));
        }
    }
    return true;
}

bool ng_fio_parse(const struct ng_site *site, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t reply_count, struct ng_repeat *repeat, bool *transient,
    struct ng_err *err) {
    *transient = false;
    for (size_t i = 0; i < reply_count && i < commands->count; i++) {
        const struct ng_command *command = &commands->items[i];
        bool ok =
            ng_command_is(command, "prepare") ? check_prepared(site, command, &replies[i], err)
            : ng_command_is(command, "check") ? check_whole(site, &replies[i], transient, err)
                                              : parse_measurement(site, &replies[i], repeat, err);
        if (!ok) {
            return false;
        }
    }
    return reply_count >= commands->count ||
           ng_err_set(err, NG_ERR_INTERNAL, "fio was not started although all before it went well");
}
