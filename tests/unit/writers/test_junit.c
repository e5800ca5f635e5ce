/* test_junit.c - TEST-nasgate.xml as its readers see it: well-formed, counted, unique, never too
 * green. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/writers/cut.h"
#include "reports/writers/writer.h"
#include "runner/base/files.h"
#include "tests/unit/writers/cases.h"

static xmlDocPtr document(const struct ng_result *result) {
    struct ng_buf text;
    struct ng_err err = {0};
    ng_buf_init(&text, NG_REPORT_BYTES_MAX);
    if (!ng_writer_text(&ng_writer_junit, result, &text, &err)) {
        fail_msg("%s", err.text);
    }
    xmlDocPtr doc = xmlReadMemory(text.data, (int)text.len, "x.xml", NULL, XML_PARSE_NONET);
    assert_non_null(doc);
    ng_buf_clear(&text);
    if (!ng_writer_text(&ng_writer_junit_strict, result, &text, &err)) { // reads itself back
        fail_msg("strict: %s", err.text);
    }
    ng_buf_release(&text);
    return doc;
}

static const xmlNode *element(const xmlNode *node, const char *name) {
    while (node != NULL && (node->type != XML_ELEMENT_NODE ||
                               (name != NULL && strcmp((const char *)node->name, name) != 0))) {
        node = node->next;
    }
    return node;
}

static const char *attribute(const xmlNode *node, const char *name) {
    for (const xmlAttr *at = node->properties; at != NULL; at = at->next) {
        if (strcmp((const char *)at->name, name) == 0) {
            return at->children != NULL ? (const char *)at->children->content : "";
        }
    }
    fail_msg("<%s> has no %s", (const char *)node->name, name);
    return "";
}

struct tally {
    long tests, failures, errors, skipped;
    double time;
};

static void check_tally(const xmlNode *node, const struct tally *tally) {
    assert_int_equal(strtol(attribute(node, "tests"), NULL, 10), tally->tests);
    assert_int_equal(strtol(attribute(node, "failures"), NULL, 10), tally->failures);
    assert_int_equal(strtol(attribute(node, "errors"), NULL, 10), tally->errors);
    assert_int_equal(strtol(attribute(node, "skipped"), NULL, 10), tally->skipped);
    assert_true(fabs(strtod(attribute(node, "time"), NULL) - tally->time) < 0.0005);
}

/** "12.345": digits, a dot, three digits. */
static void check_time(const char *text) {
    size_t digits = strspn(text, "0123456789");
    assert_true(digits > 0 && text[digits] == '.');
    assert_int_equal(strspn(text + digits + 1, "0123456789"), 3);
    assert_int_equal(strlen(text), digits + 4);
}

static void check_outcome(const xmlNode *outcome) {
    const char *message = attribute(outcome, "message");
    const char *body = outcome->children != NULL ? (const char *)outcome->children->content : "";
    assert_true(message[0] != '\0' && ng_chars(message) <= 200);
    assert_null(strchr(message, '\n'));
    // GitLab shows the body alone, so it begins with the message.
    assert_int_equal(strncmp(body, message, strlen(message)), 0);
    if (strcmp((const char *)outcome->name, "skipped") != 0) {
        assert_int_equal(strncmp(attribute(outcome, "type"), "nasgate.", 8), 0);
    }
}

static void check_case(const xmlNode *node, struct tally *tally) {
    const char *name = attribute(node, "name");
    int outcomes = 0;
    assert_true(name[0] != '\0' && ng_chars(name) <= 200);
    assert_int_equal(strncmp(attribute(node, "classname"), "nasgate.", 8), 0);
    check_time(attribute(node, "time"));
    tally->tests++;
    tally->time += strtod(attribute(node, "time"), NULL);
    for (const xmlNode *at = element(node->children, NULL); at != NULL;
         at = element(at->next, NULL)) {
        const char *kind = (const char *)at->name;
        if (strcmp(kind, "system-out") == 0) {
            continue;
        }
        check_outcome(at);
        outcomes++;
        tally->failures += strcmp(kind, "failure") == 0 ? 1 : 0;
        tally->errors += strcmp(kind, "error") == 0 ? 1 : 0;
        tally->skipped += strcmp(kind, "skipped") == 0 ? 1 : 0;
    }
    assert_true(outcomes <= 1);
}

