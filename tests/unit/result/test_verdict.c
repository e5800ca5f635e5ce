/* test_verdict.c - from measures to verdicts, with plans as people write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <math.h>

#include "runner/result/verdict.h"
#include "tests/unit/result/lab.h"

enum { MB = 1000 * 1000 };

/** Adds a phase of the plan with one valid repeat per value of `bw` (0 ends the list). */
static struct ng_phase_result *measured(
    struct ng_result *result, const struct ng_phase *phase, const double *bw) {
    struct ng_phase_result *out = ng_result_expect(result, phase, (int)phase->repeat);
    for (; *bw > 0; bw++) {
        struct ng_repeat *repeat = ng_phase_add_repeat(&result->arena, out);
        repeat->valid = true;
        ng_repeat_measure(&result->arena, repeat, &lab_metrics[0], *bw * MB);
    }
    return out;
}

static void contains(const char *text, const char *part) {
    assert_non_null(text);
    if (strstr(text, part) == NULL) {
        fail_msg("\"%s\" does not contain \"%s\"", text, part);
    }
}

struct row {
    const char *plan; /* of the phase, after "lab: 1 s" */
    double bw[6];
    enum ng_verdict verdict;
    const char *reason;
    enum ng_held held; /* of the first threshold or prediction */
    double margin;     /* of the same; 2 is: unknown */
};

