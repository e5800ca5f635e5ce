/* cache_state: what is recorded of a cache, and what it does to the phases that measure a volume.
 */
#include "tests/unit/conditions/bench.h"

#include "runner/conditions/outcome.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

/* What cache_state.c keeps its params in. */
struct params {
    const struct ng_volume *volume;
    int expect;
};
enum { ANY, NONE, READ, THROUGH, BACK };

/* An engine that measures a volume, by the fields that engines of that sort have. */
struct load {
    const struct ng_volume *volume;
    int rw, direct;
    int64_t bs, size;
};

static const char *const rws[] = {"read", "write", "randread", NULL};
static const char *const directs[] = {"auto", "true", NULL};
static const struct ng_field fields[] = {
    {.name = "volume", .type = NG_FIELD_VOLUME, .offset = offsetof(struct load, volume)},
    {.name = "rw", .type = NG_FIELD_CHOICE, .offset = offsetof(struct load, rw), .choices = rws},
    {.name = "direct",
        .type = NG_FIELD_CHOICE,
        .offset = offsetof(struct load, direct),
        .choices = directs},
    {.name = "bs", .type = NG_FIELD_SIZE, .offset = offsetof(struct load, bs)},
};

static const struct ng_volume *volume_of(const void *params) {
    return ((const struct load *)params)->volume;
}

static void estimate(const void *params, struct ng_cost *cost) {
    cost->footprint = ((const struct load *)params)->size;
}

static const struct ng_kind engine = {
    .record = {.name = "engine", .fields = fields, .count = NG_COUNT(fields)},
    .estimate = estimate,
    .volume = volume_of};

enum { READS, WRITES, RANDOM };

static void add_phase(struct bench *bench, const char *name, struct load load) {
    struct ng_phase *phases =
        ng_arena_array(&bench->arena, bench->plan.phase_count + 1, sizeof *phases);
    struct load *params = ng_arena_alloc(&bench->arena, sizeof *params);
    *params = load;
    for (size_t i = 0; i < bench->plan.phase_count; i++) {
        phases[i] = bench->plan.phases[i];
    }
    phases[bench->plan.phase_count] =
        (struct ng_phase){.name = name, .kind = &engine, .params = params};
    bench->plan.phases = phases;
    bench->plan.phase_count++;
}

static const char *warnings(struct bench *bench, const struct ng_condition_result *result) {
    const char *text = "";
    for (size_t i = 0; i < result->looked_at.count; i++) {
        if (strcmp(result->looked_at.items[i].key, NG_LOOK_WARNING) == 0) {
            text = ng_arena_printf(&bench->arena, "%s[%s]", text, result->looked_at.items[i].value);
        }
    }
    return text;
}

static struct ng_condition_result judge(
    struct bench *bench, int expect, const char *client, const char *nas) {
    struct params params = {&bench->volume, expect};
    return bench_judge(bench, "cache_state", &params, client, nas);
}

#define MOUNT(device, source) F("mountinfo", "1 0 " device " / / rw - xfs " source " rw\n")
#define MEMORY(kib) F("meminfo", "MemTotal: " kib " kB\nCached: 12 kB\n")
#define BCACHE(cutoff)                                                                             \
    MOUNT("252:0", "/dev/bcache0")                                                                 \
    F("block", "block/bcache0/dev\t252:0\nblock/bcache0/bcache/cache_mode\t[writeback] none\n"     \
               "block/bcache0/bcache/state\tdirty\nblock/bcache0/bcache/dirty_data\t1.0M\n"        \
               "block/bcache0/bcache/sequential_cutoff\t" cutoff "\n"                              \
               "block/bcache0/slaves/sda\t\nblock/sda/dev\t8:0\n")

#define KIB ((int64_t)1024)
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)

/* The parts of a cache are rows of their own. */
static void a_record_for_machines(void **state) {
    struct bench *bench = *state;
    struct ng_condition_result r = judge(bench, BACK, BCACHE("4.0M") END, END);
    bench_expect(&r, NG_HELD, "cache: write-back", NULL);
    assert_string_equal(bench_looked(&r, "client:bcache0 kind"), "bcache");
    assert_string_equal(bench_looked(&r, "client:bcache0 mode"), "write-back");
    assert_string_equal(bench_looked(&r, "client:bcache0 dirty"), "1048576 bytes");
    assert_string_equal(bench_looked(&r, "client:bcache0 size"), "unknown");
    assert_string_equal(bench_looked(&r, "client:bcache0 sequential bypass"), "4194304 bytes");
    assert_string_equal(bench_looked(&r, "client:bcache0 members"), "sda");
    assert_non_null(strstr(bench_looked(&r, "client:sda"), "own write cache"));
    assert_string_equal(bench_looked(&r, "client:sda kind"), ""); /* a disk is no layer */
    r = judge(bench, ANY, BCACHE("0") END, END);
    assert_string_equal(bench_looked(&r, "client:bcache0 sequential bypass"), "off");
}

