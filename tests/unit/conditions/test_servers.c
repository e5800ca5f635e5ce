/* nfs_server and samba: what is configured, and what is in force. The line "th" has a blank before
 * it here, because the token of these frames is "t". */
#include "tests/unit/conditions/bench.h"

#include "runner/conditions/compare.h"

struct nfs_params {
    const struct ng_host *host;
    const char *threads;
    const char *export;
    int sync;
    const char *versions;
    int64_t block_size;
};
enum { ANY, FIRST, SECOND };

#define NFSD F("nfsd", "threads\t8\nmax_block_size\t1048576\nversions\t-2 +3 +4 +4.1 -4.2\n")
#define ETAB(lines) F("nfsd.etab", lines)
#define SYNC ETAB("/srv/a\t10.0.0.0/24(rw,sync)\n")

static void threads_and_exports(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *threads, *export;
        int sync;
        const char *versions;
        int64_t block_size;
        const char *frames;
        enum ng_held held;
        const char *seen, *remedy;
    } rows[] = {
        {">= 8", NULL, ANY, NULL, 0, NFSD SYNC END, NG_HELD, "nas has 8 nfsd threads", NULL},
        {">= 16", NULL, ANY, NULL, 0, NFSD SYNC END, NG_BROKEN, "8 nfsd threads", "nfs.conf"},
        {"8", "/srv/a/deep", FIRST, "3 4.1", 1 << 20, NFSD SYNC END, NG_HELD, "exported sync",
            NULL},
        {"8", "/srv/a", SECOND, NULL, 0, NFSD SYNC END, NG_BROKEN, "sync, not async", "exportfs"},
        {"8", "/srv/a", FIRST, NULL, 0, NFSD ETAB("/srv/a\t*(rw,async)\n") END, NG_BROKEN,
            "async: writes are answered before", "exportfs"},
        {"8", "/srv/a", FIRST, NULL, 0, NFSD ETAB("/srv/a\tx(rw,sync)\n/srv/a\ty(rw,async)\n") END,
            NG_UNKNOWN, "depends on the client: it is not for y", "one way"},
        {"8", "/srv/a", FIRST, NULL, 0, NFSD ETAB("/srv/a\tx(rw)\n") END, NG_UNKNOWN, "depends",
            NULL},
        {"8", "/srv/b", ANY, NULL, 0, NFSD SYNC END, NG_BROKEN, "nas does not export /srv/b",
            "exports"},
        {"8", "/srv/a", ANY, NULL, 0, NFSD ABSENT("nfsd.etab") END, NG_UNKNOWN, "is unknown",
            "exportfs -v"},
        {"8", "/srv/a", FIRST, NULL, 0,
            NFSD ABSENT("nfsd.etab") F("exportfs", "/srv/a  \t10.0.0.0/24(sync,rw)\n") END, NG_HELD,
            "exported sync", NULL},
        {"8", "/srv/a", FIRST, NULL, 0, NFSD ETAB("/srv/a\tx(rw,sync)\nodd\n") END, NG_UNKNOWN,
            "not understood", NULL},
        {"8", NULL, ANY, "4.2", 0, NFSD SYNC END, NG_BROKEN, "4.2 is not enabled", "nfs.conf"},
        {"8", NULL, ANY, "4", 2 << 20, NFSD SYNC END, NG_BROKEN, "up to 1 MiB", NULL},
        {"8", NULL, ANY, "4", 1, F("nfsd", "threads\t8\n") END, NG_UNKNOWN, "not told", NULL},
        {"0", NULL, ANY, NULL, 0, F("nfsd", "threads\t0\n") END, NG_HELD, "does not run", NULL},
        {">= 1", NULL, ANY, NULL, 0, F("nfsd", "") F("nfsd.rpc", " th 8 0\n") END, NG_HELD,
            "8 nfsd threads", NULL},
        {">= 1", NULL, ANY, NULL, 0, NFSD F("nfsd.rpc", " th 16 0\n") END, NG_UNKNOWN,
            "net/rpc/nfsd says 16", NULL},
        {">= 1", NULL, ANY, NULL, 0, F("nfsd", "") END, NG_UNKNOWN, "was not told", NULL},
        {">= 1", NULL, ANY, NULL, 0, ABSENT("nfsd") END, NG_UNKNOWN, "nfs-ganesha", NULL},
        {">= 1", NULL, ANY, NULL, 0, END, NG_UNKNOWN, "cannot be looked at", NULL},
        {">= 1", NULL, ANY, NULL, 0, NULL, NG_UNKNOWN, "could not be asked", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct nfs_params params = {&bench->hosts[1], rows[i].threads, rows[i].export,
            rows[i].sync, rows[i].versions, rows[i].block_size};
        struct ng_condition_result r =
            bench_judge(bench, "nfs_server", &params, END, rows[i].frames);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
}

static void limits_in_text(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool seven, eight, nine;
    } rows[] = {{">= 8", false, true, true}, {">8", false, false, true},
        {"<= 8", true, true, false}, {" < 8 ", true, false, false}, {"8", false, true, false},
        {"== 8", false, true, false}};
    struct ng_compare compare;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        assert_true(ng_compare_read(&compare, rows[i].text));
        assert_int_equal(ng_compare_holds(&compare, 7), rows[i].seven);
        assert_int_equal(ng_compare_holds(&compare, 8), rows[i].eight);
        assert_int_equal(ng_compare_holds(&compare, 9), rows[i].nine);
    }
    static const char *const bad[] = {"", ">=", "eight", "=> 8", "8 or more", ">= -1", "8.5"};
    for (size_t i = 0; i < NG_COUNT(bad); i++) {
        assert_false(ng_compare_read(&compare, bad[i]));
    }
}

