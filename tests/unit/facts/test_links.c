/* Parsers of links: stacks, bonds, ethtool, routes, qdiscs, settings, clocks, pings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "runner/facts/bonding.h"
#include "runner/facts/collect.h"
#include "runner/facts/ethtool.h"
#include "runner/facts/netif.h"
#include "runner/facts/ping_probe.h"
#include "runner/facts/qdisc.h"
#include "runner/facts/route.h"
#include "runner/facts/sysctl.h"
#include "runner/facts/wallclock.h"

static struct ng_arena arena;

static int set_up(void **state) {
    (void)state;
    ng_arena_init(&arena);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ng_arena_release(&arena);
    return 0;
}

#define GBIT INT64_C(1000000000)

static const char *below(const struct ng_netifs *netifs, const char *name) {
    struct ng_layers layers;
    const char *text = "";
    ng_netifs_below(netifs, ng_netifs_find(netifs, name), &layers);
    for (size_t i = 0; i < layers.count; i++) {
        text = ng_arena_printf(&arena, "%s %s", text, layers.items[i]->name);
    }
    return text;
}

/* A VLAN on a bond of two cards, a bridge, Open vSwitch as DSM names it, an old kernel's VLAN. */
static void stacks(void **state) {
    (void)state;
    static const char net[] = "bond0.5/mtu\t9000\nbond0.5/devtype\tvlan\nbond0.5/lower/bond0\t\n"
                              "bond0/bonding/slaves\teth0 eth1\nbond0/lower/eth0\t\n"
                              "bond0/lower/eth1\t\neth0/mtu\t9000\neth0/device\t\n"
                              "br0/brif/eth2\t\nbr0/brif/tap0\t\neth2/carrier_changes\t3\n"
                              "eth2/statistics/rx_bytes\t123456789012345\n"
                              "eth2/statistics/rx_dropped\t7\n!eth2/speed\t\n"
                              "ovs-system/mtu\t1500\novs-system/lower/eth4\t\novs_eth4/mtu\t9000\n"
                              "eth3.100/mtu\t1500\nself/lower/self\t\na/lower/b\t\nb/lower/a\t\n";
    static const char vlans[] = "VLAN Dev name    | VLAN ID\n"
                                "Name-Type: VLAN_NAME_TYPE_RAW_PLUS_VID_NO_PAD\n"
                                "eth3.100       | 100  | eth3\n";
    struct ng_netifs netifs = {0};
    ng_netifs_parse(&netifs, &arena, net, strlen(net));
    ng_netifs_vlans(&netifs, &arena, vlans, strlen(vlans));
    ng_netifs_settle(&netifs, &arena);
    assert_string_equal(below(&netifs, "bond0.5"), " bond0 eth0 eth1");
    assert_string_equal(below(&netifs, "br0"), " eth2 tap0");
    assert_string_equal(below(&netifs, "ovs_eth4"), " eth4");
    assert_string_equal(below(&netifs, "eth3.100"), " eth3");
    assert_string_equal(below(&netifs, "eth0"), "");
    assert_string_equal(below(&netifs, "self"), "");
    assert_string_equal(below(&netifs, "a"), " b"); /* a ring ends */
    assert_string_equal(ng_netifs_find(&netifs, "bond0")->kind, "bond");
    assert_string_equal(ng_netifs_find(&netifs, "bond0.5")->kind, "vlan");
    assert_string_equal(ng_netifs_find(&netifs, "br0")->kind, "bridge");
    const struct ng_netif *eth2 = ng_netifs_find(&netifs, "eth2");
    assert_int_equal(eth2->carrier_changes, 3);
    assert_true(eth2->counters[NG_COUNTER_RX_BYTES] == INT64_C(123456789012345));
    assert_true(eth2->counters[NG_COUNTER_RX_DROPPED] == 7);
    assert_true(eth2->counters[NG_COUNTER_TX_BYTES] == -1);
    assert_true(ng_netifs_find(&netifs, "eth0")->physical && !eth2->physical);
}