/* A threshold at or below the block size: the phase goes past the cache, with the numbers. */
static void blocks_beyond_the_threshold(void **state) {
    struct bench *bench = *state;
    struct ng_volume other = {.name = "other", .on = &bench->hosts[0], .path = "/x"};
    add_phase(bench, "large", (struct load){&bench->volume, RANDOM, 0, 4 * MIB, GIB});
    add_phase(bench, "larger", (struct load){&bench->volume, WRITES, 0, 8 * MIB, GIB});
    add_phase(bench, "small", (struct load){&bench->volume, RANDOM, 0, 4 * KIB, GIB});
    add_phase(bench, "stream", (struct load){&bench->volume, READS, 0, MIB, GIB});
    add_phase(bench, "elsewhere", (struct load){&other, RANDOM, 0, 64 * MIB, GIB});
    struct ng_condition_result r = judge(bench, ANY, BCACHE("4.0M") END, END);
    const char *text = warnings(bench, &r);
    assert_non_null(strstr(text, "phases large, larger: the cache client:bcache0"));
    assert_non_null(strstr(text, "no run of 4 MiB or more"));
    assert_null(strstr(text, "small"));
    assert_null(strstr(text, "elsewhere"));
    assert_int_equal(r.held, NG_HELD); /* a finding breaks nothing */
    const char *note = bench_looked(&r, "sequential phases");
    assert_non_null(strstr(note, "phase stream"));
    assert_non_null(strstr(note, "after the first 4 MiB"));
    r = judge(bench, ANY, BCACHE("4.1M") END, END);
    assert_null(strstr(warnings(bench, &r), "large,"));
    assert_non_null(strstr(warnings(bench, &r), "phase larger"));
    r = judge(bench, ANY, BCACHE("0") END, END); /* 0: nothing goes past it */
    assert_string_equal(warnings(bench, &r), "");
    assert_string_equal(bench_looked(&r, "sequential phases"), "");
    r = judge(bench, ANY, BCACHE("strange") END, END); /* unknown: nothing is claimed */
    assert_string_equal(warnings(bench, &r), "");
    assert_string_equal(bench_looked(&r, "client:bcache0 sequential bypass"), "unknown");
}

/* Reported of others: a read benchmark shows 5 to 45 GB/s, for the page cache was measured
 * (Crosstalk-Solutions/project-nomad #1154, axboe/fio #383, sqliteai/warp PR #22). */
static void the_page_cache_is_larger_than_the_working_set(void **state) {
    struct bench *bench = *state;
    add_phase(bench, "hot", (struct load){&bench->volume, READS, 0, MIB, GIB});
    add_phase(bench, "direct", (struct load){&bench->volume, READS, 1, MIB, GIB});
    add_phase(bench, "big", (struct load){&bench->volume, READS, 0, MIB, 64 * GIB});
    add_phase(bench, "endless", (struct load){&bench->volume, READS, 0, MIB, 0});
    struct ng_condition_result r = judge(bench, ANY,
        MOUNT("8:0", "/dev/sda") MEMORY("16777216") F("block", "block/sda/dev\t8:0\n") END, END);
    const char *text = warnings(bench, &r);
    assert_non_null(
        strstr(text, "phase hot: a working set of 1 GiB is below the memory of client (16 GiB)"));
    assert_null(strstr(text, "direct"));
    assert_null(strstr(text, "big"));
    bench_expect(&r, NG_HELD, "cache: none", NULL);
    assert_non_null(strstr(r.source, "lvs and zpool on client"));
    assert_null(strstr(r.source, "found by"));
    /* direct I/O ends at the client: the server answers from its memory all the same */
    bench->mount =
        (struct ng_mount_spec){.type = "nfs", .from = &bench->hosts[1], .export = "/volume1/bench"};
    bench->volume.mount = &bench->mount;
    r = judge(bench, ANY,
        F("mountinfo", "1 0 0:40 / / rw - nfs nas:/volume1/bench rw\n") MEMORY("1024") END,
        MOUNT("8:0", "/dev/sda") MEMORY("4194304") F("block", "block/sda/dev\t8:0\n") END);
    text = warnings(bench, &r);
    assert_non_null(strstr(text, "phases hot, direct: a working set of at most 1 GiB is below the "
                                 "memory of nas (4 GiB)"));
    assert_null(strstr(text, "memory of client"));
    assert_non_null(strstr(r.source, "zpool on nas, found by the mount on client"));
    /* memory that is not known claims nothing */
    r = judge(bench, ANY, MOUNT("8:0", "/dev/sda") F("block", "block/sda/dev\t8:0\n") END, END);
    assert_string_equal(warnings(bench, &r), "");
    assert_non_null(strstr(bench_looked(&r, "page cache of client"), "unknown"));
}

