/* What zpool status prints: every scan line of OpenZFS 0.6 to 2.4, the table of devices, refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "runner/base/buf.h"
#include "tests/unit/facts/zpool_bench.h"

#define MINUTES(m) ((m)*INT64_C(60000000000))

#define HEAD "  pool: tank\n state: ONLINE\n"
#define TABLE                                                                                      \
    "config:\n\n\tNAME        STATE     READ WRITE CKSUM\n"                                        \
    "\ttank        ONLINE       0     0     0\n"                                                   \
    "\t  raidz2-0  ONLINE       0     0     0\n"                                                   \
    "\t    sda     ONLINE       0     0     0\n"                                                   \
    "\t    sdb     ONLINE       0     0     0\n\n"                                                 \
    "errors: No known data errors\n"

struct scan_row {
    const char *lines; /* between "state:" and "config:" */
    enum ng_answer busy;
    const char *action;
    double percent;
    int64_t left;
    const char *why; /* a piece of busy_why, of the warning, or of the trace */
};

static const struct scan_row scans[] = {
    /* none */
    {" scrub: none requested\n", NO, NULL, -1, -1, ""},
    {"  scan: none requested\n", NO, NULL, -1, -1, ""},
    {"", NO, NULL, -1, -1, ""},
    /* Solaris and the oldest */
    {" scrub: scrub in progress for 1h12m, 9.82% done, 11h8m to go\n", YES, "scrub", 9.82,
        MINUTES(668), "is in a scrub, 9.8%, 11 h left"},
    {" scrub: resilver completed after 0h3m with 0 errors on Tue Feb  2 12:01:02 2010\n", NO, NULL,
        -1, -1, "resilver completed"},
    {" scrub: scrub stopped after 0h0m with 0 errors on Tue Feb  2 12:01:02 2010\n", NO, NULL, -1,
        -1, "scrub stopped"},
    /* 0.6, 0.7 */
    {"  scan: scrub in progress since Sun Jul 25 16:07:49 2021\n"
     "    403M scanned out of 405M at 100M/s, 0h0m to go\n    0 repaired, 99.43% done\n",
        YES, "scrub", 99.43, 0, "is in a scrub, 99.4%, less than a minute left"},
    {"  scan: scrub in progress since Sun Jul 25 16:07:49 2021\n"
     "\t1.2T scanned out of 9.12T at 3.1M/s, (scan is slow, no estimated time)\n"
     "\t0 repaired, 13.15% done\n",
        YES, "scrub", 13.15, -1, "is in a scrub, 13.2%"},
    {"  scan: scrub repaired 0 in 3h12m with 0 errors on Sun Jan  8 04:36:02 2017\n", NO, NULL, -1,
        -1, "scrub repaired 0 in 3h12m"},
    {"  scan: resilvered 12.4G in 0h3m with 0 errors on Sun Jan  8 04:36:02 2017\n", NO, NULL, -1,
        -1, "resilvered 12.4G"},
    {"  scan: scrub canceled on Sun Jan  8 04:36:02 2017\n", NO, NULL, -1, -1, "scrub canceled"},
    {"  scan: resilver in progress since Sun Jan  8 04:36:02 2017\n"
     "\t1.20T scanned out of 9.12T at 312M/s, 7h23m to go\n\t300G resilvered, 13.15% done\n",
        YES, "resilver", 13.15, MINUTES(443), "is in a resilver, 13.2%, 7 h left"},
    /* 0.8 to 2.1 */
    {"  scan: scrub in progress since Mon Aug  2 10:00:00 2021\n"
     "\t1.53T scanned at 1.02G/s, 732G issued at 488M/s, 2.99T total\n"
     "\t0B repaired, 23.87% done, 0 days 09:41:59 to go\n",
        YES, "scrub", 23.87, (INT64_C(9) * 3600 + 41 * 60 + 59) * 1000000000, "10 h left"},
    {"  scan: scrub in progress since Mon Aug  2 10:00:00 2021\n"
     "\t1.53T scanned at 1.02G/s, 0B issued at 0B/s, 2.99T total\n"
     "\t0B repaired, 0.00% done, no estimated completion time\n",
        YES, "scrub", 0, -1, "is in a scrub, 0.0%"},
    {"  scan: resilver in progress since Mon Aug  2 10:00:00 2021\n"
     "\t1.53T scanned at 1.02G/s, 732G issued at 488M/s, 2.99T total\n"
     "\t120G resilvered, 23.87% done, 1 days 02:55:32 to go\n",
        YES, "resilver", 23.87, (INT64_C(26) * 3600 + 55 * 60 + 32) * 1000000000, "27 h left"},
    {"  scan: scrub repaired 0B in 0 days 00:19:47 with 0 errors on Sun Aug  1 00:43:48 2021\n", NO,
        NULL, -1, -1, "0 days 00:19:47"},
    {"  scan: resilvered 4.1T in 1 days 02:55:32 with 0 errors on Sun Aug  1 00:43:48 2021\n", NO,
        NULL, -1, -1, "1 days 02:55:32"},
    /* paused: its counters may be 0 */
    {"  scan: scrub paused since Mon Aug  2 12:00:00 2021\n"
     "\tscrub started on Mon Aug  2 10:00:00 2021\n"
     "\t0B scanned, 0B issued, 2.99T total\n\t0B repaired, 12.10% done\n",
        NO, NULL, -1, -1, "its scrub is paused, 12.1%"},
    /* 2.0: two scan lines, the worse counts */
    {"  scan: scrub repaired 0B in 00:00:01 with 0 errors on Sun Aug  1 00:43:48 2021\n"
     "  scan: resilver (mirror-0) in progress since Mon Aug  2 10:00:00 2021\n"
     "\t1.53G / 2.99G scanned at 200M/s, 1.5G / 2.99G issued at 180M/s\n"
     "\t1.5G resilvered, 51.17% done, 00:00:07 to go\n",
        YES, "resilver", 51.17, INT64_C(7000000000),
        "is in a resilver, 51.2%, less than a minute left"},
    {"  scan: resilvered (mirror-0) 1.02G in 00:00:04 with 0 errors on Sun Aug  1 00:43:48 2021\n",
        NO, NULL, -1, -1, "resilvered (mirror-0)"},
    {"  scan: resilver (mirror-0) canceled on Sun Aug  1 00:43:48 2021\n", NO, NULL, -1, -1,
        "canceled"},
    /* 2.2: rates may be left out at the start */
    {"  scan: scrub in progress since Mon Aug  2 10:00:00 2021\n"
     "\t0B / 2.99T scanned, 0B / 2.99T issued\n"
     "\t0B repaired, 0.00% done, no estimated completion time\n",
        YES, "scrub", 0, -1, "is in a scrub"},
    {" scrub: error scrub in progress since Mon Aug  2 10:00:00 2021\n"
     "\t12.50% done, issued I/O for 3 error blocks\n",
        YES, "scrub", 12.5, -1, "is in a scrub, 12.5%"},
    {" scrub: error scrub paused since Mon Aug  2 10:00:00 2021\n"
     "\terror scrub started on Mon Aug  2 09:00:00 2021\n"
     "\t12.50% done, issued I/O for 3 error blocks\n",
        NO, NULL, -1, -1, "its scrub is paused"},
    {" scrub: scrubbed 3 error blocks in 0 days 00:00:01 on Mon Aug  2 10:00:00 2021\n", NO, NULL,
        -1, -1, "scrubbed 3 error blocks"},
    {" scrub: error scrub canceled on Mon Aug  2 10:00:00 2021\n", NO, NULL, -1, -1, "canceled"},
    /* 2.4 */
    {"  scan: thorough scrub in progress since Mon Aug  2 10:00:00 2027\n"
     "\t1T / 2.99T scanned at 1G/s, 1T / 2.99T issued at 1G/s\n"
     "\t0B repaired, 33.44% done, 00:34:01 to go\n",
        YES, "scrub", 33.44, (INT64_C(34) * 60 + 1) * 1000000000, "34 min left"},
    {"  scan: thorough scrub repaired 0B in 00:00:01 with 0 errors on Mon Aug  2 10:00:00 2027\n",
        NO, NULL, -1, -1, "thorough scrub repaired"},
    /* a percentage above 100, and another locale */
    {"  scan: scrub in progress since Mon Aug  2 10:00:00 2021\n\t0B repaired, 104.21% done, "
     "00:00:00 to go\n",
        YES, "scrub", 100, 0, "100.0%"},
    {"  scan: scrub in progress since Mo 02 Aug 2021 10:00:00 CEST\n"
     "\t9,12T scanned at 1,02G/s, 8,77T issued at 488M/s, 9,12T total\n"
     "\t0B repaired, 96,19% done, 0 days 00:12:34 to go\n",
        YES, "scrub", 96.19, (INT64_C(12) * 60 + 34) * 1000000000, "13 min left"},
    /* removal, expansion, checkpoint */
    {"remove: Evacuation of sdc in progress since Mon Aug  2 10:00:00 2021\n"
     "\t1.2G copied out of 4G at 100M/s, 30.00% done, 0h12m to go\n",
        YES, "removal", 30, MINUTES(12), "evacuates a device"},
    {"remove: Evacuation of sdc in progress since Mon Aug  2 10:00:00 2021\n"
     "\t1.2G copied out of 4G at 1/s, 30.00% done, (copy is slow, no estimated time)\n",
        YES, "removal", 30, -1, "30.0%"},
    {"remove: Removal of vdev 1 copied 4.2G in 0h1m, completed on Mon Aug  2 10:00:00 2021\n"
     "\t48 memory used for removed device mappings\n",
        NO, NULL, -1, -1, "completed on"},
    {"remove: Removal of sdc canceled on Mon Aug  2 10:00:00 2021\n", NO, NULL, -1, -1, "canceled"},
    {"expand: expansion of raidz1-0 in progress since Mon Aug  2 10:00:00 2024\n"
     "\t1.2T / 4.4T copied at 100M/s, 27.27% done, 1 days 02:00:00 to go\n",
        YES, "expansion", 27.27, INT64_C(26) * 3600 * 1000000000, "is in an expansion"},
    {"expand: expansion of raidz1-0 in progress since Mon Aug  2 10:00:00 2024\n"
     "\t1.2T / 4.4T copied at 100M/s, 27.27% done, paused for resilver or clear\n",
        YES, "expansion", 27.27, -1, "waits for a resilver"},
    {"expand: expanded raidz1-0 copied 4.4T in 10:12:01, on Mon Aug  2 10:00:00 2024\n", NO, NULL,
        -1, -1, "expanded"},
    {"checkpoint: discarding, 1.21G remaining.\n", YES, NULL, -1, -1, "discards a checkpoint"},
    {"checkpoint: created Mon Aug  2 10:00:00 2021, consumes 1.21G\n", NO, NULL, -1, -1,
        "it has a checkpoint"},
    {"    scan warning: skipped blocks that are only referenced by the checkpoint.\n", NO, NULL, -1,
        -1, "skipped blocks"},
    {"  scan: scrub in progress since Mon Aug  2 10:00:00 2021\n\t0B repaired, 1.00% done\n"
     "expand: expansion of raidz1-0 in progress since Mon Aug  2 10:00:00 2024\n\t2.00% done\n",
        YES, NULL, 1, -1, "is in a scrub, 1.0% and is in an expansion, 2.0%"},
    /* what is not understood is not idle */
    {"  scan: polishing since Mon Aug  2 10:00:00 2031\n", U, NULL, -1, -1, "polishing"},
    {"  scan: \n", U, NULL, -1, -1, "not understood"},
    {"remove: Something of sdc\n", U, NULL, -1, -1, "Something"},
    {"expand: what\n", U, NULL, -1, -1, "what"},
    {"checkpoint: what\n", U, NULL, -1, -1, "what"},
    {"rewrite: defragmenting in progress since Mon Aug  2 10:00:00 2031\n", U, NULL, -1, -1,
        "defragmenting"},
    {"status: One or more devices is currently being resilvered.  The pool will\n"
     "\tcontinue to function, possibly in a degraded state.\n"
     "action: Wait for the resilver to complete.\n"
     "  scan: scrub repaired 0B in 00:19:47 with 0 errors on Sun Aug  1 00:43:48 2021\n",
        NO, NULL, -1, -1, "scrub repaired"},
    {"status: Some supported features are not enabled.\n\tcom.delphix:hole_birth (in progress)\n"
     "   see: https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-9P\n",
        NO, NULL, -1, -1, ""},
};

