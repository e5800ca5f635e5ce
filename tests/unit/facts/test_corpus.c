/* Recorded outputs of real machines: what must be concluded from each. Skipped where they are
 * absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "runner/base/buf.h"
#include "runner/base/files.h"
#include "runner/facts/block.h"
#include "runner/facts/mountinfo.h"
#include "runner/facts/netif.h"
#include "runner/facts/scan.h"
#include "tests/unit/facts/md.h"

#define U NG_ANSWER_UNKNOWN
#define NO NG_ANSWER_NO
#define YES NG_ANSWER_YES

static struct ng_arena arena;

static const char *folder(void) {
    const char *given = getenv("NASGATE_RECORDINGS");
    return given != NULL ? given : "../shared/recordings";
}

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

static char *load(const char *file, size_t *len) {
    char *text = NULL;
    if (access(folder(), R_OK) != 0) {
        print_message("no recordings in %s: skipped\n", folder());
        skip();
    }
    if (!ng_file_read(
            ng_arena_printf(&arena, "%s/%s", folder(), file), 1 << 20, &text, len, NULL)) {
        fail_msg("cannot read %s", file);
    }
    char *copy = ng_arena_strndup(&arena, text, *len);
    free(text);
    return copy;
}

/* What is expected of one array; the others of the file are clean and idle. */
struct expectation {
    const char *file;
    size_t arrays;
    const char *array; /* NULL: all are clean and idle */
    enum ng_answer busy, degraded;
    const char *action;
    double percent;
};

static const struct expectation mdstats[] = {
    {"check-and-delayed.txt", 2, "md1", YES, NO, "delayed", 0},
    {"check-and-delayed.txt", 2, "md0", YES, NO, "check", 6.4},
    {"faulty-flag-full-map.txt", 2, NULL, NO, NO, NULL, 0},
    {"imsm-container-listed-last.txt", 2, NULL, NO, NO, NULL, 0},
    {"imsm-container-md0.txt", 2, NULL, NO, NO, NULL, 0},
    {"imsm-with-trailing-junk.txt", 1, NULL, NO, NO, NULL, 0},
    {"linear-and-raid1.txt", 2, NULL, NO, NO, NULL, 0},
    {"map-says-degraded-counters-not.txt", 3, "md2", NO, YES, NULL, 0},
    {"map-says-degraded-counters-not.txt", 3, "md0", NO, YES, NULL, 0},
    {"map-says-degraded-counters-not.txt", 3, "md1", NO, NO, NULL, 0},
    {"raid0-loop-no-final-newline.txt", 1, NULL, NO, NO, NULL, 0},
    {"raid5-8disks-no-unused-line.txt", 1, NULL, NO, NO, NULL, 0},
    {"raid5-failed-member.txt", 1, "md0", NO, YES, NULL, 0},
    {"raid5-spare-between.txt", 1, NULL, NO, NO, NULL, 0},
    {"raid6-degraded-no-unused-line.txt", 1, "md0", NO, YES, NULL, 0},
    {"raid6-recovery-19.6.txt", 1, "md0", YES, YES, "recovery", 19.6},
    {"raid6-reshape-48.4.txt", 1, "md0", YES, YES, "reshape", 48.4},
    {"recovery-0.4-prompt-line.txt", 2, "md0", YES, YES, "recovery", 0.4},
    {"recovery-0.4-prompt-line.txt", 2, "md1", NO, NO, NULL, 0},
    {"seventeen-arrays.txt", 17, "md6", YES, YES, "recovery", 8.5},
    {"seventeen-arrays.txt", 17, "md8", YES, NO, "resync", 8.5},
    {"seventeen-arrays.txt", 17, "md201", YES, NO, "check", 5.7},
    {"seventeen-arrays.txt", 17, "md7", NO, YES, NULL, 0},
    {"seventeen-arrays.txt", 17, "md4", NO, YES, NULL, 0},
    {"seventeen-arrays.txt", 17, "md9", YES, NO, "delayed", 0},
    {"seventeen-arrays.txt", 17, "md11", YES, NO, "pending", 0},
    {"seventeen-arrays.txt", 17, "md219", NO, NO, NULL, 0},
    {"seventeen-arrays.txt", 17, "md10", NO, NO, NULL, 0},
    {"seventeen-arrays.txt", 17, "md12", NO, NO, NULL, 0},
    {"seventeen-arrays.txt", 17, "md126", NO, NO, NULL, 0},
    {"seventeen-arrays.txt", 17, "md00", NO, NO, NULL, 0},
    {"seventeen-arrays.txt", 17, "md101", NO, NO, NULL, 0},
    {"seventeen-arrays.txt", 17, "md120", NO, NO, NULL, 0},
    {"seventeen-arrays.txt", 17, "md3", NO, NO, NULL, 0},
    {"seventeen-arrays.txt", 17, "md127", NO, NO, NULL, 0},
    {"seventeen-arrays.txt", 17, "md0", NO, NO, NULL, 0},
    {"three-clean-arrays.txt", 3, NULL, NO, NO, NULL, 0},
    {"two-resyncs.txt", 3, "md2", YES, NO, "resync", 11.2},
    {"two-resyncs.txt", 3, "md1", YES, NO, "resync", 9.9},
    {"two-resyncs.txt", 3, "md0", NO, NO, NULL, 0},
    {"unindented-bitmap-before-progress.txt", 2, "md1", YES, YES, "recovery", 0.0},
    {"unindented-bitmap-before-progress.txt", 2, "md0", NO, YES, NULL, 0},
    {"unindented-bitmap-file.txt", 2, "md1", NO, YES, NULL, 0},
    {"unindented-bitmap-file.txt", 2, "md0", NO, YES, NULL, 0},
    {"unindented-recovery-delayed.txt", 2, "md1", YES, YES, "recovery", 0.0},
    {"unindented-recovery-delayed.txt", 2, "md0", YES, YES, "delayed", 0},
    {"unindented-recovery.txt", 2, "md1", YES, YES, "recovery", 0.0},
    {"unindented-recovery.txt", 2, "md0", NO, YES, NULL, 0},
    {"unindented-two-degraded.txt", 2, "md1", NO, YES, NULL, 0},
    {"unindented-two-degraded.txt", 2, "md0", NO, YES, NULL, 0},
    {"unindented-two-progress-lines.txt", 2, "md1", YES, YES, "several", 0.0},
    {"unindented-two-progress-lines.txt", 2, "md0", NO, YES, NULL, 0},
};

