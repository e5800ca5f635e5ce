/* idle, governor and no_job: whether a host leaves a measurement alone. */
#include "tests/unit/conditions/bench.h"

#include "runner/conditions/window.h"

struct idle_params {
    const struct ng_host *host;
    double load_below;
    int64_t waiting_below;
    int64_t disk_below, net_below;
    int64_t window_ns;
};

#define M "nasgate-window "
#define TAIL " 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9 0\n"
#define SEEN(n) M n " second\n2 (kthreadd) S 0" TAIL
#define HEAD "Inter-| Receive | Transmit\n face |bytes |bytes\n"
#define SAMPLE(n, uptime, load, disk, net, waiting)                                                \
    M n " uptime\n" uptime " 1\n" M n " load\n" load " 1/80 1\n" M n " cpu\ncpu  100 0 0 " uptime  \
        "00 0 0 0 0\n" M n " disks\n   8 0 sda 1 0 " disk                                          \
        " 0 1 0 0 0 0 0 0\n   8 1 sda1 1 0 " disk " 0 1 0 0 0 0 0 0\n   9 2 md2 1 0 " disk         \
        " 0 1 0 0 0 0 0 0\n" M n " net\n" HEAD                                                     \
        "lo: 999999999 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0\neth0: " net                                  \
        " 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0\n" SEEN(n) M n " waiting\n" waiting
#define WATCHED(load, disk, net, w1, w2)                                                           \
    SAMPLE("1", "1000.00", "0.10 0.10 0.10", "0", "0", w1)                                         \
    SAMPLE("2", "1002.00", load, disk, net, w2) M "2 end\n"
#define D(id, name) id " (" name ") D 1" TAIL

static struct ng_condition_result judge_idle(struct bench *bench, double load, const char *said) {
    const struct idle_params params = {.host = &bench->hosts[1],
        .load_below = load,
        .waiting_below = 1,
        .disk_below = 8000000,
        .net_below = 8000000,
        .window_ns = 2000000000};
    bench->probes.count = 0;
    if (said != NULL) {
        bench_say(bench, 1, "idle 2 s", said, "");
    }
    return bench_judge(bench, "idle", &params, END,
        F("cpus", "0-3\n") F("tasks", "2 (kthreadd) S 0" TAIL "7 (mover) S 1" TAIL) END);
}