static const struct row rows[] = {
    {"pass: [bw >= 400 MB/s]", {443.2}, NG_VERDICT_PASS,
        "bw 443.2 MB/s holds >= 400 MB/s with 10.8%", NG_HELD, 0.108},
    {"pass: [bw >= 400 MB/s]", {312.4}, NG_VERDICT_FAIL,
        "bw 312.4 MB/s is below the limit 400 MB/s by 21.9%", NG_BROKEN, -0.219},
    {"pass: [bw >= 400 MB/s]", {399.996}, NG_VERDICT_FAIL,
        "bw 400 MB/s is below the limit 400 MB/s by 0.0010%", NG_BROKEN, -1e-5},
    {"pass: [bw >= 400 MB/s]", {400}, NG_VERDICT_PASS, "holds >= 400 MB/s", NG_HELD, 0},
    {"pass: [bw > 400 MB/s]", {400}, NG_VERDICT_FAIL, "bw 400 MB/s is not above the limit 400 MB/s",
        NG_BROKEN, 0},
    {"pass: [bw < 400 MB/s]", {500}, NG_VERDICT_FAIL, "is above the limit 400 MB/s by 25.0%",
        NG_BROKEN, -0.25},
    {"pass: [bw <= 3.2 Gbit/s]", {300}, NG_VERDICT_PASS, "bw 2.4 Gbit/s holds <= 3.2 Gbit/s",
        NG_HELD, 0.25},
    {"pass: [bw within 250 .. 400 MB/s]", {300}, NG_VERDICT_PASS,
        "holds within 250 MB/s .. 400 MB/s with 33.3%", NG_HELD, 0.33333},
    {"pass: [bw within 250 .. 400 MB/s]", {390}, NG_VERDICT_PASS, "with 6.7%", NG_HELD, 0.066667},
    {"pass: [bw within 250 .. 400 MB/s]", {470}, NG_VERDICT_FAIL,
        "bw 470 MB/s is outside 250 MB/s .. 400 MB/s by 46.7%", NG_BROKEN, -0.466667},
    {"pass: [bw within 250 .. 400 MB/s]", {200}, NG_VERDICT_FAIL, "by 33.3%", NG_BROKEN, -0.33333},
    {"pass: [bw == 300 MB/s]", {300}, NG_VERDICT_PASS, "holds == 300 MB/s", NG_HELD, 0},
    {"pass: [bw != 300 MB/s]", {330}, NG_VERDICT_PASS, "holds != 300 MB/s", NG_HELD, 0.1},
    {"pass: [bw - bw <= 0 MB/s]", {300}, NG_VERDICT_PASS, "holds <= 0 B/s", NG_HELD, 2},
    {"{}", {300}, NG_VERDICT_PASS, "measured; the phase has no thresholds", NG_HELD, 2},
    // The median, not the mean; functions take the repeats.
    {"pass: [bw >= 400 MB/s]\n    repeat: 3", {410, 100, 405}, NG_VERDICT_PASS, "bw 405 MB/s",
        NG_HELD, 0.0125},
    {"pass: [min(bw) >= 400 MB/s]\n    repeat: 3", {410, 100, 405}, NG_VERDICT_FAIL,
        "min(bw) 100 MB/s is below", NG_BROKEN, -0.75},
    {"pass: [cv(bw) <= 5%]\n    repeat: 2", {100, 200}, NG_VERDICT_FAIL, "cv(bw) 47.1%", NG_BROKEN,
        -8.42809},
    // What is missing is an error, and never green.
    {"pass: [iops >= 100]", {300}, NG_VERDICT_ERROR, "iops >= 100 is unknown: no value of iops",
        NG_UNKNOWN, 2},
    {"pass: [bw >= baseline]", {300}, NG_VERDICT_ERROR, "there is no baseline run", NG_UNKNOWN, 2},
    {"pass: [bw >= 1 MB/s]\n    repeat: 3", {300, 300}, NG_VERDICT_ERROR,
        "only 2 of 3 repeats were run", NG_HELD, 299},
    {"predict: [bw >= 1 MB/s]\n    repeat: 3", {300, 300}, NG_VERDICT_ERROR,
        "only 2 of 3 repeats were run", NG_UNKNOWN, 2},
    {"pass: [bw >= 1 MB/s]", {0}, NG_VERDICT_ERROR, "only 0 of 1 repeats", NG_UNKNOWN, 2},
    // An error comes before a failure.
    {"pass: [bw >= 400 MB/s, iops >= 1]", {100}, NG_VERDICT_ERROR, "iops >= 1 is unknown",
        NG_BROKEN, -0.75},
    // Predictions never gate.
    {"predict: [bw >= 400 MB/s]", {312.4}, NG_VERDICT_PASS, "no thresholds", NG_BROKEN, -0.219},
    {"predict: [iops >= 400]", {312.4}, NG_VERDICT_PASS, "no thresholds", NG_UNKNOWN, 2},
    // Several broken thresholds stand in one reason.
    {"pass: [bw >= 400 MB/s, bw <= 100 MB/s]", {300}, NG_VERDICT_FAIL,
        "by 25.0%; bw 300 MB/s is above", NG_BROKEN, -0.25},
    {"pass: [bw >= 9 MB/s, bw >= 250 MB/s]", {300}, NG_VERDICT_PASS,
        "all 2 thresholds hold; the nearest: bw 300 MB/s holds >= 250 MB/s", NG_HELD, 32.3333},
    // Intervals of the mean: t(0.95, 2) = 4.30265.
    {"confidence: 95%\n    repeat: 3\n    pass: [bw >= 400 MB/s]", {449, 450, 451}, NG_VERDICT_PASS,
        "bw 450 MB/s holds", NG_HELD, 0.125},
    {"confidence: 95%\n    repeat: 3\n    pass: [bw >= 400 MB/s]", {410, 420, 450},
        NG_VERDICT_INCONCLUSIVE, "straddles the limit 400 MB/s", NG_UNDECIDED, 0.066667},
    {"confidence: 95%\n    repeat: 3\n    pass: [bw >= 400 MB/s]", {349, 350, 351}, NG_VERDICT_FAIL,
        "is below the limit", NG_BROKEN, -0.125},
    {"confidence: 95%\n    repeat: 3\n    pass: [bw within 400 .. 500 MB/s]", {449, 450, 451},
        NG_VERDICT_PASS, "holds within", NG_HELD, 0.5},
    {"confidence: 95%\n    repeat: 3\n    pass: [bw within 400 .. 451 MB/s]", {449, 450, 451},
        NG_VERDICT_INCONCLUSIVE, "straddles", NG_UNDECIDED, 0.0196078},
    {"confidence: 95%\n    repeat: 3\n    pass: [bw within 400 .. 440 MB/s]", {449, 450, 451},
        NG_VERDICT_FAIL, "outside", NG_BROKEN, -0.25},
    // A spread has no samples: with one value per repeat it would always be 0.
    {"confidence: 95%\n    repeat: 2\n    pass: [cv(bw) <= 5%]", {100, 200}, NG_VERDICT_FAIL,
        "cv(bw) 47.1% is above", NG_BROKEN, -8.42809},
    // A certain failure beside an undecided threshold is a failure.
    {"confidence: 95%\n    repeat: 3\n    pass: [bw >= 400 MB/s, bw <= 100 MB/s]", {410, 420, 450},
        NG_VERDICT_FAIL, "is above the limit 100 MB/s", NG_UNDECIDED, 0.066667},
};

