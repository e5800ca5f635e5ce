/* Caches of block layers: flashcache, bcache, dm-cache and others in one form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "runner/facts/cache.h"
#include "runner/facts/collect.h"

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
#define END "\nt Z end\n"
#define U NG_ANSWER_UNKNOWN
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

/* A unit of DSM 7: md2 and md4, a volume of LVM over md2, a cachedev over both. */
#define DSM_BLOCKS(slaves)                                                                         \
    F("block", "block/md2/dev\t9:2\nblock/md4/dev\t9:4\nblock/md4/size\t400000\n"                  \
               "block/dm-1/dev\t253:1\nblock/dm-1/dm/name\tvg1-volume_1\n"                         \
               "block/dm-1/dm/uuid\tLVM-x\nblock/dm-1/slaves/md2\t\n"                              \
               "block/dm-4/dev\t253:4\nblock/dm-4/dm/name\tcachedev_0\n" slaves)
#define BOTH "block/dm-4/slaves/dm-1\t\nblock/dm-4/slaves/md4\t\n"
#define LINEAR "vg1-volume_1: 0 99 linear 9:2 0\n"
#define TABLE(mode, more)                                                                          \
    "cachedev_0: 0 99 flashcache-syno conf:\n"                                                     \
    "\tssd dev (/dev/md4), disk dev (/dev/vg1/volume_1) cache mode(" mode ")\n" more               \
    "Size Hist: 512:1 4096:7 \nbits_all=12 bits_used=3\n" LINEAR
#define WB_LINES                                                                                   \
    "\tcapacity(190M), associativity(512), data block size(64K) metadata block size(4096b)\n"      \
    "\tskip sequential thresh(1024K)\n"                                                            \
    "\ttotal blocks(3040), cached blocks(100), cache percent(3)\n"                                 \
    "\tdirty blocks(16), dirty percent(0)\n\tnr_queued(0)\n"                                       \
    "\tsplit-io(0) support pin file(1) version(12)\n"
#define WA_LINES                                                                                   \
    "\tcapacity(190M), associativity(512), data block size(64K)\n"                                 \
    "\tskip sequential thresh(0K)\n"                                                               \
    "\ttotal blocks(3040), cached blocks(100), cache percent(3)\n\tnr_queued(0)\n"
#define STATUS                                                                                     \
    F("dmstatus",                                                                                  \
        "cachedev_0: 0 99 flashcache-syno stats: \n\treads(500), writes(600)\n"                    \
        "\tread hits(10), read hit percent(2)\n\twrite hits(384) write hit percent(64)\n"          \
        "\tdisk read errors(0), disk write errors(2) ssd read errors(0) "                          \
        "ssd write errors(1)\n"                                                                    \
        "\tuncached sequential reads(480), uncached sequential writes(90)\n"                       \
        "vg1-volume_1: 0 99 linear \n")

static void flashcache_by_its_table(void **state) {
    (void)state;
    const struct ng_facts *facts =
        facts_of(DSM_BLOCKS(BOTH) F("dmtable", TABLE("WRITE_BACK", WB_LINES)) STATUS END);
    struct ng_cache_layer layer = layer_of(facts, "dm-4");
    assert_string_equal(layer.kind, "flashcache");
    assert_int_equal(layer.mode, NG_CACHE_WRITE_BACK);
    assert_true(layer.size == INT64_C(190) << 20 && layer.dirty == 16 * 65536);
    assert_true(layer.has_bypass && layer.bypass == 1 << 20);
    assert_int_equal(layer.member_count, 2);
    assert_string_equal(layer.members[0], "md4");
    assert_string_equal(layer.members[1], "dm-1");
    assert_non_null(strstr(layer.counters, "uncached sequential reads 480"));
    assert_non_null(strstr(layer.trouble, "3 errors"));
    assert_int_equal(layer.flushing, NO);
    facts = facts_of(DSM_BLOCKS(BOTH) F("dmtable", TABLE("WRITE_AROUND", WA_LINES)) END);
    layer = layer_of(facts, "dm-4");
    assert_int_equal(layer.mode, NG_CACHE_READ);
    assert_true(layer.bypass == 0 && layer.dirty == 0); /* 0: everything is cached */
    facts = facts_of(DSM_BLOCKS(BOTH) F("dmtable", TABLE("WRITE_THROUGH", WA_LINES)) END);
    assert_int_equal(layer_of(facts, "dm-4").mode, NG_CACHE_WRITE_THROUGH);
    facts = facts_of(DSM_BLOCKS(BOTH) F("dmtable", TABLE("Unknown", WA_LINES)) END);
    assert_int_equal(layer_of(facts, "dm-4").mode, NG_CACHE_UNKNOWN);
    facts = facts_of(DSM_BLOCKS(BOTH) F("dmtable", "cachedev_0: 0 99 flashcache-syno conf:\n") END);
    assert_int_equal(layer_of(facts, "dm-4").mode, NG_CACHE_UNKNOWN);
}

