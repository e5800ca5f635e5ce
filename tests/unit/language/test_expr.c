/* test_expr.c - thresholds: what they parse to and what they come to. */
#include "tests/unit/language/vocabulary_fixture.h"

#include <math.h>
#include <stdio.h>

#include "plans/language/threshold.h"

/* A plan of three phases: "4k-read" (fio, measured 5 times), "wire" (iperf3, once), "w" (fio). */
struct lab {
    struct ng_arena arena;
    struct ng_diags diags;
    struct ng_host host;
    struct ng_link link;
    struct ng_array_spec array;
    struct ng_volume volume;
    struct fio_params reads, writes;
    struct ng_phase phases[3];
    struct ng_plan plan;
};

static void set_up(struct lab *lab) {
    memset(lab, 0, sizeof *lab);
    ng_arena_init(&lab->arena);
    lab->diags.arena = &lab->arena;
    lab->host.name = "a";
    lab->link = (struct ng_link){.name = "fi.ber", .mtu = 9000, .speed = 10000000000};
    lab->array.disks = 5;
    lab->volume = (struct ng_volume){.name = "repo", .on = &lab->host, .array = &lab->array};
    lab->reads = (struct fio_params){.volume = &lab->volume, .rw = 0};
    lab->writes = (struct fio_params){.volume = &lab->volume, .rw = 4};
    lab->phases[0] = (struct ng_phase){
        .name = "4k-read", .index = 0, .kind = &fio_kind, .params = &lab->reads, .repeat = 5};
    lab->phases[1] =
        (struct ng_phase){.name = "wire", .index = 1, .kind = &iperf3_kind, .repeat = 1};
    lab->phases[2] = (struct ng_phase){
        .name = "w", .index = 2, .kind = &fio_kind, .params = &lab->writes, .repeat = 5};
    lab->plan = (struct ng_plan){.hosts = &lab->host,
        .host_count = 1,
        .links = &lab->link,
        .link_count = 1,
        .volumes = &lab->volume,
        .volume_count = 1,
        .phases = lab->phases,
        .phase_count = 3};
}

static void tear_down(struct lab *lab) {
    ng_arena_release(&lab->arena);
}

static const struct ng_threshold *parse(struct lab *lab, const char *text) {
    const struct ng_node node = {
        .kind = NG_NODE_SCALAR, .pos = {"f", 7, 3}, .text = text, .text_column = 3};
    const struct ng_threshold *threshold =
        ng_threshold_parse_node(&lab->arena, &node, &lab->plan, &lab->phases[2], &lab->diags);
    if (!threshold && lab->diags.count > 0) {
        print_message("%s: %s\n", text, lab->diags.items[lab->diags.count - 1].text);
    }
    return threshold;
}

/* write.bw 1..5 MB/s out of order, write.iops 10, throughput of the wire 1 GB/s; write.lat.p99
 * missing. */
static bool metric(void *context, const struct ng_phase *phase, const struct ng_metric_def *metric,
    const double **values, size_t *count) {
    static const double bw[] = {3e6, 1e6, 5e6, 2e6, 4e6};
    static const double one[] = {1e9};
    static const double four[] = {1, 2, 3, 4};
    static const double odd[] = {(double)INFINITY};
    (void)context;
    if (strcmp(metric->name, "write.bw") == 0 || strcmp(metric->name, "read.bw") == 0) {
        *values = bw;
        *count = 5;
    } else if (strcmp(phase->name, "wire") == 0) {
        *values = one;
        *count = 1;
    } else if (strcmp(metric->name, "write.iops") == 0) {
        *values = four;
        *count = 4;
    } else if (strcmp(metric->name, "read.iops") == 0) {
        *values = odd;
        *count = 1;
    } else {
        return false;
    }
    return true;
}

static bool baseline(void *context, const struct ng_phase *phase,
    const struct ng_metric_def *metric, double *value) {
    (void)context;
    (void)phase;
    *value = 2.5e6;
    return strcmp(metric->name, "write.bw") == 0;
}

static const struct ng_expr_env env = {.metric = metric, .baseline = baseline};