static void check_scan(const struct scan_row *row, const char *text) {
    struct ng_zpools pools = parse(text);
    if (pools.count != 1) {
        fail_msg("%zu pools: %s", pools.count, text);
    }
    struct ng_array array = judge(&pools.items[0]);
    bool action = row->action == NULL
                      ? array.action == NULL
                      : array.action != NULL && strcmp(array.action, row->action) == 0;
    double off = array.percent - row->percent;
    if (array.busy != row->busy || !action || off > 0.001 || off < -0.001 ||
        array.left_ns != row->left || !says(&array, row->why) || array.degraded != NO) {
        fail_msg("%s\nbusy %d %s %.3f %lld degraded %d: %s | %s | %s", row->lines, (int)array.busy,
            array.action == NULL ? "-" : array.action, array.percent, (long long)array.left_ns,
            (int)array.degraded, array.busy_why, array.trace,
            array.warning == NULL ? "" : array.warning);
    }
    assert_string_equal(array.level, "raidz2");
}

static void every_scan_line(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(scans); i++) {
        check_scan(&scans[i], ng_arena_printf(&arena, HEAD "%s" TABLE, scans[i].lines));
    }
}

/* A text that ends too early proves nothing, wherever it ends; what it tells of work counts. */
static void cut_anywhere(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(scans); i++) {
        const char *text = ng_arena_printf(&arena, HEAD "%s" TABLE, scans[i].lines);
        const char *errors = strstr(text, "errors:");
        for (size_t len = 0; len < (size_t)(errors - text); len++) {
            struct ng_zpools pools = {0};
            ng_zpools_parse(&pools, &arena, text, len);
            for (size_t j = 0; j < pools.count; j++) {
                struct ng_array array = judge(&pools.items[j]);
                if (scans[i].busy == YES && array.busy == NO) {
                    fail_msg("idle after %zu bytes of: %s", len, text);
                }
            }
            assert_false(pools.none);
        }
    }
}

