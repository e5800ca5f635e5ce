/* btrfs file systems in the list of arrays: what sysfs, btrfs and the processes tell together. Some
 * tests bear the name of a symptom that other programs were reported for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "runner/facts/collect.h"
#include "runner/facts/facts.h"

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
#define MOUNTS F("mountinfo", "1 0 0:30 / /volume1 rw - btrfs /dev/sda1 rw\n")
#define SYS(more)                                                                                  \
    MOUNTS F("block", "block/sda/dev\t8:0\nblock/sda/part/sda1/dev\t8:1\n"                         \
                      "btrfs/u-1/devices/sda1\t\n" more)
#define NEW(operation)                                                                             \
    SYS("btrfs/u-1/devinfo/1/missing\t0\nbtrfs/u-1/exclusive_operation\t" operation "\n")
#define OLD SYS("")
#define ALONE F("scrub.tasks", "/proc/2\tkthreadd\n")
#define BUSY_TASK F("scrub.tasks", "/proc/2\tkthreadd\n/proc/9\tbtrfs\n")
#define DSM F("dsm", "majorversion=\"7\"\nproductversion=\"7.2\"\nbuildnumber=\"64570\"\n")
#define IDLE_SCRUB F("scrub.u-1", "UUID: u-1\nScrub started: Wed\nStatus: finished\n")
#define NO_BALANCE F("balance.u-1", "No balance found on '/volume1'\n")
#define NO_REPLACE F("replace.u-1", "Never started\n")
#define STATS(count)                                                                               \
    F("stats.u-1", "[/dev/sda1].write_io_errs 0\n[/dev/sda1].read_io_errs " count "\n")

static const struct ng_facts *parse(const char *frames) {
    const char *text = ng_arena_printf(&arena, "%s\nt Z end\n", frames);
    return ng_facts_parse(&arena, "nas", "t", text, strlen(text));
}

static const struct ng_array *btrfs_of(const char *frames) {
    const struct ng_facts *facts = parse(frames);
    for (size_t i = 0; i < facts->arrays.count; i++) {
        if (strcmp(facts->arrays.items[i].kind, "btrfs") == 0) {
            return &facts->arrays.items[i];
        }
    }
    return NULL;
}

static void busy(void **state) {
    (void)state;
    static const struct {
        const char *frames;
        enum ng_answer busy;
        const char *action, *waiting, *why;
    } rows[] = {
        {NEW("none") ALONE, NO, NULL, NULL, ""},
        {NEW("balance") ALONE, YES, "balance", NULL, "is in balance"},
        {NEW("balance") FAILED("balance.u-1",
             "Balance on '/volume1' is running\n3 out of about 9 chunks balanced (10 considered), "
             " 67% left\n",
             "1"),
            YES, "balance", NULL, "is in balance, 33.0%"},
        {NEW("balance paused") ALONE, YES, "balance", "paused", "a balance that is paused"},
        {NEW("device add") ALONE, YES, "expansion", NULL, "is in device add"},
        {NEW("device remove") ALONE, YES, "removal", NULL, "is in device remove"},
        {NEW("device replace") F("replace.u-1", "12.3% done, 0 write errs, 0 uncorr. read errs\n"),
            YES, "replace", NULL, "is in device replace, 12.3%"},
        {NEW("resize") ALONE, YES, "expansion", NULL, "is in resize"},
        {NEW("swap activate") ALONE, YES, NULL, NULL, "is in swap activate"},
        {NEW("something new") ALONE, YES, NULL, NULL, "is in something new"},
        {NEW("none") F("scrub.u-1",
             "UUID: u-1\nStatus: running\nTime left: 3:00:00\nBytes scrubbed: 1GiB (25.00%)\n"),
            YES, "scrub", NULL, "is in a scrub, 25.0%, 3 h left"},
        {NEW("balance") F("scrub.u-1", "UUID: u-1\nStatus: running\n"), YES, NULL, NULL,
            "is in balance and is in a scrub"},
        {NEW("none") ALONE F("rescan.u-1", "rescan operation running (current key 5)\n"), YES, NULL,
            NULL, "rescan"},
        {NEW("none"), U, NULL, NULL, "whether it is scrubbed"},
        {NEW("none") ALONE IDLE_SCRUB, NO, NULL, NULL, ""},
        /* no exclusive_operation: before 5.10 */
        {OLD ALONE IDLE_SCRUB NO_BALANCE NO_REPLACE STATS("0"), NO, NULL, NULL, ""},
        {OLD DSM IDLE_SCRUB NO_BALANCE NO_REPLACE STATS("0"), NO, NULL, NULL, ""},
        {OLD ALONE IDLE_SCRUB FAILED("balance.u-1", "Balance on '/volume1' is running\n", "1")
                NO_REPLACE,
            YES, "balance", NULL, "is in balance"},
        {OLD ALONE IDLE_SCRUB FAILED("balance.u-1", "Balance on '/volume1' is paused\n", "1")
                NO_REPLACE,
            YES, "balance", "paused", "paused"},
        {OLD ALONE IDLE_SCRUB NO_BALANCE F("replace.u-1", "1.0% done, 0 write errs\n"), YES,
            "replace", NULL, "is in device replace, 1.0%"},
        {OLD ALONE IDLE_SCRUB NO_BALANCE F("replace.u-1",
             "Started on 1, suspended on 2 at 12.3%, 0 write errs, 0 uncorr. read errs\n"),
            YES, "replace", "paused", "suspended"},
        {OLD ALONE IDLE_SCRUB FAILED("balance.u-1", "ERROR: x\n", "2") NO_REPLACE, NO, NULL, NULL,
            ""}, /* by the processes */
        {OLD IDLE_SCRUB FAILED("balance.u-1", "ERROR: x\n", "2") NO_REPLACE, U, NULL, NULL,
            "cannot be excluded"},
        {OLD BUSY_TASK IDLE_SCRUB NO_BALANCE NO_REPLACE, U, NULL, NULL, "/proc/9 btrfs may be at"},
        {OLD IDLE_SCRUB NO_BALANCE NO_REPLACE F("stats.u-1", "[/dev/sda1].x 0\n[/dev/sdb1].x 0\n"),
            U, NULL, NULL, "removal of a device cannot be excluded"},
        /* not root */
        {OLD ALONE, NO, NULL, NULL, ""},
        {OLD DSM ALONE, U, NULL, NULL, "btrfs tells it only to root"},
        {OLD, U, NULL, NULL, "cannot be excluded"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_array *array = btrfs_of(rows[i].frames);
        assert_non_null(array);
        bool action = rows[i].action == NULL
                          ? array->action == NULL
                          : array->action != NULL && strcmp(array->action, rows[i].action) == 0;
        bool waiting = rows[i].waiting == NULL
                           ? array->waiting == NULL
                           : array->waiting != NULL && strcmp(array->waiting, rows[i].waiting) == 0;
        if (array->busy != rows[i].busy || !action || !waiting ||
            strstr(array->busy_why, rows[i].why) == NULL) {
            fail_msg("row %zu: busy %d action %s waiting %s: %s", i, (int)array->busy,
                array->action == NULL ? "-" : array->action,
                array->waiting == NULL ? "-" : array->waiting, array->busy_why);
        }
    }
}