static void assert_value(const struct ng_expr *expr, double expected) {
    double value = 0;
    struct ng_err err = {0};
    if (!ng_expr_eval(expr, &env, &value, &err)) {
        fail_msg("%s", err.text);
    }
    if (fabs(value - expected) > fabs(expected) * 1e-12) {
        fail_msg("expected %.17g, found %.17g", expected, value);
    }
}

static void test_values(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    static const struct {
        const char *text;
        double left, right;
    } cases[] = {
        {"write.bw >= 400 MB/s", 3e6, 400e6},
        {"write.bw>=400MB/s", 3e6, 400e6},
        {"write.bw <= 10 Gbit/s", 3e6, 1.25e9},
        {"write.bw <= 10 Gbps", 3e6, 1.25e9},
        {"write.bw >= 90% of link.fi.ber.speed", 3e6, 1.125e9},
        {"write.bw >= 50% of 50% of 4 MB/s", 3e6, 1e6},
        {"write.bw >= 2 * 3 MB/s + 1 MB/s * 4 - 1 MB/s", 3e6, 9e6},
        {"write.bw >= 2 * (3 MB/s + 1 MB/s)", 3e6, 8e6},
        {"write.bw >= 12 MB/s / 2 / 3", 3e6, 2e6},
        {"write.bw >= 10 MB / 2 s", 3e6, 5e6},
        {"write.bw * 2 s >= 1 MiB", 6e6, 1048576},
        {"write.bw >= -5 MB/s - -2 MB/s", 3e6, -3e6},
        {"write.iops >= 100 * volume.repo.disks", 2.5, 500},
        {"write.iops >= 100", 2.5, 100},
        {"100 <= write.iops", 100, 2.5},
        {"write.iops + 5 >= 100 /s", 7.5, 100},
        {"write.iops >= 1e3 IOPS", 2.5, 1000},
        {"write.bw / link.fi.ber.mtu >= 3", 3e6 / 9000, 3},
        {"write.bw >= 20% of wire.throughput", 3e6, 2e8},
        {"write.bw >= 4k-read.read.bw", 3e6, 3e6},
        {"w.write.bw >= 1 MB/s", 3e6, 1e6},
        {"min(write.bw) >= 1 MB/s", 1e6, 1e6},
        {"max(write.bw) >= 1 MB/s", 5e6, 1e6},
        {"mean(write.bw) >= 1 MB/s", 3e6, 1e6},
        {"median ( write.bw ) >= 1 MB/s", 3e6, 1e6},
        {"p25(write.bw) >= 1 MB/s", 2e6, 1e6},
        {"p95(write.bw) >= 1 MB/s", 4.8e6, 1e6},
        {"p99.9(write.bw) >= 1 MB/s", 4.996e6, 1e6},
        {"stddev(write.bw) <= 1 MB/s", 1581138.8300841897, 1e6},
        {"cv(write.bw) <= 5%", 0.52704627669472992, 0.05},
        {"max(write.bw / wire.throughput) <= 1", 5e-3, 1},
        {"max(2 * write.bw - 1 MB/s) >= 0 B/s", 9e6, 0},
        {"write.bw >= baseline", 3e6, 2.5e6},
        {"write.bw >= 95% of baseline", 3e6, 2.375e6},
        {"write.bw >= baseline.write.bw", 3e6, 2.5e6},
        {"max(write.bw) - min(write.bw) <= 90% of baseline", 4e6, 2.25e6},
        {"wire.retransmits <= 100", 1e9, 100},
        {"wire.retransmits == 0%", 1e9, 0},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        const struct ng_threshold *threshold = parse(&lab, cases[i].text);
        assert_non_null(threshold);
        assert_value(threshold->left, cases[i].left);
        assert_value(threshold->right, cases[i].right);
        assert_int_equal(threshold->needs_baseline, strstr(cases[i].text, "baseline") != NULL);
        assert_true(ng_dim_equal(threshold->left->dim, threshold->right->dim));
    }
    assert_int_equal(lab.diags.count, 0);
    tear_down(&lab);
}