static void test_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        char text[512];
        snprintf(text, sizeof text, "phases:\n  - name: p\n    lab: 1 s\n    %s\n",
            strcmp(rows[i].plan, "{}") == 0 ? "on_fail: stop" : rows[i].plan);
        struct ng_plan *plan = lab_plan(text);
        struct ng_result *result = ng_result_new();
        struct ng_phase_result *phase = measured(result, &plan->phases[0], rows[i].bw);
        ng_phase_judge(result, &plan->phases[0], NULL);
        if (phase->verdict != rows[i].verdict) {
            fail_msg("row %zu: %s: %s", i, ng_verdict_word(phase->verdict), phase->reason);
        }
        contains(phase->reason, rows[i].reason);
        if (phase->judged_count > 0) {
            const struct ng_judged *judged = &phase->judged[0];
            assert_int_equal(judged->held, rows[i].held);
            if (rows[i].margin > 1.5 && rows[i].margin < 2.5) {
                assert_true(isnan(judged->margin));
            } else if (!(fabs(judged->margin - rows[i].margin) < 1e-4)) {
                fail_msg("row %zu: margin %g", i, judged->margin);
            }
            assert_int_equal(
                judged->reason == NULL, judged->held == NG_HELD || judged->held == NG_BROKEN);
        }
        ng_result_free(result);
        ng_plan_free(plan);
    }
}

static const char two_phases[] = "phases:\n"
                                 "  - name: first\n    lab: 1 s\n"
                                 "  - name: second\n    lab: 1 s\n    repeat: 3\n"
                                 "    confidence: 95%\n"
                                 "    pass: [bw >= 90% of first.bw]\n";

/** Values of another phase count when it can be stood behind. */
static void test_other_phase(void **state) {
    (void)state;
    const struct {
        enum ng_verdict first, second;
        const char *reason;
    } table[] = {
        {NG_VERDICT_PASS, NG_VERDICT_PASS, "holds >= 360 MB/s (90% of first.bw)"},
        {NG_VERDICT_FAIL, NG_VERDICT_PASS, "holds >= 360 MB/s"},
        {NG_VERDICT_INCONCLUSIVE, NG_VERDICT_INCONCLUSIVE,
            "phase first cannot be used: it was incon"},
        {NG_VERDICT_ERROR, NG_VERDICT_ERROR, "phase first cannot be used: it ended in an error"},
        {NG_VERDICT_NONE, NG_VERDICT_ERROR, "it was not judged"},
    };
    struct ng_plan *plan = lab_plan(two_phases);
    for (size_t i = 0; i < NG_COUNT(table); i++) {
        struct ng_result *result = ng_result_new();
        measured(result, &plan->phases[0], (const double[]){400, 0})->verdict = table[i].first;
        measured(result, &plan->phases[1], (const double[]){449, 450, 451, 0});
        ng_phase_judge(result, &plan->phases[1], NULL);
        const struct ng_phase_result *second = ng_result_phase(result, "second");
        assert_int_equal(second->verdict, table[i].second);
        contains(second->reason, table[i].reason);
        ng_result_free(result);
    }
    ng_plan_free(plan);
}