/* Every volume of DSM 7 is a cachedev: without an SSD its mode is DUMMY, whatever the name says. */
static void dummy_is_no_cache(void **state) {
    (void)state;
    static const char *const frames[] = {
        DSM_BLOCKS("block/dm-4/slaves/dm-1\t\n")
            F("dmtable", "cachedev_0: 0 99 flashcache-syno conf:\n\tssd dev (none), disk dev "
                         "(/dev/vg1/volume_1) cache mode(DUMMY)\n\tcapacity(0M), "
                         "associativity(0), data block size(0K)\n\tskip sequential thresh(0K)\n"
                         "\ttotal blocks(0), cached blocks(0), cache percent(0)\n") END,
        /* not root: one device below cannot be cached on another */
        DSM_BLOCKS("block/dm-4/slaves/dm-1\t\n") FAILED("dmtable", "") END,
    };
    for (size_t i = 0; i < NG_COUNT(frames); i++) {
        struct ng_cache_layer layer = layer_of(facts_of(frames[i]), "dm-4");
        assert_int_equal(layer.mode, NG_CACHE_NONE);
        assert_false(layer.has_bypass);
    }
}

#define PROC(mode, progress)                                                                       \
    F("flashcache",                                                                                \
        "md4+volume_1/cache_info\tssd_dev=/dev/md4 disk_dev=/dev/vg1/volume_1 mode=" mode          \
        " capacity_byte=190 associativity=512 data_block_size_kb=64 dirty_blocks=16 \n"            \
        "md4+volume_1/flashcache_stats\treads=500 writes=600 \n"                                   \
        "md4+volume_1/flashcache_stats\tread_hits=10 uncached_sequential_reads=480 \n"             \
        "md4+volume_1/flashcache_errors\tdisk_read_errors=0 ssd_write_errors=0\n"                  \
        "md4+volume_1/flashcache_progress\tstatus=" progress                                       \
        " initial_num_of_dirty=20 remaining_num_of_dirty=16\n"                                     \
        "md4+volume_1/sysctl/skip_seq_thresh_kb\t512\n"                                            \
        "!md4+volume_1/sysctl/cache_all\t\n")