/* The address of a port stands on what lies above it. */
static void holders(void **state) {
    (void)state;
    static const char net[] = "br0/brif/eth0\t\nvlan5/lower/br0\t\neth1/mtu\t1500\n";
    static const char with[] = "5: vlan5    inet 10.0.0.5/24 scope global vlan5\n"
                               "2: eth0    inet6 fe80::1/64 scope link\n";
    struct ng_netifs netifs = {0};
    ng_netifs_parse(&netifs, &arena, net, strlen(net));
    ng_netifs_addresses(&netifs, &arena, with, strlen(with));
    const struct ng_netif *holder = ng_netifs_holder(&netifs, ng_netifs_find(&netifs, "eth0"));
    assert_string_equal(holder->name, "vlan5");
    assert_true(ng_netif_has_address(holder, "10.0.0.5"));
    assert_null(ng_netifs_holder(&netifs, ng_netifs_find(&netifs, "eth1")));
}

/* More layers than are kept are said to be more. */
static void many_layers(void **state) {
    (void)state;
    struct ng_netifs netifs = {0};
    for (int i = 0; i < 2 * NG_LAYERS_MAX; i++) {
        ng_netifs_stack(&netifs, &arena, "br0", ng_arena_printf(&arena, "tap%d", i));
    }
    struct ng_layers layers;
    ng_netifs_below(&netifs, ng_netifs_find(&netifs, "br0"), &layers);
    assert_int_equal(layers.count, NG_LAYERS_MAX);
    assert_true(layers.cut);
}

static struct ng_bond bond(const char *text) {
    struct ng_bonds bonds = {0};
    ng_bonds_parse(&bonds, &arena, text, strlen(text));
    assert_int_equal(bonds.count, 1);
    return bonds.items[0];
}

#define SLAVE(name, mii, speed, id)                                                                \
    "b\tSlave Interface: " name "\nb\tMII Status: " mii "\nb\tSpeed: " speed                       \
    "\nb\tDuplex: full\nb\tAggregator ID: " id "\n"
#define LACP(id, ports, partner)                                                                   \
    "b\tBonding Mode: IEEE 802.3ad Dynamic link aggregation\nb\tMII Status: up\n"                  \
    "b\tActive Aggregator Info:\nb\t\tAggregator ID: " id "\nb\t\tNumber of ports: " ports         \
    "\nb\t\tPartner Mac Address: " partner "\n"
#define TWO SLAVE("e0", "up", "10000 Mbps", "1") SLAVE("e1", "up", "10000 Mbps", "1")
#define MAC "00:11:32:aa:bb:cc"

static void bonds(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum ng_bond_mode mode;
        enum ng_answer sound;
        const char *why;
    } rows[] = {
        {LACP("1", "2", MAC) TWO, NG_BOND_LACP, NG_ANSWER_YES, NULL},
        {LACP("1", "1", MAC) TWO, NG_BOND_LACP, NG_ANSWER_NO, "1 of 2 ports"},
        {LACP("1", "2", "00:00:00:00:00:00") TWO, NG_BOND_LACP, NG_ANSWER_NO, "no LACP partner"},
        {LACP("1", "2", MAC) SLAVE("e0", "up", "1000 Mbps", "1")
                SLAVE("e1", "up", "1000 Mbps", "2"),
            NG_BOND_LACP, NG_ANSWER_NO, "e1 is in aggregator 2, the active one is 1"},
        {"b\tBonding Mode: IEEE 802.3ad Dynamic link aggregation\n" TWO, NG_BOND_LACP,
            NG_ANSWER_UNKNOWN, "not printed"},
        {LACP("1", "0", MAC), NG_BOND_LACP, NG_ANSWER_NO, "no slaves"},
        {"b\tBonding Mode: adaptive load balancing\n" TWO, NG_BOND_ALB, NG_ANSWER_YES, NULL},
        {"b\tBonding Mode: load balancing (round-robin)\n" TWO, NG_BOND_ROUND_ROBIN, NG_ANSWER_YES,
            NULL},
        {"b\tBonding Mode:\n" TWO, NG_BOND_UNKNOWN, NG_ANSWER_UNKNOWN, "not printed"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_bond found = bond(rows[i].text);
        if (found.mode != rows[i].mode || found.sound != rows[i].sound ||
            (found.why == NULL) != (rows[i].why == NULL) ||
            (rows[i].why != NULL && strstr(found.why, rows[i].why) == NULL)) {
            fail_msg("row %zu: mode %d, sound %d, %s", i, (int)found.mode, (int)found.sound,
                found.why == NULL ? "-" : found.why);
        }
    }
    struct ng_bond found = bond(LACP("1", "2", MAC) TWO);
    assert_true(found.slaves[1].speed == 10 * GBIT && found.slaves[1].aggregator == 1);
    found = bond(LACP("1", "2", MAC) SLAVE("e0", "down", "Unknown", "N/A"));
    assert_true(found.slaves[0].speed == 0 && found.slaves[0].aggregator == -1);
    assert_int_equal(found.slaves[0].up, NG_ANSWER_NO);
}