static void test_baseline(void **state) {
    (void)state;
    struct ng_plan *plan = lab_plan("phases:\n  - name: p\n    lab: 1 s\n"
                                    "    pass: [bw >= 95% of baseline]\n");
    struct ng_result *baseline = ng_result_new();
    struct ng_phase_result *before =
        measured(baseline, &plan->phases[0], (const double[]){390, 400, 900, 0});
    const struct {
        enum ng_verdict before;
        double now;
        enum ng_verdict verdict;
        const char *reason;
    } table[] = {
        {NG_VERDICT_PASS, 390, NG_VERDICT_PASS, "holds >= 380 MB/s (95% of baseline)"},
        {NG_VERDICT_PASS, 300, NG_VERDICT_FAIL,
            "below the limit 380 MB/s (95% of baseline) by 21.1%"},
        {NG_VERDICT_INCONCLUSIVE, 390, NG_VERDICT_ERROR, "in the baseline run"},
        {NG_VERDICT_ERROR, 390, NG_VERDICT_ERROR, "in the baseline run"},
    };
    for (size_t i = 0; i < NG_COUNT(table); i++) {
        struct ng_result *result = ng_result_new();
        before->verdict = table[i].before;
        struct ng_phase_result *phase =
            measured(result, &plan->phases[0], (const double[]){table[i].now, 0});
        ng_phase_judge(result, &plan->phases[0], baseline);
        assert_int_equal(phase->verdict, table[i].verdict);
        contains(phase->reason, table[i].reason);
        ng_result_free(result);
    }
    ng_result_free(baseline);
    ng_plan_free(plan);
}

/** A doubtful number decides nothing, whatever side it is on; a lost repeat even less. */
static void test_doubts(void **state) {
    (void)state;
    struct ng_plan *plan =
        lab_plan("phases:\n  - name: p\n    lab: 1 s\n    repeat: 2\n    pass: [bw >= 400 MB/s]\n");
    for (int i = 0; i < 4; i++) {
        struct ng_result *result = ng_result_new();
        const double values[] = {i % 2 == 0 ? 500 : 100, 450, 0};
        struct ng_phase_result *phase = measured(result, &plan->phases[0], values);
        ng_repeat_find(&result->arena, &phase->repeats[0],
            i < 2 ? NG_FINDING_INCONCLUSIVE : NG_FINDING_WARNING, "cpu", "one core is %d%% busy",
            99);
        ng_phase_judge(result, &plan->phases[0], NULL);
        assert_int_equal(phase->verdict, i < 2    ? NG_VERDICT_INCONCLUSIVE
                                         : i == 2 ? NG_VERDICT_PASS
                                                  : NG_VERDICT_FAIL);
        assert_true(i >= 2 || strcmp(phase->reason, "one core is 99% busy") == 0);
        assert_int_equal(ng_repeat_is_disowned(&phase->repeats[0]), i < 2);
        assert_false(ng_repeat_is_disowned(&phase->repeats[1]));
        ng_result_free(result);
    }
    for (int i = 0; i < 3; i++) {
        struct ng_result *result = ng_result_new();
        struct ng_phase_result *phase =
            measured(result, &plan->phases[0], (const double[]){500, 500, 0});
        phase->repeats[1].valid = i == 2;
        phase->repeats[1].partial = i > 0;
        phase->repeats[1].error = i == 0 ? "fio: exit status 1" : NULL;
        ng_phase_judge(result, &plan->phases[0], NULL);
        assert_int_equal(phase->verdict, NG_VERDICT_ERROR);
        contains(phase->reason, i == 0 ? "repeat 2 of 2: fio: exit status 1" : "only in part");
        ng_result_free(result);
    }
    ng_plan_free(plan);
}

