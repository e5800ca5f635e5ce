/* link_speed, route and reachable. */
#include "tests/unit/conditions/bench.h"

#define GBIT INT64_C(1000000000)

struct speed_params {
    const struct ng_link *link;
    int flows; /* 0: one, 1: many */
};

#define NET(lines) F("net", lines "lo/mtu\t65536\n")
#define CARD(name, speed, duplex)                                                                  \
    name "/speed\t" speed "\n" name "/duplex\t" duplex "\n" name "/operstate\tup\n" name           \
         "/carrier\t1\n"
#define FULL(speed) NET(CARD("eth0", speed, "full")) END

static struct ng_condition_result judge_speed(
    struct bench *bench, int flows, const char *client, const char *nas) {
    struct speed_params params = {&bench->link, flows};
    return bench_judge(bench, "link_speed", &params, client, nas);
}

static void cards(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *nas;
        int64_t speed; /* that the plan states */
        enum ng_held held;
        const char *seen, *remedy;
    } rows[] = {
        {NET(CARD("eth4", "10000", "full")) END, 10 * GBIT, NG_HELD, "nas:eth4 runs at 10 Gbit/s",
            NULL},
        {NET(CARD("eth4", "1000", "full")) END, 10 * GBIT, NG_BROKEN,
            "nas:eth4 runs at 1 Gbit/s, slower than 10 Gbit/s", "cable"},
        {NET(CARD("eth4", "10000", "half")) END, 10 * GBIT, NG_BROKEN, "half duplex", "autoneg"},
        {NET(CARD("eth4", "10000", "full")) END, GBIT, NG_BROKEN, "faster than 1 Gbit/s",
            "correct the link's speed"},
        {NET(CARD("eth4", "25000", "full")) END, 10 * GBIT, NG_HELD, "nas:eth4 runs at 25 Gbit/s",
            NULL},
        {NET(CARD("eth4", "-1", "unknown")) END, 10 * GBIT, NG_UNKNOWN,
            "the speed of nas:eth4 is unknown", "unknown: allow"},
        {NET(CARD("eth4", "4294967295", "full")) END, 10 * GBIT, NG_UNKNOWN, "is unknown", NULL},
        {NET(CARD("eth4", "65535", "full")) END, 10 * GBIT, NG_UNKNOWN, "is unknown", NULL},
        {NET(CARD("eth4", "0", "full")) END, 10 * GBIT, NG_UNKNOWN, "is unknown", NULL},
        {NET("!eth4/speed\t\neth4/operstate\tdown\neth4/carrier\t0\n") END, 10 * GBIT, NG_BROKEN,
            "eth4 is down", "cable"},
        {NET(CARD("eth4", "10000", "unknown")) END, 10 * GBIT, NG_UNKNOWN, "duplex of nas:eth4",
            "ethtool eth4"},
        {NET(CARD("eth4", "1000", "full")) END, 0, NG_BROKEN, "nas:eth4 runs at 1 Gbit/s",
            "state the link's speed"},
        {NET(CARD("eth4", "10000", "full")) END, 0, NG_HELD, "nas:eth4 runs at 10 Gbit/s", NULL},
        {NET("") END, 10 * GBIT, NG_BROKEN, "has no interface eth4", "correct the end"},
        {NULL, 10 * GBIT, NG_UNKNOWN, "could not be asked", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        bench->link.speed = rows[i].speed;
        struct ng_condition_result r = judge_speed(bench, 0, FULL("10000"), rows[i].nas);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
}

#define NIC(settings, driver)                                                                      \
    F("ethtool", "/sbin/ethtool")                                                                  \
    F("nic.1.name", "eth4") F("nic.1.settings", settings) F("nic.1.driver", driver)

/* ethtool tells what sysfs does not, and what a port could do. */
static void by_ethtool(void **state) {
    struct bench *bench = *state;
    bench->link.speed = 10 * GBIT;
    struct ng_condition_result r = judge_speed(bench, 0, FULL("10000"),
        NET("eth4/operstate\tup\n") NIC("\tSpeed: 10000Mb/s\n\tDuplex: Full\n", "driver: x\n") END);
    bench_expect(&r, NG_HELD, "nas:eth4 runs at 10 Gbit/s", NULL);
    r = judge_speed(bench, 0, FULL("10000"),
        NET(CARD("eth4", "1000", "full"))
            NIC("\tSupported link modes: 1000baseT/Full\n\t   10000baseT/Full\n"
                "\tLink partner advertised link modes: 1000baseT/Full\n\tSpeed: 1000Mb/s\n",
                "driver: ixgbe\n") END);
    bench_expect(&r, NG_BROKEN, "slower", NULL);
    assert_non_null(strstr(bench_looked(&r, "remark on nas:eth4"), "partner"));
    r = judge_speed(bench, 0, FULL("10000"),
        NET(CARD("eth4", "10000", "full")) NIC("\tDuplex: Full\n", "driver: veth\n") END);
    bench_expect(&r, NG_HELD, "runs at 10 Gbit/s", NULL);
    assert_non_null(strstr(bench_looked(&r, "remark on nas:eth4"), "constant of veth"));
}

#define SLAVE(name, mii, speed)                                                                    \
    "eth4\tSlave Interface: " name "\neth4\tMII Status: " mii "\neth4\tSpeed: " speed              \
    " Mbps\neth4\tDuplex: full\neth4\tAggregator ID: 1\n"
#define BOND(mode, slaves)                                                                         \
    NET(CARD("eth4", "20000", "full") "eth4/bonding/slaves\te0 e1\n")                              \
    F("bonding", "eth4\tBonding Mode: " mode "\n" slaves) END
#define LACP(ports, slaves)                                                                        \
    BOND("IEEE 802.3ad Dynamic link aggregation",                                                  \
        "eth4\t\tAggregator ID: 1\neth4\t\tNumber of ports: " ports                                \
        "\neth4\t\tPartner Mac Address: 00:11:32:aa:bb:cc\n" slaves)
#define TWO SLAVE("e0", "up", "10000") SLAVE("e1", "up", "10000")

/* One flow takes one slave, whatever sysfs says of all of them. */
static void of_bonds(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *nas;
        int64_t speed;
        int flows;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {LACP("2", TWO), 10, 0, NG_HELD, "nas:eth4 runs at 10 Gbit/s"},
        {LACP("2", TWO), 20, 0, NG_BROKEN, "nas:eth4 runs at 10 Gbit/s, slower than 20"},
        {LACP("2", TWO), 20, 1, NG_HELD, "nas:eth4 runs at 20 Gbit/s"},
        {LACP("1", TWO), 10, 0, NG_BROKEN, "LACP of eth4 does not work"},
        {BOND("load balancing (round-robin)", TWO), 20, 0, NG_HELD, "runs at 20 Gbit/s"},
        {BOND("fault-tolerance (active-backup)", "eth4\tCurrently Active Slave: e0\n" SLAVE("e0",
                                                     "up", "10000") SLAVE("e1", "up", "1000")),
            10, 0, NG_HELD, "runs at 10 Gbit/s"},
        {BOND("load balancing (xor)", SLAVE("e0", "down", "10000") SLAVE("e1", "down", "10000")),
            10, 0, NG_BROKEN, "no slave of eth4 is up"},
        {BOND("load balancing (xor)", SLAVE("e0", "up", "10000") SLAVE("e1", "up", "0")), 10, 0,
            NG_UNKNOWN, "the speed of e1 is unknown"},
        {BOND("some new mode", TWO), 10, 0, NG_UNKNOWN, "is not known"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        bench->link.speed = rows[i].speed * GBIT;
        struct ng_condition_result r = judge_speed(
            bench, rows[i].flows, rows[i].speed == 20 ? FULL("20000") : FULL("10000"), rows[i].nas);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
    bench->link.speed = 10 * GBIT;
    struct ng_condition_result r = judge_speed(bench, 0, FULL("10000"), LACP("2", TWO));
    assert_non_null(strstr(bench_looked(&r, "flows of nas:eth4"), "one flow takes one slave"));
}

/* Bridges and VLANs are as fast as what they lie on; a shaper is as fast as it lets through. */
static void stacked(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *nas;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {NET("eth4/lower/e0\t\neth4/devtype\tvlan\n" CARD("e0", "10000", "full")) END, NG_HELD,
            "runs at 10 Gbit/s"},
        {NET("eth4/brif/e0\t\neth4/brif/tap0\t\ne0/device\t\ntap0/speed\t10\n" CARD(
             "e0", "10000", "full")) END,
            NG_HELD, "runs at 10 Gbit/s"},
        {NET("eth4/brif/e0\t\neth4/brif/e1\t\n" CARD("e0", "10000", "full")
                 CARD("e1", "1000", "full")) END,
            NG_UNKNOWN, "ports of different speeds"},
        {NET(CARD("eth4", "10000", "full")) F(
             "qdiscs", "qdisc tbf 1: dev eth4 root refcnt 2 rate 1Gbit burst 1b lat 1ms\n") END,
            NG_BROKEN, "runs at 1 Gbit/s, slower"},
        {NET(CARD("eth4", "10000", "full"))
                F("qdiscs", "qdisc netem 1: dev eth4 root refcnt 2 delay 1ms\n") END,
            NG_HELD, "runs at 10 Gbit/s"},
    };
    bench->link.speed = 10 * GBIT;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_condition_result r = judge_speed(bench, 0, FULL("10000"), rows[i].nas);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
    struct ng_condition_result r = judge_speed(bench, 0, FULL("10000"), rows[4].nas);
    assert_non_null(strstr(bench_looked(&r, "remark on nas:eth4"), "netem"));
}

#define C NET("eth0/mtu\t1500\neth7/mtu\t1500\n") F("addresses", "2: eth0 inet 10.0.0.1/24\n") END
#define N NET("eth4/mtu\t1500\n") F("addresses", "2: eth4 inet 10.0.0.2/24\n") END

static void routes(void **state) {
    struct bench *bench = *state;
    const struct ng_link *link = &bench->link;
    static const struct {
        const char *out, *err;
        enum ng_held held;
        const char *seen, *remedy;
    } rows[] = {
        {"10.0.0.2 dev eth0 src 10.0.0.1\n", "", NG_HELD, "leaves by eth0", NULL},
        {"10.0.0.2 via 10.0.0.9 dev eth0\n", "", NG_HELD, "leaves by eth0 via 10.0.0.9", NULL},
        {"10.0.0.2 dev eth7 src 10.0.0.7\n", "", NG_BROKEN, "leaves by eth7, not by eth0",
            "ip route add 10.0.0.2/32 dev eth0"},
        {"local 10.0.0.2 dev lo\n", "", NG_BROKEN, "never leaves the host", "address"},
        {"", "RTNETLINK answers: Network is unreachable\n", NG_BROKEN, "has no route", "up"},
        {"prohibit 10.0.0.2\n", "", NG_BROKEN, "has no route", NULL},
        {"what?\n", "", NG_UNKNOWN, "is unknown", "ip route get 10.0.0.2"},
        {NULL, "", NG_UNKNOWN, "it could not be run", "by hand"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        bench->probes.count = 0;
        bench_say(bench, 0, "route 10.0.0.2", rows[i].out, rows[i].err);
        bench_say(bench, 1, "route 10.0.0.1", "10.0.0.1 dev eth4 src 10.0.0.2\n", "");
        struct ng_condition_result r = bench_judge(bench, "route", &link, C, N);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
    bench->probes.count = 0;
    assert_string_equal(
        bench_wants(bench, "route", &link, C, N), "client: route 10.0.0.2; nas: route 10.0.0.1; ");
    /* a stated address is asked for by the collector */
    bench->link.ends[1].address = "10.0.0.2";
    assert_string_equal(
        bench_wants(bench, "route", &link,
            F("route.1.peer", "10.0.0.2") F("route.1.get", "10.0.0.2 dev eth0 src 10.0.0.1\n") C,
            N),
        "nas: route 10.0.0.1; ");
    struct ng_collect_needs needs[2] = {0};
    bench_condition("route")->needs(&bench->plan, &link, needs);
    assert_string_equal(needs[0].peers.items[0], "10.0.0.2");
    assert_string_equal(needs[1].interfaces.items[0], "eth4");
    assert_int_equal(needs[1].peers.count, 0);
    ng_collect_needs_release(&needs[0]);
    ng_collect_needs_release(&needs[1]);
}

static void inside(void **state) {
    struct bench *bench = *state;
    const struct ng_link *link = &bench->link;
    bench->link.ends[1].at = (struct ng_interface){&bench->hosts[0], "eth7"};
    struct ng_condition_result r = bench_judge(bench, "route", &link, C, N);
    bench_expect(&r, NG_BROKEN, "both ends are on client", "network namespace");
    bench->link.ends[0].at.name = bench->link.ends[1].at.name = "lo";
    r = bench_judge(bench, "route", &link, C, N);
    bench_expect(&r, NG_HELD, "loopback interface", NULL);
    assert_string_equal(bench_wants(bench, "route", &link, C, N), "");
}

struct reach_params {
    const struct ng_host *host;
    const struct ng_link *link;
};

static void reach(void **state) {
    struct bench *bench = *state;
    struct reach_params host = {.host = &bench->hosts[1]};
    struct ng_condition_result r = bench_judge(bench, "reachable", &host, C, N);
    bench_expect(&r, NG_HELD, "nas answered", NULL);
    r = bench_judge(bench, "reachable", &host, C, NULL);
    bench_expect(&r, NG_BROKEN, "nas cannot be asked: it could not be asked", "hosts");
    r = bench_judge(bench, "reachable", &host, C, F("net", ""));
    bench_expect(&r, NG_UNKNOWN, "in part", NULL);
    static const struct {
        const char *out, *err;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {"3 packets transmitted, 3 received, 0% packet loss\n", "", NG_HELD, "3 of 3 pings"},
        {"3 packets transmitted, 1 received, 66% packet loss\n", "", NG_HELD, "1 of 3 pings"},
        {"3 packets transmitted, 0 received, 100% packet loss\n", "", NG_UNKNOWN,
            "no ping was answered"},
        {"From 10.0.0.1 icmp_seq=1 Destination Host Unreachable\n"
         "3 packets transmitted, 0 received, +3 errors, 100% packet loss\n",
            "", NG_BROKEN, "Host Unreachable"},
        {"", "ping: connect: Network is unreachable\n", NG_BROKEN, "Network is unreachable"},
        {"", "sh: ping: not found\n", NG_UNKNOWN, "not found"},
        {NULL, "", NG_UNKNOWN, "could not be run"},
    };
    struct reach_params link = {.link = &bench->link};
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        bench->probes.count = 0;
        bench_say(bench, 0, "ping 10.0.0.2", rows[i].out, rows[i].err);
        bench_say(bench, 1, "ping 10.0.0.1", rows[0].out, "");
        r = bench_judge(bench, "reachable", &link, C, N);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
    struct ng_diags diags = {.arena = &bench->arena};
    struct ng_node node = {0};
    struct reach_params both = {&bench->hosts[0], &bench->link}, none = {0};
    bench_condition("reachable")->kind.check(&bench->plan, &both, &node, &diags);
    bench_condition("reachable")->kind.check(&bench->plan, &none, &node, &diags);
    bench_condition("reachable")->kind.check(&bench->plan, &host, &node, &diags);
    assert_int_equal(diags.errors, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(cards),
        TEST(by_ethtool),
        TEST(of_bonds),
        TEST(stacked),
        TEST(routes),
        TEST(inside),
        TEST(reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
