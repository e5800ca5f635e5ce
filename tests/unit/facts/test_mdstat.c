/* mdstat: one rule per row, by the platform's dialect; and what the sysfs files change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/facts/md.h"

#define HEAD "Personalities : [raid1] [raid6] [raid5] [raid4] \n"
#define TAIL "      \nunused devices: <none>\n"
#define U NG_ANSWER_UNKNOWN
#define NO NG_ANSWER_NO
#define YES NG_ANSWER_YES
#define LINUX NG_PLATFORM_LINUX
#define DSM NG_PLATFORM_DSM
#define QTS NG_PLATFORM_QTS

struct vector {
    int number;
    const char *text;
    enum ng_platform platform;
    const char *array;
    enum ng_answer busy, degraded;
};

static const struct vector vectors[] = {
    {1,
        HEAD "md0 : active raid5 sda5[0] sdb5[1] sdc5[2]\n"
             "      900 blocks level 5, 64k chunk, algorithm 2 [3/3] [UUU]\n" TAIL,
        LINUX, "md0", NO, NO},
    {2,
        HEAD "md0 : active raid1 sda1[0] sdb1[1]\n"
             "      2490176 blocks [8/2] [UU______]\n" TAIL,
        DSM, "md0", NO, NO},
    {3,
        HEAD "md2 : active raid1 sda1[0] sdb1[1]\n"
             "      2490176 blocks [8/2] [UU______]\n" TAIL,
        DSM, "md2", NO, YES},
    {4,
        HEAD "md9 : active raid1 sda1[32] sdb1[33]\n"
             "      530048 blocks super 1.0 [32/2] [UU______________________________]\n" TAIL,
        QTS, "md9", NO, NO},
    {5,
        HEAD "md3 : active raid1 sda3[1](E)\n"
             "      900 blocks super 1.2 [2/1] [_E]\n" TAIL,
        DSM, "md3", NO, YES},
    {6,
        HEAD "md3 : active raid0 sda3[0]\n"
             "      244193984 blocks super 1.2 64k chunks [1/1] [U]\n" TAIL,
        DSM, "md3", NO, NO},
    {7,
        HEAD "md10 : active raid0 sda1[0] sdb1[1]\n"
             "       314159265 blocks 64k chunks\n" TAIL,
        LINUX, "md10", NO, NO},
    {8,
        HEAD "md127 : inactive sda[1](S) sdb[0](S)\n"
             "      5288 blocks super external:imsm\n" TAIL,
        LINUX, "md127", NO, NO},
    {9,
        HEAD "md0 : inactive sda1[0] sdb1[1](S)\n"
             "      5288 blocks super 1.2\n" TAIL,
        LINUX, "md0", NO, YES},
    {10,
        HEAD "md0 : active (auto-read-only) raid1 sda1[0] sdb1[1]\n"
             "      4190208 blocks super 1.2 [2/2] [UU]\n"
             "      \tresync=PENDING\n" TAIL,
        LINUX, "md0", YES, NO},
    {11,
        HEAD "md0 : active raid6 a[0] b[1] c[2] d[3] e[4] f[5]\n"
             "      900 blocks level 6, 64k chunk, algorithm 2 [6/6] [UUUUUU]\n"
             "      \tresync=DELAYED\n" TAIL,
        LINUX, "md0", YES, NO},
    {12,
        HEAD "md0 : active raid1 a[2] b[1]\n"
             "      900 blocks [2/1] [_U]\n"
             "      [>....................]  recovery =  3.6% (32/900) finish=1.0min "
             "speed=12K/sec\n" TAIL,
        LINUX, "md0", YES, YES},
    {13,
        HEAD "md0 : active raid1 b[1]\n"
             "      900 blocks [2/1] [_U]\n" TAIL,
        LINUX, "md0", NO, YES},
    {14,
        HEAD "md0 : active raid5 a[0] b[1] c[2] d[3] e[4](F) f[5]\n"
             "      900 blocks level 5, 64k chunk, algorithm 2 [5/5] [UUUUU]\n" TAIL,
        LINUX, "md0", NO, NO},
    {15,
        HEAD "md0 : broken raid0 a[0]\n"
             "      900 blocks super 1.2 64k chunks\n" TAIL,
        LINUX, "md0", NO, YES},
    {16,
        HEAD "md0 : active raid5 a[0] b[1] c[2]\n"
             "      900 blocks level 5, 64k chunk, algorithm 2 [3/3] [UUUU]\n" TAIL,
        LINUX, "md0", U, U},
    {17,
        HEAD "md2 : active raid5 sda5[0] sdb5[1] sdc5[2]\n"
             "      900 blocks super 1.2 level 5, 64k chunk, algorithm 2 [3/3] [UUU]\n"
             "      \n"
             "md0 : active raid1 sda1[0] sdb1[1] sdc1[2]\n"
             "      2490176 blocks [8/3] [UUU_____]\n"
             "      [==================>..]  check = 98.3% (2447843/2490176) finish=0.0min "
             "speed=99K/sec\n" TAIL,
        DSM, "md0", YES, NO},
};

static void check_vectors(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(vectors); i++) {
        const struct vector *vector = &vectors[i];
        struct ng_arena arena;
        struct ng_md md;
        ng_arena_init(&arena);
        ng_mdstat_parse(&md, &arena, vector->text, strlen(vector->text));
        ng_md_judge(&md, &arena, vector->platform);
        const struct ng_md_array *array = md_find(&md, vector->array);
        if (md.kind != NG_MD_LINUX || array == NULL || array->busy != vector->busy ||
            array->degraded != vector->degraded) {
            fail_msg("vector %d: busy %d degraded %d (%s)", vector->number,
                array == NULL ? -1 : (int)array->busy, array == NULL ? -1 : (int)array->degraded,
                array == NULL ? "no array" : array->busy_why);
        }
        assert_true((vector->number == 14) == (array->warning != NULL));
        ng_arena_release(&arena);
    }
}

static struct ng_md judged(
    struct ng_arena *arena, const char *text, const char *sysfs, enum ng_platform platform) {
    struct ng_md md;
    ng_mdstat_parse(&md, arena, text, strlen(text));
    ng_md_sysfs_parse(&md, arena, sysfs, strlen(sysfs));
    ng_md_judge(&md, arena, platform);
    return md;
}

#define UNRAID_HEAD                                                                                \
    "sbName=/boot/config/super.dat\nmdState=STARTED\nmdNumDisks=4\nmdNumDisabled=0\n"              \
    "mdNumInvalid=0\nmdNumMissing=0\nmdNumWrong=0\n"

/* Vectors 18, 19 and 20: Unraid, and texts that nobody understands. */
static void unraid_and_nothing(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_md md = judged(&arena,
        UNRAID_HEAD "mdResyncAction=check P\nmdResync=0\nmdResyncPos=0\nmdResyncDt=0\n", "",
        NG_PLATFORM_UNRAID);
    assert_int_equal(md.kind, NG_MD_UNRAID);
    assert_int_equal(md.unraid.busy, NG_ANSWER_NO);
    assert_int_equal(md.unraid.degraded, NG_ANSWER_NO);

    md = judged(&arena, HEAD TAIL, "", NG_PLATFORM_UNRAID);
    assert_int_equal(md.kind, NG_MD_UNKNOWN);
    assert_non_null(strstr(md.reason, "Unraid"));

    md = judged(&arena, "", "", LINUX);
    assert_int_equal(md.kind, NG_MD_UNKNOWN);
    md = judged(&arena, "md0 : active raid1 a[0] b[1]\n 9 blocks [2/2] [UU]\n", "", LINUX);
    assert_int_equal(md.kind, NG_MD_UNKNOWN);

    md = judged(&arena, HEAD, "", LINUX); /* what comes behind the header was cut off */
    assert_int_equal(md.kind, NG_MD_UNKNOWN);
    md = judged(&arena, HEAD TAIL, "", LINUX);
    assert_int_equal(md.kind, NG_MD_NONE);
    md = judged(&arena, HEAD TAIL, "", DSM); /* always has arrays: something is wrong */
    assert_int_equal(md.kind, NG_MD_UNKNOWN);
    ng_arena_release(&arena);
}

