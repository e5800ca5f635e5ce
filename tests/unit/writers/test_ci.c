/* test_ci.c - what CI systems get: annotations, the summary within its budget, the strict dialect,
 * and all reports of results that are as large as they may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

#include "reports/writers/annotations.h"
#include "reports/writers/samples.h"
#include "reports/writers/summary.h"
#include "reports/writers/writer.h"
#include "tests/unit/writers/cases.h"

enum { LARGE_OUTPUT = 20 * 1000 * 1000, MANY_CASES = 10000 };

static size_t count_of(const char *text, const char *word) {
    size_t count = 0;
    size_t len = strlen(text);
    const char *end = text + len;
    // Not strstr: the sanitizer's own measures the whole rest each time.
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), word, strlen(word))) != NULL;
         at++) {
        count++;
    }
    return count;
}

/** A run in which `failed` phases failed, with `text` as name and reason of each. */
static struct ng_result *failed_phases(size_t failed, const char *text) {
    struct ng_result *result = case_base("ci");
    for (size_t i = 0; i < failed; i++) {
        struct ng_phase_result *phase = case_phase(
            result, ng_arena_printf(&result->arena, "p%zu", i), "fio", "repo", (int)i + 1, 1);
        case_repeat(result, phase);
        case_judged(result, phase, text, NG_CMP_GE, NG_DIM_RATE, MB, 2 * MB, (double)NAN);
        case_verdict(phase, NG_VERDICT_FAIL, text);
    }
    case_end(result);
    return result;
}

static void annotate(
    const struct ng_result *result, enum ng_annotation_style style, struct ng_buf *out) {
    ng_buf_init(out, 1000000);
    ng_annotations_write(result, style, out);
}

static void test_annotations_none(void **state) {
    (void)state;
    struct ng_buf out;
    struct ng_result *failed = failed_phases(2, "x >= 1 MB/s");
    annotate(failed, NG_ANNOTATIONS_NONE, &out);
    assert_int_equal(out.len, 0);
    ng_result_free(failed);
    struct ng_result *passed = case_pass();
    annotate(passed, NG_ANNOTATIONS_GITHUB, &out);
    assert_int_equal(out.len, 0);
    ng_result_free(passed);
}

static void test_annotations_escape(void **state) {
    (void)state;
    struct ng_buf out;
    struct ng_result *result = failed_phases(1, "100%,a:b;c]d >= 1\r\n::error::x");
    result->plan_file = "plans/a,b:c;d]e%.yaml";
    annotate(result, NG_ANNOTATIONS_GITHUB, &out);
    const char *text = ng_buf_text(&out);
    assert_int_equal(count_of(text, "\n"), 1);
    assert_int_equal(
        strncmp(text, "::error file=plans/a%2Cb%3Ac;d]e%25.yaml,line=3,title=p0%3A ", 60), 0);
    assert_non_null(strstr(text, "100%25%2Ca%3Ab;c]d"));
    assert_int_equal(count_of(text, "::error::x"), 1); // in the message only, where it is text
    assert_true(strstr(text, "::error::x") > strstr(text, "title="));
    ng_buf_release(&out);
    annotate(result, NG_ANNOTATIONS_AZURE, &out);
    text = ng_buf_text(&out);
    assert_int_equal(strncmp(text,
                         "##vso[task.logissue type=error;sourcepath=plans/a,b:c%3Bd%5De%AZP25.yaml;"
                         "linenumber=3]p0: 100%AZP25,a:b;c]d",
                         100),
        0);
    assert_int_equal(count_of(text, "\n"), 1);
    ng_buf_release(&out);
    ng_result_free(result);
}

static void test_annotations_are_few(void **state) {
    (void)state;
    static const size_t failed[] = {1, 8, 9, 10, 500};
    for (size_t i = 0; i < NG_COUNT(failed); i++) {
        struct ng_buf out;
        char more[40];
        struct ng_result *result = failed_phases(failed[i], "x >= 1 MB/s");
        annotate(result, NG_ANNOTATIONS_GITHUB, &out);
        size_t lines = count_of(ng_buf_text(&out), "\n");
        snprintf(more, sizeof more, "::and %zu more", failed[i] - 9);
        assert_int_equal(lines, failed[i] > 9 ? 10 : failed[i]);
        assert_int_equal(strstr(ng_buf_text(&out), more) != NULL, failed[i] > 9);
        ng_buf_release(&out);
        ng_result_free(result);
    }
}

/** A red case without a place in the plan has no file either. */
static void test_annotations_without_a_place(void **state) {
    (void)state;
    struct ng_buf out;
    struct ng_result *result = ng_result_new();
    annotate(result, NG_ANNOTATIONS_GITHUB, &out);
    assert_int_equal(strncmp(ng_buf_text(&out), "::error title=run%3A completed::", 32), 0);
    ng_buf_release(&out);
    annotate(result, NG_ANNOTATIONS_AZURE, &out);
    assert_int_equal(strncmp(ng_buf_text(&out), "##vso[task.logissue type=error]run", 34), 0);
    ng_buf_release(&out);
    ng_result_free(result);
}