/** Checks all rules that hold for every document; returns its totals. */
static struct tally check_document(const xmlDoc *doc) {
    struct tally all = {0, 0, 0, 0, 0};
    const char *seen[1000];
    size_t count = 0;
    const xmlNode *root = element(doc->children, "testsuites");
    assert_non_null(root);
    for (const xmlNode *suite = element(root->children, NULL); suite != NULL;
         suite = element(suite->next, NULL)) {
        struct tally own = {0, 0, 0, 0, 0};
        assert_string_equal((const char *)suite->name, "testsuite");
        assert_true(attribute(suite, "name")[0] != '\0' && attribute(suite, "hostname")[0] != '\0');
        assert_int_equal(strlen(attribute(suite, "timestamp")), 19);
        // Public schemas refuse a suite without a property.
        const xmlNode *properties = element(suite->children, "properties");
        assert_non_null(properties);
        assert_non_null(element(properties->children, "property"));
        for (const xmlNode *item = element(suite->children, "testcase"); item != NULL;
             item = element(item->next, "testcase")) {
            check_case(item, &own);
            assert_true(count + 2 < NG_COUNT(seen));
            seen[count] = attribute(item, "classname");
            seen[count + 1] = attribute(item, "name");
            for (size_t i = 0; i < count; i += 2) {
                assert_true(
                    strcmp(seen[i], seen[count]) != 0 || strcmp(seen[i + 1], seen[count + 1]) != 0);
            }
            count += 2;
        }
        check_tally(suite, &own);
        all = (struct tally){all.tests + own.tests, all.failures + own.failures,
            all.errors + own.errors, all.skipped + own.skipped, all.time + own.time};
    }
    check_tally(root, &all);
    assert_true(all.tests > 0);
    return all;
}

static void test_all_cases(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct ng_result *result = cases[i].build();
        xmlDocPtr doc = document(result);
        struct tally tally = check_document(doc);
        // The exit code is the gate; the document must not contradict it.
        assert_int_equal(tally.failures + tally.errors > 0, result->exit_code != 0);
        xmlFreeDoc(doc);
        ng_result_free(result);
    }
}

/** Whatever a phase's parts say, a red verdict is red in the document. */
static void test_never_too_green(void **state) {
    (void)state;
    static const enum ng_verdict verdicts[] = {NG_VERDICT_NONE, NG_VERDICT_PASS, NG_VERDICT_FAIL,
        NG_VERDICT_INCONCLUSIVE, NG_VERDICT_ERROR, NG_VERDICT_SKIPPED};
    for (size_t i = 0; i < 4 * NG_COUNT(verdicts); i++) {
        struct ng_result *result = case_base("green");
        struct ng_phase_result *phase = case_phase(result, "p", "fio", "v", 7, 1);
        phase->verdict = verdicts[i / 4];
        if (i % 2 == 1) {
            case_repeat(result, phase);
        }
        if (i % 4 >= 2) {
            case_judged(result, phase, "bw >= 1 MB/s", NG_CMP_GE, NG_DIM_RATE, 2 * MB, MB, 0);
        }
        case_end(result);
        xmlDocPtr doc = document(result);
        struct tally tally = check_document(doc);
        assert_int_equal(tally.failures + tally.errors > 0, phase->verdict != NG_VERDICT_PASS);
        xmlFreeDoc(doc);
        ng_result_free(result);
    }
}

