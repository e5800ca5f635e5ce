/* nic, sysctl and clock_offset. */
#include "tests/unit/conditions/bench.h"

struct nic_params {
    struct ng_interface interface;
    int64_t rx, tx;
    struct ng_pairs offload, pause, coalesce;
};

#define NET F("net", "eth4/mtu\t9000\nlo/mtu\t65536\n")
#define NIC                                                                                        \
    NET F("ethtool", "/sbin/ethtool") F("nic.1.name", "eth4")                                      \
        F("nic.1.rings", "Pre-set maximums:\nRX:\t8192\nTX:\t8192\nCurrent hardware settings:\n"   \
                         "RX:\t512\nTX:\tn/a\n")                                                   \
            F("nic.1.features", "Features for eth4:\ngeneric-receive-offload: on\n"                \
                                "large-receive-offload: off [fixed]\n"                             \
                                "generic-segmentation-offload: off [requested on]\n")              \
                F("nic.1.pause", "Autonegotiate:\ton\nRX:\ton\nTX:\toff\nRX negotiated:\toff\n"    \
                                 "TX negotiated:\toff\n")                                          \
                    F("nic.1.coalesce", "Adaptive RX: off  TX: on\nrx-usecs: 20\n") END

static void cards(void **state) {
    struct bench *bench = *state;
    static const struct {
        int64_t rx, tx;
        const char *offload[2], *pause[2], *coalesce[2];
        enum ng_held held;
        const char *seen, *remedy;
    } rows[] = {
        {512, 0, {0}, {0}, {0}, NG_HELD, "ring rx of nas:eth4 is 512", NULL},
        {4096, 0, {0}, {0}, {0}, NG_BROKEN, "is 512 (at most 8192), not 4096",
            "ethtool -G eth4 rx 4096"},
        {0, 512, {0}, {0}, {0}, NG_UNKNOWN, "the driver does not have it", "unknown: allow"},
        {0, 0, {"gro", "on"}, {0}, {0}, NG_HELD, "generic-receive-offload of nas:eth4 is on", NULL},
        {0, 0, {"gro", "off"}, {0}, {0}, NG_BROKEN, "is on, not off",
            "ethtool -K eth4 generic-receive-offload off"},
        {0, 0, {"lro", "true"}, {0}, {0}, NG_BROKEN, "is off (fixed), not on",
            "does not let it be changed"},
        {0, 0, {"gso", "on"}, {0}, {0}, NG_BROKEN, "is off (requested on), not on", NULL},
        {0, 0, {"none-such", "on"}, {0}, {0}, NG_UNKNOWN, "there is no such feature", NULL},
        {0, 0, {0}, {"rx", "off"}, {0}, NG_HELD, "pause rx of nas:eth4 is off", NULL},
        {0, 0, {0}, {"rx", "on"}, {0}, NG_BROKEN, "the other end does not agree", NULL},
        {0, 0, {0}, {"autoneg", "on"}, {0}, NG_HELD, "pause autoneg of nas:eth4 is on", NULL},
        {0, 0, {0}, {0}, {"rx-usecs", "20"}, NG_HELD, "coalesce rx-usecs of nas:eth4 is 20", NULL},
        {0, 0, {0}, {0}, {"adaptive-tx", "false"}, NG_BROKEN, "is on, not off", "ethtool -C eth4"},
        {0, 0, {0}, {0}, {"tx-usecs", "1"}, NG_UNKNOWN, "there is no such value", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_pair pairs[3] = {{rows[i].offload[0], rows[i].offload[1], {0}},
            {rows[i].pause[0], rows[i].pause[1], {0}},
            {rows[i].coalesce[0], rows[i].coalesce[1], {0}}};
        struct nic_params params = {.interface = {&bench->hosts[1], "eth4"},
            .rx = rows[i].rx,
            .tx = rows[i].tx,
            .offload = {&pairs[0], pairs[0].key != NULL},
            .pause = {&pairs[1], pairs[1].key != NULL},
            .coalesce = {&pairs[2], pairs[2].key != NULL}};
        struct ng_condition_result r = bench_judge(bench, "nic", &params, END, NIC);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
}

static void no_card(void **state) {
    struct bench *bench = *state;
    struct nic_params params = {.interface = {&bench->hosts[1], "eth4"}, .rx = 512};
    struct ng_condition_result r =
        bench_judge(bench, "nic", &params, END, NET ABSENT("ethtool") END);
    bench_expect(&r, NG_UNKNOWN, "there is no ethtool", "install ethtool on nas");
    r = bench_judge(bench, "nic", &params, END, NULL);
    bench_expect(&r, NG_UNKNOWN, "could not be asked", NULL);
    r = bench_judge(bench, "nic", &params, END,
        NET F("ethtool", "/sbin/ethtool")
            F("nic.1.name", "eth4") "\nt B nic.1.rings\n\nt E nic.1.rings 1\n" F(
                "nic.1.rings.err", "netlink error: Operation not supported") END);
    bench_expect(&r, NG_UNKNOWN, "Operation not supported", "unknown: allow");
    params.interface.name = "eth9";
    r = bench_judge(bench, "nic", &params, END, NIC);
    bench_expect(&r, NG_BROKEN, "nas has no interface eth9", "ip link");
}

struct sysctl_params {
    const struct ng_host *host;
    struct ng_pairs values;
};

static void settings(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *key, *value;
        enum ng_held held;
        const char *seen, *remedy;
    } rows[] = {
        {"net.core.rmem_max", "212992", NG_HELD, "net.core.rmem_max on nas is 212992", NULL},
        {"net.core.rmem_max", "16777216", NG_BROKEN, "is 212992, not 16777216",
            "sysctl -w net.core.rmem_max=\"16777216\""},
        {"net.ipv4.tcp_rmem", "4096 131072  6291456", NG_HELD, "4096 131072 6291456", NULL},
        {"net.ipv4.tcp_rmem", "4096 131072", NG_BROKEN, "not 4096 131072", NULL},
        {"net/ipv4/tcp_congestion_control", "cubic", NG_HELD, "is cubic", NULL},
        {"net.core.netdev_max_backlog", "1000", NG_UNKNOWN,
            "there is no /proc/sys/net/core/netdev_max_backlog", "by hand"},
        {"vm.secret", "1", NG_UNKNOWN, "cannot be read", NULL},
    };
    const char *nas = F("sysctls", "net/core/rmem_max:212992\n"
                                   "net/ipv4/tcp_rmem:4096\t131072\t6291456\n"
                                   "net/ipv4/tcp_congestion_control:cubic\n!vm/secret:\n") END;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_pair pair = {rows[i].key, rows[i].value, {0}};
        struct sysctl_params params = {&bench->hosts[1], {&pair, 1}};
        struct ng_condition_result r = bench_judge(bench, "sysctl", &params, END, nas);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
        r = bench_judge(bench, "sysctl", &params, END, NULL);
        bench_expect(&r, NG_UNKNOWN, "could not be asked", NULL);
    }
}

