/**
 * writer.h - what a report is: one spelling of the view (view.h), a pure function of the result. A
 * new report is one file and one row in table.c.
 */
#ifndef NG_WRITERS_WRITER_H
#define NG_WRITERS_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/writers/view.h"
#include "runner/base/buf.h"
#include "runner/base/err.h"
#include "runner/result/result.h"

/** Takes the files of a writer, one at a time and whole; `file` is relative to the bundle. */
struct ng_sink {
    bool (*put)(void *context, const char *file, const struct ng_buf *text, struct ng_err *err);
    void *context;
};

struct ng_writer {
    const char *name; /* "markdown" */
    const char *file; /* in the bundle: "report.md" */
    const char *help;
    const char *instead_of; /* the writer whose file this one writes, on demand; NULL: always */
    /** Writes the one file; NULL for a writer of several. */
    bool (*write)(const struct ng_view *view, struct ng_buf *out, struct ng_err *err);
    /** Writes several files into the folder `file`; NULL for a writer of one. */
    bool (*write_files)(const struct ng_view *view, const struct ng_sink *sink, struct ng_err *err);
};

enum { NG_REPORT_BYTES_MAX = 30 * 1000 * 1000 }; /* GitLab takes no larger JUnit file */

/** Which JUnit: all that common readers show, or what is valid for the public schemas. */
enum ng_junit_dialect { NG_JUNIT_WIDE, NG_JUNIT_STRICT };
/** Reads "wide" or "strict"; NULL is wide. */
bool ng_junit_dialect_read(const char *word, enum ng_junit_dialect *out, struct ng_err *err);
const char *ng_junit_dialect_word(enum ng_junit_dialect dialect);

extern const struct ng_writer ng_writer_benchmark_bigger;
extern const struct ng_writer ng_writer_benchmark_smaller;
extern const struct ng_writer ng_writer_csv;
extern const struct ng_writer ng_writer_ctrf;
extern const struct ng_writer ng_writer_html;
extern const struct ng_writer ng_writer_junit;
extern const struct ng_writer ng_writer_junit_strict;
extern const struct ng_writer ng_writer_markdown;
extern const struct ng_writer ng_writer_plots;
extern const struct ng_writer ng_writer_openmetrics;
extern const struct ng_writer ng_writer_summary;
extern const struct ng_writer *const ng_writers[]; /* sorted by name */
extern const size_t ng_writer_count;

/** The text of a writer of one file. */
bool ng_writer_text(const struct ng_writer *writer, const struct ng_result *result,
    struct ng_buf *out, struct ng_err *err);
/** Gives the file, or all files, of a writer to the sink. */
bool ng_writer_emit(const struct ng_writer *writer, const struct ng_result *result,
    const struct ng_sink *sink, struct ng_err *err);
/** Writes all reports into `dir`, each atomically. Tries all; fails with the first error. */
bool ng_writers_write_all(const struct ng_result *result, const char *dir,
    enum ng_junit_dialect junit, struct ng_err *err);

#endif