/** What nobody stands behind proves no prediction, whatever the number says. */
static void test_predictions_of_doubtful_phases(void **state) {
    (void)state;
    struct ng_plan *plan = lab_plan("phases:\n  - name: p\n    lab: 1 s\n"
                                    "    pass: [bw >= 400 MB/s]\n    predict: [bw <= 900 MB/s]\n");
    for (int i = 0; i < 3; i++) {
        struct ng_result *result = ng_result_new();
        struct ng_phase_result *phase =
            measured(result, &plan->phases[0], (const double[]){500, 0});
        if (i == 1) {
            ng_repeat_find(&result->arena, &phase->repeats[0], NG_FINDING_INCONCLUSIVE, "cpu",
                "one core is busy");
        }
        phase->repeats[0].partial = i == 2;
        ng_phase_judge(result, &plan->phases[0], NULL);
        const struct ng_judged *prediction = &phase->judged[1];
        assert_int_equal(prediction->held, i == 0 ? NG_HELD : NG_UNKNOWN);
        assert_int_equal(isnan(prediction->left), i != 0);
        assert_int_equal(isnan(prediction->margin), i != 0);
        if (i == 1) {
            assert_string_equal(prediction->reason, "the phase was inconclusive: one core is busy");
        } else if (i == 2) {
            assert_string_equal(prediction->reason, "no repeat of the phase is valid");
        }
        ng_result_free(result);
    }
    ng_plan_free(plan);
}

/** The loader asks for two repeats where there is a confidence; a result may still lack one. */
static void test_one_sample(void **state) {
    (void)state;
    struct ng_plan *plan =
        lab_plan("phases:\n  - name: p\n    lab: 1 s\n    pass: [bw >= 400 MB/s]\n");
    struct ng_phase sure = plan->phases[0];
    struct ng_result *result = ng_result_new();
    sure.confidence = 0.95;
    struct ng_phase_result *phase = measured(result, &sure, (const double[]){450, 0});
    ng_phase_judge(result, &sure, NULL);
    assert_int_equal(phase->verdict, NG_VERDICT_INCONCLUSIVE);
    assert_int_equal(phase->judged[0].held, NG_UNDECIDED);
    contains(phase->reason, "of 95.0% confidence needs at least 2 repeats, there is 1");
    assert_true(isnan(phase->judged[0].low_bound));
    ng_result_free(result);
    ng_plan_free(plan);
}

/** A metric that only some repeats have was not measured. */
static void test_half_measured(void **state) {
    (void)state;
    struct ng_plan *plan =
        lab_plan("phases:\n  - name: p\n    lab: 1 s\n    repeat: 2\n    pass: [iops >= 1]\n");
    struct ng_result *result = ng_result_new();
    struct ng_phase_result *phase =
        measured(result, &plan->phases[0], (const double[]){500, 500, 0});
    ng_repeat_measure(&result->arena, &phase->repeats[0], &lab_metrics[1], 100);
    ng_repeat_measure(&result->arena, &phase->repeats[1], &lab_metrics[1], (double)NAN);
    ng_phase_judge(result, &plan->phases[0], NULL);
    assert_int_equal(phase->verdict, NG_VERDICT_ERROR);
    ng_result_free(result);
    ng_plan_free(plan);
}

