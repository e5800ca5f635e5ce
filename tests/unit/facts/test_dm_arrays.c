/* What LVM and the device mapper keep over disks, as arrays: at work, not whole, not seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "runner/facts/collect.h"
#include "runner/facts/facts.h"

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
#define FAILED(name, text) "\nt B " name "\n" text "\nt E " name " 5\n"
#define ABSENT(name) "\nt A " name " 0\n"
#define END "\nt Z end\n"
#define U NG_ANSWER_UNKNOWN
#define NO NG_ANSWER_NO
#define YES NG_ANSWER_YES

static const struct ng_facts *facts_of(const char *frames) {
    return ng_facts_parse(&arena, "nas", "t", frames, strlen(frames));
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

#define DM(table, status)                                                                          \
    F("block", "block/sda/dev\t8:0\nblock/nvme0n1/dev\t259:0\nblock/dm-0/dm/name\tvg1-data\n"      \
               "block/dm-0/dm/uuid\tLVM-abc\nblock/dm-0/slaves/sda\t\n"                            \
               "block/dm-0/slaves/nvme0n1\t\n")                                                    \
    F("dmtable", "vg1-data: 0 99 " table "\n") F("dmstatus", "vg1-data: 0 99 " status "\n") END

static void arrays_of_the_device_mapper(void **state) {
    (void)state;
    static const struct {
        const char *frames;
        enum ng_answer busy, degraded;
        const char *action, *waiting;
        int percent;
    } rows[] = {
        {DM("raid x", "raid raid1 2 AA 4/4 idle 0"), NO, NO, NULL, NULL, -1},
        {DM("raid x", "raid raid1 2 Aa 1/4 recover 0"), YES, YES, "recovery", NULL, 25},
        {DM("raid x", "raid raid1 2 aa 1/4 resync 0"), YES, NO, "resync", NULL, 25},
        {DM("raid x", "raid raid5_ls 3 AAA 2/4 check 0"), YES, NO, "check", NULL, 50},
        {DM("raid x", "raid raid5_ls 3 AAA 2/4 repair 0"), YES, NO, "repair", NULL, 50},
        {DM("raid x", "raid raid5_ls 4 AAAa 2/4 reshape 0"), YES, NO, "reshape", NULL, 50},
        {DM("raid x", "raid raid1 2 AA 4/4 frozen 0"), YES, NO, "frozen", NULL, -1},
        {DM("raid x", "raid raid1 2 AD 4/4 idle 0"), NO, YES, NULL, NULL, -1},
        {DM("raid x", "raid raid1 2 A- 4/4 idle 0"), NO, YES, NULL, NULL, -1},
        {DM("raid x", "raid raid1 2 Aa 4/4 idle 0"), NO, YES, NULL, NULL, -1},
        {DM("raid x", "raid raid1 2 AA 1/4 idle 0"), YES, NO, "resync", "pending", 25},
        {DM("raid x", "raid raid1 2 AA 1/4"), YES, NO, "resync", NULL, 25}, /* before 1.5 */
        {DM("raid x", "raid raid1 3 AA 4/4 idle 0"), U, U, NULL, NULL, -1},
        {DM("mirror x", "mirror 2 1:1 1:2 730/2048 1 AA 1 core"), YES, NO, "resync", NULL, 35},
        {DM("mirror x", "mirror 2 1:1 1:2 8/8 1 AD 1 core"), NO, YES, NULL, NULL, -1},
        {DM("striped x", "striped 2 1:1 1:2 1 AA"), NO, NO, NULL, NULL, -1},
        {DM("thin-pool x", "thin-pool 1 2/4 6/6 - out_of_data_space x queue -"), NO, YES, NULL,
            NULL, -1},
        {DM("snapshot-merge x", "snapshot-merge 900/2048 16"), YES, NO, NULL, NULL, -1},
        {DM("cache 1:1 1:2 8:0 128 1 writeback cleaner 0",
             "cache 8 1/2 128 3/4 1 2 3 4 5 6 7 1 writeback 0 cleaner 0 rw -"),
            YES, NO, "flush", NULL, -1},
        {DM("cache 1:1 1:2 8:0 128 1 writeback smq 0", "cache Fail"), NO, YES, NULL, NULL, -1},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_facts *facts = facts_of(rows[i].frames);
        const struct ng_array *array = array_of(facts, "vg1/data");
        assert_non_null(array);
        bool same = array->busy == rows[i].busy && array->degraded == rows[i].degraded &&
                    (int)array->percent == rows[i].percent &&
                    (array->action == NULL) == (rows[i].action == NULL) &&
                    (array->waiting == NULL) == (rows[i].waiting == NULL);
        same = same && (rows[i].action == NULL || strcmp(rows[i].action, array->action) == 0);
        if (!same) {
            fail_msg("row %zu: busy %d (%s) degraded %d (%s) %s %.1f", i, array->busy,
                array->busy_why, array->degraded, array->degraded_why,
                array->action == NULL ? "-" : array->action, array->percent);
        }
        assert_true(array->busy == NO || array->busy_why[0] != '\0');
        assert_true(array->degraded == NO || array->degraded_why[0] != '\0');
        assert_string_equal(array->block, "dm-0");
        assert_int_equal(array->device_count, 2);
        assert_null(gap_of(facts));
    }
}

