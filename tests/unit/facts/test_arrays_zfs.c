/* ZFS pools in the list of arrays: from frames and mounts to what a precondition sees, and down to
 * the disks. Some tests bear the name of a symptom that other programs were reported for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "runner/facts/collect.h"
#include "runner/facts/facts.h"
#include "runner/facts/zfs.h"

#define NO NG_ANSWER_NO
#define YES NG_ANSWER_YES
#define U NG_ANSWER_UNKNOWN

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

#define F(name, text) "\nt B " name "\n" text "\nt E " name " 0\n"
#define FAILED(name, text, rc) "\nt B " name "\n" text "\nt E " name " " rc "\n"
#define A(name) "\nt A " name " 0\n"
#define LATE(name) "\nt L " name " 8\n"
#define ROOT "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
#define TANK "2 1 0:40 / /tank/data rw - zfs tank/data rw,xattr\n"
#define MOUNTS F("mountinfo", ROOT TANK)
#define STATUS(state, scan)                                                                        \
    "  pool: tank\n state: " state "\n" scan "config:\n\n\tNAME STATE READ WRITE CKSUM\n"          \
    "\ttank " state " 0 0 0\n\t  mirror-0 ONLINE 0 0 0\n\t    /dev/sdb1 ONLINE 0 0 0\n"            \
    "\t    /dev/sdc1 ONLINE 0 0 0\n\tlogs\n\t  /dev/nvme0n1p1 ONLINE 0 0 0\n"                      \
    "\tspares\n\t  /dev/sdz AVAIL\n\nerrors: No known data errors\n"
#define BLOCKS                                                                                     \
    F("block",                                                                                     \
        "block/sda/dev\t8:0\nblock/sda/part/sda1/dev\t8:1\nblock/sdb/dev\t8:16\n"                  \
        "block/sdb/part/sdb1/dev\t8:17\nblock/sdc/dev\t8:32\nblock/sdc/part/sdc1/dev\t8:33\n"      \
        "block/nvme0n1/dev\t259:0\nblock/nvme0n1/part/nvme0n1p1/dev\t259:1\n"                      \
        "block/zd0/dev\t230:0\nblock/sdz/dev\t8:99\n")

static const struct ng_facts *parse(const char *frames) {
    const char *text = ng_arena_printf(&arena, "%s\nt Z end\n", frames);
    return ng_facts_parse(&arena, "nas", "t", text, strlen(text));
}

static const struct ng_array *find(const struct ng_facts *facts, const char *name) {
    for (size_t i = 0; i < facts->arrays.count; i++) {
        if (strcmp(facts->arrays.items[i].name, name) == 0 &&
            strcmp(facts->arrays.items[i].kind, "ZFS") == 0) {
            return &facts->arrays.items[i];
        }
    }
    return NULL;
}

static const char *gap_of(const struct ng_facts *facts) {
    for (size_t i = 0; i < facts->arrays.gap_count; i++) {
        if (strcmp(facts->arrays.gaps[i].kind, "ZFS") == 0) {
            return facts->arrays.gaps[i].why;
        }
    }
    return NULL;
}

static const char *none_of(const struct ng_facts *facts) {
    for (size_t i = 0; i < facts->arrays.none_count; i++) {
        if (strcmp(facts->arrays.nones[i].kind, "ZFS") == 0) {
            return facts->arrays.nones[i].why;
        }
    }
    return NULL;
}

static void sources_together(void **state) {
    (void)state;
    static const struct {
        const char *frames;
        bool pool; /* tank is in the list */
        enum ng_answer busy, degraded;
        const char *why; /* a piece of a why of the pool, or of the gap, or of the none */
    } rows[] = {
        {MOUNTS F("zpool.status", STATUS("ONLINE", "")), true, NO, NO, ""},
        {MOUNTS F("zpool.status", STATUS("DEGRADED", "")), true, NO, YES, "is DEGRADED"},
        {MOUNTS F("zpool.status", STATUS("ONLINE", "  scan: resilver in progress since Mon\n\t1G "
                                                   "resilvered, 5.00% done, 1h1m to go\n")),
            true, YES, NO, "is in a resilver, 5.0%"},
        /* asked with an option that it does not know, then without */
        {MOUNTS F("zpool.status", STATUS("ONLINE", "")) F("zpool.status.err", "usage:\n"), true, NO,
            NO, ""},
        /* refused, hung, not installed: the kernel's word remains */
        {MOUNTS FAILED("zpool.status", "", "1")
                F("zpool.status.err", "Permission denied the ZFS utilities must be run as root.\n"),
            false, U, U, "must be run as root"},
        {MOUNTS FAILED("zpool.status", "", "1") F("zfs.states", "tank\tONLINE\n"), true, U, NO,
            "status 1"},
        {MOUNTS LATE("zpool.status") F("zfs.states", "tank\tSUSPENDED\n"), true, U, YES, "hangs"},
        {MOUNTS A("zpool.status") F("zfs.states", "tank\tDEGRADED\n"), true, U, YES, "no zpool"},
        {MOUNTS A("zpool.status"), false, U, U, "no zpool here"},
        {MOUNTS F("zpool.status", STATUS("ONLINE", "")) F("zfs.states", "tank\tSUSPENDED\n"), true,
            NO, YES, "SUSPENDED"},
        {MOUNTS F("zpool.status", "no pools available\n"), false, U, U, "does not list it"},
        {MOUNTS A("zfs"), false, U, U, "does not list it"},
        {MOUNTS, false, U, U, "does not list it"},
        {MOUNTS F("zpool.status", "all pools are healthy\n"), false, U, U, "all pools are healthy"},
        {MOUNTS F("zpool.status", "  pool: tank\n state: ONLINE\n"), true, U, U, "of its scans"},
        {MOUNTS F("zpool.status", STATUS("ONLINE", "")) F("zpool.list", "tank\tONLINE\t9%\t5M\n"),
            true, YES, NO, "frees"},
        /* there is none, for certain or not */
        {F("mountinfo", ROOT) A("zfs"), false, U, U, "no ZFS is mounted"},
        {F("mountinfo", ROOT) F("zpool.status", "no pools available\n"), false, U, U,
            "zpool status lists no pool"},
        {F("mountinfo", ROOT) A("zpool.status"), false, U, U, "no zpool here"},
        {A("zfs"), false, U, U, "mountinfo"},
        {F("mountinfo", ROOT) LATE("zpool.status"), false, U, U, "did not answer in 8 s"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_facts *facts = parse(rows[i].frames);
        const struct ng_array *array = find(facts, "tank");
        const char *gap = gap_of(facts), *none = none_of(facts);
        const char *said = ng_arena_printf(&arena, "%s|%s|%s|%s",
            array == NULL ? "" : array->busy_why, array == NULL ? "" : array->degraded_why,
            gap == NULL ? "" : gap, none == NULL ? "" : none);
        bool same = array == NULL ? !rows[i].pool
                                  : rows[i].pool && array->busy == rows[i].busy &&
                                        array->degraded == rows[i].degraded;
        if (!same || strstr(said, rows[i].why) == NULL) {
            fail_msg("row %zu: busy %d degraded %d: %s", i, array == NULL ? -1 : (int)array->busy,
                array == NULL ? -1 : (int)array->degraded, said);
        }
        assert_true((array != NULL) + (gap != NULL) + (none != NULL) == 1);
    }
}

