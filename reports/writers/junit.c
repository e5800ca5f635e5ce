/* junit.c - TEST-nasgate.xml in two dialects: suites and cases as XML by libxml2, read back before
 * it is believed.
 *
 * `wide` has what most readers show: file and line of a case, its output, reasons as attributes.
 * `strict` is valid for the schemas junit-10, windyroad and junit-4 at once, which know none of
 * that: see docs/ci/README.md. */
#include <inttypes.h>
#include <libxml/parser.h>
#include <libxml/xmlwriter.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "reports/writers/junit_cases.h"
#include "reports/writers/junit_text.h"
#include "reports/writers/writer.h"
#include "runner/base/clock.h"

enum { OUTPUTS_CAP = 16 * NG_JUNIT_BODY };

/** The writer, and whether all went well so far: one check at the end instead of one per call. */
struct xml {
    xmlTextWriterPtr writer;
    bool ok;
    bool strict;
};

static const xmlChar *utf8(const char *text) {
    return (const xmlChar *)text;
}

static void begin(struct xml *xml, const char *name) {
    xml->ok = xml->ok && xmlTextWriterStartElement(xml->writer, utf8(name)) >= 0;
}

static void end(struct xml *xml) {
    xml->ok = xml->ok && xmlTextWriterEndElement(xml->writer) >= 0;
}

static void attribute(struct xml *xml, const char *name, const char *value) {
    xml->ok = xml->ok && xmlTextWriterWriteAttribute(xml->writer, utf8(name), utf8(value)) >= 0;
}

static void number(struct xml *xml, const char *name, size_t value) {
    char text[32];
    snprintf(text, sizeof text, "%zu", value);
    attribute(xml, name, text);
}

static void string(struct xml *xml, const char *text) {
    xml->ok = xml->ok && xmlTextWriterWriteString(xml->writer, utf8(text)) >= 0;
}

/** Seconds with three decimals, in integers: no exponent, no comma, never negative. */
static void seconds(struct xml *xml, int64_t ms) {
    char text[40];
    ms = ms > 0 ? ms : 0;
    snprintf(text, sizeof text, "%" PRId64 ".%03d", ms / 1000, (int)(ms % 1000));
    attribute(xml, "time", text);
}

static int64_t rounded_ms(int64_t ns) {
    return ns > 0 ? ns / NG_NS_PER_MS + (ns % NG_NS_PER_MS >= NG_NS_PER_MS / 2 ? 1 : 0) : 0;
}

/** The sum of what the cases show, so that they always add up. */
static int64_t suite_ms(const struct ng_junit_suite *suite) {
    int64_t sum = 0;
    for (size_t i = 0; i < suite->count; i++) {
        sum += rounded_ms(suite->cases[i].time_ns);
    }
    return sum;
}

static size_t all_cases(const struct ng_junit_doc *doc) {
    size_t sum = 0;
    for (size_t i = 0; i < doc->count; i++) {
        sum += doc->suites[i].count;
    }
    return sum;
}

static void counts(
    struct xml *xml, const struct ng_junit_doc *doc, const struct ng_junit_suite *suite) {
    number(xml, "tests", suite != NULL ? suite->count : all_cases(doc));
    number(xml, "failures", ng_junit_count(doc, suite, NG_JUNIT_FAILURE));
    number(xml, "errors", ng_junit_count(doc, suite, NG_JUNIT_ERROR));
    number(xml, "skipped", ng_junit_count(doc, suite, NG_JUNIT_SKIPPED));
}

static void write_outcome(struct xml *xml, const struct ng_junit_case *item) {
    static const char *const elements[] = {
        [NG_JUNIT_FAILURE] = "failure", [NG_JUNIT_ERROR] = "error", [NG_JUNIT_SKIPPED] = "skipped"};
    if (item->outcome == NG_JUNIT_PASSED) {
        return;
    }
    begin(xml, elements[item->outcome]);
    if (item->type != NULL) {
        attribute(xml, "type", item->type);
    }
    if (!xml->strict || item->outcome != NG_JUNIT_SKIPPED) {
        attribute(xml, "message", item->message);
    }
    string(xml, item->body);
    end(xml);
}