#define LVS(attr, type, sync, action)                                                              \
    F("lvs", "{\"report\":[{\"lv\":[{\"vg_name\":\"vg1\",\"lv_name\":\"data\",\"lv_attr\":\"" attr \
             "\",\"segtype\":\"" type "\",\"sync_percent\":\"" sync                                \
             "\",\"raid_sync_action\":\"" action "\",\"lv_health_status\":\"\"}]}]}")
#define TWO                                                                                        \
    F("block", "block/dm-0/dm/name\tvg1-data\nblock/dm-0/dm/uuid\tLVM-abc\n"                       \
               "block/dm-0/slaves/sda\t\nblock/dm-0/slaves/sdb\t\n")

/* lvs beside dmsetup: the worse of both; alone where the other could not be asked. */
static void arrays_of_lvm(void **state) {
    (void)state;
    const struct ng_facts *facts =
        facts_of(TWO ABSENT("dmtable") LVS("rwi-aor---", "raid1", "41.20", "recover") END);
    const struct ng_array *array = array_of(facts, "vg1/data");
    assert_int_equal(array->busy, YES);
    assert_string_equal(array->action, "recovery");
    assert_null(gap_of(facts));
    facts = facts_of(TWO F("dmtable", "vg1-data: 0 9 raid x\n")
            F("dmstatus", "vg1-data: 0 9 raid raid1 2 AA 4/4 idle 0\n")
                LVS("rwi-aor-p-", "raid1", "100.00", "idle") END);
    assert_int_equal(facts->arrays.count, 1); /* one volume, not two */
    array = array_of(facts, "vg1/data");
    assert_int_equal(array->busy, NO);
    assert_int_equal(array->degraded, YES);
    assert_non_null(strstr(array->degraded_why, "missing"));
    /* plain volumes are no arrays */
    facts = facts_of(
        TWO F("dmtable", "vg1-data: 0 9 linear 8:0 0\n") LVS("-wi-ao----", "linear", "", "") END);
    assert_int_equal(facts->arrays.count, 0);
}

/* What could not be looked at is a gap: nothing found proves nothing. */
static void gaps(void **state) {
    (void)state;
    const char *why = gap_of(facts_of(TWO ABSENT("dmtable") END));
    assert_non_null(why);
    assert_non_null(strstr(why, "vg1-data"));
    why = gap_of(facts_of(TWO FAILED("dmtable", "") END));
    assert_non_null(why);
    /* one device below can hold no copies */
    assert_null(gap_of(facts_of(
        F("block", "block/dm-0/dm/name\tluks\nblock/dm-0/slaves/sda\t\n") ABSENT("dmtable") END)));
    /* a status that is not there */
    const struct ng_facts *facts = facts_of(TWO F("dmtable", "vg1-data: 0 9 raid x\n") END);
    assert_int_equal(array_of(facts, "vg1/data")->busy, U);
    assert_null(gap_of(facts_of(F("block", "block/sda/dev\t8:0\n") END)));
    assert_non_null(gap_of(facts_of(END)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(arrays_of_the_device_mapper),
        TEST(arrays_of_lvm),
        TEST(gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
