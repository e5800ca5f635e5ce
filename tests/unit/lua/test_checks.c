/* The shipped checks: each holds on a good output, breaks on a bad one, and is unknown without. */
#include "tests/unit/lua/calls.h"

#include <unistd.h>

#include "lua/host/check.h"
#include "runner/base/files.h"

#define F(name, text) "\nt B " name "\n" text "\nt E " name " 0\n"
#define END "\nt Z end\n"

/* A recorded output; NULL, with the reason printed, where there is none. */
static const char *recording(struct bench *b, const char *file) {
    const char *folder = getenv("NASGATE_RECORDINGS");
    folder = folder != NULL ? folder : "../shared/recordings";
    if (access(folder, R_OK) != 0) {
        print_message("skipped: no recordings in %s\n", folder);
        return NULL;
    }
    char *text = NULL;
    size_t len = 0;
    assert_true(ng_file_read(
        ng_arena_printf(&b->arena, "%s/%s", folder, file), 1 << 20, &text, &len, NULL));
    const char *copy = ng_arena_strndup(&b->arena, text, len);
    free(text);
    return copy;
}

static void check(struct bench *b, const char *name, const struct given *given,
    enum ng_script_said said, const char *words) {
    const struct ng_shipped_script *row = ng_shipped_find(name);
    assert_non_null(row);
    b->given = given;
    b->call.expected = NULL;
    bench_expect(b, row->text, said, words);
    assert_non_null(b->call.expected);
}

/* One command alone; nothing without its output. */
static void check_one(struct bench *b, const char *name, const char *command, const char *out,
    enum ng_script_said said, const char *words) {
    const struct given given[] = {{command, 0, out, NULL}, {NULL, 0, NULL, NULL}};
    if (out == NULL) {
        return;
    }
    check(b, name, given, said, words);
}

static void on_nas(struct bench *b) {
    bench_arg(b, "host", TEXT("nas"));
}

static void test_no_backup_job(void **state) {
    struct bench *b = *state;
    static const char name[] = "no_backup_job.lua";
    static const char ps[] = "ps -e -o pid= -o args=";
    on_nas(b);
    check_one(b, name, ps,
        "    1 /sbin/init\n  800 /usr/bin/rsync --daemon\n  801 /usr/bin/proxmox-backup-proxy\n"
        "  802 [kworker/0:1]\n  803 nfsd\n",
        NG_SCRIPT_HELD, "none among 5");
    static const struct {
        const char *line, *job;
    } jobs[] = {{"/usr/bin/perl -T /usr/bin/vzdump 100 --mode snapshot", "vzdump"},
        {"task UPID: vzdump", NULL}, {"/usr/bin/rsync -a /volume1 nas2::backup", "rsync"},
        {"rsync --server -logDtpre.iLsfxC . /volume1", "rsync"},
        {"/usr/bin/python3 /usr/bin/borg create ::now /data", "borg"},
        {"/usr/bin/python3.11 -u /opt/borg/bin/borg create", "borg"},
        {"restic backup /srv", "restic"}, {"proxmox-backup-client backup root.pxar:/", "Proxmox"},
        {"/var/packages/HyperBackup/target/bin/img_backup -B -i 3", "Hyper Backup"},
        {"sudo -n nice -n 19 restic backup /", NULL}, {"vim /etc/rsync.conf", NULL},
        {"sh -c /usr/bin/rsync -a a b", "rsync"}};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        const char *out = ng_arena_printf(&b->arena, "    1 init\n 4711 %s\n", jobs[i].line);
        const bool bad = jobs[i].job != NULL;
        check_one(b, name, ps, out, bad ? NG_SCRIPT_BROKEN : NG_SCRIPT_HELD,
            bad ? jobs[i].job : "none among 2");
    }
    check_one(b, name, "ps -o pid,args", "PID COMMAND\n  1 init\n  7 vzdump 100\n",
        NG_SCRIPT_BROKEN, "vzdump (process 7) on nas");
    check_one(b, name, ps, "  812 bash\n", NG_SCRIPT_UNKNOWN, "does not show all processes");
    check_one(b, name, ps, "  812 restic backup\n", NG_SCRIPT_BROKEN, "restic");
    check_one(b, name, ps, "", NG_SCRIPT_UNKNOWN, "does not show all");
    check_one(b, name, "none", "", NG_SCRIPT_UNKNOWN, "gave no list: not found");
    const struct ng_value allowed[] = {TEXT("restic")};
    bench_arg(b, "allow", (struct ng_value){.kind = NG_VALUE_LIST, .items = allowed, .count = 1});
    check_one(b, name, ps, "1 init\n 8 restic backup\n", NG_SCRIPT_HELD, "none among 2");
}

