/* mounted over a network: options as they really are, other mounts of the same server, and the file
 * that the server must see. page_cache as well. */
#include "tests/unit/conditions/bench.h"

#include "runner/conditions/mounted.h"
#include "runner/conditions/page_cache.h"

#define ROOT "1 0 8:2 / / rw,relatime - ext4 /dev/sda2 rw\n"
#define NFS(options) "2 1 0:42 / /mnt/bench rw - nfs4 nas:/volume1/bench rw," options "\n"
#define SMB(options) "2 1 0:42 / /mnt/bench rw - cifs //nas/bench rw," options "\n"
#define GRANTED "vers=4.2,rsize=131072,hard,proto=tcp,addr=203.0.113.9"
#define HERE                                                                                       \
    F("path.1.name", "/mnt/bench")                                                                 \
    F("path.1.test", "exists yes\ndirectory yes\nreal /mnt/bench\nwritable yes\n")                 \
    F("path.1.stat", "device 42\nspace 512 9 9 9\n")                                               \
    F("clock", "1800000000.5\n") F("uptime", "100.00 1\n")
#define NAS F("net", "eth4/mtu\t1500\n") F("addresses", "4: eth4    inet 203.0.113.9/24 x\n")

static void want(struct bench *bench, const char *type, const char *key, const char *value) {
    struct ng_pair *pair = ng_arena_alloc(&bench->arena, sizeof *pair);
    *pair = (struct ng_pair){.key = key, .value = value};
    bench->mount = (struct ng_mount_spec){.type = type,
        .from = &bench->hosts[1],
        .export = strcmp(type, "cifs") == 0 ? "bench" : "/volume1/bench",
        .options = {.items = pair, .count = key == NULL ? 0 : 1}};
    bench->volume.mount = &bench->mount;
}

static struct ng_condition_result judge(struct bench *bench, const char *client, const char *nas) {
    const struct ng_mounted_params params = {.volume = &bench->volume, .write_check = true};
    return bench_judge(bench, "mounted", &params, client, nas);
}

#define XPRT "\txprt:\ttcp 832 0\n"
#define STATS(lines)                                                                               \
    F("mountstats",                                                                                \
        "device nas:/volume1/bench mounted on /mnt/bench with fstype nfs4 statvers=1.1\n" lines)
#define DEBUG(server, session)                                                                     \
    F("cifs", "Servers: \n1) ConnectionId: 0x1 Hostname: nas\n" server                             \
              "\t1) Address: 203.0.113.9 Uses: 1\tSession Status: 1\n" session                     \
              "\t1) \\\\nas\\bench Mounts: 1\n")
#define SMB_ADDR "addr=203.0.113.9"

