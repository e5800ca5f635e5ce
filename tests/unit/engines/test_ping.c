/* What ping is asked to do, and what its many texts mean. Texts are made here. */
#include "tests/unit/engines/lab.h"

#include <math.h>

#include "plans/language/threshold.h"
#include "runner/engines/ping.h"

static void commands(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_ping, "fiber");
    assert_string_equal(
        lab_argv(&lab, 0), "ping -n -c 10 -i 0.200 -s 56 -W 2 -I 10.0.0.1 10.0.0.2");
    assert_ptr_equal(lab.commands.items[0].host, &lab.hosts[0]);
    assert_int_equal(lab.commands.items[0].deadline_ns, 14 * NG_NS_PER_S);
    lab_close(&lab);

    lab_open(&lab, &ng_ping,
        "{link: fiber, from: nas, count: 3, interval: 1500 ms, size: 8972 B, df: true}");
    assert_string_equal(
        lab_argv(&lab, 0), "ping -n -c 3 -i 1.500 -s 8972 -W 2 -M do -I 10.0.0.2 10.0.0.1");
    assert_ptr_equal(lab.commands.items[0].host, &lab.hosts[1]);
    lab_close(&lab);

    lab_open(&lab, &ng_ping, "{link: loop, interval: 2 ms, size: 0 B}");
    assert_string_equal(
        lab_argv(&lab, 0), "ping -n -c 10 -i 0.002 -s 0 -W 2 -I 127.0.0.1 127.0.0.1");
    assert_false(ng_ping.kind.measures(lab.phase.params, ng_kind_metric(&ng_ping.kind, "rtt.avg")));
    assert_true(ng_ping.kind.measures(lab.phase.params, ng_kind_metric(&ng_ping.kind, "loss")));
    lab_close(&lab);

    lab_load(&lab, &ng_ping, "fiber");
    lab.links[0].ends[1].address = NULL;
    assert_false(ng_ping.build(&lab.site, &lab.commands, &lab.err));
    lab_assert_error(&lab, "nas:eth4");
    lab_close(&lab);

    /* what is not known of the own end, or is of the other family, binds nothing */
    lab_load(&lab, &ng_ping, "fiber");
    lab.links[0].ends[0].address = NULL;
    assert_true(ng_ping.build(&lab.site, &lab.commands, &lab.err));
    assert_string_equal(lab_argv(&lab, 0), "ping -n -c 10 -i 0.200 -s 56 -W 2 10.0.0.2");
    ng_commands_release(&lab.commands);
    lab.links[0].ends[0].address = "2001:db8::1";
    assert_true(ng_ping.build(&lab.site, &lab.commands, &lab.err));
    assert_string_equal(lab_argv(&lab, 0), "ping -n -c 10 -i 0.200 -s 56 -W 2 10.0.0.2");
    lab_close(&lab);
}

static void rules_across_fields(void **state) {
    (void)state;
    static const struct {
        const char *yaml, *rules;
    } rows[] = {
        {"fiber", ""},
        {"{link: loop, from: nas}", "from-not-on-link"},
        {"{link: fiber, interval: 2500 us}", "whole-milliseconds"},
        {"{link: fiber, interval: 1 ms}", "range"},
        {"{link: fiber, size: 64 KiB}", "range"},
        {"{link: fiber, count: 10001}", "range"},
        {"{link: fiber, size: 8972 B, df: true}", ""},
        {"{link: fiber, size: 8973 B, df: true}", "larger-than-mtu"},
        {"{link: fiber, size: 8973 B}", ""},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_load(&lab, &ng_ping, rows[i].yaml);
        if (strcmp(lab_rules(&lab), rows[i].rules) != 0) {
            fail_msg("%s: %s", rows[i].yaml, lab_rules(&lab));
        }
        lab_close(&lab);
    }
}

/** A text and what it says; times in milliseconds, -1: none. */
struct reading {
    const char *text;
    double transmitted, received, duplicates, errors, corrupted;
    double min, avg, max, mdev;
};

static void assert_time(double seconds, double ms) {
    if (ms < 0) {
        assert_true(isnan(seconds));
    } else {
        lab_assert_near(seconds, ms / 1000);
    }
}