static bool has_output(const struct ng_junit_case *item) {
    return item->output != NULL && item->output[0] != '\0';
}

static void write_case(
    struct xml *xml, const struct ng_junit_doc *doc, const struct ng_junit_case *item) {
    begin(xml, "testcase");
    attribute(xml, "classname", item->classname);
    attribute(xml, "name", item->name);
    if (!xml->strict && item->line > 0 && doc->view->plan_file[0] != '\0') {
        attribute(
            xml, "file", ng_junit_line(doc->arena, doc->view->plan_file, NG_JUNIT_MESSAGE, "plan"));
        number(xml, "line", (size_t)item->line);
    }
    seconds(xml, rounded_ms(item->time_ns));
    write_outcome(xml, item);
    if (!xml->strict && has_output(item)) {
        begin(xml, "system-out");
        string(xml, item->output);
        end(xml);
    }
    end(xml);
}

/** Where a case can have no output, the suite has that of all its cases. */
static void write_outputs(
    struct xml *xml, const struct ng_junit_doc *doc, const struct ng_junit_suite *suite) {
    struct ng_buf all;
    ng_buf_init(&all, OUTPUTS_CAP);
    for (size_t i = 0; i < suite->count; i++) {
        const struct ng_junit_case *item = &suite->cases[i];
        if (has_output(item)) {
            ng_buf_addf(&all, "%s%s:\n%s\n", all.len > 0 ? "\n" : "", item->name, item->output);
        }
    }
    begin(xml, "system-out");
    string(xml, ng_junit_body(doc->arena, ng_buf_text(&all)));
    end(xml);
    begin(xml, "system-err");
    string(xml, "");
    end(xml);
    ng_buf_release(&all);
}

static void write_properties(struct xml *xml, const struct ng_junit_suite *suite) {
    begin(xml, "properties");
    for (size_t i = 0; i < suite->property_count; i++) {
        begin(xml, "property");
        attribute(xml, "name", suite->properties[i].name);
        attribute(xml, "value", suite->properties[i].value);
        end(xml);
    }
    end(xml);
}

static void write_suite(struct xml *xml, const struct ng_junit_doc *doc, size_t index) {
    const struct ng_junit_suite *suite = &doc->suites[index];
    char started[NG_TIME_TEXT];
    ng_time_format(suite->started_wall_ns, started);
    started[strcspn(started, "Z")] = '\0'; // UTC, told without a zone
    begin(xml, "testsuite");
    attribute(xml, "name", suite->name);
    number(xml, "id", index);
    attribute(xml, "package", "nasgate");
    counts(xml, doc, suite);
    seconds(xml, suite_ms(suite));
    attribute(xml, "timestamp", started);
    attribute(xml, "hostname", doc->hostname);
    write_properties(xml, suite);
    for (size_t i = 0; i < suite->count; i++) {
        write_case(xml, doc, &suite->cases[i]);
    }
    if (xml->strict) {
        write_outputs(xml, doc, suite);
    }
    end(xml);
}

static void write_root_attributes(struct xml *xml, const struct ng_junit_doc *doc) {
    int64_t ms = 0;
    for (size_t i = 0; i < doc->count; i++) {
        ms += suite_ms(&doc->suites[i]);
    }
    const char *plan =
        ng_junit_line(doc->arena, doc->view->result->plan_name, NG_JUNIT_NAME - 8, "unnamed");
    attribute(xml, "name", ng_arena_printf(doc->arena, "nasgate %s", plan));
    counts(xml, doc, NULL);
    seconds(xml, ms);
}

