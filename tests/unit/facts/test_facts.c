/* Facts of a host out of hand-written frames: platforms, md without mdstat, paths, tools, nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "runner/facts/collect.h"
#include "runner/facts/facts.h"

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
#define A(name) "\nt A " name " 0\n"
#define END "\nt Z end\n"
#define LINUX F("uname", "Linux 6.1.0-28-amd64 x86_64\n")
#define NO_MD A("mdstat") F("md", "")

static struct ng_facts *parse(const char *text) {
    return ng_facts_parse(&arena, "nas", "t", text, strlen(text));
}

static const char *environment(const struct ng_facts *facts, const char *key) {
    for (size_t i = 0; i < facts->environment_count; i++) {
        if (strcmp(facts->environment[i].key, key) == 0) {
            return facts->environment[i].value;
        }
    }
    return "";
}

static void a_host(void **state) {
    (void)state;
    const struct ng_facts *facts = parse(LINUX F("id", "0\n") F("markers", "modules\nmd_mod\n")
            F("os-release", "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n")
                F("meminfo", "MemTotal:       16384000 kB\nCached:  1024 kB\n") F("cpus", "0-3,8\n")
                    F("loadavg", "0.19 0.24 0.13 5/112 9261\n") F("uptime", "3725.90 2666.18\n")
                        F("cpuinfo", "processor\t: 0\nmodel name\t: \x1b[31mEPYC\n") END);
    assert_int_equal(facts->platform, NG_PLATFORM_LINUX);
    assert_int_equal(facts->root, NG_ANSWER_YES);
    assert_int_equal(facts->container, NG_ANSWER_NO);
    assert_true(facts->ram == INT64_C(16384000) * 1024 && facts->ram_cached == 1024 * 1024);
    assert_int_equal(facts->cores, 5);
    assert_true(facts->load1 > 0.18 && facts->load1 < 0.20);
    assert_string_equal(environment(facts, "os"), "Debian GNU/Linux 12 (bookworm)");
    assert_string_equal(environment(facts, "kernel"), "Linux 6.1.0-28-amd64 x86_64");
    assert_string_equal(environment(facts, "cpu"), "EPYC"); /* no escape reaches a report */
    assert_string_equal(environment(facts, "cores"), "5");
    assert_string_equal(environment(facts, "load"), "0.19 0.24 0.13");
    assert_string_equal(environment(facts, "privilege"), "root");
}

static void platforms(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum ng_platform platform;
    } rows[] = {
        {F("dsm", "majorversion=\"7\"\nproductversion=\"7.2\"\nbuildnumber=\"64570\"\n") LINUX,
            NG_PLATFORM_DSM},
        {F("markers", "qts\n") LINUX, NG_PLATFORM_QTS},
        {F("unraid", "version=\"6.12.4\"\n") LINUX, NG_PLATFORM_UNRAID},
        {F("markers", "mdcmd\n") LINUX, NG_PLATFORM_UNRAID},
        {F("uname", "FreeBSD 13.1 amd64\n") F("version", "TrueNAS-13.0-U5\n"),
            NG_PLATFORM_TRUENAS_CORE},
        {F("uname", "FreeBSD 11.3 amd64\n") F("version", "FreeNAS-11.3-U5\n"),
            NG_PLATFORM_TRUENAS_CORE},
        {F("syno_unique", "unique=\"synology_v1000_ds1821+\"\n") LINUX, NG_PLATFORM_DSM},
        {F("kernel", "Linux version 4.4.302+ (root@build1) #64570 SMP synology_v1000_ds1821+\n")
                LINUX,
            NG_PLATFORM_DSM},
        {LINUX F("version", "25.04.1\n") F("markers", "midclt\n"), NG_PLATFORM_TRUENAS},
        {LINUX F("version", "TrueNAS-SCALE-22.12.3\n"), NG_PLATFORM_TRUENAS},
        {F("uname", "FreeBSD 13.1 amd64\n"), NG_PLATFORM_FREEBSD},
        {LINUX F("markers", "midclt\n"), NG_PLATFORM_TRUENAS},
        {LINUX F("markers", "omv\n"), NG_PLATFORM_OMV},
        {LINUX F("markers", "openwrt\n"), NG_PLATFORM_OPENWRT},
        {LINUX, NG_PLATFORM_LINUX},
        {"", NG_PLATFORM_UNKNOWN},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        assert_int_equal(parse(rows[i].text)->platform, rows[i].platform);
    }
    assert_string_equal(environment(parse(rows[0].text), "os"), "DSM 7.2-64570");
    assert_string_equal(
        environment(parse(F("markers", "qts\n") F("qts", "Model = TS-X72\nInternal Model = TS-X72\n"
                                                         "Version = 5.1.0\n"
                                                         "Build Number = 20230801\n"
                                                         "Version = 9\n") LINUX),
            "os"),
        "QTS 5.1.0 build 20230801");
}

