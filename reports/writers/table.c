/* table.c - all reports, and writing them into a bundle. */
#include <stdio.h>
#include <string.h>

#include "reports/writers/writer.h"
#include "runner/base/files.h"
#include "runner/base/guard.h"

enum { PATH_BYTES = 4096 };

const struct ng_writer *const ng_writers[] = {
    &ng_writer_benchmark_bigger,
    &ng_writer_benchmark_smaller,
    &ng_writer_csv,
    &ng_writer_ctrf,
    &ng_writer_html,
    &ng_writer_junit,
    &ng_writer_junit_strict,
    &ng_writer_markdown,
    &ng_writer_openmetrics,
    &ng_writer_plots,
    &ng_writer_summary,
};
const size_t ng_writer_count = NG_COUNT(ng_writers);

static bool emit(const struct ng_writer *writer, const struct ng_view *view,
    const struct ng_sink *sink, struct ng_err *err) {
    if (writer->write == NULL) {
        return writer->write_files(view, sink, err);
    }
    struct ng_buf text;
    ng_buf_init(&text, NG_REPORT_BYTES_MAX);
    bool ok = writer->write(view, &text, err);
    if (ok && text.cut > 0) {
        ok = ng_err_set(err, NG_ERR_LIMIT, "%s would be larger than %d bytes: not written",
            writer->file, NG_REPORT_BYTES_MAX);
    }
    ok = ok && sink->put(sink->context, writer->file, &text, err);
    ng_buf_release(&text);
    return ok;
}

bool ng_writer_text(const struct ng_writer *writer, const struct ng_result *result,
    struct ng_buf *out, struct ng_err *err) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const bool ok = writer->write(ng_view_build(result, &arena), out, err);
    ng_arena_release(&arena);
    return ok;
}

bool ng_writer_emit(const struct ng_writer *writer, const struct ng_result *result,
    const struct ng_sink *sink, struct ng_err *err) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const bool ok = emit(writer, ng_view_build(result, &arena), sink, err);
    ng_arena_release(&arena);
    return ok;
}

/** Where the files of one writer go. */
struct place {
    const char *dir;
    bool many; /* they can be many, and be made again: not one of them is waited for */
};

static bool put(void *context, const char *file, const struct ng_buf *text, struct ng_err *err) {
    const struct place *place = context;
    char path[PATH_BYTES];
    int len = snprintf(path, sizeof path, "%s/%s", place->dir, file);
    if (len < 0 || len >= (int)sizeof path) {
        return ng_err_set(
            err, NG_ERR_LIMIT, "the path of %s is longer than %d bytes", file, PATH_BYTES - 1);
    }
    return place->many ? ng_file_write_quick(path, text->data, text->len, err)
                       : ng_file_write_atomic(path, text->data, text->len, err);
}

static bool write_one(const struct ng_view *view, const struct ng_writer *writer, const char *dir,
    struct ng_err *err) {
    struct place place = {dir, writer->write == NULL};
    const struct ng_sink sink = {put, &place};
    char path[PATH_BYTES];
    int len = snprintf(path, sizeof path, "%s/%s", dir, writer->file);
    if (place.many && len > 0 && len < (int)sizeof path && !ng_dir_create(path, err)) {
        return false;
    }
    return emit(writer, view, &sink, err);
}

static const char *const dialects[] = {[NG_JUNIT_WIDE] = "wide", [NG_JUNIT_STRICT] = "strict"};

bool ng_junit_dialect_read(const char *word, enum ng_junit_dialect *out, struct ng_err *err) {
    *out = NG_JUNIT_WIDE;
    if (word == NULL || strcmp(word, dialects[NG_JUNIT_WIDE]) == 0) {
        return true;
    }
    *out = NG_JUNIT_STRICT;
    return strcmp(word, dialects[NG_JUNIT_STRICT]) == 0 ||
           ng_err_set(err, NG_ERR_USAGE, "--junit %.40s: write wide or strict", word);
}

const char *ng_junit_dialect_word(enum ng_junit_dialect dialect) {
    return dialects[dialect];
}

/** True for the one writer of a file that was chosen. */
static bool is_chosen(const struct ng_writer *writer, enum ng_junit_dialect junit) {
    const struct ng_writer *left_out =
        junit == NG_JUNIT_STRICT ? &ng_writer_junit : &ng_writer_junit_strict;
    return writer != left_out;
}

bool ng_writers_write_all(const struct ng_result *result, const char *dir,
    enum ng_junit_dialect junit, struct ng_err *err) {
    bool ok = true;
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_view *view = ng_view_build(result, &arena);
    for (size_t i = 0; i < ng_writer_count; i++) {
        struct ng_err own = {0};
        if (is_chosen(ng_writers[i], junit) && !write_one(view, ng_writers[i], dir, &own) && ok) {
            ok = ng_err_set(err, own.kind, "report %s: %s", ng_writers[i]->name, own.text);
        }
    }
    ng_arena_release(&arena);
    return ok;
}
