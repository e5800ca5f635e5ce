/* Sources that end too early, as preconditions see them: what the whole text does not hold, no
 * beginning of it holds. */
#include "tests/unit/conditions/bench.h"

#define GBIT INT64_C(1000000000)
#define TASK " 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9 0\n"
#define ROOT "1 0 8:2 / / rw,relatime - ext4 /dev/sda2 rw\n"
#define HERE                                                                                       \
    F("path.1.name", "/mnt/bench")                                                                 \
    F("path.1.test", "exists yes\ndirectory yes\nreal /mnt/bench\nwritable yes\n")                 \
    F("path.1.stat", "device 42\nspace 512 9 9 9\n")
#define CARD F("net", "eth4/mtu\t9000\n") F("ethtool", "/sbin/ethtool") F("nic.1.name", "eth4")

struct link_params {
    const struct ng_link *link;
    int way;
};
struct nic_params {
    struct ng_interface interface;
    int64_t rx, tx;
    struct ng_pairs offload, pause, coalesce;
};
struct sysctl_params {
    const struct ng_host *host;
    struct ng_pairs values;
};
struct governor_params {
    const struct ng_host *host;
    const char *expect;
};
struct nfs_params {
    const struct ng_host *host;
    const char *threads, *export;
    int sync;
    const char *versions;
    int64_t block_size;
};
struct samba_params {
    const struct ng_host *host;
    const char *share;
    struct ng_pairs expect;
    const char *dialect;
    int signing, encryption;
};
struct job_params {
    const struct ng_host *host;
    struct ng_texts names;
};
struct mounted_params {
    const struct ng_volume *volume;
    int expect;
};

/* Parameters of each precondition, for the rows below. */
union params {
    struct link_params link;
    struct nic_params nic;
    struct sysctl_params sysctl;
    struct governor_params governor;
    struct nfs_params nfs;
    struct samba_params samba;
    struct job_params job;
    struct mounted_params mounted;
};

struct row {
    const char *condition;
    const char *want; /* what the plan says: a number, a word */
    const char *before, *frame, *text;
    const char *named; /* a beginning of a whole frame that does not hold this yet cannot tell;
                          NULL: the file's own end cannot be told at all */
};

static const char rsync_name[] = "rsync";
static const char *const job_names[] = {rsync_name};

static const struct row rows[] = {
    {"link_speed", "10", "", "net",
        "eth4/speed\t1000\neth4/duplex\tfull\neth4/operstate\tup\neth4/carrier\t1\n", NULL},
    {"mtu_match", "9000", "", "net", "eth4/mtu\t90000\n", NULL},
    {"nic", "512", CARD, "nic.1.rings",
        "Ring parameters for eth4:\nPre-set maximums:\nRX:\t8192\nTX:\t8192\n"
        "Current hardware settings:\nRX:\t5120\nTX:\t512\n",
        "x"},
    {"sysctl", "212992", "", "sysctls", "net/core/rmem_max:2129920\n", "x"},
    {"governor", "performance", F("cpuinfo", "flags : fpu\n"), "cpufreq",
        "cpufreq/policy0/:\ncpufreq/policy0/scaling_governor:performance\n"
        "cpufreq/policy0/scaling_driver:acpi-cpufreq\ncpufreq/policy1/:\n"
        "cpufreq/policy1/scaling_governor:performance-of-the-vendor\n",
        NULL},
    {"nfs_server", "<= 12", "", "nfsd",
        "max_block_size\t1048576\nversions\t-2 +3 +4\nthreads\t128\n", "x"},
    {"nfs_server", "sync", F("nfsd", "threads\t8\n"), "nfsd.etab",
        "/srv/a\t10.0.0.0/24(rw,async,no_subtree_check)\n", "x"},
    {"nfs_server", "sync", F("nfsd", "threads\t8\n"), "nfsd.etab",
        "/srv/a\t10.0.0.0/24(rw,sync)\n/srv/a\t10.0.1.0/24(rw,async)\n", NULL},
    {"samba", "1", F("testparm.err", "Loaded services file OK.\n"), "testparm",
        "[global]\n\tstrict sync = Yes\n\taio read size = 16384\n", "x"},
    {"samba", "3.0",
        F("id", "0\n") F("testparm", "[global]\n\tstrict sync = Yes\n")
            F("testparm.err", "Loaded services file OK.\n"),
        "smbstatus",
        "Samba version 4.17\nPID     Username     Group        Machine    Protocol Version  "
        "Encryption           Signing\n-------\n"
        "7 u g pc (ipv4:1.2.3.4:5)  SMB3_11  -  -\n8 u g old (ipv4:1.2.3.5:5)  SMB2_02  -  -\n",
        NULL},
    {"no_job", "rsync", "", "tasks", "2 (kthreadd) S 0" TASK "7 (rsync) S 1" TASK, NULL},
    {"mounted", "rsize=131072", HERE, "mountinfo",
        ROOT "2 1 0:42 / /mnt/bench rw - nfs nas:/volume1/bench rw,vers=3,rsize=1310720\n", "x"},
    {"mounted", "vers=4", HERE, "mountinfo",
        ROOT "2 1 0:42 / /mnt/bench rw - nfs nas:/volume1/bench rw,rsize=131072,vers=41\n", "x"},
    {"mounted", "vers=3", HERE, "mountinfo",
        ROOT "2 1 0:42 / /mnt/bench rw - nfs nas:/volume1/bench rw,vers=3\n"
             "3 2 0:42 / /mnt/bench rw - ext4 /dev/sdb1 rw\n",
        "3 2 0:42"},
};