static void unraid_at_work(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_md md = judged(&arena,
        UNRAID_HEAD "mdResyncAction=check P\nmdResync=1000\nmdResyncPos=250\nmdResyncSize=1000\n"
                    "mdResyncDt=5\n",
        "", NG_PLATFORM_UNRAID);
    assert_int_equal(md.unraid.busy, NG_ANSWER_YES);
    assert_non_null(strstr(md.unraid.busy_why, "check P, 25.0%"));
    md = judged(&arena, UNRAID_HEAD "mdResyncAction=check\nmdResync=0\nmdResyncPos=250\n", "",
        NG_PLATFORM_UNRAID);
    assert_int_equal(md.unraid.busy, NG_ANSWER_YES);
    assert_non_null(strstr(md.unraid.busy_why, "paused"));
    md = judged(
        &arena, "mdState=STARTED\nmdNumDisabled=1\nmdNumInvalid=1\n", "", NG_PLATFORM_UNRAID);
    assert_int_equal(md.unraid.busy, NG_ANSWER_UNKNOWN);
    assert_int_equal(md.unraid.degraded, NG_ANSWER_YES);
    ng_arena_release(&arena);
}

#define CLEAN HEAD "md0 : active raid1 a[0] b[1]\n      900 blocks [2/2] [UU]\n" TAIL
#define SYNCING                                                                                    \
    HEAD "md0 : active raid1 a[0] b[1]\n      900 blocks [2/2] [UU]\n"                             \
         "      [>....]  resync =  3.6% (32/900) finish=1.0min speed=0K/sec\n" TAIL