/** A file that claims exit code 0 against its own verdicts is not believed. */
static void test_lying_exit_code(void **state) {
    (void)state;
    struct ng_result *result = case_base("lie");
    case_phase(result, "p", "fio", "v", 7, 1)->verdict = NG_VERDICT_SKIPPED;
    result->exit_code = 0;
    xmlDocPtr doc = document(result);
    assert_int_equal(check_document(doc).errors, 1);
    xmlFreeDoc(doc);
    ng_result_free(result);
}

static size_t encode(uint32_t code, char out[5]) {
    size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = len; i-- > 0;) {
        unsigned bits = (code >> (6 * (len - 1 - i))) & (i == 0 ? 0xFFU : 0x3FU);
        out[i] = (char)(i == 0 ? lead[len] | bits : 0x80U | bits);
    }
    out[len] = '\0';
    return len;
}

static bool legal(uint32_t code) {
    return code == 9 || code == 10 || code == 13 || (code >= 0x20 && code <= 0xD7FF) ||
           (code >= 0xE000 && code <= 0xFFFD) || code >= 0x10000;
}

/** Every code point that XML 1.0 cannot hold, in every kind of text, in documents of 300 cases. */
static void test_illegal_code_points(void **state) {
    (void)state;
    struct ng_result *result = NULL;
    struct ng_phase_result *phase = NULL;
    size_t found = 0;
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        if (!legal(code)) {
            char bytes[5];
            if (result == NULL) {
                result = case_base("illegal");
                phase = case_phase(result, "p", "fio", "v", 7, 0);
                case_verdict(phase, NG_VERDICT_FAIL, "x");
            }
            found++;
            // A NUL ends a C string; that bytes with one are cleaned is tested in base.
            size_t len = encode(code, bytes);
            assert_int_equal(len, code == 0 ? 1 : strlen(bytes));
            const char *text = ng_arena_printf(&result->arena, "%sa%sb%s", bytes, bytes, bytes);
            struct ng_judged *judged =
                case_judged(result, phase, text, NG_CMP_GE, NG_DIM_RATE, 1, 2, (double)NAN);
            judged->held = NG_UNDECIDED;
            judged->reason = phase->reason = phase->engine = phase->subject = text;
            result->run_id = result->plan_name = text;
        }
        if (result != NULL && (phase->judged_count == 300 || code == 0x10FFFF)) {
            case_end(result);
            xmlDocPtr doc = document(result);
            check_document(doc);
            xmlFreeDoc(doc);
            ng_result_free(result);
            result = NULL;
        }
    }
    assert_int_equal(found, 2079);
}

/** Equal names get numbers, also where such a name is there already. */
static void test_unique(void **state) {
    (void)state;
    struct ng_result *result = case_base("unique");
    static const char *const texts[] = {"a", "a", "a (2)", "a", "measured", "a (1)"};
    for (int i = 0; i < 2; i++) { // "p.q" and "p-q" share a class name
        struct ng_phase_result *phase =
            case_phase(result, i == 0 ? "p.q" : "p-q", "fio", "v", 7, 0);
        case_verdict(phase, NG_VERDICT_FAIL, "x");
        for (size_t j = 0; j < NG_COUNT(texts); j++) {
            case_judged(result, phase, texts[j], NG_CMP_GE, NG_DIM_RATE, 1, 2, (double)NAN);
        }
    }
    case_end(result);
    xmlDocPtr doc = document(result);
    assert_int_equal(check_document(doc).tests, 14);
    xmlFreeDoc(doc);
    ng_result_free(result);
}