static union params params_of(struct bench *bench, const struct row *row, struct ng_pair *pair) {
    union params params;
    const struct ng_host *nas = &bench->hosts[1];
    memset(&params, 0, sizeof params);
    *pair = (struct ng_pair){.value = row->want};
    const struct ng_pairs pairs = {pair, 1};
    if (strcmp(row->condition, "link_speed") == 0 || strcmp(row->condition, "mtu_match") == 0) {
        bench->link.speed = 10 * GBIT;
        bench->link.mtu = 9000;
        params.link = (struct link_params){&bench->link, 0};
    } else if (strcmp(row->condition, "nic") == 0) {
        params.nic = (struct nic_params){.interface = {nas, "eth4"}, .rx = 512};
    } else if (strcmp(row->condition, "sysctl") == 0) {
        pair->key = "net.core.rmem_max";
        params.sysctl = (struct sysctl_params){nas, pairs};
    } else if (strcmp(row->condition, "governor") == 0) {
        params.governor = (struct governor_params){nas, row->want};
    } else if (strcmp(row->condition, "nfs_server") == 0) {
        const bool sync = strcmp(row->want, "sync") == 0;
        params.nfs = (struct nfs_params){
            nas, sync ? ">= 1" : row->want, sync ? "/srv/a" : NULL, sync ? 1 : 0, NULL, 0};
    } else if (strcmp(row->condition, "samba") == 0) {
        const bool dialect = strcmp(row->want, "3.0") == 0;
        pair->key = "aio read size";
        params.samba = (struct samba_params){
            .host = nas, .expect = {pair, dialect ? 0 : 1}, .dialect = dialect ? row->want : NULL};
    } else if (strcmp(row->condition, "no_job") == 0) {
        params.job = (struct job_params){nas, {.items = job_names, .count = 1}};
    } else {
        const size_t key = strcspn(row->want, "=");
        pair->key = ng_arena_strndup(&bench->arena, row->want, key);
        pair->value = row->want + key + 1;
        bench->mount = (struct ng_mount_spec){.type = "nfs", .options = pairs};
        bench->volume.mount = &bench->mount;
        params.mounted = (struct mounted_params){&bench->volume, 0};
    }
    return params;
}

static struct ng_condition_result judge_beginning(
    struct bench *bench, const struct row *row, size_t len, bool closed) {
    struct ng_pair pair;
    const union params params = params_of(bench, row, &pair);
    const bool client = strcmp(row->condition, "mounted") == 0;
    const char *frames = ng_arena_printf(
        &bench->arena, "%s\nt B %s\n%.*s", row->before, row->frame, (int)len, row->text);
    if (closed) {
        frames = ng_arena_printf(&bench->arena, "%s\nt E %s 0\n" END, frames, row->frame);
    }
    static const char other[] =
        F("net", "eth0/mtu\t9000\neth0/speed\t10000\neth0/duplex\tfull\neth0/operstate\tup\n"
                 "eth0/carrier\t1\n") END;
    return bench_judge(
        bench, row->condition, &params, client ? frames : other, client ? END : frames);
}

static void what_the_whole_denies_is_never_held(void **state) {
    struct bench *bench = *state;
    size_t bad = 0;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const size_t len = strlen(rows[i].text);
        struct ng_condition_result r = judge_beginning(bench, &rows[i], len, true);
        if (r.held == NG_HELD) {
            print_message("row %zu, whole: %s\n", i, r.seen);
            bad++;
        }
        for (size_t cut = 0; cut < len; cut++) {
            const char *begin = ng_arena_strndup(&bench->arena, rows[i].text, cut);
            const bool tell = rows[i].named != NULL &&
                              (rows[i].named[0] == 'x' || strstr(begin, rows[i].named) != NULL);
            for (int closed = 0; closed <= (tell ? 1 : 0); closed++) {
                r = judge_beginning(bench, &rows[i], cut, closed == 1);
                if (r.held == NG_HELD && bad < 30) {
                    print_message("row %zu (%s), %s at %zu: %s\n", i, rows[i].condition,
                        closed ? "ends" : "cut", cut, r.seen);
                    bad++;
                }
            }
        }
    }
    assert_int_equal(bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            what_the_whole_denies_is_never_held, bench_set_up, bench_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
