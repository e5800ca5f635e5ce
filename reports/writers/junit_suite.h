/**
 * junit_suite.h - building suites and cases of a document; the inner part of junit_cases.h.
 */
#ifndef NG_WRITERS_JUNIT_SUITE_H
#define NG_WRITERS_JUNIT_SUITE_H

#include <stdbool.h>

#include "reports/writers/junit_cases.h"

struct ng_junit_suite *ng_junit_add_suite(
    struct ng_junit_doc *doc, const char *name, int64_t started_wall_ns);
void ng_junit_add_property(
    struct ng_junit_doc *doc, struct ng_junit_suite *suite, const char *name, const char *value);
/** The run's verdict, in the lower case of all properties. Each suite needs a property: public
 * schemas refuse one without. */
void ng_junit_add_run_verdict(struct ng_junit_doc *doc, struct ng_junit_suite *suite);
/** A passed case. */
struct ng_junit_case *ng_junit_add_case(
    struct ng_junit_doc *doc, struct ng_junit_suite *suite, const char *name, int line);
/**
 * Sets an outcome. The body becomes the message, then `more` (may be NULL), then the place in the
 * plan in the form in which annotators find it.
 */
void ng_junit_set(struct ng_junit_doc *doc, struct ng_junit_case *item,
    enum ng_junit_outcome outcome, const char *type, const char *message, const char *more);
/** Gives equal pairs of classname and name a number behind the name. */
void ng_junit_make_unique(struct ng_junit_doc *doc);

/** Adds the suite of one phase; junit_phase.c. */
void ng_junit_add_phase(struct ng_junit_doc *doc, const struct ng_view_phase *shown);

/** A suite with a case per hook before the run, or after it; none without such hooks. */
void ng_junit_add_hooks(struct ng_junit_doc *doc, bool after);
/** The hooks at a phase, each with its place in the plan, its outcome and all it looked at: those
 * that were content, or those that were not. NULL: there is none. */
const char *ng_junit_hooks_at(struct ng_junit_doc *doc, const char *phase, bool content);

#endif
