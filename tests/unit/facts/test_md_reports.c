/* What monitoring tools are known to have misread of RAID: one test for each report, named after
 * its symptom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "runner/facts/collect.h"
#include "runner/facts/facts.h"

#define F(name, text) "\nt B " name "\n" text "\nt E " name " 0\n"
#define ABSENT(name) "\nt A " name " 0\n"
#define END "\nt Z end\n"
#define REST                                                                                       \
    F("uname", "Linux 6.1 x86_64\n")                                                               \
    F("mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n") F("block", "")
#define LINUX REST F("markers", "modules\nmd_mod\n")
#define DSM REST F("markers", "modules\nmd_mod\n") F("dsm", "majorversion=\"7\"\n")
#define QTS REST F("markers", "modules\nmd_mod\nqts\n")
#define UNRAID REST F("markers", "modules\nmdcmd\n") F("unraid", "version=\"6.12.4\"\n")
#define MDSTAT(text) F("mdstat", "Personalities : [raid1] [raid5] \n" text)
#define TAIL "unused devices: <none>\n"
#define CLEAN(name, members) name " : active raid1 " members "\n      900 blocks [2/2] [UU]\n"
#define BAR(word)                                                                                  \
    "      [==>...]  " word " = 12.6% (37043392/292945152) finish=127.5min speed=9K/sec\n"

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

static const struct ng_facts *facts_of(const char *frames) {
    return ng_facts_parse(&arena, "nas", "t", frames, strlen(frames));
}

static const struct ng_array *find(const struct ng_facts *facts, const char *name) {
    for (size_t i = 0; i < facts->arrays.count; i++) {
        if (strcmp(facts->arrays.items[i].name, name) == 0) {
            return &facts->arrays.items[i];
        }
    }
    fail_msg("no array %s", name);
    return NULL;
}

static void expect(
    const struct ng_facts *facts, const char *name, enum ng_answer busy, enum ng_answer degraded) {
    const struct ng_array *array = find(facts, name);
    if (array->busy != busy || array->degraded != degraded) {
        fail_msg("%s: busy %s (%s), degraded %s (%s)", name, ng_answer_word(array->busy),
            array->busy_why, ng_answer_word(array->degraded), array->degraded_why);
    }
}

static bool has_gap(const struct ng_facts *facts, const char *kind, const char *text) {
    for (size_t i = 0; i < facts->arrays.gap_count; i++) {
        if (strcmp(facts->arrays.gaps[i].kind, kind) == 0 &&
            strstr(facts->arrays.gaps[i].why, text) != NULL) {
            return true;
        }
    }
    return false;
}

#define NO NG_ANSWER_NO
#define YES NG_ANSWER_YES
#define U NG_ANSWER_UNKNOWN

static void chunks_of_raid0_end_the_parser(void **state) {
    (void)state;
    const struct ng_facts *facts = facts_of(LINUX MDSTAT(
        "md0 : active raid0 sdb[1] sda[0]\n      1953262592 blocks super 1.2 256k chunks\n" CLEAN(
            "md1", "sdc1[0] sdd1[1]") TAIL) END);
    assert_int_equal(facts->arrays.count, 2);
    expect(facts, "md0", NO, NO);
    expect(facts, "md1", NO, NO);
}

static void one_odd_array_hides_the_others(void **state) {
    (void)state;
    const struct ng_facts *facts = facts_of(
        LINUX MDSTAT("md0 : active raid0 sdb[1] sda[0]\n      what = 100% is this\n" CLEAN("md1",
            "sdc1[0] sdd1[1]") "md2 : active raid1 sde1[0]\n      900 blocks [2/1] [U_]\n" TAIL)
            END);
    assert_int_equal(facts->arrays.count, 3);
    expect(facts, "md0", U, U);
    expect(facts, "md1", NO, NO);
    expect(facts, "md2", NO, YES);
}

static void pending_resync_ends_the_parser(void **state) {
    (void)state;
    const struct ng_facts *facts = facts_of(LINUX MDSTAT(
        "md0 : active (auto-read-only) raid1 sda1[0] sdb1[1]\n      900 blocks [2/2] [UU]\n"
        "      \tresync=PENDING\n" TAIL) END);
    expect(facts, "md0", YES, NO);
    assert_string_equal(find(facts, "md0")->waiting, "pending");
    /* one that nobody has seen is unknown, not idle */
    facts = facts_of(LINUX MDSTAT(CLEAN("md0", "a[0] b[1]") "      \tresync=SNOOZING\n" TAIL) END);
    expect(facts, "md0", U, NO);
}

