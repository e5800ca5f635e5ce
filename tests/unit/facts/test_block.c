/* Block devices: how they stack, by which name a mount finds them, what dmsetup prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "runner/base/buf.h"
#include "runner/facts/block.h"

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

static const char files[] = "block/sda/dev\t8:0\n"
                            "block/sda/size\t2048\n"
                            "block/sda/queue/rotational\t1\n"
                            "block/sda/queue/write_cache\twrite back\n"
                            "block/sda/part/sda1/dev\t8:1\n"
                            "block/sdb/dev\t8:16\n"
                            "!block/sdb/size\t\n"
                            "block/sdb/part/sdb1/dev\t8:17\n"
                            "block/nvme0n1/dev\t259:0\n"
                            "block/nvme0n1/queue/rotational\t0\n"
                            "block/md2/dev\t9:2\n"
                            "block/md2/md/level\traid1\n"
                            "block/md2/slaves/sda1\t\n"
                            "block/md2/slaves/sdb1\t\n"
                            "block/dm-0/dev\t253:0\n"
                            "block/dm-0/dm/name\tvg0--x-lv_root\n"
                            "block/dm-0/slaves/md2\t\n"
                            "block/bcache0/dev\t252:0\n"
                            "block/bcache0/bcache/cache_mode\twritethrough [writeback] none\n"
                            "block/bcache0/bcache/state\tdirty\n"
                            "block/bcache0/slaves/sdb\t\n"
                            "block/bcache0/slaves/nvme0n1\t\n"
                            "block/loop0/dev\t7:0\n"
                            "block/loop0/loop/backing_file\t/srv/disk image\n"
                            "block/dm-9/dev\t253:9\n"
                            "block/dm-9/dm/name\tlost\n"
                            "block/dm-9/slaves/sdz\t\n"
                            "btrfs/u-1/devices/sda1\t\n"
                            "btrfs/u-1/devices/nvme0n1\t\n"
                            "btrfs/u-1/exclusive_operation\tbalance\n"
                            "nonsense\nblock/\tx\n\n";

static const char mounts_text[] = "1 0 253:0 / / rw - ext4 /dev/mapper/vg0--x-lv_root rw\n"
                                  "2 1 0:30 / /b rw - btrfs /dev/sda1 rw\n"
                                  "3 1 252:0 / /c rw - xfs /dev/bcache0 rw\n"
                                  "4 1 7:0 / /l rw - ext4 /dev/loop0 rw\n"
                                  "5 1 253:9 / /lost rw - ext4 /dev/mapper/lost rw\n"
                                  "6 1 0:31 / /z rw - zfs tank/data rw\n"
                                  "7 1 0:32 / /v rw - btrfs /dev/vg0-x/lv_root rw\n"
                                  "8 1 9:99 / /r rw - ext4 /dev/sda1 rw\n";

static const char *stack_of(const char *point, const char **gap) {
    struct ng_blocks blocks = {0};
    struct ng_mounts mounts;
    struct ng_stack stack;
    ng_blocks_parse(&blocks, &arena, files, strlen(files));
    ng_mounts_parse(&mounts, &arena, mounts_text, strlen(mounts_text));
    ng_blocks_stack(&blocks, &mounts, ng_mounts_find(&mounts, point), &arena, &stack);
    const char *text = "";
    for (size_t i = 0; i < stack.count; i++) {
        text = ng_arena_printf(&arena, "%s%s%s", text, i == 0 ? "" : " ", stack.items[i]->name);
    }
    *gap = stack.gap;
    return text;
}

static void stacks(void **state) {
    (void)state;
    static const struct {
        const char *point, *stack;
        bool gap;
    } rows[] = {
        {"/", "dm-0 md2 sda1 sdb1 sda sdb", false}, {"/b", "sda1 nvme0n1 sda", false},
        {"/c", "bcache0 sdb nvme0n1", false}, {"/l", "loop0 dm-0 md2 sda1 sdb1 sda sdb", false},
        {"/lost", "dm-9", true}, {"/z", "", true},
        {"/v", "dm-0 md2 sda1 sdb1 sda sdb", false}, /* the other spelling of a volume */
        {"/r", "", true}, /* a number that no device has is not guessed by name */
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const char *gap = NULL;
        const char *found = stack_of(rows[i].point, &gap);
        if (strcmp(found, rows[i].stack) != 0 || (gap != NULL) != rows[i].gap) {
            fail_msg("%s: \"%s\", gap %s", rows[i].point, found, gap == NULL ? "none" : gap);
        }
    }
}

