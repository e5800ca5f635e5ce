/* mtu_match: what is configured, what lies below, what is proven of the path, what is asked next.
 */
#include "tests/unit/conditions/bench.h"

#include "runner/conditions/mtu_search.h"

struct params {
    const struct ng_link *link;
    int directions; /* 0: both, 1: one */
};

#define NET(lines) F("net", lines "lo/mtu\t65536\n")
#define ADDRESS(name, text)                                                                        \
    F("addresses", "2: " name "    inet " text "/24 scope global " name "\n")
#define C(more) NET("eth0/mtu\t9000\n" more) ADDRESS("eth0", "10.0.0.1") END
#define N(more) NET("eth4/mtu\t9000\n" more) ADDRESS("eth4", "10.0.0.2") END
#define ALL "3 packets transmitted, 3 received, 0% packet loss, time 404ms\n"
#define NONE "3 packets transmitted, 0 received, 100% packet loss, time 404ms\n"
#define REFUSED(mtu) "ping: local error: message too long, mtu=" mtu "\n"

static struct ng_condition_result judge(
    struct bench *bench, int directions, const char *client, const char *nas) {
    struct params params = {&bench->link, directions};
    return bench_judge(bench, "mtu_match", &params, client, nas);
}

static const char *wants(struct bench *bench) {
    struct params params = {&bench->link, 0};
    return bench_wants(bench, "mtu_match", &params, C(""), N(""));
}

static void routes(struct bench *bench) {
    bench_say(bench, 0, "route 10.0.0.2", "10.0.0.2 dev eth0 src 10.0.0.1 uid 0\n    cache\n", "");
    bench_say(bench, 1, "route 10.0.0.1", "10.0.0.1 dev eth4 src 10.0.0.2 uid 0\n    cache\n", "");
}

/* One direction where everything is as it should be. */
static void good(struct bench *bench, size_t host) {
    const char *peer = host == 0 ? "10.0.0.2" : "10.0.0.1";
    bench_say(bench, host, ng_arena_printf(&bench->arena, "ping %s", peer), ALL, "");
    bench_say(bench, host, ng_arena_printf(&bench->arena, "proof 8972 %s", peer), ALL, "");
    bench_say(
        bench, host, ng_arena_printf(&bench->arena, "proof 8973 %s", peer), NONE, REFUSED("9000"));
}

/* What is configured is told whatever the path does. */
static void configured(void **state) {
    struct bench *bench = *state;
    struct ng_condition_result r =
        judge(bench, 0, NET("eth0/mtu\t9000\n") END, NET("eth4/mtu\t1500\n") END);
    bench_expect(&r, NG_BROKEN, "nas:eth4 has MTU 1500", "same MTU");
    assert_non_null(strstr(bench_looked(&r, "path"), "do not agree"));
    bench->link.mtu = 9000;
    r = judge(bench, 0, NET("eth0/mtu\t9000\n") END, NET("eth4/mtu\t1500\n") END);
    bench_expect(&r, NG_BROKEN, "nas:eth4 has MTU 1500", "ip link set dev eth4 mtu 9000");
    r = judge(bench, 0, NET("eth0/mtu\t1500\n") END, NET("eth4/mtu\t1500\n") END);
    bench_expect(&r, NG_BROKEN, "client:eth0 has MTU 1500", "eth0 mtu 9000");
    r = judge(bench, 0, NET("eth0/mtu\t9000\n") END, NET("!eth4/mtu\t\n") END);
    bench_expect(&r, NG_UNKNOWN, "MTU of nas:eth4 could not be read", "by hand");
    r = judge(bench, 0, NET("eth0/mtu\t9000\n") END, NET("eth5/mtu\t9000\n") END);
    bench_expect(&r, NG_BROKEN, "nas has no interface eth4, only eth5, lo", "correct the end");
    r = judge(bench, 0, NET("eth0/mtu\t9000\n") END, NULL);
    bench_expect(&r, NG_UNKNOWN, "it could not be asked", NULL);
    /* broken wins over unknown, whichever comes first */
    r = judge(bench, 0, END, NET("eth4/mtu\t1500\n") END);
    bench_expect(&r, NG_BROKEN, "nas:eth4 has MTU 1500", "eth4 mtu 9000");
}