struct pair {
    const char *what, *mdstat, *sysfs;
    enum ng_answer busy, degraded;
    const char *action;
};

static void sysfs_against_mdstat(void **state) {
    (void)state;
    static const struct pair pairs[] = {
        {"both idle", CLEAN, "md0/sync_action\tidle\nmd0/degraded\t0\n", NO, NO, NULL},
        {"a repair prints as resync", SYNCING, "md0/sync_action\trepair\nmd0/degraded\t0\n", YES,
            NO, "repair"},
        {"progress against idle", SYNCING, "md0/sync_action\tidle\n", U, NO, NULL},
        {"no progress against check", CLEAN, "md0/sync_action\tcheck\n", U, NO, NULL},
        {"held back", CLEAN, "md0/sync_action\tfrozen\n", YES, NO, "frozen"},
        {"stopped reshape", CLEAN, "md0/sync_action\tidle\nmd0/reshape_position\t4096\n", YES, NO,
            "reshape"},
        {"no reshape", CLEAN, "md0/sync_action\tidle\nmd0/reshape_position\tnone\n", NO, NO, NULL},
        {"degraded only in sysfs", CLEAN, "md0/sync_action\tidle\nmd0/degraded\t1\n", NO, U, NULL},
        {"unreadable files are no values", CLEAN, "!md0/sync_action\t\n!md0/degraded\t\n", NO, NO,
            NULL},
        {"broken", CLEAN, "md0/array_state\tbroken\n", NO, YES, NULL},
        {"only in mdstat's map, sysfs silent", CLEAN, "", NO, NO, NULL},
    };
    for (size_t i = 0; i < NG_COUNT(pairs); i++) {
        struct ng_arena arena;
        ng_arena_init(&arena);
        struct ng_md md = judged(&arena, pairs[i].mdstat, pairs[i].sysfs, LINUX);
        const struct ng_md_array *array = md_find(&md, "md0");
        assert_non_null(array);
        if (array->busy != pairs[i].busy || array->degraded != pairs[i].degraded ||
            (pairs[i].action != NULL &&
                (array->action == NULL || strcmp(array->action, pairs[i].action) != 0))) {
            fail_msg("%s: busy %d degraded %d action %s (%s)", pairs[i].what, (int)array->busy,
                (int)array->degraded, array->action == NULL ? "-" : array->action, array->busy_why);
        }
        ng_arena_release(&arena);
    }
}

static void arrays_in_one_source_only(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_md md = judged(&arena, HEAD TAIL, "md7/array_state\tclear\n", LINUX);
    assert_int_equal(md.kind, NG_MD_NONE); /* a stopped array leaves its device behind */
    md = judged(&arena, HEAD TAIL, "md7/array_state\tclean\nmd7/sync_action\tidle\n", LINUX);
    assert_int_equal(md.kind, NG_MD_LINUX);
    assert_int_equal(md_find(&md, "md7")->busy, NG_ANSWER_UNKNOWN);
    ng_arena_release(&arena);
}

static void details(void **state) {
    (void)state;
    static const char text[] =
        HEAD "md_d0 : active raid5 cciss/c0d0p1[0](W) dm-15[7] nvme0n1p3[2](W)(F) sda1[3](J) "
             "sdb1[4](X)\n"
             "      95705752576 blocks super 1.2 level 5, 64k chunk, algorithm 2 [3/2] [UU_]\n"
             "      [===>.................]  recovery = 19.6% (288381540/1465135936) "
             "finish=1420.1min speed=13810K/sec\n"
             "      bitmap: 2/102 pages [8KB], 65536KB chunk, file: /a/<b>:md0 : x=1%\n"
             "      super strange = words\n" TAIL;
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_md md = judged(&arena, text, "", LINUX);
    assert_int_equal(md.count, 1);
    const struct ng_md_array *array = md_find(&md, "md_d0");
    assert_int_equal(array->member_count, 5);
    assert_string_equal(array->members[0].name, "cciss/c0d0p1");
    assert_true(array->members[0].write_mostly);
    assert_int_equal(array->members[1].number, 7);
    assert_true(array->members[2].faulty && array->members[2].write_mostly);
    assert_true(array->members[3].journal);
    assert_string_equal(array->members[4].odd, "(X)");
    assert_true(array->size_kib == INT64_C(95705752576));
    assert_string_equal(array->metadata, "1.2");
    assert_int_equal(array->work_count, 1);
    assert_true(array->works[0].done == 288381540 && array->works[0].total == 1465135936);
    assert_true(array->works[0].percent > 19.5 && array->works[0].percent < 19.7);
    assert_true(array->works[0].speed_kib == 13810);
    assert_string_equal(array->odd_line, "super strange = words");
    assert_string_equal(array->action, "recovery");
    assert_non_null(strstr(array->busy_why, "is in recovery, 19.6%, 24 h left"));
    ng_arena_release(&arena);
}