/* Whoever writes bits reads bits; what nobody wrote follows the metric, never its name. */
static void test_spelling(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    static const struct {
        const char *text;
        enum ng_spelling spelling;
    } cases[] = {
        {"write.bw >= 400 MB/s", NG_SPELLING_PLAIN},
        {"write.bw >= 3 Gbit/s", NG_SPELLING_BITS},
        {"write.bw >= 3 Gbps", NG_SPELLING_BITS},
        {"write.bw >= 90% of link.fi.ber.speed", NG_SPELLING_PLAIN},
        {"write.bw >= 20% of wire.throughput", NG_SPELLING_PLAIN},
        {"wire.throughput >= 90% of link.fi.ber.speed", NG_SPELLING_BITS},
        {"wire.throughput >= 800 MB/s", NG_SPELLING_PLAIN},
        {"2 * wire.throughput >= 90% of baseline.wire.throughput", NG_SPELLING_BITS},
        {"write.bw / wire.throughput >= 0.5", NG_SPELLING_PLAIN},
        {"write.bw / wire.throughput >= 50%", NG_SPELLING_SHARE},
        {"write.bw * 8 s >= 10 Gbit", NG_SPELLING_PLAIN},
        {"wire.retransmits <= 95% of baseline.wire.retransmits", NG_SPELLING_PLAIN},
        {"wire.retransmits <= 100", NG_SPELLING_PLAIN},
        {"cv(write.bw) <= 0.05", NG_SPELLING_SHARE},
        {"cv(write.bw) within 0 .. 5%", NG_SPELLING_SHARE},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        const struct ng_threshold *threshold = parse(&lab, cases[i].text);
        assert_non_null(threshold);
        if (threshold->spelling != cases[i].spelling) {
            fail_msg("%s: %d", cases[i].text, (int)threshold->spelling);
        }
    }
    assert_int_equal(lab.diags.count, 0);
    tear_down(&lab);
}

/* 60 where 60% is meant. */
static void test_share(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    static const char *const fine[] = {"cv(write.bw) <= 60%", "cv(write.bw) <= 0.6",
        "cv(write.bw) <= 1", "wire.retransmits <= 60", "cv(write.bw) <= 2 * 3",
        "cv(write.bw) * 100 <= 60"};
    for (size_t i = 0; i < NG_COUNT(fine); i++) {
        assert_non_null(parse(&lab, fine[i]));
    }
    assert_int_equal(lab.diags.count, 0);
    assert_non_null(parse(&lab, "cv(write.bw) <= 60"));
    assert_non_null(parse(&lab, "cv(write.bw) within 5 .. 7%"));
    assert_non_null(parse(&lab, "cv(write.bw) within 1 .. 7"));
    assert_int_equal(lab.diags.warnings, 2); /* 5 .. 7% shares its unit */
    assert_string_equal(lab.diags.items[0].rule, "share-without-percent");
    assert_int_equal(lab.diags.items[0].pos.column, 3 + 16);
    assert_string_equal(lab.diags.items[0].text,
        "the left side is a share, where 1 is 100%; 60 is more than all of it; write for example "
        "\"60%\"");
    tear_down(&lab);
}

static void test_within(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    static const char *const texts[] = {"write.bw within 250 .. 400 MB/s",
        "write.bw within 250..400 MB/s", "write.bw within 250 MB/s..400MB/s",
        "write.bw within 250 MB/s .. 0.4 GB/s", "write.bw within 62.5% of 400 MB/s .. 400 MB/s"};
    for (size_t i = 0; i < NG_COUNT(texts); i++) {
        const struct ng_threshold *threshold = parse(&lab, texts[i]);
        assert_non_null(threshold);
        assert_int_equal(threshold->comparison, NG_CMP_WITHIN);
        assert_value(threshold->right, 250e6);
        assert_value(threshold->high, 400e6);
        assert_string_equal(threshold->text, texts[i]);
        assert_int_equal(threshold->pos.column, 3);
    }
    const struct ng_threshold *iops = parse(&lab, "write.iops within 1000 .. 2000");
    assert_non_null(iops);
    assert_true(ng_dim_equal(iops->high->dim, NG_DIM_IOPS));
    assert_null(parse(&lab, "write.bw within 250 .. 90% of baseline"));
    tear_down(&lab);
}

