/* When an iperf3 result is believed, and what is said when it is not. Documents are made here. */
#include "tests/unit/engines/lab.h"

#include <math.h>

#include "runner/engines/iperf3.h"

#define TCP "{link: fiber, time: 4 s}"
#define START(protocol, streams, seconds, reverse)                                                 \
    "\"start\":{\"connected\":[],\"version\":\"iperf 3.12\",\"connecting_to\":{},"                 \
    "\"test_start\":{\"protocol\":\"" protocol "\",\"num_streams\":" streams                       \
    ",\"duration\":" seconds ",\"reverse\":" reverse "}}"
#define SPAN(start, seconds, bytes, omitted)                                                       \
    "{\"sum\":{\"start\":" start ",\"seconds\":" seconds ",\"bytes\":" bytes                       \
    ",\"omitted\":" omitted "}}"
#define OMITTED SPAN("0", "1", "9000000000", "true")
#define WHOLE(start, bytes) SPAN(start, "1", bytes, "false")
#define TAIL SPAN("4", "0.01", "1", "false")
#define FIRST_TWO WHOLE("0", "1000000000") "," WHOLE("1", "1000000000")
#define LAST_TWO WHOLE("2", "900000000") "," WHOLE("3", "1100000000")
#define INTERVALS "\"intervals\":[" OMITTED "," FIRST_TWO "," LAST_TWO "," TAIL "]"
#define STREAM                                                                                     \
    "{\"sender\":{\"bytes\":4000000000,\"mean_rtt\":250,\"sender\":true},"                         \
    "\"receiver\":{\"bytes\":3996000000,\"sender\":true}}"
#define SENT                                                                                       \
    "\"sum_sent\":{\"start\":0,\"end\":4,\"bytes\":4000000000,\"bits_per_second\":8e9,"            \
    "\"retransmits\":7,\"sender\":true}"
#define RECEIVED                                                                                   \
    "\"sum_received\":{\"start\":0,\"end\":4.0,\"bytes\":3996000000,"                              \
    "\"bits_per_second\":7.992e9,\"sender\":true}"
#define CPU "\"cpu_utilization_percent\":{\"host_total\":40.5,\"remote_total\":80}"
#define END(streams, sums) "\"end\":{\"streams\":[" streams "]," sums "," CPU "}"
#define GOOD "{" START("TCP", "1", "4", "0") "," INTERVALS "," END(STREAM, SENT "," RECEIVED) "}"

/** Parses a client's output; the server ended well. */
static bool parse(struct lab *lab, int status, const char *out, const char *err) {
    const struct ng_reply replies[] = {lab_reply(lab, 0, "", ""), lab_reply(lab, status, out, err)};
    return lab_parse(lab, replies, 2);
}

static void a_good_result(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_iperf3, TCP);
    assert_true(parse(&lab, 0, GOOD, ""));
    lab_assert_near(lab_value(&lab, "throughput"), 999e6);
    lab_assert_near(lab_value(&lab, "sent"), 1e9);
    lab_assert_near(lab_value(&lab, "retransmits"), 7);
    lab_assert_near(lab_value(&lab, "throughput.min"), 9e8);
    lab_assert_near(lab_value(&lab, "throughput.cv"), 0.081649658092772603); /* sqrt(2/3) / 10 */
    lab_assert_near(lab_value(&lab, "cpu.sender"), 0.405);
    lab_assert_near(lab_value(&lab, "cpu.receiver"), 0.8);
    lab_assert_near(lab_value(&lab, "rtt.mean"), 250e-6);
    assert_false(lab_has(&lab, "loss"));
    assert_int_equal(lab.repeat.finding_count, 0);
    assert_int_equal(lab.repeat.series_count, 1);
    const struct ng_series *series = &lab.repeat.series[0];
    assert_string_equal(series->metric, "throughput");
    assert_int_equal(series->per_step, 1);
    assert_true(series->step_ns == NG_NS_PER_S);
    assert_int_equal(series->value_count, 4);
    lab_assert_near(series->values[2], 9e8);

    /* copies are one result; text around them does not matter */
    assert_true(parse(&lab, 0, "warning: x\n" GOOD "\n" GOOD "iperf3: done", ""));
    lab_close(&lab);
}

#define LATE SPAN("0.001", "1.0", "100", "false") "," SPAN("1.001", "2.9", "290", "false")
#define GAP SPAN("3.9", "0.1", "90", "false") "," SPAN("6.0", "1.0", "600", "false")
#define FAR SPAN("1e9", "1", "7", "false") "," SPAN("2", "1e300", "7", "false")

