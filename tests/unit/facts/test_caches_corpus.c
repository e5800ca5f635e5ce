/* Recorded outputs of dmsetup and sysfs: what must be concluded from each. Skipped where they are
 * absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/files.h"
#include "runner/facts/cache.h"
#include "runner/facts/collect.h"
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
#define F(name, text) "\nt B " name "\n" text "\nt E " name " 0\n"
#define END "\nt Z end\n"
#define NO NG_ANSWER_NO
#define YES NG_ANSWER_YES

static const struct ng_facts *facts_of(const char *frames) {
    return ng_facts_parse(&arena, "nas", "t", frames, strlen(frames));
}

static struct ng_cache_layer layer_of(const struct ng_facts *facts, const char *device) {
    struct ng_cache_layer layer;
    const struct ng_block *block = ng_blocks_find(&facts->blocks, device);
    assert_non_null(block);
    ng_cache_of_block(facts, block, &arena, &layer);
    assert_true((layer.mode == NG_CACHE_UNKNOWN) == (layer.why != NULL));
    return layer;
}

static const struct ng_array *array_of(const struct ng_facts *facts, const char *name) {
    for (size_t i = 0; i < facts->arrays.count; i++) {
        if (strcmp(facts->arrays.items[i].name, name) == 0) {
            return &facts->arrays.items[i];
        }
    }
    return NULL;
}

static const char *gap_of(const struct ng_facts *facts) {
    for (size_t i = 0; i < facts->arrays.gap_count; i++) {
        if (strstr(facts->arrays.gaps[i].kind, "device mapper") != NULL) {
            return facts->arrays.gaps[i].why;
        }
    }
    return NULL;
}

static const char *folder(void) {
    const char *given = getenv("NASGATE_RECORDINGS");
    return given != NULL ? given : "../shared/recordings";
}

static const char *load(const char *file) {
    char *text = NULL;
    size_t len = 0;
    if (access(folder(), R_OK) != 0) {
        print_message("no recordings in %s: skipped\n", folder());
        skip();
    }
    if (!ng_file_read(
            ng_arena_printf(&arena, "%s/%s", folder(), file), 1 << 20, &text, &len, NULL)) {
        fail_msg("cannot read %s", file);
    }
    char *copy = ng_arena_strndup(&arena, text, len);
    free(text);
    return copy;
}

static const struct ng_facts *facts_of_status(const char *file) {
    return facts_of(ng_arena_printf(
        &arena, "%s\nt B dmstatus\n%s\nt E dmstatus 0\n%s", F("block", ""), load(file), END));
}

static void recorded_status(void **state) {
    (void)state;
    static const struct {
        const char *file, *name;
        enum ng_answer busy, degraded;
        double percent;
    } rows[] = {
        {"dmsetup/mirror-disklog.txt", "vg-testmirror", NO, NO, -1},
        {"dmsetup/raid1-idle.txt", "vg-SWAP", NO, NO, -1},
        {"dmsetup/raid1-idle.txt", "vg-root", NO, NO, -1},
        {"dmsetup/raid1-idle.txt", "vg-testraid", NO, NO, -1},
        {"dmsetup/raid-and-mirror-mix.txt", "vg-raid1", NO, NO, -1},
        {"dmsetup/raid-and-mirror-mix.txt", "vg-raid5", NO, NO, -1},
        {"dmsetup/raid-and-mirror-mix.txt", "vg-raid6", NO, NO, -1},
        {"dmsetup/raid-and-mirror-mix.txt", "vg-mirror--mirrorlog--core", NO, NO, -1},
        {"dmsetup/raid-and-mirror-mix.txt", "vg-mirror--mirrorlog--disk", YES, NO, 35.6},
        {"dmsetup/raid-and-mirror-mix.txt", "vg-mirror--mirrorlog--mirrored", YES, NO, 64.8},
        {"dmsetup/raid-and-mirror-mix.txt", "vg-mirror--mirrorlog--mirrored_mlog", NO, NO, -1},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_facts *facts = facts_of_status(rows[i].file);
        const struct ng_array *array = array_of(facts, rows[i].name);
        assert_non_null(array);
        bool far = array->percent > rows[i].percent + 0.1 || array->percent < rows[i].percent - 0.1;
        if (array->busy != rows[i].busy || array->degraded != rows[i].degraded || far) {
            fail_msg("%s %s: busy %d, degraded %d, %.2f", rows[i].file, rows[i].name, array->busy,
                array->degraded, array->percent);
        }
    }
    const struct ng_facts *facts = facts_of_status("dmsetup/linear-only.txt");
    assert_int_equal(facts->arrays.count, 0);
    assert_int_equal(facts->blocks.target_count, 3);
}

/* Lines "/sys/block/..." or "/sys/fs/bcache/..." as the collector prints them. */
static const char *sysfs(const char *file, const char *prefix, const char *instead) {
    char *text = ng_arena_strdup(&arena, load(file));
    const char *out = "";
    for (char *save = NULL, *line = strtok_r(text, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        if (strncmp(line, prefix, strlen(prefix)) == 0) {
            out = ng_arena_printf(&arena, "%s%s%s\n", out, instead, line + strlen(prefix));
        }
    }
    return out;
}

static void recorded_bcache(void **state) {
    (void)state;
    const char *why = NULL;
    struct ng_bcache bcache = {0};
    const char *lines = sysfs("sysfs/bcache-devices.tsv", "/sys/block/", "block/");
    ng_bcache_parse(&bcache, &arena, lines, strlen(lines));
    const struct ng_bcache_device *sdb = ng_bcache_find(&bcache, "sdb");
    assert_non_null(sdb);
    assert_true(sdb->dirty == 0 && sdb->debug_dirty > INT64_C(20) << 30);
    assert_true(ng_bcache_dirty(sdb, &arena, &why) == -1); /* contradictory: unknown, not none */
    assert_non_null(strstr(why, "writeback_rate_debug"));
    assert_true(sdb->hits == 546 && sdb->misses == 0 && sdb->mode == NULL);
    bcache = (struct ng_bcache){0};
    lines = sysfs("sysfs/bcache-set-with-bdev.tsv", "/sys/fs/bcache/", "bcache/");
    ng_bcache_parse(&bcache, &arena, lines, strlen(lines));
    assert_int_equal(bcache.set_count, 1);
    assert_int_equal(bcache.sets[0].count, 2);
    assert_true(
        bcache.sets[0].members[1].io_errors == 0 || bcache.sets[0].members[0].io_errors == 0);
    const struct ng_bcache_device *bdev =
        ng_bcache_find(&bcache, "deaddd54-c735-46d5-868e-f331c5fd7c74/bdev0");
    assert_non_null(bdev);
    assert_true(bdev->hits == 546 && bdev->misses == 0);
    assert_true(ng_bcache_dirty(bdev, &arena, &why) == -1);
    assert_true(bdev->mode == NULL && bdev->state == NULL);
    bcache = (struct ng_bcache){0};
    lines = sysfs("sysfs/bcache-set.tsv", "/sys/fs/bcache/", "bcache/");
    ng_bcache_parse(&bcache, &arena, lines, strlen(lines));
    assert_int_equal(bcache.set_count, 1);
    assert_int_equal(bcache.count, 0); /* no backing device, no mode: unknown */
}

static void recorded_chains(void **state) {
    (void)state;
    struct ng_blocks blocks = {0};
    struct ng_mounts mounts = {0};
    struct ng_stack stack;
    const char *lines = sysfs("sysfs/dm-multipath-and-lvm.tsv", "/sys/block/", "block/");
    lines = ng_arena_printf(&arena, "%sblock/dm-5/dev\t253:5\nblock/dm-7/dev\t253:7\n", lines);
    char *text = ng_arena_strdup(&arena, lines);
    for (char *slash; (slash = strstr(text, "/\t")) != NULL;) { /* how the file shows folders */
        memmove(slash, slash + 1, strlen(slash));
    }
    ng_blocks_parse(&blocks, &arena, text, strlen(text));
    const struct ng_block *path = ng_blocks_of_path(&blocks, "/dev/mapper/mpathA");
    assert_non_null(path);
    assert_string_equal(path->name, "dm-5");
    assert_int_equal(path->slave_count, 4);
    assert_true(path->size == INT64_C(104857600) * 512);
    assert_string_equal(ng_blocks_of_path(&blocks, "/dev/vg0/root")->name, "dm-7");
    struct ng_mount mount = {.major = 253, .minor = 7, .type = "xfs", .source = "/dev/vg0/root"};
    ng_blocks_stack(&blocks, &mounts, &mount, &arena, &stack);
    assert_int_equal(stack.count, 1);
    /* its slaves were not recorded: what lies below is not known */
    const struct ng_facts *facts =
        facts_of(ng_arena_printf(&arena, "\nt B block\n%s\nt E block 0\n%s", text, END));
    assert_int_equal(layer_of(facts, "dm-7").mode, NG_CACHE_UNKNOWN);
    assert_non_null(gap_of(facts));
    lines = sysfs("sysfs/dm-0-lvm.tsv", "/sys/block/", "block/");
    blocks = (struct ng_blocks){0};
    ng_blocks_parse(&blocks, &arena, lines, strlen(lines));
    const char *group = NULL, *volume = NULL;
    assert_string_equal(blocks.items[0].dm_name, "vg0--lv_root");
    assert_false(ng_dm_volume(&arena, blocks.items[0].dm_name, &group, &volume));
    assert_true(ng_dm_is_lvm(&blocks.items[0]));
    assert_string_equal(ng_dm_label(&arena, &blocks.items[0], "vg0--lv_root"), "vg0--lv_root");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(recorded_status),
        TEST(recorded_bcache),
        TEST(recorded_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
