/* nasgate report: all reports of a bundle, or one of them, from result.json alone. */
#include <string.h>

#include "reports/writers/writer.h"
#include "runner/base/files.h"
#include "runner/base/text.h"
#include "runner/cli/cli.h"
#include "runner/result/store.h"
#include "runner/result/verdict.h"

enum { REPORT_CAP = 256 * 1024 * 1024, WRITERS_MAX = 64 };

static const struct ng_option options[] = {
    {.name = "format", .argument = "NAME", .help = "print this report to standard output"},
    {.name = "output",
        .letter = 'o',
        .argument = "DIR",
        .help = "folder to write all reports into (default: the bundle)"},
    NG_JUNIT_OPTION("wide"),
};

static const struct ng_writer *find_writer(const char *name, struct ng_err *err) {
    const char *names[WRITERS_MAX];
    struct ng_buf list;
    ng_buf_init(&list, 1024);
    for (size_t i = 0; i < ng_writer_count && i < WRITERS_MAX; i++) {
        if (strcmp(ng_writers[i]->name, name) == 0) {
            ng_buf_release(&list);
            return ng_writers[i];
        }
        names[i] = ng_writers[i]->name;
        ng_buf_addf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const char *near = ng_text_nearest(name, names, ng_writer_count);
    ng_err_set(err, NG_ERR_USAGE, "unknown format \"%.40s\"; %s%s%sthere are: %s", name,
        near != NULL ? "did you mean \"" : "", near != NULL ? near : "", near != NULL ? "\"? " : "",
        ng_buf_text(&list));
    ng_buf_release(&list);
    return NULL;
}

static int print_one(
    const struct ng_result *result, const char *format, enum ng_junit_dialect junit) {
    struct ng_err err = {0};
    const struct ng_writer *writer = find_writer(format, &err);
    if (writer == &ng_writer_junit && junit == NG_JUNIT_STRICT) {
        writer = &ng_writer_junit_strict;
    }
    struct ng_buf out;
    ng_buf_init(&out, REPORT_CAP);
    int code = NG_EXIT_PASS;
    if (writer == NULL) {
        ng_cli_complain(&err);
        code = NG_EXIT_USAGE;
    } else if (writer->write == NULL) {
        ng_err_set(&err, NG_ERR_USAGE,
            "format %s is a folder of files: leave --format out, it is written with the others",
            writer->name);
        ng_cli_complain(&err);
        code = NG_EXIT_USAGE;
    } else if (!ng_writer_text(writer, result, &out, &err)) {
        ng_cli_complain(&err);
        code = NG_EXIT_ERROR;
    } else if (!ng_cli_print(&out)) {
        code = NG_EXIT_ERROR;
    }
    ng_buf_release(&out);
    return code;
}

static int report(const struct ng_arguments *arguments) {
    struct ng_err err = {0};
    const char *bundle = arguments->words[0];
    const char *dir = ng_option_value(arguments, "output");
    const char *format = ng_option_value(arguments, "format");
    enum ng_junit_dialect junit;
    struct ng_result *result = NULL;
    if (!ng_junit_dialect_read(ng_option_value(arguments, "junit"), &junit, &err) ||
        (result = ng_result_load(bundle, &err)) == NULL) {
        ng_cli_complain(&err);
        return NG_EXIT_USAGE;
    }
    int code = NG_EXIT_PASS;
    if (format != NULL) {
        code = print_one(result, format, junit);
    } else if ((dir != NULL && !ng_dir_create(dir, &err)) ||
               !ng_writers_write_all(result, dir != NULL ? dir : bundle, junit, &err)) {
        ng_cli_complain(&err);
        code = NG_EXIT_ERROR;
    }
    ng_result_free(result);
    return code;
}

const struct ng_command_row ng_command_report = {
    .name = "report",
    .words = "BUNDLE",
    .summary = "write the reports of a bundle again, from its result.json alone",
    .examples = "  nasgate report nasgate-out/plan/20260101T000000Z\n"
                "  nasgate report --format markdown nasgate-out/plan/20260101T000000Z\n",
    .options = options,
    .option_count = NG_COUNT(options),
    .words_min = 1,
    .words_max = 1,
    .run = report,
};
