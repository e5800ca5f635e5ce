/* Load, pressure, counters of disks and interfaces, governors, processes. */
#include "tests/unit/facts/parse.h"

#include "runner/facts/btrfs_room.h"
#include "runner/facts/cpufreq.h"
#include "runner/facts/diskstats.h"
#include "runner/facts/load.h"
#include "runner/facts/tasks.h"

static bool near(double a, double b) {
    return a - b < 1e-9 && b - a < 1e-9;
}

static void loads(void **state) {
    (void)state;
    struct ng_loadavg load;
    assert_true(ng_loadavg_parse(&load, "0.20 0.18 0.12 1/80 11206\n", 26));
    assert_true(near(load.one, 0.20) && near(load.fifteen, 0.12));
    assert_int_equal(load.running, 1);
    assert_int_equal(load.tasks, 80);
    static const char *const bad[] = {
        "", "0.20", "0.20 0.18", "x 1 2", "0,20 0,18 0,12 1/80 1", "-1 2 3", "0.20 0.18 0.12x"};
    for (size_t i = 0; i < NG_COUNT(bad); i++) {
        if (ng_loadavg_parse(&load, bad[i], strlen(bad[i]))) {
            fail_msg("accepted: %s", bad[i]);
        }
        assert_true(load.one < 0);
    }
    static const char *const texts[] = {
        " 17:19  up 5 min, 1 user, load averages: 9.32 8.96 8.87\n",
        " 10:00:00 up 2 days,  load average: 9.32, 8.96, 8.87\n",
    };
    for (size_t i = 0; i < NG_COUNT(texts); i++) {
        assert_true(ng_uptime_parse(&load, texts[i], strlen(texts[i])));
        assert_true(near(load.one, 9.32) && near(load.five, 8.96) && near(load.fifteen, 8.87));
    }
    assert_false(ng_uptime_parse(&load, "up 5 min, 1 user", 16));
    assert_false(ng_uptime_parse(&load, "load average 1 2 3", 18));
}

static void pressures(void **state) {
    (void)state;
    struct ng_pressure pressure;
    static const char both[] = "some avg10=0.10 avg60=2.00 avg300=3.85 total=15\n"
                               "full avg10=0.20 avg60=3.00 avg300=4.95 total=25\n";
    assert_true(ng_pressure_parse(&pressure, both, strlen(both)));
    assert_true(near(pressure.full.avg300, 4.95) && pressure.full.total == 25);
    assert_true(ng_pressure_parse(&pressure, both, 49)); /* before 5.13 */
    assert_true(pressure.full.avg10 < 0 && pressure.some.total == 15);
    assert_false(ng_pressure_parse(&pressure, "", 0)); /* psi=0 */
    assert_false(ng_pressure_parse(&pressure, "some avg10=x total=1\nfull\n", 26));
}

static struct ng_flows disks(const char *text) {
    struct ng_flows flows;
    ng_diskstats_parse(&flows, &arena, text, strlen(text));
    return flows;
}