struct vdev_row {
    const char *rows; /* below the pool */
    const char *pool; /* its state */
    enum ng_answer busy, degraded;
    const char *level;
    const char *why; /* a piece of busy_why, degraded_why, the warning or what was seen */
};

static const struct vdev_row vdevs[] = {
    {"\t  mirror-0  ONLINE 0 0 0\n\t    sda ONLINE 0 0 0\n\t    sdb ONLINE 0 0 0\n", "ONLINE", NO,
        NO, "mirror", ", 2 data"},
    {"\t  sda ONLINE 0 0 0\n", "ONLINE", NO, NO, "stripe", ", 1 data"},
    {"\t  mirror-0 ONLINE 0 0 0\n\t    sda ONLINE 0 0 0\n\t  sdc ONLINE 0 0 0\n", "ONLINE", NO, NO,
        "mixed", ", 2 data"},
    {"\t  draid2:4d:9c:1s-0 ONLINE 0 0 0\n\t    sda ONLINE 0 0 0\n\tspares\n\t  draid2-0-0 AVAIL\n",
        "ONLINE", NO, NO, "draid2", ", 1 data, 1 spare"},
    {"\t  indirect-0 ONLINE 0 0 0\n\t  mirror-1 ONLINE 0 0 0\n\t    sda ONLINE 0 0 0\n", "ONLINE",
        NO, NO, "mirror", ", 1 data"},
    {"\t  mirror-0 DEGRADED 0 0 0\n\t    sda ONLINE 0 0 0\n"
     "\t    12345 UNAVAIL 0 0 0  was /dev/sdb1\n",
        "DEGRADED", NO, YES, "mirror", "12345 is UNAVAIL, was /dev/sdb1"},
    {"\t  mirror-0 DEGRADED 0 0 0\n\t    sda ONLINE 0 0 0\n"
     "\t    sdb FAULTED 3 1.2K 0  too many errors\n",
        "DEGRADED", NO, YES, "mirror", "errors were counted on 1 device(s): sdb"},
    {"\t  mirror-0 DEGRADED 0 0 0\n\t    sda ONLINE 0 0 0\n\t    sdb OFFLINE 0 0 0\n", "ONLINE", NO,
        YES, "mirror", "is ONLINE, but mirror-0 is DEGRADED, sdb is OFFLINE"},
    {"\t  mirror-0 ONLINE 0 0 0\n\t    sda ONLINE 0 0 0\n\tcache\n\t  sdz UNAVAIL 0 0 0  cannot "
     "open\n\tspares\n\t  sdy AVAIL\n\t  sdx UNAVAIL cannot open\n",
        "ONLINE", NO, NO, "mirror", "cache is UNAVAIL"},
    {"\t  mirror-0 ONLINE 0 0 0\n\t    sda ONLINE 0 0 0\n\tlogs\t\n\t  sdl FAULTED 0 0 0\n",
        "ONLINE", NO, YES, "mirror", "sdl is FAULTED"},
    {"\t  raidz1-0 ONLINE 0 0 0\n\t    replacing-1 ONLINE 0 0 0\n\t      sda ONLINE 0 0 0\n"
     "\t      sdb ONLINE 0 0 0  (resilvering)\n",
        "ONLINE", YES, NO, "raidz1", "is in a resilver"},
    {"\t  mirror-0 ONLINE 0 0 0\n\t    sda ONLINE 0 0 0  (awaiting resilver)\n", "ONLINE", YES, NO,
        "mirror", "is in a resilver"},
    {"\t  sda ONLINE 0 0 0  (initializing)\n", "ONLINE", YES, NO, "stripe", "initializes devices"},
    {"\t  sda ONLINE 0 0 0  (45% initialized, started at Mon Aug  2)\n", "ONLINE", YES, NO,
        "stripe", "initializes devices, 45.0%"},
    {"\t  sda ONLINE 0 0 0  (45% initialized, suspended, started at Mon Aug  2)\n", "ONLINE", NO,
        NO, "stripe", "its initialize is paused, 45.0%"},
    {"\t  sda ONLINE 0 0 0  (100% initialized, completed at Mon Aug  2)  (untrimmed)\n", "ONLINE",
        NO, NO, "stripe", ""},
    {"\t  sda ONLINE 0 0 0  (uninitialized)  (trim unsupported)\n", "ONLINE", NO, NO, "stripe", ""},
    {"\t  sda ONLINE 0 0 0  (trimming)\n", "ONLINE", YES, NO, "stripe", "trims devices"},
    {"\t  sda ONLINE 0 0 0  (removing)\n", "ONLINE", YES, NO, "stripe", "evacuates"},
    {"\t  sda ONLINE 0 0 0  (non-allocating)\n", "ONLINE", NO, NO, "stripe", ""},
    {"\t  sda ONLINE 0 0 0  block size: 512B configured, 4096B native\n", "ONLINE", NO, NO,
        "stripe", ""},
    {"\t  /srv/my disk ONLINE 0 0 0\n", "ONLINE", NO, NO, "stripe", ", 1 data"},
    {"\t  sda ONLINE 0 0 0 0  -\n", "ONLINE", NO, NO, "stripe", ""}, /* -s: slow I/O */
    {"\t  sda ROTTEN 0 0 0\n", "ONLINE", U, NO, NULL, "not understood"},
    {"\t  sda ONLINE 0 0 0\n", "SUSPENDED", NO, YES, "stripe", "hangs"},
    {"\t  sda UNAVAIL 0 0 0\n", "UNAVAIL", NO, YES, "stripe", "is UNAVAIL: sda is UNAVAIL"},
    {"\t  sda ONLINE 0 0 0\n", "OFFLINE", NO, YES, "stripe", "is OFFLINE"},
    {"\t  sda ONLINE 0 0 0\n", "ROTTEN", NO, U, "stripe", "its state \"ROTTEN\" is not known"},
};