/* A layer that is smaller drops frames; a VLAN may lie on a larger device. */
static void layers(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *more;
        enum ng_held held;
        const char *seen;
    } rows[] = {
        {"eth4/bonding/slaves\te0 e1\ne0/mtu\t9000\ne1/mtu\t1500\n", NG_BROKEN,
            "e1, a layer of nas:eth4, has MTU 1500"},
        {"eth4/brif/e0\t\ne0/mtu\t1500\n", NG_BROKEN, "e0, a layer of nas:eth4"},
        {"eth4/lower/b\t\nb/lower/e0\t\nb/mtu\t9000\ne0/mtu\t1500\n", NG_BROKEN, "e0, a layer"},
        {"eth4/lower/e0\t\n!e0/mtu\t\n", NG_UNKNOWN, "the MTU of e0, a layer"},
        {"eth4/lower/e0\t\ne0/mtu\t9216\n", NG_HELD, "nas:eth4 has MTU 9000"},
    };
    routes(bench);
    good(bench, 0);
    good(bench, 1);
    bench->link.mtu = 9000;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const char *nas = ng_arena_printf(&bench->arena,
            "\nt B net\neth4/mtu\t9000\n%s\nt E net 0\n" ADDRESS("eth4", "10.0.0.2") END,
            rows[i].more);
        struct ng_condition_result r = judge(bench, 0, C(""), nas);
        bench_expect(&r, rows[i].held, rows[i].seen, NULL);
    }
    /* the end is a port: what carries its address counts as well */
    struct ng_condition_result r = judge(bench, 0, C(""),
        NET("eth4/mtu\t9000\nbr0/brif/eth4\t\nbr0/mtu\t1500\n") ADDRESS("br0", "10.0.0.2") END);
    bench_expect(&r, NG_BROKEN, "br0, a layer of nas:eth4, has MTU 1500", "br0 mtu 9000");
}

static void proven(void **state) {
    struct bench *bench = *state;
    routes(bench);
    good(bench, 0);
    good(bench, 1);
    struct ng_condition_result r = judge(bench, 0, C(""), N(""));
    bench_expect(&r, NG_HELD, "client to nas: packets of 9000 bytes pass whole", NULL);
    assert_non_null(strstr(r.seen, "nas to client: packets of 9000 bytes pass whole"));
    assert_non_null(strstr(r.expected, "both directions"));
    assert_non_null(strstr(bench_looked(&r, "route from nas"), "by eth4"));
    assert_non_null(strstr(bench_looked(&r, "path from client"), "9000"));
    bench->link.mtu = 9000;
    r = judge(bench, 0, C(""), N(""));
    bench_expect(&r, NG_HELD, "larger ones do not", NULL);
    /* both ends on one host: nothing to prove, and said */
    bench->link.ends[1].at = bench->link.ends[0].at;
    r = judge(bench, 0, C(""), N(""));
    bench_expect(&r, NG_HELD, "client:eth0 has MTU 9000", NULL);
    assert_non_null(strstr(bench_looked(&r, "path"), "not proven"));
}

/* One end cannot send probes: unknown, unless the plan says that one direction is enough. */
static void one_direction(void **state) {
    struct bench *bench = *state;
    routes(bench);
    good(bench, 0);
    bench_say(bench, 1, "ping 10.0.0.1", ALL, "");
    bench_say(
        bench, 1, "proof 8972 10.0.0.1", "", "ping: invalid option -- 'M'\nBusyBox v1.35.0\n");
    bench_say(
        bench, 1, "proof 8973 10.0.0.1", "", "ping: invalid option -- 'M'\nBusyBox v1.35.0\n");
    struct ng_condition_result r = judge(bench, 0, C(""), N(""));
    bench_expect(
        &r, NG_UNKNOWN, "nas to client: not proven: its ping has no -M", "directions: one");
    r = judge(bench, 1, C(""), N(""));
    bench_expect(&r, NG_HELD, "nas to client: not proven", NULL);
    assert_non_null(strstr(r.expected, "in one direction"));
    assert_non_null(strstr(bench_looked(&r, "path from nas"), "not proven"));
}

