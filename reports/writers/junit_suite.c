/* junit_suite.c - building suites and cases of a JUnit document. */
#include "reports/writers/junit_suite.h"

#include <jansson.h>
#include <string.h>

#include "reports/writers/junit_text.h"
#include "runner/base/buf.h"

struct ng_junit_suite *ng_junit_add_suite(
    struct ng_junit_doc *doc, const char *name, int64_t started_wall_ns) {
    doc->suites =
        ng_arena_grow(doc->arena, doc->suites, doc->count, &doc->capacity, sizeof *doc->suites);
    struct ng_junit_suite *suite = &doc->suites[doc->count++];
    *suite = (struct ng_junit_suite){
        .name = ng_junit_line(doc->arena, name, NG_JUNIT_NAME, "unnamed"),
        .started_wall_ns = started_wall_ns,
    };
    return suite;
}

void ng_junit_add_property(
    struct ng_junit_doc *doc, struct ng_junit_suite *suite, const char *name, const char *value) {
    if (value != NULL && value[0] != '\0' && suite->property_count < NG_JUNIT_PROPERTIES) {
        suite->properties[suite->property_count++] = (struct ng_junit_property){
            name, ng_junit_line(doc->arena, value, NG_JUNIT_MESSAGE, "-")};
    }
}

void ng_junit_add_run_verdict(struct ng_junit_doc *doc, struct ng_junit_suite *suite) {
    char *word = ng_arena_strdup(doc->arena, doc->view->verdict);
    for (char *at = word; *at != '\0'; at++) {
        *at = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    }
    ng_junit_add_property(doc, suite, "nasgate.run-verdict", word);
}

struct ng_junit_case *ng_junit_add_case(
    struct ng_junit_doc *doc, struct ng_junit_suite *suite, const char *name, int line) {
    suite->cases = ng_arena_grow(
        doc->arena, suite->cases, suite->count, &suite->capacity, sizeof *suite->cases);
    struct ng_junit_case *item = &suite->cases[suite->count++];
    *item = (struct ng_junit_case){
        .name = ng_junit_line(doc->arena, name, NG_JUNIT_NAME, "unnamed"),
        .classname = ng_arena_printf(doc->arena, "nasgate.%s.%s",
            ng_junit_part(doc->arena, doc->view->result->plan_name),
            ng_junit_part(doc->arena, suite->name)),
        .line = line,
    };
    return item;
}

void ng_junit_set(struct ng_junit_doc *doc, struct ng_junit_case *item,
    enum ng_junit_outcome outcome, const char *type, const char *message, const char *more) {
    struct ng_buf body;
    ng_buf_init(&body, 4 * (size_t)NG_JUNIT_BODY);
    item->outcome = outcome;
    item->type = type;
    item->message = ng_junit_line(doc->arena, message, NG_JUNIT_MESSAGE, "no reason is recorded");
    ng_buf_adds(&body, item->message);
    // A message that had to be cut stands whole in the body, which is all that GitLab shows.
    const char *whole = ng_junit_line(doc->arena, message, NG_JUNIT_VALUE, item->message);
    if (strcmp(item->message, whole) != 0) {
        ng_buf_addf(&body, "\n%s", whole);
    }
    if (more != NULL && more[0] != '\0') {
        ng_buf_addf(&body, "\n%s", more);
    }
    if (outcome != NG_JUNIT_SKIPPED && item->line > 0 && doc->view->plan_file[0] != '\0') {
        ng_buf_addf(&body, "\n %s:%d",
            ng_junit_line(doc->arena, doc->view->plan_file, NG_JUNIT_MESSAGE, "plan"), item->line);
    }
    item->body = ng_junit_body(doc->arena, ng_buf_text(&body));
    ng_buf_release(&body);
}

size_t ng_junit_count(const struct ng_junit_doc *doc, const struct ng_junit_suite *suite,
    enum ng_junit_outcome outcome) {
    size_t found = 0;
    for (size_t i = 0; suite == NULL && i < doc->count; i++) {
        found += ng_junit_count(doc, &doc->suites[i], outcome);
    }
    for (size_t i = 0; suite != NULL && i < suite->count; i++) {
        found += suite->cases[i].outcome == outcome ? 1 : 0;
    }
    return found;
}

void ng_junit_make_unique(struct ng_junit_doc *doc) {
    struct ng_arena *arena = doc->arena;
    json_t *seen = json_object(); // a set of "classname\nname", with the last number given
    for (size_t i = 0; i < doc->count; i++) {
        for (size_t j = 0; j < doc->suites[i].count; j++) {
            struct ng_junit_case *item = &doc->suites[i].cases[j];
            const char *first = ng_arena_printf(arena, "%s\n%s", item->classname, item->name);
            json_int_t number = json_integer_value(json_object_get(seen, first));
            const char *name = item->name;
            const char *key = first;
            while (json_object_get(seen, key) != NULL) {
                number++;
                name = ng_arena_printf(arena, "%s (%lld)", item->name, (long long)number);
                key = ng_arena_printf(arena, "%s\n%s", item->classname, name);
            }
            item->name = name;
            json_object_set_new(seen, key, json_integer(1));
            if (key != first) {
                json_object_set_new(seen, first, json_integer(number));
            }
        }
    }
    json_decref(seen);
}