/** What was omitted or is shorter than half a second is no sample; a late timer's interval is. */
static void intervals_over_time(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_iperf3, TCP);
    assert_true(parse(&lab, 0,
        "{" START("TCP", "1", "4", "0") ",\"intervals\":[" OMITTED "," LATE "," GAP "," FAR
                                        "]," END(STREAM, SENT "," RECEIVED) "}",
        ""));
    assert_int_equal(lab.repeat.series_count, 1);
    const struct ng_series *series = &lab.repeat.series[0];
    assert_int_equal(series->value_count, 7);
    const double want[] = {100, 100, 100, 100, -1, -1, 600}; /* -1: nothing was told */
    for (size_t i = 0; i < series->value_count; i++) {
        if (want[i] < 0) {
            assert_true(isnan(series->values[i]));
        } else {
            lab_assert_near(series->values[i], want[i]);
        }
    }
    lab_close(&lab);
}

static void figures_that_cannot_be(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_iperf3, TCP);
    /* more arrived than was sent; a negative count is none */
    const char *text = "{" START("TCP", "1", "4", "0") "," INTERVALS "," END(STREAM,
        "\"sum_sent\":{\"start\":0,\"end\":4,\"bytes\":3000000000,\"retransmits\":-7}"
        "," RECEIVED) "}";
    assert_true(parse(&lab, 0, text, ""));
    assert_int_equal(lab_finding(&lab, "more-than-sent")->weight, NG_FINDING_INCONCLUSIVE);
    assert_false(lab_has(&lab, "retransmits"));

    struct ng_reply replies[] = {lab_reply(&lab, 0, "", ""), lab_reply(&lab, 0, GOOD, "")};
    replies[1].end_ns = 3 * NG_NS_PER_S;
    assert_false(lab_parse(&lab, replies, 2));
    lab_assert_error(&lab, "a measurement of 4.000 s, but the command ran for 3.000 s only");
    lab_close(&lab);
}

static void reverse_swaps_the_ends(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_iperf3, "{link: loop, reverse: true, time: 4 s}");
    assert_true(parse(&lab, 0,
        "{" START("TCP", "1", "4", "1") ",\"intervals\":[]," END(
            STREAM, "\"sum_sent\":{\"start\":0,\"end\":4,\"bytes\":4}," RECEIVED) "}",
        ""));
    lab_assert_near(lab_value(&lab, "cpu.sender"), 0.8);
    lab_assert_near(lab_value(&lab, "cpu.receiver"), 0.405);
    assert_false(lab_has(&lab, "retransmits")); /* the sender did not tell: not 0 */
    assert_false(lab_has(&lab, "throughput.min"));
    lab_close(&lab);
}

static void both_directions_are_kept_apart(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_iperf3, "{link: fiber, bidir: true, time: 4 s}");
    static const char *const keys[][2] = {
        {"sum_sent_bidir_reverse", "sum_received_bidir_reverse"},
        {"sum_sent", "sum_received"}, /* before 3.11: the same keys again */
    };
    for (size_t i = 0; i < NG_COUNT(keys); i++) {
        const char *text = ng_arena_printf(&lab.arena,
            "{" START("TCP", "1", "4",
                "0") "," INTERVALS ",\"end\":{\"streams\":[" STREAM "," STREAM "]," SENT
                     "," RECEIVED ",\"%s\":{\"start\":0,\"end\":4,\"bytes\":80,\"retransmits\":3},"
                     "\"%s\":{\"start\":0,\"end\":4,\"bytes\":40}," CPU "}}",
            keys[i][0], keys[i][1]);
        assert_true(parse(&lab, 0, text, ""));
        lab_assert_near(lab_value(&lab, "throughput"), 999e6);
        lab_assert_near(lab_value(&lab, "retransmits"), 7);
        lab_assert_near(lab_value(&lab, "reverse.throughput"), 10);
        lab_assert_near(lab_value(&lab, "reverse.retransmits"), 3);
    }
    lab_close(&lab);
}

