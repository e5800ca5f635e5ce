/* Recorded outputs of ethtool, ip and bonding: what must be concluded from each. Skipped where they
 * are absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/buf.h"
#include "runner/base/files.h"
#include "runner/facts/bonding.h"
#include "runner/facts/ethtool.h"
#include "runner/facts/netif.h"
#include "runner/facts/route.h"
#include "runner/facts/scan.h"

#define GBIT INT64_C(1000000000)

static struct ng_arena arena;

static const char *folder(void) {
    const char *given = getenv("NASGATE_RECORDINGS");
    return given != NULL ? given : "../shared/recordings";
}

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

static struct ng_span load(const char *file) {
    char *text = NULL;
    size_t len = 0;
    if (access(folder(), R_OK) != 0) {
        print_message("no recordings in %s: skipped\n", folder());
        skip();
    }
    if (!ng_file_read(
            ng_arena_printf(&arena, "%s/%s", folder(), file), 1 << 20, &text, &len, NULL)) {
        fail_msg("cannot read %s", file);
    }
    char *copy = ng_arena_strndup(&arena, text, len);
    free(text);
    return ng_span(copy, len);
}

static void settings(void **state) {
    (void)state;
    static const struct {
        const char *file;
        int64_t speed;
        const char *duplex, *autoneg, *link;
        int64_t supported, advertised, partner;
        bool known;
    } rows[] = {
        {"almost-empty", 0, "unknown", "unknown", "unknown", 0, 0, 0, false},
        {"errors-first", GBIT, "full", "on", "yes", GBIT, GBIT, 0, true},
        {"errors-inside-indented", GBIT / 10, "full", "on", "unknown", GBIT / 10, GBIT / 10,
            GBIT / 10, true},
        {"link-partner-100", GBIT / 10, "full", "on", "yes", GBIT, GBIT, GBIT / 10, true},
        {"no-colons", 0, "unknown", "unknown", "unknown", 0, 0, 0, false},
        {"no-data", 0, "unknown", "unknown", "unknown", 0, 0, 0, false},
        {"no-header", 0, "unknown", "unknown", "unknown", 0, 0, 0, false},
        {"prompt-eperm", GBIT, "full", "on", "yes", 10 * GBIT, GBIT, 0, true},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_span text =
            load(ng_arena_printf(&arena, "ethtool/settings-%s.txt", rows[i].file));
        struct ng_nic_settings s;
        ng_ethtool_settings(&s, text.at, text.len);
        if (s.speed != rows[i].speed || strcmp(s.duplex, rows[i].duplex) != 0 ||
            strcmp(s.autoneg, rows[i].autoneg) != 0 || strcmp(s.link, rows[i].link) != 0 ||
            s.supported != rows[i].supported || s.advertised != rows[i].advertised ||
            s.partner != rows[i].partner || (s.why == NULL) != rows[i].known) {
            fail_msg("%s: %s %s %s, supports %d Mbit/s, offers %d, partner %d", rows[i].file,
                s.duplex, s.autoneg, s.link, (int)(s.supported / 1000000),
                (int)(s.advertised / 1000000), (int)(s.partner / 1000000));
        }
    }
}

static void expect(const char *file, const struct ng_nic_list *list, const char *key,
    const char *value, const char *note) {
    const struct ng_nic_item *item = ng_nic_item(list, key);
    if ((item == NULL) != (value == NULL) || (item != NULL && strcmp(item->value, value) != 0) ||
        (note != NULL && (item == NULL || strcmp(item->note, note) != 0))) {
        fail_msg("%s: %s is %s", file, key, item == NULL ? "absent" : item->value);
    }
}

static void rings(void **state) {
    (void)state;
    static const struct {
        const char *file, *max_rx, *max_tx, *rx, *tx, *mini;
    } rows[] = {
        {"rings-empty-line", "2047", "511", "200", "511", "0"},
        {"rings-one-block-run", "2047", "511", "200", "511", "0"},
        {"rings-na", "256", "256", "256", "256", "n/a"},
        {"rings-new-keys", "4096", "4096", "1024", "512", "128"},
        {"rings-odd-words", "256", "256", "256", "256", "some-unexpected-value"},
        {"rings-no-such-device", NULL, NULL, NULL, NULL, NULL},
        {"bad-arguments", NULL, NULL, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_span text = load(ng_arena_printf(&arena, "ethtool/%s.txt", rows[i].file));
        struct ng_nic_list most = {0}, now = {0};
        ng_ethtool_rings(&most, &now, &arena, text.at, text.len);
        expect(rows[i].file, &most, "rx", rows[i].max_rx, NULL);
        expect(rows[i].file, &most, "tx", rows[i].max_tx, NULL);
        expect(rows[i].file, &now, "rx", rows[i].rx, NULL);
        expect(rows[i].file, &now, "tx", rows[i].tx, NULL);
        expect(rows[i].file, &now, "rx-mini", rows[i].mini, NULL);
        assert_int_equal(now.why == NULL, rows[i].rx != NULL);
    }
}

static void lists(void **state) {
    (void)state;
    typedef void parse(struct ng_nic_list *, struct ng_arena *, const char *, size_t);
    static const struct {
        const char *file;
        parse *read;
        const char *key, *value, *note;
    } rows[] = {
        {"features-bond", ng_ethtool_features, "rx-checksumming", "off", "fixed"},
        {"features-bond", ng_ethtool_features, "tx-checksumming", "on", ""},
        {"features-bond", ng_ethtool_features, "generic-segmentation-offload", "off",
            "requested on"},
        {"features-bond", ng_ethtool_features, "large-receive-offload", "on", ""},
        {"features-bond", ng_ethtool_features, "tx-tcp-segmentation", "on", "fixed"},
        {"features-no-colon", ng_ethtool_features, "rx-checksumming", NULL, NULL},
        {"features-not-supported", ng_ethtool_features, "rx-checksumming", NULL, NULL},
        {"pause-on", ng_ethtool_pause, "autonegotiate", "on", ""},
        {"pause-on", ng_ethtool_pause, "rx", "on", ""},
        {"pause-on", ng_ethtool_pause, "rx-negotiated", "off", ""},
        {"pause-off-blank-before-colon", ng_ethtool_pause, "autonegotiate", "on", ""},
        {"pause-empty-line-after-header", ng_ethtool_pause, "tx-negotiated", "off", ""},
        {"pause-not-supported", ng_ethtool_pause, "rx", NULL, NULL},
        {"usage-text", ng_ethtool_pause, "rx", NULL, NULL},
        {"coalesce-full", ng_ethtool_coalesce, "adaptive-rx", "off", ""},
        {"coalesce-full", ng_ethtool_coalesce, "adaptive-tx", "off", ""},
        {"coalesce-full", ng_ethtool_coalesce, "rx-usecs", "20", ""},
        {"coalesce-full", ng_ethtool_coalesce, "tx-frames", "53", ""},
        {"coalesce-na", ng_ethtool_coalesce, "tx-frame-low", "25", ""},
        {"coalesce-na", ng_ethtool_coalesce, "tx-frame-high", "n/a", ""},
        {"coalesce-header-only", ng_ethtool_coalesce, "rx-usecs", NULL, NULL},
        {"coalesce-not-supported", ng_ethtool_coalesce, "rx-usecs", NULL, NULL},
        {"driver-virtio", ng_ethtool_driver, "driver", "virtio_net", ""},
        {"driver-virtio", ng_ethtool_driver, "version", "1.0.0", ""},
        {"driver-virtio", ng_ethtool_driver, "bus-info", "0000:00:03.0", ""},
        {"driver-virtio", ng_ethtool_driver, "firmware-version", NULL, NULL},
        {"driver-missing-key", ng_ethtool_driver, "version", NULL, NULL},
        {"driver-bonding", ng_ethtool_driver, "version", "3.6.0", ""},
        {"stats-colon-in-name", ng_ethtool_stats, "rxq0:-rx_drops_no_frags", "5000", ""},
        {"stats-colon-in-name", ng_ethtool_stats, "rxq0:-rx_pkts", NULL, NULL},
        {"stats-e1000e", ng_ethtool_stats, "rx_missed_errors", "0", ""},
        {"stats-e1000e", ng_ethtool_stats, "rx_queue_0_drops", "0", ""},
        {"stats-e1000e", ng_ethtool_stats, "rx_packets", NULL, NULL},
        {"stats-short", ng_ethtool_stats, "rx_fcs_errors", "0", ""},
        {"stats-none", ng_ethtool_stats, "rx_errors", NULL, NULL},
        {"stats-not-supported", ng_ethtool_stats, "rx_errors", NULL, NULL},
        {"stats-nothing", ng_ethtool_stats, "rx_errors", NULL, NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_span text = load(ng_arena_printf(&arena, "ethtool/%s.txt", rows[i].file));
        struct ng_nic_list list = {0};
        rows[i].read(&list, &arena, text.at, text.len);
        expect(rows[i].file, &list, rows[i].key, rows[i].value, rows[i].note);
    }
}

/* Texts that say nothing give no value and a reason. */
static void nothing(void **state) {
    (void)state;
    static const char *const files[] = {"features-no-colon", "features-not-supported",
        "coalesce-header-only", "coalesce-not-supported", "pause-not-supported", "bad-arguments"};
    for (size_t i = 0; i < NG_COUNT(files); i++) {
        struct ng_span text = load(ng_arena_printf(&arena, "ethtool/%s.txt", files[i]));
        struct ng_nic_list features = {0}, coalesce = {0}, pause = {0};
        ng_ethtool_features(&features, &arena, text.at, text.len);
        ng_ethtool_coalesce(&coalesce, &arena, text.at, text.len);
        ng_ethtool_pause(&pause, &arena, text.at, text.len);
        if (features.count + coalesce.count + pause.count > 0) {
            fail_msg("%s: %zu values", files[i], features.count + coalesce.count + pause.count);
        }
        assert_true(features.why != NULL && coalesce.why != NULL && pause.why != NULL);
    }
    struct ng_span text = load("ethtool/stats-none.txt");
    struct ng_nic_list stats = {0};
    ng_ethtool_stats(&stats, &arena, text.at, text.len);
    assert_non_null(stats.why);
}

