/* test_golden.c - the golden reports: each is made again from its result.json and compared byte by
 * byte. UPDATE_GOLDEN=1 writes them, and the result.json from tests/unit/writers/cases.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/writers/writer.h"
#include "runner/base/files.h"
#include "runner/result/store.h"
#include "tests/unit/writers/cases.h"

static void golden_path(char out[512], const char *name, const char *file) {
    snprintf(out, 512, "%s/tests/golden/reports/%s/%s", NG_SOURCE_DIR, name, file);
}

static int updating(void) {
    return getenv("UPDATE_GOLDEN") != NULL;
}

/** Compares bytes with a golden file and shows where they part. */
static void check(const char *name, const char *file, const struct ng_buf *got) {
    char path[512];
    char *want = NULL;
    size_t len = 0;
    struct ng_err err = {0};
    golden_path(path, name, file);
    if (updating()) {
        assert_true(ng_file_write_atomic(path, got->data, got->len, &err));
        return;
    }
    if (!ng_file_read(path, NG_REPORT_BYTES_MAX, &want, &len, &err)) {
        fail_msg("%s", err.text);
    }
    size_t at = 0;
    int line = 1;
    while (at < len && at < got->len && want[at] == got->data[at]) {
        line += want[at] == '\n' ? 1 : 0;
        at++;
    }
    if (at != len || at != got->len) {
        fail_msg("%s line %d differs:\n  want %.120s\n  got  %.120s", path, line,
            want + (at > 40 ? at - 40 : 0), got->data + (at > 40 ? at - 40 : 0));
    }
    free(want);
}

/** Two dialects write one file; each has its golden one. */
static const char *golden_file(const struct ng_writer *writer) {
    return writer == &ng_writer_junit_strict ? "TEST-nasgate.strict.xml" : writer->file;
}

static struct ng_result *load(const char *name) {
    char path[512];
    struct ng_err err = {0};
    golden_path(path, name, "");
    struct ng_result *result = ng_result_load(path, &err);
    if (result == NULL) {
        fail_msg("%s", err.text);
    }
    return result;
}

static void test_results(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        char path[512];
        struct ng_buf text;
        golden_path(path, cases[i].name, "");
        assert_true(!updating() || ng_dir_create(path, NULL));
        struct ng_result *result = cases[i].build();
        ng_buf_init(&text, NG_RESULT_BYTES_MAX);
        ng_result_write(result, &text);
        check(cases[i].name, NG_RESULT_FILE, &text);
        ng_buf_release(&text);
        ng_result_free(result);
    }
}

static void test_reports(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct ng_result *result = load(cases[i].name);
        for (size_t j = 0; j < ng_writer_count; j++) {
            struct ng_buf text;
            struct ng_err err = {0};
            ng_buf_init(&text, NG_REPORT_BYTES_MAX);
            if (!ng_writers[j]->write(result, &text, &err)) {
                fail_msg("%s: %s", cases[i].name, err.text);
            }
            check(cases[i].name, golden_file(ng_writers[j]), &text);
            ng_buf_release(&text);
        }
        ng_result_free(result);
    }
}

/** A report made during the run is the report made from its file later. */
static void test_before_and_after(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct ng_result *fresh = cases[i].build();
        struct ng_result *stored = load(cases[i].name);
        for (size_t j = 0; j < ng_writer_count; j++) {
            struct ng_buf a;
            struct ng_buf b;
            ng_buf_init(&a, NG_REPORT_BYTES_MAX);
            ng_buf_init(&b, NG_REPORT_BYTES_MAX);
            assert_true(ng_writers[j]->write(fresh, &a, NULL));
            assert_true(ng_writers[j]->write(stored, &b, NULL));
            assert_string_equal(ng_buf_text(&a), ng_buf_text(&b));
            ng_buf_release(&a);
            ng_buf_release(&b);
        }
        ng_result_free(fresh);
        ng_result_free(stored);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_reports),
        cmocka_unit_test(test_before_and_after),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