static void settings(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t speed;
        const char *duplex, *autoneg, *link;
        bool known;
    } rows[] = {
        {"\tSpeed: 10000Mb/s\n\tDuplex: Full\n\tAuto-negotiation: off\n\tLink detected: yes\n",
            10 * GBIT, "full", "off", "yes", true},
        {"\tSpeed: Unknown!\n\tDuplex: Unknown! (255)\n\tLink detected: no (No cable)\n", 0,
            "unknown", "unknown", "no", true},
        {"\tSpeed: 4294967295Mb/s\n\tDuplex: Half\n", 0, "half", "unknown", "unknown", true},
        {"\tSpeed: 65535Mb/s\n", 0, "unknown", "unknown", "unknown", true},
        {"Settings for x:\nNo data available\n", 0, "unknown", "unknown", "unknown", false},
        {"", 0, "unknown", "unknown", "unknown", false},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_nic_settings found;
        ng_ethtool_settings(&found, rows[i].text, strlen(rows[i].text));
        assert_true(found.speed == rows[i].speed);
        assert_string_equal(found.duplex, rows[i].duplex);
        assert_string_equal(found.autoneg, rows[i].autoneg);
        assert_string_equal(found.link, rows[i].link);
        assert_true((found.why == NULL) == rows[i].known);
    }
}

static void short_names(void **state) {
    (void)state;
    assert_string_equal(ng_feature_name("gro"), "generic-receive-offload");
    assert_string_equal(ng_feature_name("tso"), "tcp-segmentation-offload");
    assert_string_equal(ng_feature_name("rx-gro-hw"), "rx-gro-hw");
}