/* A guest is told by its processor or by its maker; what shows neither is unknown. */
static void guests(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum ng_answer guest;
    } rows[] = {
        {F("cpuinfo", "model name : EPYC\nflags\t\t: fpu vme hypervisor lahf_lm\n"), NG_ANSWER_YES},
        {F("cpuinfo", "model name : EPYC\nflags\t\t: fpu vme lahf_lm\n"), NG_ANSWER_NO},
        {F("vendor", "QEMU\n") F("model", "Standard PC\n"), NG_ANSWER_YES},
        {F("vendor", "Microsoft Corporation\n") F("model", "Virtual Machine\n"), NG_ANSWER_YES},
        {F("vendor", "Microsoft Corporation\n") F("model", "Surface Pro\n"), NG_ANSWER_UNKNOWN},
        {F("markers", "hypervisor\n"), NG_ANSWER_YES},
        {F("cpuinfo", "Hardware : Annapurna\n"), NG_ANSWER_UNKNOWN},
        {"", NG_ANSWER_UNKNOWN},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        assert_int_equal(parse(rows[i].text)->virtual_machine, rows[i].guest);
    }
}

/* Without /proc/mdstat there are no arrays only where the kernel shows that it has no md. */
static void md_without_mdstat(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum ng_md_kind kind;
    } rows[] = {
        {LINUX NO_MD F("markers", "modules\n"), NG_MD_NONE},
        {LINUX NO_MD F("markers", "modules\ncontainer\n"), NG_MD_NONE},
        {LINUX NO_MD F("markers", "modules\nmd_mod\n"), NG_MD_UNKNOWN},
        {LINUX NO_MD F("markers", ""), NG_MD_UNKNOWN},
        {LINUX F("md", "") F("markers", "modules\n"), NG_MD_UNKNOWN}, /* not asked */
        {LINUX "\nt L mdstat 8\n" F("markers", "modules\n"), NG_MD_UNKNOWN},
        {LINUX NO_MD F("markers", "modules\nqts\n"), NG_MD_UNKNOWN},
        {LINUX A("mdstat") F("md", "md0/sync_action\tidle\n") F("markers", "modules\n"),
            NG_MD_UNKNOWN},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_facts *facts = parse(rows[i].text);
        if (facts->md.kind != rows[i].kind) {
            fail_msg("row %zu: %d, %s", i, (int)facts->md.kind, facts->md.reason);
        }
        assert_non_null(facts->md.reason);
    }
}

#define ROOT "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"

static void paths(void **state) {
    (void)state;
    const struct ng_facts *facts = parse(F("mountinfo", ROOT "2 1 0:9 / /n rw - autofs m rw\n")
            F("path.1.name", "/n/a") F("path.2.name", "/link") F("path.3.name", "/gone")
                F("path.1.test", "exists yes\ndirectory yes\nreal /n/a\nwritable yes\n")
                    F("path.1.stat", "device 40\nspace 512 10 5 4\n")
                        F("path.2.test", "exists yes\ndirectory yes\nreal /n/a/b\nwritable "
                                         "no\n") "\nt L path.2.stat 3\n"
                                                 "\nt L path.3.test 3\n" F("mountinfo.after",
                                                     ROOT "2 1 0:9 / /n rw - autofs m rw\n"
                                                          "3 2 0:40 / /n rw - nfs4 s:/e rw\n") END);
    assert_int_equal(facts->path_count, 3);
    const struct ng_path *path = ng_facts_path(facts, &arena, "/n/a");
    assert_true(path->available == 2048 && path->total == 5120 && path->device == 40);
    /* the automount answered between the two readings */
    assert_string_equal(ng_facts_mount(facts, "/n/a")->type, "nfs4");
    /* a symbolic link is followed */
    assert_string_equal(ng_facts_mount(facts, "/link")->type, "nfs4");
    path = ng_facts_path(facts, &arena, "/link");
    assert_int_equal(path->exists, NG_ANSWER_YES);
    assert_non_null(strstr(path->space_why, "did not answer in 3 s"));
    path = ng_facts_path(facts, &arena, "/gone");
    assert_true(path->late);
    assert_int_equal(path->exists, NG_ANSWER_UNKNOWN);
    path = ng_facts_path(facts, &arena, "/never");
    assert_int_equal(path->exists, NG_ANSWER_UNKNOWN);
    assert_non_null(strstr(path->why, "not asked for"));
}

