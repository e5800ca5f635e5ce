/* mounted and cache_state: what lies under a volume, against what the plan says. */
#include "tests/unit/conditions/bench.h"

#include "runner/conditions/mount_match.h"

#define ROOT "1 0 8:2 / / rw,relatime - ext4 /dev/sda2 rw\n"
#define NFS_OPTIONS "rw,vers=3,rsize=131072,wsize=131072,hard,proto=tcp,addr=203.0.113.9"
#define NFS "2 1 0:42 / /mnt/bench rw - nfs nas:/volume1/bench " NFS_OPTIONS "\n"
#define PATH F("path.1.name", "/mnt/bench")
#define HERE                                                                                       \
    PATH F("path.1.test", "exists yes\ndirectory yes\nreal /mnt/bench\nwritable yes\n")            \
        F("path.1.stat", "device 42\nspace 512 9 9 9\n")
#define NAS_ADDRESS                                                                                \
    F("net", "eth4/mtu\t1500\n") F("addresses", "4: eth4    inet 203.0.113.9/24 x\n")

struct params {
    const struct ng_volume *volume;
    int expect;
};

static struct ng_condition_result judge(
    struct bench *bench, const char *name, int expect, const char *client, const char *nas) {
    struct params params = {&bench->volume, expect};
    return bench_judge(bench, name, &params, client, nas);
}

static void want(
    struct bench *bench, const char *type, const char *export, const char *key, const char *value) {
    struct ng_pair *pair = ng_arena_alloc(&bench->arena, sizeof *pair);
    *pair = (struct ng_pair){.key = key, .value = value};
    bench->mount = (struct ng_mount_spec){.type = type,
        .from = export == NULL ? NULL : &bench->hosts[1],
        .export = export,
        .options = {.items = pair, .count = key == NULL ? 0 : 1}};
    bench->volume.mount = &bench->mount;
}

static void a_right_mount(void **state) {
    struct bench *bench = *state;
    want(bench, "nfs", "/volume1/bench/", "rsize", "131072");
    struct ng_condition_result r =
        judge(bench, "mounted", 0, F("mountinfo", ROOT NFS) HERE END, NAS_ADDRESS END);
    bench_expect(&r, NG_HELD, "client:/mnt/bench is on nfs nas:/volume1/bench", NULL);
    assert_non_null(strstr(bench_looked(&r, "options in force"), "rsize=131072"));
    assert_non_null(strstr(r.expected, "nfs from nas:/volume1/bench"));
}

static void not_mounted(void **state) {
    struct bench *bench = *state;
    want(bench, "nfs", "/volume1/bench", NULL, NULL);
    struct ng_condition_result r =
        judge(bench, "mounted", 0, F("mountinfo", ROOT) HERE END, NAS_ADDRESS END);
    bench_expect(&r, NG_BROKEN,
        "client:/mnt/bench is on ext4 /dev/sda2, not on nfs: share not mounted", "mount it on");
    want(bench, "nfs", "/volume1/bench", NULL, NULL);
    r = judge(bench, "mounted", 0,
        F("mountinfo", ROOT "2 1 0:9 / /mnt/bench rw - autofs systemd-1 rw\n") HERE END, END);
    bench_expect(&r, NG_BROKEN, "trigger of an automount", "automount");
    r = judge(bench, "mounted", 0, F("mountinfo", ROOT "garbage\n") HERE END, END);
    bench_expect(&r, NG_UNKNOWN, "not understood", "findmnt");
    r = judge(bench, "mounted", 0, NULL, END);
    bench_expect(&r, NG_UNKNOWN, "could not be asked", NULL);
}