/* The collector that did not get as far proves nothing. */
static void a_collector_that_ends_early(void **state) {
    (void)state;
    static const char text[] = F("mountinfo", ROOT);
    const struct ng_facts *facts = ng_facts_parse(&arena, "nas", "t", text, strlen(text));
    assert_non_null(gap_of(facts));
    assert_null(none_of(facts));
}

static const char *stack_of(const struct ng_facts *facts, const char *path, const char **gap) {
    struct ng_stack stack;
    const char *text = "";
    ng_blocks_stack(
        &facts->blocks, &facts->mounts, ng_mounts_find(&facts->mounts, path), &arena, &stack);
    for (size_t i = 0; i < stack.count; i++) {
        text = ng_arena_printf(&arena, "%s%s%s", text, i == 0 ? "" : " ", stack.items[i]->name);
    }
    *gap = stack.gap;
    return text;
}

#define ZVOL "3 1 230:0 / /vol rw - ext4 /dev/zd0 rw\n"

static void down_to_the_disks(void **state) {
    (void)state;
    const char *gap = NULL;
    const struct ng_facts *facts =
        parse(F("mountinfo", ROOT TANK ZVOL) BLOCKS F("zpool.status", STATUS("ONLINE", "")));
    assert_string_equal(
        stack_of(facts, "/tank/data/x", &gap), "sdb1 sdc1 nvme0n1p1 sdb sdc nvme0n1");
    assert_null(gap);
    assert_string_equal(stack_of(facts, "/vol", &gap), "zd0 sdb1 sdc1 nvme0n1p1 sdb sdc nvme0n1");
    assert_null(gap);
    const struct ng_array *array = find(facts, "tank");
    assert_int_equal(array->device_count, 3);
    assert_string_equal(array->devices[0], "sdb1");
    assert_string_equal(array->level, "mirror");
    assert_int_equal(array->slots, 2);
    assert_int_equal(array->in_sync, 2);
    const struct ng_zpool *pool =
        ng_zfs_pool(facts, ng_mounts_find(&facts->mounts, "/tank/data/x"));
    assert_string_equal(pool->name, "tank");
    assert_null(ng_zfs_pool(facts, ng_mounts_find(&facts->mounts, "/")));
    /* one device that is not known: none is, for it may be any */
    facts = parse(MOUNTS BLOCKS F("zpool.status",
        "  pool: tank\n state: ONLINE\nconfig:\n\n\tNAME STATE READ WRITE CKSUM\n"
        "\ttank ONLINE 0 0 0\n\t  sdb ONLINE 0 0 0\n\t  ata-WDC_X ONLINE 0 0 0\n\n"
        "errors: No known data errors\n"));
    assert_string_equal(stack_of(facts, "/tank/data", &gap), "sdb");
    assert_non_null(strstr(gap, "ata-WDC_X"));
    assert_int_equal(find(facts, "tank")->device_count, 0);
    /* one that is gone lies nowhere */
    facts = parse(MOUNTS BLOCKS F("zpool.status",
        "  pool: tank\n state: DEGRADED\nconfig:\n\n\tNAME STATE READ WRITE CKSUM\n"
        "\ttank DEGRADED 0 0 0\n\t  mirror-0 DEGRADED 0 0 0\n\t    sdb ONLINE 0 0 0\n"
        "\t    123 UNAVAIL 0 0 0  was /dev/sdx1\n\nerrors: No known data errors\n"));
    assert_string_equal(stack_of(facts, "/tank/data", &gap), "sdb");
    assert_null(gap);
    assert_int_equal(find(facts, "tank")->device_count, 1);
    assert_int_equal(find(facts, "tank")->in_sync, 1);
    /* no pool is known */
    facts = parse(F("mountinfo", ROOT TANK ZVOL) BLOCKS A("zfs"));
    assert_string_equal(stack_of(facts, "/tank/data", &gap), "");
    assert_non_null(strstr(gap, "tank"));
    assert_string_equal(stack_of(facts, "/vol", &gap), "zd0");
    assert_non_null(strstr(gap, "zd0"));
    /* of two pools the volume may belong to either */
    facts = parse(F("mountinfo", ROOT TANK ZVOL) BLOCKS F("zpool.status",
        STATUS("ONLINE", "") "\n  pool: two\n state: ONLINE\nconfig:\n\n"
                             "\tNAME STATE READ WRITE CKSUM\n\ttwo ONLINE 0 0 0\n"
                             "\t  sdz ONLINE 0 0 0\n\nerrors: No known data errors\n"));
    assert_string_equal(stack_of(facts, "/vol", &gap), "zd0");
    assert_non_null(strstr(gap, "several"));
}

