/* nasgate verify: that nothing of a bundle was changed and that its verdict follows from its
 * evidence. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runner/base/digest.h"
#include "runner/base/files.h"
#include "runner/cli/cli.h"
#include "runner/cli/rerun.h"
#include "runner/result/store.h"
#include "runner/result/verdict.h"
#include "runner/transport/tape.h"

enum { FILE_CAP = 256 * 1024 * 1024, PATH_CAP = 8192, PROBLEMS_MAX = 20 };

/* What was found, told as it is found. */
struct findings {
    size_t checked;
    size_t problems;
};

static void problem(struct findings *findings, const char *text) {
    struct ng_err err = {0};
    findings->problems++;
    if (findings->problems <= PROBLEMS_MAX) {
        ng_err_set(&err, NG_ERR_FORMAT, "%s", text);
        ng_cli_complain(&err);
    }
}

static void check_object(
    const struct ng_tape *tape, const char *digest, struct findings *findings) {
    char *data = NULL;
    size_t len = 0;
    struct ng_err err = {0};
    if (digest == NULL) {
        return;
    }
    findings->checked++;
    if (!ng_tape_object(tape, digest, &data, &len, &err)) {
        problem(findings, err.text);
    }
    free(data);
}

/* Whether a file of the bundle is the one that the head of the evidence names. */
static void check_digest(
    const char *bundle, const char *name, const char *expected, struct findings *findings) {
    char path[PATH_CAP];
    char digest[NG_DIGEST_TEXT];
    char *data = NULL;
    size_t len = 0;
    struct ng_err err = {0};
    if (expected == NULL) {
        return;
    }
    findings->checked++;
    snprintf(path, sizeof path, "%s/%s", bundle, name);
    if (!ng_file_read(path, FILE_CAP, &data, &len, &err)) {
        problem(findings, err.text);
    } else if (strcmp(ng_digest(data, len, digest), expected) != 0) {
        ng_err_set(&err, NG_ERR_FORMAT, "%s is not the file that the run used", path);
        problem(findings, err.text);
    }
    free(data);
}

/* "DIGEST  lua/NAME": each file of Lua is the one that was run. */
static void check_scripts(
    const char *bundle, const struct ng_tape *tape, struct findings *findings) {
    for (size_t i = 0; tape->head.scripts != NULL && tape->head.scripts[i] != NULL; i++) {
        const char *line = tape->head.scripts[i];
        char digest[NG_DIGEST_TEXT];
        const char *name = strlen(line) > NG_DIGEST_TEXT ? line + NG_DIGEST_TEXT + 1 : "";
        if (strncmp(name, "lua/", 4) != 0 || strstr(name, "..") != NULL) {
            problem(findings, "the head of the evidence names a file of Lua that cannot be one");
            continue;
        }
        memcpy(digest, line, NG_DIGEST_TEXT - 1);
        digest[NG_DIGEST_TEXT - 1] = '\0';
        check_digest(bundle, name, digest, findings);
    }
}

static void check_evidence(
    const char *bundle, const struct ng_tape *tape, struct findings *findings) {
    for (size_t i = 0; i < tape->count; i++) {
        check_object(tape, tape->entries[i].out, findings);
        check_object(tape, tape->entries[i].err, findings);
        check_object(tape, tape->entries[i].stdin_digest, findings);
    }
    findings->checked++;
    if (tape->altered) {
        problem(findings, "evidence/index.jsonl was changed after the run");
    }
    check_digest(bundle, "plan.yaml", tape->head.plan_digest, findings);
    check_digest(bundle, "baseline.json", tape->head.baseline_digest, findings);
    check_scripts(bundle, tape, findings);
}

/* Whether a file of the bundle has the bytes that the replay made. */
static void compare(
    const char *bundle, const char *again, const char *name, struct findings *findings) {
    char paths[2][PATH_CAP];
    char *data[2] = {NULL, NULL};
    size_t len[2] = {0, 0};
    struct ng_err err = {0};
    snprintf(paths[0], sizeof paths[0], "%s/%s", bundle, name);
    snprintf(paths[1], sizeof paths[1], "%s/%s", again, name);
    findings->checked++;
    if (!ng_file_read(paths[0], FILE_CAP, &data[0], &len[0], &err) ||
        !ng_file_read(paths[1], FILE_CAP, &data[1], &len[1], &err)) {
        problem(findings, err.text);
    } else if (len[0] != len[1] || memcmp(data[0], data[1], len[0]) != 0) {
        ng_err_set(&err, NG_ERR_FORMAT, "%s does not follow from the evidence", paths[0]);
        problem(findings, err.text);
    }
    free(data[0]);
    free(data[1]);
}