static struct ng_md judged(const char *file, enum ng_platform platform) {
    struct ng_md md;
    size_t len;
    const char *text = load(file, &len);
    ng_mdstat_parse(&md, &arena, text, len);
    ng_md_judge(&md, &arena, platform);
    return md;
}

static void check_array(const struct ng_md_array *array, const struct expectation *row) {
    const char *word = array->waiting != NULL  ? array->waiting
                       : array->action != NULL ? array->action
                                               : "several";
    bool action = row->action == NULL ? array->busy != YES : strcmp(word, row->action) == 0;
    double off = array->work_count > 0 ? array->works[0].percent - row->percent : 0;
    if (array->busy != row->busy || array->degraded != row->degraded || !action || off > 0.05 ||
        off < -0.05) {
        fail_msg("%s: %s busy %d degraded %d action %s (%s)", row->file, array->name,
            (int)array->busy, (int)array->degraded, array->action == NULL ? "-" : array->action,
            array->busy_why);
    }
}

static void mdstat_files(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(mdstats); i++) {
        const struct expectation *row = &mdstats[i];
        struct ng_md md =
            judged(ng_arena_printf(&arena, "mdstat/%s", row->file), NG_PLATFORM_LINUX);
        if (md.kind != NG_MD_LINUX || md.count != row->arrays) {
            fail_msg("%s: kind %d, %zu arrays", row->file, (int)md.kind, md.count);
        }
        for (size_t j = 0; j < md.count; j++) {
            if (row->array == NULL || strcmp(md.arrays[j].name, row->array) == 0) {
                check_array(&md.arrays[j], row);
            }
        }
        assert_true(row->array == NULL || md_find(&md, row->array) != NULL);
    }
}