/* A local type asks what the path lies on; any other asks for a mount on the path itself. */
static void a_folder_on_a_disk(void **state) {
    struct bench *bench = *state;
    static const char frames[] = F("mountinfo", ROOT)
        PATH F("path.1.test", "exists yes\ndirectory yes\nreal /mnt/bench\nwritable yes\n")
            F("path.1.stat", "device 2050\n") END;
    want(bench, "ext4", NULL, "relatime", "true");
    struct ng_condition_result r = judge(bench, "mounted", 0, frames, END);
    bench_expect(&r, NG_HELD, "client:/mnt/bench is on ext4 /dev/sda2 (rw,relatime)", NULL);
    want(bench, "ext4", NULL, "noatime", "true");
    r = judge(bench, "mounted", 0, frames, END);
    bench_expect(&r, NG_BROKEN, "option noatime is not in force", "anew");
    want(bench, "xfs", NULL, NULL, NULL);
    r = judge(bench, "mounted", 0, frames, END);
    bench_expect(&r, NG_BROKEN, "is on ext4 /dev/sda2, not on xfs", "correct the volume's path");
    assert_null(strstr(r.seen, "share"));
    want(bench, NULL, NULL, NULL, NULL);
    r = judge(bench, "mounted", 0, frames, END);
    bench_expect(&r, NG_BROKEN, "is no mount point", "chattr +i");
    want(bench, "cifs", NULL, NULL, NULL);
    r = judge(bench, "mounted", 0, F("mountinfo", ROOT NFS) HERE END, END);
    bench_expect(&r, NG_BROKEN, "is on nfs nas:/volume1/bench, not on cifs", "chattr +i");
    assert_null(strstr(r.seen, "not mounted"));
}

static void a_folder_of_the_mount(void **state) {
    struct bench *bench = *state;
    want(bench, "nfs", "/volume1/bench", NULL, NULL);
    bench->volume.path = "/mnt/bench/deep";
    static const char frames[] = F("mountinfo", ROOT NFS) F("path.1.name", "/mnt/bench/deep")
        F("path.1.test", "exists yes\ndirectory yes\nreal /mnt/bench/deep\nwritable yes\n")
            F("path.1.stat", "device 42\n") END;
    struct ng_condition_result r = judge(bench, "mounted", 0, frames, NAS_ADDRESS END);
    bench_expect(&r, NG_HELD, "is on nfs", NULL);
    bench->mount.export = NULL; /* nothing says that this nfs is the right one */
    r = judge(bench, "mounted", 0, frames, NAS_ADDRESS END);
    bench_expect(&r, NG_BROKEN, "is no mount point", NULL);
}

static void dead(void **state) {
    struct bench *bench = *state;
    want(bench, "nfs", "/volume1/bench", NULL, NULL);
    struct ng_condition_result r = judge(bench, "mounted", 0,
        F("mountinfo", ROOT NFS) PATH LATE("path.1.test") END, NAS_ADDRESS END);
    bench_expect(&r, NG_UNKNOWN, "did not answer in time", "umount -f -l");
    bench->volume.mount = NULL;
    r = judge(bench, "mounted", 0, F("mountinfo", ROOT NFS) PATH LATE("path.1.test") END,
        NAS_ADDRESS END);
    bench_expect(&r, NG_UNKNOWN, "did not answer in time", NULL);
    r = judge(bench, "mounted", 0, F("mountinfo", ROOT NFS) HERE END, NAS_ADDRESS END);
    bench_expect(&r, NG_HELD, "is on nfs nas:/volume1/bench", NULL);
}

static void servers(void **state) {
    struct bench *bench = *state;
    want(bench, "nfs", "/volume1/bench", NULL, NULL);
#define CLIENT F("mountinfo", ROOT NFS) HERE END
    struct ng_condition_result r = judge(bench, "mounted", 0, CLIENT,
        F("net", "eth4/mtu\t1500\n") F("addresses", "4: eth4    inet 203.0.113.10/24 x\n") END);
    bench_expect(&r, NG_BROKEN, "has the address 203.0.113.9, which nas has not", NULL);
    /* the addresses of the server are not known: its name must do */
    r = judge(bench, "mounted", 0, CLIENT, NULL);
    bench_expect(&r, NG_HELD, "is on nfs", NULL);
    bench->hosts[1].name = "other";
    r = judge(bench, "mounted", 0, CLIENT, NULL);
    bench_expect(&r, NG_UNKNOWN, "whether its server nas is other", "by the name");
    bench->link.ends[1].address = "203.0.113.9"; /* but the plan may state it */
    r = judge(bench, "mounted", 0, CLIENT, NULL);
    bench_expect(&r, NG_HELD, "is on nfs", NULL);
    bench->mount.export = "/volume2/bench";
    r = judge(bench, "mounted", 0, CLIENT, NULL);
    bench_expect(&r, NG_BROKEN, "mounted from nas:/volume1/bench, not from /volume2/bench", NULL);
}

