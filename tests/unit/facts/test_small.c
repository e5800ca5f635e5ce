/* The small parsers: paths and df, tool versions, interfaces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "runner/base/buf.h"
#include "runner/facts/netif.h"
#include "runner/facts/path.h"
#include "runner/facts/tools.h"

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

static struct ng_path parse_path(const char *text) {
    struct ng_path path = {.path = "/p", .device = -1, .available = -1, .total = -1};
    ng_path_parse(&path, &arena, text, strlen(text));
    return path;
}

static void paths(void **state) {
    (void)state;
    struct ng_path path =
        parse_path("exists yes\ndirectory yes\nreal /mnt/a b\nwritable no\ndevice 65024\n"
                   "space 4096 1000 600 500\n");
    assert_int_equal(path.exists, NG_ANSWER_YES);
    assert_int_equal(path.directory, NG_ANSWER_YES);
    assert_int_equal(path.writable, NG_ANSWER_NO);
    assert_string_equal(path.real, "/mnt/a b");
    assert_true(path.device == 65024 && path.available == 4096 * 500 && path.total == 4096000);

    path = parse_path("error ls: cannot access '/p': No such file or directory\n");
    assert_int_equal(path.exists, NG_ANSWER_NO);
    /* a stale handle or a closed door is not "does not exist" */
    path = parse_path("error ls: cannot access '/p': Stale file handle\n");
    assert_int_equal(path.exists, NG_ANSWER_UNKNOWN);
    assert_non_null(strstr(path.why, "Stale"));
    path = parse_path("error \n");
    assert_int_equal(path.exists, NG_ANSWER_UNKNOWN);
    assert_non_null(path.why);
    path =
        parse_path("device x\nspace 4096 9223372036854775807 1 1\nspace 4096 1\nspace - 1 1 1\n");
    assert_true(path.device == -1 && path.available == -1 && path.total == -1);
    path = parse_path("device 1\nFilesystem     1024-blocks  Used Available Capacity Mounted on\n"
                      "/dev/my disk 1000 400 600 40% /mnt/a b\n");
    assert_true(path.available == 600 * 1024 && path.total == 1000 * 1024);
}

static void df(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t available;
    } rows[] = {
        {"Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 10 4 6 40% /\n",
            6 * 1024},
        {"head\na very long device name\n      6030784  1147932  4571556      21% /\n",
            INT64_C(4571556) * 1024},
        {"head\nproc 0 0 0 - /proc\n", 0},
        {"head\n/dev/sda1 10 4 - 40% /\n", -1},
        {"head\n", -1},
        {"", -1},
        {"head\nx 1 2 9223372036854775807 4% /\n", -1},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        int64_t available = -1, total = -1;
        bool known = ng_df_parse(rows[i].text, strlen(rows[i].text), &available, &total);
        if (known != (rows[i].available >= 0) || available != rows[i].available) {
            fail_msg("%zu: %s", i, rows[i].text);
        }
    }
}

static void device_numbers(void **state) {
    (void)state;
    unsigned major, minor;
    ng_device_split(42, &major, &minor);
    assert_true(major == 0 && minor == 42);
    ng_device_split(65024, &major, &minor);
    assert_true(major == 254 && minor == 0);
    ng_device_split(1048832, &major, &minor); /* minors above 255 */
    assert_true(major == 1 && minor == 256);
}

static void versions(void **state) {
    (void)state;
    static const struct {
        const char *tool, *text, *version;
    } rows[] = {
        {"fio", "fio-3.33\n", "3.33"},
        {"fio", "fio-3.33-dirty\n", "3.33"},
        {"fio", "fio-3.35-12-gabcdef\n", "3.35"},
        {"iperf3", "iperf 3.12 (cJSON 1.7.15)\nLinux h 6.1.0-1 x86_64\n", "3.12"},
        {"iperf", "iperf version 2.1.8 (12 August 2022) pthreads\n", "2.1.8"},
        {"ping", "ping from iputils 20221126\nlibcap: yes\n", "20221126"},
        {"ping", "ping utility, iputils-s20161105\n", "20161105"},
        {"ping", "ping: invalid option -- 'V'\nBusyBox v1.35.0 multi-call binary.\n", ""},
        {"ip", "ip utility, iproute2-6.1.0, libbpf 1.1.0\n", "6.1.0"},
        {"ip", "ip utility, iproute2-ss170501\n", "170501"},
        {"mdadm", "mdadm - v4.2 - 2021-12-30\n", "4.2"},
        {"ssh", "OpenSSH_9.2p1 Debian-2\n", "9.2"},
        {"ethtool", "ethtool version 6.1\n", "6.1"},
        {"smbd", "Version 4.17.12-Debian\n", "4.17.12"},
        {"x", "no number 7 with a dot x86_64\n", ""},
        {"x", "99999999999999999999.1\n", ""},
        {"x", "", ""},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_version found = ng_version_find(rows[i].tool, rows[i].text, strlen(rows[i].text));
        struct ng_version wanted = ng_version_read(rows[i].version);
        if (found.count != wanted.count || ng_version_compare(&found, &wanted) != 0) {
            fail_msg("%s: %s", rows[i].tool, rows[i].text);
        }
    }
}