/* "active(auto-read-only)", as kernels of the 2.6 era print it. */
static void old_kernels(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_md md = judged(&arena,
        "Personalities : [raid1] \nread_ahead 1024 sectors\nEvent: 1\n"
        "md0 : active(auto-read-only) raid1 a[0] b[1]\n      900 blocks [2/2] [UU]\n"
        "md1 : inactive(odd) raid1 c[0]\n      900 blocks [2/2] [UU]\n",
        "", LINUX);
    assert_int_equal(md.count, 2);
    assert_true(md.arrays[0].auto_read_only);
    assert_string_equal(md.arrays[0].state, "active");
    assert_int_equal(md.arrays[0].busy, NO);
    assert_string_equal(md.arrays[1].state, "inactive(odd)");
    assert_int_equal(md.arrays[1].degraded, U);
    ng_arena_release(&arena);
}

/* One array that is not understood does not hide the others, and is not healthy. */
static void odd_texts(void **state) {
    (void)state;
    static const char text[] =
        HEAD "md0 : frozen-solid raid1 a[0] b[1]\n      900 blocks [2/2] [UU]\n"
             "md1 : active raid1 a2[0] b2[1]\n      900 blocks [2/2] [UU]\n      resync=SLEEPING\n"
             "md2 : active raid1 a3[0] b3[1]\n      900 blocks [2/2] [UU]\n"
             "md3 : active raid1 a4[0] b4[1]\n      900 bl";
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_md md = judged(&arena, text, "", LINUX);
    assert_int_equal(md.count, 4);
    assert_int_equal(md.arrays[0].busy, NG_ANSWER_UNKNOWN);
    assert_int_equal(md.arrays[0].degraded, NG_ANSWER_UNKNOWN);
    assert_int_equal(md.arrays[1].busy, NG_ANSWER_UNKNOWN);
    assert_int_equal(md.arrays[2].busy, NG_ANSWER_NO);
    assert_int_equal(md.arrays[3].busy, NG_ANSWER_UNKNOWN);
    assert_int_equal(md.arrays[3].degraded, NG_ANSWER_UNKNOWN);
    md = judged(&arena, CLEAN "md0 : active raid1 a[0]\n      900 blocks [2/2] [UU]\n", "", LINUX);
    assert_int_equal(md.count, 1);
    assert_int_equal(md.arrays[0].busy, NG_ANSWER_UNKNOWN); /* listed twice */
    ng_arena_release(&arena);
}

/* Any prefix of a text is parsed without harm, and never gives an idle array for a cut block. */
static void truncation(void **state) {
    (void)state;
    static const char text[] = SYNCING;
    size_t map_end = (size_t)(strstr(text, "[UU]") - text) + 4;
    for (size_t len = 0; len < sizeof text; len++) {
        struct ng_arena arena;
        struct ng_md md;
        ng_arena_init(&arena);
        char *copy = ng_arena_strndup(&arena, text, len);
        ng_mdstat_parse(&md, &arena, copy, len);
        ng_md_judge(&md, &arena, LINUX);
        const struct ng_md_array *array = md_find(&md, "md0");
        if (array != NULL && len < map_end) {
            assert_int_not_equal(array->busy, NG_ANSWER_NO);
            assert_int_not_equal(array->degraded, NG_ANSWER_NO);
        }
        ng_arena_release(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_vectors),
        cmocka_unit_test(unraid_and_nothing),
        cmocka_unit_test(unraid_at_work),
        cmocka_unit_test(sysfs_against_mdstat),
        cmocka_unit_test(arrays_in_one_source_only),
        cmocka_unit_test(details),
        cmocka_unit_test(odd_texts),
        cmocka_unit_test(old_kernels),
        cmocka_unit_test(truncation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
