/* The device mapper: names, tables that go over several lines, what each target says of itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runner/facts/dm.h"

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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void names(void **state) {
    (void)state;
    static const struct {
        const char *dm, *group, *volume;
    } rows[] = {
        {"vg0-root", "vg0", "root"},
        {"vg0--lv_root", NULL, NULL}, /* one name with a hyphen: no group is in it */
        {"vg0--x-lv_root", "vg0-x", "lv_root"},
        {"a--b-c--d", "a-b", "c-d"},
        {"vg-lv-real", NULL, NULL},
        {"vg-lv_rimage_0", "vg", "lv_rimage_0"},
        {"cachedev_0", NULL, NULL},
        {"-x", NULL, NULL},
        {"x-", NULL, NULL},
        {"", NULL, NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const char *group = NULL, *volume = NULL;
        assert_int_equal(ng_dm_volume(&arena, rows[i].dm, &group, &volume), rows[i].group != NULL);
        if (rows[i].group != NULL) {
            assert_string_equal(group, rows[i].group);
            assert_string_equal(volume, rows[i].volume);
        }
    }
    static const char *const coded[][2] = {{"a\\x20b", "a b"}, {"a\\x2Fb", "a/b"},
        {"\\x00", "\\x00"}, {"\\x2", "\\x2"}, {"\\xzz", "\\xzz"}, {"plain", "plain"},
        {"\\x20\\x20", "  "}};
    for (size_t i = 0; i < NG_COUNT(coded); i++) {
        assert_string_equal(ng_dm_name(&arena, coded[i][0], strlen(coded[i][0])), coded[i][1]);
    }
}

static struct ng_blocks parse(const char *table, const char *status) {
    struct ng_blocks blocks = {0};
    ng_dm_parse(&blocks, &arena, table, strlen(table), false);
    ng_dm_parse(&blocks, &arena, status, strlen(status), true);
    return blocks;
}

/* Names may hold colons and blanks; dmsetup prints a blank where sysfs has \x20. */
static void odd_devices(void **state) {
    (void)state;
    struct ng_blocks blocks =
        parse("a: b: 0 9 linear 8:1 0\nan example: 0 8 linear 8:2 0\n: 0 1 zero\n",
            "an\\x20example: 0 8 linear \na: b: 0 9 linear \n");
    assert_int_equal(blocks.target_count, 2);
    assert_string_equal(blocks.targets[0].device, "a: b");
    assert_non_null(blocks.targets[0].status);
    assert_string_equal(blocks.targets[1].device, "an example");
    assert_non_null(blocks.targets[1].status);
}

/* The several lines of flashcache: with a tab, with blanks, with nothing before them, in table and
 * status; the device behind is a device of its own again. */
static void several_lines(void **state) {
    (void)state;
    struct ng_blocks blocks = parse(
        "cachedev_0: 0 7 flashcache-syno conf:\n"
        "\tssd dev (/dev/md4), disk dev (/dev/vg1/volume_1) cache mode(WRITE_BACK)\n"
        "\tcapacity(200M), associativity(512), data block size(64K) metadata block size(4096b)\n"
        "\tskip sequential thresh(1024K)\n"
        "Size Hist: 512:1 4096:77 \n"
        "bits_all=12 bits_used=3\n"
        "vg1-volume_1: 0 99 linear 9:2 0\n",
        "cachedev_0: 0 7 flashcache-syno stats: \n"
        "\treads(5), writes(6)\n"
        "    read hits(1), read hit percent(20)\n"
        "vg1-volume_1: 0 99 linear \n");
    assert_int_equal(blocks.target_count, 2);
    assert_non_null(strstr(blocks.targets[0].table, "bits_used=3"));
    assert_non_null(strstr(blocks.targets[0].status, "read hits(1)"));
    assert_string_equal(blocks.targets[1].table, "9:2 0");
    assert_string_equal(blocks.targets[1].status, "");
}

