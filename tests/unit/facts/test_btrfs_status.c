/* What the btrfs tool prints, old words and new ones, and what must be concluded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "runner/facts/btrfs_status.h"

#define NO NG_ANSWER_NO
#define YES NG_ANSWER_YES
#define U NG_ANSWER_UNKNOWN
#define SECONDS(s) ((s)*INT64_C(1000000000))

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

struct row {
    const char *text;
    enum ng_answer runs;
    bool paused;
    double percent;
    int64_t left;
    const char *last;   /* a piece of it */
    const char *errors; /* a piece of it; NULL: none */
};

typedef struct ng_btrfs_job parser(struct ng_arena *arena, const char *text, size_t len);

static void check(parser *parse, const struct row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        struct ng_btrfs_job job = parse(&arena, row->text, strlen(row->text));
        double off = job.percent - row->percent;
        bool errors = row->errors == NULL
                          ? job.errors == NULL
                          : job.errors != NULL && strstr(job.errors, row->errors) != NULL;
        if (job.runs != row->runs || job.paused != row->paused || off > 0.001 || off < -0.001 ||
            job.left_ns != row->left || strstr(job.last, row->last) == NULL || !errors) {
            fail_msg("%s\nruns %d paused %d %.2f %lld last %s errors %s", row->text, (int)job.runs,
                job.paused, job.percent, (long long)job.left_ns, job.last,
                job.errors == NULL ? "-" : job.errors);
        }
    }
}

static void scrub(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"UUID:             u\nScrub started:    Wed Nov 30 11:00:00 2026\n"
         "Status:           running\nDuration:         0:00:04\nTime left:        0:00:02\n"
         "ETA:              Wed\nTotal to scrub:   4.00GiB\n"
         "Bytes scrubbed:   1.61GiB  (40.23%)\nRate:             411.02MiB/s\n"
         "Error summary:    no errors found\n",
            YES, false, 40.23, SECONDS(2), "Scrub started:    Wed Nov 30 11:00:00 2026", NULL},
        {"UUID: u\nScrub resumed:    Wed\nStatus:           running\nTime left: 12:00:02\n"
         "Bytes scrubbed: 1GiB (99.00%)\nRate: 1MiB/s (some device limits set)\n"
         "UUID: u\nScrub started: Wed\nStatus: running\nTime left: 0:00:01\n"
         "Bytes scrubbed: 1GiB (2.00%)\n",
            YES, false, 2, SECONDS(43202), "Scrub resumed:", NULL},
        {"UUID: u\nScrub started:    Wed\nStatus:           finished\nDuration: 0:00:04\n"
         "Total to scrub: 4.00GiB\nError summary:    read=2 csum=3\n  Corrected:      0\n",
            NO, false, -1, -1, "Status:           finished", "csum=3"},
        {"UUID: u\n\tno stats available\nTotal to scrub:   4.00GiB\nRate: 0.00B/s\n"
         "Error summary:    no errors found\n",
            NO, false, -1, -1, "", NULL},
        {"UUID: u\n\tno stats available\nTime left:        0:00:00\nTotal to scrub:   4.00GiB\n"
         "Bytes scrubbed:   0.00B  (0.00%)\n",
            YES, false, 0, 0, "", NULL},
        {"UUID: u\nScrub started: Wed\nStatus:           interrupted\n", NO, false, -1, -1,
            "interrupted", NULL},
        {"scrub status for u\n\tscrub started at Wed Nov 30 11:00:00 2016, running for 00:00:05\n"
         "\ttotal bytes scrubbed: 1.00GiB with 0 errors\n",
            YES, false, -1, -1, "scrub started at Wed Nov 30 11:00:00 2016", NULL},
        {"scrub status for u\n\tscrub started at Wed and finished after 00:00:16\n"
         "\ttotal bytes scrubbed: 1.00GiB with 3 errors\n\terror details: csum=3\n",
            NO, false, -1, -1, "and finished after 00:00:16", "with 3 errors"},
        {"WARNING: failed to read status: Connection reset by peer\n", U, false, -1, -1, "", NULL},
        {"", U, false, -1, -1, "", NULL},
    };
    check(ng_btrfs_scrub_parse, rows, NG_COUNT(rows));
}