static void test_interrupt_moderation(void **state) {
    struct bench *b = *state;
    static const char name[] = "interrupt_moderation.lua";
    static const char sk98lin[] = "cat -- /proc/net/sk98lin/eth4";
    on_nas(b);
    bench_arg(b, "interface", TEXT("eth4"));
    static const char full[] = "Adaptive RX: off  TX: off\nrx-usecs: 20\nrx-frames: 5\n";
    check_one(b, name, "ethtool -c eth4", recording(b, "ethtool/coalesce-full.txt"), NG_SCRIPT_HELD,
        "rx-usecs 20");
    check_one(b, name, "ethtool -c eth4", full, NG_SCRIPT_HELD, "rx-usecs 20");
    check_one(b, name, "ethtool -c eth4", recording(b, "ethtool/coalesce-header-only.txt"),
        NG_SCRIPT_UNKNOWN, "says neither");
    check_one(b, name, "ethtool -c eth4", recording(b, "ethtool/coalesce-na.txt"),
        NG_SCRIPT_UNKNOWN, "says neither");
    check_one(b, name, "ethtool -c eth4", "Adaptive RX: off  TX: off\nrx-usecs: 0\nrx-frames: 1\n",
        NG_SCRIPT_BROKEN, "is off");
    check_one(
        b, name, "ethtool -c eth4", "Adaptive RX: on  TX: n/a\n", NG_SCRIPT_HELD, "adaptive on");
    const struct given refused[] = {
        {"ethtool -c eth4", 1, "",
            "Cannot get device coalesce settings: Operation not supported\n"},
        {NULL, 0, NULL, NULL}};
    check(b, name, refused, NG_SCRIPT_UNKNOWN, "Operation not supported");
    check_one(b, name, sk98lin, "Interrupt Moderation           static (2000 ints/sec)\n",
        NG_SCRIPT_HELD, "static (2000 ints/sec)");
    check_one(b, name, sk98lin, "Interrupt moderation           disabled\n", NG_SCRIPT_BROKEN,
        "is off: disabled");
    const char *frames =
        ng_arena_printf(&b->arena, F("nic.1.name", "eth4") F("nic.1.coalesce", "%s") END, full);
    b->facts[1] = ng_facts_parse(&b->arena, "nas", "t", frames, strlen(frames));
    check_one(b, name, "none", "", NG_SCRIPT_HELD, "rx-usecs 20"); /* as it was collected */
    bench_arg(b, "usecs", INT(100));
    check_one(b, name, "none", "", NG_SCRIPT_BROKEN, "is 20, expected 100");
    bench_arg(b, "rate", INT(1000));
    check_one(b, name, sk98lin, "Interrupt moderation  dynamic (2000 ints/sec)\n", NG_SCRIPT_BROKEN,
        "2000 interrupts per second in force, expected 1000");
}