/* A recording as the collector prints it: the bond's name before each line. */
static struct ng_bond bond_of(const char *file) {
    struct ng_span rest = load(ng_arena_printf(&arena, "other/bonding-%s.txt", file));
    struct ng_span line;
    struct ng_buf lines;
    struct ng_bonds bonds = {0};
    ng_buf_init(&lines, 1 << 20);
    while (ng_span_line(&rest, &line)) {
        ng_buf_addf(&lines, "bond0\t%.*s\n", (int)line.len, line.len == 0 ? "" : line.at);
    }
    ng_bonds_parse(&bonds, &arena, ng_buf_text(&lines), lines.len);
    ng_buf_release(&lines);
    assert_int_equal(bonds.count, 1);
    return bonds.items[0];
}

static void bonding(void **state) {
    (void)state;
    static const struct {
        const char *file;
        enum ng_bond_mode mode;
        size_t slaves;
        int64_t speed, failures; /* of the first slave */
        const char *active;
        enum ng_answer sound;
    } rows[] = {
        {"active-backup", NG_BOND_ACTIVE_BACKUP, 2, 10 * GBIT, 0, "enp17s0f0", NG_ANSWER_YES},
        {"active-backup-flapping", NG_BOND_ACTIVE_BACKUP, 2, GBIT, 92028, "em3", NG_ANSWER_YES},
        {"roundrobin", NG_BOND_ROUND_ROBIN, 2, GBIT, 0, "", NG_ANSWER_YES},
        {"xor", NG_BOND_XOR, 2, GBIT, 0, "", NG_ANSWER_YES},
        {"lacp-one-slave-down", NG_BOND_LACP, 2, GBIT, 0, "", NG_ANSWER_NO},
        {"lacp-split-aggregators", NG_BOND_LACP, 2, GBIT, 0, "", NG_ANSWER_NO},
        {"unknown-mode", NG_BOND_UNKNOWN, 0, 0, 0, "", NG_ANSWER_UNKNOWN},
        {"corrupt", NG_BOND_UNKNOWN, 0, 0, 0, "", NG_ANSWER_UNKNOWN},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_bond found = bond_of(rows[i].file);
        if (found.mode != rows[i].mode || found.slave_count != rows[i].slaves ||
            found.sound != rows[i].sound || strcmp(found.active, rows[i].active) != 0 ||
            (found.slave_count > 0 && (found.slaves[0].speed != rows[i].speed ||
                                          found.slaves[0].failures != rows[i].failures))) {
            fail_msg("%s: mode %d, %zu slaves, sound %d, active %s", rows[i].file, (int)found.mode,
                found.slave_count, (int)found.sound, found.active);
        }
    }
    const struct ng_bond split = bond_of("lacp-split-aggregators");
    assert_true(split.partner == NG_ANSWER_NO && split.aggregator == 3 && split.ports == 1);
    assert_true(split.slaves[1].aggregator == 2 && split.slaves[1].speed == GBIT);
    const struct ng_bond down = bond_of("lacp-one-slave-down");
    assert_true(down.slaves[1].up == NG_ANSWER_NO && down.slaves[1].speed == 0);
}

