/* What CI systems get from a run beside its files. */
#include "runner/cli/ci.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/writers/summary.h"
#include "runner/cli/cli.h"

enum { ANNOTATIONS_CAP = 64 * 1024 };

static enum ng_annotation_style style_of_environment(void) {
    const char *github = getenv("GITHUB_ACTIONS");
    const char *azure = getenv("TF_BUILD");
    if (github != NULL && strcmp(github, "true") == 0) {
        return NG_ANNOTATIONS_GITHUB;
    }
    return azure != NULL && azure[0] != '\0' ? NG_ANNOTATIONS_AZURE : NG_ANNOTATIONS_NONE;
}

bool ng_ci_style(
    const struct ng_arguments *arguments, enum ng_annotation_style *style, struct ng_err *err) {
    static const struct {
        const char *word;
        enum ng_annotation_style style;
    } words[] = {
        {"none", NG_ANNOTATIONS_NONE},
        {"github", NG_ANNOTATIONS_GITHUB},
        {"azure", NG_ANNOTATIONS_AZURE},
    };
    const char *wish = ng_option_value(arguments, "annotations");
    *style = style_of_environment();
    if (wish == NULL || strcmp(wish, "auto") == 0) {
        return true;
    }
    for (size_t i = 0; i < NG_COUNT(words); i++) {
        if (strcmp(wish, words[i].word) == 0) {
            *style = words[i].style;
            return true;
        }
    }
    return ng_err_set(
        err, NG_ERR_USAGE, "--annotations %.40s: write auto, github, azure or none", wish);
}

bool ng_ci_annotate(const struct ng_result *result, enum ng_annotation_style style) {
    struct ng_buf out;
    ng_buf_init(&out, ANNOTATIONS_CAP);
    ng_annotations_write(result, style, &out);
    const bool ok = out.len == 0 || ng_cli_print(&out);
    ng_buf_release(&out);
    return ok;
}

static bool write_all(int fd, const char *data, size_t len) {
    while (len > 0) {
        const ssize_t done = write(fd, data, len);
        if (done < 0 && errno != EINTR) {
            return false;
        }
        data += done > 0 ? done : 0;
        len -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

/* The page may hold what other steps of the job wrote: it counts against the budget. */
static bool append(int fd, const struct ng_result *result, struct ng_err *err) {
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        return ng_err_set(err, NG_ERR_FILE, "it is no file");
    }
    struct ng_buf text;
    ng_buf_init(&text, NG_SUMMARY_BUDGET);
    const size_t used = st.st_size > 0 ? (size_t)st.st_size : 0;
    const size_t left = used < NG_SUMMARY_BUDGET ? NG_SUMMARY_BUDGET - used : 0;
    bool ok = ng_summary_write(result, left, &text) ||
              ng_err_set(err, NG_ERR_LIMIT, "it holds %zu bytes already", used);
    if (ok && !write_all(fd, text.data, text.len)) {
        ok = ng_err_set(err, NG_ERR_FILE, "%s", strerror(errno));
    }
    ng_buf_release(&text);
    return ok;
}

void ng_ci_summarise(const struct ng_result *result) {
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    struct ng_err err = {0};
    if (path == NULL || path[0] == '\0') {
        return;
    }
    const int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd < 0) {
        ng_err_set(&err, NG_ERR_FILE, "%s", strerror(errno));
    } else {
        append(fd, result, &err);
        if (close(fd) != 0 && err.kind == NG_ERR_NONE) {
            ng_err_set(&err, NG_ERR_FILE, "%s", strerror(errno));
        }
    }
    if (err.kind != NG_ERR_NONE) {
        fprintf(stderr, "nasgate: warning: no summary in GITHUB_STEP_SUMMARY: %s\n", err.text);
    }
}
