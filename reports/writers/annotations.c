/* annotations.c - the red cases of a run as commands of a CI system. */
#include "reports/writers/annotations.h"

#include <stdbool.h>
#include <string.h>

#include "reports/writers/junit_cases.h"
#include "reports/writers/junit_text.h"
#include "runner/base/guard.h"

struct escape {
    char c;
    const char *github, *azure;
    bool everywhere; /* in messages too, not in properties only */
};

static void add_escaped(
    struct ng_buf *out, const char *text, enum ng_annotation_style style, bool is_message) {
    static const struct escape escapes[] = {
        {'%', "%25", "%AZP25", true},
        {'\r', "%0D", "%0D", true},
        {'\n', "%0A", "%0A", true},
        {':', "%3A", ":", false},
        {',', "%2C", ",", false},
        {';', ";", "%3B", false},
        {']', "]", "%5D", false},
    };
    for (const char *at = text; *at != '\0'; at++) {
        const struct escape *found = NULL;
        for (size_t i = 0; i < NG_COUNT(escapes); i++) {
            if (escapes[i].c == *at && (escapes[i].everywhere || !is_message)) {
                found = &escapes[i];
            }
        }
        if (found == NULL) {
            ng_buf_addc(out, *at);
        } else {
            ng_buf_adds(out, style == NG_ANNOTATIONS_AZURE ? found->azure : found->github);
        }
    }
}

/** "name=value" with what separates it from the one before. */
static void add_property(struct ng_buf *out, enum ng_annotation_style style, const char *before,
    const char *name, const char *value) {
    ng_buf_addf(out, "%s%s=", before, name);
    add_escaped(out, value, style, false);
}

static void add_github(
    struct ng_buf *out, const char *file, int line, const char *title, const char *message) {
    ng_buf_adds(out, "::error ");
    if (file != NULL) {
        add_property(out, NG_ANNOTATIONS_GITHUB, "", "file", file);
        ng_buf_addf(out, ",line=%d,", line);
    }
    add_property(out, NG_ANNOTATIONS_GITHUB, "", "title", title);
    ng_buf_adds(out, "::");
    add_escaped(out, message, NG_ANNOTATIONS_GITHUB, true);
    ng_buf_addc(out, '\n');
}

static void add_azure(
    struct ng_buf *out, const char *file, int line, const char *title, const char *message) {
    ng_buf_adds(out, "##vso[task.logissue type=error");
    if (file != NULL) {
        add_property(out, NG_ANNOTATIONS_AZURE, ";", "sourcepath", file);
        ng_buf_addf(out, ";linenumber=%d", line);
    }
    ng_buf_adds(out, "]");
    add_escaped(out, title, NG_ANNOTATIONS_AZURE, true);
    ng_buf_adds(out, ": ");
    add_escaped(out, message, NG_ANNOTATIONS_AZURE, true);
    ng_buf_addc(out, '\n');
}

static void add(struct ng_buf *out, enum ng_annotation_style style, const char *file, int line,
    const char *title, const char *message) {
    if (style == NG_ANNOTATIONS_AZURE) {
        add_azure(out, file, line, title, message);
    } else {
        add_github(out, file, line, title, message);
    }
}

static void add_cases(
    const struct ng_junit_doc *doc, enum ng_annotation_style style, struct ng_buf *out) {
    const char *file = ng_junit_line(doc->arena, doc->view->plan_file, NG_JUNIT_MESSAGE, "");
    size_t red = 0;
    for (size_t i = 0; i < doc->count; i++) {
        for (size_t j = 0; j < doc->suites[i].count; j++) {
            const struct ng_junit_case *item = &doc->suites[i].cases[j];
            bool is_red = item->outcome == NG_JUNIT_FAILURE || item->outcome == NG_JUNIT_ERROR;
            red += is_red ? 1 : 0;
            if (is_red && red <= NG_ANNOTATIONS_MAX) {
                bool placed = item->line > 0 && file[0] != '\0';
                add(out, style, placed ? file : NULL, item->line,
                    ng_arena_printf(doc->arena, "%s: %s", doc->suites[i].name, item->name),
                    item->message);
            }
        }
    }
    if (red > NG_ANNOTATIONS_MAX) {
        add(out, style, NULL, 0, "nasgate",
            ng_arena_printf(
                doc->arena, "and %zu more: see report.md in the bundle", red - NG_ANNOTATIONS_MAX));
    }
}

void ng_annotations_write(
    const struct ng_result *result, enum ng_annotation_style style, struct ng_buf *out) {
    if (style == NG_ANNOTATIONS_NONE) {
        return;
    }
    struct ng_arena arena;
    struct ng_junit_doc doc;
    ng_arena_init(&arena);
    ng_junit_build(ng_view_build(result, &arena), &arena, &doc);
    add_cases(&doc, style, out);
    ng_arena_release(&arena);
}
