/* The NFS client's statistics and servers, and the NFS server's files. */
#include "tests/unit/facts/parse.h"

#include "runner/facts/mountstats.h"
#include "runner/facts/nfsd.h"
#include "runner/facts/nfsfs.h"

static struct ng_mountstats mountstats(const char *text) {
    struct ng_mountstats stats;
    ng_mountstats_parse(&stats, &arena, text, strlen(text));
    return stats;
}

#define XPRT "\txprt:\ttcp 832 0 1 0 11 6428 6428 0 12154 0\n"

static void connections_are_counted(void **state) {
    (void)state;
    const struct ng_mountstats stats =
        mountstats("device proc mounted on /proc with fstype proc\n"
                   "no device mounted on /x with fstype tmpfs\n"
                   "device nas:/v\\0401 mounted on /mnt/a\\040b with fstype nfs4 statvers=1.1\n"
                   "\topts:\trw,vers=4.2,rsize=131072,nconnect=4\n\tage:\t77\n"
                   "\tbytes:\t1 2 3 4 18446744073709551615 6 7 8\n" XPRT XPRT XPRT XPRT
                   "device nas:/w mounted on /mnt/a\\040b with fstype nfs statvers=1.1\n" XPRT);
    assert_int_equal(stats.count, 2);
    assert_int_equal(stats.bad, 0);
    const struct ng_mountstat *stat = &stats.items[0];
    assert_string_equal(stat->source, "nas:/v 1");
    assert_string_equal(stat->point, "/mnt/a b");
    assert_string_equal(stat->type, "nfs4");
    assert_int_equal(stat->connections, 4);
    assert_string_equal(stat->protocol, "tcp");
    assert_int_equal(stat->age, 77);
    assert_true(stat->counted);
    assert_true(stat->bytes[NG_NFS_SERVER_READ] == UINT64_MAX);
    assert_int_equal(stat->bytes[NG_NFS_DIRECT_WRITE], 4);
    assert_non_null(strstr(stat->options, "nconnect=4"));
    /* an over-mount: the last one is in force */
    assert_int_equal(ng_mountstats_find(&stats, "/mnt/a b")->connections, 1);
    assert_null(ng_mountstats_find(&stats, "/mnt"));
}

static void broken_statistics(void **state) {
    (void)state;
    struct ng_mountstats stats =
        mountstats("device x mounted\n\topts:\trw\n"
                   "device x mounted on /y with fstype nfs statvers=1.1\n"
                   "\tage:\tlong\n\tbytes:\t1 2 3\n\tbytes:\t1 2 3 4 5 99999999999999999999\n"
                   "\tbytes:\t-1 2 3 4 5 6\n\topts:");
    assert_int_equal(stats.count, 1);
    assert_int_equal(stats.bad, 5);
    assert_false(stats.items[0].counted);
    assert_int_equal(stats.items[0].connections, 0);
    stats = mountstats("");
    assert_int_equal(stats.count, 0);
}

static void servers_of_a_client(void **state) {
    (void)state;
    static const char servers[] = "NV SERVER   PORT USE HOSTNAME\n"
                                  "v4 c0a80002  801   2 nas\n"
                                  "v3 20010db8000000000000000000000001 801 1 other\n"
                                  "v3 zz 801 1 odd\nv4\nnothing\n";
    static const char volumes[] =
        "NV SERVER   PORT DEV          FSID                              FSC\n"
        "v4 c0a80002  801 0:42         6b:0                              no\n"
        "v4 c0a80002  801 x            6b:0                              no\n";
    struct ng_nfsfs nfsfs = {0};
    ng_nfsfs_servers(&nfsfs, &arena, servers, strlen(servers));
    ng_nfsfs_volumes(&nfsfs, &arena, volumes, strlen(volumes));
    assert_int_equal(nfsfs.server_count, 3);
    assert_string_equal(nfsfs.servers[0].version, "v4");
    assert_string_equal(nfsfs.servers[0].address, "192.168.0.2");
    assert_string_equal(nfsfs.servers[0].name, "nas");
    assert_string_equal(nfsfs.servers[1].address, "2001:db8::1");
    assert_string_equal(nfsfs.servers[2].address, "zz");
    assert_int_equal(nfsfs.volume_count, 1);
    assert_int_equal(nfsfs.volumes[0].minor, 42);
    assert_string_equal(nfsfs.volumes[0].fsid, "6b:0");
    assert_int_equal(nfsfs.bad, 3);
}

