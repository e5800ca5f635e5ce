/* Where the plan comes from. */
#include "runner/execute/origin.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/execute/batch.h"

enum { COMMIT_CHARS = 64 };

#define GIT_NS (10 * NG_NS_PER_S)

/* The machine nasgate runs on, where the plan's file is; no host of the plan. */
static const char runner_host[] = "(runner)";

static bool succeeded(const struct ng_reply *reply) {
    return reply->how == NG_ENDED_EXITED && reply->status == 0;
}

/* Reads `git status --porcelain=v2 --branch`: headers begin with '#', anything else is a change. */
static void read_status(struct ng_result *result, const struct ng_reply *reply) {
    static const char oid[] = "# branch.oid ";
    result->plan_tree = "clean";
    for (const char *line = reply->out; line != NULL && *line != '\0';) {
        const char *end = strchr(line, '\n');
        const size_t len = end != NULL ? (size_t)(end - line) : strlen(line);
        if (strncmp(line, oid, strlen(oid)) == 0) {
            result->plan_commit = ng_text_clean_dup(
                &result->arena, line + strlen(oid), len - strlen(oid), NG_TEXT_LINE, COMMIT_CHARS);
        } else if (line[0] != '#') {
            result->plan_tree = "changed";
        }
        line = end != NULL ? end + 1 : line + len;
    }
}

void ng_origin_collect(struct ng_run *run) {
    const char *slash = strrchr(run->plan->file, '/');
    const char *name = slash != NULL ? slash + 1 : run->plan->file;
    const char *const status[] = {"git", "--no-optional-locks", "status", "--porcelain=v2",
        "--branch", "--untracked-files=no", NULL};
    const char *const tracked[] = {"git", "ls-files", "--error-unmatch", "--", name, NULL};
    const struct ng_request requests[] = {
        {.host = runner_host,
            .purpose = "origin of the plan",
            .argv = status,
            .cwd = run->options.plan_dir,
            .deadline_ns = GIT_NS},
        {.host = runner_host,
            .purpose = "origin of the plan",
            .argv = tracked,
            .cwd = run->options.plan_dir,
            .deadline_ns = GIT_NS},
    };
    struct ng_reply replies[NG_COUNT(requests)];
    ng_batch_run(run, requests, NG_COUNT(requests), true, replies);
    if (succeeded(&replies[0])) {
        read_status(run->result, &replies[0]);
        if (!succeeded(&replies[1])) {
            run->result->plan_tree = "plan is not tracked";
        }
    }
    for (size_t i = 0; i < NG_COUNT(requests); i++) {
        ng_reply_release(&replies[i]);
    }
}