static void spellings(void **state) {
    (void)state;
    static const struct reading rows[] = {
        {"3 packets transmitted, 3 received, 0% packet loss, time 400ms\n"
         "rtt min/avg/max/mdev = 0.1/0.2/0.3/0.05 ms\n",
            3, 3, 0, 0, 0, 0.1, 0.2, 0.3, 0.05},
        {"3 packets transmitted, 3 packets received, 0% packet loss\n"
         "round-trip min/avg/max = 0.1/0.2/0.3 ms\n",
            3, 3, 0, 0, 0, 0.1, 0.2, 0.3, -1},
        {"3 packets transmitted, 3 packets received, 0.0% packet loss\r\n"
         "round-trip min/avg/max/stddev = 0.1/0.2/0.3/0.05 ms\r\n",
            3, 3, 0, 0, 0, 0.1, 0.2, 0.3, 0.05},
        {"2 packets transmitted, 2 received, +19 duplicates, 0% packet loss, time 1001ms\n"
         "rtt min/avg/max/mdev = 1/2/3/1 ms, pipe 2, ipg/ewma 0.1/0.2 ms\n",
            2, 2, 19, 0, 0, 1, 2, 3, 1},
        {"4 packets transmitted, 0 received, +3 errors, 100% packet loss, time 3049ms\npipe 4\n", 4,
            0, 0, 3, 0, -1, -1, -1, -1},
        {"4 packets transmitted, 1 received, +3 corrupted, +1 errors, 75% packet loss, time 3ms\n"
         "rtt min/avg/max/mdev = 1/1/1/0 ms\n",
            4, 1, 0, 1, 3, 1, 1, 1, 0},
        /* names decide, not places */
        {"1 packets transmitted, 1 received, 0% packet loss\n"
         "rtt max/min/avg/mdev = 3/1/2/0.5 ms\n",
            1, 1, 0, 0, 0, 1, 2, 3, 0.5},
        {"3 packets transmitted, 2 received, 33.3333% packet loss, time 1ms\n"
         "rtt min/avg/max/mdev = 1/2/3/1 ms\n",
            3, 2, 0, 0, 0, 1, 2, 3, 1},
        /* not understood is absent, never half of it or another number */
        {"1 packets transmitted, 1 received, 0% packet loss\nrtt min/avg/max/mdev = 0,1/0,2/0,3/0 "
         "ms\n",
            1, 1, 0, 0, 0, -1, -1, -1, -1},
        {"1 packets transmitted, 1 received, 0% packet loss\nrtt min/avg/max/mdev = 1/2/3/4 us\n",
            1, 1, 0, 0, 0, -1, -1, -1, -1},
        {"1 packets transmitted, 1 received, 0% packet loss\nrtt min/avg/max/mdev = 3/2/1/0 ms\n",
            1, 1, 0, 0, 0, -1, -1, -1, -1},
        /* rubbish lines and an interim summary */
        {"64 bytes from x: icmp_seq=1 ttl=64 time=0.1 ms rubbish packets transmitted\n"
         "1 packets transmitted, 0 received, 100% packet loss\n"
         "rtt lost\n\n2 packets transmitted, 1 received, 50% packet loss, time 9ms\n",
            2, 1, 0, 0, 0, -1, -1, -1, -1},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_ping_text text;
        const struct reading *row = &rows[i];
        assert_true(ng_ping_read(row->text, strlen(row->text), NULL, 0, &text, NULL));
        lab_assert_near(text.transmitted, row->transmitted);
        assert_true(text.received == row->received);
        assert_true(text.duplicates == row->duplicates);
        assert_true(text.errors == row->errors);
        assert_true(text.corrupted == row->corrupted);
        assert_time(text.min, row->min);
        assert_time(text.avg, row->avg);
        assert_time(text.max, row->max);
        assert_time(text.mdev, row->mdev);
    }
}

static void counts_that_make_no_sense(void **state) {
    (void)state;
    static const char *const rows[] = {
        "",
        "PING x (10.0.0.2) 56(84) bytes of data.\n",
        "3 packets transmitted\n",
        "3 packets transmitted, 3 received\n",
        "3 packets transmitted, 3 received, 101% packet loss\n",
        "3 packets transmitted, , 0% packet loss\n",
        "nan packets transmitted, 1 received, 0% packet loss\n",
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_ping_text text;
        struct ng_err err = {0};
        assert_false(ng_ping_read(rows[i], strlen(rows[i]), NULL, 0, &text, &err));
        assert_int_equal(err.kind, NG_ERR_FORMAT);
    }
}