static void mdstat_details(void **state) {
    (void)state;
    struct ng_md md = judged("mdstat/no-arrays-no-personalities.txt", NG_PLATFORM_LINUX);
    assert_int_equal(md.kind, NG_MD_NONE);
    md = judged("mdstat/no-arrays.txt", NG_PLATFORM_LINUX);
    assert_int_equal(md.kind, NG_MD_NONE);
    md = judged("mdstat/counters-and-map-disagree.txt", NG_PLATFORM_LINUX);
    const struct ng_md_array *array = md_find(&md, "md_d0");
    assert_int_equal(array->degraded, U);
    assert_int_not_equal(array->busy, YES);
    bool found = false;
    for (size_t i = 0; i < array->member_count; i++) {
        found = found || strcmp(array->members[i].name, "cciss/c0d0p1") == 0;
    }
    assert_true(found && array->member_count == 6);
    md = judged("mdstat/raid5-8disks-no-unused-line.txt", NG_PLATFORM_LINUX);
    assert_true(md.arrays[0].size_kib == INT64_C(95705752576));
    md = judged("mdstat/faulty-flag-full-map.txt", NG_PLATFORM_LINUX);
    assert_non_null(md_find(&md, "md1")->warning);
    assert_null(md_find(&md, "md0")->warning);
    md = judged("mdstat/seventeen-arrays.txt", NG_PLATFORM_LINUX);
    assert_true(md_find(&md, "md101")->read_only);
    assert_true(md_find(&md, "md11")->auto_read_only);
    assert_non_null(md_find(&md, "md9")->warning);
    assert_non_null(md_find(&md, "md11")->warning);
    md = judged("synology/mdstat-E-flag.txt", NG_PLATFORM_DSM);
    assert_int_equal(md.count, 3);
    assert_int_equal(md_find(&md, "md0")->degraded, YES);
    assert_int_equal(md_find(&md, "md0")->busy, NO);
    assert_int_equal(md_find(&md, "md1")->degraded, NO);
    assert_int_equal(md_find(&md, "md2")->degraded, NO);
    /* disks.ini is no mdstat: the rebuild state stays unknown */
    md = judged("unraid/disks.ini", NG_PLATFORM_UNRAID);
    assert_int_equal(md.kind, NG_MD_UNKNOWN);
}

/* Lines of a recorded sysfs tree below `prefix`, in the collector's spelling; `drop` is cut out. */
static const char *sysfs(
    const char *file, const char *prefix, const char *drop, const char *before) {
    size_t len;
    struct ng_buf out;
    const char *text = load(file, &len);
    struct ng_span rest = ng_span(text, len), line;
    ng_buf_init(&out, 1 << 20);
    while (ng_span_line(&rest, &line)) {
        struct ng_span tail = ng_span_after(line, prefix);
        if (tail.at == NULL || tail.at != line.at + strlen(prefix)) {
            continue;
        }
        struct ng_span cut = drop == NULL ? ng_span(NULL, 0) : ng_span_after(tail, drop);
        ng_buf_adds(&out, before);
        if (drop != NULL && cut.at != NULL) {
            ng_buf_add(&out, tail.at, (size_t)(cut.at - tail.at) - strlen(drop) + 1);
            ng_buf_add(&out, cut.at, cut.len);
        } else {
            ng_buf_add(&out, tail.at, tail.len);
        }
        ng_buf_addc(&out, '\n');
    }
    const char *lines = ng_arena_strdup(&arena, ng_buf_text(&out));
    ng_buf_release(&out);
    return lines;
}

static void md_sysfs_files(void **state) {
    (void)state;
    static const struct {
        const char *file;
        enum ng_answer busy, degraded;
    } rows[] = {
        {"md-raid0.tsv", NO, NO},
        {"md-raid1-clean.tsv", NO, NO},
        {"md-raid10-clean.tsv", NO, NO},
        {"md-raid4-clean.tsv", NO, NO},
        {"md-raid5-degraded-idle.tsv", NO, YES},
        {"md-raid6-recover.tsv", YES, YES},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_md md = {0};
        const char *lines =
            sysfs(ng_arena_printf(&arena, "sysfs/%s", rows[i].file), "/sys/block/", "/md/", "");
        ng_md_sysfs_parse(&md, &arena, lines, strlen(lines));
        ng_md_judge(&md, &arena, NG_PLATFORM_LINUX);
        assert_int_equal(md.count, 1);
        if (md.arrays[0].busy != rows[i].busy || md.arrays[0].degraded != rows[i].degraded) {
            fail_msg("%s: %s", rows[i].file, md.arrays[0].busy_why);
        }
    }
}