/* Without root dmsetup tells nothing; /proc/flashcache does. */
static void flashcache_by_its_files(void **state) {
    (void)state;
    const struct ng_facts *facts =
        facts_of(DSM_BLOCKS(BOTH) FAILED("dmtable", "") PROC("WRITE_BACK", "not_flushing") END);
    struct ng_cache_layer layer = layer_of(facts, "dm-4");
    assert_int_equal(layer.mode, NG_CACHE_WRITE_BACK);
    assert_true(layer.size == INT64_C(190) << 20); /* capacity_byte is in MiB */
    assert_true(layer.dirty == 16 * 65536 && layer.bypass == 512 * 1024);
    assert_int_equal(layer.flushing, NO);
    facts = facts_of(DSM_BLOCKS(BOTH) F("dmtable", TABLE("WRITE_BACK", WB_LINES))
            PROC("WRITE_BACK", "uncacheable_flushing") END);
    layer = layer_of(facts, "dm-4");
    assert_int_equal(layer.flushing, YES);
    assert_non_null(strstr(layer.flush_why, "16 blocks left"));
    assert_true(layer.bypass == 1 << 20); /* its table comes first */
    facts = facts_of(DSM_BLOCKS(BOTH) F("dmtable", TABLE("WRITE_BACK", WB_LINES))
            PROC("WRITE_BACK", "dancing") END);
    assert_int_equal(layer_of(facts, "dm-4").flushing, U);
    facts = facts_of(DSM_BLOCKS(BOTH) F("dmtable", TABLE("WRITE_BACK", WB_LINES))
            PROC("WRITE_BACK", "cacheable_flush_done") END);
    assert_int_equal(layer_of(facts, "dm-4").flushing, NO);
}

/* QTS has one group for all, whose files are of another form, and its own list of volumes. */
static void qts_volumes(void **state) {
    (void)state;
#define QTS_BLOCKS                                                                                 \
    F("block", "block/dm-7/dm/name\tcachedev1\nblock/dm-7/slaves/dm-3\t\n"                         \
               "block/dm-7/slaves/dm-4\t\n")
#define CONF(word)                                                                                 \
    F("volumeconf", "[VOL_1]\nmappingName = /dev/mapper/cachedev1\nssdCache = " word               \
                    "\n[VOL_2]\nmappingName = /dev/sdk1\n")
    const struct ng_facts *facts =
        facts_of(QTS_BLOCKS CONF("no") F("flashcache", "CG0/flashcache_stats\treads: 12\n") END);
    assert_int_equal(layer_of(facts, "dm-7").mode, NG_CACHE_NONE);
    assert_true(facts->flashcaches.items[0].reads == 12);
    facts = facts_of(QTS_BLOCKS CONF("yes") END);
    assert_int_equal(layer_of(facts, "dm-7").mode, NG_CACHE_UNKNOWN);
    /* what is written down and what is seen contradict each other */
    facts = facts_of(QTS_BLOCKS CONF("yes") F("dmtable", "cachedev1: 0 9 linear 253:3 0\n") END);
    struct ng_cache_layer layer = layer_of(facts, "dm-7");
    assert_int_equal(layer.mode, NG_CACHE_UNKNOWN);
    assert_non_null(strstr(layer.why, "ssdCache = yes"));
    /* what is seen is worth more than what is written down */
    facts = facts_of(QTS_BLOCKS CONF("no") F("dmtable",
        "cachedev1: 0 9 flashcache conf:\n\tssd dev (x), disk dev (y) cache mode(WRITE_BACK)\n")
            END);
    assert_int_equal(layer_of(facts, "dm-7").mode, NG_CACHE_WRITE_BACK);
    facts = facts_of(QTS_BLOCKS F("dmtable", "cachedev1: 0 9 tier 253:3 253:4\n") END);
    layer = layer_of(facts, "dm-7");
    assert_string_equal(layer.kind, "tier");
    assert_int_equal(layer.mode, NG_CACHE_UNKNOWN);
}

#define BCACHE(more)                                                                               \
    F("block", "block/md0/dev\t9:0\nblock/nvme0n1/dev\t259:0\nblock/nvme0n1/size\t2048\n"          \
               "block/bcache0/dev\t252:0\nblock/bcache0/slaves/md0\t\n"                            \
               "block/bcache0/slaves/nvme0n1\t\n" more)
#define SET                                                                                        \
    F("layers", "bcache/u-1/congested_read_threshold_us\t2000\n"                                   \
                "bcache/u-1/congested_write_threshold_us\t20000\n"                                 \
                "bcache/u-1/cache0/device\tnvme0n1\nbcache/u-1/cache0/io_errors\t0\n"              \
                "bcache/u-1/bdev0/device\tmd0\n"                                                   \
                "block/bcache0/bcache/writeback_running\t1\n"                                      \
                "block/bcache0/bcache/stats_total/cache_hits\t546\n"                               \
                "block/bcache0/bcache/stats_total/cache_misses\t4\n"                               \
                "block/bcache0/bcache/stats_total/bypassed\t1.5M\n")