struct clock_params {
    struct ng_texts hosts;
    int64_t at_most;
};

/* Asked at 1000 s, answered at 1000.1 s. */
static void clocks(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *out;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {"1000.050000000\n", NG_HELD, "-50 ms .. +50 ms"},
        {"1000.950000000\n", NG_HELD, "+850 ms .. +950 ms"},
        {"1001.050000000\n", NG_UNKNOWN, "+950 ms .. +1.05 s"},
        {"1001.200000000\n", NG_BROKEN, "+1.1 s .. +1.2 s"},
        {"998.900000000\n", NG_BROKEN, "-1.2 s .. -1.1 s"},
        {"1000\n", NG_HELD, "-100 ms .. +1 s"}, /* whole seconds */
        {"999.%N\n", NG_UNKNOWN, "-1.1 s .."},
        {"1003.%N\n", NG_BROKEN, "+2.9 s .."},
        {"date: bad format\n", NG_UNKNOWN, "date printed no time"},
        {NULL, NG_UNKNOWN, "could not be run"},
    };
    struct ng_texts hosts = {.items = (const char *const[]){"nas"}, .count = 1};
    struct clock_params params = {hosts, INT64_C(1000000000)};
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        bench->probes.count = 0;
        bench_say(bench, 1, "clock", rows[i].out, "");
        struct ng_condition_result r = bench_judge(bench, "clock_offset", &params, END, END);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
    bench->probes.count = 0;
    assert_string_equal(bench_wants(bench, "clock_offset", &params, END, END), "nas: clock; ");
    params.hosts.count = 0;
    assert_string_equal(bench_wants(bench, "clock_offset", &params, END, NULL), "client: clock; ");
}

/* What is wrong with a plan's words is told when it is loaded. */
static void checks(void **state) {
    struct bench *bench = *state;
    struct ng_diags diags = {.arena = &bench->arena};
    struct ng_node node = {0};
    struct ng_pair bad[] = {{"gro", "maybe", {0}}, {"rx", "on", {0}}, {"left", "off", {0}}};
    struct nic_params nic = {.offload = {&bad[0], 1}, .pause = {&bad[1], 2}};
    bench_condition("nic")->kind.check(&bench->plan, &nic, &node, &diags);
    assert_int_equal(diags.errors, 2);
    struct nic_params nothing = {.interface = {&bench->hosts[1], "eth4"}};
    bench_condition("nic")->kind.check(&bench->plan, &nothing, &node, &diags);
    assert_int_equal(diags.errors, 3);
    struct ng_pair keys[] = {
        {"net.core.rmem_max", "1", {0}}, {"../etc/passwd", "1", {0}}, {"net core", "1", {0}}};
    struct sysctl_params sysctl = {&bench->hosts[1], {keys, 3}};
    bench_condition("sysctl")->kind.check(&bench->plan, &sysctl, &node, &diags);
    assert_int_equal(diags.errors, 5);
    struct clock_params clock = {
        .hosts = {.items = (const char *const[]){"nas", "moon"}, .count = 2}};
    bench_condition("clock_offset")->kind.check(&bench->plan, &clock, &node, &diags);
    assert_int_equal(diags.errors, 6);
    assert_non_null(strstr(diags.items[5].text, "moon"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(cards),
        TEST(no_card),
        TEST(settings),
        TEST(clocks),
        TEST(checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