static void routes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *type, *device, *source, *via;
        int64_t mtu, expires;
        bool learned, local, known;
    } rows[] = {
        {"10.0.0.2 dev eth0 src 10.0.0.1 uid 0 \n    cache \n", "unicast", "eth0", "10.0.0.1", NULL,
            0, 0, false, false, true},
        {"10.9.9.9 via 10.0.0.254 dev eth0 src 10.0.0.1 uid 0 \n"
         "    cache expires 595sec mtu 1500 \n",
            "unicast", "eth0", "10.0.0.1", "10.0.0.254", 1500, 595, true, false, true},
        {"10.0.0.2 dev eth0  src 10.0.0.1 \n    cache  mtu 1500 advmss 1460 hoplimit 64\n",
            "unicast", "eth0", "10.0.0.1", NULL, 1500, 0, false, false, true},
        {"10.0.0.2 dev v0  src 10.0.0.1 \n", "unicast", "v0", "10.0.0.1", NULL, 0, 0, false, false,
            true},
        {"local 10.0.0.1 dev lo src 10.0.0.1 uid 0 \n    cache <local> \n", "local", "lo",
            "10.0.0.1", NULL, 0, 0, false, true, true},
        {"2001:db8::2 from :: via fe80::1 dev eth0 proto ra src 2001:db8::1 metric 1024 mtu lock "
         "1400 pref medium\n",
            "unicast", "eth0", "2001:db8::1", "fe80::1", 1400, 0, false, false, true},
        {"10.1.1.1 via inet6 fe80::9 dev eth0 src 10.0.0.1\n", "unicast", "eth0", "10.0.0.1",
            "fe80::9", 0, 0, false, false, true},
        {"unreachable 10.1.1.1 dev lo\n", "unreachable", "lo", NULL, NULL, 0, 0, false, true, true},
        {"RTNETLINK answers: Network is unreachable\n", NULL, NULL, NULL, NULL, 0, 0, false, false,
            false},
        {"10.0.0.2 dev\n", "unicast", NULL, NULL, NULL, 0, 0, false, false, false},
        {"", NULL, NULL, NULL, NULL, 0, 0, false, false, false},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_route found = {.peer = "x"};
        ng_route_parse(&found, &arena, rows[i].text, strlen(rows[i].text));
        const char *pairs[][2] = {{found.type, rows[i].type}, {found.device, rows[i].device},
            {found.source, rows[i].source}, {found.via, rows[i].via}};
        for (size_t j = 0; j < NG_COUNT(pairs); j++) {
            if ((pairs[j][0] == NULL) != (pairs[j][1] == NULL) ||
                (pairs[j][0] != NULL && strcmp(pairs[j][0], pairs[j][1]) != 0)) {
                fail_msg("row %zu, part %zu: %s", i, j, pairs[j][0] == NULL ? "-" : pairs[j][0]);
            }
        }
        assert_true(found.mtu == rows[i].mtu && found.expires_s == rows[i].expires);
        assert_int_equal(found.learned, rows[i].learned);
        assert_int_equal(ng_route_is_local(&found), rows[i].local);
        assert_int_equal(found.why == NULL, rows[i].known);
        assert_string_equal(found.peer, "x");
    }
}

static void qdiscs(void **state) {
    (void)state;
    static const char text[] =
        "qdisc noqueue 0: dev lo root refcnt 2 \n"
        "qdisc tbf 8001: dev v0 root refcnt 3 rate 1Gbit burst 65500b lat 50ms \n"
        "qdisc netem 8002: dev v1 root refcnt 2 limit 1000 delay 10ms\n"
        "qdisc cake 8003: dev v2 root refcnt 2 bandwidth 940Mbit diffserv3\n"
        "qdisc mq 0: dev eth0 root \nqdisc fq_codel 0: dev eth0 parent :1 limit 10240p\nrubbish\n"
        "qdisc\nqdisc x\n";
    struct ng_qdiscs found = {0};
    ng_qdiscs_parse(&found, &arena, text, strlen(text));
    assert_int_equal(found.count, 6);
    assert_false(found.items[0].shapes);
    assert_true(found.items[1].shapes && found.items[1].rate == GBIT);
    assert_string_equal(found.items[1].device, "v0");
    assert_true(found.items[2].shapes && found.items[2].rate == 0);
    assert_true(found.items[3].rate == INT64_C(940000000));
    assert_false(found.items[5].shapes);
    assert_true(ng_tc_rate("2500Kbit", 8) == 2500000);
    assert_true(ng_tc_rate("1.5Gbit", 7) == 1500000000);
    assert_true(ng_tc_rate("1Gbps", 5) == 0 && ng_tc_rate("", 0) == 0 && ng_tc_rate("bit", 3) == 0);
}