struct samba_params {
    const struct ng_host *host;
    const char *share;
    struct ng_pairs expect;
    const char *dialect;
    int signing, encryption;
};
enum { OFF = 1, ON = 2 };

#define CONFIG(more)                                                                               \
    F("testparm", "[global]\n\tserver max protocol = SMB3\n\tstrict sync = Yes\n" more             \
                  "[Bench]\n\tpath = /srv\n\tstrict sync = No\n")                                  \
    F("testparm.err", "Load smb config files from /etc/samba/smb.conf\nLoaded services file "      \
                      "OK.\n")
#define ROOT_USER F("id", "0\n")
#define KTHREADD "2 (kthreadd) S 0 0 0 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 1 0\n"
#define SMBD "9 (smbd) S 1 0 0 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 500000 0\n"
#define TASKS F("tasks", KTHREADD SMBD) F("uptime", "10000.00 1\n") F("clock", "1800000000.5\n")
#define STATUS(rows)                                                                               \
    F("smbstatus", "Samba version 4.17\nPID     Username     Group        Machine    Protocol "    \
                   "Version  Encryption           Signing\n-------\n" rows)
#define SIGNED "7 *** g pc (ipv4:1.2.3.4:5)  SMB3_11  -  AES-128-GMAC\n"
#define OLD "8 *** g old (ipv4:1.2.3.5:5)  SMB2_02  -  -\n"