static void the_other_direction_runs_all_the_time(void **state) {
    (void)state;
    static const struct {
        const char *ends, *part; /* NULL: it is accepted */
    } rows[] = {
        {"\"start\":0,\"end\":3.6", NULL},
        {"\"start\":0,\"end\":3.5", "measured 3.50 s of the 4 s asked for in the other direction"},
        {"\"start\":0,\"end\":0", "in the other direction"},
        {"\"start\":0", "in the other direction"},
        {"\"start\":0,\"end\":40", "not of this run"},
    };
    struct lab lab;
    lab_open(&lab, &ng_iperf3, "{link: fiber, bidir: true, time: 4 s}");
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const char *text = ng_arena_printf(&lab.arena,
            "{" START("TCP", "1", "4",
                "0") "," INTERVALS ",\"end\":{\"streams\":[" STREAM "," STREAM "]," SENT
                     "," RECEIVED ",\"sum_received_bidir_reverse\":{%s,\"bytes\":40}," CPU "}}",
            rows[i].ends);
        assert_int_equal(parse(&lab, 0, text, ""), rows[i].part == NULL);
        if (rows[i].part != NULL) {
            lab_assert_error(&lab, rows[i].part);
        }
    }
    lab_close(&lab);
}

#define UDP_PHASE "{link: fiber, udp: true, rate: 1 Gbit/s, time: 4 s}"
#define UDP_SUMS(received)                                                                         \
    "\"sum\":{\"start\":0,\"end\":4,\"bytes\":4000,\"packets\":100,\"lost_packets\":20,"           \
    "\"lost_percent\":20,\"jitter_ms\":2}" received
#define UDP_RECEIVED(lost)                                                                         \
    ",\"sum_received\":{\"start\":0,\"end\":4,\"bytes\":3200,\"packets\":100,\"lost_"              \
    "packets\":" lost ",\"lost_percent\":" lost ",\"jitter_ms\":1.5}"
#define UDP_DOC(received)                                                                          \
    "{" START("UDP", "1", "4", "0") ",\"intervals\":[]," END(                                      \
        "{\"udp\":{\"bytes\":4000}}", UDP_SUMS(received)) "}"

static void udp_takes_the_receivers_figures(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_iperf3, UDP_PHASE);
    assert_true(parse(&lab, 0, UDP_DOC(UDP_RECEIVED("20")), ""));
    lab_assert_near(lab_value(&lab, "throughput"), 800);
    lab_assert_near(lab_value(&lab, "loss"), 0.2);
    lab_assert_near(lab_value(&lab, "jitter"), 0.0015);
    assert_false(lab_has(&lab, "retransmits"));
    assert_int_equal(lab_finding(&lab, "udp-loss")->weight, NG_FINDING_WARNING);

    /* before 3.11 there is only the sender's sum */
    assert_true(parse(&lab, 0, UDP_DOC(""), ""));
    lab_assert_near(lab_value(&lab, "throughput"), 800);
    lab_assert_near(lab_value(&lab, "loss"), 0.2);

    /* the receiver's own document is believed before the sender's */
    const struct ng_reply replies[] = {
        lab_reply(&lab, 0,
            "{\"start\":{\"version\":\"iperf 3.20\",\"accepted_connection\":{},\"test_start\":"
            "{\"protocol\":\"UDP\"}},\"intervals\":[],\"end\":{\"streams\":[],"
            "\"sum\":{\"start\":0,\"end\":4,\"bytes\":0}" UDP_RECEIVED("60") "}}",
            ""),
        lab_reply(&lab, 0, UDP_DOC(UDP_RECEIVED("0")), "")};
    assert_true(lab_parse(&lab, replies, 2));
    lab_assert_near(lab_value(&lab, "loss"), 0.6);
    assert_non_null(lab_finding(&lab, "counts-disagree"));
    lab_close(&lab);
}