static void a_quiet_and_a_busy_host(void **state) {
    struct bench *bench = *state;
    static const struct {
        double load;
        const char *said;
        enum ng_held held;
        const char *seen, *remedy;
    } rows[] = {
        {4, WATCHED("0.20 0.18 0.12", "100", "100", "", ""), NG_HELD, "load 0.20 is below 4", NULL},
        {4, WATCHED("8.00 1 1", "100", "100", "", ""), NG_BROKEN, "load 8.00, not below 4",
            "these run: mover"},
        {0, WATCHED("1.90 1 1", "0", "0", "", ""), NG_HELD, "below 2", NULL}, /* 4 processors */
        {0, WATCHED("2.00 1 1", "0", "0", "", ""), NG_BROKEN, "not below 2", NULL},
        /* 4000 sectors in 2 s are 1.024 MB/s; layers of the same disk do not count again */
        {4, WATCHED("0.20 1 1", "4000", "0", "", ""), NG_BROKEN, "1.024 MB/s on the disks",
            "quiet"},
        {4, WATCHED("0.20 1 1", "3900", "0", "", ""), NG_HELD, "998.4 kB/s on the disks", NULL},
        {4, WATCHED("0.20 1 1", "0", "2000000", "", ""), NG_BROKEN, "most on eth0", NULL},
        {4, WATCHED("0.20 1 1", "0", "0", D("9", "nfsd"), D("9", "nfsd") D("8", "new")), NG_BROKEN,
            "1 task(s) wait in state D on nas: nfsd", "wchan"},
        {4, WATCHED("0.20 1 1", "0", "0", D("9", "jbd2"), D("8", "jbd2")), NG_HELD, "0 task(s)",
            NULL},
        {4, M "1 uptime\n10 1\n" M "2 uptime\n12 1\n" M "2 end\n", NG_UNKNOWN, "load of nas", NULL},
        {4, M "1 uptime\n10 1\n" M "2 uptime\n", NG_UNKNOWN, "cut off", NULL},
        {4, "sh: not found\n", NG_UNKNOWN, "cut off", NULL},
        {4, M "2 end\n", NG_UNKNOWN, "no /proc/uptime", NULL},
        {4, NULL, NG_UNKNOWN, "was not watched", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_condition_result r = judge_idle(bench, rows[i].load, rows[i].said);
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
    bench->probes.count = 0;
    const struct idle_params params = {.host = &bench->hosts[1], .window_ns = 2500000000};
    assert_string_equal(bench_wants(bench, "idle", &params, END, END), "nas: idle 3 s; ");
    assert_string_equal(bench_wants(bench, "idle", &params, END, NULL), "");
}

/* The load of a machine tells nothing of its disks, and a container does not see all tasks. */
static void hidden_tasks(void **state) {
    struct bench *bench = *state;
    static const char said[] = M "1 uptime\n1000 1\n" M "1 disks\n" M "1 net\n" HEAD M
                                 "2 uptime\n1002 1\n" M "2 load\n0.10 0.10 0.10 1/2 3\n" M
                                 "2 disks\n 8 0 sda bad\n" M "2 net\n" HEAD M "2 second\n"
                                 "2 (sleep) S 1" TAIL M "2 end\n";
    struct ng_condition_result r = judge_idle(bench, 4, said);
    bench_expect(&r, NG_UNKNOWN, "not all tasks of nas can be seen", NULL);
    assert_non_null(strstr(r.seen, "over the disks of nas is unknown"));
}

/* Static files, as in a laboratory of plain ones: the window is as long as it was meant to be. */
static void time_stands_still(void **state) {
    struct bench *bench = *state;
    struct ng_window window;
    static const char said[] = SAMPLE("1", "1000.00", "0 0 0", "0", "0", "")
        SAMPLE("2", "1000.00", "0 0 0", "2000", "0", "") M "2 end\n";
    ng_window_parse(&window, &bench->arena, 2, said, strlen(said));
    assert_null(window.why);
    assert_true(window.seconds > 1.99 && window.seconds < 2.01);
    assert_true(window.disks.rate > 511999 && window.disks.rate < 512001);
    assert_int_equal(window.disks.devices, 1);
}

struct governor_params {
    const struct ng_host *host;
    const char *expect;
};

#define P(n, governor, driver)                                                                     \
    "cpufreq/policy" n "/:\ncpufreq/policy" n "/scaling_governor:" governor "\ncpufreq/policy" n   \
    "/scaling_driver:" driver "\n"
#define METAL F("cpuinfo", "flags : fpu\n")
#define GUEST F("cpuinfo", "flags : fpu hypervisor x\n")

static void governors(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *expect, *frames;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {"performance", METAL F("cpufreq", P("0", "performance", "acpi-cpufreq")) END, NG_HELD,
            "policy0 on nas: performance"},
        {"performance",
            METAL F("cpufreq",
                P("0", "performance", "x") P("1", "ondemand", "x") P("2", "performance", "x")) END,
            NG_BROKEN, "policy1 on nas: ondemand by x, not performance"},
        {"performance", METAL F("cpufreq", P("0", "powersave", "intel_pstate")) END, NG_BROKEN,
            "normal dynamic mode"},
        {"powersave", METAL F("cpufreq", P("0", "powersave", "intel_pstate")) END, NG_HELD,
            "powersave"},
        {"any", METAL F("cpufreq", P("0", "ondemand", "x")) END, NG_HELD, "ondemand"},
        /* empty, or EBUSY */
        {"performance", METAL F("cpufreq", "cpufreq/policy0/:\n") END, NG_UNKNOWN,
            "could not be read"},
        {"performance", METAL ABSENT("cpufreq") END, NG_UNKNOWN, "no processor shows one"},
        {"performance", GUEST ABSENT("cpufreq") END, NG_HELD, "not applicable"},
        {"performance", LATE("cpufreq") GUEST END, NG_UNKNOWN, "did not answer"},
        {"performance",
            METAL F("markers", "container\n") F("cpufreq", P("0", "performance", "x")) END,
            NG_UNKNOWN, "nas is a container"},
        {"performance", NULL, NG_UNKNOWN, "could not be asked"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct governor_params params = {&bench->hosts[1], rows[i].expect};
        struct ng_condition_result r = bench_judge(bench, "governor", &params, END, rows[i].frames);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
}

struct job_params {
    const struct ng_host *host;
    struct ng_texts names;
};

#define KTHREADD "2 (kthreadd) S 0" TAIL

static void jobs(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *name, *frames;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {"backup", F("tasks", KTHREADD "7 (sh) S 1" TAIL) END, NG_HELD, "none of them"},
        {"backup", F("tasks", KTHREADD "7 (rsync) S 1" TAIL) END, NG_BROKEN,
            "rsync runs on nas (backup)"},
        {"rsync", F("tasks", KTHREADD "7 (rsync) S 1" TAIL) END, NG_BROKEN, "rsync runs on nas"},
        {"mover",
            F("tasks", KTHREADD "7 (bash) S 1" TAIL)
                F("tasks.words", "7:1:/bin/bash\n7:2:/usr/local/sbin/mover\n") END,
            NG_BROKEN, "mover run by bash runs on nas"},
        {"rebuild", F("tasks", KTHREADD "7 (md2_resync) D 2" TAIL) END, NG_BROKEN, "md2_resync"},
        /* one that is found is found, wherever; one that is not may be hidden */
        {"rsync", F("tasks", "1 (init) S 0" TAIL "7 (rsync) S 1" TAIL) END, NG_BROKEN, "rsync"},
        {"rsync", F("tasks", "1 (init) S 0" TAIL) END, NG_UNKNOWN, "container, or hidepid"},
        {"rsync", F("tasks", KTHREADD) F("tasks.words", "!cut\n") END, NG_UNKNOWN,
            "more command lines"},
        {"rsync", F("tasks", "") END, NG_UNKNOWN, "no process is to be seen"},
        {"rsync", LATE("tasks") END, NG_UNKNOWN, "did not answer"},
        {"rsync", NULL, NG_UNKNOWN, "could not be asked"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct job_params params = {&bench->hosts[1], {.items = &rows[i].name, .count = 1}};
        struct ng_condition_result r = bench_judge(bench, "no_job", &params, END, rows[i].frames);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
    const struct job_params usual = {.host = &bench->hosts[1]};
    struct ng_condition_result r = bench_judge(bench, "no_job", &usual, END,
        F("tasks", KTHREADD "7 (fstrim) S 1" TAIL "8 (synoindexd) S 1" TAIL) END);
    bench_expect(&r, NG_BROKEN, "fstrim runs on nas (trim)", "let it end");
    assert_null(strstr(r.seen, "synoindexd"));
}

/* What is asked of the host: pieces of names that no shell can misread. */
static void what_is_asked(void **state) {
    struct bench *bench = *state;
    static const char *const names[] = {"md*_resync", "backup", "a b", "*", "-x"};
    const struct job_params params = {&bench->hosts[1], {.items = names, .count = NG_COUNT(names)}};
    struct ng_collect_needs needs[2] = {0};
    bench_condition("no_job")->needs(&bench->plan, &params, needs);
    assert_string_equal(needs[1].wants.items[0], "tasks");
    assert_string_equal(needs[1].jobs.items[0], ",_resync");
    assert_string_equal(needs[1].jobs.items[1], ",backup");
    for (size_t i = 0; i < needs[1].jobs.count; i++) {
        assert_null(strpbrk(needs[1].jobs.items[i], " *?[$`'\""));
    }
    assert_int_equal(needs[0].wants.count, 0);
    ng_collect_needs_release(&needs[1]);
    assert_false(ng_collect_job_is_name("a b"));
    assert_false(ng_collect_job_is_name("/bin/x"));
    assert_true(ng_collect_job_is_name("synodr*"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_quiet_and_a_busy_host),
        TEST(hidden_tasks),
        TEST(time_stands_still),
        TEST(governors),
        TEST(jobs),
        TEST(what_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