#define UNRAID_TEXT(resync)                                                                        \
    F("mdstat",                                                                                    \
        "sbName=/boot/config/super.dat\nmdVersion=2.9.27\nmdState=STARTED\n"                       \
        "mdNumDisks=4\nmdNumDisabled=0\nmdNumInvalid=0\nmdNumMissing=0\nmdNumWrong=0\n"            \
        "mdResyncAction=check P\n" resync "diskName.0=\nrdevName.0=sdb\nrdevStatus.0=DISK_OK\n"    \
        "diskName.1=md1p1\nrdevName.1=sdc\nrdevStatus.1=DISK_OK\n")

static void unraid_text_ends_the_parser(void **state) {
    (void)state;
    const struct ng_facts *facts =
        facts_of(UNRAID UNRAID_TEXT("mdResync=0\nmdResyncPos=0\nmdResyncDt=0\n") END);
    expect(facts, "array", NO, NO);
    assert_int_equal(facts->arrays.gap_count, 0);
    facts = facts_of(UNRAID UNRAID_TEXT(
        "mdResync=1000\nmdResyncSize=1000\nmdResyncPos=250\nmdResyncDt=2\nmdResyncDb=10\n") END);
    const struct ng_array *array = find(facts, "array");
    expect(facts, "array", YES, NO);
    assert_string_equal(array->action, "check");
    assert_true(array->percent > 24.9 && array->percent < 25.1);
    assert_true(array->left_ns == INT64_C(150) * 1000000000);
    assert_int_equal(array->device_count, 3);
}

static void unraid_has_no_arrays_and_looks_fine(void **state) {
    (void)state;
    const struct ng_facts *facts = facts_of(UNRAID MDSTAT(TAIL) END);
    assert_true(has_gap(facts, "md", "Unraid"));
    facts = facts_of(UNRAID F("mdstat", "") END);
    assert_true(has_gap(facts, "md", "is empty"));
}

static void missing_mdstat_is_an_error_or_health(void **state) {
    (void)state;
    const struct ng_facts *facts = facts_of(REST F("markers", "modules\n") ABSENT("mdstat") END);
    assert_int_equal(facts->arrays.gap_count, 0); /* the kernel has no md at all */
    facts = facts_of(LINUX ABSENT("mdstat") END); /* it has: a container hides the file */
    assert_true(has_gap(facts, "md", "hidden"));
    facts = facts_of(REST F("markers", "") ABSENT("mdstat") END);
    assert_true(has_gap(facts, "md", "unknown"));
    facts = facts_of(DSM ABSENT("mdstat") END);
    assert_true(has_gap(facts, "md", "unknown"));
}

static void raid_disks_of_a_reshape_is_no_number(void **state) {
    (void)state;
    int64_t now = 0, before = 0;
    assert_true(ng_md_disks("6 (5)", &now, &before));
    assert_true(now == 6 && before == 5);
    assert_true(ng_md_disks("4", &now, &before));
    assert_true(now == 4 && before == 4);
    static const char *const odd[] = {"", " ", "x", "6 (", "6 ()", "6 (5) 4", "6 5", "-1"};
    for (size_t i = 0; i < NG_COUNT(odd); i++) {
        assert_false(ng_md_disks(odd[i], &now, &before));
    }
#define RESHAPE                                                                                    \
    MDSTAT("md0 : active raid5 a[0] b[1] c[2]\n"                                                   \
           "      900 blocks super 1.2 level 5, 64k chunk, algorithm 2 [3/3] [UUU]\n" BAR(         \
               "reshape") TAIL)
    const struct ng_facts *facts =
        facts_of(LINUX RESHAPE F("md", "md0/raid_disks\t3 (2)\nmd0/sync_action\treshape\n") END);
    expect(facts, "md0", YES, NO);
    facts = facts_of(LINUX RESHAPE F("md", "md0/raid_disks\t\nmd0/sync_action\treshape\n") END);
    expect(facts, "md0", YES, NO);
    /* both sources cannot be right: unknown, with both texts */
    facts = facts_of(LINUX RESHAPE F("md", "md0/raid_disks\t5 (4)\n") END);
    expect(facts, "md0", YES, U);
    assert_non_null(strstr(find(facts, "md0")->degraded_why,
        "/proc/mdstat says active [3/3] [UUU], but raid_disks in sysfs is 5 (4)"));
}