static void every_device(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(vdevs); i++) {
        const struct vdev_row *row = &vdevs[i];
        struct ng_zpools pools = parse(ng_arena_printf(&arena,
            "  pool: tank\n state: %s\nconfig:\n\n\tNAME STATE READ WRITE CKSUM\n"
            "\ttank %s 0 0 0\n%s\nerrors: No known data errors\n",
            row->pool, row->pool[0] == 'R' ? "ONLINE" : row->pool, row->rows));
        assert_int_equal(pools.count, 1);
        struct ng_array array = judge(&pools.items[0]);
        bool level = row->level == NULL
                         ? array.level == NULL
                         : array.level != NULL && strcmp(array.level, row->level) == 0;
        bool why = says(&array, row->why) || strstr(array.degraded_why, row->why) != NULL ||
                   strstr(array.seen, row->why) != NULL;
        if (array.busy != row->busy || array.degraded != row->degraded || !level || !why) {
            fail_msg("%s%s\nbusy %d degraded %d level %s: %s | %s | %s | %s", row->rows, row->pool,
                (int)array.busy, (int)array.degraded, array.level == NULL ? "-" : array.level,
                array.busy_why, array.degraded_why, array.warning == NULL ? "" : array.warning,
                array.seen);
        }
    }
}

static void classes_and_blocks(void **state) {
    (void)state;
    struct ng_zpools pools =
        parse("  pool: t\n state: ONLINE\nconfig:\n\n"
              "\tNAME STATE READ WRITE CKSUM\n\tt ONLINE 0 0 0\n"
              "\t  mirror-0 ONLINE 0 0 0\n\t    /dev/sda1 ONLINE 0 0 0\n"
              "\t    sdb ONLINE 0 0 0\n\tspecial\n\t  /dev/nvme0n1p1 ONLINE 0 0 0\n"
              "\tdedup\t\n\t  /dev/disk/by-id/x ONLINE 0 0 0\n\tlogs\n"
              "\t  mirror-3 ONLINE 0 0 0\n\t    /dev/sdl ONLINE 0 0 0\n"
              "\tcache\n\t  /var/tmp/file ONLINE 0 0 0\n"
              "\tspares\n\t  /dev/sdz AVAIL   \n\n"
              "errors: No known data errors\n");
    static const struct {
        const char *name, *block, *class;
        bool group;
    } rows[] = {
        {"t", NULL, "data", true},
        {"mirror-0", NULL, "data", true},
        {"/dev/sda1", "sda1", "data", false},
        {"sdb", "sdb", "data", false},
        {"/dev/nvme0n1p1", "nvme0n1p1", "special", false},
        {"/dev/disk/by-id/x", NULL, "dedup", false},
        {"mirror-3", NULL, "log", true},
        {"/dev/sdl", "sdl", "log", false},
        {"/var/tmp/file", NULL, "cache", false},
        {"/dev/sdz", "sdz", "spare", false},
    };
    const struct ng_zpool *pool = &pools.items[0];
    assert_int_equal(pool->vdev_count, NG_COUNT(rows));
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_zpool_vdev *vdev = &pool->vdevs[i];
        const char *block = ng_zpool_block(vdev);
        assert_string_equal(vdev->name, rows[i].name);
        assert_string_equal(ng_zpool_class_word(vdev->class), rows[i].class);
        assert_int_equal(vdev->group, rows[i].group);
        assert_true(block == NULL ? rows[i].block == NULL
                                  : rows[i].block != NULL && strcmp(block, rows[i].block) == 0);
    }
}

