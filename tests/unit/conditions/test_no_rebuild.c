/* no_rebuild: what is at work on a host or on the disks of a volume, and what may be waited for. */
#include "tests/unit/conditions/bench.h"

#include "tests/unit/conditions/unit.h"

#include "runner/base/files.h"
#include "runner/conditions/no_rebuild.h"
#include "runner/facts/activity.h"

#define LINUX F("uname", "Linux 6.1 x86_64\n") F("markers", "modules\n")
#define ROOT "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
#define PLAIN LINUX F("mountinfo", ROOT) F("block", "")

static struct ng_condition_result judge_md(
    struct bench *bench, const char *nas, const char *allow) {
    struct ng_no_rebuild_params params = {.host = &bench->hosts[1]};
    if (allow != NULL) {
        params.allow = (struct ng_texts){.items = &allow, .count = 1};
    }
    return bench_judge(bench, "no_rebuild", &params, END, nas);
}

#define MD2(more)                                                                                  \
    F("mdstat", HEAD "md2 : active raid1 a[0] b[1]\n      900 blocks [2/2] [UU]\n" more            \
                     "unused devices: <none>\n")
#define CHECKING MD2("      [==>..]  check = 41.0% (369/900) finish=180.0min speed=9K/sec\n")

static void rebuild(void **state) {
    struct bench *bench = *state;
    struct ng_condition_result r = judge_md(bench, PLAIN MD2("") F("md", "") END, NULL);
    bench_expect(&r, NG_HELD, "1 array is idle: md2", NULL);
    assert_non_null(strstr(bench_looked(&r, "md2"), "busy: no, degraded: no"));
    r = judge_md(bench, PLAIN CHECKING F("md", "md2/sync_action\tcheck\n") END, NULL);
    bench_expect(&r, NG_BROKEN, "md2 on nas is in check, 41.0%, 3 h left", "wait until");
    r = judge_md(bench, PLAIN CHECKING F("md", "") END, "check");
    bench_expect(&r, NG_HELD, "allowed by the plan", NULL);
    r = judge_md(bench, PLAIN CHECKING F("md", "") END, "resync");
    bench_expect(&r, NG_BROKEN, "in check", NULL);
    r = judge_md(bench, PLAIN CHECKING F("md", "md2/sync_action\tidle\n") END, "check");
    bench_expect(&r, NG_UNKNOWN, "sync_action in sysfs is idle", "by hand");
    r = judge_md(bench, PLAIN MD2("      resync=DELAYED\n") F("md", "") END, "resync");
    bench_expect(&r, NG_BROKEN, "will start by itself", NULL);
    /* degraded is recorded, and does not break this precondition */
    r = judge_md(bench,
        PLAIN F("mdstat", HEAD "md2 : active raid1 b[1]\n      900 blocks [2/1] [_U]\n"
                               "unused devices: <none>\n") END,
        NULL);
    bench_expect(&r, NG_HELD, "md2 on nas is idle, but not whole: degraded [2/1] [_U]", NULL);
}

static void rebuild_elsewhere(void **state) {
    struct bench *bench = *state;
    struct ng_condition_result r = judge_md(bench, PLAIN ABSENT("mdstat") F("md", "") END, NULL);
    bench_expect(&r, NG_HELD, "no array is there: ", NULL);
    r = judge_md(bench, PLAIN F("mdstat", HEAD "unused devices: <none>\n") END, NULL);
    bench_expect(&r, NG_HELD, "no array is there: ", NULL);
    r = judge_md(bench, NULL, NULL);
    bench_expect(&r, NG_UNKNOWN, "it could not be asked", "by hand");
    r = judge_md(bench, PLAIN LATE("mdstat") END, NULL);
    bench_expect(&r, NG_UNKNOWN, "did not answer", NULL);
    r = judge_md(bench, F("mdstat", "") PLAIN END, NULL);
    bench_expect(&r, NG_UNKNOWN, "is empty", NULL);
    r = judge_md(bench, F("unraid", "version=\"6\"\n") F("mdstat", HEAD) END, NULL);
    bench_expect(&r, NG_UNKNOWN, "Unraid", NULL);
    r = judge_md(bench,
        F("unraid", "version=\"6\"\n") F("mdstat",
            "mdState=STARTED\nmdNumDisabled=0\nmdNumInvalid=0\nmdNumMissing=0\nmdNumWrong=0\n"
            "mdResyncAction=check P\nmdResync=1000\nmdResyncPos=500\nmdResyncDt=1\n") END,
        NULL);
    bench_expect(&r, NG_BROKEN, "check P", "wait");
    r = judge_md(bench,
        LINUX ABSENT("mdstat") F("md", "") F("block", "")
            F("mountinfo", "1 0 0:40 / / rw - zfs tank rw\n") END,
        NULL);
    bench_expect(&r, NG_UNKNOWN, "ZFS pool", "zpool status");
}