static void sysctls(void **state) {
    (void)state;
    static const char text[] = "net/core/rmem_max:212992\nnet/ipv4/tcp_rmem:4096\t131072\t6291456\n"
                               "!vm/secret:\nnet/ipv4/tcp_congestion_control:cubic\nempty:\n:x\n";
    struct ng_sysctls found = {0};
    ng_sysctls_parse(&found, &arena, text, strlen(text));
    assert_int_equal(found.count, 5);
    assert_string_equal(ng_sysctls_find(&found, "net/core/rmem_max")->value, "212992");
    assert_true(ng_sysctl_equal(
        ng_sysctls_find(&found, "net/ipv4/tcp_rmem")->value, "4096 131072   6291456"));
    assert_null(ng_sysctls_find(&found, "vm/secret")->value);
    assert_string_equal(ng_sysctls_find(&found, "empty")->value, "");
    assert_null(ng_sysctls_find(&found, "net/core/wmem_max"));
    assert_true(ng_sysctl_equal("010", "10"));
    assert_true(ng_sysctl_equal("cubic", " cubic "));
    assert_false(ng_sysctl_equal("1 2", "1 2 3"));
    assert_false(ng_sysctl_equal("cubic", "bbr"));
    assert_false(ng_sysctl_equal("1", ""));
}

static void sysctl_names(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"net.core.rmem_max", "net/core/rmem_max"},
        {"net/core/rmem_max", "net/core/rmem_max"},
        {"net.ipv4.conf.eth0/100.rp_filter", "net/ipv4/conf/eth0.100/rp_filter"},
        {"net/ipv4/conf/eth0.100/rp_filter", "net/ipv4/conf/eth0.100/rp_filter"},
        {"", NULL},
        {"..", NULL},
        {"net/../../etc/passwd", NULL},
        {"net..core", NULL},
        {"/etc/passwd", NULL},
        {"net core", NULL},
        {"a$(x)", NULL},
        {"net.core.", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const char *path = ng_sysctl_path(&arena, rows[i][0]);
        if ((path == NULL) != (rows[i][1] == NULL) ||
            (path != NULL && strcmp(path, rows[i][1]) != 0)) {
            fail_msg("\"%s\" is %s", rows[i][0], path == NULL ? "-" : path);
        }
    }
}

static void clocks(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t ns, step;
    } rows[] = {
        {"1796048222.993981824\n", INT64_C(1796048222993981824), 1},
        {"1796048222.5\n", INT64_C(1796048222500000000), 100000000},
        {"1796048222.%N\n", INT64_C(1796048222000000000), GBIT},
        {"1796048222.N", INT64_C(1796048222000000000), GBIT},
        {"1796048222", INT64_C(1796048222000000000), GBIT},
        {"date: invalid", -1, 0},
        {"", -1, 0},
        {"99999999999999", -1, 0},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_wallclock clock;
        bool found = ng_wallclock_parse(&clock, rows[i].text, strlen(rows[i].text));
        assert_int_equal(found, rows[i].ns >= 0);
        assert_true(clock.ns == rows[i].ns && (!found || clock.step == rows[i].step));
    }
}

#define COUNTS(answers, more) "3 packets transmitted, " answers " received, " more