#define MODE(mode, state, dirty)                                                                   \
    "block/bcache0/bcache/cache_mode\t" mode "\nblock/bcache0/bcache/state\t" state                \
    "\nblock/bcache0/bcache/dirty_data\t" dirty "\nblock/bcache0/bcache/sequential_cutoff\t4.0M\n"

static void bcaches(void **state) {
    (void)state;
    struct ng_cache_layer layer = layer_of(
        facts_of(
            BCACHE(MODE("writethrough [writeback] writearound none", "dirty", "20.4G")) SET END),
        "bcache0");
    assert_int_equal(layer.mode, NG_CACHE_WRITE_BACK);
    assert_true(layer.bypass == 4 << 20 && layer.size == 1 << 20);
    assert_true(layer.dirty / (1 << 20) == 20 * 1024 + 409); /* 20.4 GiB */
    assert_string_equal(layer.members[0], "nvme0n1");        /* the cache comes first */
    assert_string_equal(layer.members[1], "md0");
    assert_int_equal(layer.flushing, NO);
    assert_non_null(strstr(layer.seen, "slower than 2000 us"));
    assert_non_null(strstr(layer.counters, "hits 546"));
    static const struct {
        const char *frames;
        enum ng_cache mode;
        enum ng_answer flushing;
    } rows[] = {
        {BCACHE(MODE("[writethrough] writeback none", "clean", "0.0k")) SET END,
            NG_CACHE_WRITE_THROUGH, NO},
        {BCACHE(MODE("[writearound] writeback none", "clean", "0")) SET END, NG_CACHE_READ, NO},
        {BCACHE(MODE("writeback [none]", "clean", "0")) SET END, NG_CACHE_NONE, NO},
        /* a bcache without a cache is none, whatever mode it would have */
        {BCACHE(MODE("writethrough [writeback] none", "no cache", "0")) END, NG_CACHE_NONE, NO},
        {BCACHE(MODE("writethrough [new] none", "clean", "0")) END, NG_CACHE_UNKNOWN, NO},
        {BCACHE(MODE("writethrough", "clean", "0")) END, NG_CACHE_UNKNOWN, NO},
        {BCACHE("") END, NG_CACHE_UNKNOWN, NO},
        /* it was write-back: what is left is written out, whoever measures */
        {BCACHE(MODE("[writethrough] writeback none", "dirty", "3.0G")) SET END,
            NG_CACHE_WRITE_THROUGH, YES},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        layer = layer_of(facts_of(rows[i].frames), "bcache0");
        if (layer.mode != rows[i].mode || layer.flushing != rows[i].flushing) {
            fail_msg("row %zu: %s, flushing %d: %s", i, ng_cache_word(layer.mode), layer.flushing,
                layer.seen);
        }
    }
    layer = layer_of(facts_of(BCACHE(MODE("[writeback]", "inconsistent", "x")) END), "bcache0");
    assert_true(layer.broken && layer.dirty == -1);
}

static void bcache_sizes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t bytes; /* -1: refused */
    } rows[] = {{"0", 0}, {"512", 512}, {"4.0M", 4 << 20}, {"0.5k", 510}, {"1.1M", 1153433},
        {"427.5k", 437758}, {"6.0E", INT64_C(6) << 60}, {"7.9E", -1}, {"8.0E", -1}, {"9.0E", -1},
        {"", -1}, {"M", -1}, {"-1", -1}, {"1.0Q", -1}, {"1.M", -1}, {"4.0MB", -1},
        {"99999999999999999999", -1}};
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        int64_t bytes = -1;
        bool good = ng_bcache_size(ng_span(rows[i].text, strlen(rows[i].text)), &bytes);
        if (good != (rows[i].bytes >= 0) ||
            (good && (bytes > rows[i].bytes + 1024 || bytes < rows[i].bytes - 1024))) {
            fail_msg("%s: %d, %lld", rows[i].text, good, (long long)bytes);
        }
    }
}