static void write_doc(struct xml *xml, const struct ng_junit_doc *doc) {
    xml->ok = xml->ok && xmlTextWriterStartDocument(xml->writer, NULL, "UTF-8", NULL) >= 0;
    begin(xml, "testsuites");
    if (!xml->strict) {
        write_root_attributes(xml, doc);
    }
    for (size_t i = 0; i < doc->count; i++) {
        write_suite(xml, doc, i);
    }
    end(xml);
    xml->ok = xml->ok && xmlTextWriterEndDocument(xml->writer) >= 0;
}

static size_t count_elements(const xmlNode *node, const char *name) {
    size_t count = 0;
    for (const xmlNode *at = node->children; at != NULL; at = at->next) {
        if (at->type == XML_ELEMENT_NODE) {
            count += strcmp((const char *)at->name, name) == 0 ? 1 : 0;
            count += count_elements(at, name);
        }
    }
    return count;
}

/** libxml2 writes some broken documents without complaint, so what was written is read again. */
static bool read_back(const struct ng_junit_doc *doc, const xmlChar *text, int len) {
    xmlDocPtr read = xmlReadMemory((const char *)text, len, "TEST-nasgate.xml", NULL,
        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (read == NULL) {
        return false;
    }
    const xmlNode *root = xmlDocGetRootElement(read);
    bool ok = root != NULL && strcmp((const char *)root->name, "testsuites") == 0 &&
              count_elements(root, "testsuite") == doc->count &&
              count_elements(root, "testcase") == all_cases(doc) &&
              count_elements(root, "failure") == ng_junit_count(doc, NULL, NG_JUNIT_FAILURE) &&
              count_elements(root, "error") == ng_junit_count(doc, NULL, NG_JUNIT_ERROR) &&
              count_elements(root, "skipped") == ng_junit_count(doc, NULL, NG_JUNIT_SKIPPED);
    xmlFreeDoc(read);
    return ok;
}

static bool spell(
    const struct ng_junit_doc *doc, bool strict, struct ng_buf *out, struct ng_err *err) {
    xmlBufferPtr buffer = xmlBufferCreate();
    struct xml xml = {buffer != NULL ? xmlNewTextWriterMemory(buffer, 0) : NULL, true, strict};
    if (xml.writer == NULL) {
        xmlBufferFree(buffer);
        return ng_err_set(err, NG_ERR_INTERNAL, "libxml2 gave no writer");
    }
    xmlTextWriterSetIndent(xml.writer, 1);
    xmlTextWriterSetIndentString(xml.writer, utf8("  "));
    write_doc(&xml, doc);
    xmlFreeTextWriter(xml.writer);
    const xmlChar *text = xmlBufferContent(buffer);
    int len = xmlBufferLength(buffer);
    bool ok = xml.ok && text != NULL && read_back(doc, text, len);
    if (ok) {
        ng_buf_add(out, text, (size_t)len);
    } else {
        ng_err_set(err, NG_ERR_INTERNAL, "the XML that was written does not read back");
    }
    xmlBufferFree(buffer);
    return ok;
}

static bool write(const struct ng_view *view, bool strict, struct ng_buf *out, struct ng_err *err) {
    struct ng_arena arena;
    struct ng_junit_doc doc;
    ng_arena_init(&arena);
    ng_junit_build(view, &arena, &doc);
    bool ok = spell(&doc, strict, out, err);
    ng_arena_release(&arena);
    return ok;
}

static bool write_wide(const struct ng_view *view, struct ng_buf *out, struct ng_err *err) {
    return write(view, false, out, err);
}

static bool write_strict(const struct ng_view *view, struct ng_buf *out, struct ng_err *err) {
    return write(view, true, out, err);
}

const struct ng_writer ng_writer_junit = {
    .name = "junit",
    .file = "TEST-nasgate.xml",
    .help = "JUnit XML for CI systems, dialect wide",
    .write = write_wide,
};

const struct ng_writer ng_writer_junit_strict = {
    .name = "junit-strict",
    .file = "TEST-nasgate.xml",
    .help = "JUnit XML that is valid for the public schemas, dialect strict",
    .instead_of = "junit",
    .write = write_strict,
};
