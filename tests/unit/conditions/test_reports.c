/* What others are known to have misread of links, mounts and processors: one test for each report,
 * named after its symptom. */
#include "tests/unit/conditions/bench.h"

#define GBIT INT64_C(1000000000)
#define ALL "3 packets transmitted, 3 received, 0% packet loss, time 404ms\n"
#define LOST "3 packets transmitted, 0 received, 100% packet loss, time 404ms\n"
#define ADDRESS(name, text) F("addresses", "2: " name "    inet " text "/24 scope global\n")
#define CLIENT F("net", "eth0/mtu\t9000\n") ADDRESS("eth0", "10.0.0.1") END
#define NAS F("net", "eth4/mtu\t9000\n") ADDRESS("eth4", "10.0.0.2") END

struct link_params {
    const struct ng_link *link;
    int way; /* of mtu_match and link_speed: the default */
};

static struct ng_condition_result judge_link(
    struct bench *bench, const char *name, const char *client, const char *nas) {
    const struct link_params params = {&bench->link, 0};
    return bench_judge(bench, name, &params, client, nas);
}

static void jumbo_frames_on_one_side_let_the_transfer_drop_to_0(void **state) {
    struct bench *bench = *state;
    struct ng_condition_result r = judge_link(
        bench, "mtu_match", F("net", "eth0/mtu\t9000\n") END, F("net", "eth4/mtu\t1500\n") END);
    bench_expect(&r, NG_BROKEN, "nas:eth4 has MTU 1500", "same MTU");
}

/* Both ends say 9000, and what is sent vanishes. */
static void a_card_accepts_an_mtu_that_does_not_pass(void **state) {
    struct bench *bench = *state;
    static const char *const peers[] = {"10.0.0.2", "10.0.0.1"};
    static const char *const devices[] = {"eth0", "eth4"};
    for (size_t i = 0; i < 2; i++) {
        bench_say(bench, i, ng_arena_printf(&bench->arena, "route %s", peers[i]),
            ng_arena_printf(
                &bench->arena, "%s dev %s src %s\n", peers[i], devices[i], peers[1 - i]),
            "");
        bench_say(bench, i, ng_arena_printf(&bench->arena, "ping %s", peers[i]), ALL, "");
        bench_say(bench, i, ng_arena_printf(&bench->arena, "proof 8972 %s", peers[i]), LOST, "");
        bench_say(bench, i, ng_arena_printf(&bench->arena, "proof 8973 %s", peers[i]), LOST,
            "ping: local error: message too long, mtu=9000\n");
    }
    struct ng_condition_result r = judge_link(bench, "mtu_match", CLIENT, NAS);
    bench_expect(&r, NG_BROKEN, "vanish without a word", "switch");
}

static void ping_of_busybox_has_other_options(void **state) {
    struct bench *bench = *state;
    static const char refused[] = "ping: invalid option -- 'M'\nBusyBox v1.35.0\n";
    bench_say(bench, 0, "route 10.0.0.2", "10.0.0.2 dev eth0 src 10.0.0.1\n", "");
    bench_say(bench, 1, "route 10.0.0.1", "10.0.0.1 dev eth4 src 10.0.0.2\n", "");
    for (size_t i = 0; i < 2; i++) {
        const char *peer = i == 0 ? "10.0.0.2" : "10.0.0.1";
        bench_say(bench, i, ng_arena_printf(&bench->arena, "ping %s", peer),
            "3 packets transmitted, 3 packets received, 0% packet loss\n"
            "round-trip min/avg/max = 0.1/0.2/0.3 ms\n",
            "");
        bench_say(bench, i, ng_arena_printf(&bench->arena, "proof 8972 %s", peer), "", refused);
        bench_say(bench, i, ng_arena_printf(&bench->arena, "proof 8973 %s", peer), "", refused);
    }
    struct ng_condition_result r = judge_link(bench, "mtu_match", CLIENT, NAS);
    bench_expect(&r, NG_UNKNOWN, "not proven: its ping has no -M", NULL);
}

#define SLAVE(name)                                                                                \
    "eth4\tSlave Interface: " name "\neth4\tMII Status: up\neth4\tSpeed: 10000 Mbps\n"             \
    "eth4\tDuplex: full\neth4\tAggregator ID: 1\n"

