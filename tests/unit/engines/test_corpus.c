/* Real outputs of many versions, with what must be concluded from each: see INDEX.tsv beside them.
 */
#include "tests/unit/engines/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner/base/files.h"
#include "runner/base/jsonscan.h"
#include "runner/engines/fio.h"
#include "runner/engines/iperf3.h"
#include "runner/engines/ping.h"

enum { RECORDING_MAX = 16 * 1024 * 1024 };

static const char *folder(void) {
    const char *given = getenv("NASGATE_RECORDINGS");
    return given != NULL ? given : "../shared/recordings";
}

static struct ng_reply recording(struct ng_arena *arena, const char *name) {
    char *data = NULL;
    size_t len = 0;
    struct ng_err err = {0};
    if (!ng_file_read(
            ng_arena_printf(arena, "%s/%s", folder(), name), RECORDING_MAX, &data, &len, &err)) {
        fail_msg("%s", err.text);
    }
    struct ng_reply reply = {.out = ng_arena_strndup(arena, data, len),
        .out_len = len,
        .end_ns = 3600 * NG_NS_PER_S}; /* longer than any of them */
    free(data);
    return reply;
}

static void assert_near(const char *file, double value, double expected) {
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected))) {
        fail_msg("%s: %.12g is not %.12g", file, value, expected);
    }
}

/** The last document of a fio recording. */
static bool read_fio(
    struct ng_arena *arena, const char *name, struct ng_fio_report *report, struct ng_err *err) {
    struct ng_reply reply = recording(arena, name);
    struct ng_jsonscan scan;
    ng_jsonscan_init(&scan, reply.out, reply.out_len);
    assert_true(scan.count > 0);
    bool ok = ng_fio_read(arena, scan.docs[scan.count - 1], report, err);
    ng_jsonscan_release(&scan);
    return ok;
}

static void fio_before_3_2_is_refused(void **state) {
    (void)state;
    static const char *const names[] = {"fio/fio217-duplicate-global-key.json",
        "fio/fio31-md0-randread-16jobs.json", "fio/fio31-md0-randwrite-64jobs.json"};
    for (size_t i = 0; i < NG_COUNT(names); i++) {
        struct ng_arena arena = {0};
        struct ng_fio_report report;
        struct ng_err err = {0};
        assert_false(read_fio(&arena, names[i], &report, &err));
        assert_non_null(strstr(err.text, "3.2 or later"));
        ng_arena_release(&arena);
    }
}

static void fio_with_a_ramp_and_a_git_version(void **state) {
    (void)state;
    struct ng_arena arena = {0};
    struct ng_fio_report report;
    const char *name = "fio/fio339git-rbd-ramp.json";
    assert_true(read_fio(&arena, name, &report, NULL));
    assert_string_equal(report.version, "3.39-30-g58818");
    assert_int_equal(report.minor, 39);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.jobs[0].error, 0);
    const struct ng_fio_side *read = &report.jobs[0].read;
    assert_near(name, read->iops, 396.753442);
    assert_near(name, read->bw, 520032670);
    assert_near(name, read->lat_mean, 2511092.695287e-9);
    assert_near(name, read->lat_p50, 2670592e-9);
    assert_near(name, read->lat_p99, 4620288e-9);
    assert_near(name, read->runtime_s, 60.002);
    assert_true(isnan(report.jobs[0].write.lat_p50));
    struct ng_fio_sum sum = ng_fio_add_up(&report, false);
    assert_true(fabs(sum.bw - read->bw) < 0.02 * read->bw);
    ng_arena_release(&arena);
}

static void fio_clients_are_added_without_their_sum(void **state) {
    (void)state;
    struct ng_arena arena = {0};
    struct ng_fio_report report;
    const char *name = "fio/fio343-client-one.json";
    assert_true(read_fio(&arena, name, &report, NULL));
    assert_int_equal(report.count, 1);
    assert_near(name, report.jobs[0].read.iops, 2161519);
    assert_near(name, report.jobs[0].read.bw, 8853581824.0);
    assert_near(name, report.jobs[0].read.lat_mean, 371.170459e-9);
    assert_true(report.jobs[0].read.lat_p50 == 0); /* quantised by a clock of 1 us */

    name = "fio/fio343-client-two.json";
    assert_true(read_fio(&arena, name, &report, NULL));
    assert_int_equal(report.count, 2);
    assert_near(name, report.jobs[0].read.iops + report.jobs[1].read.iops, 2224520);
    assert_near(name, report.jobs[0].read.bw + report.jobs[1].read.bw, 9111633920.0);
    ng_arena_release(&arena);
}