/* Lines of whole tables, one by one: whatever is understood names a device. */
static void routes(void **state) {
    (void)state;
    static const struct {
        const char *file, *begins, *device;
        int64_t mtu;
    } rows[] = {
        {"route-all-ipv6-cache", "203.0.113.220 via", "enp0s25", 0},
        {"route-all-ipv6-cache", "2001:db8:40:2001:5054:ff:fec4:2428", "enp0s25", 1492},
        {"route-all-ipv6-cache", "2001:db8:1110:f800::/64", "enp0s25", 1492},
        {"route-all-vrf-tables", "30.142.34.0/26 dev", "bond0.300", 0},
        {"route-all-vrf-tables", "local 30.142.64.9", "bond0.400", 0},
        {"route-damaged", "ff00::/16", NULL, 0},
        {"route-damaged", "ff01::/16 dev", NULL, 0},
        {"route-damaged", "ff02::/16 dev", "enp0s25", 0},
        {"route-command-missing", "/usr/sbin/ip:", NULL, 0},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_span text = load(ng_arena_printf(&arena, "ip/%s.txt", rows[i].file));
        const char *at = strstr(text.at, rows[i].begins);
        if (at == NULL) {
            fail_msg("%s: no line \"%s\"", rows[i].file, rows[i].begins);
        }
        const char *end = strchr(at, '\n');
        if (end != NULL && strncmp(end, "\n    cache", 10) == 0) {
            end = strchr(end + 1, '\n');
        }
        struct ng_route route = {.peer = "x"};
        ng_route_parse(&route, &arena, at, end != NULL ? (size_t)(end - at) : strlen(at));
        if ((route.device == NULL) != (rows[i].device == NULL) || route.mtu != rows[i].mtu ||
            (route.device != NULL && strcmp(route.device, rows[i].device) != 0) ||
            (route.device == NULL && route.why == NULL)) {
            fail_msg("%s: %s by %s", rows[i].file, rows[i].begins,
                route.device == NULL ? "-" : route.device);
        }
    }
}