static void test_no_value(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    static const char *const cases[][2] = {
        {"write.lat.p99 <= 5 ms", "no value of write.lat.p99 of phase w"},
        {"max(write.lat.p99) <= 5 ms", "no value of write.lat.p99 of phase w"},
        {"baseline.write.lat.p99 <= 5 ms",
            "no value of write.lat.p99 of phase w in the baseline run"},
        {"max(write.bw / write.iops) <= 5 MB",
            "write.iops of phase w has 4 values, the metric beside it 5"},
        {"write.bw / (write.bw - write.bw) <= 5", "division by zero"},
        {"read.iops <= 5", "the value is too large or no number"},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        const struct ng_threshold *threshold = parse(&lab, cases[i][0]);
        assert_non_null(threshold);
        double value = 0;
        struct ng_err err = {0};
        assert_false(ng_expr_eval(threshold->left, &env, &value, &err));
        assert_int_equal(err.kind, NG_ERR_ENGINE);
        assert_string_equal(err.text, cases[i][1]);
    }
    tear_down(&lab);
}

/* A spread of one value is no spread, whatever the plan promised. */
static void test_spread_of_one(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    lab.phases[1].repeat = 0; /* not known when the threshold was read */
    const struct ng_threshold *threshold = parse(&lab, "cv(wire.throughput) <= 5%");
    assert_non_null(threshold);
    struct ng_err err = {0};
    double value = 0;
    assert_false(ng_expr_eval(threshold->left, &env, &value, &err));
    assert_string_equal(err.text, "a spread needs at least 2 repeats, and there is 1");
    tear_down(&lab);
}

/* A metric of the table that the phase does not measure as it is set. */
static void test_unmeasured(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    lab.writes.rw = 1;
    assert_null(parse(&lab, "read.bw >= 1 MB/s"));
    assert_string_equal(lab.diags.items[0].text,
        "phase w measures no read.bw with its settings; it measures write.bw, write.iops, "
        "write.lat.p99");
    assert_null(parse(&lab, "write.bw >= baseline.read.bw"));
    assert_null(parse(&lab, "write.bw >= 4k-read.write.bw"));
    assert_null(parse(&lab, "write.bw >= 4k-raed.read.bw")); /* "4", and then no unit */
    assert_int_equal(lab.diags.errors, 4);
    lab.phases[0].kind = NULL; /* in error itself: said there */
    assert_null(parse(&lab, "write.bw >= 4k-read.read.bw"));
    assert_int_equal(lab.diags.errors, 4);
    tear_down(&lab);
}

static void test_holds(void **state) {
    (void)state;
    static const struct {
        enum ng_comparison comparison;
        const char *text;
        bool below, equal, above;
    } cases[] = {
        {NG_CMP_LE, "<=", true, true, false},
        {NG_CMP_LT, "<", true, false, false},
        {NG_CMP_GE, ">=", false, true, true},
        {NG_CMP_GT, ">", false, false, true},
        {NG_CMP_EQ, "==", false, true, false},
        {NG_CMP_NE, "!=", true, false, true},
        {NG_CMP_WITHIN, "within", false, true, true},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        enum ng_comparison c = cases[i].comparison;
        assert_string_equal(ng_comparison_text(c), cases[i].text);
        assert_int_equal(ng_comparison_holds(c, 1, 2, 4), cases[i].below);
        assert_int_equal(ng_comparison_holds(c, 2, 2, 4), cases[i].equal);
        assert_int_equal(ng_comparison_holds(c, 3, 2, 4), cases[i].above);
        assert_false(
            ng_comparison_holds(c, (double)NAN, 2, 4)); /* what is no number holds nothing */
    }
    assert_true(ng_comparison_holds(NG_CMP_WITHIN, 4, 2, 4));
    assert_false(ng_comparison_holds(NG_CMP_WITHIN, 5, 2, 4));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_spelling),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_no_value),
        cmocka_unit_test(test_spread_of_one),
        cmocka_unit_test(test_unmeasured),
        cmocka_unit_test(test_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