static void disk_counters(void **state) {
    (void)state;
    const struct ng_flows flows =
        disks("   8       0 sda 10 0 2048 5 20 0 4096 9 0 7 8\n"
              "   8       1 sda1 10 0 1024 5 20 0 4096 9 0 7 8 1 2 3 4\n"
              " 259       0 nvme0n1 10 0 8 5 20 0 16 9 0 7 8 1 2 3 4 5 6\n"
              " 259       1 nvme0n1p2 10 0 8 5 20 0 16 9 0 7 8 1 2 3 4 5 6\n"
              "   9       2 md2 1 0 8 0 1 0 8 0 0 0 0\n 253 0 dm-0 1 0 8 0 1 0 8 0 0 0 0\n"
              "   8      17 sdb1 1 2 3 4\n   7 0 loop0 1 0 8 0 1 0 8 0 0 0 0\n"
              "   8 32 sata1 1 0 8 0 1 0 8 0 0 0 0\n   8 33 sata1p3 1 0 8 0 1 0 8 0 0 0 0\n"
              "   8 48 sdc 1 0 x 0 1 0 8 0 0 0 0\n   8 64 sdd 1 2 3\n"
              "   8 80 sde 1 0 99999999999999999999 0 1 0 8 0 0 0 0\nshort\n"
              " 254 0 vda 1 0 36893488147419103 0 1 0 8 0 0 0 0\n");
    assert_int_equal(flows.bad, 5);
    assert_true(ng_flows_find(&flows, "sda")->in == 2048 * 512);
    assert_true(ng_flows_find(&flows, "sda")->out == 4096 * 512);
    assert_true(ng_flows_find(&flows, "sdb1")->in == 2 * 512);
    static const char *const whole[] = {"sda", "nvme0n1", "sata1"};
    static const char *const others[] = {
        "sda1", "nvme0n1p2", "md2", "dm-0", "loop0", "sata1p3", "sr0", "zram0", "ram1", "md_d0"};
    for (size_t i = 0; i < NG_COUNT(whole); i++) {
        assert_true(ng_flow_is_disk(&flows, whole[i]));
    }
    for (size_t i = 0; i < NG_COUNT(others); i++) {
        assert_false(ng_flow_is_disk(&flows, others[i]));
    }
    assert_true(ng_flow_is_disk(&flows, "sdb1")); /* its disk is not listed */
}

static void interface_counters(void **state) {
    (void)state;
    static const char text[] =
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets\n"
        "    lo: 10 1 0 0 0 0 0 0 10 1 0 0 0 0 0 0\n"
        "eth0:1:77 1 0 0 0 0 0 0 88 1 0 0 0 0 0 0\n  bad: 1 2 3\n nothing\n";
    struct ng_flows flows;
    ng_netdev_parse(&flows, &arena, text, strlen(text));
    assert_int_equal(flows.count, 2);
    assert_int_equal(flows.bad, 2);
    assert_string_equal(flows.items[1].name, "eth0:1");
    assert_true(flows.items[1].in == 77 && flows.items[1].out == 88);
}

static struct ng_cpufreq cpufreq(const char *text) {
    struct ng_cpufreq out = {0};
    ng_cpufreq_parse(&out, &arena, text, strlen(text));
    return out;
}

static void governors(void **state) {
    (void)state;
    const struct ng_cpufreq out = cpufreq(
        "cpufreq/policy0/:\ncpufreq/policy4/:\ncpufreq/policy0/scaling_governor:performance\n"
        "cpufreq/policy0/scaling_driver:intel_pstate\n"
        "cpufreq/policy0/energy_performance_preference:balance_performance\n"
        "cpufreq/policy0/scaling_max_freq:2000000\ncpufreq/policy0/cpuinfo_max_freq:3700000\n"
        "cpufreq/policy0/scaling_min_freq:<unsupported>\n"
        "intel_pstate/no_turbo:1\n");
    assert_int_equal(out.count, 2);
    assert_string_equal(out.items[0].governor, "performance");
    assert_string_equal(out.items[0].preference, "balance_performance");
    assert_int_equal(out.items[0].highest, 2000000);
    assert_int_equal(out.items[0].lowest, -1);
    assert_null(out.items[1].governor); /* empty or EBUSY: unknown, not "performance" */
    assert_int_equal(out.turbo, NG_ANSWER_NO);
    const struct ng_cpufreq old =
        cpufreq("cpu1/cpufreq/scaling_governor:ondemand\ncpufreq/boost:1\n");
    assert_string_equal(old.items[0].name, "cpu1");
    assert_string_equal(old.items[0].governor, "ondemand");
    assert_int_equal(old.turbo, NG_ANSWER_YES);
    assert_int_equal(cpufreq("x\n:\n/\npolicy/scaling_governor:x\n").count, 0);
}

static struct ng_tasks tasks(const char *stats, const char *words) {
    struct ng_tasks out = {0};
    ng_tasks_parse(&out, &arena, stats, strlen(stats));
    ng_tasks_words(&out, &arena, words, strlen(words));
    return out;
}