/* Whether a text says a word without "not" or "nothing" in front of it and no 0 behind. */
static bool says(struct ng_span text, const char *word) {
    struct ng_span before = ng_span(NULL, 0);
    while (text.len > 0) {
        size_t len = 0;
        while (len < text.len && isalpha((unsigned char)text.at[len])) {
            len++;
        }
        struct ng_span now = ng_span(text.at, len);
        bool negated = before.len > 0 && strncasecmp(before.at, "no", 2) == 0 && before.len != 4;
        bool none = text.len >= len + 2 && memcmp(text.at + len, " 0", 2) == 0;
        if (len > 0 && ng_span_is(now, word) && !negated && !none) {
            return true;
        }
        before = len > 0 ? now : before;
        size_t skip = len == 0 ? 1 : len;
        text = ng_span(text.at + skip, text.len - skip);
    }
    return false;
}

static bool any(const struct ng_md *md, bool busy) {
    for (size_t i = 0; i < md->count; i++) {
        if ((busy ? md->arrays[i].busy : md->arrays[i].degraded) == NG_ANSWER_YES) {
            return true;
        }
    }
    return false;
}

static struct ng_md read_either(const char *file, bool mdstat) {
    struct ng_md md = {0};
    if (mdstat) {
        return judged(file, strncmp(file, "syno", 4) == 0 ? NG_PLATFORM_DSM : NG_PLATFORM_LINUX);
    }
    const char *lines = sysfs(file, "/sys/block/", "/md/", "");
    ng_md_sysfs_parse(&md, &arena, lines, strlen(lines));
    ng_md_judge(&md, &arena, NG_PLATFORM_LINUX);
    return md;
}

/* What the index says must be concluded, in its last column: busy, degraded or "fail". */
static void every_recording_of_md_in_the_index(void **state) {
    (void)state;
    size_t len, seen = 0;
    const char *index = load("INDEX.tsv", &len);
    struct ng_span rest = ng_span(index, len), line;
    while (ng_span_line(&rest, &line)) {
        struct ng_span fields = line, expect = line;
        const char *file = ng_span_dup(&arena, ng_span_until(&fields, '\t'));
        struct ng_span tool = ng_span_until(&fields, '\t');
        while (ng_span_has(expect, '\t')) {
            (void)ng_span_until(&expect, '\t');
        }
        bool mdstat = ng_span_begins(tool, "/proc/mdstat");
        if (!mdstat && strncmp(file, "sysfs/md-", 9) != 0) {
            continue;
        }
        struct ng_md md = read_either(file, mdstat);
        bool busy = says(expect, "busy");
        bool degraded = says(expect, "degraded") || says(expect, "fail");
        if (any(&md, true) != busy || any(&md, false) != degraded) {
            fail_msg("%s: busy %d, degraded %d; the index says: %.*s", file, any(&md, true),
                any(&md, false), (int)expect.len, expect.at);
        }
        seen++;
    }
    print_message("%zu recordings of md\n", seen);
    assert_true(seen > 0);
}

/* However a recording is cut off, it is read as md's once an array of it is seen, never before,
 * never as one without arrays, and nothing crashes. */
static void cut_recordings(void **state) {
    (void)state;
    static const char *const files[] = {"mdstat/check-and-delayed.txt", "mdstat/two-resyncs.txt",
        "mdstat/raid6-reshape-48.4.txt", "mdstat/seventeen-arrays.txt"};
    for (size_t i = 0; i < NG_COUNT(files); i++) {
        size_t len;
        const char *text = load(files[i], &len);
        for (size_t cut = 0; cut < len; cut += 1 + cut % 3) {
            struct ng_arena own;
            struct ng_md md;
            ng_arena_init(&own);
            char *copy = ng_arena_strndup(&own, text, cut);
            ng_mdstat_parse(&md, &own, copy, cut);
            ng_md_judge(&md, &own, NG_PLATFORM_LINUX);
            bool head = memmem(text, cut, "Personalities", 13) != NULL;
            assert_true(md.kind == NG_MD_UNKNOWN || (head && md.kind == NG_MD_LINUX));
            ng_arena_release(&own);
        }
    }
}