#define NO_MD LINUX ABSENT("mdstat") F("md", "")
#define ON_BTRFS NO_MD F("mountinfo", "1 0 0:40 / /data rw - btrfs /dev/sda rw\n")
#define DOING(what) F("block", "btrfs/u-1/exclusive_operation\t" what "\n")
#define NOBODY F("scrub.tasks", "/proc/2\tkthreadd\n")
#define STATUS(word) F("scrub.u-1", "UUID: u-1\nStatus: " word "\n")

/* What rebuilds or scrubs elsewhere than in md; held only where all that tells of it was seen. */
static void rebuild_of_btrfs(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *frames;
        enum ng_held held;
        const char *seen, *remedy;
    } rows[] = {
        {ON_BTRFS DOING("none") NOBODY END, NG_HELD, "1 array is idle: u-1", NULL},
        {ON_BTRFS DOING("none") STATUS("finished") END, NG_HELD, "1 array is idle: u-1", NULL},
        {ON_BTRFS DOING("none") STATUS("running") END, NG_BROKEN, "u-1 on nas is in a scrub",
            "wait until it is done"},
        {ON_BTRFS DOING("none") END, NG_UNKNOWN,
            "whether btrfs u-1 on nas is at work is unknown: whether it is scrubbed", "as root"},
        {ON_BTRFS DOING("device replace") NOBODY END, NG_BROKEN, "u-1 on nas is in device replace",
            "wait until it is done"},
        {ON_BTRFS F("block", "!btrfs/u-1/exclusive_operation\t\nbtrfs/u-1/devices/sda\t\n") END,
            NG_UNKNOWN, "a balance or a replacement cannot be excluded", "as root"},
        /* a kernel before 5.10: by the processes */
        {ON_BTRFS F("block", "btrfs/u-1/devices/sda\t\n") END, NG_UNKNOWN,
            "a balance or a replacement cannot be excluded", NULL},
        {ON_BTRFS F("block", "btrfs/u-1/devices/sda\t\n") NOBODY END, NG_HELD,
            "1 array is idle: u-1", NULL},
        {ON_BTRFS F("block", "") NOBODY END, NG_UNKNOWN, "does not show it here", "/data"},
        /* what was not seen cannot be excluded */
        {NO_MD F("mountinfo", ROOT) LATE("block") END, NG_UNKNOWN, "did not answer", "findmnt"},
        {NO_MD F("mountinfo", ROOT) END, NG_UNKNOWN, "/sys/block was not seen", "findmnt"},
        {NO_MD F("block", "") END, NG_UNKNOWN, "mountinfo was not seen", "findmnt"},
        {NO_MD F("mountinfo", "bad\n") F("block", "") END, NG_UNKNOWN, "not understood", NULL},
        {NO_MD F("mountinfo", ROOT) F("block", "") END, NG_HELD, "no array is there: ", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_condition_result r = judge_md(bench, rows[i].frames, NULL);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
}

#define CHECK "      [==>..]  check = 41.0% (369/900) finish=180.0min speed=9K/sec\n"
#define RECOVERY "      [==>..]  recovery = 12.6% (369/900) finish=20.0min speed=9K/sec\n"

static struct ng_condition_result judge_volume(
    struct bench *bench, const char *client, const char *nas) {
    struct ng_no_rebuild_params params = {.volume = &bench->volume};
    return bench_judge(bench, "no_rebuild", &params, client, nas);
}

/* Busy is judged on every array that shares a disk with the volume. */
static void volume_on_server(void **state) {
    struct bench *bench = *state;
    struct ng_array_spec array = {.device = "md2"};
    bench->volume.mount = &bench->mount;
    bench->mount =
        (struct ng_mount_spec){.type = "nfs", .from = &bench->hosts[1], .export = "/volume1/bench"};
    static const struct {
        const char *export, *device, *nas;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {"/volume1/bench", NULL, UNIT("", "", "") AT("/volume1/bench") END, NG_HELD,
            "2 arrays are idle: md2, md0"},
        {"/volume1/bench", NULL, UNIT("", CHECK, "") AT("/volume1/bench") END, NG_BROKEN,
            "md2 on nas is in check, 41.0%, 3 h left"},
        /* the system array has a partition on the same disks */
        {"/volume1/bench", NULL, UNIT(CHECK, "", "") AT("/volume1/bench") END, NG_BROKEN,
            "md0 on nas is in check"},
        {"/volume1/bench", NULL, UNIT("", "", RECOVERY) AT("/volume1/bench") END, NG_HELD,
            "2 arrays are idle"},
        {"/volume2/bench", NULL, UNIT("", "", RECOVERY) AT("/volume2/bench") END, NG_BROKEN,
            "md3 on nas is in recovery, 12.6%, 20 min left"},
        {"/volume2/bench", NULL, UNIT(CHECK, CHECK, "") AT("/volume2/bench") END, NG_HELD,
            "1 array is idle: md3"},
        /* an export whose path is not there, or that has none: what the plan says of the array */
        {"/bench", NULL, UNIT("", "", RECOVERY) END, NG_UNKNOWN,
            "md3 on nas is in recovery, 12.6%, 20 min left, and whether it shares a disk with repo "
            "is unknown: the exported path /bench was not seen there"},
        {"/bench", "md2", UNIT("", "", RECOVERY) END, NG_HELD, "2 arrays are idle"},
        {"/bench", "md3", UNIT("", "", RECOVERY) END, NG_BROKEN, "md3 on nas is in recovery"},
        {"/bench", "md7", UNIT("", "", RECOVERY) END, NG_UNKNOWN, "no array md7 was found"},
        {NULL, NULL, UNIT("", "", "") END, NG_HELD, "3 arrays are idle"},
        {"/volume1/bench", NULL, NULL, NG_UNKNOWN, "it could not be asked"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        bench->mount.export = rows[i].export;
        array.device = rows[i].device;
        bench->volume.array = rows[i].device == NULL ? NULL : &array;
        struct ng_condition_result r = judge_volume(bench, END, rows[i].nas);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
        assert_string_equal(r.subject, "repo");
    }
    /* an SMB share has a name and no path */
    bench->mount = (struct ng_mount_spec){
        .type = "cifs", .from = &bench->hosts[1], .export = "/volume1/bench"};
    struct ng_condition_result r = judge_volume(bench, END, UNIT("", "", CHECK) END);
    bench_expect(&r, NG_UNKNOWN, "the plan does not say where its data lie there", "wait until");
}

static void volume_at_home(void **state) {
    struct bench *bench = *state;
    bench->volume.path = "/volume2/bench";
    struct ng_condition_result r =
        judge_volume(bench, UNIT(CHECK, CHECK, "") AT("/volume2/bench") END, END);
    bench_expect(&r, NG_HELD, "1 array is idle: md3", NULL);
    r = judge_volume(bench, UNIT("", "", CHECK) AT("/volume2/bench") END, END);
    bench_expect(&r, NG_BROKEN, "md3 on client is in check", NULL);
    /* mounted from a server that is none of the plan's hosts */
    r = judge_volume(bench,
        F("mountinfo", "1 0 0:40 / / rw - nfs4 other:/x rw\n") AT("/volume2/bench") END, END);
    bench_expect(&r, NG_UNKNOWN, "from a server that the plan does not name", "mount: {from: HOST");
    /* a file system in memory has no disks */
    r = judge_volume(bench,
        UNIT(CHECK, CHECK, CHECK) F("mountinfo.after", "1 0 0:40 / / rw - tmpfs tmpfs rw\n")
            AT("/volume2/bench") END,
        END);
    bench_expect(&r, NG_HELD, "no array is on its disks", NULL);
}

static bool waits(struct bench *bench, const struct ng_no_rebuild_params *params, const char *nas,
    struct ng_condition_wait *wait) {
    const struct ng_facts *facts[2] = {
        bench_facts(bench, "client", END), bench_facts(bench, "nas", nas)};
    struct ng_condition_site site = {
        .arena = &bench->arena, .plan = &bench->plan, .facts = facts, .probes = &bench->probes};
    return bench_condition("no_rebuild")->wait(&site, params, wait);
}

static void waiting(void **state) {
    struct bench *bench = *state;
    struct ng_no_rebuild_params params = {.host = &bench->hosts[1], .wait_ns = 5000};
    struct ng_condition_wait wait;
    assert_true(waits(bench, &params, UNIT("", CHECK, RECOVERY) END, &wait));
    assert_true(wait.host == &bench->hosts[1] && wait.at_most_ns == 5000);
    assert_true(wait.left_ns == INT64_C(180) * 60 * 1000000000);
    /* nobody knows when something that waits will have ended */
    assert_true(waits(bench, &params, UNIT("", CHECK, "      resync=DELAYED\n") END, &wait));
    assert_true(wait.left_ns == -1);
    assert_false(waits(bench, &params, UNIT("", "", "") END, &wait));
    assert_false(waits(bench, &params, NULL, &wait));
    assert_false(waits(bench, &params, UNIT(CHECK, "", "      resync=SLEEPING\n") END, &wait));
    const char *allow = "check";
    params.allow = (struct ng_texts){.items = &allow, .count = 1};
    assert_false(waits(bench, &params, UNIT("", CHECK, "") END, &wait));
    assert_true(waits(bench, &params, UNIT("", CHECK, RECOVERY) END, &wait));
    assert_true(wait.left_ns == INT64_C(20) * 60 * 1000000000);
    params.wait_ns = 0;
    assert_false(waits(bench, &params, UNIT("", CHECK, RECOVERY) END, &wait));
}

/* What is wrong with a plan's words is told when it is loaded. */
static void words(void **state) {
    struct bench *bench = *state;
    struct ng_diags diags = {.arena = &bench->arena};
    const struct ng_node node = {.kind = NG_NODE_MAP};
    const struct ng_condition *condition = bench_condition("no_rebuild");
    const char *allow[] = {"check", "chek"};
    struct ng_pos places[] = {{"plan", 1, 1}, {"plan", 2, 1}};
    struct ng_no_rebuild_params params = {
        .host = &bench->hosts[1], .allow = {.items = allow, .places = places, .count = 2}};
    condition->kind.check(&bench->plan, &params, &node, &diags);
    assert_int_equal(diags.errors, 1);
    assert_int_equal(diags.items[0].pos.line, 2);
    assert_non_null(strstr(diags.items[0].text, "did you mean \"check\""));
    assert_non_null(strstr(diags.items[0].text, "balance, check, delayed"));
    params = (struct ng_no_rebuild_params){.host = NULL};
    condition->kind.check(&bench->plan, &params, &node, &diags);
    assert_int_equal(diags.errors, 2);
    assert_non_null(strstr(diags.items[1].text, "whose arrays"));
    params = (struct ng_no_rebuild_params){.host = &bench->hosts[0], .volume = &bench->volume};
    condition->kind.check(&bench->plan, &params, &node, &diags);
    assert_int_equal(diags.errors, 3);
    assert_non_null(strstr(diags.items[2].text, "not both"));
    for (size_t i = 0; i < ng_activity_count; i++) {
        assert_true(i == 0 || strcmp(ng_activities[i - 1].word, ng_activities[i].word) < 0);
        assert_true(ng_activities[i].help[0] != '\0');
        assert_non_null(strstr(condition->kind.record.fields[2].help, ng_activities[i].word));
    }
}

/* The page for people lists every word. */
static void documented(void **state) {
    struct bench *bench = *state;
    char *page = NULL;
    size_t len = 0;
    assert_true(ng_file_read("docs/arrays.md", 1 << 20, &page, &len, NULL));
    for (size_t i = 0; i < ng_activity_count; i++) {
        const char *row = ng_arena_printf(
            &bench->arena, "\n| `%s` | %s |\n", ng_activities[i].word, ng_activities[i].help);
        if (strstr(page, row) == NULL) {
            fail_msg("docs/arrays.md lacks: %s", row);
        }
    }
    free(page);
}

static void asking(void **state) {
    struct bench *bench = *state;
    struct ng_no_rebuild_params params = {.volume = &bench->volume};
    struct ng_collect_needs needs[2] = {0};
    bench->volume.mount = &bench->mount;
    bench->mount =
        (struct ng_mount_spec){.type = "nfs", .from = &bench->hosts[1], .export = "/volume1/bench"};
    ng_condition_no_rebuild.needs(&bench->plan, &params, needs);
    assert_int_equal(needs[0].paths.count, 1);
    assert_int_equal(needs[1].paths.count, 1);
    assert_string_equal(needs[1].paths.items[0], "/volume1/bench");
    assert_int_equal(needs[0].wants.count, 0);
    assert_int_equal(needs[1].wants.count, 1);
    ng_collect_needs_release(&needs[0]);
    ng_collect_needs_release(&needs[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rebuild, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(rebuild_elsewhere, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(rebuild_of_btrfs, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(volume_on_server, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(volume_at_home, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(waiting, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(words, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(documented, bench_set_up, bench_tear_down),
        cmocka_unit_test_setup_teardown(asking, bench_set_up, bench_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