static void files_of_the_server(void **state) {
    (void)state;
    static const char files[] =
        "threads\t8\nmax_block_size\t1048576\nversions\t-2 +3 +4 +4.1 +4.2\n!pool\t\n";
    static const char rpc[] = "rc 0 6 18622\nio 157286400 12\nth 16 0 0.000 0.000\nra 32 0\n";
    struct ng_nfsd nfsd = {.threads = -1, .rpc_threads = -1, .max_block_size = -1};
    ng_nfsd_files(&nfsd, &arena, files, strlen(files));
    ng_nfsd_rpc(&nfsd, rpc, strlen(rpc));
    assert_int_equal(nfsd.threads, 8);
    assert_int_equal(nfsd.rpc_threads, 16);
    assert_int_equal(nfsd.max_block_size, 1048576);
    assert_int_equal(nfsd.read, 157286400);
    assert_int_equal(nfsd.written, 12);
    assert_string_equal(nfsd.versions, "-2 +3 +4 +4.1 +4.2");
    ng_nfsd_files(&nfsd, &arena, "threads\t\n", 9);
    assert_int_equal(nfsd.threads, -1);
    ng_nfsd_rpc(&nfsd, "th x\nio 1\n", 10);
    assert_int_equal(nfsd.rpc_threads, -1);
}

static struct ng_exports exports(const char *text) {
    struct ng_exports list;
    ng_exports_parse(&list, &arena, text, strlen(text));
    return list;
}

static void sync_and_async_exports(void **state) {
    (void)state;
    /* etab, and what exportfs -v prints, which breaks lines behind long paths */
    static const char *const texts[] = {
        "/srv/a\t10.0.0.0/24(rw,sync,wdelay,root_squash)\n"
        "/srv/a\t*(ro,async,fsid=0)\n"
        "/srv/with\\040blank/and/more\tnas(rw,wdelay)\n",
        "/srv/a        \t10.0.0.0/24(sync,wdelay,rw)\n"
        "/srv/a        \t<world>(async,wdelay,ro,fsid=0)\n"
        "/srv/with\\040blank/and/more\n\t\tnas(wdelay,rw)\n",
    };
    for (size_t i = 0; i < NG_COUNT(texts); i++) {
        const struct ng_exports list = exports(texts[i]);
        assert_int_equal(list.count, 3);
        assert_int_equal(list.bad, 0);
        assert_string_equal(list.items[0].path, "/srv/a");
        assert_string_equal(list.items[0].client, "10.0.0.0/24");
        assert_int_equal(list.items[0].sync, NG_ANSWER_YES);
        assert_string_equal(list.items[1].client, "*");
        assert_int_equal(list.items[1].sync, NG_ANSWER_NO);
        assert_true(list.items[1].root && !list.items[0].root);
        assert_string_equal(list.items[2].path, "/srv/with blank/and/more");
        assert_int_equal(list.items[2].sync, NG_ANSWER_UNKNOWN);
        assert_string_equal(ng_exports_of(&list, "/srv/a/deep"), "/srv/a");
        assert_null(ng_exports_of(&list, "/srv/ab"));
    }
    const struct ng_exports bad =
        exports("\tnas(rw)\n/x\tnas\n/y\t(rw)\n/z\tnas(rw\n# none\n\n/w\n");
    assert_int_equal(bad.count, 0);
    assert_int_equal(bad.bad, 4);
}

static void recorded(void **state) {
    (void)state;
    size_t len;
    const char *text = recording("mounts/mountstats-nfs4.txt", &len);
    struct ng_mountstats stats;
    ng_mountstats_parse(&stats, &arena, text, len);
    assert_int_equal(stats.count, 1);
    assert_int_equal(stats.bad, 0);
    const struct ng_mountstat *stat = ng_mountstats_find(&stats, "/mnt/nfs/test");
    assert_string_equal(stat->source, "192.168.1.1:/srv/test");
    assert_string_equal(stat->type, "nfs4");
    assert_non_null(strstr(stat->options, "rw,vers=4.0,rsize=1048576,wsize=1048576"));
    assert_true(stat->bytes[NG_NFS_SERVER_READ] == 1210214218);
    assert_int_equal(stat->connections, 1);
    assert_string_equal(stat->protocol, "tcp");
    text = recording("other/nfsd-rpc.txt", &len);
    struct ng_nfsd nfsd = {.threads = -1, .rpc_threads = -1};
    ng_nfsd_rpc(&nfsd, text, len);
    assert_int_equal(nfsd.rpc_threads, 8);
    assert_int_equal(nfsd.read, 157286400);
    assert_int_equal(nfsd.written, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(connections_are_counted),
        TEST(broken_statistics),
        TEST(servers_of_a_client),
        TEST(files_of_the_server),
        TEST(sync_and_async_exports),
        TEST(recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