/* While a scrub runs, nothing of the trace may change by itself. */
static void the_trace_of_a_running_scrub_stands_still(void **state) {
    (void)state;
    static const char *const texts[] = {
        "scrub status for u\n\tscrub started at Wed, running for 00:00:05\n",
        "scrub status for u\n\tscrub started at Wed, running for 00:10:05\n",
    };
    struct ng_btrfs_job one = ng_btrfs_scrub_parse(&arena, texts[0], strlen(texts[0]));
    struct ng_btrfs_job two = ng_btrfs_scrub_parse(&arena, texts[1], strlen(texts[1]));
    assert_string_equal(one.last, two.last);
    assert_string_equal(one.last, "scrub started at Wed");
}

static void balance(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"No balance found on '/mnt'\n", NO, false, -1, -1, "", NULL},
        {"Balance on '/mnt' is running\n3 out of about 9 chunks balanced (10 considered),  67% "
         "left\n",
            YES, false, 33, -1, "", NULL},
        {"Balance on '/mnt' is running, pause requested\n0 out of about 9 chunks balanced (1 "
         "considered), 100% left\n",
            YES, false, 0, -1, "", NULL},
        {"Balance on '/mnt' is running, cancel requested\n", YES, false, -1, -1, "", NULL},
        {"Balance on '/mnt' is paused\n3 out of about 9 chunks balanced (10 considered),  67% "
         "left\n",
            NO, true, 33, -1, "", NULL},
        {"Balance on '/mnt' is somewhere\n", U, false, -1, -1, "", NULL},
        {"ERROR: not a btrfs filesystem: /mnt\n", U, false, -1, -1, "", NULL},
        {"", U, false, -1, -1, "", NULL},
    };
    check(ng_btrfs_balance_parse, rows, NG_COUNT(rows));
}

static void replace(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"Never started\n", NO, false, -1, -1, "", NULL},
        {"12.3% done, 0 write errs, 0 uncorr. read errs\n", YES, false, 12.3, -1, "", NULL},
        {"12.3% done, 0 write errs, 5 uncorr. read errs\n", YES, false, 12.3, -1, "",
            "5 uncorr. read errs"},
        {"Started on 30.Nov 11:51:53, finished on 30.Nov 12:00:01, 0 write errs, 0 uncorr. read "
         "errs\n",
            NO, false, -1, -1, "finished on 30.Nov 12:00:01", NULL},
        {"Started on 30.Nov 11:51:53, finished on 30.Nov 12:00:01, 2 write errs, 0 uncorr. read "
         "errs\n",
            NO, false, -1, -1, "finished on", "2 write errs"},
        {"Started on 30.Nov 11:51:53, canceled on 30.Nov 12:00:01 at 12.3%, 0 write errs, 0 "
         "uncorr. "
         "read errs\n",
            NO, false, -1, -1, "canceled on", NULL},
        {"Started on 30.Nov 11:51:53, suspended on 30.Nov 12:00:01 at 12.3%, 0 write errs, 0 "
         "uncorr. "
         "read errs\n",
            NO, true, 12.3, -1, "suspended on", NULL},
        {"ERROR: ioctl(DEV_REPLACE_STATUS) failed\n", U, false, -1, -1, "", NULL},
        {"\n", U, false, -1, -1, "", NULL},
    };
    check(ng_btrfs_replace_parse, rows, NG_COUNT(rows));
}

static void rescan(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"no rescan operation in progress\n", NO, false, -1, -1, "", NULL},
        {"rescan operation running (current key 123)\n", YES, false, -1, -1, "", NULL},
        {"ERROR: quotas\n", U, false, -1, -1, "", NULL},
    };
    check(ng_btrfs_rescan_parse, rows, NG_COUNT(rows));
}

#define DEVICE(name, count)                                                                        \
    "[" name "].write_io_errs    0\n[" name "].read_io_errs     " count "\n"                       \
    "[" name "].flush_io_errs    0\n[" name "].corruption_errs  0\n"                               \
    "[" name "].generation_errs  0\n"