static void requested_is_not_granted(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *type, *key, *value, *client;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {"nfs", "rsize", "1048576", F("mountinfo", ROOT NFS(GRANTED)) HERE END, NG_BROKEN,
            "rsize=131072 is in force, not 1048576"},
        /* as many connections as there are, whatever the options say */
        {"nfs", "nconnect", "4",
            F("mountinfo", ROOT NFS("nconnect=4," GRANTED)) STATS(XPRT XPRT XPRT XPRT) HERE END,
            NG_HELD, "is on nfs4"},
        {"nfs", "nconnect", "4",
            F("mountinfo", ROOT NFS("nconnect=4," GRANTED)) STATS(XPRT) HERE END, NG_BROKEN,
            "nconnect=1 is in force by /proc/self/mountstats, not 4"},
        {"nfs", "nconnect", "4", F("mountinfo", ROOT NFS(GRANTED)) HERE END, NG_BROKEN,
            "nconnect=1 is in force, not 4"},
        {"nfs", "nconnect", "1", F("mountinfo", ROOT NFS(GRANTED)) STATS(XPRT) HERE END, NG_HELD,
            "is on nfs4"},
        /* a line that was cut off tells nothing for certain */
        {"nfs", "wsize", "32768", F("mountinfo", ROOT NFS("vers=3,rsize=32768,wsize=32")) HERE END,
            NG_UNKNOWN, "wsize is unknown: the line of mountinfo is cut off"},
        {"nfs", "hard", "true", F("mountinfo", ROOT NFS("vers=3,wsize=32")) HERE END, NG_UNKNOWN,
            "cut off"},
        /* the dialect and the channels of SMB are told to root alone */
        {"cifs", "vers", "3.1.1", F("mountinfo", ROOT SMB("vers=3.1.1," SMB_ADDR)) HERE END,
            NG_HELD, "is on cifs"},
        {"cifs", "vers", "3.1.1",
            F("mountinfo", ROOT SMB("vers=default," SMB_ADDR)) ABSENT("cifs") HERE END, NG_UNKNOWN,
            "vers is unknown: it is told by /proc/fs/cifs/DebugData alone"},
        {"cifs", "vers", "3.1.1",
            F("mountinfo", ROOT SMB("vers=default," SMB_ADDR)) DEBUG("Dialect 0x311\n", "")
                HERE END,
            NG_HELD, "is on cifs"},
        {"cifs", "vers", "3.1.1",
            F("mountinfo", ROOT SMB("vers=default," SMB_ADDR)) DEBUG("Dialect 0x210\n", "")
                HERE END,
            NG_BROKEN, "vers=2.1 is in force by /proc/fs/cifs/DebugData"},
        {"cifs", "max_channels", "4",
            F("mountinfo", ROOT SMB("multichannel,max_channels=4," SMB_ADDR))
                DEBUG("Dialect 0x311\n", "") HERE END,
            NG_BROKEN, "max_channels=1 is in force"},
        {"cifs", "max_channels", "4",
            F("mountinfo", ROOT SMB("multichannel,max_channels=4," SMB_ADDR))
                DEBUG("Dialect 0x311\n", "\tExtra Channels: 3\n") HERE END,
            NG_HELD, "is on cifs"},
        {"cifs", "max_channels", "4",
            F("mountinfo", ROOT SMB("max_channels=4," SMB_ADDR)) F("cifs", "Servers:\n") HERE END,
            NG_UNKNOWN, "does not tell it for //nas/bench"},
        {"cifs", "username", "jo", F("mountinfo", ROOT SMB("username=***," SMB_ADDR)) HERE END,
            NG_UNKNOWN, "names a person"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        want(bench, rows[i].type, rows[i].key, rows[i].value);
        struct ng_condition_result r = judge(bench, rows[i].client, NAS END);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
}

/* nas-state, 9.3: a second mount of one export has the first one's options, without a word. */
static void options_of_the_first_mount(void **state) {
    struct bench *bench = *state;
    want(bench, "nfs", NULL, NULL);
    struct ng_condition_result r = judge(bench,
        F("mountinfo",
            ROOT NFS(GRANTED) "3 1 0:42 / /mnt/other rw - nfs4 nas:/volume1/bench rw," GRANTED
                              "\n4 1 0:43 / /mnt/third rw - nfs4 203.0.113.9:/v rw," GRANTED
                              "\n5 1 0:44 / /mnt/old rw - nfs nas:/v rw,vers=3,addr=203.0.113.9\n"
                              "6 1 0:45 / /mnt/x rw - nfs4 other:/v rw,vers=4.2,addr=203.0.113.8\n")
            HERE END,
        NAS END);
    bench_expect(&r, NG_HELD, "/mnt/other is a mount of the same file system", NULL);
    assert_non_null(strstr(r.seen, "/mnt/third shares its connections"));
    assert_null(strstr(r.seen, "/mnt/old"));
    assert_null(strstr(r.seen, "/mnt/x "));
    assert_non_null(strstr(bench_looked(&r, "same server"), "one set of options for both"));
}

/* The mount that is listed for the path is not the one that a look at the path reaches. */
static void hidden_below_another(void **state) {
    struct bench *bench = *state;
    want(bench, "nfs", NULL, NULL);
    static const char here[] = F("path.1.name", "/mnt/bench") F("path.1.test",
        "exists yes\ndirectory yes\nreal /mnt/bench\n") F("path.1.stat", "device 50\n");
    struct ng_condition_result r = judge(bench,
        ng_arena_printf(&bench->arena, "%s%s%s",
            F("mountinfo", ROOT NFS(GRANTED) "9 1 0:50 / /mnt rw - tmpfs none rw\n"), here, END),
        NAS END);
    bench_expect(&r, NG_BROKEN, "/mnt/bench is hidden: tmpfs none is mounted over /mnt", "unmount");
    /* that one is below: what a look reaches is the volume's */
    r = judge(bench,
        F("mountinfo", ROOT "9 1 0:50 / /mnt rw - tmpfs none rw\n"
                            "2 9 0:42 / /mnt/bench rw - nfs4 nas:/volume1/bench rw," GRANTED "\n")
            HERE END,
        NAS END);
    bench_expect(&r, NG_HELD, "is on nfs4", NULL);
    r = judge(bench,
        F("mountinfo",
            ROOT "2 1 0:42 /x//deleted /mnt/bench rw - nfs4 nas:/volume1/bench rw," GRANTED "\n")
            HERE END,
        NAS END);
    bench_expect(&r, NG_BROKEN, "the folder that is bound to /mnt/bench was removed", "anew");
}

#define GOOD F("mountinfo", ROOT NFS(GRANTED)) HERE END
#define WRITE "write a file on repo"
#define LOOK "look for a file on repo"
#define REMOVE "remove a file on repo"

static void the_server_sees_what_is_written(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *written, *looked, *removed;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {"written\n", "seen /volume1/bench\n", "removed\n", NG_HELD, "nas sees what is written"},
        {"written\n", "missing /volume1/bench\n", "removed\n", NG_BROKEN,
            "not to be seen on nas (missing /volume1/bench)"},
        {"written\n", "missing /a\nmissing /b\n", "removed\n", NG_BROKEN, "not to be seen"},
        {"written\n", "missing /a\nclosed /b\n", "removed\n", NG_UNKNOWN, "closed /b"},
        {"written\n", "nofolder /volume1/bench\n", "removed\n", NG_UNKNOWN, "nofolder"},
        {"written\n", "", "removed\n", NG_UNKNOWN, "is unknown"},
        {"written\n", NULL, "removed\n", NG_UNKNOWN, "it could not be run"},
        {"", "", NULL, NG_UNKNOWN, "no file could be written"},
        {NULL, "", "removed\n", NG_UNKNOWN, "no file could be written"},
        {"written\n", "seen /volume1/bench\n", "", NG_UNKNOWN, "could not be removed"},
    };
    want(bench, "nfs", NULL, NULL);
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        bench->probes.count = 0;
        bench_say(bench, 0, WRITE, rows[i].written, "");
        bench_say(bench, 1, LOOK, rows[i].looked, "");
        if (rows[i].removed != NULL) {
            bench_say(bench, 0, REMOVE, rows[i].removed, "");
        }
        struct ng_condition_result r = judge(bench, GOOD, NAS END);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
    bench->probes.count = 0;
}