static void test_samba_globals(void **state) {
    struct bench *b = *state;
    static const char name[] = "samba_globals.lua";
    static const char out[] = "[global]\n\tserver max protocol = SMB3\n\tuse sendfile = Yes\n"
                              "\taio read size = 1\n\tsocket options = TCP_NODELAY\n"
                              "[data]\n\tuse sendfile = No\n";
    const struct ng_value wanted[] = {
        {.kind = NG_VALUE_TEXT, .key = "Server Max Protocol", .text = "smb3"},
        {.kind = NG_VALUE_BOOL, .key = "use sendfile", .truth = true},
        {.kind = NG_VALUE_INT, .key = "aio read size", .whole = 1}};
    on_nas(b);
    bench_arg(b, "expect", (struct ng_value){.kind = NG_VALUE_MAP, .items = wanted, .count = 3});
    check_one(b, name, "testparm -s -v", out, NG_SCRIPT_HELD, "all as expected, of 4");
    check_one(b, name, "testparm -s -v",
        "[global]\n\tserver max protocol = SMB2\n\tuse sendfile = No\n\taio read size = 1\n",
        NG_SCRIPT_BROKEN, "\"use sendfile\" is \"No\", expected \"true\"");
    check_one(b, name, "testparm -s -v", "[global]\n\tuse sendfile = Yes\n\taio read size = 1\n",
        NG_SCRIPT_UNKNOWN, "does not know: Server Max Protocol");
    check_one(b, name, "testparm -s -v", "", NG_SCRIPT_UNKNOWN, "no [global] section");
    check_one(b, name, "none", "", NG_SCRIPT_UNKNOWN, "gave no settings");
}

static void test_smart_clean(void **state) {
    struct bench *b = *state;
    static const char name[] = "smart_clean.lua";
    static const char as_json[] = "smartctl -j -n standby -H -A /dev/sda";
    static const char as_text[] = "smartctl -n standby -H -A /dev/sda";
    static const char sound[] =
        "{\"smart_status\": {\"passed\": true}, \"ata_smart_attributes\": {\"table\": ["
        "{\"id\": 5, \"raw\": {\"value\": 8}}, {\"id\": 197, \"raw\": {\"value\": 0}},"
        "{\"id\": 198, \"raw\": {\"value\": 0}}]}}";
    static const char pending[] =
        "{\"smart_status\": {\"passed\": true}, \"ata_smart_attributes\": {\"table\": ["
        "{\"id\": 5, \"raw\": {\"value\": 9}}, {\"id\": 197, \"raw\": {\"value\": 16}}]}}";
    static const char old[] =
        "SMART overall-health self-assessment test result: PASSED\n"
        "ID# ATTRIBUTE_NAME FLAG VALUE WORST THRESH TYPE UPDATED WHEN_FAILED RAW_VALUE\n"
        "  5 Reallocated_Sector_Ct 0x0033 200 200 140 Pre-fail Always - 0\n"
        "197 Current_Pending_Sector 0x0032 200 200 000 Old_age Always - %d\n";
    const struct ng_value disks[] = {TEXT("/dev/sda")};
    on_nas(b);
    bench_arg(b, "disks", (struct ng_value){.kind = NG_VALUE_LIST, .items = disks, .count = 1});
    check_one(b, name, as_json, sound, NG_SCRIPT_HELD, "no disk has more than 0");
    assert_string_equal(bench_recorded(b, "/dev/sda reallocated"), "8");
    check_one(b, name, as_json, pending, NG_SCRIPT_BROKEN, "/dev/sda has 16 pending sectors");
    check_one(b, name, as_json, "{\"nvme_smart_health_information_log\": {\"media_errors\": 0}}",
        NG_SCRIPT_HELD, "no disk");
    check_one(b, name, as_json,
        "{\"smart_status\": {\"passed\": false}, \"nvme_smart_health_information_log\": "
        "{\"media_errors\": 3}}",
        NG_SCRIPT_BROKEN, "says of itself that it fails");
    check_one(b, name, as_json,
        "{\"smartctl\": {\"messages\": [{\"string\": \"Device is in STANDBY "
        "mode\"}]}}",
        NG_SCRIPT_UNKNOWN, "it sleeps, and is not woken");
    check_one(b, name, as_text, ng_arena_printf(&b->arena, old, 0), NG_SCRIPT_HELD, "no disk");
    check_one(b, name, as_text, ng_arena_printf(&b->arena, old, 4), NG_SCRIPT_BROKEN, "4 pending");
    check_one(b, name, "none", "", NG_SCRIPT_UNKNOWN, "/dev/sda: not found");
    struct ng_records before = {0};
    ng_records_add(&b->arena, &before, "/dev/sda reallocated", "%s", "7");
    b->call.earlier = &before;
    check_one(b, name, as_json, sound, NG_SCRIPT_BROKEN, "has 8 reallocated sectors, 7 before");
}