static void stats(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t devices, missing;
        const char *erred;
    } rows[] = {
        {DEVICE("/dev/sda", "0"), 1, 0, NULL},
        {DEVICE("/dev/mapper/a].b", "0") DEVICE("/dev/sdb", "3"), 2, 0, "[/dev/sdb].read_io_errs"},
        {DEVICE("/dev/sda", "0") DEVICE("devid:2", "0"), 2, 1, NULL},
        {DEVICE("/dev/sda", "0") DEVICE("(null)", "7"), 2, 1, "read_io_errs     7"},
        {DEVICE("<missing disk>", "0"), 1, 1, NULL},
        {"ERROR: getting device info\n", 0, 0, NULL},
        {"[/dev/sda].write_io_errs\n[].x 0\n[", 1, 1, NULL},
        {"", 0, 0, NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_btrfs_stats seen =
            ng_btrfs_stats_parse(&arena, rows[i].text, strlen(rows[i].text));
        bool erred = rows[i].erred == NULL
                         ? seen.erred == NULL
                         : seen.erred != NULL && strstr(seen.erred, rows[i].erred) != NULL;
        if (seen.devices != rows[i].devices || seen.missing != rows[i].missing || !erred) {
            fail_msg("%s: %zu %zu %s", rows[i].text, seen.devices, seen.missing,
                seen.erred == NULL ? "-" : seen.erred);
        }
    }
}

static void show(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum ng_answer missing;
    } rows[] = {
        {"Label: none  uuid: u-1\n\tTotal devices 2 FS bytes used 1.00GiB\n"
         "\tdevid    1 size 10.00GiB used 2.00GiB path /dev/sda\n"
         "\tdevid    2 size 10.00GiB used 2.00GiB path /dev/sdb\n\n",
            NO},
        {"Label: 'x uuid: y'  uuid: u-1\n\tTotal devices 1 FS bytes used 1.00GiB\n"
         "\tdevid    1 size 10.00GiB used 2.00GiB path /dev/sda\n",
            NO},
        {"Label: none  uuid: u-1\n\tTotal devices 2 FS bytes used 1.00GiB\n"
         "\tdevid    1 size 10.00GiB used 2.00GiB path /dev/sda\n\t*** Some devices missing\n",
            YES},
        {"Label: none  uuid: u-1\n\tTotal devices 2 FS bytes used 1.00GiB\n"
         "\tdevid    1 size 10.00GiB used 2.00GiB path /dev/sda\n"
         "\tdevid    2 size 0 used 0 path  MISSING\n",
            YES},
        {"Label: none  uuid: u-1\n\tTotal devices 2 FS bytes used 1.00GiB\n"
         "\tdevid    1 size 10.00GiB used 2.00GiB path /dev/sda\n"
         "\tdevid    2 size 0 used 0 path <missing disk> MISSING\n",
            YES},
        {"Label: none  uuid: u-2\n\tTotal devices 2 FS bytes used 1.00GiB\n"
         "\t*** Some devices missing\n\nLabel: none  uuid: u-1\n\tTotal devices 1 FS bytes used 1\n"
         "\tdevid    1 size 10.00GiB used 2.00GiB path /dev/sda\n",
            NO},
        {"Label: none  uuid: u-1\n\tTotal devices 2 FS bytes used 1.00GiB\n"
         "\tdevid    1 size 10.00GiB used 2.00GiB path /dev/sda\n",
            U}, /* cut off */
        {"Label: none  uuid: u-2\n\tTotal devices 1 FS bytes used 1\n\tdevid 1 path /dev/sda\n", U},
        {"", U},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (ng_btrfs_show_missing("u-1", rows[i].text, strlen(rows[i].text)) != rows[i].missing) {
            fail_msg("%s", rows[i].text);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(scrub, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            the_trace_of_a_running_scrub_stands_still, set_up, tear_down),
        cmocka_unit_test_setup_teardown(balance, set_up, tear_down),
        cmocka_unit_test_setup_teardown(replace, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rescan, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(show, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
