/* Which arrays a place depends on: through every layer, and where the way is not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "runner/facts/arrays_share.h"
#include "runner/facts/collect.h"

#define F(name, text) "\nt B " name "\n" text "\nt E " name " 0\n"
#define END "\nt Z end\n"
#define U NG_ANSWER_UNKNOWN
#define NO NG_ANSWER_NO
#define YES NG_ANSWER_YES

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

/* sda and sdb hold md0 and md2; sdc and sdd hold md3; sde holds a btrfs; vg1-data lies on md2,
 * vg2-data on md2 and md3. */
#define DISKS                                                                                      \
    "block/sda/dev\t8:0\nblock/sda/part/sda1/dev\t8:1\nblock/sda/part/sda3/dev\t8:3\n"             \
    "block/sdb/dev\t8:16\nblock/sdb/part/sdb1/dev\t8:17\nblock/sdb/part/sdb3/dev\t8:19\n"          \
    "block/sdc/dev\t8:32\nblock/sdd/dev\t8:48\nblock/sde/dev\t8:64\n"                              \
    "block/sde/part/sde1/dev\t8:65\n"                                                              \
    "block/md0/dev\t9:0\nblock/md0/slaves/sda1\t\nblock/md0/slaves/sdb1\t\n"                       \
    "block/md2/dev\t9:2\nblock/md2/slaves/sda3\t\nblock/md2/slaves/sdb3\t\n"                       \
    "block/md3/dev\t9:3\nblock/md3/slaves/sdc\t\nblock/md3/slaves/sdd\t\n"                         \
    "block/dm-0/dev\t253:0\nblock/dm-0/dm/name\tvg1-data\nblock/dm-0/slaves/md2\t\n"               \
    "block/dm-1/dev\t253:1\nblock/dm-1/dm/name\tvg2-data\nblock/dm-1/slaves/md2\t\n"               \
    "block/dm-1/slaves/md3\t\n"                                                                    \
    "block/loop0/dev\t7:0\nblock/loop0/loop/backing_file\t/b/image\n"                              \
    "btrfs/u-1/exclusive_operation\tnone\nbtrfs/u-1/devices/sde1\t\n"                              \
    "btrfs/u-2/exclusive_operation\tnone\nbtrfs/u-2/devices/dm-0\t\n"
#define MDSTAT                                                                                     \
    F("mdstat", "Personalities : \n"                                                               \
                "md0 : active raid1 sda1[0] sdb1[1]\n      9 blocks [2/2] [UU]\n"                  \
                "md2 : active raid1 sda3[0] sdb3[1]\n      9 blocks [2/2] [UU]\n"                  \
                "md3 : active raid1 sdc[0] sdd[1]\n      9 blocks [2/2] [UU]\n")
#define MOUNTS                                                                                     \
    F("mountinfo", "1 0 9:0 / / rw - ext4 /dev/md0 rw\n"                                           \
                   "2 1 253:1 / /two rw - xfs /dev/vg2/data rw\n"                                  \
                   "3 1 0:40 / /b rw - btrfs /dev/sde1 rw\n"                                       \
                   "4 1 0:41 / /c rw - btrfs /dev/vg1/data rw\n"                                   \
                   "5 1 7:0 / /image rw - ext4 /dev/loop0 rw\n"                                    \
                   "6 1 0:42 / /ram rw - tmpfs tmpfs rw\n"                                         \
                   "7 1 0:43 / /odd rw - fuse.shfs shfs rw\n"                                      \
                   "8 1 8:80 / /new rw - ext4 /dev/sdf rw\n"                                       \
                   "9 1 0:44 / /pool rw - zfs none/data rw\n")
#define UNIT F("uname", "Linux 6.1 x86_64\n") F("block", DISKS) MDSTAT MOUNTS

struct row {
    const char *path, *array;
    enum ng_answer disks, holds;
};

static const struct row rows[] = {
    {"/", "md0", YES, YES},
    {"/", "md2", YES, NO}, /* other partitions of the same disks */
    {"/", "md3", NO, NO},
    {"/", "u-1", NO, NO},
    {"/", "u-2", YES, NO},
    {"/two/deep", "md0", YES, NO},
    {"/two/deep", "md2", YES, YES},
    {"/two/deep", "md3", YES, YES},
    {"/two/deep", "u-1", NO, NO},
    {"/b", "u-1", YES, YES},
    {"/b", "md0", NO, NO},
    {"/b", "md3", NO, NO},
    {"/c", "u-2", YES, YES},
    {"/c", "md2", YES, YES},
    {"/c", "md0", YES, NO},
    {"/c", "md3", NO, NO},
    {"/image", "u-1", YES, YES}, /* an image on the btrfs */
    {"/image", "md3", NO, NO},
    {"/ram", "md0", NO, NO},
    {"/odd", "md0", U, U},
    {"/odd", "u-1", U, U},
    {"/new", "md0", U, U}, /* a device that sysfs does not show */
    {"/pool", "md3", U, U},
};

static size_t index_of(const struct ng_facts *facts, const char *name) {
    for (size_t i = 0; i < facts->arrays.count; i++) {
        if (strcmp(facts->arrays.items[i].name, name) == 0) {
            return i;
        }
    }
    fail_msg("no array %s", name);
    return 0;
}