static void values(void **state) {
    (void)state;
    struct ng_blocks blocks = {0};
    ng_blocks_parse(&blocks, &arena, files, strlen(files));
    const struct ng_block *sda = ng_blocks_find(&blocks, "sda");
    assert_true(sda->size == 1048576 && sda->numbered);
    assert_int_equal(sda->rotational, NG_ANSWER_YES);
    assert_string_equal(sda->write_cache, "write back");
    const struct ng_block *sdb = ng_blocks_find(&blocks, "sdb");
    assert_true(sdb->size == -1);
    assert_int_equal(sdb->rotational, NG_ANSWER_UNKNOWN);
    assert_null(sdb->write_cache);
    assert_string_equal(ng_blocks_find(&blocks, "sdb1")->disk, "sdb");
    assert_string_equal(blocks.works[0].operation, "balance");
    assert_null(ng_blocks_find(&blocks, "sdx"));
}

/* Rings and very deep stacks end. */
static void rings(void **state) {
    (void)state;
    struct ng_buf text;
    ng_buf_init(&text, 1 << 20);
    ng_buf_adds(&text, "block/a/dev\t1:1\nblock/a/slaves/b\t\nblock/b/slaves/a\t\n");
    for (int i = 0; i < NG_STACK_MAX + 50; i++) {
        ng_buf_addf(
            &text, "block/deep%d/dev\t2:%d\nblock/deep%d/slaves/deep%d\t\n", i, i, i, i + 1);
    }
    struct ng_blocks blocks = {0};
    struct ng_mounts mounts = {0};
    struct ng_stack stack;
    ng_blocks_parse(&blocks, &arena, ng_buf_text(&text), text.len);
    ng_buf_release(&text);
    struct ng_mount ring = {.major = 1, .minor = 1, .type = "ext4", .source = "x"};
    ng_blocks_stack(&blocks, &mounts, &ring, &arena, &stack);
    assert_int_equal(stack.count, 2);
    struct ng_mount deep = {.major = 2, .minor = 0, .type = "ext4", .source = "x"};
    ng_blocks_stack(&blocks, &mounts, &deep, &arena, &stack);
    assert_int_equal(stack.count, NG_STACK_MAX);
    assert_non_null(stack.gap);
}

/* A list that is cut leaves a gap in every stack: what was dropped may lie in it. */
static void too_many(void **state) {
    (void)state;
    static const struct {
        const char *line; /* with the number of the item */
        int count;
        const char *cut;
    } rows[] = {
        {"block/md0/slaves/d%d\t\n", NG_SLAVES_MAX, "directly below md0"},
        {"btrfs/u/devices/d%d\t\n", NG_BLOCKS_MAX, "devices of btrfs"},
        {"btrfs/u%d/exclusive_operation\tnone\n", NG_BTRFS_MAX, "more btrfs"},
    };
    struct ng_mounts mounts = {0};
    struct ng_mount mount = {.major = 8, .minor = 1, .type = "ext4", .source = "x"};
    struct ng_stack stack;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        for (int more = 0; more < 2; more++) {
            struct ng_buf text;
            struct ng_blocks blocks = {0};
            ng_buf_init(&text, 4 << 20);
            for (int j = 0; j < rows[i].count + more; j++) {
                const char *number = strchr(rows[i].line, '%');
                ng_buf_add(&text, rows[i].line, (size_t)(number - rows[i].line));
                ng_buf_addf(&text, "%d%s", j, number + 2);
            }
            ng_blocks_parse(&blocks, &arena, ng_buf_text(&text), text.len);
            ng_buf_release(&text);
            ng_blocks_stack(&blocks, &mounts, &mount, &arena, &stack);
            assert_int_equal(blocks.cut != NULL, more);
            if (more == 1) {
                assert_non_null(strstr(blocks.cut, rows[i].cut));
                assert_ptr_equal(stack.gap, blocks.cut);
            }
        }
    }
}