/** What a whole iperf3 document says. NaN: not there. */
struct iperf3_row {
    const char *name;
    int minor;
    bool server, udp;
    double rate;    /* of sum_received, bit/s */
    double printed; /* bits_per_second of sum_received */
    double retransmits;
    size_t streams, intervals;
};

static void iperf3_documents(void **state) {
    (void)state;
    static const struct iperf3_row rows[] = {
        {"iperf3/iperf30-exponent-numbers.json", 0, false, false, 1518193248.0 * 8 / 13.0001,
            934268000, 0, 1, 13},
        {"iperf3/iperf3191-bidir-client.json", 19, false, false, 8377859.206638, 8377859.206638, 0,
            4, 1},
        {"iperf3/iperf3191-reverse-server.json", 19, true, false, 0, 0, 0, 2, 1},
        {"iperf3/iperf3191-udp-client.json", 19, false, true, 8015948.797648, 8015948.797648,
            (double)NAN, 2, 1},
        {"iperf3/iperf3191-udp-server.json", 19, true, true, 8015948.797648, 8015948.797648,
            (double)NAN, 2, 1},
        {"iperf3/iperf322-bidir-server.json", 22, true, false, 8383427.042088, 8383427.042088,
            (double)NAN, 4, 1},
        {"iperf3/iperf322-sctp-reverse-server.json", 22, true, false, 0, 0, (double)NAN, 2, 1},
        {"iperf3/iperf36-4streams-repeated-keys.json", 6, false, false, 17535714055.219631,
            17535714055.219631, 2, 4, 60},
        {"iperf3/iperf36-bytes-test-crlf.res", 6, false, false, 325077617.727421, 325077617.727421,
            0, 1, 5},
        {"iperf3/iperf39-rubbish-before-json.res", 9, false, false, 0, 0, (double)NAN, 1, 0},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct iperf3_row *row = &rows[i];
        struct ng_arena arena = {0};
        struct ng_reply reply = recording(&arena, row->name);
        struct ng_iperf3_report report;
        struct ng_err err = {0};
        if (!ng_iperf3_read_reply(&arena, &reply, &report, &err)) {
            fail_msg("%s: %s", row->name, err.text);
        }
        assert_null(report.error);
        assert_int_equal(report.minor, row->minor);
        assert_int_equal(report.is_server, row->server);
        assert_int_equal(report.udp, row->udp);
        assert_near(row->name, report.received.bits_per_s, row->printed);
        if (fabs(ng_iperf3_rate(&report.received) * 8 - row->rate) > 1e-4 * row->rate) {
            fail_msg("%s: rate %.9g", row->name, ng_iperf3_rate(&report.received) * 8);
        }
        if (!isnan(row->retransmits)) {
            assert_true(report.sent.retransmits == row->retransmits);
        }
        assert_int_equal(report.streams, row->streams);
        if (report.intervals != row->intervals) {
            fail_msg("%s: %zu intervals", row->name, report.intervals);
        }
        ng_arena_release(&arena);
    }
}

static void iperf3_details(void **state) {
    (void)state;
    struct ng_arena arena = {0};
    struct ng_iperf3_report report;
    struct ng_reply reply = recording(&arena, "iperf3/iperf3191-bidir-client.json");
    assert_true(ng_iperf3_read_reply(&arena, &reply, &report, NULL));
    assert_true(report.reverse_received.found);
    assert_true(report.reverse_sent.retransmits == 0);
    assert_near("bidir", report.reverse_received.bits_per_s, 8377859.206638);

    reply = recording(&arena, "iperf3/iperf3191-udp-server.json");
    assert_true(ng_iperf3_read_reply(&arena, &reply, &report, NULL));
    assert_near("udp", report.received.bytes, 1003200);
    assert_near("udp", report.received.packets, 836);
    assert_true(report.received.lost == 0);
    assert_true(fabs(report.received.jitter_s - 0.021010653e-3) < 1e-12);
    assert_true(report.mean < 2e6); /* the interval of 0.8 ms does not count */

    reply = recording(&arena, "iperf3/iperf322-sctp-reverse-server.json");
    assert_true(ng_iperf3_read_reply(&arena, &reply, &report, NULL));
    assert_true(isnan(report.sent.retransmits)); /* unknown, not 0 */

    reply = recording(&arena, "iperf3/iperf36-bytes-test-crlf.res");
    assert_true(ng_iperf3_read_reply(&arena, &reply, &report, NULL));
    assert_true(report.duration_s == 0);
    ng_arena_release(&arena);
}