static void what_is_not_believed(void **state) {
    (void)state;
    static const struct {
        int status;
        const char *out, *part;
    } rows[] = {
        {1, GOOD, "ended with status 1"},
        {0, "", "without a result"},
        {0, "{\"start\":{\"version\":", "cut-off result"},
        {0, "{\"fio version\":\"fio-3.33\"}", "not iperf3's"},
        {0, GOOD "{" START("TCP", "1", "4", "0") "}", "results that differ"},
        {0, "{" START("TCP", "2", "4", "0") "," END(STREAM, SENT "," RECEIVED) "}", "another test"},
        {0, "{" START("TCP", "1", "9", "0") "," END(STREAM, SENT "," RECEIVED) "}", "another test"},
        {0, "{" START("UDP", "1", "4", "0") "," END(STREAM, SENT "," RECEIVED) "}", "another test"},
        {0, "{" START("TCP", "1", "4", "1") "," END(STREAM, SENT "," RECEIVED) "}", "another test"},
        {0, "{" START("TCP", "1", "4", "0") "," END(STREAM "," STREAM, SENT "," RECEIVED) "}",
            "2 streams where 1"},
        {0, "{" START("TCP", "1", "4", "0") ",\"end\":{}}", "0 streams where 1"},
        {0, "{" START("TCP", "1", "4", "0") "," END(STREAM, SENT) "}", "of the 4 s asked"},
        {0,
            "{" START("TCP", "1", "4", "0") "," END(
                STREAM, SENT ",\"sum_received\":{\"start\":0,\"end\":3.5,\"bytes\":4000}") "}",
            "3.50 s of the 4 s"},
        {0,
            "{" START("TCP", "1", "4", "0") "," END(
                STREAM, SENT ",\"sum_received\":{\"start\":0,\"end\":4,\"bytes\":0}") "}",
            "no data that was received"},
        {0,
            "{" START("TCP", "1", "4", "0") "," END(
                STREAM, SENT ",\"sum_received\":{\"start\":0,\"end\":4,\"bytes\":null}") "}",
            "no data that was received"},
        {0, "{\"start\":{\"version\":\"iperf 3.6\"},\"end\":{}}", "3.7 or later"},
        {0, "{\"start\":{\"version\":\"iperf x\"},\"end\":{}}", "not understood"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_open(&lab, &ng_iperf3, TCP);
        assert_false(parse(&lab, rows[i].status, rows[i].out, ""));
        lab_assert_error(&lab, rows[i].part);
        assert_false(lab.transient);
        assert_false(lab_has(&lab, "throughput"));
        lab_close(&lab);
    }
}

static void errors_in_band(void **state) {
    (void)state;
    static const struct {
        const char *words, *part;
        bool transient;
    } rows[] = {
        {"error - the server is busy running a test. try again later", "busy", true},
        {"error - control socket has closed unexpectedly", "went away", true},
        {"error - unable to receive control message: Connection reset by peer", "went away", true},
        {"unable to connect to server: Connection refused", "firewall refuses", false},
        {"error - unable to connect to server: No route to host", "no route", false},
        {"unable to connect to server: Cannot assign requested address", "not one of", false},
        {"interrupt - the server has terminated", "was ended during", false},
        {"something new", "failed: something new", false},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_open(&lab, &ng_iperf3, TCP);
        /* exit status 0, as 3.10 to 3.13 do, and a result that looks complete */
        const char *text = ng_arena_printf(&lab.arena,
            "{" START("TCP", "1", "4", "0") "," INTERVALS
                                            "," END(STREAM, SENT "," RECEIVED) ",\"error\":\"%s\"}",
            rows[i].words);
        assert_false(parse(&lab, 0, text, ""));
        lab_assert_error(&lab, rows[i].part);
        assert_int_equal(lab.transient, rows[i].transient);
        assert_false(lab_has(&lab, "throughput"));
        assert_true(lab.repeat.partial); /* what the intervals told is kept */
        lab_assert_near(lab_value(&lab, "sent"), 1e9);
        lab_close(&lab);
    }
}

static void the_server_may_fail(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_iperf3, TCP);
    struct ng_reply server = lab_reply(&lab, 1,
        "{\"start\":{\"version\":\"iperf 3.12\"},\"error\":\"unable to start listener for "
        "connections: Address already in use\"}",
        "");
    assert_false(lab_parse(&lab, &server, 1));
    lab_assert_error(&lab, "another program has the port");
    assert_true(lab.transient);

    /* the client may have found the other program's server instead */
    const struct ng_reply both[] = {server, lab_reply(&lab, 0, GOOD, "")};
    assert_false(lab_parse(&lab, both, 2));
    assert_true(lab.transient);
    assert_int_equal(lab.repeat.measure_count, 0);

    server =
        lab_reply(&lab, 1, "", "iperf3: error - unable to start listener: Address already in use");
    assert_false(lab_parse(&lab, &server, 1));
    assert_true(lab.transient);

    server = lab_reply(&lab, 1, "", "iperf3: Cannot assign requested address");
    assert_false(lab_parse(&lab, &server, 1));
    lab_assert_error(&lab, "not one of this host's");
    assert_false(lab.transient);

    server.how = NG_ENDED_STOPPED;
    assert_false(lab_parse(&lab, &server, 1));
    lab_assert_error(&lab, "did not come to listen");
    server.how = NG_ENDED_NOT_STARTED;
    assert_false(lab_parse(&lab, &server, 1));
    assert_int_equal(lab.err.kind, NG_ERR_HOST);
    assert_false(lab_parse(&lab, &server, 0));
    lab_close(&lab);
}