static void bad_mountinfo(void **state) {
    (void)state;
    const struct ng_facts *facts = parse(F("mountinfo", ROOT "broken line\n") END);
    assert_null(ng_facts_mount(facts, "/x"));
    assert_non_null(facts->mounts_why);
    facts = parse(F("mountinfo", "") END);
    assert_non_null(facts->mounts_why);
    facts = parse("\nt B mountinfo\n" ROOT); /* cut off */
    assert_null(ng_facts_mount(facts, "/x"));
    assert_non_null(facts->mounts_why);
}

static void tools(void **state) {
    (void)state;
    const struct ng_facts *facts = parse(F("tool.fio.path", "/usr/bin/fio\n")
            F("tool.fio.version", "\nfio-3.33\nmore\n") A("tool.iperf3.path")
                F("tool.ping.path", "/bin/ping\n") "\nt L tool.ping.version 8\n" END);
    const struct ng_tool *tool = ng_facts_tool(facts, &arena, "fio");
    assert_int_equal(tool->found, NG_ANSWER_YES);
    assert_string_equal(tool->path, "/usr/bin/fio");
    assert_string_equal(tool->text, "fio-3.33");
    assert_true(tool->version.parts[0] == 3 && tool->version.parts[1] == 33);
    assert_int_equal(ng_facts_tool(facts, &arena, "iperf3")->found, NG_ANSWER_NO);
    assert_int_equal(ng_facts_tool(facts, &arena, "ping")->found, NG_ANSWER_YES);
    assert_non_null(strstr(ng_facts_tool(facts, &arena, "ping")->text, "did not answer"));
    assert_int_equal(ng_facts_tool(facts, &arena, "curl")->found, NG_ANSWER_UNKNOWN);
    assert_string_equal(environment(facts, "fio"), "fio-3.33");
    assert_string_equal(environment(facts, "iperf3"), "not installed");
}

static void nothing(void **state) {
    (void)state;
    const struct ng_facts *facts = ng_facts_none(&arena, "nas", "sh could not be started");
    assert_string_equal(facts->host, "nas");
    assert_string_equal(facts->reason, "sh could not be started");
    assert_null(ng_facts_mount(facts, "/"));
    assert_int_equal(facts->md.kind, NG_MD_UNKNOWN);
    assert_true(facts->ram == 0 && facts->cores == 0 && facts->load1 < 0);
    const char *why = ng_facts_tool(facts, &arena, "fio")->why;
    assert_non_null(strstr(why, "sh could not be started"));
    assert_int_equal(facts->environment_count, 1); /* platform: unknown */
}

static void asking(void **state) {
    (void)state;
    struct ng_collect_needs needs = {0};
    struct ng_strv argv = {0};
    ng_collect_needs_path(&needs, "/mnt/a b");
    ng_collect_needs_path(&needs, "/mnt/a b");
    ng_collect_needs_path(&needs, "relative");
    ng_collect_needs_path(&needs, "/new\nline");
    ng_collect_needs_path(&needs, "");
    ng_collect_needs_tool(&needs, "fio");
    ng_collect_needs_tool(&needs, "fio");
    ng_collect_needs_tool(&needs, "a b");
    ng_collect_needs_tool(&needs, "$(x)");
    ng_collect_needs_tool(&needs, "-t");
    ng_collect_needs_tool(&needs, "../x");
    ng_collect_needs_tool(&needs, "");
    static const char *const words[] = {"docker", "run", "a b"};
    ng_collect_needs_command(&needs, "iperf3", words, 3);
    ng_collect_needs_command(&needs, "ping", words, 1);
    ng_collect_needs_command(&needs, "iperf3", words, 2);
    ng_collect_needs_command(&needs, "ping", words, 3);
    ng_collect_needs_command(&needs, "-x", words, 3);
    ng_collect_needs_command(&needs, "none", words, 0);
    ng_collect_argv(&needs, "token", &argv);
    static const char *const wanted[] = {"/bin/sh", "-s", "--", "token", "-p", "/mnt/a b", "-t",
        "fio", "-T", "iperf3", "3", "docker", "run", "a b", "-T", "ping", "1", "docker"};
    assert_int_equal(argv.count, NG_COUNT(wanted));
    for (size_t i = 0; i < NG_COUNT(wanted); i++) {
        assert_string_equal(argv.items[i], wanted[i]);
    }
    ng_strv_release(&argv);
    for (int i = 0; i < NG_COLLECT_PATHS_MAX + 10; i++) {
        ng_collect_needs_path(&needs, ng_arena_printf(&arena, "/p%d", i));
    }
    assert_int_equal(needs.paths.count, NG_COLLECT_PATHS_MAX);
    ng_collect_needs_release(&needs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_host, set_up, tear_down),
        cmocka_unit_test_setup_teardown(platforms, set_up, tear_down),
        cmocka_unit_test_setup_teardown(guests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(md_without_mdstat, set_up, tear_down),
        cmocka_unit_test_setup_teardown(paths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_mountinfo, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tools, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(asking, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