static void unexpected_line_is_out_of_range(void **state) {
    (void)state;
    static const char *const lines[] = {"md0 : \n", "md0 : active\n", "md0 : active raid1\n",
        " : \n", "md0 : active raid1 [\n", "md0 : active raid1 a[\n", "md0 : active raid1 a[0](\n",
        "      blocks\n", "      1 blocks [\n", "      1 blocks [/] []\n", "      [=>\n",
        "      [=>] check =\n", "      [=>] check = 5% (\n", "=\n", "%\n"};
    for (size_t i = 0; i < NG_COUNT(lines); i++) {
        for (size_t j = 0; j < NG_COUNT(lines); j++) {
            const char *frames = ng_arena_printf(&arena,
                "%s\nt B mdstat\nPersonalities : [raid1] \n%s%s%s\nt E mdstat 0\n%s", LINUX,
                lines[i], lines[j], CLEAN("md7", "x[0] y[1]") TAIL, END);
            const struct ng_facts *facts = facts_of(frames);
            expect(facts, "md7", NO, NO);
        }
    }
}

static void synced_blocks_never_reach_the_size_of_raid5(void **state) {
    (void)state;
    const struct ng_facts *facts = facts_of(LINUX MDSTAT(
        "md0 : active raid5 a[0] b[1] c[2] d[3]\n"
        "      900 blocks super 1.2 level 5, 64k chunk, algorithm 2 [4/4] [UUUU]\n"
        "      [=====>]  check = 100.0% (300/300) finish=0.0min speed=9K/sec\n" TAIL) END);
    assert_true(find(facts, "md0")->percent > 99.9 && find(facts, "md0")->percent < 100.1);
    assert_true(find(facts, "md0")->left_ns == 0);
}

static void recovery_is_not_seen(void **state) {
    (void)state;
    static const char *const frames[] = {
        LINUX MDSTAT(
            "md0 : active raid1 a[2] b[1]\n      900 blocks [2/1] [_U]\n" BAR("recovery") TAIL) END,
        LINUX MDSTAT("md0 : active raid1 a[2] b[1]\n      900 blocks [2/1] [_U]\n" BAR("recovery")
                TAIL) F("md", "md0/sync_action\trecover\nmd0/degraded\t1\n") END,
    };
    for (size_t i = 0; i < NG_COUNT(frames); i++) {
        const struct ng_facts *facts = facts_of(frames[i]);
        expect(facts, "md0", YES, YES);
        assert_string_equal(find(facts, "md0")->action, "recovery");
        assert_non_null(strstr(find(facts, "md0")->busy_why, "is in recovery, "));
    }
    /* sysfs alone tells it as well */
    const struct ng_facts *facts = facts_of(LINUX ABSENT("mdstat")
            F("md", "md0/array_state\tclean\nmd0/sync_action\trecover\nmd0/degraded\t1\n"
                    "md0/sync_completed\t1569888 / 2093056\nmd0/level\traid6\n") END);
    expect(facts, "md0", YES, YES);
    assert_true(find(facts, "md0")->percent > 74.9 && find(facts, "md0")->percent < 75.1);
}

static void dsm_prints_counters_on_raid0_and_empty_slots(void **state) {
    (void)state;
    const struct ng_facts *facts = facts_of(DSM MDSTAT(
        "md3 : active raid0 sda3[0]\n      244193984 blocks super 1.2 64k chunks [1/1] [U]\n"
        "md0 : active raid1 sda1[0] sdb1[1] sdc1[2]\n      2490176 blocks [4/3] [UUU_]\n" TAIL)
            END);
    expect(facts, "md3", NO, NO);
    expect(facts, "md0", NO, NO);
    assert_true(find(facts, "md0")->per_bay && find(facts, "md0")->slots == 4);
    assert_true(find(facts, "md0")->every_disk && find(facts, "md0")->in_sync == 3);
}

