/* What iperf3 is asked to do: exact commands, rules across fields, what is measured. */
#include "tests/unit/engines/lab.h"

#include "runner/engines/iperf3.h"

#define TCP "{link: fiber, time: 4 s}"

static void assert_commands(struct lab *lab, const char *server, const char *client) {
    assert_int_equal(lab->commands.count, 2);
    const struct ng_command *first = &lab->commands.items[0];
    assert_true(first->background);
    assert_in_range(first->listen_port, 20000, 29999);
    assert_true(first->deadline_ns > lab->commands.items[1].deadline_ns);
    const char *port = ng_arena_printf(&lab->arena, "%d", first->listen_port);
    const char *texts[] = {server, client};
    for (size_t i = 0; i < 2; i++) {
        const char *at = strstr(texts[i], "PORT");
        assert_non_null(at);
        const char *expected =
            ng_arena_printf(&lab->arena, "%.*s%s%s", (int)(at - texts[i]), texts[i], port, at + 4);
        assert_string_equal(lab_argv(lab, i), expected);
    }
}

static void the_first_end_sends(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_iperf3, "{link: fiber, streams: 8, omit: 2 s}");
    assert_commands(&lab, "iperf3 -s -1 -B 10.0.0.2 -p PORT -J --forceflush",
        "iperf3 -c 10.0.0.2 -p PORT -J -B 10.0.0.1 -t 10 -O 2 -P 8 -i 1 --connect-timeout 5000");
    assert_ptr_equal(lab.commands.items[0].host, &lab.hosts[1]);
    assert_ptr_equal(lab.commands.items[1].host, &lab.hosts[0]);
    assert_int_equal(lab.commands.items[1].deadline_ns, 27 * NG_NS_PER_S);
    lab_close(&lab);
}

static void from_turns_it_round(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_iperf3,
        "{link: fiber, from: nas, udp: true, rate: 1 Gbit/s, streams: 4, window: 256 KiB}");
    assert_commands(&lab, "iperf3 -s -1 -B 10.0.0.1 -p PORT -J --forceflush",
        "iperf3 -c 10.0.0.1 -p PORT -J -B 10.0.0.2 -t 10 -P 4 -i 1 -u -b 250000000 -w 262144 "
        "--connect-timeout 5000");
    assert_ptr_equal(lab.commands.items[1].host, &lab.hosts[1]);
    lab_close(&lab);
}

static void both_ends_on_one_host(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_iperf3, "{link: loop, reverse: true, time: 1 s}");
    assert_commands(&lab, "iperf3 -s -1 -B 127.0.0.1 -p PORT -J --forceflush",
        "iperf3 -c 127.0.0.1 -p PORT -J -B 127.0.0.1 -t 1 -P 1 -i 1 -R --connect-timeout 5000");
    lab_close(&lab);
}

static void addresses(void **state) {
    (void)state;
    struct lab lab;
    lab_load(&lab, &ng_iperf3, TCP);
    lab.links[0].ends[1].address = NULL;
    assert_false(ng_iperf3_build(&lab.site, &lab.commands, &lab.err));
    lab_assert_error(&lab, "nas:eth4 of link fiber; state it in the plan");
    lab.site.address[1] = "-fe80";
    assert_false(ng_iperf3_build(&lab.site, &lab.commands, &lab.err));
    lab_assert_error(&lab, "is no address");
    lab.site.address[1] = "fd00::2"; /* another family than the client's own: no -B */
    assert_true(ng_iperf3_build(&lab.site, &lab.commands, &lab.err));
    assert_null(strstr(lab_argv(&lab, 1), "10.0.0.1"));
    lab_close(&lab);
}

static void each_attempt_has_its_port(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_iperf3, TCP);
    uint16_t port = lab.commands.items[0].listen_port;
    ng_commands_release(&lab.commands);
    assert_true(ng_iperf3_build(&lab.site, &lab.commands, NULL));
    assert_int_equal(lab.commands.items[0].listen_port, port);
    ng_commands_release(&lab.commands);
    lab.site.attempt = 2;
    assert_true(ng_iperf3_build(&lab.site, &lab.commands, NULL));
    assert_int_not_equal(lab.commands.items[0].listen_port, port);
    lab_close(&lab);
}

static void rules_across_fields(void **state) {
    (void)state;
    static const struct {
        const char *yaml, *rules;
    } rows[] = {
        {"{link: fiber}", ""},
        {"{link: fiber, from: nas}", ""},
        {"{link: loop, from: nas}", "from-not-on-link"},
        {"{link: fiber, reverse: true}", "reverse-between-hosts"},
        {"{link: loop, reverse: true}", ""},
        {"{link: loop, reverse: true, bidir: true}", "reverse-and-bidir"},
        {"{link: fiber, udp: true}", "udp-without-rate"},
        {"{link: fiber, streams: 100, rate: 64 kbit/s}", "rate-too-low"},
        {"{link: fiber, time: 1500 ms}", "whole-seconds"},
        {"{link: fiber, omit: 1500 ms}", "whole-seconds"},
        {"{link: fiber, time: 500 ms}", "range"},
        {"{link: fiber, time: 2 h}", "range"},
        {"{link: fiber, streams: 129}", "range"},
        {"{from: nas}", "missing-key"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_load(&lab, &ng_iperf3, rows[i].yaml);
        if (strcmp(lab_rules(&lab), rows[i].rules) != 0) {
            fail_msg("%s: %s", rows[i].yaml, lab_rules(&lab));
        }
        lab_close(&lab);
    }
}

static void what_is_measured_follows_the_test(void **state) {
    (void)state;
    static const struct {
        const char *yaml, *metric;
        bool measured;
    } rows[] = {
        {"{link: fiber}", "retransmits", true},
        {"{link: fiber}", "rtt.mean", true},
        {"{link: fiber}", "loss", false},
        {"{link: fiber}", "reverse.throughput", false},
        {"{link: fiber, time: 1 s}", "throughput.cv", false},
        {"{link: loop, reverse: true}", "rtt.mean", false},
        {"{link: fiber, bidir: true}", "reverse.retransmits", true},
        {"{link: fiber, udp: true, rate: 1 Gbit/s}", "loss", true},
        {"{link: fiber, udp: true, rate: 1 Gbit/s}", "jitter", true},
        {"{link: fiber, udp: true, rate: 1 Gbit/s}", "retransmits", false},
        {"{link: fiber, udp: true, rate: 1 Gbit/s, bidir: true}", "reverse.retransmits", false},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_load(&lab, &ng_iperf3, rows[i].yaml);
        const struct ng_kind *kind = &ng_iperf3.kind;
        assert_int_equal(kind->measures(lab.phase.params, ng_kind_metric(kind, rows[i].metric)),
            rows[i].measured);
        lab_close(&lab);
    }
    struct lab lab;
    struct ng_cost cost = {0};
    const struct ng_host *hosts[2];
    lab_load(&lab, &ng_iperf3, "{link: loop, omit: 1 s}");
    ng_iperf3.kind.estimate(lab.phase.params, &cost);
    assert_int_equal(cost.time_ns, 11 * NG_NS_PER_S);
    assert_false(cost.time_is_guess);
    assert_int_equal(ng_iperf3.hosts(lab.phase.params, hosts), 1);
    lab_close(&lab);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_end_sends),
        cmocka_unit_test(from_turns_it_round),
        cmocka_unit_test(both_ends_on_one_host),
        cmocka_unit_test(addresses),
        cmocka_unit_test(each_attempt_has_its_port),
        cmocka_unit_test(rules_across_fields),
        cmocka_unit_test(what_is_measured_follows_the_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