static void test_nic_errors_quiet(void **state) {
    struct bench *b = *state;
    static const char name[] = "nic_errors_quiet.lua";
    on_nas(b);
    bench_arg(b, "interface", TEXT("eth4"));
    static const char quiet[] = "NIC statistics:\n     rx_octets: 808\n     rx_fcs_errors: 0\n";
    check_one(b, name, "ethtool -S eth4", recording(b, "ethtool/stats-short.txt"), NG_SCRIPT_HELD,
        "noted");
    check_one(b, name, "ethtool -S eth4", quiet, NG_SCRIPT_HELD, "1 error counters of eth4 on nas");
    struct ng_records before = b->call.records;
    b->call.earlier = &before;
    check_one(b, name, "ethtool -S eth4", quiet, NG_SCRIPT_HELD, "none of 1 error counters grew");
    check_one(b, name, "ethtool -S eth4",
        "NIC statistics:\n     rx_fcs_errors: 12\n     rx_octets: 99\n", NG_SCRIPT_BROKEN,
        "rx_fcs_errors by 12 on eth4 on nas");
    b->call.earlier = NULL;
    check_one(b, name, "cat -- /proc/net/dev",
        "Inter-|   Receive\n face |bytes\n  eth4: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n",
        NG_SCRIPT_HELD, "4 error counters");
    before = b->call.records;
    b->call.earlier = &before;
    check_one(b, name, "cat -- /proc/net/dev", "  eth4: 1 2 3 9 5 6 7 8 9 10 11 12 13 14 15 16\n",
        NG_SCRIPT_BROKEN, "rx drop by 5");
    check_one(b, name, "cat -- /proc/net/dev", "  eth4: 1 2 0 4 5 6 7 8 9 10 11 12 13 14 15 16\n",
        NG_SCRIPT_BROKEN, "rx errors fell from 3 to 0 on eth4 on nas: the card");
    assert_int_equal(b->call.records.count, 4); /* all of them, for the next look */
    check_one(b, name, "ethtool -S eth4", "NIC statistics:\n     rx_fcs_errors: 12\n",
        NG_SCRIPT_HELD, "none of 1 error counters grew"); /* one that was not there is new */
    check_one(b, name, "none", "", NG_SCRIPT_UNKNOWN, "no error counter");
    bench_arg(b, "allow", INT(5));
    check_one(b, name, "cat -- /proc/net/dev", "  eth4: 1 2 3 9 5 6 7 8 9 10 11 12 13 14 15 16\n",
        NG_SCRIPT_HELD, "none of 4 error counters grew");
}

static void test_dsm_volume_normal(void **state) {
    struct bench *b = *state;
    static const char name[] = "dsm_volume_normal.lua";
    static const char ask[] = "synowebapi --exec api=SYNO.Storage.CGI.Storage method=load_info "
                              "version=1";
    static const char info[] =
        "[Line 255] Exec WebAPI: api=SYNO.Storage.CGI.Storage\n"
        "{\"data\": {\"volumes\": [{\"vol_path\": \"/volume1\", \"status\": \"%s\", \"progress\": "
        "{\"percent\": \"%s\"}}, {\"vol_path\": \"/volume2\", \"status\": \"normal\"}], "
        "\"storagePools\": [{\"id\": \"reuse_1\", \"status\": \"normal\"}]}, \"success\": true}";
    on_nas(b);
    check_one(b, name, ask, ng_arena_printf(&b->arena, info, "normal", "-1"), NG_SCRIPT_HELD,
        "3 volumes and pools are normal");
    check_one(b, name, ask, ng_arena_printf(&b->arena, info, "background", "41.2"),
        NG_SCRIPT_BROKEN, "volume /volume1 is background (41.2%) on nas");
    check_one(b, name, ask, ng_arena_printf(&b->arena, info, "crashed", "-1"), NG_SCRIPT_BROKEN,
        "volume /volume1 is crashed on nas");
    check_one(b, name, ask, "{\"data\": {\"volumes\": []}}", NG_SCRIPT_UNKNOWN, "names no volume");
    check_one(b, name, ask, "error\n", NG_SCRIPT_UNKNOWN, "told nothing");
    check_one(b, name, "none", "", NG_SCRIPT_UNKNOWN, "told nothing: not found");
    bench_arg(b, "volume", TEXT("/volume2"));
    check_one(b, name, ask, ng_arena_printf(&b->arena, info, "crashed", "-1"), NG_SCRIPT_HELD,
        "2 volumes and pools");
}

