/* test_script_verdict.c - verdicts of phases of which scripts and hooks say something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "runner/result/verdict.h"
#include "tests/unit/result/lab.h"

enum { MB = 1000 * 1000 };

/** Adds a phase of the plan with so many valid repeats, all of the same `bw`. */
static struct ng_phase_result *measured(
    struct ng_result *result, const struct ng_phase *phase, int repeats, double bw) {
    struct ng_phase_result *out = ng_result_expect(result, phase, (int)phase->repeat);
    for (int i = 0; i < repeats; i++) {
        struct ng_repeat *repeat = ng_phase_add_repeat(&result->arena, out);
        repeat->valid = true;
        ng_repeat_measure(&result->arena, repeat, &lab_metrics[0], bw * MB);
    }
    return out;
}

/** What each of two repeats is and says, as letters: Counts, Invalid; then Fail, Inconclusive,
 * Skip, Error of a script, Doubt of somebody else. The first threshold is broken at 100 MB/s. */
static const struct {
    const char *first, *second; /* NULL: it was not run */
    double bw;
    enum ng_verdict verdict;
    const char *reason;
} mixes[] = {
    {"IS", NULL, 500, NG_VERDICT_SKIPPED, "S1"},
    {"IS", "IS", 500, NG_VERDICT_SKIPPED, "S1; S2"},
    /* A script that skips takes back nothing that was said. */
    {"CF", "IS", 500, NG_VERDICT_FAIL, "F1"},
    {"ISF", NULL, 500, NG_VERDICT_FAIL, "F1"},
    {"ISFE", NULL, 500, NG_VERDICT_FAIL, "F1"},
    {"ISE", NULL, 500, NG_VERDICT_ERROR, "E1"},
    {"ISEI", NULL, 500, NG_VERDICT_ERROR, "E1"},
    {"ISI", NULL, 500, NG_VERDICT_INCONCLUSIVE, "I1"},
    {"C", "IS", 500, NG_VERDICT_ERROR, "repeat 2 of 2: broke"},
    {"CI", "IS", 500, NG_VERDICT_ERROR, "repeat 2 of 2: broke"},
    /* Nor does a repeat that failed, or a hook that died. */
    {"CF", "I", 500, NG_VERDICT_FAIL, "F1"},
    {"CF", "CE", 500, NG_VERDICT_FAIL, "F1"},
    {"C", "CFE", 500, NG_VERDICT_FAIL, "F2"},
    {"C", "CE", 500, NG_VERDICT_ERROR, "E2"},
    {"C", "CE", 100, NG_VERDICT_FAIL, "bw 100 MB/s is below the limit 400 MB/s"},
    {"C", "IE", 100, NG_VERDICT_ERROR, "repeat 2 of 2: broke"},
    /* A doubt decides against a failure, and an error against a doubt. */
    {"C", "CEI", 100, NG_VERDICT_ERROR, "E2"},
    {"CD", "CE", 100, NG_VERDICT_ERROR, "E2"},
    {"CFD", "CE", 500, NG_VERDICT_ERROR, "E2"},
    {"CF", "CI", 500, NG_VERDICT_INCONCLUSIVE, "I2"},
    {"CFD", "C", 500, NG_VERDICT_INCONCLUSIVE, "F1; D1"},
};

static void mix(struct ng_arena *arena, struct ng_repeat *repeat, const char *letters, int number) {
    repeat->valid = letters[0] == 'C';
    repeat->error = repeat->valid ? NULL : "broke";
    for (letters++; *letters != '\0'; letters++) {
        ng_repeat_find(arena, repeat,
            *letters == 'F'   ? NG_FINDING_FAIL
            : *letters == 'S' ? NG_FINDING_SKIP
            : *letters == 'E' ? NG_FINDING_ERROR
                              : NG_FINDING_INCONCLUSIVE,
            *letters == 'D' ? "cpu" : NG_RULE_SCRIPT, "%c%d", *letters, number);
    }
}

static void test_mixes(void **state) {
    (void)state;
    struct ng_plan *plan =
        lab_plan("phases:\n  - name: p\n    lab: 1 s\n    repeat: 2\n    pass: [bw >= 400 MB/s]\n");
    for (size_t i = 0; i < NG_COUNT(mixes); i++) {
        struct ng_result *result = ng_result_new();
        struct ng_phase_result *phase =
            measured(result, &plan->phases[0], mixes[i].second != NULL ? 2 : 1, mixes[i].bw);
        mix(&result->arena, &phase->repeats[0], mixes[i].first, 1);
        if (mixes[i].second != NULL) {
            mix(&result->arena, &phase->repeats[1], mixes[i].second, 2);
        }
        ng_phase_judge(result, &plan->phases[0], NULL);
        if (phase->verdict != mixes[i].verdict || strstr(phase->reason, mixes[i].reason) == NULL) {
            fail_msg("row %zu: %s: %s", i, ng_verdict_word(phase->verdict), phase->reason);
        }
        ng_result_free(result);
    }
    ng_plan_free(plan);
}

/** A phase that a script fails without all its repeats has no numbers for others. */
static void test_half_of_a_failure_is_no_number(void **state) {
    (void)state;
    struct ng_plan *plan = lab_plan("phases:\n  - name: first\n    lab: 1 s\n    repeat: 2\n"
                                    "  - name: second\n    lab: 1 s\n"
                                    "    pass: [bw >= 90% of first.bw]\n");
    for (int i = 0; i < 2; i++) {
        struct ng_result *result = ng_result_new();
        struct ng_phase_result *first = measured(result, &plan->phases[0], 2, 400);
        first->repeats[1].valid = i == 1;
        first->verdict = NG_VERDICT_FAIL;
        measured(result, &plan->phases[1], 1, 450);
        ng_phase_judge(result, &plan->phases[1], NULL);
        assert_int_equal(ng_result_phase(result, "second")->verdict,
            i == 1 ? NG_VERDICT_PASS : NG_VERDICT_ERROR);
        ng_result_free(result);
    }
    ng_plan_free(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixes),
        cmocka_unit_test(test_half_of_a_failure_is_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
