/* array_healthy: members that are missing, and the array that the plan states. */
#include "tests/unit/conditions/unit.h"

#include "runner/conditions/array_healthy.h"
#include "runner/conditions/no_rebuild.h"

#define LINUX                                                                                      \
    F("uname", "Linux 6.1 x86_64\n")                                                               \
    F("markers", "modules\n") F("mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n") F("block", "")
#define DSM(arrays)                                                                                \
    F("dsm", "majorversion=\"7\"\n")                                                               \
    F("mountinfo", "1 0 9:0 / / rw - ext4 /dev/md0 rw\n")                                          \
    F("block", "") F("mdstat", HEAD arrays "unused devices: <none>\n")
#define QTS(arrays)                                                                                \
    F("markers", "qts\n")                                                                          \
    F("mountinfo", "1 0 9:9 / / rw - ext4 /dev/md9 rw\n")                                          \
    F("block", "") F("mdstat", HEAD arrays "unused devices: <none>\n")
#define ARRAY(name, rest, counters)                                                                \
    name " : active " rest "\n      900 blocks super 1.2 " counters "\n"
#define UNRAID(counts)                                                                             \
    F("unraid", "version=\"6\"\n")                                                                 \
    F("mountinfo", "1 0 0:2 / / rw - rootfs rootfs rw\n")                                          \
    F("block", "")                                                                                 \
    F("mdstat", "sbName=/boot/config/super.dat\nmdState=STARTED\nmdNumDisks=4\n" counts            \
                "mdResyncAction=check P\nmdResync=0\nmdResyncPos=0\n")

static void all_of_a_host(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *nas;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {LINUX F("mdstat", HEAD ARRAY("md2", "raid1 a[0] b[1]", "[2/2] [UU]")) END, NG_HELD,
            "1 array is whole: md2"},
        {LINUX F("mdstat", HEAD ARRAY("md2", "raid1 b[1]", "[2/1] [_U]")) END, NG_BROKEN,
            "md2 on nas is not whole: degraded [2/1] [_U], no member in sync in slot 0"},
        {LINUX F("mdstat", HEAD ARRAY("md2", "raid1 a[0](F) b[1]", "[2/1] [_U]")) END, NG_BROKEN,
            "a is faulty (F)"},
        /* a spare took over, the dead member was not removed */
        {LINUX F("mdstat", HEAD ARRAY("md2", "raid1 a[0](F) b[1] c[2]", "[2/2] [UU]")) END, NG_HELD,
            "md2 on nas is whole, but: 1 member(s) marked faulty although no slot is missing, a is "
            "faulty (F)"},
        {LINUX F("mdstat", HEAD ARRAY("md2", "raid1 a[0] b[1]", "[2/2] [UUU]")) END, NG_UNKNOWN,
            "contradict each other"},
        {LINUX F("mdstat", HEAD ARRAY("md2", "raid1 a[0] b[1]", "[2/2] [UU]"))
                F("md", "md2/degraded\t1\n") END,
            NG_UNKNOWN, "/proc/mdstat says active [2/2] [UU], but degraded in sysfs is 1"},
        /* one slot for each bay */
        {DSM(ARRAY("md0", "raid1 a[0] b[1]", "[4/2] [UU__]")) END, NG_HELD, "1 array is whole"},
        {DSM(ARRAY("md2", "raid1 a[0] b[1]", "[4/2] [UU__]")) END, NG_BROKEN, "in slot 2 and 3"},
        {DSM(ARRAY("md0", "raid1 a[0] b[1](E)", "[4/2] [UE__]")) END, NG_BROKEN,
            "b had a disk error (E)"},
        {DSM(ARRAY("md0", "raid1 a[0] b[1](F)", "[4/1] [U___]")) END, NG_BROKEN, "b is faulty (F)"},
        {QTS(ARRAY("md9", "raid1 a[32] b[33]", "[4/2] [UU__]")) END, NG_HELD, "whole: md9"},
        {QTS(ARRAY("md1", "raid1 a[0]", "[2/1] [U_]")) END, NG_BROKEN, "md1 on nas is not whole"},
        {UNRAID("mdNumDisabled=0\nmdNumInvalid=0\nmdNumMissing=0\nmdNumWrong=0\n") END, NG_HELD,
            "1 array is whole: array"},
        {UNRAID("mdNumDisabled=1\nmdNumInvalid=1\nmdNumMissing=0\nmdNumWrong=0\n"
                "rdevStatus.0=DISK_OK\nrdevStatus.2=DISK_DSBL\nrdevStatus.29=DISK_NP_DSBL\n") END,
            NG_BROKEN, "disabled 1, invalid 1, missing 0, wrong 0, slot 2 DISK_DSBL"},
        {LINUX ABSENT("mdstat") END, NG_HELD, "no array keeps the data of nas"},
        {LINUX LATE("mdstat") END, NG_UNKNOWN, "did not answer"},
        {NULL, NG_UNKNOWN, "it could not be asked"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_array_healthy_params params = {.host = &bench->hosts[1]};
        struct ng_condition_result r =
            bench_judge(bench, "array_healthy", &params, END, rows[i].nas);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
        if (rows[i].held == NG_HELD) { /* what is idle but not at work is no rebuild either */
            assert_non_null(r.looked_at.items);
        }
    }
}