static bool parse(struct lab *lab, int status, const char *out, const char *err) {
    const struct ng_reply reply = lab_reply(lab, status, out, err);
    return lab_parse(lab, &reply, 1);
}

#define COUNTS(tx, rx, middle, loss)                                                               \
    tx " packets transmitted, " rx " received, " middle loss "% packet loss, time 9ms\n"

static void a_result_and_its_loss(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_ping, "{link: fiber, count: 4}");
    assert_true(
        parse(&lab, 0, COUNTS("4", "3", "", "25") "rtt min/avg/max/mdev = 1/2/3/1 ms\n", ""));
    lab_assert_near(lab_value(&lab, "loss"), 0.25);
    lab_assert_near(lab_value(&lab, "rtt.avg"), 0.002);
    lab_assert_near(lab_value(&lab, "rtt.mdev"), 0.001);
    lab_assert_near(lab_value(&lab, "received"), 3);
    lab_assert_near(lab_value(&lab, "transmitted"), 4);
    assert_true(lab_value(&lab, "duplicates") == 0);
    assert_int_equal(lab.repeat.finding_count, 0);

    assert_true(parse(&lab, 0, COUNTS("4", "4", "+2 duplicates, ", "0"), ""));
    assert_int_equal(lab_finding(&lab, "duplicates")->weight, NG_FINDING_WARNING);
    assert_true(parse(&lab, 0, COUNTS("4", "9", "", "0"), "")); /* broadcast */
    assert_true(lab_value(&lab, "loss") == 0);
    assert_true(parse(&lab, 0, COUNTS("4", "4", "+1 corrupted, ", "0"), ""));
    assert_non_null(lab_finding(&lab, "corrupted"));
    assert_true(parse(&lab, 0, COUNTS("4", "4", "", "50"), ""));
    assert_non_null(lab_finding(&lab, "counts-disagree"));
    lab_close(&lab);
}

static void no_reply_is_a_measurement(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_ping, "{link: fiber, count: 4}");
    assert_true(parse(&lab, 1, COUNTS("4", "0", "", "100") "\n", ""));
    lab_assert_near(lab_value(&lab, "loss"), 1);
    assert_false(lab_has(&lab, "rtt.avg"));
    assert_int_equal(lab_finding(&lab, "no-reply")->weight, NG_FINDING_INCONCLUSIVE);

    lab_close(&lab);
}

/* Only a limit that reads what was lost judges a loss; one that reads something else must not let
 * a phase without any reply pass. */
static void a_limit_may_judge_no_reply(void **state) {
    (void)state;
    static const struct {
        const char *limit;
        enum ng_finding_weight weight;
    } rows[] = {
        {"loss <= 1%", NG_FINDING_WARNING},
        {"received == 4", NG_FINDING_WARNING},
        {"4 <= received", NG_FINDING_WARNING},
        {"max(loss) within 0% .. 100%", NG_FINDING_WARNING},
        {"transmitted - 2 * received == 0", NG_FINDING_WARNING},
        {"transmitted == 4", NG_FINDING_INCONCLUSIVE},
        {"duplicates == 0", NG_FINDING_INCONCLUSIVE},
        {"rtt.avg <= 1 ms", NG_FINDING_INCONCLUSIVE},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_open(&lab, &ng_ping, "{link: fiber, count: 4}");
        const struct ng_node node = {
            .kind = NG_NODE_SCALAR, .pos = {"plan.yaml", 1, 1}, .text = rows[i].limit};
        const struct ng_threshold *limit =
            ng_threshold_parse_node(&lab.arena, &node, &lab.plan, &lab.phase, &lab.diags);
        if (limit == NULL) {
            fail_msg("%s: %s", rows[i].limit, lab.diags.items[0].text);
        }
        lab.phase.pass = &limit;
        lab.phase.pass_count = 1;
        assert_true(parse(&lab, 1, COUNTS("4", "0", "", "100") "\n", ""));
        if (lab_finding(&lab, "no-reply")->weight != rows[i].weight) {
            fail_msg("%s", rows[i].limit);
        }
        lab_close(&lab);
    }
}