#define SHOW(lines)                                                                                \
    F("btrfs.show", "Label: none  uuid: u-1\n\tTotal devices 2 FS bytes used 1\n" lines)

static void degraded(void **state) {
    (void)state;
    static const struct {
        const char *frames;
        enum ng_answer degraded;
        const char *why; /* of degraded, or of the warning */
    } rows[] = {
        {SYS("btrfs/u-1/devinfo/1/missing\t0\n"), NO, ""},
        {SYS("btrfs/u-1/devinfo/1/missing\t0\nbtrfs/u-1/devinfo/2/missing\t1\n"), YES,
            "1 device is missing"},
        {SYS("!btrfs/u-1/devinfo/1/missing\t\n"), U, "only to root"},
        {OLD STATS("0"), U, "whether a device is missing"}, /* they may end before it */
        {OLD STATS("7") SHOW("\tdevid 1 path /dev/sda1\n\tdevid 2 path /dev/sdb\n"), NO,
            "read_io_errs 7"},
        {OLD F("stats.u-1", "[/dev/sda1].x 0\n[devid:2].x 0\n"), YES, "1 device is missing"},
        {OLD SHOW("\tdevid 1 size 1 used 1 path /dev/sda1\n\t*** Some devices missing\n"), YES,
            "a device is missing"},
        {OLD SHOW(
             "\tdevid 1 size 1 used 1 path /dev/sda1\n\tdevid 2 size 1 used 1 path /dev/sdb\n"),
            NO, ""},
        {OLD, U, "whether a device is missing"},
        {SYS("btrfs/u-1/devinfo/1/missing\t0\nbtrfs/u-1/data/raid5\t\nbtrfs/u-1/metadata/"
             "raid1\t\n"),
            NO, "parity profiles"},
        {F("mountinfo", "1 0 0:30 / /volume1 rw - btrfs /dev/sda1 rw,degraded\n")
                F("block", "block/sda1/dev\t8:1\nbtrfs/u-1/devices/sda1\t\n"
                           "btrfs/u-1/devinfo/1/missing\t0\n"),
            NO, "mounted with \"degraded\""},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_array *array = btrfs_of(rows[i].frames);
        assert_non_null(array);
        bool why = strstr(array->degraded_why, rows[i].why) != NULL ||
                   (array->warning != NULL && strstr(array->warning, rows[i].why) != NULL);
        if (array->degraded != rows[i].degraded || !why) {
            fail_msg("row %zu: degraded %d: %s | %s", i, (int)array->degraded, array->degraded_why,
                array->warning == NULL ? "" : array->warning);
        }
    }
}

