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

/** A file of a case, compared with its golden one. */
struct kept {
    const char *name;
    const struct ng_writer *writer;
    size_t count;
};

static bool keep(void *context, const char *file, const struct ng_buf *text, struct ng_err *err) {
    struct kept *kept = context;
    char path[512];
    (void)err;
    if (updating() && kept->writer->write == NULL) {
        golden_path(path, kept->name, kept->writer->file);
        assert_true(ng_dir_create(path, NULL));
    }
    check(kept->name, kept->writer->write != NULL ? golden_file(kept->writer) : file, text);
    kept->count++;
    return true;
}

static void emit(const struct ng_writer *writer, const struct ng_result *result,
    bool (*put)(void *, const char *, const struct ng_buf *, struct ng_err *), void *context) {
    const struct ng_sink sink = {put, context};
    struct ng_err err = {0};
    if (!ng_writer_emit(writer, result, &sink, &err)) {
        fail_msg("%s: %s", writer->name, err.text);
    }
}

static void test_reports(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct ng_result *result = load(cases[i].name);
        for (size_t j = 0; j < ng_writer_count; j++) {
            struct kept kept = {cases[i].name, ng_writers[j], 0};
            emit(ng_writers[j], result, keep, &kept);
            assert_true(kept.count == 1 || ng_writers[j]->write == NULL);
        }
        ng_result_free(result);
    }
}

/** All that a writer gives, names and texts, in one buffer. */
static bool gather(void *context, const char *file, const struct ng_buf *text, struct ng_err *err) {
    struct ng_buf *all = context;
    (void)err;
    ng_buf_adds(all, file);
    ng_buf_add(all, text->data, text->len);
    return true;
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
            emit(ng_writers[j], fresh, gather, &a);
            emit(ng_writers[j], stored, gather, &b);
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