static void a_bond_gives_the_speed_of_one_link(void **state) {
    struct bench *bench = *state;
    static const char nas[] =
        F("net", "eth4/speed\t20000\neth4/duplex\tfull\neth4/operstate\tup\neth4/carrier\t1\n"
                 "eth4/bonding/slaves\te0 e1\n") F("bonding",
            "eth4\tBonding Mode: IEEE 802.3ad Dynamic link aggregation\n"
            "eth4\t\tAggregator ID: 1\neth4\t\tNumber of ports: 2\n"
            "eth4\t\tPartner Mac Address: 00:11:32:aa:bb:cc\n" SLAVE("e0") SLAVE("e1")) END;
    static const char client[] = F("net", "eth0/speed\t20000\neth0/duplex\tfull\n"
                                          "eth0/operstate\tup\neth0/carrier\t1\n") END;
    bench->link.speed = 20 * GBIT;
    struct ng_condition_result r = judge_link(bench, "link_speed", client, nas);
    bench_expect(&r, NG_BROKEN, "nas:eth4 runs at 10 Gbit/s, slower than 20", NULL);
    assert_non_null(strstr(bench_looked(&r, "flows of nas:eth4"), "one flow takes one slave"));
}

/* -1 in megabits is no speed: exporters made -125000 bytes/s of it. */
static void a_speed_of_minus_125000_bytes(void **state) {
    struct bench *bench = *state;
    static const char *const speeds[] = {
        "-1", "4294967295", "65535", "0", "", "1e4", "10000 9", "99999999999999999999"};
    bench->link.speed = 10 * GBIT;
    for (size_t i = 0; i < NG_COUNT(speeds); i++) {
        const char *nas = ng_arena_printf(&bench->arena,
            "\nt B net\neth4/speed\t%s\neth4/duplex\tfull\neth4/operstate\tup\neth4/carrier\t1\n"
            "\nt E net 0\n" END,
            speeds[i]);
        struct ng_condition_result r = judge_link(bench, "link_speed",
            F("net", "eth0/speed\t10000\neth0/duplex\tfull\neth0/operstate\tup\n") END, nas);
        bench_expect(&r, NG_UNKNOWN, "the speed of nas:eth4 is unknown", "unknown: allow");
    }
}

static void a_speed_cannot_be_read(void **state) {
    struct bench *bench = *state;
    bench->link.speed = 10 * GBIT;
    struct ng_condition_result r = judge_link(bench, "link_speed",
        F("net", "eth0/speed\t10000\neth0/duplex\tfull\neth0/operstate\tup\n") END,
        F("net", "!eth4/speed\t\neth4/duplex\tfull\neth4/operstate\tup\neth4/carrier\t1\n") END);
    bench_expect(&r, NG_UNKNOWN, "the speed of nas:eth4 is unknown", NULL);
}

struct nic_params {
    struct ng_interface interface;
    int64_t rx, tx;
    struct ng_pairs offload, pause, coalesce;
};

#define CARD F("net", "eth4/mtu\t9000\n") F("ethtool", "/sbin/ethtool") F("nic.1.name", "eth4")

static struct ng_condition_result judge_nic(
    struct bench *bench, int64_t rx, const char *key, const char *value, const char *nas) {
    struct ng_pair pair = {key, value, {0}};
    const struct nic_params params = {
        .interface = {&bench->hosts[1], "eth4"}, .rx = rx, .coalesce = {&pair, key != NULL}};
    return bench_judge(bench, "nic", &params, END, nas);
}

static void rings_are_not_supported(void **state) {
    struct bench *bench = *state;
    struct ng_condition_result r = judge_nic(bench, 512, NULL, NULL,
        CARD "\nt B nic.1.rings\nRing parameters for eth4:\n\nt E nic.1.rings 1\n" F(
            "nic.1.rings.err", "netlink error: Operation not supported\n") END);
    bench_expect(&r, NG_UNKNOWN, "Operation not supported", "unknown: allow");
}

#define RINGS                                                                                      \
    F("nic.1.rings", "Ring parameters for eth4:\nPre-set maximums:\nRX:\t4096\nRX Mini:\tn/a\n"    \
                     "RX Jumbo:\tn/a\nTX:\tn/a\nTX push buff len:\tn/a\n"                          \
                     "Current hardware settings:\nRX:\t512\nRX Mini:\tn/a\nTX:\tn/a\n"             \
                     "TX Push:\toff\nTCP data split:\tn/a\n")