struct case_of_path {
    const char *small, *small_err; /* NULL: not asked */
    const char *full, *full_err;
    const char *over, *over_err;
    enum ng_held held;
    const char *seen, *remedy;
};

static void paths(void **state) {
    struct bench *bench = *state;
    static const struct case_of_path rows[] = {
        {ALL, "", NONE, "", NONE, REFUSED("9000"), NG_BROKEN, "vanish without a word", "switch"},
        {ALL, "", NONE, REFUSED("1500"), NONE, REFUSED("1500"), NG_BROKEN, "client itself refuses",
            "mtu"},
        {ALL, "", "From 10.0.0.9 icmp_seq=1 Frag needed and DF set (mtu = 1500)\n" NONE, "", NONE,
            REFUSED("1500"), NG_BROKEN, "10.0.0.9 says so", NULL},
        {ALL, "", ALL, "", ALL, "", NG_BROKEN, "9001 bytes pass as well", "link's mtu"},
        {ALL, "", "3 packets transmitted, 2 received, 33% packet loss\n", "", NONE, "", NG_UNKNOWN,
            "2 of 3 packets", "loss"},
        {NONE, "", NULL, NULL, NULL, NULL, NG_UNKNOWN, "even a small ping was not answered",
            "iputils-ping"},
        {"", "ping: socket: Operation not permitted\n", NULL, NULL, NULL, NULL, NG_UNKNOWN,
            "Operation not permitted", NULL},
        {ALL, "", ALL, "", "", "ping: strange\n", NG_UNKNOWN, "ping: strange", NULL},
        {NULL, NULL, NULL, NULL, NULL, NULL, NG_UNKNOWN, "it was not asked", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        bench->probes.count = 0;
        routes(bench);
        good(bench, 1);
        const char *const said[][3] = {{"ping 10.0.0.2", rows[i].small, rows[i].small_err},
            {"proof 8972 10.0.0.2", rows[i].full, rows[i].full_err},
            {"proof 8973 10.0.0.2", rows[i].over, rows[i].over_err}};
        for (size_t j = 0; j < NG_COUNT(said); j++) {
            if (said[j][1] != NULL) {
                bench_say(bench, 0, said[j][0], said[j][1], said[j][2]);
            }
        }
        struct ng_condition_result r = judge(bench, 0, C(""), N(""));
        bench_expect(&r, rows[i].held, rows[i].seen, rows[i].remedy);
    }
}

/* A path MTU that the kernel remembers makes ping lie: said, and not taken for the path. */
static void remembered(void **state) {
    struct bench *bench = *state;
    bench_say(bench, 0, "route 10.0.0.2",
        "10.0.0.2 dev eth0 src 10.0.0.1\n    cache expires 321sec mtu 1500\n", "");
    bench_say(bench, 1, "route 10.0.0.1", "10.0.0.1 dev eth4 src 10.0.0.2\n", "");
    good(bench, 1);
    bench_say(bench, 0, "ping 10.0.0.2", ALL, "");
    bench_say(bench, 0, "proof 8972 10.0.0.2", NONE, REFUSED("1500"));
    bench_say(bench, 0, "proof 8973 10.0.0.2", NONE, REFUSED("1500"));
    struct ng_condition_result r = judge(bench, 0, C(""), N(""));
    bench_expect(&r, NG_UNKNOWN, "remembers a path MTU of 1500", "flush cache");
    assert_non_null(strstr(r.seen, "321 s more"));
    /* our own probe does not ask the memory */
    bench_say(bench, 0, "udp 56 10.0.0.2", "passes\n", "");
    bench_say(bench, 0, "udp 8972 10.0.0.2", "passes\n", "");
    bench_say(bench, 0, "udp 8973 10.0.0.2", "too-long 9000 here\n", "");
    r = judge(bench, 0, C(""), N(""));
    bench_expect(&r, NG_HELD, "client to nas: packets of 9000 bytes pass whole", NULL);
    bench->probes.items[bench->probes.count - 2].out = "too-long 1500 10.0.0.9\n";
    bench->probes.items[bench->probes.count - 2].out_len = 23;
    r = judge(bench, 0, C(""), N(""));
    bench_expect(&r, NG_BROKEN, "do not pass", NULL);
}

/* Our own probe needs no way back, and its silence counts only where it is heard. */
static void own(void **state) {
    struct bench *bench = *state;
    routes(bench);
    good(bench, 1);
    bench_say(bench, 0, "ping 10.0.0.2", ALL, "");
    bench_say(bench, 0, "proof 8972 10.0.0.2", NONE, "");
    bench_say(bench, 0, "proof 8973 10.0.0.2", NONE, REFUSED("9000"));
    bench_say(bench, 0, "udp 56 10.0.0.2", "passes\n", "");
    bench_say(bench, 0, "udp 8972 10.0.0.2", "passes\n", "");
    struct ng_condition_result r = judge(bench, 0, C(""), N(""));
    bench_expect(&r, NG_HELD, "answers of that size do not come back", NULL);
    /* no ping at all: the own probe alone proves it */
    bench->probes.count = 0;
    routes(bench);
    good(bench, 1);
    bench_say(bench, 0, "ping 10.0.0.2", NULL, "");
    bench_say(bench, 0, "udp 56 10.0.0.2", "passes\n", "");
    bench_say(bench, 0, "udp 8972 10.0.0.2", "passes\n", "");
    bench_say(bench, 0, "udp 8973 10.0.0.2", "too-long 9000 here\n", "");
    r = judge(bench, 0, C(""), N(""));
    bench_expect(&r, NG_HELD, "client to nas: packets of 9000 bytes pass whole", NULL);
    bench->probes.items[bench->probes.count - 2].out = "silent\n";
    bench->probes.items[bench->probes.count - 2].out_len = 7;
    r = judge(bench, 0, C(""), N(""));
    bench_expect(&r, NG_BROKEN, "do not pass", NULL);
}

/* What passes elsewhere proves nothing for this link. */
static void elsewhere(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *route, *seen;
    } rows[] = {
        {"10.0.0.2 dev eth7 src 10.0.0.9\n", "does not take the link (unicast 10.0.0.2 by eth7"},
        {"local 10.0.0.2 dev lo src 10.0.0.2\n", "does not take the link (local"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        bench->probes.count = 0;
        bench_say(bench, 0, "route 10.0.0.2", rows[i].route, "");
        bench_say(bench, 1, "route 10.0.0.1", "10.0.0.1 dev eth4 src 10.0.0.2\n", "");
        good(bench, 0);
        good(bench, 1);
        struct ng_condition_result r = judge(bench, 0, C(""), N(""));
        bench_expect(&r, NG_UNKNOWN, rows[i].seen, "correct the route");
    }
    /* a bridge above the port that the plan names is the link's way */
    bench->probes.count = 0;
    bench_say(bench, 0, "route 10.0.0.2", "10.0.0.2 dev br0 src 10.0.0.1\n", "");
    bench_say(bench, 1, "route 10.0.0.1", "10.0.0.1 dev eth4 src 10.0.0.2\n", "");
    good(bench, 0);
    good(bench, 1);
    struct ng_condition_result r = judge(bench, 0,
        NET("eth0/mtu\t9000\nbr0/mtu\t9000\nbr0/brif/eth0\t\n") ADDRESS("br0", "10.0.0.1") END,
        N(""));
    bench_expect(&r, NG_HELD, "client to nas: packets of 9000 bytes pass whole", NULL);
    /* no address, no proof */
    r = judge(bench, 0, C(""), NET("eth4/mtu\t9000\n") F("addresses", "") END);
    bench_expect(&r, NG_UNKNOWN, "nas:eth4 has no address", "state the address");
}

/* Step by step: the route, a small one, the size and the one above, then the search. */
static void asking(void **state) {
    struct bench *bench = *state;
    assert_string_equal(wants(bench), "client: route 10.0.0.2; nas: route 10.0.0.1; ");
    routes(bench);
    assert_string_equal(wants(bench),
        "client: ping 10.0.0.2; client: udp 56 10.0.0.2; nas: ping 10.0.0.1; nas: udp 56 10.0.0.1; "
        "");
    bench_say(bench, 0, "ping 10.0.0.2", ALL, "");
    bench_say(bench, 0, "udp 56 10.0.0.2", "", "");
    bench_say(bench, 1, "ping 10.0.0.1", NONE, "");
    bench_say(bench, 1, "udp 56 10.0.0.1", "", "");
    assert_string_equal(wants(bench), "client: proof 8972 10.0.0.2; client: proof 8973 10.0.0.2; "
                                      "client: udp 8972 10.0.0.2; client: udp 8973 10.0.0.2; ");
    bench_say(bench, 0, "proof 8972 10.0.0.2", NONE, "");
    bench_say(bench, 0, "proof 8973 10.0.0.2", NONE, REFUSED("9000"));
    bench_say(bench, 0, "udp 8972 10.0.0.2", "", "");
    bench_say(bench, 0, "udp 8973 10.0.0.2", "", "");
    const char *next = wants(bench);
    assert_non_null(strstr(next, "client: try 1472 10.0.0.2; client: try 1473 10.0.0.2; "));
    bench_say(bench, 0, "try 1472 10.0.0.2", ALL, "");
    bench_say(bench, 0, "try 1473 10.0.0.2", NONE, "");
    bench_say(bench, 0, "try 1476 10.0.0.2", NULL, "");
    assert_string_equal(wants(bench), "");
    struct ng_condition_result r = judge(bench, 0, C(""), N(""));
    bench_expect(&r, NG_BROKEN,
        "packets of 9000 bytes do not pass, they vanish without a word; "
        "1500 do",
        "9216");
}

/* A host's stand-in for ping is what is run. */
static void stand_in(void **state) {
    struct bench *bench = *state;
    struct ng_argv_item tools[] = {{.key = "ping",
        .words = {.items = (const char *const[]){"docker", "exec", "net", "ping"}, .count = 4}}};
    bench->hosts[0].tools = (struct ng_argvs){tools, 1};
    struct ng_probe_list list = {.done = &bench->probes, .arena = &bench->arena};
    static const char *const argv[] = {"ping", "-n", "10.0.0.2", NULL};
    ng_probe_want(&list, &bench->hosts[0], "a", 1, argv);
    ng_probe_want(&list, &bench->hosts[1], "a", 1, argv);
    ng_probe_want(&list, &bench->hosts[1], "a", 1, argv); /* asked once */
    assert_int_equal(list.count, 2);
    static const char *const want[] = {"docker", "exec", "net", "ping", "-n", "10.0.0.2"};
    for (size_t i = 0; i < NG_COUNT(want); i++) {
        assert_string_equal(list.items[0].argv[i], want[i]);
    }
    assert_null(list.items[0].argv[NG_COUNT(want)]);
    assert_string_equal(list.items[1].argv[0], "ping");
    assert_null(list.items[1].argv[3]);
}

/* Every size is found, in few rounds, and the search always ends. */
static void search(void **state) {
    (void)state;
    for (int64_t real = NG_MTU_LEAST; real < 9000; real++) {
        struct ng_mtu_search s = {.passes = NG_MTU_LEAST, .fails = 9000};
        int64_t next[NG_MTU_AT_ONCE];
        int rounds = 0;
        for (size_t count; (count = ng_mtu_search_next(&s, next)) > 0; rounds++) {
            assert_true(count <= NG_MTU_AT_ONCE && rounds < 12);
            for (size_t i = 0; i < count; i++) {
                assert_true(next[i] > s.passes || i > 0);
                ng_mtu_search_tell(&s, next[i], next[i] <= real);
            }
        }
        assert_true(s.passes == real && s.fails == real + 1);
        assert_true(real != 1500 || rounds == 1);
    }
    struct ng_mtu_search hinted = {.passes = NG_MTU_LEAST, .fails = 9000, .hint = 4082};
    int64_t next[NG_MTU_AT_ONCE];
    assert_int_equal(ng_mtu_search_next(&hinted, next), NG_MTU_AT_ONCE);
    assert_true(next[0] == 4082 && next[1] == 4083 && next[2] == 1500);
    struct ng_mtu_search over = {.passes = 1500, .fails = 1501};
    assert_int_equal(ng_mtu_search_next(&over, next), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(configured),
        TEST(layers),
        TEST(proven),
        TEST(one_direction),
        TEST(paths),
        TEST(remembered),
        TEST(own),
        TEST(elsewhere),
        TEST(asking),
        TEST(stand_in),
        TEST(search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