static void test_truenas_pool(void **state) {
    struct bench *b = *state;
    static const char name[] = "truenas_pool.lua";
    static const char ask[] = "midclt call pool.query";
    static const char pool[] =
        "[{\"name\": \"tank\", \"status\": \"%s\", \"healthy\": %s, \"scan\": {\"function\": "
        "\"SCRUB\", \"state\": \"%s\", \"percentage\": 12.5, \"pause\": %s}}]";
    on_nas(b);
    check_one(b, name, ask, ng_arena_printf(&b->arena, pool, "ONLINE", "true", "FINISHED", "null"),
        NG_SCRIPT_HELD, "1 pool is online");
    check_one(b, name, ask,
        ng_arena_printf(&b->arena, pool, "DEGRADED", "false", "FINISHED", "null"), NG_SCRIPT_BROKEN,
        "tank is DEGRADED");
    check_one(b, name, ask, ng_arena_printf(&b->arena, pool, "ONLINE", "false", "FINISHED", "null"),
        NG_SCRIPT_BROKEN, "tank is not healthy");
    check_one(b, name, ask, ng_arena_printf(&b->arena, pool, "ONLINE", "true", "SCANNING", "null"),
        NG_SCRIPT_BROKEN, "tank is at work: scrub at 12%");
    check_one(b, name, ask,
        ng_arena_printf(&b->arena, pool, "ONLINE", "true", "SCANNING", "{\"$date\": 1}"),
        NG_SCRIPT_HELD, "1 pool is online");
    check_one(b, name, "zpool status", recording(b, "zpool/status-scrub-none-unavail.txt"),
        NG_SCRIPT_BROKEN, "tank is DEGRADED");
    check_one(b, name, "zpool status",
        "  pool: tank\n state: ONLINE\n  scan: scrub repaired 0B in 01:00:00 with 0 errors\n"
        "config:\n\n\ttank ONLINE 0 0 0\n\nerrors: No known data errors\n\n"
        "  pool: boot\n state: ONLINE\nerrors: No known data errors\n",
        NG_SCRIPT_HELD, "2 pools are online");
    check_one(b, name, "zpool status",
        "  pool: tank\n state: ONLINE\n  scan: resilver in progress since Sun\n"
        "errors: No known data errors\n",
        NG_SCRIPT_BROKEN, "tank is at work: resilver");
    check_one(b, name, "zpool status", "  pool: tank\n state: ONLINE\nerrors: 4 data errors\n",
        NG_SCRIPT_BROKEN, "not healthy");
    check_one(
        b, name, "zpool status", "no pools available\n", NG_SCRIPT_UNKNOWN, "no pool was seen");
    check_one(b, name, "none", "", NG_SCRIPT_UNKNOWN, "neither midclt nor zpool");
}