static void several_pools(void **state) {
    (void)state;
    struct ng_zpools pools =
        parse("\x1b[1m  pool:\x1b[0m one\n \x1b[1mstate:\x1b[0m ONLINE\n" TABLE
              "\n  pool: two\r\n state: FAULTED\r\nstatus: The pool metadata is corrupted and the "
              "pool cannot be opened.\nconfig:\n\n\tThe configuration cannot be determined.\n"
              "\n  pool: three\n state: ONLINE\n  scan: scrub in progress since Mon\n\t1.00% done\n"
              "config:\n\n\tNAME STATE READ WRITE CKSUM\n\tthree ONLINE 0 0 0\n"
              "\t  sda ONLINE 0 0 0\n\nerrors: 3 data errors, use '-v' for a list\n"
              "\n  pool: tank: x\n dedup: no DDT entries\n");
    assert_int_equal(pools.count, 4);
    assert_null(pools.why);
    static const struct {
        const char *name;
        enum ng_answer busy, degraded;
    } rows[] = {{"one", NO, NO}, {"two", NO, YES}, {"three", YES, NO}, {"tank: x", U, U}};
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_array array = judge(&pools.items[i]);
        assert_string_equal(pools.items[i].name, rows[i].name);
        assert_int_equal(array.busy, rows[i].busy);
        assert_int_equal(array.degraded, rows[i].degraded);
    }
    assert_non_null(strstr(judge(&pools.items[2]).warning, "3 data errors"));
}