#define DM(table, status)                                                                          \
    F("block", "block/sda/dev\t8:0\nblock/nvme0n1/dev\t259:0\nblock/dm-0/dm/name\tvg1-data\n"      \
               "block/dm-0/dm/uuid\tLVM-abc\nblock/dm-0/slaves/sda\t\n"                            \
               "block/dm-0/slaves/nvme0n1\t\n")                                                    \
    F("dmtable", "vg1-data: 0 99 " table "\n") F("dmstatus", "vg1-data: 0 99 " status "\n") END

static void dm_layers(void **state) {
    (void)state;
    static const struct {
        const char *frames;
        enum ng_cache mode;
        enum ng_answer flushing;
        bool broken;
        int64_t dirty;
    } rows[] = {
        {DM("cache 259:0 259:0 8:0 128 1 writeback smq 0",
             "cache 8 1/2 128 3/4 1 2 3 4 5 6 7 1 writeback 2 migration_threshold 9 smq 0 rw -"),
            NG_CACHE_WRITE_BACK, NO, false, 7 * 65536},
        {DM("cache 259:0 259:0 8:0 128 1 writeback cleaner 0",
             "cache 8 1/2 128 3/4 1 2 3 4 5 6 7 1 writeback 2 migration_threshold 9 cleaner 0 rw "
             "-"),
            NG_CACHE_WRITE_BACK, YES, false, 7 * 65536},
        {DM("cache 259:0 259:0 8:0 128 1 writeback cleaner 0",
             "cache 8 1/2 128 3/4 1 2 3 4 5 6 0 1 writeback 0 cleaner 0 rw -"),
            NG_CACHE_WRITE_BACK, NO, false, 0},
        {DM("cache 259:0 259:0 8:0 128 1 writethrough smq 0",
             "cache 8 1/2 128 3/4 1 2 3 4 5 6 0 1 writethrough 0 smq 0 rw needs_check"),
            NG_CACHE_WRITE_THROUGH, NO, true, 0},
        {DM("cache 259:0 259:0 8:0 128 0 smq 0", "cache Fail"), NG_CACHE_UNKNOWN, NO, true, -1},
        {DM("cache 259:0 259:0 8:0 128 0 smq 0", "cache 8 1/2"), NG_CACHE_UNKNOWN, NO, false, -1},
        {DM("writecache s 8:0 259:0 4096 0", "writecache 0 100 90 0"), NG_CACHE_WRITE_BACK, NO,
            false, 10 * 4096},
        {DM("writecache s 8:0 259:0 4096 0", "writecache 0 100 90 3"), NG_CACHE_WRITE_BACK, YES,
            false, 10 * 4096},
        {DM("writecache s 8:0 259:0 4096 1 cleaner", "writecache 0 100 90 0"), NG_CACHE_WRITE_BACK,
            YES, false, 10 * 4096},
        {DM("writecache s 8:0 259:0 4096 0", "writecache -5 100 90 0"), NG_CACHE_WRITE_BACK, NO,
            true, 10 * 4096},
        {DM("linear 8:0 0", "linear "), NG_CACHE_NONE, NO, false, -1},
        {DM("crypt aes-xts-plain64 :64:logon:x 0 8:0 0", "crypt "), NG_CACHE_NONE, NO, false, -1},
        {DM("thin 253:9 1", "thin 9 9"), NG_CACHE_NONE, NO, false, -1},
        {DM("era 259:0 8:0 4096", "era 8 1/2 3 -"), NG_CACHE_NONE, NO, false, -1},
        {DM("raid raid5_ls 3 64 region_size 1 2 1:1 1:2", "raid raid5_ls 2 AA 9/9 idle 0 0 a"),
            NG_CACHE_WRITE_BACK, NO, false, -1},
        {DM("raid raid5_ls 3 64 region_size 1 2 1:1 1:2", "raid raid5_ls 2 AA 9/9 idle 0 0 -"),
            NG_CACHE_NONE, NO, false, -1},
        {DM("brandnew 1 2", "brandnew "), NG_CACHE_UNKNOWN, NO, false, -1},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_cache_layer layer = layer_of(facts_of(rows[i].frames), "dm-0");
        if (layer.mode != rows[i].mode || layer.flushing != rows[i].flushing ||
            layer.broken != rows[i].broken || layer.dirty != rows[i].dirty) {
            fail_msg("row %zu: %s, flushing %d, broken %d, dirty %lld: %s", i,
                ng_cache_word(layer.mode), layer.flushing, layer.broken, (long long)layer.dirty,
                layer.seen);
        }
    }
}