static void packets_that_do_not_fit(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_ping, "{link: fiber, count: 2, size: 8972 B, df: true}");
    static const struct {
        const char *out, *err, *part;
    } rows[] = {
        {COUNTS("2", "0", "+2 errors, ", "100"), "ping: local error: message too long, mtu=1500\n",
            "largest payload is 1472"},
        {COUNTS("2", "0", "+2 errors, ", "100"), "ping: local error: Message too long, mtu=1500\n",
            "packets of 9000 bytes are too long for the path, whose MTU is 1500"},
        {"From 10.0.0.254 icmp_seq=1 Frag needed and DF set (mtu = 1400)\n" COUNTS(
             "2", "0", "+2 errors, ", "100"),
            "", "largest payload is 1372"},
        {COUNTS("2", "0", "+2 errors, ", "100"), "ping: sendmsg: Message too long\n",
            "too long for the path"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        assert_true(parse(&lab, 1, rows[i].out, rows[i].err));
        lab_assert_near(lab_value(&lab, "loss"), 1);
        const struct ng_finding *finding = lab_finding(&lab, "packet-too-long");
        assert_non_null(finding);
        assert_non_null(strstr(finding->text, rows[i].part));
    }
    lab_close(&lab);
}

static void what_is_not_believed(void **state) {
    (void)state;
    static const struct {
        int status;
        const char *out, *err, *part;
    } rows[] = {
        {2, "", "ping: nas: Name or service not known\n", "Name or service not known"},
        {2, "", "ping: connect: Network is unreachable\n", "Network is unreachable"},
        {2, COUNTS("4", "4", "", "0"), "ping: x\n", "status 2"},
        {0, "", "", "printed no message"},
        {0, COUNTS("3", "3", "", "0"), "", "3 of the 4 packets"},
        {0, COUNTS("5", "4", "", "20"), "", "5 packets where 4 were asked for"},
        {0, COUNTS("4", "4", "", "0") "rtt min/avg/max/mdev = 1/2/11000/1 ms\n", "",
            "not of this run"},
        {1, COUNTS("0", "0", "", "0"), "", "status 1"},
        {0, "4 packets transmitted, 4\n", "", "status 0"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_open(&lab, &ng_ping, "{link: fiber, count: 4}");
        assert_false(parse(&lab, rows[i].status, rows[i].out, rows[i].err));
        lab_assert_error(&lab, rows[i].part);
        lab_close(&lab);
    }
}

static void packets_take_their_time(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_ping, "{link: fiber, count: 4, interval: 5 s}");
    struct ng_reply reply = lab_reply(&lab, 0, COUNTS("4", "4", "", "0"), "");
    assert_false(lab_parse(&lab, &reply, 1)); /* in 10 s */
    lab_assert_error(&lab, "a measurement of 15.000 s, but the command ran for 10.000 s only");
    reply.end_ns = 15 * NG_NS_PER_S;
    assert_true(lab_parse(&lab, &reply, 1));
    lab_close(&lab);
}

static void a_stop_keeps_what_was_counted(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_ping, "{link: fiber, count: 100}");
    struct ng_reply reply =
        lab_reply(&lab, 0, COUNTS("7", "7", "", "0") "rtt min/avg/max/mdev = 1/2/3/1 ms\n", "");
    reply.how = NG_ENDED_STOPPED;
    assert_false(lab_parse(&lab, &reply, 1));
    assert_int_equal(lab.err.kind, NG_ERR_STOPPED);
    assert_true(lab.repeat.partial);
    lab_assert_near(lab_value(&lab, "received"), 7);
    reply = lab_reply(&lab, 0, "", "");
    reply.how = NG_ENDED_DEADLINE;
    assert_false(lab_parse(&lab, &reply, 1));
    assert_false(lab.repeat.partial);
    assert_false(lab_parse(&lab, &reply, 0));
    lab_close(&lab);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands),
        cmocka_unit_test(rules_across_fields),
        cmocka_unit_test(spellings),
        cmocka_unit_test(counts_that_make_no_sense),
        cmocka_unit_test(a_result_and_its_loss),
        cmocka_unit_test(no_reply_is_a_measurement),
        cmocka_unit_test(a_limit_may_judge_no_reply),
        cmocka_unit_test(packets_that_do_not_fit),
        cmocka_unit_test(what_is_not_believed),
        cmocka_unit_test(packets_take_their_time),
        cmocka_unit_test(a_stop_keeps_what_was_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