static void effective_values(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *share, *key, *value, *frames;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {NULL, "server max protocol", "SMB3_11", CONFIG("") END, NG_HELD, "is SMB3"},
        {NULL, "max protocol", "SMB2", CONFIG("") END, NG_BROKEN, "SMB3, not SMB2"},
        {NULL, "strict sync", "true", CONFIG("") END, NG_HELD, "strict sync is Yes"},
        {"bench", "strict sync", "no", CONFIG("") END, NG_HELD, "strict sync is No"},
        {"bench", "strict sync", "yes", CONFIG("") END, NG_BROKEN, "strict sync is No, not yes"},
        {"other", "strict sync", "yes", CONFIG("") END, NG_BROKEN, "no share \"other\""},
        /* not printed is no default */
        {NULL, "aio read size", "1", CONFIG("") END, NG_UNKNOWN, "prints no \"aio read size\""},
        {NULL, "strict sync", "yes", CONFIG("\tregistry shares = Yes\n") END, NG_UNKNOWN,
            "registry"},
        {NULL, "strict sync", "no", CONFIG("\tregistry shares = Yes\n") END, NG_BROKEN, "not no"},
        {NULL, "strict sync", "yes",
            CONFIG("") F("smb.conf", "changed\t/etc/samba/smb.conf\t1\n"
                                     "include\t/etc/samba/smb.conf\t  include = /etc/%m.conf\n")
                END,
            NG_UNKNOWN, "depends on the client"},
        {NULL, "strict sync", "yes",
            CONFIG("") F("smb.conf", "changed\t/etc/samba/smb.conf\t1\n"
                                     "include\t/etc/samba/smb.conf\t include = /etc/x.conf\n") END,
            NG_HELD, "Yes"},
        /* smbd began at 1800000000 - 10000 + 5000 */
        {NULL, "strict sync", "yes",
            CONFIG("") TASKS F("smb.conf", "changed\t/etc/samba/smb.conf\t1799995100\n") END,
            NG_UNKNOWN, "changed after smbd began"},
        {NULL, "strict sync", "yes",
            CONFIG("") TASKS F("smb.conf", "changed\t/etc/samba/smb.conf\t1799994900\n") END,
            NG_HELD, "Yes"},
        {NULL, "strict sync", "yes",
            CONFIG("") TASKS F("smb.conf", "changed\t/etc/config/smb.conf\t1799995100\n") END,
            NG_HELD, "Yes"}, /* another file than the one that is read */
        {NULL, "strict sync", "yes", ABSENT("testparm") END, NG_UNKNOWN, "testparm"},
        {NULL, "strict sync", "yes", F("testparm", "Loaded services file OK.\n") END, NG_UNKNOWN,
            "no [global]"},
        {NULL, "strict sync", "yes", LATE("testparm") END, NG_UNKNOWN, "did not answer"},
        {NULL, "strict sync", "yes", NULL, NG_UNKNOWN, "could not be asked"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_pair pair = {.key = rows[i].key, .value = rows[i].value};
        const struct samba_params params = {.host = &bench->hosts[1],
            .share = rows[i].share,
            .expect = {.items = &pair, .count = 1}};
        struct ng_condition_result r = bench_judge(bench, "samba", &params, END, rows[i].frames);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
}

static void sessions_in_force(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *dialect;
        int signing, encryption;
        const char *frames;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {"3.1.1", ANY, ANY, ROOT_USER CONFIG("") STATUS(SIGNED) END, NG_HELD,
            "1 session(s) on nas are as wanted"},
        {NULL, ON, OFF, ROOT_USER CONFIG("") STATUS(SIGNED) END, NG_HELD, "as wanted"},
        {NULL, OFF, ANY, ROOT_USER CONFIG("") STATUS(SIGNED) END, NG_BROKEN, "signing"},
        {NULL, ANY, ON, ROOT_USER CONFIG("") STATUS(SIGNED) END, NG_BROKEN, "encryption"},
        {"3.0", ANY, ANY, ROOT_USER CONFIG("") STATUS(SIGNED OLD) END, NG_BROKEN,
            "dialect SMB2_02, older than 3.0"},
        {"3.0", ANY, ANY, ROOT_USER CONFIG("") STATUS("7 *** g pc Unknown - -\n") END, NG_UNKNOWN,
            "Unknown"},
        {"3.0", ANY, ANY, ROOT_USER CONFIG("") STATUS("") END, NG_UNKNOWN, "nobody is connected"},
        {"3.0", ANY, ANY, ROOT_USER CONFIG("") F("tasks", KTHREADD) STATUS("") END, NG_UNKNOWN,
            "no smbd runs"},
        {"3.0", ANY, ANY, ROOT_USER CONFIG("") F("smbstatus", "Can't open sessionid.tdb\n") END,
            NG_UNKNOWN, "no table"},
        {"3.0", ANY, ANY, ROOT_USER CONFIG("") STATUS("odd row\n") END, NG_UNKNOWN,
            "not understood"},
        {"3.0", ANY, ANY, F("id", "1000\n") CONFIG("") STATUS(SIGNED) END, NG_UNKNOWN,
            "to root only"},
        {"3.0", ANY, ANY, ROOT_USER CONFIG("") ABSENT("smbstatus") END, NG_UNKNOWN, "smbstatus"},
        /* nothing is asked of sessions */
        {NULL, ANY, ANY, F("id", "1000\n") CONFIG("") ABSENT("smbstatus") END, NG_HELD,
            "was looked at"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct samba_params params = {.host = &bench->hosts[1],
            .dialect = rows[i].dialect,
            .signing = rows[i].signing,
            .encryption = rows[i].encryption};
        struct ng_condition_result r = bench_judge(bench, "samba", &params, END, rows[i].frames);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(threads_and_exports),
        TEST(limits_in_text),
        TEST(effective_values),
        TEST(sessions_in_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