/* A list of phases has an end. */
static void many_phases(void **state) {
    struct bench *bench = *state;
    for (int i = 0; i < 40; i++) {
        add_phase(bench, ng_arena_printf(&bench->arena, "p%d", i),
            (struct load){&bench->volume, RANDOM, 0, 8 * MIB, GIB});
    }
    struct ng_condition_result r = judge(bench, ANY, BCACHE("4.0M") END, END);
    assert_non_null(strstr(warnings(bench, &r), "phases p0, p1, p2, p3, p4 and 35 more"));
}

/* What would tell is said: root for dmsetup, the host of a virtual machine. */
static void what_would_tell(void **state) {
    struct bench *bench = *state;
    struct ng_condition_result r = judge(bench, NONE,
        MOUNT("253:0", "/dev/mapper/vg1-data")
            F("block", "block/dm-0/dev\t253:0\nblock/dm-0/dm/name\tvg1-data\n"
                       "block/dm-0/slaves/sda\t\nblock/dm-0/slaves/sdb\t\n"
                       "block/sda/dev\t8:0\nblock/sdb/dev\t8:16\n") ABSENT("dmtable") END,
        END);
    bench_expect(&r, NG_UNKNOWN, "vg1-data: its target was not read", "as root");
    r = judge(
        bench, NONE, MOUNT("254:0", "/dev/vda") F("block", "block/vda/dev\t254:0\n") END, END);
    bench_expect(&r, NG_UNKNOWN, "not visible", "on the host of the virtual machine");
}

/* Nothing that is unknown can be stronger than write-back: below it a virtual disk does not matter.
 */
static void the_strongest_is_certain(void **state) {
    struct bench *bench = *state;
    static const char frames[] = MOUNT("252:0", "/dev/bcache0")
        F("block", "block/bcache0/dev\t252:0\nblock/bcache0/bcache/cache_mode\t[writeback] none\n"
                   "block/bcache0/bcache/state\tdirty\nblock/bcache0/slaves/vda\t\n"
                   "block/vda/dev\t254:0\n") END;
    struct ng_condition_result r = judge(bench, BACK, frames, END);
    bench_expect(&r, NG_HELD, "cache: write-back; not all is visible: vda", NULL);
    r = judge(bench, NONE, frames, END);
    bench_expect(&r, NG_BROKEN, "cache: write-back", "detach");
}

#define USER "1 0 0:2 / / rw - rootfs rootfs rw\n2 1 0:40 / /mnt/user rw - fuse.shfs shfs rw\n"
#define ARRAY "3 1 9:1 / /mnt/disk1 rw - xfs /dev/md1p1 rw\n"
#define POOL "4 1 252:0 / /mnt/fast rw - xfs /dev/bcache0 rw\n"
#define DISKS                                                                                      \
    "block/md1p1/dev\t9:1\nblock/sdb/dev\t8:16\nblock/sdc/dev\t8:32\n"                             \
    "block/nvme0n1/dev\t259:0\n"
#define TIERED(mode)                                                                               \
    "block/bcache0/dev\t252:0\nblock/bcache0/bcache/cache_mode\t" mode                             \
    "\nblock/bcache0/bcache/state\tclean\nblock/bcache0/slaves/nvme0n1\t\n"
#define MEMBERS(disk)                                                                              \
    F("mdstat", "sbName=/boot/config/super.dat\nmdState=STARTED\nmdNumDisks=2\n"                   \
                "diskName.0=\nrdevName.0=sdb\ndiskName.1=md1p1\nrdevName.1=" disk "\n")
#define KEPT(use, mounts, blocks, members)                                                         \
    F("mountinfo", USER mounts)                                                                    \
    F("unraid.shares", "[\"other\"]\nuseCache=\"only\"\n[\"bench\"]\n" use)                        \
    F("block", DISKS blocks) members END
#define SHARE(use) KEPT(use, ARRAY POOL, TIERED("writethrough [none]"), MEMBERS("sdc"))
#define ONLY "useCache=\"only\"\ncachePool=\"fast\"\n"
#define NO "useCache=\"no\"\n"