static void net_sysfs_files(void **state) {
    (void)state;
    static const struct {
        const char *file, *name;
        int64_t mtu, speed;
    } rows[] = {
        {"net-eth0.tsv", "eth0", 1500, 1000000000},
        {"net-bond0-no-slaves.tsv", "bond0", 1500, 0},
        {"net-bond-dmz-both-up.tsv", "dmz", 1500, 1000000000},
        {"net-ens10f0-bridge-port.tsv", "ens10f0", 1500, 1000000000},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_netifs netifs = {0};
        const char *lines =
            sysfs(ng_arena_printf(&arena, "sysfs/%s", rows[i].file), "/sys/class/net/", NULL, "");
        ng_netifs_parse(&netifs, &arena, lines, strlen(lines));
        const struct ng_netif *netif = ng_netifs_find(&netifs, rows[i].name);
        assert_non_null(netif);
        assert_true(netif->mtu == rows[i].mtu && netif->speed == rows[i].speed);
    }
}

static void block_sysfs_files(void **state) {
    (void)state;
    struct ng_blocks blocks = {0};
    const char *lines = sysfs("sysfs/queue-sda.tsv", "/sys/block/", NULL, "block/");
    ng_blocks_parse(&blocks, &arena, lines, strlen(lines));
    const struct ng_block *sda = ng_blocks_find(&blocks, "sda");
    assert_non_null(sda);
    assert_string_equal(sda->write_cache, "write back");
    assert_int_equal(sda->rotational, NG_ANSWER_YES);
    assert_non_null(strstr(sda->scheduler, "[bfq]"));
    blocks = (struct ng_blocks){0};
    lines = sysfs("sysfs/dm-0-lvm.tsv", "/sys/block/", NULL, "block/");
    ng_blocks_parse(&blocks, &arena, lines, strlen(lines));
    const struct ng_block *dm = ng_blocks_find(&blocks, "dm-0");
    assert_non_null(dm);
    assert_string_equal(dm->dm_name, "vg0--lv_root");
}

static struct ng_mounts mounts_of(const char *file) {
    struct ng_mounts mounts;
    size_t len;
    const char *text = load(file, &len);
    ng_mounts_parse(&mounts, &arena, text, len);
    return mounts;
}

static void mountinfo_files(void **state) {
    (void)state;
    const char *value = NULL;
    struct ng_mounts mounts = mounts_of("mountinfo/missing-separator.txt");
    assert_int_equal(mounts.count, 3);
    assert_int_equal(mounts.bad, 1);
    mounts = mounts_of("mountinfo/xfs-shared.txt");
    assert_int_equal(mounts.count, 5);
    assert_int_equal(mounts.bad, 0);
    assert_string_equal(ng_mounts_find(&mounts, "/opt/x")->type, "xfs");
    assert_string_equal(ng_mounts_find(&mounts, "/data")->type, "ext4");
    for (size_t i = 0; i < mounts.count; i++) {
        assert_false(ng_mount_is_network(&mounts.items[i]));
    }
    mounts = mounts_of("mountinfo/rhel-nfs-truncated.txt");
    assert_int_equal(mounts.count, 16);
    const struct ng_mount *mount = ng_mounts_find(&mounts, "/shared/dir1");
    assert_string_equal(mount->type, "nfs4");
    assert_string_equal(mount->source, "hostname1:/shared_dir1");
    assert_true(ng_mount_option(mount, "rsize", &arena, &value));
    assert_string_equal(value, "32768");
    mount = ng_mounts_find(&mounts, "/shared/dir2");
    assert_string_equal(mount->type, "nfs");
    assert_true(ng_mount_option(mount, "vers", &arena, &value));
    assert_string_equal(value, "3");
    assert_string_equal(ng_mounts_find(&mounts, "/misc")->type, "autofs");
}

static void dmsetup_files(void **state) {
    (void)state;
    static const char *const files[] = {
        "linear-only.txt", "mirror-disklog.txt", "raid-and-mirror-mix.txt", "raid1-idle.txt"};
    static const size_t at_least[] = {3, 1, 6, 3};
    for (size_t i = 0; i < NG_COUNT(files); i++) {
        struct ng_blocks blocks = {0};
        size_t len;
        const char *text = load(ng_arena_printf(&arena, "dmsetup/%s", files[i]), &len);
        ng_dm_parse(&blocks, &arena, text, len, true);
        if (blocks.target_count < at_least[i]) {
            fail_msg("%s: %zu targets", files[i], blocks.target_count);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(mdstat_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mdstat_details, set_up, tear_down),
        cmocka_unit_test_setup_teardown(md_sysfs_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_recording_of_md_in_the_index, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cut_recordings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(net_sysfs_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(block_sysfs_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mountinfo_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dmsetup_files, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