static void sync_of(const char *word, const char *status, bool good, struct ng_dm_sync *out) {
    const struct ng_dm_target target = {"d", word, "", status};
    if (ng_dm_sync_parse(&target, &arena, out) != good) {
        fail_msg("%s %s: %s", word, status == NULL ? "-" : status, good ? "refused" : "accepted");
    }
}

static void raids_and_mirrors(void **state) {
    (void)state;
    static const struct {
        const char *word, *status, *level, *health, *action;
        int64_t devices, done, total, mismatches;
        char journal;
    } rows[] = {
        {"raid", "raid1 2 AA 4/4 idle 0", "raid1", "AA", "idle", 2, 4, 4, 0, 0},
        {"raid", "raid1 2 Aa 1/4", "raid1", "Aa", NULL, 2, 1, 4, -1, 0},
        {"raid", "raid5_ls 3 AAD 9/9 check 128 0 -", "raid5_ls", "AAD", "check", 3, 9, 9, 128, '-'},
        {"raid", "raid6_zr 5 AAAAA 3/9 resync 0 0 a", "raid6_zr", "AAAAA", "resync", 5, 3, 9, 0,
            'a'},
        {"raid", "raid10 4 AA-A 0/0 idle 0 2048", "raid10", "AA-A", "idle", 4, 0, 0, 0, 0},
        {"mirror", "2 252:14 252:15 2048/2048 1 AA 3 disk 252:13 A", "mirror", "AA", NULL, 2, 2048,
            2048, -1, 0},
        {"mirror", "3 1:1 1:2 1:3 7/8 1 ADF 1 core", "mirror", "ADF", NULL, 3, 7, 8, -1, 0},
        {"mirror", "2 1:1 1:2 7/8 1 AA 3 clustered-disk 253:4 D", "mirror", "AA", NULL, 2, 7, 8, -1,
            0},
        {"striped", "2 253:0 253:1 1 AD", "striped", "AD", NULL, 2, -1, -1, -1, 0},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_dm_sync sync;
        sync_of(rows[i].word, rows[i].status, true, &sync);
        assert_string_equal(sync.level, rows[i].level);
        assert_string_equal(sync.health, rows[i].health);
        assert_true(sync.devices == rows[i].devices && sync.done == rows[i].done);
        assert_true(sync.total == rows[i].total && sync.mismatches == rows[i].mismatches);
        assert_int_equal(sync.journal, rows[i].journal);
        assert_true((sync.action == NULL) == (rows[i].action == NULL));
        assert_true(sync.action == NULL || strcmp(sync.action, rows[i].action) == 0);
    }
    static const char *const bad[][2] = {{"raid", ""}, {"raid", "raid1 2 AAA 4/4 idle 0"},
        {"raid", "raid1 2 AX 4/4 idle 0"}, {"raid", "raid1 2 AA 5/4 idle 0"},
        {"raid", "raid1 2 AA 4 idle 0"}, {"raid", "raid1 2 AA 4/4 dancing 0"},
        {"raid", "raid1 0  4/4 idle 0"}, {"raid", "raid1 99999999999 AA 4/4"},
        {"mirror", "2 1:1 1:2 2048/2048 1 A 1 core"}, {"mirror", "2 1:1"},
        {"mirror", "9999 1:1 1:2 3/4"}, {"mirror", "2 1:1 1:2 7/8 1 AA"},
        {"mirror", "2 1:1 1:2 7/8 1 AA 9 disk"}, {"striped", "2 1:1 1:2 1 A"}, {"linear", "x"}};
    for (size_t i = 0; i < NG_COUNT(bad); i++) {
        struct ng_dm_sync sync;
        sync_of(bad[i][0], bad[i][1], false, &sync);
    }
    struct ng_dm_sync sync;
    sync_of("raid", NULL, false, &sync);
}