/* Files that stay on a pool, or on the array, have the caches that lie below it; what lies there
 * and was not looked at may have one. */
static void what_keeps_a_share(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *frames;
        int expect;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {KEPT(ONLY, POOL, TIERED("[writeback] none"), ""), NONE, NG_BROKEN, "cache: write-back"},
        {KEPT(ONLY, POOL, TIERED("[writeback] none"), ""), BACK, NG_HELD, "cache: write-back"},
        {KEPT(ONLY, ARRAY, "", MEMBERS("sdc")), NONE, NG_UNKNOWN,
            "nothing is mounted on /mnt/fast"},
        {KEPT("useCache=\"only\"\n", POOL, "", ""), NONE, NG_UNKNOWN, "no name to look for"},
        {KEPT(ONLY, "4 1 0:50 / /mnt/fast rw - zfs fast rw\n", "", ""), NONE, NG_UNKNOWN,
            "what the ZFS pool below fast caches is not known"},
        {KEPT(ONLY, "4 1 0:50 / /mnt/fast rw - tmpfs tmpfs rw\n", "", ""), NONE, NG_UNKNOWN,
            "lies in memory"},
        {KEPT(NO, ARRAY, TIERED("[writeback] none"), MEMBERS("bcache0")), NONE, NG_BROKEN,
            "cache: write-back"},
        {KEPT(NO, ARRAY, "", MEMBERS("sdx")), NONE, NG_UNKNOWN, "sdx is not known"},
        {KEPT(NO, ARRAY, "", ""), NONE, NG_UNKNOWN, "does not tell its disks"},
        {KEPT(NO, POOL, TIERED("writethrough [none]"), MEMBERS("sdc")), NONE, NG_UNKNOWN,
            "none of its disks is mounted"},
    };
    bench->volume.path = "/mnt/user/bench";
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_condition_result r = judge(bench, rows[i].expect, rows[i].frames, END);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
}

/* A user share of Unraid hides its disks; what Unraid has decided of it tells whether new files lie
 * on a pool first. */
static void user_shares(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *frames, *path;
        int expect;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {SHARE("useCache=\"no\"\ncachePool=\"\"\n"), "/mnt/user/bench", NONE, NG_HELD,
            "cache: none"},
        {SHARE("useCache=\"no\"\n"), "/mnt/user/bench/a/b", BACK, NG_BROKEN, "cache: none"},
        {SHARE("useCache=\"yes\"\ncachePool=\"fast\"\n"), "/mnt/user/bench", BACK, NG_HELD,
            "cache: write-back"},
        {SHARE("useCache=\"yes\"\ncachePool=\"fast\"\n"), "/mnt/user/bench", NONE, NG_BROKEN,
            "cache: write-back"},
        {SHARE("useCache=\"only\"\ncachePool=\"fast\"\n"), "/mnt/user/bench", NONE, NG_HELD,
            "cache: none"},
        {SHARE("useCache=\"prefer\"\ncachePool=\"fast\"\n"), "/mnt/user/bench", NONE, NG_UNKNOWN,
            "and to the array when it is full"},
        {SHARE("useCache=\"sometimes\"\n"), "/mnt/user/bench", NONE, NG_UNKNOWN, "is not known"},
        {SHARE(""), "/mnt/user/bench", NONE, NG_UNKNOWN, "is not known"},
        {SHARE("useCache=\"no\"\n"), "/mnt/user/benchmark", NONE, NG_UNKNOWN, "tells of none"},
        {SHARE("useCache=\"no\"\n"), "/mnt/user", NONE, NG_UNKNOWN, "tells of none"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        bench->volume.path = rows[i].path;
        struct ng_condition_result r = judge(bench, rows[i].expect, rows[i].frames, END);
        bench_expect(
            &r, rows[i].held, rows[i].seen, rows[i].held == NG_UNKNOWN ? "/mnt/diskN" : NULL);
    }
    bench->volume.path = "/mnt/user/bench";
    struct ng_condition_result r =
        judge(bench, ANY, SHARE("useCache=\"yes\"\ncachePool=\"fast\"\n"), END);
    assert_string_equal(bench_looked(&r, "share bench on client"),
        "new files go to the pool fast until the mover takes them to the array");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_record_for_machines),
        TEST(blocks_beyond_the_threshold),
        TEST(the_page_cache_is_larger_than_the_working_set),
        TEST(many_phases),
        TEST(what_would_tell),
        TEST(the_strongest_is_certain),
        TEST(user_shares),
        TEST(what_keeps_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