static void memory_and_properties(void **state) {
    (void)state;
    const struct ng_facts *facts = parse(F("zfs.arcstats",
        "13 1 0x01 96 26112 5821 123\nname                            type data\n"
        "hits                            4    17\nsize                            4    4096\n"
        "c_max                           4    8283713536\nl2_size                         4    0\n")
            F("zfs.get", "tank/data\trecordsize\t131072\ntank/data\tsync\tdisabled\n"
                         "tank/data\tdedup\t-\n"));
    assert_true(facts->arc.size == 4096 && facts->arc.most == INT64_C(8283713536));
    assert_true(facts->arc.l2_size == 0);
    assert_string_equal(ng_zfs_property(facts, &arena, "tank/data", "sync"), "disabled");
    assert_null(ng_zfs_property(facts, &arena, "tank/data", "dedup"));
    assert_null(ng_zfs_property(facts, &arena, "tank", "sync"));
    facts = parse("");
    assert_true(facts->arc.size == -1 && facts->arc.most == -1 && facts->arc.l2_size == -1);
}

static const struct ng_array *pool_with(const char *scan) {
    return find(parse(ng_arena_printf(&arena,
                    MOUNTS "\nt B zpool.status\n  pool: tank\n state: ONLINE\n%sconfig:\n\n"
                           "\tNAME STATE READ WRITE CKSUM\n\ttank ONLINE 0 0 0\n"
                           "\t  sdb ONLINE 0 0 0\n\nerrors: No known data errors\n"
                           "\nt E zpool.status 0\n",
                    scan)),
        "tank");
}