static const char *wants(struct bench *bench, bool check, const char *client, const char *nas) {
    const struct ng_mounted_params params = {.volume = &bench->volume, .write_check = check};
    return bench_wants(bench, "mounted", &params, client, nas);
}

static void one_probe_after_the_other(void **state) {
    struct bench *bench = *state;
    want(bench, "nfs", NULL, NULL);
    assert_string_equal(wants(bench, true, GOOD, NAS END), "client: " WRITE "; ");
    assert_string_equal(wants(bench, false, GOOD, NAS END), "");
    assert_string_equal(wants(bench, true, GOOD, NULL), ""); /* the server cannot be asked */
    /* not on a network, not there, not answering, read-only, no clock to make a name of */
    assert_string_equal(wants(bench, true, F("mountinfo", ROOT) HERE END, NAS END), "");
    assert_string_equal(wants(bench, true,
                            F("mountinfo", ROOT NFS(GRANTED)) F("path.1.name", "/mnt/bench")
                                LATE("path.1.test") F("clock", "1800000000.5\n") END,
                            NAS END),
        "");
    assert_string_equal(
        wants(bench, true, F("mountinfo", ROOT NFS("ro," GRANTED)) HERE END, NAS END), "");
    bench_say(bench, 0, WRITE, "written\n", "");
    assert_string_equal(wants(bench, true, GOOD, NAS END), "nas: " LOOK "; ");
    bench_say(bench, 1, LOOK, "", "");
    assert_string_equal(wants(bench, true, GOOD, NAS END), "client: " REMOVE "; ");
    bench_say(bench, 0, REMOVE, "removed\n", "");
    assert_string_equal(wants(bench, true, GOOD, NAS END), "");
    /* nothing was made: nothing to remove; one that hung may have made it */
    bench->probes.count = 0;
    bench_say(bench, 0, WRITE, "", "read-only file system");
    assert_string_equal(wants(bench, true, GOOD, NAS END), "");
    bench->probes.count = 0;
    bench_say(bench, 0, WRITE, NULL, "");
    assert_string_equal(wants(bench, true, GOOD, NAS END), "client: " REMOVE "; ");
    bench->probes.count = 0;
}

