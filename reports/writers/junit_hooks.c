/* junit_hooks.c - hooks before and after the run as a suite of JUnit. Those at a phase are part of
 * its case "measured": their words are why it has its verdict, and what they looked at stands
 * there.
 */
#include <string.h>

#include "reports/writers/junit_suite.h"
#include "reports/writers/junit_text.h"
#include "runner/base/buf.h"

static void add_words(
    struct ng_junit_doc *doc, const struct ng_hook_result *hook, struct ng_buf *out) {
    ng_buf_addf(out, "outcome: %s", ng_hook_word(hook->outcome));
    if (hook->expected != NULL) {
        ng_buf_addf(
            out, "\nexpected: %s", ng_junit_line(doc->arena, hook->expected, NG_JUNIT_VALUE, "-"));
    }
    if (hook->remedy != NULL) {
        ng_buf_addf(
            out, "\nwhat to do: %s", ng_junit_line(doc->arena, hook->remedy, NG_JUNIT_VALUE, "-"));
    }
    for (size_t i = 0; i < hook->looked_at.count; i++) {
        const struct ng_record_item *item = &hook->looked_at.items[i];
        ng_buf_addf(out, "\nlooked at %s: %s",
            ng_junit_line(doc->arena, item->key, NG_JUNIT_MESSAGE, "-"),
            ng_junit_line(doc->arena, item->value, NG_JUNIT_VALUE, "-"));
    }
}

static const char *explain(struct ng_junit_doc *doc, const struct ng_hook_result *hook) {
    struct ng_buf out;
    ng_buf_init(&out, 4 * (size_t)NG_JUNIT_BODY);
    add_words(doc, hook, &out);
    const char *text = ng_arena_strdup(doc->arena, ng_buf_text(&out));
    ng_buf_release(&out);
    return text;
}

static void add_case(
    struct ng_junit_doc *doc, struct ng_junit_suite *suite, const struct ng_hook_result *hook) {
    struct ng_junit_case *item = ng_junit_add_case(doc, suite, hook->id, hook->line);
    const char *more = explain(doc, hook);
    const char *message =
        ng_arena_printf(doc->arena, "%s: %s", ng_hook_word(hook->outcome), hook->reason);
    switch (hook->outcome) {
    case NG_HOOK_HELD:
    case NG_HOOK_SKIP:
        item->output = ng_junit_body(doc->arena, more);
        break;
    case NG_HOOK_FAIL:
        ng_junit_set(doc, item, NG_JUNIT_FAILURE, "nasgate.script", message, more);
        break;
    case NG_HOOK_INTERRUPTED:
        ng_junit_set(doc, item, NG_JUNIT_ERROR, "nasgate.interrupted", message, more);
        break;
    case NG_HOOK_BROKEN:
    case NG_HOOK_UNKNOWN:
    case NG_HOOK_ERROR:
        ng_junit_set(doc, item, NG_JUNIT_ERROR, "nasgate.script", message, more);
        break;
    }
}

const char *ng_junit_hooks_at(struct ng_junit_doc *doc, const char *phase, bool content) {
    const struct ng_result *result = doc->view->result;
    struct ng_buf out;
    ng_buf_init(&out, 4 * (size_t)NG_JUNIT_BODY);
    for (size_t i = 0; i < result->hook_count; i++) {
        const struct ng_hook_result *hook = &result->hooks[i];
        if (hook->phase == NULL || strcmp(hook->phase, phase) != 0 ||
            (hook->outcome == NG_HOOK_HELD) != content) {
            continue;
        }
        ng_buf_addf(&out, "%shook %s, %s:%d\n", out.len > 0 ? "\n\n" : "",
            ng_junit_line(doc->arena, hook->id, NG_JUNIT_MESSAGE, "-"),
            ng_junit_line(doc->arena, result->plan_file, NG_JUNIT_MESSAGE, "plan"), hook->line);
        if (hook->reason[0] != '\0') {
            ng_buf_addf(
                &out, "why: %s\n", ng_junit_line(doc->arena, hook->reason, NG_JUNIT_VALUE, "-"));
        }
        add_words(doc, hook, &out);
    }
    const char *text = out.len > 0 ? ng_arena_strdup(doc->arena, ng_buf_text(&out)) : NULL;
    ng_buf_release(&out);
    return text;
}

void ng_junit_add_hooks(struct ng_junit_doc *doc, bool after) {
    const struct ng_result *result = doc->view->result;
    struct ng_junit_suite *suite = NULL;
    for (size_t i = 0; i < result->hook_count; i++) {
        const struct ng_hook_result *hook = &result->hooks[i];
        if (hook->phase != NULL || ng_hook_is_after_run(hook) != after) {
            continue;
        }
        if (suite == NULL) {
            suite = ng_junit_add_suite(doc, after ? "hooks after the run" : "hooks before the run",
                result->started_wall_ns);
            ng_junit_add_run_verdict(doc, suite);
        }
        add_case(doc, suite, hook);
    }
}