static void pings(void **state) {
    (void)state;
    static const struct {
        const char *out, *err;
        int answers;
        bool all, none, too_long, local, no_option, unreachable;
        int64_t mtu;
        const char *reporter;
    } rows[] = {
        {COUNTS("3", "0% packet loss, time 404ms\n"), "", 3, true, false, false, false, false,
            false, 0, NULL},
        {COUNTS("0", "100% packet loss, time 404ms\n"), "", 0, false, true, false, false, false,
            false, 0, NULL},
        {COUNTS("2", "33.3333% packet loss\n"), "", 2, false, false, false, false, false, false, 0,
            NULL},
        {COUNTS("0", "+3 errors, 100% packet loss\n"),
            "ping: local error: message too long, mtu=1500\n", 0, false, true, true, true, false,
            false, 1500, NULL},
        {"From 10.0.0.254 icmp_seq=1 Frag needed and DF set (mtu = 1400)\n" COUNTS(
             "0", "+1 errors, 100% packet loss\n"),
            "", 0, false, true, true, false, false, false, 1400, "10.0.0.254"},
        {"From fe80::9%eth0 icmp_seq=1 Packet too big: mtu=1280\n" COUNTS(
             "0", "100% packet loss\n"),
            "", 0, false, true, true, false, false, false, 1280, "fe80::9%eth0"},
        {"From 10.0.0.1 icmp_seq=1 Destination Host Unreachable\n" COUNTS(
             "0", "+3 errors, 100% packet loss\n"),
            "", 0, false, true, false, false, false, true, 0, "10.0.0.1"},
        {"", "ping: invalid option -- 'M'\nBusyBox v1.35.0 multi-call binary.\n", -1, false, false,
            false, false, true, false, 0, NULL},
        {"", "sh: ping: not found\n", -1, false, false, false, false, false, false, 0, NULL},
        {"", "", -1, false, false, false, false, false, false, 0, NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_ping_probe found;
        ng_ping_probe_read(
            &found, &arena, rows[i].out, strlen(rows[i].out), rows[i].err, strlen(rows[i].err));
        if (found.answers != rows[i].answers || ng_ping_probe_all(&found) != rows[i].all ||
            ng_ping_probe_none(&found) != rows[i].none || found.too_long != rows[i].too_long ||
            found.local != rows[i].local || found.no_option != rows[i].no_option ||
            found.unreachable != rows[i].unreachable || found.mtu != rows[i].mtu ||
            (found.reporter == NULL) != (rows[i].reporter == NULL)) {
            fail_msg("row %zu: %d answers, mtu %d", i, found.answers, (int)found.mtu);
        }
        if (rows[i].reporter != NULL) {
            assert_string_equal(found.reporter, rows[i].reporter);
        }
        assert_int_equal(found.message == NULL, *rows[i].err == '\0' && rows[i].reporter == NULL);
    }
}

/* What a plan names reaches the shell of a host only as a plain word. */
static void needs(void **state) {
    (void)state;
    static const char *const bad[] = {"", "-x", "a b", "a'b", "a\"b", "$(x)", "a;b", "a/b", "a\nb",
        "..", "*", "sixteen-bytes-16", "e\xc3\xa9"};
    struct ng_collect_needs wanted = {0};
    for (size_t i = 0; i < NG_COUNT(bad); i++) {
        ng_collect_needs_interface(&wanted, bad[i]);
        ng_collect_needs_peer(&wanted, bad[i]);
    }
    ng_collect_needs_sysctl(&wanted, "a b");
    ng_collect_needs_peer(&wanted, "fe80::1%eth0");
    ng_collect_needs_peer(&wanted, "nas");
    assert_int_equal(wanted.interfaces.count + wanted.peers.count + wanted.sysctls.count, 0);
    ng_collect_needs_interface(&wanted, "bond0.100");
    ng_collect_needs_interface(&wanted, "eth0:1");
    ng_collect_needs_interface(&wanted, "eth0:1");
    ng_collect_needs_peer(&wanted, "10.0.0.2");
    ng_collect_needs_peer(&wanted, "2001:db8::1");
    ng_collect_needs_sysctl(&wanted, "net.core.rmem_max");
    struct ng_strv argv = {0};
    ng_collect_argv(&wanted, "tok", &argv);
    static const char *const want[] = {"/bin/sh", "-s", "--", "tok", "-i", "bond0.100", "-i",
        "eth0:1", "-r", "10.0.0.2", "-r", "2001:db8::1", "-s", "net/core/rmem_max"};
    assert_int_equal(argv.count, NG_COUNT(want));
    for (size_t i = 0; i < NG_COUNT(want); i++) {
        assert_string_equal(argv.items[i], want[i]);
    }
    ng_strv_release(&argv);
    ng_collect_needs_release(&wanted);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(stacks),
        TEST(holders),
        TEST(many_layers),
        TEST(bonds),
        TEST(settings),
        TEST(short_names),
        TEST(routes),
        TEST(qdiscs),
        TEST(sysctls),
        TEST(sysctl_names),
        TEST(clocks),
        TEST(pings),
        TEST(needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