/* What the probe would look for on the server: the last words of its argv. */
static const char *folders(struct bench *bench, const char *client, const char *nas) {
    const struct ng_mounted_params params = {.volume = &bench->volume, .write_check = true};
    const struct ng_facts *facts[2] = {
        bench_facts(bench, "client", client), bench_facts(bench, "nas", nas)};
    struct ng_condition_site site = {
        .arena = &bench->arena, .plan = &bench->plan, .facts = facts, .probes = &bench->probes};
    struct ng_probe_list list = {.done = &bench->probes, .arena = &bench->arena};
    const char *text = "";
    bench->probes.count = 0;
    bench_say(bench, 0, WRITE, "written\n", "");
    bench_condition("mounted")->probes(&site, &params, &list);
    assert_true(list.count <= 1);
    for (size_t i = 5; list.count == 1 && list.items[0].argv[i] != NULL; i++) {
        text = ng_arena_printf(&bench->arena, "%s%s;", text, list.items[0].argv[i]);
    }
    bench->probes.count = 0;
    return text;
}

static void where_the_server_keeps_it(void **state) {
    struct bench *bench = *state;
    want(bench, "nfs", NULL, NULL);
    assert_string_equal(folders(bench, GOOD, NAS END), "/volume1/bench;");
    /* NFSv4 clients see the paths below the root that is exported to them */
    assert_string_equal(
        folders(bench, GOOD, NAS F("nfsd", "") F("nfsd.etab", "/srv/nfs\t*(rw,sync,fsid=0)\n") END),
        "/volume1/bench;/srv/nfs/volume1/bench;");
    bench->volume.path = "/mnt/bench/deep";
    static const char deep[] = F("mountinfo", ROOT NFS(GRANTED)) F("path.1.name", "/mnt/bench/deep")
        F("path.1.test", "exists yes\ndirectory yes\nreal /mnt/bench/deep\nwritable yes\n")
            F("clock", "1800000000.5\n") END;
    assert_string_equal(folders(bench, deep, NAS END), "/volume1/bench/deep;");
    bench->volume.path = "/mnt/bench";
    want(bench, "cifs", NULL, NULL);
    static const char share[] =
        NAS F("testparm", "[global]\n\tpath = \n[bench]\n\tpath = /volume1/b\n") END;
    assert_string_equal(
        folders(bench, F("mountinfo", ROOT SMB(SMB_ADDR)) HERE END, share), "/volume1/b;");
    assert_string_equal(folders(bench, F("mountinfo", ROOT SMB(SMB_ADDR)) HERE END, NAS END), "");
}

#define ROOT_USER F("id", "0\n")

static void page_caches(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *nas;
        enum ng_held held;
        const char *seen, *remedy;
    } rows[] = {
        {ROOT_USER F("markers", "drop_caches\n") END, NG_HELD, "of nas can be dropped", NULL},
        {ROOT_USER F("markers", "drop_caches\narc\n") END, NG_HELD, "the ARC of ZFS", NULL},
        {F("id", "1000\n") F("markers", "") END, NG_BROKEN, "that is for root", "privilege: sudo"},
        {ROOT_USER F("markers", "") END, NG_BROKEN, "as in a container", "the machine itself"},
        {ROOT_USER END, NG_UNKNOWN, "it was not looked at", NULL},
        {NULL, NG_UNKNOWN, "could not be asked", NULL},
    };
    static const char *const hosts[] = {"nas"}, *const phases[] = {"no-such"};
    struct ng_page_cache_params params = {.hosts = {.items = hosts, .count = 1}};
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_condition_result r = bench_judge(bench, "page_cache", &params, END, rows[i].nas);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
    params.phases = (struct ng_texts){.items = phases, .count = 1};
    struct ng_condition_result r = bench_judge(bench, "page_cache", &params, END, rows[0].nas);
    bench_expect(&r, NG_BROKEN, "the plan has no phase no-such", "phases:");
}

static void what_dropping_says(void **state) {
    (void)state;
    struct ng_page_dropped said = ng_page_cache_read("before 2048\ndropped\nafter 1\n", 28);
    assert_true(said.dropped && said.before == 2048 * 1024 && said.after == 1024);
    said = ng_page_cache_read("before 2048\nafter x\n", 20);
    assert_false(said.dropped);
    assert_true(said.after == -1);
    said = ng_page_cache_read("", 0);
    assert_true(!said.dropped && said.before == -1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(requested_is_not_granted),
        TEST(options_of_the_first_mount),
        TEST(hidden_below_another),
        TEST(the_server_sees_what_is_written),
        TEST(one_probe_after_the_other),
        TEST(where_the_server_keeps_it),
        TEST(page_caches),
        TEST(what_dropping_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