/* "1 days 02:..." has blanks of its own: columns are not counted. */
static void a_duration_with_days_shifts_the_columns_of_a_resilver(void **state) {
    (void)state;
    const struct ng_array *array =
        pool_with("  scan: resilver in progress since Sun May  1 10:00:00 2022\n"
                  "\t8.1T scanned at 500M/s, 7.2T issued at 400M/s, 9.9T total\n"
                  "\t1.2T resilvered, 72.73% done, 1 days 02:10:04 to go\n");
    assert_true(array->left_ns == INT64_C(94204) * 1000000000);
    assert_true(array->percent > 72.7 && array->percent < 72.8);
    array = pool_with("  scan: resilvered 1.2T in 1 days 02:55:32 with 0 errors on Sun May  1\n");
    assert_int_equal(array->busy, NO);
}

static void the_scan_format_of_0_8_is_not_understood(void **state) {
    (void)state;
    const struct ng_array *array =
        pool_with("  scan: scrub in progress since Sun Nov  3 00:24:01 2019\n"
                  "\t1.53T scanned at 1.02G/s, 732G issued at 488M/s, 2.99T total\n"
                  "\t0B repaired, 23.87% done, 0 days 01:21:34 to go\n");
    assert_int_equal(array->busy, YES);
    assert_string_equal(array->action, "scrub");
    assert_true(array->percent > 23.8 && array->percent < 23.9);
}

static void a_paused_scrub_is_shown_as_in_progress(void **state) {
    (void)state;
    const struct ng_array *array = pool_with("  scan: scrub paused since Sun Nov  3 00:25:01 2019\n"
                                             "\tscrub started on Sun Nov  3 00:24:01 2019\n"
                                             "\t1.53T scanned, 732G issued, 2.99T total\n"
                                             "\t0B repaired, 23.87% done\n");
    assert_int_equal(array->busy, NO);
    assert_non_null(strstr(array->warning, "scrub is paused"));
}

/* What runs before is not what runs after: the trace tells the kinds apart. */
static void a_scrub_is_replaced_by_a_resilver(void **state) {
    (void)state;
    const struct ng_array *before =
        pool_with("  scan: scrub in progress since Sun Nov  3 00:24:01 2019\n\t1.00% done\n");
    const struct ng_array *during =
        pool_with("  scan: scrub in progress since Sun Nov  3 00:24:01 2019\n\t7.00% done\n");
    const struct ng_array *after =
        pool_with("  scan: resilver in progress since Sun Nov  3 00:25:01 2019\n\t1.00% done\n");
    assert_string_equal(before->action, "scrub");
    assert_string_equal(after->action, "resilver");
    assert_string_equal(before->trace, during->trace);
    assert_string_not_equal(before->trace, after->trace);
}

/* Only the tool's own percentage is used. */
static void counters_jump_to_0B_when_a_scrub_is_paused(void **state) {
    (void)state;
    const struct ng_array *array = pool_with("  scan: scrub paused since Sun Nov  3 00:25:01 2019\n"
                                             "\tscrub started on Sun Nov  3 00:24:01 2019\n"
                                             "\t0B / 2.99T scanned, 0B / 2.99T issued\n"
                                             "\t0B repaired, 23.87% done\n");
    assert_int_equal(array->busy, NO);
    assert_non_null(strstr(array->warning, "23.9%"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sources_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_collector_that_ends_early, set_up, tear_down),
        cmocka_unit_test_setup_teardown(down_to_the_disks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_and_properties, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_duration_with_days_shifts_the_columns_of_a_resilver, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            the_scan_format_of_0_8_is_not_understood, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_paused_scrub_is_shown_as_in_progress, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_scrub_is_replaced_by_a_resilver, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            counters_jump_to_0B_when_a_scrub_is_paused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