/** 0.5, 0.9, 1.5 and 5 MB of what could be said. */
static void test_summary_budget(void **state) {
    (void)state;
    static const struct {
        size_t phases;
        const char *says, *not ;
    } rows[] = {
        {600, "Limits and metrics of each phase", "**Cut:**"},
        {1250, "phases that passed, limits", "Limits and metrics"},
        {2000, "**Cut:**", "Limits and metrics"},
        {6500, "the phases are left out", "Phases that did not pass"},
    };
    char text[300];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_buf out;
        struct ng_result *result = failed_phases(rows[i].phases, text);
        ng_buf_init(&out, 10000000);
        assert_true(ng_writer_text(&ng_writer_summary, result, &out, NULL));
        assert_true(out.len <= NG_SUMMARY_BUDGET);
        assert_non_null(strstr(ng_buf_text(&out), rows[i].says));
        assert_null(strstr(ng_buf_text(&out), rows[i].not ));
        assert_int_equal(strncmp(ng_buf_text(&out), "### FAIL - backup-path-10g\n", 27), 0);
        assert_non_null(strstr(ng_buf_text(&out), "`report.md`"));
        ng_buf_release(&out);
        ng_result_free(result);
    }
}

static void test_summary_never_goes_over(void **state) {
    (void)state;
    struct ng_result *result = failed_phases(30, "x >= 1 MB/s");
    size_t written = 0;
    for (size_t budget = 0; budget < 30000; budget += 97) {
        struct ng_buf out;
        ng_buf_init(&out, 100000);
        ng_buf_adds(&out, "before\n");
        bool ok = ng_summary_write(result, budget, &out);
        assert_true(out.len <= budget + 7 && (ok || out.len == 7));
        assert_int_equal(strncmp(ng_buf_text(&out), "before\n", 7), 0);
        assert_true(ok || written == 0); // more room never gives less
        written += ok ? 1 : 0;
        ng_buf_release(&out);
    }
    assert_true(written > 0);
    ng_result_free(result);
}

static void test_rounding(void **state) {
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *want;
    } rows[] = {
        {1176250000, 4, "1176000000"},
        {297.9278564453125, 4, "297.9"},
        {0.0123456, 4, "0.01235"},
        {-0.99996, 4, "-1"},
        {0, 4, "0"},
        {9.9999e99, 4, "9.9999e+99"}, // beyond exact powers of ten: as it is
        {12345.678, 5, "12346"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        char text[NG_QUANTITY_TEXT];
        double rounded = ng_round_digits(rows[i].value, rows[i].digits);
        assert_string_equal(ng_number_format(rounded, text), rows[i].want);
    }
}

static void test_samples(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_result *result = case_base("samples");
    struct ng_phase_result *phase = case_phase(result, "p", "fio", "v", 7, 4);
    for (int i = 0; i < 4; i++) {
        struct ng_repeat *repeat = case_repeat(result, phase);
        ng_repeat_measure(&result->arena, repeat, &write_bw, (i + 1) * 10.0);
        repeat->partial = i == 3; // does not count
    }
    const struct ng_sample *samples;
    assert_int_equal(ng_samples(result, &arena, &samples), 1);
    assert_int_equal(samples[0].count, 3);
    assert_true(samples[0].median == 20.0 && samples[0].min == 10.0 && samples[0].max == 30.0);
    assert_true(samples[0].stddev == 10.0);
    phase->repeats[0].valid = phase->repeats[1].valid = phase->repeats[2].valid = false;
    assert_int_equal(ng_samples(result, &arena, &samples), 0);
    ng_result_free(result);
    ng_arena_release(&arena);
}

/** Both dialects read back as XML; returns how often a word stands in the document. */
static size_t check_xml(
    const struct ng_result *result, const struct ng_writer *writer, const char *word) {
    struct ng_buf out;
    struct ng_err err = {0};
    ng_buf_init(&out, NG_REPORT_BYTES_MAX);
    if (!ng_writer_text(writer, result, &out, &err)) {
        fail_msg("%s: %s", writer->name, err.text);
    }
    assert_int_equal(out.cut, 0);
    // Without the option for huge documents: no text may be beyond what readers take.
    xmlDocPtr doc = xmlReadMemory(out.data, (int)out.len, "x.xml", NULL, XML_PARSE_NONET);
    assert_non_null(doc);
    xmlFreeDoc(doc);
    size_t found = count_of(ng_buf_text(&out), word);
    ng_buf_release(&out);
    return found;
}