static void check(
    const struct ng_facts *facts, const struct ng_share *share, const struct row *row) {
    const struct ng_array_share *found = &share->items[index_of(facts, row->array)];
    if (found->disks != row->disks || found->holds != row->holds) {
        fail_msg("%s and %s: disks %s, holds %s (%s)", row->path, row->array,
            ng_answer_word(found->disks), ng_answer_word(found->holds),
            share->gap == NULL ? "" : share->gap);
    }
    bool unknown = found->disks == U || found->holds == U;
    assert_true(!unknown || share->gap != NULL);
}

static void paths(void **state) {
    (void)state;
    static const char frames[] = UNIT END;
    const struct ng_facts *facts = ng_facts_parse(&arena, "nas", "t", frames, sizeof frames - 1);
    assert_int_equal(facts->arrays.count, 5);
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_share share;
        ng_arrays_share_path(facts, rows[i].path, &arena, &share);
        check(facts, &share, &rows[i]);
    }
}

static void arrays(void **state) {
    (void)state;
    static const char frames[] = UNIT END;
    static const struct row named[] = {
        {"md2", "md0", YES, NO},
        {"md2", "md2", YES, YES},
        {"md2", "md3", NO, NO},
        {"md3", "md0", NO, NO},
        {"u-1", "u-1", YES, YES},
        {"u-1", "md0", NO, NO},
        {"md9", "md0", U, U},
    };
    const struct ng_facts *facts = ng_facts_parse(&arena, "nas", "t", frames, sizeof frames - 1);
    for (size_t i = 0; i < NG_COUNT(named); i++) {
        struct ng_share share;
        ng_arrays_share_array(facts, named[i].path, &arena, &share);
        check(facts, &share, &named[i]);
    }
}

/* Where the mounts or the block devices were not seen, nothing is excluded. */
static void unseen(void **state) {
    (void)state;
    static const char no_blocks[] = MDSTAT MOUNTS END;
    static const char no_mounts[] = MDSTAT F("block", DISKS) END;
    static const char *const frames[] = {no_blocks, no_mounts};
    for (size_t i = 0; i < NG_COUNT(frames); i++) {
        struct ng_share share;
        const struct ng_facts *facts =
            ng_facts_parse(&arena, "nas", "t", frames[i], strlen(frames[i]));
        ng_arrays_share_path(facts, "/two", &arena, &share);
        assert_non_null(share.gap);
        for (size_t j = 0; j < facts->arrays.count; j++) {
            assert_int_equal(share.items[j].disks, U);
        }
    }
}

/* A new ext4 is written by one thread for all of them; the processes tell of it. */
static void new_ext4(void **state) {
    (void)state;
    static const char busy[] = UNIT F("tasks",
        "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 2 0 0 20 0 1 0 3 0 0\n"
        "9 (ext4lazyinit) S 2 0 0 0 -1 2129984 0 0 0 0 0 2 0 0 20 0 1 0 3 0 0\n") END;
    const struct ng_facts *facts = ng_facts_parse(&arena, "nas", "t", busy, sizeof busy - 1);
    const size_t at = index_of(facts, "ext4");
    const struct ng_array *array = &facts->arrays.items[at];
    assert_int_equal(array->busy, YES);
    assert_string_equal(array->action, "initialization");
    assert_int_equal(array->device_count, 2); /* md0 and loop0 */
    struct ng_share share;
    ng_arrays_share_path(facts, "/two", &arena, &share);
    assert_int_equal(share.items[at].disks, YES); /* md2 is on the disks of md0 */
    static const char idle[] = UNIT END;
    facts = ng_facts_parse(&arena, "nas", "t", idle, sizeof idle - 1);
    for (size_t i = 0; i < facts->arrays.count; i++) {
        assert_string_not_equal(facts->arrays.items[i].kind, "ext4");
    }
}

static void hidden_by_a_controller(void **state) {
    (void)state;
    static const struct {
        const char *vendor, *model;
        bool hidden;
    } disks[] = {
        {"DELL    ", "PERC H730P Mini ", true}, {"HP      ", "LOGICAL VOLUME  ", true},
        {"AVAGO   ", "MR9361-8i       ", true}, {"Areca   ", "ARC-1883-VOL#00 ", true},
        {"ATA     ", "WDC WD40EFRX-68W", false},
        {"HP      ", "EG0600FBVFP     ", false}, /* a disk of its own, as it comes */
        {"LSI     ", "SAS2X36         ", false}, /* an enclosure */
    };
    for (size_t i = 0; i < NG_COUNT(disks); i++) {
        const char *frames = ng_arena_printf(&arena,
            "\nt B block\nblock/sda/dev\t8:0\nt E block 0\n"
            "\nt B layers\nblock/sda/device/vendor\t%s\nblock/sda/device/model\t%s\nt E layers 0\n"
            "\nt Z end\n",
            disks[i].vendor, disks[i].model);
        const struct ng_facts *facts = ng_facts_parse(&arena, "nas", "t", frames, strlen(frames));
        bool hidden = facts->arrays.count == 1;
        if (hidden != disks[i].hidden) {
            fail_msg("%s %s", disks[i].vendor, disks[i].model);
        }
        if (hidden) {
            assert_int_equal(facts->arrays.items[0].busy, U);
            assert_int_equal(facts->arrays.items[0].degraded, U);
            assert_non_null(strstr(facts->arrays.items[0].busy_why, "only to its own tool"));
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(paths),
        TEST(arrays),
        TEST(unseen),
        TEST(new_ext4),
        TEST(hidden_by_a_controller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