/** What a script says of a phase comes before its thresholds, and each text stands there once. */
static void test_sayings(void **state) {
    (void)state;
    static const struct {
        enum ng_finding_weight weight;
        const char *text;
        double bw;
        bool doubt, partial;
        enum ng_verdict verdict;
        const char *reason;
    } sayings[] = {
        {NG_FINDING_FAIL, "slow", 500, false, false, NG_VERDICT_FAIL, "slow"},
        {NG_FINDING_FAIL, "slow", 0.000001, false, false, NG_VERDICT_FAIL, "slow"},
        {NG_FINDING_FAIL, "slow", 500, true, false, NG_VERDICT_INCONCLUSIVE, "slow; busy"},
        {NG_FINDING_FAIL, "slow", 500, false, true, NG_VERDICT_FAIL, "slow"},
        {NG_FINDING_FAIL, "slow", 500, true, true, NG_VERDICT_ERROR,
            "repeat 1 of 2: it completed only in part"},
        {NG_FINDING_INCONCLUSIVE, "a job", 500, false, false, NG_VERDICT_INCONCLUSIVE, "a job"},
        {NG_FINDING_SKIP, "no cache", 500, false, true, NG_VERDICT_ERROR,
            "repeat 1 of 2: it completed only in part"},
    };
    struct ng_plan *plan =
        lab_plan("phases:\n  - name: p\n    lab: 1 s\n    repeat: 2\n    pass: [bw >= 400 MB/s]\n");
    for (size_t i = 0; i < sizeof sayings / sizeof *sayings; i++) {
        struct ng_result *result = ng_result_new();
        struct ng_phase_result *phase =
            measured(result, &plan->phases[0], (const double[]){sayings[i].bw, sayings[i].bw, 0});
        for (int j = 0; j < 2; j++) {
            ng_repeat_find(&result->arena, &phase->repeats[j], sayings[i].weight, NG_RULE_SCRIPT,
                "%s", sayings[i].text);
            if (sayings[i].doubt) {
                ng_repeat_find(
                    &result->arena, &phase->repeats[j], NG_FINDING_INCONCLUSIVE, "cpu", "busy");
            }
        }
        phase->repeats[0].partial = sayings[i].partial;
        ng_phase_judge(result, &plan->phases[0], NULL);
        assert_int_equal(phase->verdict, sayings[i].verdict);
        assert_string_equal(phase->reason, sayings[i].reason);
        ng_result_free(result);
    }
    ng_plan_free(plan);
}

static void test_left_alone(void **state) {
    (void)state;
    struct ng_plan *plan = lab_plan(two_phases);
    struct ng_result *result = ng_result_new();
    struct ng_phase_result *phase = measured(result, &plan->phases[0], (const double[]){500, 0});
    phase->verdict = NG_VERDICT_SKIPPED;
    phase->reason = "because";
    ng_phase_judge(result, &plan->phases[0], NULL);
    assert_int_equal(phase->verdict, NG_VERDICT_SKIPPED);
    assert_string_equal(phase->reason, "because");
    ng_phase_judge(result, &plan->phases[1], NULL); // not in the result: nothing happens
    ng_result_free(result);
    ng_plan_free(plan);
}

static void test_expect(void **state) {
    (void)state;
    struct ng_plan *plan = lab_plan("phases:\n  - name: p\n    lab: {volume: w}\n"
                                    "    pass: [bw >= 1 MB/s]\n    predict: [lat < 1 ms]\n");
    struct ng_result *result = ng_result_new();
    const struct ng_phase_result *phase = ng_result_expect(result, &plan->phases[0], 4);
    assert_string_equal(phase->name, "p");
    assert_string_equal(phase->engine, "lab");
    assert_string_equal(phase->subject, "w");
    assert_int_equal(phase->planned_repeats, 4);
    assert_int_equal(phase->judged_count, 2);
    assert_string_equal(phase->judged[0].text, "bw >= 1 MB/s");
    assert_string_equal(phase->judged[0].comparison, ">=");
    assert_true(phase->judged[0].gates && !phase->judged[1].gates);
    assert_int_equal(phase->judged[1].held, NG_UNKNOWN);
    assert_int_equal(phase->judged[1].line, 13);
    assert_true(isnan(phase->judged[1].left) && isnan(phase->judged[1].limit));
    ng_result_free(result);
    ng_plan_free(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_other_phase),
        cmocka_unit_test(test_baseline),
        cmocka_unit_test(test_doubts),
        cmocka_unit_test(test_predictions_of_doubtful_phases),
        cmocka_unit_test(test_one_sample),
        cmocka_unit_test(test_half_measured),
        cmocka_unit_test(test_sayings),
        cmocka_unit_test(test_left_alone),
        cmocka_unit_test(test_expect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
