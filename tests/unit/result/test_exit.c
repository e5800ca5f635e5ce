/* test_exit.c - the exit code of a result, and which of several comes first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/base/guard.h"
#include "runner/result/verdict.h"

struct row {
    const char *phases;     /* one letter each: Pass Fail Inconclusive Error Skipped None */
    const char *conditions; /* Held Broken Unknown Allowed */
    int interrupted;
    bool incomplete, error, not_restored;
    int code;
};

static const struct row rows[] = {
    {"P", "", 0, false, false, false, 0},
    {"PSP", "HA", 0, false, false, false, 0},
    {"F", "", 0, false, false, false, 1},
    {"FEI", "", 0, false, false, false, 1},
    {"FEI", "", 0, false, true, true, 1},
    {"PF", "", 0, true, false, false, 1},
    {"PEI", "", 0, false, false, true, 7},
    {"SS", "HB", 0, false, false, false, 3},
    {"SS", "HU", 0, false, false, false, 3},
    {"SS", "BU", 0, false, true, false, 3},
    {"NN", "B", 0, true, false, false, 3},
    {"PE", "", 0, false, false, false, 5},
    {"PEI", "", 0, false, false, false, 5},
    {"P", "", 0, false, true, false, 5},
    {"P", "", 0, true, false, false, 5},
    {"PN", "", 0, false, false, false, 5},
    {"SS", "", 0, false, false, false, 5},
    {"", "", 0, false, false, false, 5},
    {"PI", "", 0, false, false, false, 6},
    {"IS", "A", 0, false, false, false, 6},
    {"PF", "", 2, false, false, false, 130},
    {"PN", "B", 15, true, true, true, 143},
    {"P", "", 2, false, false, false, 130},
    {"PN", "", 1, false, false, false, 129},
};

static enum ng_verdict verdict_of(char letter) {
    const char letters[] = "NPFIES";
    for (int i = 0; letters[i] != '\0'; i++) {
        if (letters[i] == letter) {
            return (enum ng_verdict)i;
        }
    }
    fail();
    return NG_VERDICT_NONE;
}

static struct ng_result *result_of(const struct row *row) {
    struct ng_result *result = ng_result_new();
    for (const char *at = row->phases; *at != '\0'; at++) {
        ng_result_add_phase(result)->verdict = verdict_of(*at);
    }
    for (const char *at = row->conditions; *at != '\0'; at++) {
        struct ng_condition_result *condition = ng_result_add_condition(result);
        condition->held = *at == 'H' ? NG_HELD : *at == 'B' ? NG_BROKEN : NG_UNKNOWN;
        condition->allow_unknown = *at == 'A';
    }
    result->interrupted = row->interrupted;
    result->complete = !row->incomplete;
    result->error = row->error ? "disk full" : NULL;
    result->not_restored = row->not_restored ? "a file" : NULL;
    return result;
}

static void test_codes(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_result *result = result_of(&rows[i]);
        if (ng_result_exit(result) != rows[i].code) {
            fail_msg("row %zu: %d instead of %d", i, ng_result_exit(result), rows[i].code);
        }
        ng_result_free(result);
    }
}

static void test_words(void **state) {
    (void)state;
    assert_string_equal(ng_exit_words(0), "pass: every phase passed");
    assert_string_equal(ng_exit_words(143), "terminated");
    assert_string_equal(ng_exit_words(99), "unknown exit code");
}

/** A broken precondition is broken even where unknown is allowed. */
static void test_stops(void **state) {
    (void)state;
    struct ng_condition_result condition = {.allow_unknown = true, .held = NG_BROKEN};
    assert_true(ng_condition_stops(&condition));
    condition.held = NG_UNKNOWN;
    assert_false(ng_condition_stops(&condition));
    condition.allow_unknown = false;
    assert_true(ng_condition_stops(&condition));
    condition.held = NG_HELD;
    assert_false(ng_condition_stops(&condition));
}

static const struct {
    const char *leases; /* Held Busy Failed Lost Not asked */
    struct row row;
} lease_rows[] = {
    {"HBN", {"SS", "", 0, false, false, false, 4}},
    {"B", {"SS", "", 0, false, true, false, 4}},
    {"B", {"SS", "B", 0, false, false, false, 4}},
    {"B", {"SS", "", 2, false, false, false, 130}},
    {"B", {"SS", "", 0, false, false, true, 7}},
    {"HL", {"PF", "", 0, false, true, false, 1}},
    {"L", {"PES", "", 0, false, true, false, 5}},
    {"F", {"SS", "", 0, false, true, false, 5}},
    {"HH", {"P", "", 0, false, false, false, 0}},
};

