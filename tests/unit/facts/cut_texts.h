/**
 * cut_texts.h - for tests: texts of hosts on which something is at work, not whole, cached or not
 * sound, for what must not be hidden when they end early or are odd.
 */
#ifndef NG_TESTS_FACTS_CUT_TEXTS_H
#define NG_TESTS_FACTS_CUT_TEXTS_H

#include "tests/unit/facts/cut.h"

#define MARKERS CUT_F("markers", "modules\nmd_mod\n")
#define ROOT CUT_F("mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n")
#define HOST CUT_F("uname", "Linux 6.1 x86_64\n") MARKERS ROOT
#define PLAIN HOST CUT_F("block", "")
#define DSM PLAIN CUT_F("dsm", "majorversion=\"7\"\n")
#define NO_MD CUT_F("mdstat", "Personalities : \nunused devices: <none>\n")
#define HEAD "Personalities : [raid1] [raid6] [raid5] [raid4] \n"
#define TAIL "      \nunused devices: <none>\n"
#define BAR "      [>....................]  recovery =  3.6% (32/900) finish=1.0min speed=12K/sec\n"
#define DM_BLOCKS                                                                                  \
    HOST NO_MD CUT_F("block",                                                                      \
        "block/sda/dev\t8:0\nblock/nvme0n1/dev\t259:0\nblock/dm-0/dev\t253:0\n"                    \
        "block/dm-0/dm/name\tvg1-data\nblock/dm-0/dm/uuid\tLVM-abc\n"                              \
        "block/dm-0/slaves/sda\t\nblock/dm-0/slaves/nvme0n1\t\n")
#define TABLE(target) CUT_F("dmtable", "vg1-data: 0 99 " target " x\n")
#define UUID "0abb23a9-579b-43e6-ad30-227ef47fcb9d"
#define BTRFS HOST NO_MD CUT_F("block", "block/sda/dev\t8:0\nbtrfs/" UUID "/devices/sda\t\n")
#define POOL_HOST HOST NO_MD CUT_F("block", "") CUT_F("zfs", "")
#define POOL(state, scan, rows)                                                                    \
    "  pool: tank\n state: " state "\n" scan "config:\n\n"                                         \
    "\tNAME        STATE     READ WRITE CKSUM\n" rows "\nerrors: No known data errors\n"
#define ROWS                                                                                       \
    "\ttank        ONLINE       0     0     0\n\t  mirror-0  ONLINE       0     0     0\n"         \
    "\t    sda     ONLINE       0     0     0\n\t    sdb     ONLINE       0     0     0\n"

