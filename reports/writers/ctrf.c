/* ctrf.c - ctrf.json: the cases of the JUnit report as CTRF (Common Test Report Format), for tools
 * that read JSON. */
#include <jansson.h>
#include <stdlib.h>

#include "reports/writers/junit_cases.h"
#include "reports/writers/junit_text.h"
#include "reports/writers/writer.h"
#include "runner/base/clock.h"

static void put_text(json_t *object, const char *key, const char *text) {
    if (text != NULL && text[0] != '\0') {
        json_object_set_new(object, key, json_string(text));
    }
}

static void put_number(json_t *object, const char *key, int64_t number) {
    json_object_set_new(object, key, json_integer(number > 0 ? number : 0));
}

static const char *status_of(enum ng_junit_outcome outcome) {
    switch (outcome) {
    case NG_JUNIT_PASSED:
        return "passed";
    case NG_JUNIT_SKIPPED:
        return "skipped";
    case NG_JUNIT_FAILURE:
    case NG_JUNIT_ERROR:
        break;
    }
    return "failed";
}

static json_t *test_of(const struct ng_junit_doc *doc, const struct ng_junit_suite *suite,
    const struct ng_junit_case *item) {
    json_t *test = json_object();
    put_text(test, "name", item->name);
    put_text(test, "status", status_of(item->outcome));
    put_text(test, "rawStatus", item->type);
    put_number(test, "duration", item->time_ns / NG_NS_PER_MS);
    json_object_set_new(test, "suite", json_pack("[s]", suite->name));
    put_text(test, "message", item->message);
    put_text(test, "trace", item->body);
    if (item->line > 0 && doc->view->plan_file[0] != '\0') {
        put_text(test, "filePath",
            ng_junit_line(doc->arena, doc->view->plan_file, NG_JUNIT_MESSAGE, "plan"));
        put_number(test, "line", item->line);
    }
    return test;
}

static json_t *summary_of(const struct ng_junit_doc *doc, size_t tests) {
    const struct ng_result *result = doc->view->result;
    size_t failed =
        ng_junit_count(doc, NULL, NG_JUNIT_FAILURE) + ng_junit_count(doc, NULL, NG_JUNIT_ERROR);
    json_t *summary = json_object();
    put_number(summary, "tests", (int64_t)tests);
    put_number(summary, "passed", (int64_t)ng_junit_count(doc, NULL, NG_JUNIT_PASSED));
    put_number(summary, "failed", (int64_t)failed);
    put_number(summary, "skipped", (int64_t)ng_junit_count(doc, NULL, NG_JUNIT_SKIPPED));
    put_number(summary, "pending", 0);
    put_number(summary, "other", 0);
    put_number(summary, "suites", (int64_t)doc->count);
    put_number(summary, "start", result->started_wall_ns / NG_NS_PER_MS);
    put_number(summary, "stop",
        result->started_wall_ns / NG_NS_PER_MS + result->duration_ns / NG_NS_PER_MS);
    return summary;
}

static json_t *document_of(const struct ng_junit_doc *doc) {
    const struct ng_result *result = doc->view->result;
    json_t *tests = json_array();
    for (size_t i = 0; i < doc->count; i++) {
        for (size_t j = 0; j < doc->suites[i].count; j++) {
            json_array_append_new(tests, test_of(doc, &doc->suites[i], &doc->suites[i].cases[j]));
        }
    }
    json_t *tool = json_object();
    put_text(tool, "name", "nasgate");
    put_text(tool, "version", ng_junit_line(doc->arena, result->version, NG_JUNIT_PART, "unknown"));
    json_t *results = json_object();
    json_object_set_new(results, "tool", tool);
    json_object_set_new(results, "summary", summary_of(doc, json_array_size(tests)));
    json_object_set_new(results, "tests", tests);
    json_t *document = json_object();
    put_text(document, "reportFormat", "CTRF");
    put_text(document, "specVersion", "0.0.0");
    put_text(document, "generatedBy", "nasgate");
    json_object_set_new(document, "results", results);
    return document;
}

static bool write(const struct ng_view *view, struct ng_buf *out, struct ng_err *err) {
    struct ng_arena arena;
    struct ng_junit_doc doc;
    ng_arena_init(&arena);
    ng_junit_build(view, &arena, &doc);
    json_t *document = document_of(&doc);
    char *text = json_dumps(document, JSON_INDENT(2) | JSON_SORT_KEYS);
    bool ok = text != NULL || ng_err_set(err, NG_ERR_INTERNAL, "the document cannot be written");
    if (ok) {
        ng_buf_addf(out, "%s\n", text);
    }
    free(text);
    json_decref(document);
    ng_arena_release(&arena);
    return ok;
}

const struct ng_writer ng_writer_ctrf = {
    .name = "ctrf",
    .file = "ctrf.json",
    .help = "the cases of the JUnit report as CTRF JSON",
    .write = write,
};