#define TAIL " 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 9 9\n"
#define KTHREADD "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 1 0\n"

static void processes(void **state) {
    (void)state;
    const struct ng_tasks out = tasks(KTHREADD "10 (a b) D x) D 1" TAIL "11 (D) S 1" TAIL
                                               "12 (two\nlines) R 1" TAIL "13 (cut\n14 (x) S\n",
        "");
    assert_int_equal(out.count, 4);
    assert_string_equal(ng_tasks_find(&out, 10)->name, "a b) D x");
    assert_int_equal(ng_tasks_find(&out, 10)->state, 'D');
    assert_int_equal(ng_tasks_find(&out, 10)->parent, 1);
    assert_int_equal(ng_tasks_find(&out, 10)->start_ticks, 4711);
    assert_int_equal(ng_tasks_find(&out, 11)->state, 'S');
    assert_string_equal(ng_tasks_find(&out, 12)->name, "two\nlines");
    assert_int_equal(out.bad, 2);
    assert_false(ng_tasks_complete(&out)); /* not all was understood */
    const struct ng_tasks whole = tasks(KTHREADD, "");
    assert_true(ng_tasks_complete(&whole));
    const struct ng_tasks some = tasks("1 (init) S 0" TAIL "2 (other) S 1" TAIL, "");
    assert_false(ng_tasks_complete(&some)); /* a container */
}

static void jobs(void **state) {
    (void)state;
    const struct ng_tasks out = tasks(KTHREADD
        "10 (rsync) S 1" TAIL "11 (bash) S 1" TAIL "12 (vi) S 1" TAIL "13 (python3) S 1" TAIL
        "14 (img_backup_very) S 1" TAIL "15 (restic) Z 1" TAIL "16 (md2_resync) S 2" TAIL
        "17 (sh) S 1" TAIL "18 (borg) S 1" TAIL,
        "11:1:/bin/bash\n11:3:/opt/jobs/backup.sh\n12:1:vi\n12:2:/etc/mover\n"
        "13:1:/usr/bin/python3\n13:4:/srv/backup/indexer\n17:1:/bin/sh\n17:5:,updatedb\n"
        "18:1:/usr/bin/borg\n18:2:--repo=***\n99:1:/usr/bin/fstrim\n");
    static const struct {
        const char *name, *how; /* NULL: it does not run */
    } rows[] = {
        {"rsync", "rsync"}, {"rsyn", NULL}, {"backup", "backup.sh run by bash"},
        {"backup.sh", "backup.sh run by bash"}, {"jobs", NULL}, /* a folder */
        {"mover", NULL},                                        /* a file that somebody edits */
        {"indexer", "indexer run by python3"}, {"img_backup_very_long", "img_backup_very"},
        {"restic", NULL},                                 /* has ended */
        {"md*_resync", "md2_resync"}, {"updatedb", NULL}, /* our own question */
        {"borg", "borg"}, {"fstrim", NULL},               /* has gone while we looked */
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_task_match match = ng_tasks_match(&out, &arena, rows[i].name);
        if ((match.task == NULL) != (rows[i].how == NULL) ||
            (rows[i].how != NULL && strcmp(match.how, rows[i].how) != 0)) {
            fail_msg("%s: %s", rows[i].name, match.task == NULL ? "-" : match.how);
        }
    }
}

/* Two recorded ones: "data raid0 808189952 of 2147483648 used, metadata raid1 933888 of
 * 1073741824"; "data raid5 0 of 644087808, metadata raid6 114688 of 429391872". */
