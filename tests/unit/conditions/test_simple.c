/* free_space, tools, volume_ready, and the table that lists them. */
#include "tests/unit/conditions/bench.h"

#include "runner/conditions/tools.h"
#include "runner/conditions/volume_ready.h"

#define LINUX F("uname", "Linux 6.1 x86_64\n") F("markers", "modules\n")
#define ROOT "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
#define PLAIN LINUX F("mountinfo", ROOT) F("block", "")
struct space_params {
    const struct ng_volume *volume;
    int64_t at_least, files;
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
        struct space_params params = {&bench->volume, rows[i].at_least, 1};
        struct ng_condition_result r =
            bench_judge(bench, "free_space", &params, rows[i].frames, END);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
}

#define INODES(all, left)                                                                          \
    READY F("path.1.stat", "device 2049\nspace 1048576 200 100 50 " all " " left)
#define BTRFS                                                                                      \
    F("mountinfo", "1 0 0:40 / / rw - btrfs /dev/sda1 rw\n")                                       \
    F("block", "block/sda/dev\t8:0\nblock/sda/size\t41943040\nblock/sda/part/sda1/dev\t8:1\n"      \
               "btrfs/u-u-u-u-u/devices/sda\t\nbtrfs/u-u-u-u-u/devices/sda1\t\n")
#define ROOM_OF(total, used, disk)                                                                 \
    F("btrfs.rooms", "u-u-u-u-u/allocation/metadata/total_bytes:" total                            \
                     "\nu-u-u-u-u/allocation/metadata/bytes_used:" used                            \
                     "\nu-u-u-u-u/allocation/metadata/disk_total:" disk                            \
                     "\nu-u-u-u-u/allocation/data/disk_total:0"                                    \
                     "\nu-u-u-u-u/allocation/system/disk_total:0\n")

/* What is available is not all: inodes, what is kept for root, metadata of btrfs, the server. */
static void room_that_is_none(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *client, *nas;
        int64_t files;
        enum ng_held held;
        const char *seen, *key, *looked;
    } rows[] = {
        {INODES("1000", "10\n") END, END, 10, NG_HELD, "50 MiB", "files", "10 of 1000 are free"},
        {INODES("1000", "10\n") END, END, 11, NG_BROKEN, "only 10 more files", "files", ""},
        {INODES("1000", "0\n") END, END, 1, NG_BROKEN, "inodes are used up", "files", ""},
        {INODES("0", "0\n") END, END, 99, NG_HELD, "50 MiB", "files", "no limit"}, /* btrfs */
        {ROOM END, END, 99, NG_UNKNOWN, "how many files", "kept for root", "50 MiB"},
        {ROOM BTRFS END, END, 1, NG_HELD, "50 MiB", "btrfs", "estimate"},
        {ROOM BTRFS ROOM_OF("10737418240", "10737418239", "21474836480") END, END, 1, NG_HELD,
            "50 MiB", "metadata of btrfs on client", "10 GiB of 10 GiB used"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct space_params params = {&bench->volume, 50 * MIB, rows[i].files};
        struct ng_condition_result r =
            bench_judge(bench, "free_space", &params, rows[i].client, rows[i].nas);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
        assert_non_null(strstr(bench_looked(&r, rows[i].key), rows[i].looked));
    }
}

static void full_metadata(void **state) {
    (void)state;
    const struct ng_btrfs_kind none = {0, 0, 0};
    const int64_t gib = INT64_C(1) << 30;
    struct ng_btrfs_room room = {"u", none, {gib, gib - 1, 2 * gib}, none};
    assert_true(ng_btrfs_metadata_full(&room, 2 * gib));
    assert_false(ng_btrfs_metadata_full(&room, 3 * gib)); /* another piece fits */
    room.metadata.used = gib / 2;
    assert_false(ng_btrfs_metadata_full(&room, 2 * gib));
    room.metadata.used = gib;
    room.data.disk = -1;
    assert_false(ng_btrfs_metadata_full(&room, 2 * gib)); /* not known */
    assert_false(ng_btrfs_metadata_full(&room, -1));
}

static void room_on_the_server(void **state) {
    struct bench *bench = *state;
    static const char client[] =
        F("mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
                       "2 1 0:42 / /mnt/bench rw - nfs nas:/v rw,addr=1.2.3.4\n") ROOM END;
#define ON_SERVER(space)                                                                           \
    F("path.1.name", "/v")                                                                         \
    F("path.1.test", "exists yes\ndirectory yes\nreal /v\n") F("path.1.stat", space) END
    const struct space_params params = {&bench->volume, 50 * MIB, 1};
    bench->mount = (struct ng_mount_spec){.type = "nfs", .from = &bench->hosts[1], .export = "/v"};
    bench->volume.mount = &bench->mount;
    struct ng_condition_result r =
        bench_judge(bench, "free_space", &params, client, ON_SERVER("space 1048576 200 100 50\n"));
    bench_expect(&r, NG_HELD, "50 MiB", NULL);
    assert_non_null(strstr(bench_looked(&r, "nas:/v"), "as the client sees it"));
    r = bench_judge(bench, "free_space", &params, client, ON_SERVER("space 1048576 900 90 40\n"));
    bench_expect(&r, NG_BROKEN, "the server has 40 MiB available at nas:/v", "free space on nas");
    r = bench_judge(bench, "free_space", &params, client, NULL);
    bench_expect(&r, NG_HELD, "50 MiB", NULL);
    assert_non_null(strstr(bench_looked(&r, "nas:/v"), "could not be asked"));
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
        TEST(space),
        TEST(room_that_is_none),
        TEST(full_metadata),
        TEST(room_on_the_server),
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