/** A tool that printed 20 MB: reasons and records are cut, and say so. */
static void test_large_output(void **state) {
    (void)state;
    struct ng_result *result = case_base("large");
    char *text = ng_arena_alloc(&result->arena, LARGE_OUTPUT + 1);
    for (size_t i = 0; i < LARGE_OUTPUT; i++) {
        text[i] = i % 100 == 99 ? '\n' : (char)(i * 7 % 255 + 1); // also bytes that are no text
    }
    struct ng_phase_result *phase = case_phase(result, "p", "fio", "v", 7, 1);
    struct ng_repeat *repeat = case_repeat(result, phase);
    ng_records_add(&result->arena, &repeat->records, "output", "%s", text);
    repeat->valid = false;
    repeat->error = text;
    case_verdict(phase, NG_VERDICT_ERROR, text);
    case_condition(result, "c", "tools", 3, NG_BROKEN)->seen = text;
    case_end(result);
    check_xml(result, &ng_writer_junit, "<error");
    check_xml(result, &ng_writer_junit_strict, "<error");
    for (size_t i = 0; i < ng_writer_count; i++) {
        struct ng_buf out;
        ng_buf_init(&out, 4000000);
        if (ng_writers[i]->write != NULL) {
            assert_true(ng_writer_text(ng_writers[i], result, &out, NULL));
            assert_int_equal(out.cut, 0);
        }
        ng_buf_release(&out);
    }
    ng_result_free(result);
}

/** 10,000 cases, of which each has its own name. */
static void test_many_cases(void **state) {
    (void)state;
    struct ng_result *result = case_base("many");
    for (size_t i = 0; i < MANY_CASES / 10; i++) {
        struct ng_phase_result *phase =
            case_phase(result, ng_arena_printf(&result->arena, "p%zu", i), "fio", "v", 7, 1);
        case_repeat(result, phase);
        for (int j = 0; j < 9; j++) {
            case_judged(result, phase, "write.bw >= 1 MB/s", NG_CMP_GE, NG_DIM_RATE, 2 * MB, MB,
                (double)NAN);
        }
        case_verdict(phase, NG_VERDICT_PASS, "every threshold holds");
    }
    case_end(result);
    assert_int_equal(check_xml(result, &ng_writer_junit, "<testcase "), MANY_CASES);
    assert_int_equal(check_xml(result, &ng_writer_junit_strict, "<testcase "), MANY_CASES);
    struct ng_buf out;
    ng_buf_init(&out, NG_REPORT_BYTES_MAX);
    assert_true(ng_writer_text(&ng_writer_ctrf, result, &out, NULL));
    assert_int_equal(count_of(ng_buf_text(&out), "\"status\": \"passed\""), MANY_CASES);
    ng_buf_release(&out);
    ng_result_free(result);
}

/** The schemas know no place, no output of a case and no attribute of the root. */
static void test_strict_leaves_out(void **state) {
    (void)state;
    static struct ng_result *(*const builders[])(void) = {case_pass, case_fail, case_error};
    for (size_t i = 0; i < NG_COUNT(builders); i++) {
        struct ng_result *result = builders[i]();
        size_t suites = check_xml(result, &ng_writer_junit, "<testsuite ");
        assert_int_equal(check_xml(result, &ng_writer_junit_strict, "<testsuite "), suites);
        assert_int_equal(check_xml(result, &ng_writer_junit_strict, "<testsuites>"), 1);
        assert_int_equal(check_xml(result, &ng_writer_junit_strict, " line=\""), 0);
        assert_int_equal(check_xml(result, &ng_writer_junit_strict, " file=\""), 0);
        assert_int_equal(check_xml(result, &ng_writer_junit_strict, "<skipped message"), 0);
        assert_int_equal(check_xml(result, &ng_writer_junit_strict, "<system-out"), suites);
        assert_int_equal(check_xml(result, &ng_writer_junit_strict, "<system-err"), suites);
        assert_int_equal(check_xml(result, &ng_writer_junit_strict, "<property ") >= suites, 1);
        assert_int_equal(check_xml(result, &ng_writer_junit_strict, "<testcase "),
            check_xml(result, &ng_writer_junit, "<testcase "));
        ng_result_free(result);
    }
}

static void test_dialects(void **state) {
    (void)state;
    enum ng_junit_dialect dialect;
    struct ng_err err = {0};
    assert_true(ng_junit_dialect_read(NULL, &dialect, &err) && dialect == NG_JUNIT_WIDE);
    assert_true(ng_junit_dialect_read("wide", &dialect, &err) && dialect == NG_JUNIT_WIDE);
    assert_true(ng_junit_dialect_read("strict", &dialect, &err) && dialect == NG_JUNIT_STRICT);
    assert_false(ng_junit_dialect_read("Strict", &dialect, &err));
    assert_string_equal(err.text, "--junit Strict: write wide or strict");
    assert_string_equal(ng_junit_dialect_word(NG_JUNIT_STRICT), "strict");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_annotations_none),
        cmocka_unit_test(test_annotations_escape),
        cmocka_unit_test(test_annotations_are_few),
        cmocka_unit_test(test_annotations_without_a_place),
        cmocka_unit_test(test_summary_budget),
        cmocka_unit_test(test_summary_never_goes_over),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_large_output),
        cmocka_unit_test(test_many_cases),
        cmocka_unit_test(test_strict_leaves_out),
        cmocka_unit_test(test_dialects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