static void reshape_is_not_a_word_of_progress(void **state) {
    (void)state;
    static const char *const bars[][2] = {{BAR("resync"), "resync"}, {BAR("recovery"), "recovery"},
        {BAR("check"), "check"}, {BAR("reshape"), "reshape"}};
    for (size_t i = 0; i < NG_COUNT(bars); i++) {
        const struct ng_facts *facts = facts_of(
            ng_arena_printf(&arena, "%s\nt B mdstat\nPersonalities : \n%s%s\nt E mdstat 0\n%s",
                LINUX, CLEAN("md0", "a[0] b[1]"), bars[i][0], END));
        expect(facts, "md0", YES, NO);
        assert_string_equal(find(facts, "md0")->action, bars[i][1]);
        assert_true(find(facts, "md0")->left_ns == INT64_C(7650) * 1000000000);
    }
    /* work that no plan can allow, because it has no word */
    const struct ng_facts *facts =
        facts_of(LINUX MDSTAT(CLEAN("md0", "a[0] b[1]") BAR("rewrite") TAIL) END);
    expect(facts, "md0", YES, NO);
    assert_null(find(facts, "md0")->action);
}

#define MD9                                                                                        \
    "md9 : active raid1 sda1[32] sdb1[33]\n"                                                       \
    "      530048 blocks super 1.0 [32/2] [UU______________________________]\n"

static void qnap_system_arrays_alarm_for_ever(void **state) {
    (void)state;
    const struct ng_facts *facts =
        facts_of(QTS MDSTAT(MD9 TAIL) F("md", "md9/degraded\t30\nmd9/sync_action\tidle\n") END);
    expect(facts, "md9", NO, NO);
    facts = facts_of(QTS MDSTAT(
        "md9 : active raid1 sda1[32] sdb1[33](F)\n"
        "      530048 blocks super 1.0 [32/1] [U_______________________________]\n" TAIL) END);
    expect(facts, "md9", NO, YES);
    assert_non_null(strstr(find(facts, "md9")->degraded_why, "sdb1 is faulty (F)"));
    /* the same name elsewhere is an array like any other */
    facts = facts_of(LINUX MDSTAT(MD9 TAIL) END);
    expect(facts, "md9", NO, YES);
}

static void removed_disk_of_qnap_has_no_flag(void **state) {
    (void)state;
    const struct ng_facts *facts = facts_of(QTS MDSTAT(
        MD9 "md1 : active raid5 sda3[0] sdb3[1]\n"
            "      900 blocks super 1.0 level 5, 64k chunk, algorithm 2 [3/2] [UU_]\n" TAIL) END);
    expect(facts, "md9", NO, NO);
    expect(facts, "md1", NO, YES);
    assert_non_null(strstr(find(facts, "md1")->degraded_why, "no member in sync in slot 2"));
}

static void array_in_check_alarms_as_degraded(void **state) {
    (void)state;
    const struct ng_facts *facts =
        facts_of(LINUX MDSTAT(CLEAN("md0", "a[0] b[1]") BAR("check") TAIL) END);
    expect(facts, "md0", YES, NO);
}

static void clean_although_a_disk_is_missing(void **state) {
    (void)state;
    const struct ng_facts *facts =
        facts_of(LINUX MDSTAT("md0 : active raid1 b[1]\n      900 blocks [2/1] [_U]\n" TAIL)
                F("md", "md0/array_state\tclean\nmd0/degraded\t1\nmd0/sync_action\tidle\n") END);
    expect(facts, "md0", NO, YES);
    facts = facts_of(LINUX ABSENT("mdstat")
            F("md", "md0/array_state\tclean\nmd0/degraded\t1\nmd0/sync_action\tidle\n") END);
    expect(facts, "md0", NO, YES);
}

static void degraded_without_a_rebuild_goes_unnoticed(void **state) {
    (void)state;
    const struct ng_facts *facts =
        facts_of(LINUX MDSTAT("md0 : active raid1 b[1]\n      900 blocks [2/1] [_U]\n" TAIL) END);
    expect(facts, "md0", NO, YES);
}