static void set_volume(struct bench *bench, const char *export, const struct ng_array_spec *spec) {
    bench->volume.mount = &bench->mount;
    bench->mount =
        (struct ng_mount_spec){.type = "nfs", .from = &bench->hosts[1], .export = export};
    bench->volume.array = spec;
}

#define HERE UNIT("", "", "") AT("/volume1/bench") END

static void stated_by_the_plan(void **state) {
    struct bench *bench = *state;
    static const struct {
        struct ng_array_spec spec;
        const char *nas;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {{.device = "md2", .level = "raid1", .disks = 2, .bays = 8}, HERE, NG_HELD,
            "1 array is whole: md2"},
        {{.level = "RAID1", .disks = 2}, HERE, NG_HELD, "1 array is whole"},
        {{.device = "md2", .level = "raid6"}, HERE, NG_BROKEN,
            "md2 is raid1, not raid6 as volume repo states"},
        {{.level = "raid6"}, HERE, NG_BROKEN, "md2 is raid1, not raid6"},
        {{.device = "md2", .disks = 3}, HERE, NG_BROKEN, "md2 is made of 2 disks, not of 3"},
        {{.disks = 3}, HERE, NG_BROKEN,
            "md0, which has a part on every disk, has 2 in sync, and volume repo states 3 disks"},
        {{.bays = 12}, HERE, NG_BROKEN,
            "md0 has 8 slots, one for each bay, and volume repo states 12 bays"},
        {{.device = "md3"}, HERE, NG_BROKEN, "volume repo does not lie on md3"},
        {{.device = "md5"}, HERE, NG_BROKEN,
            "md5, on which volume repo is said to lie, was not found on nas (there are: md3, md2"},
        {{.device = "md2", .level = "raid1", .disks = 2}, UNIT("", "", "") END, NG_HELD,
            "1 array is whole: md2"},
        {{.level = "raid1"}, UNIT("", "", "") END, NG_UNKNOWN,
            "no array was found that volume repo lies on: the exported path /volume1/bench was "
            "not"},
        {{.device = "md2"}, NULL, NG_UNKNOWN, "it could not be asked"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        set_volume(bench, "/volume1/bench", &rows[i].spec);
        struct ng_array_healthy_params params = {.volume = &bench->volume};
        struct ng_condition_result r =
            bench_judge(bench, "array_healthy", &params, END, rows[i].nas);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
        assert_string_equal(r.subject, "repo");
        /* asked of the host, the volumes whose data it keeps are compared as well */
        params = (struct ng_array_healthy_params){.host = &bench->hosts[1]};
        r = bench_judge(bench, "array_healthy", &params, END, rows[i].nas);
        assert_int_equal(r.held, rows[i].held);
    }
    const struct ng_array_spec spec = {.bays = 4};
    set_volume(bench, "/volume1/bench", &spec);
    struct ng_array_healthy_params params = {.host = &bench->hosts[1]};
    struct ng_condition_result r = bench_judge(bench, "array_healthy", &params, END,
        QTS(ARRAY("md9", "raid1 a[32] b[33]", "[32/2] [UU______________________________]")) END);
    assert_non_null(strstr(bench_looked(&r, "bays"), "not compared"));
}

/* Only what keeps the data counts as degraded; what lies on the same disks is told. */
static void below_a_volume(void **state) {
    struct bench *bench = *state;
#define TWO_DISKS                                                                                  \
    "block/sda/dev\t8:0\nblock/sda/part/sda1/dev\t8:1\nblock/sda/part/sda3/dev\t8:3\n"             \
    "block/sdb/dev\t8:16\nblock/sdb/part/sdb3/dev\t8:19\n"                                         \
    "block/md0/dev\t9:0\nblock/md0/slaves/sda1\t\nblock/md2/dev\t9:2\nblock/md2/slaves/sda3\t\n"   \
    "block/md3/dev\t9:3\nblock/md3/slaves/sdb3\t\n"
#define STORE(md0, md2, md3)                                                                       \
    F("uname", "Linux 6.1\n")                                                                      \
    F("block", TWO_DISKS)                                                                          \
    F("mountinfo", "1 0 9:2 / / rw - ext4 /dev/md2 rw\n")                                          \
    AT("/mnt/bench")                                                                               \
    F("mdstat", HEAD ARRAY("md0", "raid1 sda1[0]", md0) ARRAY("md2", "raid1 sda3[0]", md2)         \
                    ARRAY("md3", "raid1 sdb3[0]", md3))                                            \
    END
    static const struct {
        const char *client;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {STORE("[1/1] [U]", "[1/1] [U]", "[1/1] [U]"), NG_HELD, "1 array is whole: md2"},
        {STORE("[2/1] [U_]", "[1/1] [U]", "[1/1] [U]"), NG_HELD,
            "md0 on client, on the same disks, is not whole: degraded [2/1] [U_]"},
        {STORE("[1/1] [U]", "[2/1] [U_]", "[1/1] [U]"), NG_BROKEN, "md2 on client is not whole"},
        {STORE("[1/1] [U]", "[1/1] [U]", "[2/1] [U_]"), NG_HELD, "1 array is whole: md2"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_array_healthy_params params = {.volume = &bench->volume};
        struct ng_condition_result r =
            bench_judge(bench, "array_healthy", &params, rows[i].client, END);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
}

static struct ng_condition_result judge_nas(
    struct bench *bench, const char *condition, const char *nas) {
    const struct ng_array_healthy_params healthy = {.host = &bench->hosts[1]};
    const struct ng_no_rebuild_params rebuild = {.host = &bench->hosts[1]};
    bool health = strcmp(condition, "array_healthy") == 0;
    return bench_judge(
        bench, condition, health ? (const void *)&healthy : (const void *)&rebuild, END, nas);
}

/* Reports of monitoring tools, by their symptom. */
static void a_later_value_lowers_the_severity(void **state) {
    struct bench *bench = *state;
    struct ng_condition_result r = judge_nas(bench, "array_healthy",
        LINUX F("mdstat", HEAD ARRAY("md3", "raid1 a[0]", "[2/1] [U_]")
                              ARRAY("md2", "raid1 c[0] d[1]", "[2/2] [UUU]")
                                  ARRAY("md0", "raid1 e[0] f[1]", "[2/2] [UU]")) END);
    bench_expect(&r, NG_BROKEN, "md3 on nas is not whole", "replace what is missing");
    assert_non_null(strstr(r.seen, "md2")); /* and nothing of it is left out */
}

static void slow_server_is_an_array_in_trouble(void **state) {
    struct bench *bench = *state;
    static const char trouble[] = LINUX F("mdstat",
        HEAD ARRAY("md2", "raid1 b[1] c[2]", "[2/1] [_U]") "      [==>..]  recovery = 12.6% "
                                                           "(9/90) finish=127.5min speed=9K/sec\n")
        END;
    struct ng_condition_result r = judge_nas(bench, "array_healthy", trouble);
    bench_expect(&r, NG_BROKEN, "md2 on nas is not whole: degraded [2/1] [_U]", NULL);
    r = judge_nas(bench, "no_rebuild", trouble);
    bench_expect(&r, NG_BROKEN, "md2 on nas is in recovery, 12.6%, 2 h left", "wait: 2 h");
}

static void asking(void **state) {
    struct bench *bench = *state;
    const struct ng_array_spec spec = {.device = "md2"};
    struct ng_collect_needs needs[2] = {0};
    struct ng_array_healthy_params params = {.host = &bench->hosts[1]};
    ng_condition_array_healthy.needs(&bench->plan, &params, needs);
    assert_int_equal(needs[1].paths.count, 0);
    set_volume(bench, "/volume1/bench", &spec);
    ng_condition_array_healthy.needs(&bench->plan, &params, needs);
    assert_int_equal(needs[0].paths.count, 1);
    assert_string_equal(needs[1].paths.items[0], "/volume1/bench");
    ng_collect_needs_release(&needs[0]);
    ng_collect_needs_release(&needs[1]);
    struct ng_diags diags = {.arena = &bench->arena};
    const struct ng_node node = {.kind = NG_NODE_MAP};
    params.host = NULL;
    ng_condition_array_healthy.kind.check(&bench->plan, &params, &node, &diags);
    assert_int_equal(diags.errors, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_of_a_host, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(stated_by_the_plan, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(below_a_volume, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(
            a_later_value_lowers_the_severity, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(
            slow_server_is_an_array_in_trouble, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(asking, bench_set_up, bench_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