/* Disks: their own cache is recorded and is no layer; those of a virtual machine are unknown. */
static void disks(void **state) {
    (void)state;
    const struct ng_facts *facts =
        facts_of(F("block", "block/sda/dev\t8:0\nblock/sda/queue/write_cache\twrite back\n"
                            "block/sdb/dev\t8:1\nblock/md0/md/level\traid5\n"
                            "block/md0/md/journal_mode\twrite-through [write-back]\n"
                            "block/md1/md/level\traid5\nblock/vda/dev\t1:1\nblock/cas1-1/dev\t1:2\n"
                            "block/nbd0/dev\t1:3\nblock/zd16/dev\t1:4\n") F("layers",
            "block/sda/device/vendor\tATA     \nblock/sdb/device/vendor\tQEMU    \n") END);
    static const struct {
        const char *device;
        enum ng_cache mode;
        const char *seen;
    } rows[] = {
        {"sda", NG_CACHE_NONE, "own write cache: write back"},
        {"sdb", NG_CACHE_UNKNOWN, "not visible"},
        {"md0", NG_CACHE_WRITE_BACK, "raid journal"},
        {"md1", NG_CACHE_NONE, "raid5"},
        {"vda", NG_CACHE_UNKNOWN, "not visible"},
        {"cas1-1", NG_CACHE_UNKNOWN, "Open CAS"},
        {"nbd0", NG_CACHE_UNKNOWN, "network block device"},
        {"zd16", NG_CACHE_UNKNOWN, "ZFS volume"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_cache_layer layer = layer_of(facts, rows[i].device);
        assert_int_equal(layer.mode, rows[i].mode);
        if (strstr(layer.seen, rows[i].seen) == NULL) {
            fail_msg("%s: %s", rows[i].device, layer.seen);
        }
    }
}

/* Reported of others: a cache that does nothing for sequential I/O, and nobody saw why
 * (Open-CAS/open-cas-linux #1592, #1693; facebookarchive/flashcache PR #32). */
static void sequential_io_goes_past_the_cache(void **state) {
    (void)state;
    const struct ng_facts *facts =
        facts_of(DSM_BLOCKS(BOTH) F("dmtable", TABLE("WRITE_BACK", WB_LINES)) STATUS END);
    struct ng_cache_layer layer = layer_of(facts, "dm-4");
    assert_non_null(strstr(layer.seen, "sequential bypass from 1 MiB"));
    assert_non_null(strstr(layer.seen, "uncached sequential reads 480"));
    facts = facts_of(F("block", "block/cas1-1/dev\t1:2\n") END);
    assert_int_equal(layer_of(facts, "cas1-1").mode, NG_CACHE_UNKNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(flashcache_by_its_table),
        TEST(dummy_is_no_cache),
        TEST(flashcache_by_its_files),
        TEST(qts_volumes),
        TEST(bcaches),
        TEST(bcache_sizes),
        TEST(dm_layers),
        TEST(disks),
        TEST(sequential_io_goes_past_the_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