/* Every file that the replay made: records, plans and reports, also in folders (plots). */
static void compare_all(
    const char *bundle, const char *again, const char *folder, struct findings *findings) {
    struct ng_arena arena;
    struct dirent **entries = NULL;
    ng_arena_init(&arena);
    const int count =
        scandir(ng_arena_printf(&arena, "%s/%s", again, folder), &entries, NULL, alphasort);
    if (count < 0) {
        problem(findings, "the folder of the replay cannot be read");
    }
    for (int i = 0; i < count; i++) {
        struct stat st;
        const char *name = ng_arena_printf(&arena, "%s%s", folder, entries[i]->d_name);
        const char *path = ng_arena_printf(&arena, "%s/%s", again, name);
        if (entries[i]->d_name[0] != '.' && stat(path, &st) == 0) {
            if (!S_ISDIR(st.st_mode)) {
                compare(bundle, again, name, findings);
            } else if (folder[0] == '\0') {
                compare_all(bundle, again, ng_arena_printf(&arena, "%s/", name), findings);
            }
        }
        free(entries[i]);
    }
    free(entries);
    ng_arena_release(&arena);
}

static void check_replay(const char *bundle, const char *again, struct findings *findings) {
    const struct ng_rerun_options options = {.bundle = bundle, .out = again};
    struct ng_rerun rerun;
    struct ng_err err = {0};
    bool usage = false;
    if (!ng_rerun_run(&options, &rerun, &usage, &err)) {
        problem(findings, err.text);
    } else {
        if (rerun.unanswered > 0) {
            problem(findings, rerun.first_unanswered);
        }
        if (rerun.unused > 0) {
            problem(findings, "the evidence holds commands that the plan does not ask for");
        }
        compare_all(bundle, again, "", findings);
    }
    ng_rerun_release(&rerun);
}

/* The verdict over a bundle whose record and evidence could be read. */
static int judge(const char *bundle, const struct ng_result *result, const struct ng_tape *tape,
    struct ng_err *err) {
    struct findings findings = {0};
    char *again = NULL;
    if (!ng_dir_create_temp("nasgate-verify", &again, err)) {
        return NG_EXIT_ERROR;
    }
    check_evidence(bundle, tape, &findings);
    if (tape->finished) {
        check_replay(bundle, again, &findings);
    } else {
        problem(&findings, "the run was cut short, so no verdict follows from its evidence");
    }
    if (findings.problems > 0 && tape->head.version != NULL &&
        strcmp(tape->head.version, NG_VERSION) != 0) {
        fprintf(stderr,
            "nasgate: note: recorded by nasgate %.40s, this is " NG_VERSION
            ": it may write reports in another way\n",
            tape->head.version);
    }
    if (!ng_dir_remove(again, err)) {
        problem(&findings, err->text);
    }
    free(again);
    if (findings.problems > 0) {
        fprintf(stderr, "nasgate: exit %d: %zu of %zu checks failed\n", NG_EXIT_FAIL,
            findings.problems, findings.checked);
        return NG_EXIT_FAIL;
    }
    struct ng_buf out;
    ng_buf_init(&out, PATH_CAP);
    ng_buf_addf(&out,
        "%s: %zu checks: plan and evidence are those of the run, and the verdict (%s) follows "
        "from them\n",
        bundle, findings.checked, result->verdict);
    const bool printed = ng_cli_print(&out);
    ng_buf_release(&out);
    return printed ? NG_EXIT_PASS : NG_EXIT_ERROR;
}

static int verify(const struct ng_arguments *arguments) {
    const char *bundle = arguments->words[0];
    struct ng_err err = {0};
    char evidence[PATH_CAP];
    snprintf(evidence, sizeof evidence, "%s/evidence", bundle);
    struct ng_result *result = ng_result_load(bundle, &err);
    struct ng_tape *tape = result != NULL ? ng_tape_read(evidence, &err) : NULL;
    int code = NG_EXIT_USAGE;
    if (tape != NULL) {
        code = judge(bundle, result, tape, &err);
    } else if (result != NULL) {
        ng_err_wrap(&err,
            "%s has no evidence that can be read (a bundle made by replay has none: "
            "verify the run's own)",
            bundle);
    }
    if (code == NG_EXIT_USAGE || code == NG_EXIT_ERROR) {
        ng_cli_complain(&err);
    }
    ng_tape_free(tape);
    ng_result_free(result);
    return code;
}

const struct ng_command_row ng_command_verify = {
    .name = "verify",
    .words = "BUNDLE",
    .summary = "check a bundle's digests and that its verdict follows from its evidence",
    .examples = "  nasgate verify nasgate-out/plan/20260101T000000Z\n",
    .options = NULL,
    .option_count = 0,
    .words_min = 1,
    .words_max = 1,
    .run = verify,
};
