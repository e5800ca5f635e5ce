/* no_rebuild, free_space, tools, volume_ready, and the table that lists them. */
#include "tests/unit/conditions/bench.h"

#include "runner/conditions/tools.h"
#include "runner/conditions/volume_ready.h"

#define LINUX F("uname", "Linux 6.1 x86_64\n") F("markers", "modules\n")
#define ROOT "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
#define PLAIN LINUX F("mountinfo", ROOT) F("block", "")
#define HEAD "Personalities : [raid1] \n"

struct rebuild_params {
    const struct ng_host *host;
    struct ng_texts allow;
};

static struct ng_condition_result judge_md(
    struct bench *bench, const char *nas, const char *allow) {
    struct rebuild_params params = {.host = &bench->hosts[1]};
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
    bench_expect(&r, NG_HELD, "1 md array(s), all idle", NULL);
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
        PLAIN F("mdstat", HEAD "md2 : active raid1 b[1]\n      900 blocks [2/1] [_U]\n") END, NULL);
    bench_expect(&r, NG_HELD, "md2 on nas is idle, but not whole: degraded [2/1] [_U]", NULL);
}

static void rebuild_elsewhere(void **state) {
    struct bench *bench = *state;
    struct ng_condition_result r = judge_md(bench, PLAIN ABSENT("mdstat") F("md", "") END, NULL);
    bench_expect(&r, NG_HELD, "no md arrays", NULL);
    r = judge_md(bench, PLAIN F("mdstat", HEAD "unused devices: <none>\n") END, NULL);
    bench_expect(&r, NG_HELD, "no md arrays", NULL);
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
    bench_expect(&r, NG_UNKNOWN, "ZFS pools", "zpool status");
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
        {ON_BTRFS DOING("none") NOBODY END, NG_HELD, "no md arrays", NULL},
        {ON_BTRFS DOING("none") STATUS("finished") END, NG_HELD, "no md arrays", NULL},
        {ON_BTRFS DOING("none") STATUS("running") END, NG_BROKEN, "btrfs on nas is scrubbed",
            "btrfs scrub status"},
        {ON_BTRFS DOING("none") END, NG_UNKNOWN, "btrfs u-1 on nas is scrubbed is unknown",
            "as root"},
        {ON_BTRFS DOING("device replace") NOBODY END, NG_BROKEN,
            "btrfs on nas is in device replace", "btrfs replace status"},
        {ON_BTRFS F("block", "!btrfs/u-1/exclusive_operation\t\nbtrfs/u-1/devices/sda\t\n")
                NOBODY END,
            NG_UNKNOWN, "exclusive_operation could not be read", "btrfs balance status"},
        /* a kernel before 5.10 */
        {ON_BTRFS F("block", "btrfs/u-1/devices/sda\t\n") NOBODY END, NG_UNKNOWN,
            "exclusive_operation could not be read", NULL},
        {ON_BTRFS F("block", "") NOBODY END, NG_UNKNOWN, "does not show it here", "/data"},
        /* what was not seen cannot be excluded */
        {NO_MD F("mountinfo", ROOT) LATE("block") END, NG_UNKNOWN, "did not answer", "findmnt"},
        {NO_MD F("mountinfo", ROOT) END, NG_UNKNOWN, "/sys/block was not seen", "findmnt"},
        {NO_MD F("block", "") END, NG_UNKNOWN, "mountinfo was not seen", "findmnt"},
        {NO_MD F("mountinfo", "bad\n") F("block", "") END, NG_UNKNOWN, "not understood", NULL},
        {NO_MD F("mountinfo", ROOT) F("block", "") END, NG_HELD, "no md arrays", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_condition_result r = judge_md(bench, rows[i].frames, NULL);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
}

struct space_params {
    const struct ng_volume *volume;
    int64_t at_least;
};

#define PATH F("path.1.name", "/mnt/bench")
#define READY PATH F("path.1.test", "exists yes\ndirectory yes\nreal /mnt/bench\nwritable yes\n")
#define ROOM READY F("path.1.stat", "device 2049\nspace 1048576 200 100 50\n")
#define MIB INT64_C(1048576)

static void space(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *frames;
        int64_t at_least;
        enum ng_held held;
        const char *seen, *remedy;
    } rows[] = {
        {ROOM END, 50 * MIB, NG_HELD, "client:/mnt/bench has 50 MiB available", NULL},
        {ROOM END, 50 * MIB + 1, NG_BROKEN, "50 MiB available", "free"},
        {READY LATE("path.1.stat") END, 1, NG_UNKNOWN, "did not answer in 3 s", "df"},
        {READY F("path.1.stat", "what?\n") END, 1, NG_UNKNOWN, "free space", NULL},
        {PATH LATE("path.1.test") END, 1, NG_UNKNOWN, "did not answer in time", "umount"},
        {PATH F("path.1.test", "error ls: x: No such file or directory\n") END, 1, NG_BROKEN,
            "does not exist", "create the folder"},
        {PATH F("path.1.test", "error ls: x: Permission denied\n") END, 1, NG_UNKNOWN,
            "Permission denied", NULL},
        {END, 1, NG_UNKNOWN, "not asked for", NULL},
        {NULL, 1, NG_UNKNOWN, "could not be asked", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct space_params params = {&bench->volume, rows[i].at_least};
        struct ng_condition_result r =
            bench_judge(bench, "free_space", &params, rows[i].frames, END);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
}

#define MOUNT(type, options) F("mountinfo", "1 0 8:1 / / rw - " type " /dev/sda1 " options "\n")

static void ready(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *frames;
        int64_t room;
        enum ng_held held;
        const char *seen, *remedy;
    } rows[] = {
        {MOUNT("ext4", "rw") ROOM END, 0, NG_HELD, "can be written to", NULL},
        {MOUNT("ext4", "rw") ROOM END, 50 * MIB, NG_HELD, "50 MiB available", NULL},
        {MOUNT("ext4", "rw") ROOM END, 51 * MIB, NG_BROKEN, "50 MiB available", "free 1 MiB more"},
        {MOUNT("ext4", "ro") ROOM END, 0, NG_BROKEN, "read-only", "read-write"},
        {MOUNT("fuse.gvfsd-fuse", "rw") ROOM END, 0, NG_BROKEN, "gvfs", "mount the share itself"},
        {ROOM END, 0, NG_HELD, "can be written to", NULL},
        {PATH F("path.1.test", "exists yes\ndirectory no\nwritable yes\n") END, 0, NG_BROKEN,
            "is no folder", "path of a folder"},
        {PATH F("path.1.test", "exists yes\ndirectory yes\nwritable no\n") END, 0, NG_BROKEN,
            "cannot be written to", "let the user"},
        {PATH F("path.1.test", "exists yes\ndirectory yes\n") END, 0, NG_UNKNOWN,
            "may not be writable", NULL},
        {PATH LATE("path.1.test") END, 0, NG_UNKNOWN, "did not answer", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_volume_ready_params params = {&bench->volume, rows[i].room};
        struct ng_condition_result r =
            bench_judge(bench, "volume_ready", &params, rows[i].frames, END);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
}

#define TWO(mounts, first, second)                                                                 \
    mounts F("path.1.name", "/mnt/bench") F("path.2.name", "/mnt/other")                           \
        F("path.1.test", "exists yes\ndirectory yes\nreal /mnt/bench\nwritable yes\n")             \
            F("path.2.test", "exists yes\ndirectory yes\nreal /mnt/other\nwritable yes\n")         \
                F("path.1.stat", "device " first "\nspace 1048576 200 100 100\n")                  \
                    F("path.2.stat", "device " second "\nspace 1048576 200 100 100\n") END
#define SUBVOLUMES                                                                                 \
    F("mountinfo", "1 0 0:40 /a /mnt/bench rw - btrfs /dev/sda rw\n"                               \
                   "2 0 0:40 /b /mnt/other rw - btrfs /dev/sda rw\n")
#define DISKS                                                                                      \
    F("mountinfo", "1 0 8:1 / /mnt/bench rw - ext4 /dev/sda1 rw\n"                                 \
                   "2 0 8:2 / /mnt/other rw - ext4 /dev/sda2 rw\n")

/* Each of two volumes would find its 60 MiB in the 100 MiB that both have together. */
static void room_of_two(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *frames;
        int64_t room, other;
        enum ng_held held;
        const char *seen, *remedy;
    } rows[] = {
        {TWO("", "2049", "2049"), 60 * MIB, 60 * MIB, NG_BROKEN,
            "120 MiB are needed, 60 MiB for volume other of it on the same file system",
            "free 20 MiB more"},
        {TWO("", "2049", "2049"), 60 * MIB, 40 * MIB, NG_HELD, "100 MiB available", NULL},
        {TWO("", "2049", "2050"), 60 * MIB, 60 * MIB, NG_HELD, "100 MiB available", NULL},
        {TWO(SUBVOLUMES, "41", "42"), 60 * MIB, 60 * MIB, NG_BROKEN, "120 MiB are needed", NULL},
        {TWO(DISKS, "2049", "2050"), 60 * MIB, 60 * MIB, NG_HELD, "100 MiB available", NULL},
        {TWO("", "2049", "2049"), 1, INT64_MAX, NG_BROKEN, "are needed", "free"},
        {TWO("", "2049", "2049"), 60 * MIB, 0, NG_HELD, "100 MiB available", NULL},
    };
    struct ng_volume volumes[2] = {
        bench->volume, {.name = "other", .on = &bench->hosts[0], .path = "/mnt/other"}};
    bench->plan.volumes = volumes;
    bench->plan.volume_count = 2;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_volume_ready_params params[] = {
            {&volumes[0], rows[i].room}, {&volumes[1], rows[i].other}, {&volumes[1], 1}};
        const struct ng_precondition items[] = {
            {.kind = &ng_condition_volume_ready.kind, .params = &params[0]},
            {.kind = &ng_condition_volume_ready.kind, .params = &params[1]},
            {.kind = &ng_condition_volume_ready.kind, .params = &params[2]},
            {.kind = &ng_condition_tools.kind, .params = &(struct ng_tools_params){0}},
        };
        bench->items = items;
        bench->item_count = rows[i].other > 0 ? 4 : 1;
        struct ng_condition_result r =
            bench_judge(bench, "volume_ready", &params[0], rows[i].frames, END);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
    /* the same numbers on another host are another file system */
    volumes[1].on = &bench->hosts[1];
    const struct ng_volume_ready_params params[] = {
        {&volumes[0], 60 * MIB}, {&volumes[1], 60 * MIB}};
    const struct ng_precondition items[] = {
        {.kind = &ng_condition_volume_ready.kind, .params = &params[0]},
        {.kind = &ng_condition_volume_ready.kind, .params = &params[1]}};
    bench->items = items;
    bench->item_count = 2;
    struct ng_condition_result r = bench_judge(
        bench, "volume_ready", &params[0], TWO("", "2049", "2049"), TWO("", "2049", "2049"));
    bench_expect(&r, NG_HELD, "100 MiB available", NULL);
}

#define FIO(version) F("tool.fio.path", "/usr/bin/fio\n") F("tool.fio.version", version "\n")

static void tools(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *need, *frames;
        enum ng_held held;
        const char *seen, *remedy;
    } rows[] = {
        {"fio", FIO("fio-3.33") END, NG_HELD, "fio on client: fio-3.33", NULL},
        {"fio >= 3.30", FIO("fio-3.33") END, NG_HELD, "fio-3.33", NULL},
        {"fio>=3.33", FIO("fio-3.33") END, NG_HELD, "fio-3.33", NULL},
        {"fio >= 3.36", FIO("fio-3.33") END, NG_BROKEN, "older than 3.36", "update fio"},
        {"fio >= 3.9", FIO("fio-3.33") END, NG_HELD, "fio-3.33", NULL},
        {"fio", ABSENT("tool.fio.path") END, NG_BROKEN, "not installed on client",
            "apt-get install fio"},
        {"fio >= 3.30", FIO("strange") END, NG_UNKNOWN, "not understood", NULL},
        {"fio", FIO("strange") END, NG_HELD, "strange", NULL},
        {"fio", END, NG_UNKNOWN, "not asked for", "command -v"},
        {"fio", NULL, NG_UNKNOWN, "could not be asked", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_tools_params params = {
            .host = &bench->hosts[0], .need = {.items = &rows[i].need, .count = 1}};
        struct ng_condition_result r = bench_judge(bench, "tools", &params, rows[i].frames, END);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
    const char *need[] = {"fio", "ping"};
    struct ng_tools_params all = {.need = {.items = need, .count = 2}};
    struct ng_condition_result r = bench_judge(bench, "tools", &all,
        FIO("fio-3.33") ABSENT("tool.ping.path") END, FIO("fio-3.33") ABSENT("tool.ping.path") END);
    bench_expect(&r, NG_BROKEN, "ping is not installed on nas", "apt-get install iputils-ping");
    /* an engine knows its package itself */
    struct ng_tools_params own = {.host = &bench->hosts[0],
        .package = "new-engine",
        .need = {.items = (const char *const[]){"newbench"}, .count = 1}};
    r = bench_judge(bench, "tools", &own, ABSENT("tool.newbench.path") END, END);
    bench_expect(&r, NG_BROKEN, "newbench is not installed", "apt-get install new-engine");
    own.package = NULL;
    r = bench_judge(bench, "tools", &own, ABSENT("tool.newbench.path") END, END);
    bench_expect(&r, NG_BROKEN, "newbench is not installed", "install newbench on client");
}

static void asking(void **state) {
    struct bench *bench = *state;
    const char *need[] = {"fio >= 3.30", "no good", "ping"};
    struct ng_tools_params tools_params = {
        .host = &bench->hosts[1], .need = {.items = need, .count = 3}};
    struct ng_volume_ready_params ready_params = {.volume = &bench->volume};
    struct ng_collect_needs needs[2] = {0};
    ng_condition_tools.needs(&bench->plan, &tools_params, needs);
    ng_condition_volume_ready.needs(&bench->plan, &ready_params, needs);
    assert_int_equal(needs[0].tools.count, 0);
    assert_int_equal(needs[1].tools.count, 2);
    assert_string_equal(needs[1].tools.items[0], "fio");
    assert_int_equal(needs[0].paths.count, 1);
    assert_string_equal(needs[0].paths.items[0], "/mnt/bench");
    ng_collect_needs_release(&needs[0]);
    ng_collect_needs_release(&needs[1]);
}

/* What is wrong with a plan's words is told when it is loaded. */
static void checks(void **state) {
    struct bench *bench = *state;
    struct ng_diags diags = {.arena = &bench->arena};
    const char *need[] = {"fio >= 3.30", "fio > 3", "two words", ">= 3", "fio >= new", "../fio"};
    struct ng_pos places[6] = {{"plan", 1, 1}, {"plan", 2, 1}, {"plan", 3, 1}, {"plan", 4, 1},
        {"plan", 5, 1}, {"plan", 6, 1}};
    struct ng_tools_params params = {.need = {.items = need, .places = places, .count = 6}};
    ng_condition_tools.kind.check(&bench->plan, &params, NULL, &diags);
    assert_int_equal(diags.errors, 5);
    assert_int_equal(diags.items[0].pos.line, 2);
    const char *allow[] = {"check", "chek"};
    struct rebuild_params rebuild_params = {
        .allow = {.items = allow, .places = places, .count = 2}};
    bench_condition("no_rebuild")->kind.check(&bench->plan, &rebuild_params, NULL, &diags);
    assert_int_equal(diags.errors, 6);
    assert_non_null(strstr(diags.items[5].text, "did you mean \"check\""));
}

static void table(void **state) {
    (void)state;
    for (size_t i = 0; i < ng_condition_count; i++) {
        const struct ng_record *record = &ng_conditions[i]->kind.record;
        assert_true(i == 0 || strcmp(ng_conditions[i - 1]->kind.record.name, record->name) < 0);
        assert_non_null(ng_conditions[i]->evaluate);
        assert_true(record->help != NULL && record->help[0] != '\0' && record->size > 0);
        assert_ptr_equal(ng_condition_of(&ng_conditions[i]->kind), ng_conditions[i]);
        bool shorthand = false;
        for (size_t j = 0; j < record->count; j++) {
            assert_true(record->fields[j].help[0] != '\0');
            assert_true(record->fields[j].offset < record->size);
            shorthand = shorthand || strcmp(record->fields[j].name, record->shorthand) == 0;
        }
        assert_true(shorthand);
    }
    struct ng_kind other = {0};
    assert_null(ng_condition_of(&other));
}

/* Nothing that a host prints reaches a report raw. */
static void clean_texts(void **state) {
    struct bench *bench = *state;
    struct ng_tools_params params = {
        .host = &bench->hosts[0], .need = {.items = (const char *const[]){"fio"}, .count = 1}};
    struct ng_condition_result r =
        bench_judge(bench, "tools", &params, FIO("fio-3.33 \x1b[31mred\xff") END, END);
    assert_int_equal(r.held, NG_HELD);
    assert_null(strchr(r.seen, '\x1b'));
    assert_null(strchr(r.seen, '\xff'));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(rebuild),
        TEST(rebuild_elsewhere),
        TEST(rebuild_of_btrfs),
        TEST(space),
        TEST(ready),
        TEST(room_of_two),
        TEST(tools),
        TEST(asking),
        TEST(checks),
        TEST(table),
        TEST(clean_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