static void too_many_blocks(void **state) {
    (void)state;
    static const char line[] = "block/new/size\t1\n";
    struct ng_blocks blocks = {.count = NG_BLOCKS_MAX - 1, .capacity = NG_BLOCKS_MAX};
    blocks.items = ng_arena_array(&arena, NG_BLOCKS_MAX, sizeof *blocks.items);
    for (size_t i = 0; i < blocks.count; i++) {
        blocks.items[i].name = "x";
    }
    ng_blocks_parse(&blocks, &arena, line, strlen(line));
    assert_int_equal(blocks.count, NG_BLOCKS_MAX);
    assert_null(blocks.cut);
    ng_blocks_parse(&blocks, &arena, "block/more/size\t1\n", 18);
    assert_int_equal(blocks.count, NG_BLOCKS_MAX);
    assert_non_null(strstr(blocks.cut, "block devices"));
}

static void a_target_without_end(void **state) {
    (void)state;
    struct ng_buf text;
    struct ng_blocks blocks = {0};
    ng_buf_init(&text, 1 << 20);
    ng_buf_adds(&text, "c: 0 9 cache x\n");
    for (int i = 0; i <= NG_TARGET_TEXT_MAX / 10; i++) {
        ng_buf_adds(&text, "\tsome words\n");
    }
    ng_dm_parse(&blocks, &arena, ng_buf_text(&text), text.len, false);
    ng_buf_release(&text);
    assert_true(strlen(blocks.targets[0].table) < NG_TARGET_TEXT_MAX);
    assert_non_null(blocks.cut);
}

static void device_mapper(void **state) {
    (void)state;
    static const char table[] = "sys-rootfs: 0 1024 linear 8:1 2048\n"
                                "sys-rootfs: 1024 1024 linear 8:17 0\n"
                                "cachedev_0: 0 7 flashcache-syno conf:\n"
                                "\tssd dev (none), disk dev (/dev/vg1/volume_1) cache mode(DUMMY)\n"
                                "\tcapacity(0M): associativity(0)\n"
                                "vg-fast: 0 99 cache 253:1 253:2 253:3 128 1 writeback smq 0\n"
                                "No devices found\n";
    static const char status[] = "sys-rootfs: 0 1024 linear \n"
                                 "vg-fast: 0 99 cache 8 1/2 128 3/4 1 2 3 4 5 6 7 1 writeback 2\n"
                                 "new: 0 5 zero\n";
    struct ng_blocks blocks = {0};
    ng_dm_parse(&blocks, &arena, table, strlen(table), false);
    assert_int_equal(blocks.target_count, 4);
    assert_string_equal(blocks.targets[2].target, "flashcache-syno");
    assert_non_null(strstr(blocks.targets[2].table, "cache mode(DUMMY)"));
    assert_non_null(strstr(blocks.targets[2].table, "capacity(0M)"));
    ng_dm_parse(&blocks, &arena, status, strlen(status), true);
    assert_int_equal(blocks.target_count, 5);
    assert_non_null(blocks.targets[0].status);
    assert_null(blocks.targets[1].status);
    assert_non_null(strstr(blocks.targets[3].status, "writeback"));
    assert_string_equal(blocks.targets[4].device, "new");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stacks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_many, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_many_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_target_without_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(device_mapper, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
