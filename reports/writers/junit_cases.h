/**
 * junit_cases.h - a result as suites and cases of JUnit, before XML.
 *
 * One level of suites: "run" for trouble of the run as a whole, "lease", "preconditions", one per
 * phase. A
 * phase has the case "measured" and a case per threshold, so that a chart or a comparison
 * follows each by its name. Predictions are told in the output of "measured" and are never
 * failures.
 *
 * A run whose exit code is not 0 has at least one failure or error; there is always at least one
 * case.
 */
#ifndef NG_WRITERS_JUNIT_CASES_H
#define NG_WRITERS_JUNIT_CASES_H

#include <stddef.h>
#include <stdint.h>

#include "reports/writers/view.h"

enum ng_junit_outcome {
    NG_JUNIT_PASSED,
    NG_JUNIT_FAILURE,
    NG_JUNIT_ERROR,
    NG_JUNIT_SKIPPED,
};

struct ng_junit_case {
    const char *name; /* stable: no value, date or host in it */
    const char *classname;
    int line; /* of the plan; 0: none */
    int64_t time_ns;
    enum ng_junit_outcome outcome;
    const char *type;    /* a fixed word with a dot, failures and errors only */
    const char *message; /* one line */
    const char *body;    /* begins with the message */
    const char *output;  /* or NULL */
};

struct ng_junit_property {
    const char *name, *value;
};

enum { NG_JUNIT_PROPERTIES = 6 };

struct ng_junit_suite {
    const char *name;
    int64_t started_wall_ns;
    struct ng_junit_case *cases;
    size_t count, capacity;
    struct ng_junit_property properties[NG_JUNIT_PROPERTIES];
    size_t property_count;
};

struct ng_junit_doc {
    struct ng_arena *arena;
    const struct ng_view *view;
    const char *hostname;
    struct ng_junit_suite *suites;
    size_t count, capacity;
};

/** How many cases have an outcome; NULL suite: in the whole document. */
size_t ng_junit_count(const struct ng_junit_doc *doc, const struct ng_junit_suite *suite,
    enum ng_junit_outcome outcome);
/** All texts are clean and every pair of classname and name is there once. */
void ng_junit_build(const struct ng_view *view, struct ng_arena *arena, struct ng_junit_doc *doc);

#endif