static struct ng_dm_cache cache_of(const char *table, const char *status, bool good) {
    static const char devices[] = "block/dm-1/dev\t253:1\nblock/nvme0n1/dev\t259:0\n";
    struct ng_blocks blocks = {0};
    struct ng_dm_cache cache;
    const struct ng_dm_target target = {"d", "cache", table, status};
    ng_blocks_parse(&blocks, &arena, devices, strlen(devices));
    assert_int_equal(ng_dm_cache_parse(&blocks, &target, &arena, &cache), good);
    return cache;
}

static void dm_caches(void **state) {
    (void)state;
    struct ng_dm_cache cache = cache_of("253:1 259:0 8:16 128 2 metadata2 writethrough smq 0",
        "8 16/2048 128 10/400 1 2 3 4 5 6 7 3 metadata2 writeback no_discard_passdown 2 "
        "migration_threshold 2048 smq 0 rw -",
        true);
    assert_string_equal(cache.mode, "writeback"); /* what is in force, not what was asked for */
    assert_string_equal(cache.policy, "smq");
    assert_true(cache.block == 65536 && cache.total == 400 && cache.used == 10 && cache.dirty == 7);
    assert_true(cache.hits == 4 && cache.misses == 6 && !cache.read_only && !cache.needs_check);
    assert_string_equal(cache.members[0], "dm-1");
    assert_string_equal(cache.members[1], "nvme0n1");
    assert_string_equal(cache.members[2], "8:16");
    cache = cache_of(
        "", "8 1/2 128 1/4 0 0 0 0 0 0 0 1 passthrough 2 m 1 cleaner 0 ro needs_check", true);
    assert_string_equal(cache.mode, "passthrough");
    assert_string_equal(cache.policy, "cleaner");
    assert_true(cache.read_only && cache.needs_check);
    assert_true(cache_of("", "Fail", true).failed && cache_of("", "Error", true).failed);
    /* a table alone: the mode that was asked for, write-back without one */
    assert_string_equal(
        cache_of("1:1 1:2 1:3 128 1 writethrough mq 0", NULL, true).mode, "writethrough");
    assert_string_equal(cache_of("1:1 1:2 1:3 128 0 default 0", NULL, true).mode, "writeback");
    cache_of("1:1 1:2 1:3 128 0 default 0", "8 1/2 128 1/4 0 0", false);
    cache_of("1:1", NULL, false);
    /* another form: the mode is a word of its own in all of them, the numbers are not known */
    cache =
        cache_of("", "3/4 1 2 3 4 5 6 7 8 1 writethrough 2 migration_threshold 9 4 x 1 y 2", true);
    assert_string_equal(cache.mode, "writethrough");
    assert_true(cache.dirty == -1 && cache.total == -1 && cache.block == -1);
    cache_of("", "8 1/2 128 1/4 0 0 0 0 0 0 0 99 writeback writethrough", false);
}

static void writecaches(void **state) {
    (void)state;
    const struct ng_blocks none = {0};
    struct ng_dm_writecache cache;
    struct ng_dm_target target = {
        "d", "writecache", "s 8:16 259:0 4096 3 high_watermark 50 cleaner", "0 1000 900 12"};
    assert_true(ng_dm_writecache_parse(&none, &target, &arena, &cache));
    assert_true(cache.error == 0 && cache.blocks == 1000 && cache.free == 900);
    assert_true(cache.writing == 12 && cache.block == 4096 && cache.cleaner && !cache.memory);
    assert_string_equal(cache.members[1], "259:0");
    target.status = "5 3232 64 14 1 2 3 4 5 6 7 8 9 10"; /* newer kernels count more */
    assert_true(ng_dm_writecache_parse(&none, &target, &arena, &cache));
    assert_true(cache.error == 5);
    target.status = "0 3 64 1"; /* more free than there are */
    assert_false(ng_dm_writecache_parse(&none, &target, &arena, &cache));
    assert_true(cache.blocks == -1 && cache.free == -1);
    target.status = NULL;
    target.table = "p /dev/sda /dev/pmem0 4096 0";
    assert_true(ng_dm_writecache_parse(&none, &target, &arena, &cache));
    assert_true(cache.memory && !cache.cleaner && cache.blocks == -1);
    target.table = "x";
    assert_false(ng_dm_writecache_parse(&none, &target, &arena, &cache));
}

