/* How a host gets a program that it lacks: by platform, by system, in a container. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "runner/facts/collect.h"
#include "runner/facts/tool_advice.h"

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

#define F(name, text) "\nt B " name "\n" text "\nt E " name " 0\n"
#define END "\nt Z end\n"
#define OS(text) F("uname", "Linux 6.1\n") F("os-release", text) END
#define DSM F("dsm", "majorversion=\"7\"\n") F("uname", "Linux 4.4\n")
#define DOCKER                                                                                     \
    F("tool.docker.path", "/usr/local/bin/docker\n")                                               \
    F("tool.docker.version", "Docker version 20.10\n")
#define NO_DOCKER "\nt A tool.docker.path 0\n"

struct row {
    const char *text, *tool;
    const char *says, *says_too;
    bool as_root;
};

static void check(const struct row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct ng_facts *facts =
            ng_facts_parse(&arena, "nas", "t", rows[i].text, strlen(rows[i].text));
        const char *said = ng_tool_advice(facts, &arena, rows[i].tool, NULL, rows[i].as_root);
        if (strstr(said, rows[i].says) == NULL || strstr(said, rows[i].says_too) == NULL) {
            fail_msg("row %zu: %s", i, said);
        }
    }
}

static void by_package_manager(void **state) {
    (void)state;
    static const struct row rows[] = {
        {OS("ID=debian\n"), "fio", "apt-get install fio", "", true},
        {OS("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"), "ping", "apt-get install iputils-ping",
            "", true},
        {OS("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n"), "ping", "dnf install iputils", "",
            true},
        {OS("ID=fedora\n"), "tc", "dnf install iproute-tc", "", true},
        {OS("ID=opensuse-leap\nID_LIKE=\"suse opensuse\"\n"), "smbclient",
            "zypper install samba-client", "", true},
        {OS("ID=alpine\n"), "iperf3", "apk add iperf3", "", true},
        {OS("ID=arch\n"), "ssh", "pacman -S openssh", "", true},
        {OS("ID=\"openwrt\"\n"), "ip", "opkg install ip-full", "", true},
        {OS("ID=debian\n"), "newbench", "apt-get install newbench", "", true},
        {OS("ID=plan9\n"), "ping", "install ping", "iputils-ping", true},
        {OS("NAME=\"ID=debian\"\n"), "fio", "install fio", "Debian's package", true},
        {F("uname", "FreeBSD 13.1\n") END, "fio", "pkg install fio", "", true},
        {F("uname", "FreeBSD 13.1\n") F("version", "TrueNAS-13.0\n") END, "fio", "pkg install fio",
            "in a jail", true},
        {F("markers", "omv\n") OS("ID=debian\n"), "fio", "apt-get install fio", "", true},
    };
    check(rows, NG_COUNT(rows));
}

static void in_a_container(void **state) {
    (void)state;
    static const struct row rows[] = {
        {DSM DOCKER END, "iperf3",
            "tools: {iperf3: [docker, run, --rm, --network, host, networkstatic/iperf3]}",
            "docker is there (Docker version 20.10)", true},
        {DSM DOCKER END, "iperf3", "{iperf3: [sudo, -n, docker, run,", "docker is there", false},
        {DSM NO_DOCKER END, "iperf3", "networkstatic/iperf3", "install Container Manager", true},
        {DSM END, "iperf3", "networkstatic/iperf3", "is not known", true},
        {DSM DOCKER END, "fio", "\"/volume1:/volume1\", IMAGE, fio]}", "an IMAGE that has fio",
            true},
        {DSM DOCKER END, "curl", "--network, host, IMAGE, curl]}", "an IMAGE that has curl", true},
        {DSM DOCKER END, "ethtool", "a container cannot stand for it", "unknown", true},
        {F("markers", "qts\n") NO_DOCKER END, "iperf3", "QNAP QTS has no package",
            "Container Station", true},
        {F("unraid", "version=\"6.12\"\n") NO_DOCKER END, "fio", "/mnt/user:/mnt/user", "Settings",
            true},
        {F("version", "TrueNAS-SCALE-22\n") F("uname", "Linux 5.15\n") DOCKER END, "fio",
            "TrueNAS SCALE has no package", "/mnt:/mnt", true},
    };
    check(rows, NG_COUNT(rows));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(by_package_manager, set_up, tear_down),
        cmocka_unit_test_setup_teardown(in_a_container, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