/* What is no status of pools is refused with what was seen. */
static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *why;
        bool none;
    } rows[] = {
        {"no pools available\n", NULL, true},
        {"", "printed nothing", false},
        {"\n\n", "printed nothing", false},
        {"all pools are healthy\n", "all pools are healthy", false},
        {"pool 'tank' is healthy\n", "is healthy", false},
        {"Permission denied the ZFS utilities must be run as root.\n", "Permission denied", false},
        {"The ZFS modules are not loaded.\nTry running '/sbin/modprobe zfs'\n", "not loaded",
            false},
        {"internal error: failed to initialize ZFS library\n", "internal error", false},
        {"  pool: \n state: ONLINE\n", "no name", false},
        {"{", "cut off", false},
        {"{}", "no pools", false},
        {"{\"pools\": {}}", NULL, true},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_zpools pools = parse(rows[i].text);
        bool why = rows[i].why == NULL
                       ? pools.why == NULL
                       : pools.why != NULL && strstr(pools.why, rows[i].why) != NULL;
        if (pools.count != 0 || pools.none != rows[i].none || !why) {
            fail_msg("%s: %zu, %s", rows[i].text, pools.count, pools.why == NULL ? "-" : pools.why);
        }
    }
}

static void list(void **state) {
    (void)state;
    struct ng_zpools pools = parse(HEAD TABLE);
    static const char text[] =
        "tank\tONLINE\t92%\t1.2G\nother\tDEGRADED\t5\t0\nbad\n\tONLINE\t1\t0\n"
        "odd\tROTTEN\t1\t0\n";
    ng_zpools_parse_list(&pools, &arena, text, strlen(text));
    assert_int_equal(pools.count, 2);
    struct ng_array tank = judge(&pools.items[0]);
    assert_int_equal(tank.busy, YES);
    assert_null(tank.action);
    assert_string_equal(tank.busy_why, "frees what was destroyed");
    assert_non_null(strstr(tank.warning, "92% full"));
    /* listed, but status says nothing of it */
    struct ng_array other = judge(&pools.items[1]);
    assert_string_equal(pools.items[1].name, "other");
    assert_int_equal(other.busy, U);
    assert_int_equal(other.degraded, YES);
}