static void test_nfsd_threads(void **state) {
    struct bench *b = *state;
    static const char name[] = "nfsd_threads.lua";
    static const char ask[] = "cat -- /proc/net/rpc/nfsd";
    on_nas(b);
    check_one(b, name, ask, recording(b, "other/nfsd-rpc.txt"), NG_SCRIPT_HELD, "8 threads");
    check_one(b, name, ask, "th 4 0\n", NG_SCRIPT_BROKEN, "4 threads on nas, at least 8");
    check_one(b, name, ask, "rc 0 0 0\n", NG_SCRIPT_UNKNOWN, "no line th");
    check_one(b, name, "none", "", NG_SCRIPT_UNKNOWN, "not found");
    bench_arg(b, "at_least", INT(16));
    check_one(b, name, ask, recording(b, "other/nfsd-rpc.txt"), NG_SCRIPT_BROKEN, "at least 16");
}

static void test_docker_iperf3(void **state) {
    struct bench *b = *state;
    static const char name[] = "docker_iperf3.lua";
    static const char ask[] = "docker images --format {{.Repository}}:{{.Tag}}";
    on_nas(b);
    check_one(b, name, ask, "alpine:3\nnetworkstatic/iperf3:latest\n", NG_SCRIPT_HELD,
        "networkstatic/iperf3:latest is there");
    check_one(b, name, ask, "docker.io/networkstatic/iperf3:3.1\n", NG_SCRIPT_HELD, "is there");
    check_one(b, name, ask, "alpine:3\nnetworkstatic/iperf3x:latest\n", NG_SCRIPT_BROKEN,
        "is not on nas");
    check_one(b, name, ask, "", NG_SCRIPT_BROKEN, "is not on nas");
    check_one(b, name, "none", "", NG_SCRIPT_UNKNOWN, "names no images: not found");
    bench_arg(b, "image", TEXT("networkstatic/iperf3:3.2"));
    check_one(b, name, ask, "networkstatic/iperf3:latest\n", NG_SCRIPT_BROKEN, "is not on nas");
}

static void test_cpu_temperature(void **state) {
    struct bench *b = *state;
    static const char name[] = "cpu_temperature.lua";
    on_nas(b);
    check_one(b, name, "grep -s *",
        "/sys/class/thermal/thermal_zone0/temp:47000\n/sys/class/hwmon/hwmon1/temp1_input:51500\n"
        "/sys/class/hwmon/hwmon1/temp2_input:-128000\n",
        NG_SCRIPT_HELD, "51.5 degrees at most, of 2 sensors");
    check_one(b, name, "grep -s *", "/sys/class/thermal/thermal_zone0/temp:91000\n",
        NG_SCRIPT_BROKEN, "is at 91.0 degrees");
    check_one(b, name, "grep -s *", "", NG_SCRIPT_UNKNOWN, "shows no temperatures");
}

/* Each shipped check is sound, says on its first line what it is for, and has a test here. */
static void test_all_are_sound(void **state) {
    struct bench *b = *state;
    static const char *const tested[] = {"cpu_temperature.lua", "docker_iperf3.lua",
        "dsm_volume_normal.lua", "interrupt_moderation.lua", "nfsd_threads.lua",
        "nic_errors_quiet.lua", "no_backup_job.lua", "samba_globals.lua", "smart_clean.lua",
        "truenas_pool.lua"};
    size_t count = 0;
    for (const struct ng_shipped_script *row = ng_shipped_scripts; row->name != NULL; row++) {
        struct ng_diags diags = {.arena = &b->arena};
        ng_lua_check(row->name, row->text, row->len, &diags);
        if (diags.errors > 0) {
            fail_msg("%s:%d: %s", row->name, diags.items[0].pos.line, diags.items[0].text);
        }
        assert_memory_equal(row->text, "-- ", 3);
        assert_true(count < sizeof tested / sizeof *tested);
        assert_string_equal(row->name, tested[count++]);
    }
    assert_int_equal(count, sizeof tested / sizeof *tested);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(test_no_backup_job),
        CASE(test_interrupt_moderation),
        CASE(test_samba_globals),
        CASE(test_smart_clean),
        CASE(test_nic_errors_quiet),
        CASE(test_dsm_volume_normal),
        CASE(test_truenas_pool),
        CASE(test_nfsd_threads),
        CASE(test_docker_iperf3),
        CASE(test_cpu_temperature),
        CASE(test_all_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