static void iperf3_without_a_result(void **state) {
    (void)state;
    static const char *const names[] = {"iperf3/iperf39-truncated-omit.res",
        "iperf3/text-udp-interrupted.txt", "iperf3/text-windows-tcp-5streams.txt",
        "iperf3/text-windows-udp-loss56.txt"};
    for (size_t i = 0; i < NG_COUNT(names); i++) {
        struct ng_arena arena = {0};
        struct ng_reply reply = recording(&arena, names[i]);
        struct ng_iperf3_report report;
        struct ng_err err = {0};
        assert_false(ng_iperf3_read_reply(&arena, &reply, &report, &err));
        assert_int_equal(err.kind, NG_ERR_ENGINE);
        ng_arena_release(&arena);
    }
}

/** The client documents as the result of the phase that fits them: nothing received is no result.
 */
static void iperf3_phases(void **state) {
    (void)state;
    static const struct {
        const char *name, *yaml, *error; /* NULL: believed */
    } rows[] = {
        {"iperf3/iperf39-rubbish-before-json.res", "{link: fiber, time: 1 s}", "another test"},
        {"iperf3/iperf36-4streams-repeated-keys.json", "{link: fiber, streams: 4, time: 60 s}",
            "3.7 or later"},
        {"iperf3/iperf3191-reverse-server.json", "{link: fiber, streams: 2, time: 1 s}",
            "another test"},
        {"iperf3/iperf3191-bidir-client.json", "{link: fiber, bidir: true, streams: 2, time: 1 s}",
            NULL},
        {"iperf3/iperf3191-udp-client.json",
            "{link: fiber, udp: true, rate: 8 Mbit/s, streams: 2, time: 1 s}", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_open(&lab, &ng_iperf3, rows[i].yaml);
        const struct ng_reply replies[] = {
            lab_reply(&lab, 0, "", ""), recording(&lab.arena, rows[i].name)};
        bool ok = lab_parse(&lab, replies, 2);
        if (ok != (rows[i].error == NULL)) {
            fail_msg("%s: %s", rows[i].name, lab.err.text);
        }
        if (!ok) {
            lab_assert_error(&lab, rows[i].error);
        }
        lab_close(&lab);
    }
}

static void ping_texts(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double transmitted, received, loss, duplicates;
        double min, avg, max, mdev; /* ms; -1: none */
    } rows[] = {
        {"ping/freebsd-0.0loss.txt", 3, 3, 0, 0, 0.024, 0.032, 0.036, 0.006},
        {"ping/linux-100-clean.txt", 100, 100, 0, 0, 0.280, 0.352, 0.602, 0.056},
        {"ping/linux-100loss.txt", 5, 0, 1, 0, -1, -1, -1, -1},
        {"ping/linux-broadcast-dup.txt", 2, 2, 0, 19, 0.586, 504.260, 1276.448, 417.208},
        {"ping/linux-empty-hostname.txt", 1, 1, 0, 0, 0.040, 0.040, 0.040, 0},
        {"ping/linux-ipv6-timestamps-5loss.txt", 20, 19, 0.05, 0, 28.150, 33.534, 39.843, 3.489},
        {"ping/linux-rubbish-lines.txt", 20, 20, 0, 0, 0.038, 0.047, 0.080, 0.011},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_arena arena = {0};
        struct ng_reply reply = recording(&arena, rows[i].name);
        struct ng_ping_text text;
        assert_true(ng_ping_read(reply.out, reply.out_len, NULL, 0, &text, NULL));
        assert_near(rows[i].name, text.transmitted, rows[i].transmitted);
        assert_near(rows[i].name, text.received, rows[i].received);
        assert_near(rows[i].name, text.printed_loss, rows[i].loss);
        assert_near(rows[i].name, text.duplicates, rows[i].duplicates);
        if (rows[i].min < 0) {
            assert_true(isnan(text.min) && isnan(text.avg) && isnan(text.max) && isnan(text.mdev));
        } else {
            assert_near(rows[i].name, text.min, rows[i].min / 1000);
            assert_near(rows[i].name, text.avg, rows[i].avg / 1000);
            assert_near(rows[i].name, text.max, rows[i].max / 1000);
            assert_near(rows[i].name, text.mdev, rows[i].mdev / 1000);
        }
        ng_arena_release(&arena);
    }
}

int main(void) {
    bool empty = true;
    if (!ng_dir_is_empty(folder(), &empty, NULL) || empty) {
        printf("skipped: no recordings in %s (set NASGATE_RECORDINGS)\n", folder());
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fio_before_3_2_is_refused),
        cmocka_unit_test(fio_with_a_ramp_and_a_git_version),
        cmocka_unit_test(fio_clients_are_added_without_their_sum),
        cmocka_unit_test(iperf3_documents),
        cmocka_unit_test(iperf3_details),
        cmocka_unit_test(iperf3_without_a_result),
        cmocka_unit_test(iperf3_phases),
        cmocka_unit_test(ping_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