static void a_word_where_a_number_was_wanted(void **state) {
    struct bench *bench = *state;
    struct ng_condition_result r = judge_nic(bench, 512, NULL, NULL, CARD RINGS END);
    bench_expect(&r, NG_HELD, "ring rx of nas:eth4 is 512", NULL);
    const struct nic_params params = {.interface = {&bench->hosts[1], "eth4"}, .tx = 512};
    r = bench_judge(bench, "nic", &params, END, CARD RINGS END);
    bench_expect(&r, NG_UNKNOWN, "the driver does not have it", NULL);
}

static void new_lines_of_coalescing_break_the_reader(void **state) {
    struct bench *bench = *state;
    static const char nas[] = CARD F("nic.1.coalesce",
        "Coalesce parameters for eth4:\nAdaptive RX: off  TX: off\nstats-block-usecs: n/a\n"
        "sample-interval: n/a\n\nrx-usecs: 20\nrx-frames: n/a\n\ntx-usecs: 72\n\n"
        "CQE mode RX: n/a  TX: n/a\n\ntx-aggr-max-bytes: n/a\ntx-aggr-time-usecs: n/a\n"
        "rx-profile-of-tomorrow: {usecs 1, pkts 2}\n") END;
    struct ng_condition_result r = judge_nic(bench, 0, "rx-usecs", "20", nas);
    bench_expect(&r, NG_HELD, "coalesce rx-usecs of nas:eth4 is 20", NULL);
    r = judge_nic(bench, 0, "tx-usecs", "72", nas);
    bench_expect(&r, NG_HELD, "coalesce tx-usecs of nas:eth4 is 72", NULL);
    r = judge_nic(bench, 0, "rx-frames", "5", nas);
    bench_expect(&r, NG_UNKNOWN, "rx-frames", NULL);
}

static void coalescing_has_no_json_in_this_version(void **state) {
    struct bench *bench = *state;
    static const char *const answers[] = {"[ ]", "[ { \"ifname\": \"eth4\", \"rx-usecs\": 20 } ]",
        "ethtool: bad command line argument(s)\nFor more information run ethtool -h\n"};
    for (size_t i = 0; i < NG_COUNT(answers); i++) {
        const char *nas = ng_arena_printf(
            &bench->arena, CARD "\nt B nic.1.coalesce\n%s\nt E nic.1.coalesce 1\n" END, answers[i]);
        struct ng_condition_result r = judge_nic(bench, 0, "rx-usecs", "20", nas);
        bench_expect(&r, NG_UNKNOWN, "rx-usecs", NULL);
    }
}

#define ROOT "1 0 8:2 / / rw,relatime - ext4 /dev/sda2 rw\n"
#define PATH(device)                                                                               \
    F("path.1.name", "/mnt/bench")                                                                 \
    F("path.1.test", "exists yes\ndirectory yes\nreal /mnt/bench\nwritable yes\n")                 \
    F("path.1.stat", "device " device "\nspace 512 9 9 9\n")
#define SERVER F("net", "eth4/mtu\t1500\n") F("addresses", "4: eth4    inet 203.0.113.9/24 x\n") END
#define SHARE(source)                                                                              \
    "2 1 0:42 / /mnt/bench rw - nfs " source " rw,vers=3,proto=tcp,addr=203.0.113.9\n"

static struct ng_condition_result judge_mount(
    struct bench *bench, const char *export, const char *client) {
    const struct {
        const struct ng_volume *volume;
        int expect;
    } params = {&bench->volume, 0};
    bench->mount =
        (struct ng_mount_spec){.type = "nfs", .from = &bench->hosts[1], .export = export};
    bench->volume.mount = &bench->mount;
    return bench_judge(bench, "mounted", &params, client, SERVER);
}

static void the_backup_goes_to_the_local_disk(void **state) {
    struct bench *bench = *state;
    struct ng_condition_result r =
        judge_mount(bench, "/volume1/bench", F("mountinfo", ROOT) PATH("2050") END);
    bench_expect(&r, NG_BROKEN, "is on ext4 /dev/sda2, not on nfs: share not mounted", "mount it");
}