static void options(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *key, *value;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {"vers", "3", NG_HELD, ""},
        {"vers", "4", NG_BROKEN, "vers=3 is in force, not 4"},
        {"rsize", "131072", NG_HELD, ""},
        {"rsize", "1048576", NG_BROKEN, "rsize=131072 is in force, not 1048576"},
        {"hard", "true", NG_HELD, ""},
        {"soft", "true", NG_BROKEN, "option soft is not in force"},
        {"hard", "false", NG_BROKEN, "option hard is in force"},
        {"soft", "false", NG_HELD, ""},
        {"proto", "tcp", NG_HELD, ""},
        {"proto", "rdma", NG_BROKEN, "proto=tcp is in force"},
        {"nconnect", "1", NG_HELD, ""},
        {"nconnect", "4", NG_BROKEN, "nconnect=1 is in force, not 4"},
        {"timeo", "600", NG_BROKEN, "timeo is not in force"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        want(bench, "nfs", "/volume1/bench", rows[i].key, rows[i].value);
        struct ng_condition_result r =
            judge(bench, "mounted", 0, F("mountinfo", ROOT NFS) HERE END, NAS_ADDRESS END);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
}

static void another_device(void **state) {
    struct bench *bench = *state;
    static const char other[] = F("path.1.test", "exists yes\ndirectory yes\nreal /mnt/bench\n")
        F("path.1.stat", "device 2049\n") END;
    const char *frames =
        ng_arena_printf(&bench->arena, "%s%s", F("mountinfo", ROOT NFS) PATH, other);
    struct ng_condition_result r = judge(bench, "mounted", 0, frames, END);
    bench_expect(&r, NG_UNKNOWN, "has device 8:1, but mountinfo says 0:42", "findmnt");
    frames = ng_arena_printf(&bench->arena, "%s%s",
        F("mountinfo", ROOT "2 1 0:42 / /mnt/bench rw - btrfs /dev/sdb rw\n") PATH, other);
    r = judge(bench, "mounted", 0, frames, END);
    bench_expect(&r, NG_HELD, "btrfs", NULL); /* its subvolumes have numbers of their own */
}

static void sources(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *source, *server, *export;
    } rows[] = {
        {"nas:/volume1/x", "nas", "/volume1/x"},
        {"[2001:db8::1]:/x", "2001:db8::1", "/x"},
        {"//nas/share/sub", "nas", "/share/sub"},
        {"/vol/vol3", NULL, NULL},
        {"//nas", NULL, NULL},
        {"tmpfs", NULL, NULL},
        {"", NULL, NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_mount mount = {.source = rows[i].source};
        const char *server = NULL, *export = NULL;
        bool split = ng_mount_source_split(&mount, &bench->arena, &server, &export);
        assert_int_equal(split, rows[i].server != NULL);
        if (split) {
            assert_string_equal(server, rows[i].server);
            assert_string_equal(export, rows[i].export);
        }
    }
    struct ng_mount share = {.source = "//nas/bench", .type = "smb3"};
    assert_true(ng_mount_export_matches("bench", &share, &bench->arena));
    assert_true(ng_mount_export_matches("/bench", &share, &bench->arena));
    assert_true(ng_mount_export_matches("//nas/bench/", &share, &bench->arena));
    assert_false(ng_mount_export_matches("ench", &share, &bench->arena));
    assert_true(ng_mount_type_matches("cifs", &share));
    assert_false(ng_mount_type_matches("nfs", &share));
    assert_true(ng_mount_value_matches("vers", "4", "4.2"));
    assert_false(ng_mount_value_matches("vers", "4.1", "4.10"));
    assert_false(ng_mount_value_matches("vers", "3", "3x"));
    assert_true(ng_mount_value_matches("rsize", "0131072", "131072"));
    assert_true(ng_mount_value_matches("size", "9437184", "9216k"));
    assert_true(ng_mount_value_matches("size", "1073741824", "1g"));
    assert_false(ng_mount_value_matches("size", "9216", "9216k"));
    assert_false(ng_mount_value_matches("size", "9216", "9216kk"));
    assert_false(ng_mount_value_matches("sec", "sys", "krb5"));
}

#define MOUNT(device, type, source)                                                                \
    F("mountinfo", "1 0 " device " / / rw - " type " " source " rw\n")
#define SDA                                                                                        \
    "block/sda/dev\t8:0\nblock/sda/size\t2048\nblock/sda/queue/rotational\t1\n"                    \
    "block/sda/queue/write_cache\twrite back\nblock/sda/part/sda1/dev\t8:1\n"
#define BCACHE(mode, state)                                                                        \
    SDA "block/bcache0/dev\t252:0\nblock/bcache0/bcache/cache_mode\t" mode "\n"                    \
        "block/bcache0/bcache/state\t" state "\nblock/bcache0/slaves/sda\t\n"
#define ON_BCACHE(mode, state)                                                                     \
    MOUNT("252:0", "xfs", "/dev/bcache0") F("block", BCACHE(mode, state)) END
#define DM(slaves) SDA "block/dm-0/dev\t253:0\nblock/dm-0/dm/name\tcachedev_0\n" slaves
#define ON_DM(slaves, more)                                                                        \
    MOUNT("253:0", "ext4", "/dev/mapper/cachedev_0") F("block", DM(slaves)) more END
#define ONE "block/dm-0/slaves/sda\t\n"
#define TWO ONE "block/dm-0/slaves/sda1\t\n"
#define FLASH(mode)                                                                                \
    F("dmtable", "cachedev_0: 0 9 flashcache-syno conf:\n\tssd dev (x), cache mode(" mode ")\n")

enum { ANY, NONE, READ, THROUGH, BACK };

#define SDB "block/sdb/dev\t8:16\n"
#define POOL(more)                                                                                 \
    F("zpool.status",                                                                              \
        "  pool: tank\n state: ONLINE\nconfig:\n\n\tNAME STATE READ WRITE CKSUM\n"                 \
        "\ttank ONLINE 0 0 0\n\t  sda ONLINE 0 0 0\n" more "\nerrors: No known data errors\n")
#define ON_POOL(more) MOUNT("0:40", "zfs", "tank/x") F("block", SDA SDB) POOL(more) END

static void caches(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *frames;
        int expect;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {MOUNT("8:1", "ext4", "/dev/sda1") F("block", SDA) END, ANY, NG_HELD, "cache: none"},
        {MOUNT("8:1", "ext4", "/dev/sda1") F("block", SDA) END, NONE, NG_HELD, "cache: none"},
        {MOUNT("8:1", "ext4", "/dev/sda1") F("block", SDA) END, BACK, NG_BROKEN, "cache: none"},
        {ON_BCACHE("writethrough [writeback] none", "dirty"), ANY, NG_HELD, "cache: write-back"},
        {ON_BCACHE("writethrough [writeback] none", "dirty"), NONE, NG_BROKEN, "write-back"},
        {ON_BCACHE("writethrough [writeback] none", "no cache"), NONE, NG_HELD, "cache: none"},
        {ON_BCACHE("[writethrough] writeback none", "clean"), THROUGH, NG_HELD, "write-through"},
        {ON_BCACHE("[writearound] writeback none", "clean"), READ, NG_HELD, "cache: read"},
        {ON_BCACHE("strange", "clean"), NONE, NG_UNKNOWN, "bcache0"},
        /* names prove nothing: a cachedev without a cache is none */
        {ON_DM(ONE, FLASH("DUMMY")), NONE, NG_HELD, "cache: none"},
        {ON_DM(TWO, FLASH("WRITE_BACK")), BACK, NG_HELD, "write-back"},
        {ON_DM(TWO, FLASH("WRITE_AROUND")), READ, NG_HELD, "cache: read"},
        {ON_DM(TWO, FLASH("NEW_MODE")), NONE, NG_UNKNOWN, "cachedev_0"},
        {ON_DM(TWO, F("dmtable", "cachedev_0: 0 9 linear 8:1 0\n")), NONE, NG_HELD, "none"},
        {ON_DM(TWO, F("dmtable", "cachedev_0: 0 9 cache 1 2 3\n")
                        F("dmstatus", "cachedev_0: 0 9 cache 8 1/2 1 writethrough 2\n")),
            THROUGH, NG_HELD, "write-through"},
        {ON_DM(TWO, F("dmtable", "cachedev_0: 0 9 cache 1 2 3\n")
                        F("dmstatus", "cachedev_0: 0 9 cache Fail\n")),
            THROUGH, NG_UNKNOWN, "Fail"},
        {ON_DM(TWO, F("dmtable", "cachedev_0: 0 9 writecache s 8:1 8:2\n")), BACK, NG_HELD, "back"},
        /* not root: one device below cannot hide a cache, two can */
        {ON_DM(ONE, ABSENT("dmtable")), NONE, NG_HELD, "cache: none"},
        {ON_DM(TWO, ABSENT("dmtable")), NONE, NG_UNKNOWN, "its target was not read"},
        {ON_DM(TWO, ABSENT("dmtable")), ANY, NG_HELD, "cache: unknown"},
        {MOUNT("254:0", "ext4", "/dev/vda") F("block", "block/vda/dev\t254:0\n") END, NONE,
            NG_UNKNOWN, "not visible"},
        {MOUNT("254:0", "ext4", "/dev/vda") F("block", "block/vda/dev\t254:0\n") END, ANY, NG_HELD,
            "not visible"},
        {MOUNT("0:40", "tmpfs", "tmpfs") END, ANY, NG_HELD, "lies in memory"},
        {MOUNT("0:40", "tmpfs", "tmpfs") END, NONE, NG_UNKNOWN, "lies in memory"},
        {MOUNT("0:40", "overlay", "overlay") END, ANY, NG_HELD, "below its overlay"},
        {MOUNT("0:40", "zfs", "tank") F("block", SDA) END, NONE, NG_UNKNOWN, "is not known"},
        /* an L2ARC reads, a SLOG acknowledges synchronous writes, metadata apart is no cache */
        {ON_POOL(""), NONE, NG_HELD, "cache: none"},
        {ON_POOL("\tspecial\n\t  sdb ONLINE 0 0 0\n"), NONE, NG_HELD, "cache: none"},
        {ON_POOL("\tcache\n\t  sdb ONLINE 0 0 0\n"), NONE, NG_BROKEN, "cache: read"},
        {ON_POOL("\tcache\n\t  sdb ONLINE 0 0 0\n"), READ, NG_HELD, "cache: read"},
        {ON_POOL("\tlogs\n\t  sdb ONLINE 0 0 0\n"), BACK, NG_HELD, "cache: write-back"},
        {ON_POOL("\tlogs\n\t  sdb ONLINE 0 0 0\n\tcache\n\t  sda ONLINE 0 0 0\n"), READ, NG_BROKEN,
            "cache: write-back"},
        {MOUNT("0:40", "zfs", "tank/x") F("block", SDA SDB) ABSENT("zpool.status")
                F("zfs.states", "tank\tONLINE\n") END,
            NONE, NG_UNKNOWN, "what the ZFS pool below tank/x caches is not known"},
        {MOUNT("230:0", "ext4", "/dev/zd0") F("block", SDA SDB "block/zd0/dev\t230:0\n")
                POOL("\tcache\n\t  sdb ONLINE 0 0 0\n") END,
            NONE, NG_BROKEN, "cache: read"},
        {MOUNT("0:40", "nfs", "nas:/v") END, ANY, NG_UNKNOWN, "not visible from client"},
        {F("mountinfo", "bad\n") END, ANY, NG_UNKNOWN, "not understood"},
        {NULL, ANY, NG_UNKNOWN, "could not be asked"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_condition_result r =
            judge(bench, "cache_state", rows[i].expect, rows[i].frames, END);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
}

/* The server's side is looked at where the plan declares the server. */
static void caches_of_the_server(void **state) {
    struct bench *bench = *state;
    want(bench, "nfs", "/volume1/bench", NULL, NULL);
    struct ng_condition_result r = judge(bench, "cache_state", BACK,
        F("mountinfo", ROOT NFS) F("meminfo", "MemTotal: 1024 kB\nCached: 512 kB\n") HERE END,
        ON_BCACHE("[writeback]", "clean"));
    bench_expect(&r, NG_HELD, "cache: write-back", NULL);
    assert_non_null(strstr(bench_looked(&r, "nas:bcache0"), "write-back"));
    assert_non_null(strstr(bench_looked(&r, "nas:sda"), "own write cache: write back"));
    assert_non_null(strstr(bench_looked(&r, "page cache of client"), "1 MiB"));
    r = judge(bench, "cache_state", ANY, F("mountinfo", ROOT NFS) HERE END, NULL);
    bench_expect(&r, NG_UNKNOWN, "could not be asked", "declare the host");
    struct params params = {&bench->volume, 0};
    struct ng_collect_needs needs[2] = {0};
    bench_condition("cache_state")->needs(&bench->plan, &params, needs);
    assert_string_equal(needs[0].paths.items[0], "/mnt/bench");
    assert_string_equal(needs[1].paths.items[0], "/volume1/bench");
    ng_collect_needs_release(&needs[0]);
    ng_collect_needs_release(&needs[1]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_right_mount),
        TEST(not_mounted),
        TEST(a_folder_on_a_disk),
        TEST(a_folder_of_the_mount),
        TEST(dead),
        TEST(servers),
        TEST(options),
        TEST(another_device),
        TEST(sources),
        TEST(caches),
        TEST(caches_of_the_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