static enum ng_lease_state lease_of(char letter) {
    switch (letter) {
    case 'H':
        return NG_LEASE_HELD;
    case 'B':
        return NG_LEASE_BUSY;
    case 'F':
        return NG_LEASE_FAILED;
    case 'L':
        return NG_LEASE_LOST;
    default:
        return NG_LEASE_NOT_ASKED;
    }
}

static void test_leases(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(lease_rows); i++) {
        struct ng_result *result = result_of(&lease_rows[i].row);
        for (const char *at = lease_rows[i].leases; *at != '\0'; at++) {
            ng_result_add_lease(result)->state = lease_of(*at);
        }
        if (ng_result_exit(result) != lease_rows[i].row.code) {
            fail_msg("row %zu: %d", i, ng_result_exit(result));
        }
        ng_result_free(result);
    }
}

/* What hooks before and after the run say; those at a phase are in its verdict. */
static const struct {
    const char *place;
    enum ng_hook_outcome outcome;
    struct row row;
} hook_rows[] = {
    {"before_run", NG_HOOK_HELD, {"P", "", 0, false, false, false, 0}},
    {"before_run", NG_HOOK_BROKEN, {"SS", "", 0, false, false, false, 3}},
    {"before_run", NG_HOOK_UNKNOWN, {"SS", "", 0, false, false, false, 3}},
    {"before_run", NG_HOOK_ERROR, {"SS", "", 0, false, false, false, 3}},
    {"before_phase", NG_HOOK_SKIP, {"SP", "", 0, false, false, false, 0}},
    {"after_phase", NG_HOOK_FAIL, {"P", "", 0, false, false, false, 0}},
    {"after_run", NG_HOOK_HELD, {"P", "", 0, false, false, false, 0}},
    {"after_run", NG_HOOK_FAIL, {"P", "", 0, false, false, false, 1}},
    {"after_run", NG_HOOK_FAIL, {"PE", "", 0, false, true, true, 1}},
    {"after_run", NG_HOOK_ERROR, {"PI", "", 0, false, false, false, 5}},
    {"after_run", NG_HOOK_BROKEN, {"P", "", 0, false, false, false, 6}},
    {"after_run", NG_HOOK_UNKNOWN, {"P", "", 0, false, false, false, 6}},
    {"after_run", NG_HOOK_UNKNOWN, {"PE", "", 0, false, false, false, 5}},
    /* Nothing was measured; a doubt about that proves no more. */
    {"after_run", NG_HOOK_UNKNOWN, {"S", "", 0, false, false, false, 5}},
    {"after_run", NG_HOOK_BROKEN, {"SS", "", 0, false, false, false, 5}},
    {"after_run", NG_HOOK_UNKNOWN, {"SI", "", 0, false, false, false, 6}},
    {"after_run", NG_HOOK_FAIL, {"S", "", 0, false, false, false, 1}},
    /* What ended the run decides, not the hook that it ended. */
    {"before_run", NG_HOOK_INTERRUPTED, {"SS", "", 2, false, false, false, 130}},
    {"before_run", NG_HOOK_INTERRUPTED, {"SS", "", 0, false, true, false, 5}},
    {"before_run", NG_HOOK_INTERRUPTED, {"SS", "", 0, false, false, false, 5}},
    {"after_run", NG_HOOK_INTERRUPTED, {"P", "", 0, false, true, false, 5}},
    {"after_run", NG_HOOK_INTERRUPTED, {"P", "", 0, false, false, false, 5}},
};

static void test_hooks(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(hook_rows); i++) {
        struct ng_result *result = result_of(&hook_rows[i].row);
        struct ng_hook_result *hook = ng_result_add_hook(result);
        hook->place = hook_rows[i].place;
        hook->outcome = hook_rows[i].outcome;
        if (ng_result_exit(result) != hook_rows[i].row.code) {
            fail_msg("row %zu: %d", i, ng_result_exit(result));
        }
        ng_result_free(result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_leases),
        cmocka_unit_test(test_hooks),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