/* The listing of `ip addr` is for people: none of its lines is an address of `ip -o addr`, and none
 * of its rubbish an interface. */
static void addresses(void **state) {
    (void)state;
    struct ng_span text = load("ip/addr-message-truncated.txt");
    struct ng_netifs netifs = {0};
    ng_netifs_addresses(&netifs, &arena, text.at, text.len);
    for (size_t i = 0; i < netifs.count; i++) {
        assert_int_equal(netifs.items[i].address_count, 0);
    }
}

static struct ng_netifs sysfs_of(const char *file) {
    struct ng_span rest = load(ng_arena_printf(&arena, "sysfs/%s.tsv", file));
    struct ng_span line;
    struct ng_buf lines;
    struct ng_netifs netifs = {0};
    ng_buf_init(&lines, 1 << 20);
    while (ng_span_line(&rest, &line)) {
        struct ng_span part = ng_span_after(line, "/sys/class/net/");
        ng_buf_addf(&lines, "%.*s\n", (int)part.len, part.len == 0 ? "" : part.at);
    }
    ng_netifs_parse(&netifs, &arena, ng_buf_text(&lines), lines.len);
    ng_buf_release(&lines);
    return netifs;
}

static void sysfs(void **state) {
    (void)state;
    struct ng_netifs netifs = sysfs_of("net-bond-int-one-down");
    const struct ng_netif *bond = ng_netifs_find(&netifs, "int");
    assert_string_equal(bond->kind, "bond");
    assert_int_equal(bond->lowers.count, 2);
    assert_string_equal(bond->lowers.items[0], "eth5");
    assert_string_equal(bond->lowers.items[1], "eth1");
    assert_int_equal(bond->carrier_changes, 2);
    netifs = sysfs_of("net-bond0-no-slaves");
    assert_int_equal(ng_netifs_find(&netifs, "bond0")->lowers.count, 0);
    assert_true(ng_netifs_find(&netifs, "bond0")->speed == 0);
    netifs = sysfs_of("net-ens10f0-bridge-port");
    const struct ng_netif *port = ng_netifs_find(&netifs, "ens10f0");
    assert_true(port->counters[NG_COUNTER_RX_DROPPED] == 29220);
    assert_true(port->counters[NG_COUNTER_RX_ERRORS] == 0);
    assert_true(port->counters[NG_COUNTER_RX_BYTES] == INT64_C(10013625365));
    assert_int_equal(port->carrier_changes, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(settings),
        TEST(rings),
        TEST(lists),
        TEST(nothing),
        TEST(bonding),
        TEST(routes),
        TEST(addresses),
        TEST(sysfs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