static int compare(const char *a, const char *b) {
    struct ng_version left = ng_version_read(a), right = ng_version_read(b);
    assert_true(left.count > 0 && right.count > 0);
    return ng_version_compare(&left, &right);
}

static void version_order(void **state) {
    (void)state;
    assert_true(compare("3.9", "3.12") < 0);
    assert_true(compare("3.12", "3.9") > 0);
    assert_true(compare("3", "3.0.0") == 0);
    assert_true(compare("3.1", "3") > 0);
    assert_int_equal(ng_version_read("3.x").count, 0);
    assert_int_equal(ng_version_read("3.").count, 0);
    assert_int_equal(ng_version_read("").count, 0);
    assert_int_equal(ng_version_read("v3").count, 0);
    assert_string_equal(ng_tool_package("ping"), "iputils-ping");
    assert_null(ng_tool_package("nothing"));
}

static void interfaces(void **state) {
    (void)state;
    static const char files[] = "eth0/mtu\t9000\neth0/speed\t10000\neth0/duplex\tfull\n"
                                "eth0/operstate\tup\nbond0/mtu\t1500\nbond0/speed\t-1\n"
                                "old/speed\t4294967295\nold2/speed\t65535\nz/speed\t0\n"
                                "!lo/speed\t\nlo/mtu\t65536\nodd/mtu\tnine\n/mtu\t1\n";
    static const char text[] =
        "1: lo    inet 127.0.0.1/8 scope host lo\\       valid_lft forever\n"
        "4: eth0    inet6 fe80::1/64 scope link \\ x\n"
        "4: eth0    inet6 2001:db8::2/64 scope global\n"
        "4: eth0    inet 203.0.113.7/24 brd 203.0.113.255 scope global eth0\n"
        "5: ppp0    inet 10.0.0.1 peer 10.0.0.2/32 scope global ppp0\n"
        "6: v0@if5    inet 169.254.1.1/16 scope link v0\n"
        "2: bond0: <BROADCAST> mtu 1500 qdisc noop\n"
        "Message truncated\n";
    struct ng_netifs netifs = {0};
    ng_netifs_parse(&netifs, &arena, files, strlen(files));
    ng_netifs_addresses(&netifs, &arena, text, strlen(text));
    const struct ng_netif *eth0 = ng_netifs_find(&netifs, "eth0");
    assert_true(eth0->mtu == 9000 && eth0->speed == INT64_C(10000000000));
    assert_int_equal(eth0->address_count, 3);
    assert_string_equal(ng_netif_address(eth0), "203.0.113.7");
    static const char *const unknown[] = {"bond0", "old", "old2", "z", "lo"};
    for (size_t i = 0; i < NG_COUNT(unknown); i++) {
        assert_true(ng_netifs_find(&netifs, unknown[i])->speed == 0);
    }
    assert_true(ng_netifs_find(&netifs, "odd")->mtu == 0);
    assert_string_equal(ng_netif_address(ng_netifs_find(&netifs, "ppp0")), "10.0.0.1");
    assert_string_equal(ng_netif_address(ng_netifs_find(&netifs, "v0")), "169.254.1.1");
    assert_null(ng_netif_address(ng_netifs_find(&netifs, "bond0")));
    assert_null(ng_netifs_find(&netifs, ""));
}

/* More than is kept is said, so that nobody takes the rest for all. */
static void too_many(void **state) {
    (void)state;
    struct ng_buf text;
    ng_buf_init(&text, 1 << 20);
    for (int i = 0; i <= NG_ADDRESSES_MAX; i++) {
        ng_buf_addf(&text, "2: eth0    inet 10.0.%d.%d/8 x\n", i / 250, i % 250);
    }
    struct ng_netifs netifs = {0};
    ng_netifs_addresses(&netifs, &arena, ng_buf_text(&text), text.len);
    assert_int_equal(netifs.items[0].address_count, NG_ADDRESSES_MAX);
    assert_string_equal(netifs.addresses_why, "eth0 has more addresses than can be kept");
    assert_null(netifs.cut);
    ng_buf_clear(&text);
    for (int i = 0; i <= NG_NETIFS_MAX; i++) {
        ng_buf_addf(&text, "e%d/mtu\t1500\n", i);
    }
    netifs = (struct ng_netifs){0};
    ng_netifs_parse(&netifs, &arena, ng_buf_text(&text), text.len);
    ng_buf_release(&text);
    assert_int_equal(netifs.count, NG_NETIFS_MAX);
    assert_non_null(netifs.cut);
    assert_non_null(netifs.addresses_why);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(paths, set_up, tear_down),
        cmocka_unit_test(df),
        cmocka_unit_test(device_numbers),
        cmocka_unit_test(versions),
        cmocka_unit_test(version_order),
        cmocka_unit_test_setup_teardown(interfaces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_many, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