static void delayed_is_drawn_as_zero_percent(void **state) {
    (void)state;
    const struct ng_facts *facts =
        facts_of(LINUX MDSTAT(CLEAN("md0", "a[0] b[1]") "      \tresync=DELAYED\n" TAIL) END);
    const struct ng_array *array = find(facts, "md0");
    expect(facts, "md0", YES, NO);
    assert_string_equal(array->waiting, "delayed");
    assert_null(array->action); /* the word before "=" need not name what it waits for */
    assert_true(array->percent < 0 && array->left_ns == -1);
    assert_null(strstr(array->busy_why, "%"));
    facts = facts_of(LINUX MDSTAT(CLEAN("md0", "a[0] b[1]") "      \tresync=DELAYED\n" TAIL)
            F("md", "md0/sync_action\tcheck\n") END);
    assert_string_equal(find(facts, "md0")->action, "check"); /* sysfs knows */
}

static void spares_and_removed_members_alarm(void **state) {
    (void)state;
    const struct ng_facts *facts = facts_of(LINUX MDSTAT(
        "md0 : active raid5 a[0] b[1] c[6] d[3](S) e[4](S)\n"
        "      900 blocks super 1.2 level 5, 64k chunk, algorithm 2 [3/3] [UUU]\n" TAIL) END);
    expect(facts, "md0", NO, NO);
    assert_null(find(facts, "md0")->warning);
    facts = facts_of(LINUX MDSTAT(
        "md0 : active raid5 a[0] b[1] c[6] d[3](F)\n"
        "      900 blocks super 1.2 level 5, 64k chunk, algorithm 2 [3/3] [UUU]\n" TAIL) END);
    expect(facts, "md0", NO, NO);
    assert_non_null(strstr(find(facts, "md0")->warning, "d is faulty"));
}

static void dsm_volume_crashed_with_all_disks_in_sync(void **state) {
    (void)state;
    static const char *const frames[] = {
        DSM MDSTAT("md2 : active raid1 sda3[0] sdb3[1](E)\n      900 blocks [2/2] [UE]\n" TAIL) END,
        DSM MDSTAT("md2 : active raid1 sda3[0] sdb3[1]\n      900 blocks [2/2] [UE]\n" TAIL) END,
        DSM MDSTAT("md2 : active raid1 sda3[0] sdb3[1](E)\n      900 blocks [2/2] [UU]\n" TAIL) END,
        DSM MDSTAT("md2 : active raid1 sda3[0] sdb3[1](E)\n      900 blocks [2/2] [UU]\n" TAIL)
            F("md", "md2/array_state\tclean\nmd2/degraded\t0\nmd2/sync_action\tidle\n") END,
    };
    for (size_t i = 0; i < NG_COUNT(frames); i++) {
        const struct ng_facts *facts = facts_of(frames[i]);
        expect(facts, "md2", NO, YES);
        assert_non_null(strstr(find(facts, "md2")->degraded_why, "disk error (E)"));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(chunks_of_raid0_end_the_parser),
        TEST(one_odd_array_hides_the_others),
        TEST(pending_resync_ends_the_parser),
        TEST(unraid_text_ends_the_parser),
        TEST(unraid_has_no_arrays_and_looks_fine),
        TEST(missing_mdstat_is_an_error_or_health),
        TEST(raid_disks_of_a_reshape_is_no_number),
        TEST(unexpected_line_is_out_of_range),
        TEST(synced_blocks_never_reach_the_size_of_raid5),
        TEST(recovery_is_not_seen),
        TEST(dsm_prints_counters_on_raid0_and_empty_slots),
        TEST(reshape_is_not_a_word_of_progress),
        TEST(qnap_system_arrays_alarm_for_ever),
        TEST(removed_disk_of_qnap_has_no_flag),
        TEST(array_in_check_alarms_as_degraded),
        TEST(clean_although_a_disk_is_missing),
        TEST(degraded_without_a_rebuild_goes_unnoticed),
        TEST(delayed_is_drawn_as_zero_percent),
        TEST(spares_and_removed_members_alarm),
        TEST(dsm_volume_crashed_with_all_disks_in_sync),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