static void what_it_is(void **state) {
    (void)state;
    const struct ng_array *array = btrfs_of(
        SYS("btrfs/u-1/devinfo/1/missing\t0\nbtrfs/u-1/devinfo/2/missing\t1\n"
            "btrfs/u-1/data/raid1\t\nbtrfs/u-1/data/single\t\nbtrfs/u-1/metadata/dup\t\n"));
    assert_string_equal(array->level, "raid1+single");
    assert_int_equal(array->device_count, 1);
    assert_string_equal(array->devices[0], "sda1");
    assert_int_equal(array->slots, 2);
    assert_int_equal(array->in_sync, 1);
    assert_non_null(strstr(array->seen, "metadata dup"));
}

/* Both spellings of an idle and of a running scrub are told apart. */
static void the_new_wording_of_btrfs_progs_is_unknown(void **state) {
    (void)state;
    const struct ng_array *array =
        btrfs_of(NEW("none") F("scrub.u-1", "UUID:             u-1\nScrub started:    Sun\n"
                                            "Status:           finished\nDuration: 0:00:04\n"));
    assert_int_equal(array->busy, NO);
    array = btrfs_of(NEW("none")
            F("scrub.u-1", "scrub status for u-1\n\tscrub started at Sun, running for 00:00:05\n"));
    assert_int_equal(array->busy, YES);
}

static void a_running_scrub_has_no_stats_available(void **state) {
    (void)state;
    const struct ng_array *array = btrfs_of(NEW("none") F("scrub.u-1",
        "UUID: u-1\n\tno stats available\nTime left:        0:00:00\nTotal to scrub:   4.00GiB\n"
        "Bytes scrubbed:   0.00B  (0.00%)\nRate:             0.00B/s (some device limits set)\n"));
    assert_int_equal(array->busy, YES);
    assert_string_equal(array->action, "scrub");
}

/* What changes while a scrub runs is no sign that another ended; a new start is. */
static void the_trace_changes_with_a_new_scrub_only(void **state) {
    (void)state;
    const char *first = btrfs_of(
        NEW("none")
            F("scrub.u-1", "UUID: u-1\nScrub started: Wed\nStatus: running\nDuration: 0:00:01\n"))
                            ->trace;
    const char *later = btrfs_of(
        NEW("none")
            F("scrub.u-1", "UUID: u-1\nScrub started: Wed\nStatus: running\nDuration: 0:10:01\n"))
                            ->trace;
    const char *ended = btrfs_of(
        NEW("none")
            F("scrub.u-1", "UUID: u-1\nScrub started: Wed\nStatus: finished\nDuration: 0:20:01\n"))
                            ->trace;
    assert_string_equal(first, later);
    assert_string_not_equal(first, ended);
    const char *file =
        btrfs_of(NEW("none") ALONE F("scrubbed.u-1",
                     "scrub status:1\nu:1|x:1|t_start:1764500000|canceled:0|finished:1\n"))
            ->trace;
    assert_non_null(strstr(file, "1764500000"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(busy, set_up, tear_down),
        cmocka_unit_test_setup_teardown(degraded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            the_new_wording_of_btrfs_progs_is_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_running_scrub_has_no_stats_available, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_trace_changes_with_a_new_scrub_only, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