static const struct cut_text cut_texts[] = {
    {"md: a recovery", PLAIN, "mdstat",
        HEAD "md0 : active raid1 sda1[2] sdb1[1]\n      900 blocks super 1.2 [2/1] [_U]\n" BAR TAIL,
        CUT_END, false},
    {"md: a check of the second", PLAIN, "mdstat",
        HEAD "md1 : active raid1 sda2[0] sdb2[1]\n      900 blocks super 1.2 [2/2] [UU]\n      \n"
             "md0 : active raid1 sda1[0] sdb1[1]\n      900 blocks super 1.2 [2/2] [UU]\n"
             "      [>...]  check =  3.6% (32/900) finish=1.0min speed=12K/sec\n"
             "      bitmap: 0/1 pages [0KB], 65536KB chunk\n" TAIL,
        CUT_END, true},
    {"md: one that waits", PLAIN, "mdstat",
        HEAD "md0 : active (auto-read-only) raid1 sda1[0] sdb1[1]\n"
             "      900 blocks super 1.2 [2/2] [UU]\n      \tresync=PENDING\n" TAIL,
        CUT_END, false},
    {"md: a missing member", PLAIN, "mdstat",
        HEAD "md0 : active raid5 sda1[0] sdb1[1]\n"
             "      900 blocks super 1.2 level 5, 64k chunk, algorithm 2 [3/2] [UU_]\n" TAIL,
        CUT_END, false},
    {"md: DSM's disk error in a raid0", DSM, "mdstat",
        HEAD "md2 : active raid0 sda3[0]\n"
             "      900 blocks super 1.2 64k chunks [1/1] [E]\n" TAIL,
        CUT_END, false},
    {"md: a raid0 at a reshape", PLAIN, "mdstat",
        HEAD "md2 : active raid0 sda3[0] sdb3[1]\n      900 blocks super 1.2 64k chunks\n"
             "      [>...]  reshape =  3.6% (32/900) finish=1.0min speed=12K/sec\n" TAIL,
        CUT_END, false},
    {"md: with CR LF", PLAIN, "mdstat",
        "Personalities : [raid1] \r\nmd0 : active raid1 sda1[0] sdb1[1]\r\n"
        "      900 blocks super 1.2 [2/2] [UU]\r\n"
        "      [>...]  check =  3.6% (32/900) finish=1.0min speed=12K/sec\r\n      \r\n"
        "unused devices: <none>\r\n",
        CUT_END, false},
    {"md: sysfs alone", PLAIN "\nt A mdstat 0\n", "md",
        "md0/array_state\tclean\nmd0/level\traid6\nmd0/raid_disks\t4\nmd0/degraded\t1\n"
        "md0/sync_action\trecover\nmd0/sync_completed\t1569888 / 2093056\n",
        CUT_END, false},
    {"md: sysfs knows of a check",
        PLAIN CUT_F("mdstat", HEAD "md0 : active raid1 a[0] b[1]\n"
                                   "      900 blocks super 1.2 [2/2] [UU]\n" TAIL),
        "md", "md0/sync_action\tfrozen\n", NULL, true},
    {"Unraid at a check", PLAIN CUT_F("unraid", "version=\"6.12.4\"\n"), "mdstat",
        "sbName=/boot/config/super.dat\nmdState=STARTED\nmdNumDisks=4\nmdNumDisabled=1\n"
        "mdNumInvalid=0\nmdNumMissing=0\nmdNumWrong=0\nmdResyncAction=check P\nmdResync=1000\n"
        "mdResyncSize=1000\nmdResyncPos=250\nmdResyncDt=2\nmdResyncDb=10\n",
        CUT_END, false},
    {"Unraid with a disk of another", PLAIN CUT_F("unraid", "version=\"6.12.4\"\n"), "mdstat",
        "sbName=/boot/config/super.dat\nmdState=STARTED\nmdNumDisks=4\nmdNumDisabled=0\n"
        "mdNumInvalid=0\nmdNumMissing=0\nmdNumWrong=1\nmdResyncAction=check P\nmdResync=0\n"
        "mdResyncSize=1000\nmdResyncPos=250\nmdResyncDt=0\nmdResyncDb=0\n",
        CUT_END, false},
    {"zpool: a scrub", POOL_HOST, "zpool.status",
        POOL("ONLINE",
            "  scan: scrub in progress since Sun Nov 29 10:00:00 2026\n"
            "\t1.2T scanned at 1G/s, 900G issued at 500M/s, 3T total\n"
            "\t0B repaired, 30.00% done, 01:10:00 to go\n",
            ROWS),
        CUT_END, false},
    {"zpool: old words", POOL_HOST, "zpool.status",
        POOL("ONLINE", " scrub: resilver in progress for 0h7m, 1.23% done, 9h2m to go\n", ROWS),
        CUT_END, false},
    {"zpool: a removal behind a finished scrub", POOL_HOST, "zpool.status",
        POOL("ONLINE",
            "  scan: scrub repaired 0B in 00:19:47 with 0 errors on Sun Nov 29 2026\n"
            "remove: Evacuation of sdc in progress since Sun Nov 29 10:00:00 2026\n",
            ROWS),
        CUT_END, false},
    {"zpool: a device without a state of the pool", POOL_HOST, "zpool.status",
        POOL("ONLINE", "  scan: none requested\n",
            "\ttank        ONLINE       0     0     0\n\t  mirror-0  DEGRADED     0     0     0\n"
            "\t    sda     ONLINE       0     0     0\n\t    sdb     UNAVAIL      0     0     0  "
            "cannot open\n"),
        CUT_END, false},
    {"zpool: a trim in a note", POOL_HOST, "zpool.status",
        POOL("ONLINE", "",
            "\ttank        ONLINE       0     0     0\n"
            "\t  sda       ONLINE       0     0     0  (trimming)\n"),
        CUT_END, false},
    {"zpool: JSON", POOL_HOST, "zpool.status",
        "{\"pools\": {\"tank\": {\"name\": \"tank\", \"state\": \"DEGRADED\", \"scan_stats\": "
        "{\"function\": \"RESILVER\", \"state\": \"SCANNING\", \"scrub_pause\": \"-\"}, \"vdevs\": "
        "{\"tank\": {\"name\": \"tank\", \"vdev_type\": \"root\", \"state\": \"DEGRADED\"}}, "
        "\"error_count\": \"0\"}}}\n",
        CUT_END, false},
    {"zpool: the list alone", POOL_HOST "\nt A zpool.status 0\n", "zpool.list",
        "tank\tDEGRADED\t42%\t1024\n", CUT_END, true},
    {"dm: a raid at a check", DM_BLOCKS TABLE("raid"), "dmstatus",
        "vg1-data: 0 99 raid raid5_ls 3 AAA 20/40 check 0\n", CUT_END, false},
    {"dm: a raid with a dead disk", DM_BLOCKS TABLE("raid"), "dmstatus",
        "vg1-data: 0 99 raid raid1 2 AD 40/40 idle 0 0 -\n", CUT_END, false},
    {"dm: a raid with a journal that holds writes back",
        DM_BLOCKS TABLE("raid raid5_ls 5 64 journal_dev 8:1 journal_mode writeback"), "dmstatus",
        "vg1-data: 0 99 raid raid5_ls 3 AAA 40/40 idle 0 0 a\n", CUT_END, false},
    {"dm: a mirror that is copied", DM_BLOCKS TABLE("mirror"), "dmstatus",
        "vg1-data: 0 99 mirror 2 254:61 254:62 730/2048 1 AA 3 disk 254:60 A\n", CUT_END, false},
    {"dm: a thin pool without room", DM_BLOCKS TABLE("thin-pool"), "dmstatus",
        "vg1-data: 0 99 thin-pool 1 20/40 66/66 - out_of_data_space no_discard_passdown "
        "queue_if_no_space - 1024\n",
        CUT_END, false},
    {"dm: a thin pool that needs a check", DM_BLOCKS TABLE("thin-pool"), "dmstatus",
        "vg1-data: 0 99 thin-pool 1 20/40 60/66 - rw no_discard_passdown queue_if_no_space "
        "needs_check 1024\n",
        CUT_END, false},
    {"dm: a merge", DM_BLOCKS TABLE("snapshot-merge"), "dmstatus",
        "vg1-data: 0 99 snapshot-merge 1600/2048 16\n", CUT_END, false},
    {"dm: a clone", DM_BLOCKS TABLE("clone"), "dmstatus",
        "vg1-data: 0 99 clone 8 20/40 8 100/200 0 1 no_discard_passdown 4 a 1 b 1 rw\n", CUT_END,
        false},
    {"dm: checksums anew", DM_BLOCKS TABLE("integrity"), "dmstatus",
        "vg1-data: 0 99 integrity 0 10000 200\n", CUT_END, false},
    {"dm: a vdo that recovers", DM_BLOCKS TABLE("vdo"), "dmstatus",
        "vg1-data: 0 99 vdo /dev/sda normal recovering online online 3 2048\n", CUT_END, false},
    {"dm-cache: write-back",
        DM_BLOCKS CUT_F("dmtable", "vg1-data: 0 99 cache 8:1 259:0 8:0 128 1 "
                                   "writeback smq 0\n"),
        "dmstatus",
        "vg1-data: 0 99 cache 8 10/20 128 30/40 1 2 3 4 5 6 7 1 writeback 2 migration_threshold "
        "2048 smq 0 rw -\n",
        CUT_END, false},
    {"dm-cache: its metadata needs a check",
        DM_BLOCKS CUT_F("dmtable", "vg1-data: 0 99 cache 8:1 259:0 8:0 128 1 writeback smq 0\n"),
        "dmstatus",
        "vg1-data: 0 99 cache 8 10/20 128 30/40 1 2 3 4 5 6 7 1 writeback 2 migration_threshold "
        "2048 smq 0 ro needs_check\n",
        CUT_END, false},
    {"dm-cache: emptied",
        DM_BLOCKS CUT_F("dmtable", "vg1-data: 0 99 cache 8:1 259:0 8:0 128 1 "
                                   "writeback cleaner 0\n"),
        "dmstatus",
        "vg1-data: 0 99 cache 8 10/20 128 30/40 1 2 3 4 5 6 70 1 writeback 2 migration_threshold "
        "2048 cleaner 0 rw -\n",
        CUT_END, false},
    {"dm-cache: by its table", DM_BLOCKS, "dmtable",
        "vg1-data: 0 99 cache 8:1 259:0 8:0 128 1 writeback smq 0\n", CUT_END, false},
    {"dm-cache: by a table without a mode", DM_BLOCKS, "dmtable",
        "vg1-data: 0 99 cache 8:1 259:0 8:0 128 2 metadata2 no_discard_passdown smq 0\n", CUT_END,
        false},
    {"dm-cache: passthrough is none", DM_BLOCKS, "dmtable",
        "vg1-data: 0 99 cache 8:1 259:0 8:0 128 1 writethrough smq 0\n", CUT_END, false},
    {"dm-writecache", DM_BLOCKS TABLE("writecache"), "dmstatus",
        "vg1-data: 0 99 writecache 17 1000 900 10\n", CUT_END, false},
    {"flashcache: its table", DM_BLOCKS, "dmtable",
        "vg1-data: 0 99 flashcache-syno conf:\n"
        "\tssd dev (/dev/nvme0n1), disk dev (/dev/sda) cache mode(WRITE_BACK)\n"
        "\tcapacity(190M), associativity(512), data block size(64K)\n"
        "\tskip sequential thresh(1024K)\n\tdirty blocks(16), dirty percent(0)\n",
        CUT_END, false},
    {"flashcache: its files", DM_BLOCKS "\nt A dmtable 0\n", "flashcache",
        "md4+lv/cache_info\tssd_dev=/dev/nvme0n1\nmd4+lv/cache_info\tdisk_dev=/dev/sda\n"
        "md4+lv/cache_info\tmode=WRITE_BACK\nmd4+lv/cache_info\tdirty_blocks=16\n"
        "md4+lv/flashcache_progress\tstatus=cacheable_flushing\n",
        NULL, false},
    {"flashcache: its mode by its files", DM_BLOCKS "\nt A dmtable 0\n", "flashcache",
        "md4+lv/cache_info\tssd_dev=/dev/nvme0n1\nmd4+lv/cache_info\tdisk_dev=/dev/sda\n"
        "md4+lv/cache_info\tmode=WRITE_BACK\nmd4+lv/cache_info\tdirty_blocks=16\n",
        CUT_END, false},
    {"bcache", HOST NO_MD, "block",
        "block/sda/dev\t8:0\nblock/nvme0n1/dev\t259:0\nblock/bcache0/dev\t252:0\n"
        "block/bcache0/slaves/sda\t\nblock/bcache0/slaves/nvme0n1\t\n"
        "block/bcache0/bcache/cache_mode\twritethrough [writeback] writearound none\n"
        "block/bcache0/bcache/state\tdirty\nblock/bcache0/bcache/dirty_data\t20.4G\n",
        CUT_END, true},
    {"lvs: a recovery",
        HOST NO_MD CUT_F("block",
            "block/dm-0/dm/name\tvg1-data\n"
            "block/dm-0/dm/uuid\tLVM-abc\nblock/dm-0/slaves/sda\t\nblock/dm-0/slaves/sdb\t\n"),
        "lvs",
        "{\"report\": [{\"lv\": [{\"vg_name\": \"vg1\", \"lv_name\": \"data\", \"segtype\": "
        "\"raid1\", \"lv_attr\": \"rwi-aor-p-\", \"raid_sync_action\": \"recover\", "
        "\"sync_percent\": \"12.50\"}]}]}\n",
        CUT_END, false},
    {"lvs: lines of old versions",
        HOST NO_MD CUT_F("block",
            "block/dm-0/dm/name\tvg1-data\n"
            "block/dm-0/dm/uuid\tLVM-abc\nblock/dm-0/slaves/sda\t\nblock/dm-0/slaves/sdb\t\n"),
        "lvs", "  vg1|data|mirror|mwi-aom-p-|1073741824B|12.50|data_mimage_0(0),data_mimage_1(0)\n",
        CUT_END, false},
    {"btrfs: a balance by sysfs", HOST NO_MD, "block",
        "block/sda/dev\t8:0\nbtrfs/" UUID "/devices/sda\t\n"
        "btrfs/" UUID "/exclusive_operation\tbalance\nbtrfs/" UUID "/missing\t1\n",
        CUT_END, true},
    {"btrfs: a scrub that runs",
        BTRFS CUT_F("scrub.tasks", "/proc/2\tkthreadd\n/proc/77\tbtrfs\n") CUT_F("balance." UUID,
            "No balance found on '/v'\n") CUT_F("replace." UUID, "Never started\n"),
        "scrub." UUID,
        "UUID:             " UUID "\nScrub started:    Sun Nov 29 10:00:00 2026\n"
        "Status:           running\nDuration:         0:00:04\nTime left:        0:00:02\n"
        "Total to scrub:   4.00GiB\nBytes scrubbed:   1.61GiB  (40.23%)\n"
        "Rate:             411.02MiB/s\nError summary:    no errors found\n",
        CUT_END, false},
    {"btrfs: a scrub in old words",
        BTRFS CUT_F("scrub.tasks", "/proc/2\tkthreadd\n/proc/77\tbtrfs\n") CUT_F("balance." UUID,
            "No balance found on '/v'\n") CUT_F("replace." UUID, "Never started\n"),
        "scrub." UUID,
        "scrub status for " UUID "\n"
        "\tscrub started at Sun Nov 29 10:00:00 2026, running for 00:00:05\n"
        "\ttotal bytes scrubbed: 1.00GiB with 0 errors\n",
        CUT_END, false},
    {"btrfs: a balance",
        BTRFS CUT_F("scrub.tasks", "/proc/2\tkthreadd\n/proc/77\tbtrfs\n")
            CUT_F("replace." UUID, "Never started\n"),
        "balance." UUID,
        "Balance on '/v' is running\n3 out of about 9 chunks balanced (10 considered),  67% left\n",
        CUT_END, true},
    {"btrfs: a replacement",
        BTRFS CUT_F("scrub.tasks", "/proc/2\tkthreadd\n/proc/77\tbtrfs\n")
            CUT_F("balance." UUID, "No balance found on '/v'\n"),
        "replace." UUID, "12.3% done, 0 write errs, 0 uncorr. read errs\n", CUT_END, true},
    {"btrfs: a missing device by its statistics",
        BTRFS CUT_F("scrub.tasks", "/proc/2\tkthreadd\n/proc/77\tbtrfs\n"), "stats." UUID,
        "[/dev/sda].write_io_errs    0\n[/dev/sda].read_io_errs     0\n"
        "[/dev/sda].flush_io_errs    0\n[/dev/sda].corruption_errs  0\n"
        "[/dev/sda].generation_errs  0\n[devid:2].write_io_errs     0\n"
        "[devid:2].read_io_errs      0\n[devid:2].flush_io_errs     0\n"
        "[devid:2].corruption_errs   0\n[devid:2].generation_errs   0\n",
        CUT_END, false},
    {"btrfs: a missing device by show",
        BTRFS CUT_F("scrub.tasks", "/proc/2\tkthreadd\n/proc/77\tbtrfs\n"), "btrfs.show",
        "Label: none  uuid: " UUID "\n\tTotal devices 2 FS bytes used 1.00GiB\n"
        "\tdevid    1 size 4.00GiB used 1.00GiB path /dev/sda\n\t*** Some devices missing\n",
        CUT_END, false},
    {"bonding: no partner", PLAIN NO_MD, "bonding",
        "bond0\tBonding Mode: IEEE 802.3ad Dynamic link aggregation\nbond0\tMII Status: up\n"
        "bond0\tActive Aggregator Info:\nbond0\t\tAggregator ID: 1\nbond0\t\tNumber of ports: 2\n"
        "bond0\t\tPartner Mac Address: 00:00:00:00:00:00\nbond0\tSlave Interface: eth0\n"
        "bond0\tMII Status: up\nbond0\tAggregator ID: 1\nbond0\tSlave Interface: eth1\n"
        "bond0\tMII Status: up\nbond0\tAggregator ID: 2\n",
        CUT_END, true},
    {"bonding: ports are missing",
        PLAIN NO_MD CUT_F("net", "bond0/lower/eth0\t\nbond0/lower/eth1\t\n"), "bonding",
        "bond0\tBonding Mode: IEEE 802.3ad Dynamic link aggregation\nbond0\tMII Status: up\n"
        "bond0\tActive Aggregator Info:\nbond0\t\tAggregator ID: 1\nbond0\t\tNumber of ports: 1\n"
        "bond0\t\tPartner Mac Address: 0a:00:00:00:00:01\nbond0\tSlave Interface: eth0\n"
        "bond0\tMII Status: up\nbond0\tAggregator ID: 1\nbond0\tSlave Interface: eth1\n"
        "bond0\tMII Status: up\nbond0\tAggregator ID: 12\n",
        CUT_END, true},
};

/** The facts of a host whose text is `text` instead; `closed`: its frame has its end. */
static inline const struct ng_facts *cut_facts(
    const struct cut_text *like, struct ng_arena *own, const char *text, size_t len, bool closed) {
    const char *frames =
        ng_arena_printf(own, "%s\nt B %s\n%.*s", like->before, like->frame, (int)len, text);
    if (closed) {
        frames = ng_arena_printf(own, "%s\nt E %s 0\n%s", frames, like->frame,
            like->after == NULL ? CUT_END : like->after);
    }
    return ng_facts_parse(own, "nas", "t", frames, strlen(frames));
}

#endif