static void a_dark_link_ends_at_the_deadline(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_iperf3, TCP);
    struct ng_reply replies[] = {lab_reply(&lab, 0, "", ""), lab_reply(&lab, 0, "", "")};
    replies[1].how = NG_ENDED_DEADLINE;
    assert_false(lab_parse(&lab, replies, 2));
    lab_assert_error(&lab, "link that goes dark");
    assert_int_equal(lab.err.kind, NG_ERR_DEADLINE);
    assert_false(lab.repeat.partial);

    replies[1] = lab_reply(&lab, 0,
        "{" START("TCP", "1", "4", "0") "," INTERVALS ",\"end\":{},\"error\":\"interrupt - x\"}",
        "");
    replies[1].how = NG_ENDED_STOPPED;
    assert_false(lab_parse(&lab, replies, 2));
    assert_int_equal(lab.err.kind, NG_ERR_STOPPED);
    assert_true(lab.repeat.partial);
    lab_close(&lab);
}

/** A whole document with the given CPU of the client, version and number of streams. */
static const char *busy(
    struct lab *lab, const char *version, int streams, double cpu, double bytes) {
    const char *list = STREAM;
    for (int i = 1; i < streams; i++) {
        list = ng_arena_printf(&lab->arena, "%s," STREAM, list);
    }
    return ng_arena_printf(&lab->arena,
        "{\"start\":{\"version\":\"iperf %s\",\"test_start\":{\"protocol\":\"TCP\","
        "\"num_streams\":%d,\"duration\":4,\"reverse\":0}},\"intervals\":[],\"end\":{\"streams\":[%"
        "s],"
        "\"sum_sent\":{\"start\":0,\"end\":4,\"bytes\":%.0f},\"sum_received\":{\"start\":0,\"end\":"
        "4,"
        "\"bytes\":%.0f},\"cpu_utilization_percent\":{\"host_total\":%f,\"remote_total\":1}}}",
        version, streams, list, bytes, bytes, cpu);
}

static void the_tool_may_be_the_limit(void **state) {
    (void)state;
    static const struct {
        const char *version;
        int streams;
        double cpu, bytes; /* of 4 s; the link carries 5e9 */
        const char *rule;  /* NULL: none */
        enum ng_finding_weight weight;
    } rows[] = {
        {"3.12", 1, 99, 2e9, "tool-bound", NG_FINDING_INCONCLUSIVE},
        {"3.12", 1, 99, 4.8e9, "tool-bound", NG_FINDING_NOTE},
        {"3.12", 1, 90, 2e9, NULL, NG_FINDING_NOTE},
        {"3.12", 4, 99, 2e9, "tool-bound", NG_FINDING_INCONCLUSIVE},
        {"3.18", 4, 99, 2e9, NULL, NG_FINDING_NOTE},
        {"3.18", 4, 390, 2e9, "tool-bound", NG_FINDING_INCONCLUSIVE},
        {"3.12", 1, 10, 5.2e9, "faster-than-link", NG_FINDING_INCONCLUSIVE},
        {"3.12", 1, 10, 5.05e9, NULL, NG_FINDING_NOTE},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        char yaml[80];
        snprintf(yaml, sizeof yaml, "{link: fiber, time: 4 s, streams: %d}", rows[i].streams);
        lab_open(&lab, &ng_iperf3, yaml);
        assert_true(parse(
            &lab, 0, busy(&lab, rows[i].version, rows[i].streams, rows[i].cpu, rows[i].bytes), ""));
        assert_int_equal(lab.repeat.finding_count, rows[i].rule != NULL ? 1 : 0);
        if (rows[i].rule != NULL) {
            assert_string_equal(lab.repeat.findings[0].rule, rows[i].rule);
            assert_int_equal(lab.repeat.findings[0].weight, rows[i].weight);
        }
        lab_close(&lab);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_result),
        cmocka_unit_test(intervals_over_time),
        cmocka_unit_test(figures_that_cannot_be),
        cmocka_unit_test(reverse_swaps_the_ends),
        cmocka_unit_test(both_directions_are_kept_apart),
        cmocka_unit_test(the_other_direction_runs_all_the_time),
        cmocka_unit_test(udp_takes_the_receivers_figures),
        cmocka_unit_test(what_is_not_believed),
        cmocka_unit_test(errors_in_band),
        cmocka_unit_test(the_server_may_fail),
        cmocka_unit_test(a_dark_link_ends_at_the_deadline),
        cmocka_unit_test(the_tool_may_be_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