/** A result read from a file may hold any number. */
static void test_extremes(void **state) {
    (void)state;
    static const double values[] = {
        DBL_MAX, -DBL_MAX, DBL_MIN, 5e-324, 0, -0.0, (double)NAN, (double)INFINITY};
    struct ng_result *result = case_base("extremes");
    struct ng_phase_result *phase = case_phase(result, "p", "fio", "v", 7, INT32_MAX);
    for (size_t i = 0; i < NG_COUNT(values); i++) {
        struct ng_repeat *repeat = case_repeat(result, phase);
        repeat->start_ns = repeat->duration_ns = INT64_MAX;
        repeat->number = repeat->attempts = INT32_MAX;
        ng_repeat_measure(&result->arena, repeat, &write_bw, values[i]);
        ng_repeat_measure(&result->arena, repeat, &write_iops, values[i]);
        ng_repeat_measure(&result->arena, repeat, &throughput, values[i]);
        ng_records_add(&result->arena, &repeat->records, "disks", "0");
        ng_records_add(&result->arena, &repeat->records, "link.speed", "1e308 TB/s");
        for (size_t j = 0; j < NG_COUNT(values); j++) {
            struct ng_judged *judged = case_judged(result, phase, "a > b", NG_CMP_GT,
                (struct ng_dim){-128, 127}, values[i], values[j], values[j]);
            judged->line = INT32_MAX;
            judged->low_bound = values[j];
            judged->high_bound = values[i];
            judged->margin = values[i];
        }
    }
    phase->verdict = NG_VERDICT_FAIL;
    phase->reason = "x";
    result->started_wall_ns = result->ended_wall_ns = result->duration_ns = INT64_MAX;
    result->interrupted = INT32_MAX;
    case_end(result);
    xmlDocPtr doc = document(result);
    check_document(doc);
    xmlFreeDoc(doc);
    struct ng_buf out;
    ng_buf_init(&out, NG_REPORT_BYTES_MAX);
    assert_true(ng_writer_text(&ng_writer_markdown, result, &out, NULL));
    ng_buf_release(&out);
    ng_result_free(result);
}

static void test_no_phases_at_all(void **state) {
    (void)state;
    struct ng_result *result = ng_result_new();
    xmlDocPtr doc = document(result);
    assert_int_equal(check_document(doc).errors, 1);
    xmlFreeDoc(doc);
    ng_result_free(result);
}

/** A table of reports is sorted and complete; all are written into a folder. */
static void test_write_all(void **state) {
    (void)state;
    struct ng_result *result = case_pass();
    struct ng_err err = {0};
    char *dir = NULL;
    char path[512];
    for (size_t i = 0; i < ng_writer_count; i++) {
        assert_true(i == 0 || strcmp(ng_writers[i - 1]->name, ng_writers[i]->name) < 0);
        assert_true(ng_writers[i]->help[0] != '\0');
        assert_true((ng_writers[i]->write != NULL) != (ng_writers[i]->write_files != NULL));
    }
    assert_true(ng_dir_create_temp("nasgate-test-writers", &dir, &err));
    assert_true(ng_writers_write_all(result, dir, NG_JUNIT_WIDE, &err));
    static const char *const files[] = {"report.md", "TEST-nasgate.xml"};
    for (size_t i = 0; i < NG_COUNT(files); i++) {
        char *text = NULL;
        size_t len = 0;
        snprintf(path, sizeof path, "%s/%s", dir, files[i]);
        assert_true(ng_file_read(path, NG_REPORT_BYTES_MAX, &text, &len, &err));
        assert_true(len > 100);
        free(text);
    }
    snprintf(path, sizeof path, "%s/missing", dir);
    assert_false(ng_writers_write_all(result, path, NG_JUNIT_STRICT, &err));
    assert_int_equal(err.kind, NG_ERR_FILE);
    assert_int_equal(strncmp(err.text, "report ", 7), 0);
    assert_true(ng_dir_remove(dir, &err));
    free(dir);
    ng_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_cases),
        cmocka_unit_test(test_never_too_green),
        cmocka_unit_test(test_lying_exit_code),
        cmocka_unit_test(test_illegal_code_points),
        cmocka_unit_test(test_unique),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_no_phases_at_all),
        cmocka_unit_test(test_write_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