static void a_trailing_slash_makes_another_mount(void **state) {
    struct bench *bench = *state;
    static const char *const frames[] = {F("mountinfo", ROOT SHARE("nas:/volume1/bench/"))
                                             PATH("42") END,
        F("mountinfo", ROOT SHARE("nas:/volume1/bench")) PATH("42") END};
    static const char *const exports[] = {"/volume1/bench", "/volume1/bench/"};
    for (size_t i = 0; i < 4; i++) {
        struct ng_condition_result r = judge_mount(bench, exports[i / 2], frames[i % 2]);
        bench_expect(&r, NG_HELD, "is on nfs nas:/volume1/bench", NULL);
    }
}

/* Only the automount's trigger is there, or fstab alone: a look at the path says that all is well.
 */
static void a_share_that_is_not_there_after_boot_says_nothing(void **state) {
    struct bench *bench = *state;
    struct ng_condition_result r = judge_mount(bench, "/volume1/bench",
        F("mountinfo", ROOT "2 1 0:9 / /mnt/bench rw - autofs systemd-1 rw\n") PATH("9") END);
    bench_expect(&r, NG_BROKEN, "trigger of an automount", "automount");
    r = judge_mount(bench, "/volume1/bench", PATH("2050") END);
    bench_expect(&r, NG_UNKNOWN, "mountinfo", NULL);
}

static void any_directory_passes_for_a_share(void **state) {
    struct bench *bench = *state;
    static const char *const types[] = {"ext4 /dev/sdb1", "tmpfs tmpfs", "overlay overlay",
        "btrfs /dev/sdb1", "fuse.mergerfs a:b", "nfsd nfsd"};
    for (size_t i = 0; i < NG_COUNT(types); i++) {
        const char *client = ng_arena_printf(&bench->arena,
            "\nt B mountinfo\n" ROOT
            "2 1 0:42 / /mnt/bench rw - %s rw\n\nt E mountinfo 0\n" PATH("42") END,
            types[i]);
        struct ng_condition_result r = judge_mount(bench, "/volume1/bench", client);
        bench_expect(&r, NG_BROKEN, "not on nfs", NULL);
    }
}

struct governor_params {
    const struct ng_host *host;
    const char *expect;
};

static void a_governor_file_is_empty(void **state) {
    struct bench *bench = *state;
    const struct governor_params params = {&bench->hosts[1], "performance"};
    struct ng_condition_result r = bench_judge(bench, "governor", &params, END,
        F("cpuinfo", "flags : fpu\n")
            F("cpufreq", "cpufreq/policy0/:\ncpufreq/policy0/scaling_governor:\n") END);
    bench_expect(&r, NG_UNKNOWN, "could not be read", NULL);
}

static void powersave_of_pstate_is_warned_about(void **state) {
    struct bench *bench = *state;
    static const char *const drivers[] = {"intel_pstate", "amd-pstate-epp"};
    const struct governor_params params = {&bench->hosts[1], "performance"};
    for (size_t i = 0; i < NG_COUNT(drivers); i++) {
        const char *nas = ng_arena_printf(&bench->arena,
            F("cpuinfo", "flags : fpu\n") "\nt B cpufreq\ncpufreq/policy0/:\n"
                                          "cpufreq/policy0/scaling_governor:powersave\ncpufreq/"
                                          "policy0/scaling_driver:%s\n"
                                          "\nt E cpufreq 0\n" END,
            drivers[i]);
        struct ng_condition_result r = bench_judge(bench, "governor", &params, END, nas);
        bench_expect(&r, NG_BROKEN, "normal dynamic mode", NULL);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(jumbo_frames_on_one_side_let_the_transfer_drop_to_0),
        TEST(a_card_accepts_an_mtu_that_does_not_pass),
        TEST(ping_of_busybox_has_other_options),
        TEST(a_bond_gives_the_speed_of_one_link),
        TEST(a_speed_of_minus_125000_bytes),
        TEST(a_speed_cannot_be_read),
        TEST(rings_are_not_supported),
        TEST(a_word_where_a_number_was_wanted),
        TEST(new_lines_of_coalescing_break_the_reader),
        TEST(coalescing_has_no_json_in_this_version),
        TEST(the_backup_goes_to_the_local_disk),
        TEST(a_trailing_slash_makes_another_mount),
        TEST(a_share_that_is_not_there_after_boot_says_nothing),
        TEST(any_directory_passes_for_a_share),
        TEST(a_governor_file_is_empty),
        TEST(powersave_of_pstate_is_warned_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