/* The bounds are told, not silently kept. */
static void bounds(void **state) {
    (void)state;
    struct ng_buf text;
    ng_buf_init(&text, 8 << 20);
    ng_buf_adds(&text, HEAD "config:\n\n\tNAME STATE READ WRITE CKSUM\n\ttank ONLINE 0 0 0\n");
    for (int i = 0; i < NG_ZPOOL_VDEVS_MAX + 5; i++) {
        ng_buf_addf(&text, "\t  sd%d ONLINE 0 0 0\n", i);
    }
    ng_buf_adds(&text, "\nerrors: No known data errors\n");
    struct ng_zpools pools = parse(ng_buf_text(&text));
    assert_int_equal(pools.items[0].vdev_count, NG_ZPOOL_VDEVS_MAX);
    assert_int_equal(judge(&pools.items[0]).busy, U);
    ng_buf_release(&text);
    ng_buf_init(&text, 8 << 20);
    for (int i = 0; i < NG_ZPOOLS_MAX + 5; i++) {
        ng_buf_addf(&text, "  pool: p%d\n state: ONLINE\n", i);
    }
    pools = parse(ng_buf_text(&text));
    assert_int_equal(pools.count, NG_ZPOOLS_MAX);
    assert_non_null(strstr(pools.why, "more pools"));
    ng_buf_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_scan_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cut_anywhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(classes_and_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(several_pools, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refusals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(list, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bounds, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
