/* Recorded outputs of ZFS and btrfs: what must be concluded from each. Skipped where they are
 * absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/buf.h"
#include "runner/base/files.h"
#include "runner/facts/arrays.h"
#include "runner/facts/collect.h"
#include "runner/facts/facts.h"
#include "runner/facts/scan.h"

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

static const char *load(const char *file) {
    const char *given = getenv("NASGATE_RECORDINGS");
    const char *folder = given != NULL ? given : "../shared/recordings";
    char *text = NULL;
    size_t len = 0;
    if (access(folder, R_OK) != 0) {
        print_message("no recordings in %s: skipped\n", folder);
        skip();
    }
    if (!ng_file_read(ng_arena_printf(&arena, "%s/%s", folder, file), 1 << 20, &text, &len, NULL)) {
        fail_msg("cannot read %s", file);
    }
    const char *copy = ng_arena_strndup(&arena, text, len);
    free(text);
    return copy;
}

static struct ng_array judged(const char *file, struct ng_zpools *pools) {
    struct ng_array array = {.busy_why = "", .degraded_why = "", .trace = "", .seen = ""};
    const char *text = load(ng_arena_printf(&arena, "zpool/%s", file));
    *pools = (struct ng_zpools){0};
    ng_zpools_parse(pools, &arena, text, strlen(text));
    assert_int_equal(pools->count, 1);
    assert_string_equal(pools->items[0].name, "tank");
    ng_zpool_judge(&pools->items[0], &arena, &array);
    return array;
}

static void zpool_status_files(void **state) {
    (void)state;
    struct ng_zpools pools;
    struct ng_array array = judged("status-scrub-none-unavail.txt", &pools);
    assert_int_equal(array.busy, NO);
    assert_int_equal(array.degraded, YES);
    assert_non_null(strstr(array.degraded_why, "c1t1d0 is UNAVAIL, cannot open"));
    assert_string_equal(pools.items[0].errors, "No known data errors");
    assert_string_equal(array.level, "mirror");

    /* columns behind CKSUM, and no line that tells the pool's state or its scans */
    array = judged("status-extra-columns.txt", &pools);
    assert_int_equal(array.busy, U);
    assert_int_equal(array.degraded, U);
    assert_int_equal(pools.items[0].vdev_count, 8);
    for (size_t i = 0; i < pools.items[0].vdev_count; i++) {
        assert_string_equal(pools.items[0].vdevs[i].state, "ONLINE");
        assert_false(pools.items[0].vdevs[i].erred);
    }

    array = judged("status-json.json", &pools);
    assert_int_equal(array.busy, U);
    assert_int_equal(array.degraded, NO);
    assert_string_equal(pools.items[0].state, "ONLINE");
    assert_string_equal(pools.items[0].errors, "No known data errors");
    assert_string_equal(array.level, "raidz1");
    size_t counts[NG_ZPOOL_DEDUP + 1] = {0};
    for (size_t i = 0; i < pools.items[0].vdev_count; i++) {
        const struct ng_zpool_vdev *vdev = &pools.items[0].vdevs[i];
        counts[vdev->class] += !vdev->group;
        assert_string_equal(vdev->state, "ONLINE");
    }
    assert_int_equal(counts[NG_ZPOOL_DATA], 3);
    assert_int_equal(counts[NG_ZPOOL_DEDUP], 2);
    assert_int_equal(counts[NG_ZPOOL_SPECIAL], 1);
    assert_int_equal(counts[NG_ZPOOL_CACHE] + counts[NG_ZPOOL_LOG], 0);
}

static const struct ng_facts *facts_of(const char *frames) {
    return ng_facts_parse(&arena, "nas", "t", frames, strlen(frames));
}

static void zpool_kstat_file(void **state) {
    (void)state;
    const struct ng_facts *facts = facts_of(ng_arena_printf(&arena,
        "\nt A zpool.status 0\n\nt B zfs.states\npool2\t%s\nt E "
        "zfs.states 0\n\nt Z end\n",
        load("zpool/kstat-state-suspended.txt")));
    const struct ng_array *array = &facts->arrays.items[0];
    assert_string_equal(array->name, "pool2");
    assert_int_equal(array->degraded, YES);
    assert_int_equal(array->busy, U);
    assert_non_null(strstr(array->degraded_why, "hangs"));
}

/* The lines of a recorded tree in the collector's spelling. */
static void add_lines(struct ng_buf *out, const char *uuid, const char *text) {
    static const char *const profiles[] = {"data", "metadata"};
    const char *root = ng_arena_printf(&arena, "/sys/fs/btrfs/%s/", uuid);
    struct ng_span rest = ng_span(text, strlen(text)), line;
    while (ng_span_line(&rest, &line)) {
        struct ng_span value = ng_span_after(line, root);
        struct ng_span path = ng_span_until(&value, '\t');
        struct ng_span device = ng_span_after(path, "devices/");
        if (device.at == path.at + 8) {
            struct ng_span name = ng_span_until(&device, '/');
            ng_buf_addf(out, "btrfs/%s/devices/%.*s\t\n", uuid, (int)name.len, name.at);
        }
        for (size_t i = 0; i < NG_COUNT(profiles); i++) {
            const char *prefix = ng_arena_printf(&arena, "allocation/%s/raid", profiles[i]);
            struct ng_span profile = ng_span_after(path, prefix);
            if (profile.at != NULL && ng_span_after(profile, "/total_bytes").at != NULL) {
                struct ng_span number = ng_span_until(&profile, '/');
                ng_buf_addf(
                    out, "btrfs/%s/%s/raid%.*s\t\n", uuid, profiles[i], (int)number.len, number.at);
            }
        }
    }
}

static void btrfs_files(void **state) {
    (void)state;
    static const struct {
        const char *file, *uuid, *level, *metadata, *devices;
        bool parity;
    } rows[] = {
        {"sysfs-raid0-data-raid1-meta.tsv", "0abb23a9-579b-43e6-ad30-227ef47fcb9d", "raid0",
            "raid1", "loop25 loop26", false},
        {"sysfs-raid5-data-raid6-meta.tsv", "7f07c59f-6136-449c-ab87-e1cf2328731b", "raid5",
            "raid6", "loop22 loop23 loop24 loop25", true},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const char *files = load(ng_arena_printf(&arena, "btrfs/%s", rows[i].file));
        struct ng_buf text;
        ng_buf_init(&text, 1 << 20);
        ng_buf_adds(&text, "\nt B mountinfo\n\nt E mountinfo 0\n\nt B block\n");
        add_lines(&text, rows[i].uuid, files);
        ng_buf_adds(&text, "\nt E block 0\n\nt Z end\n");
        const struct ng_facts *facts = facts_of(ng_buf_text(&text));
        ng_buf_release(&text);
        const struct ng_array *array = &facts->arrays.items[0];
        assert_string_equal(array->name, rows[i].uuid);
        assert_string_equal(array->level, rows[i].level);
        assert_string_equal(facts->blocks.works[0].metadata, rows[i].metadata);
        assert_int_equal(array->warning != NULL, rows[i].parity);
        const char *devices = "";
        for (size_t j = 0; j < array->device_count; j++) {
            devices =
                ng_arena_printf(&arena, "%s%s%s", devices, j == 0 ? "" : " ", array->devices[j]);
        }
        assert_string_equal(devices, rows[i].devices);
        /* the file is absent: unknown, not "none" */
        assert_null(facts->blocks.works[0].operation);
        assert_int_equal(array->busy, U);
        assert_int_equal(array->degraded, U);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(zpool_status_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(zpool_kstat_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(btrfs_files, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