static void recorded_btrfs(void **state) {
    (void)state;
    static const struct {
        const char *file, *uuid;
        int64_t data, data_used, metadata, metadata_used;
    } rows[] = {
        {"btrfs/sysfs-raid0-data-raid1-meta.tsv", "0abb23a9-579b-43e6-ad30-227ef47fcb9d",
            2147483648, 808189952, 1073741824, 933888},
        {"btrfs/sysfs-raid5-data-raid6-meta.tsv", "7f07c59f-6136-449c-ab87-e1cf2328731b", 644087808,
            0, 429391872, 114688},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        size_t len;
        char *text = recording(rows[i].file, &len);
        for (char *at = text; (at = strchr(at, '\t')) != NULL;) {
            *at = ':'; /* the collector's spelling */
        }
        struct ng_btrfs_rooms rooms = {0};
        ng_btrfs_rooms_parse(&rooms, &arena, text, len);
        const struct ng_btrfs_room *room = ng_btrfs_rooms_find(&rooms, rows[i].uuid);
        assert_non_null(room);
        assert_true(room->data.total == rows[i].data && room->data.used == rows[i].data_used);
        assert_true(room->metadata.total == rows[i].metadata &&
                    room->metadata.used == rows[i].metadata_used);
    }
}

static void recorded_load(void **state) {
    (void)state;
    static const struct {
        const char *file;
        double one, five, fifteen;
    } rows[] = {
        {"uptime-days-hh-mm.txt", 0.49, 0.12, 0.04},
        {"uptime-days-min.txt", 0.49, 0.12, 0.04},
        {"uptime-days-only.txt", 9.32, 8.96, 8.87},
        {"uptime-hh-mm.txt", 0.04, 0.03, 0.05},
        {"uptime-minutes.txt", 0.49, 0.12, 0.04},
    };
    struct ng_loadavg load;
    size_t len;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const char *text = recording(ng_arena_printf(&arena, "other/%s", rows[i].file), &len);
        assert_true(ng_uptime_parse(&load, text, len));
        assert_true(near(load.one, rows[i].one) && near(load.five, rows[i].five) &&
                    near(load.fifteen, rows[i].fifteen));
    }
    const char *text = recording("other/uptime-damaged.txt", &len);
    assert_false(ng_uptime_parse(&load, text, len));
    text = recording("other/loadavg.txt", &len);
    assert_true(ng_loadavg_parse(&load, text, len));
    assert_true(near(load.one, 0.02) && near(load.fifteen, 0.05));
    assert_true(load.running == 1 && load.tasks == 497);
}

static void recorded_pressure(void **state) {
    (void)state;
    struct ng_pressure pressure;
    size_t len;
    const char *text = recording("other/pressure-cpu.txt", &len);
    assert_true(ng_pressure_parse(&pressure, text, len));
    assert_true(near(pressure.some.avg10, 0.10) && near(pressure.some.avg60, 2.00) &&
                near(pressure.some.avg300, 3.85) && pressure.full.avg10 < 0);
    text = recording("other/pressure-io.txt", &len);
    assert_true(ng_pressure_parse(&pressure, text, len));
    assert_true(near(pressure.full.avg10, 0.20) && near(pressure.full.avg300, 4.95));
    text = recording("other/pressure-memory.txt", &len);
    assert_true(ng_pressure_parse(&pressure, text, len));
    assert_true(near(pressure.some.avg10, 0.10) && near(pressure.full.avg10, 0.20));
}

static void recorded_governors(void **state) {
    (void)state;
    size_t len;
    char *text = recording("sysfs/cpufreq-powersave.tsv", &len);
    for (char *at = text; (at = strchr(at, '\t')) != NULL;) {
        *at = ':'; /* the collector's spelling */
    }
    const struct ng_cpufreq out = cpufreq(text);
    assert_int_equal(out.count, 4);
    for (size_t i = 0; i < out.count; i++) {
        assert_string_equal(out.items[i].governor, "powersave");
        assert_string_equal(out.items[i].driver, "intel_pstate");
    }
    assert_true(out.items[2].lowest == 1000 && out.items[2].highest == 4200000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(loads),
        TEST(pressures),
        TEST(disk_counters),
        TEST(interface_counters),
        TEST(governors),
        TEST(processes),
        TEST(jobs),
        TEST(recorded_btrfs),
        TEST(recorded_load),
        TEST(recorded_pressure),
        TEST(recorded_governors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