#define U NG_ANSWER_UNKNOWN
#define NO NG_ANSWER_NO
#define YES NG_ANSWER_YES

static void states(void **state) {
    (void)state;
    static const struct {
        const char *word, *status;
        enum ng_answer busy, broken;
        double percent;
    } rows[] = {
        {"thin-pool", "1 2/4 5/6 - rw no_discard_passdown queue_if_no_space - 1024", NO, NO, -1},
        {"thin-pool", "1 2/4 6/6 - out_of_data_space discard_passdown queue -", NO, YES, -1},
        {"thin-pool", "1 2/4 5/6 77 ro discard_passdown error needs_check", NO, YES, -1},
        {"thin-pool", "1 2/4 5/6 - rw discard error_if_no_space needs_check", NO, YES, -1},
        {"thin-pool", "Fail", NO, YES, -1},
        {"thin-pool", "1 2/4", U, U, -1},
        {"thin-pool", "1 2/4 5/6 - xx", U, U, -1},
        {"thin-pool", NULL, U, U, -1},
        {"thin", "1024 2047", NO, NO, -1},
        {"thin", "0 -", NO, NO, -1},
        {"thin", "Fail", NO, YES, -1},
        {"snapshot", "16/2048 16", NO, NO, -1},
        {"snapshot", "Invalid", NO, YES, -1},
        {"snapshot", "Overflow", NO, YES, -1},
        {"snapshot-merge", "900/2048 16", YES, NO, -1},
        {"snapshot-merge", "16/2048 16", NO, NO, -1},
        {"snapshot-merge", "Merge failed", NO, YES, -1},
        {"snapshot-merge", "900/2048", U, U, -1},
        {"clone", "8 1/10 8 50/100 2 1 no_discard_passdown 0 rw", YES, NO, 50},
        {"clone", "8 1/10 8 50/100 0 1 no_hydration 0 rw", NO, NO, -1},
        {"clone", "8 1/10 8 100/100 0 0 0 rw", NO, NO, -1},
        {"integrity", "0 1000 250", YES, NO, 25},
        {"integrity", "3 1000 -", NO, NO, -1},
        {"vdo", "/dev/sda normal - online online 1 9", NO, NO, -1},
        {"vdo", "/dev/sda recovering recovering online online 1 9", YES, NO, -1},
        {"vdo", "/dev/sda read-only - online online 1 9", NO, YES, -1},
        {"vdo", "/dev/sda dancing - online", U, U, -1},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_dm_target target = {"d", rows[i].word, "", rows[i].status};
        struct ng_dm_state out;
        assert_true(ng_dm_state_parse(&target, &arena, &out));
        if (out.busy != rows[i].busy || out.broken != rows[i].broken ||
            fabs(out.percent - rows[i].percent) > 0.01) {
            fail_msg("%s %s: busy %d broken %d %.1f %s", rows[i].word, rows[i].status, out.busy,
                out.broken, out.percent, out.why);
        }
        bool silent = out.busy == NO && out.broken == NO;
        assert_true(silent == (out.why[0] == '\0'));
    }
    const struct ng_dm_target linear = {"d", "linear", "", ""};
    struct ng_dm_state out;
    assert_false(ng_dm_state_parse(&linear, &arena, &out));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(names),
        TEST(odd_devices),
        TEST(several_lines),
        TEST(raids_and_mirrors),
        TEST(dm_caches),
        TEST(writecaches),
        TEST(states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
