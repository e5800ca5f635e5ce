/* Who runs this, and in which CI job. */
#include "runner/cli/holder.h"

#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/guard.h"
#include "runner/base/text.h"

enum { MACHINE_MAX = 256 };

static const char *clean(struct ng_arena *arena, const char *text) {
    return ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, NG_HOLDER_CHARS);
}

const char *ng_holder_who(struct ng_arena *arena) {
    char machine[MACHINE_MAX] = "";
    const bool known = gethostname(machine, sizeof machine - 1) == 0 && machine[0] != '\0';
    const struct passwd *user = getpwuid(geteuid()); /* NOLINT(concurrency-mt-unsafe) */
    const char *name = user != NULL && user->pw_name != NULL
                           ? user->pw_name
                           : ng_arena_printf(arena, "user %ld", (long)geteuid());
    return clean(arena, ng_arena_printf(arena, "%s@%s", name, known ? machine : "unknown"));
}

/* Parts of an address: texts, and variables behind a dollar sign that must all be set. */
static const char *const addresses[][7] = {
    {"$CI_JOB_URL"}, /* GitLab */
    {"$GITHUB_SERVER_URL", "/", "$GITHUB_REPOSITORY", "/actions/runs/", "$GITHUB_RUN_ID"},
    {"$BUILDKITE_BUILD_URL", "#", "$BUILDKITE_JOB_ID"}, {"$CIRCLE_BUILD_URL"},
    {"$SYSTEM_COLLECTIONURI", "$SYSTEM_TEAMPROJECT", "/_build/results?buildId=", "$BUILD_BUILDID"},
    {"$DRONE_BUILD_LINK"}, {"$CI_PIPELINE_URL"}, /* Woodpecker */
    {"$TRAVIS_JOB_WEB_URL"},
    {"$BITBUCKET_GIT_HTTP_ORIGIN", "/pipelines/results/", "$BITBUCKET_BUILD_NUMBER"},
    {"$BUILD_URL"}, /* Jenkins */
};

/* NULL unless all of its variables are set. */
static const char *address(struct ng_arena *arena, const char *const *parts, size_t count) {
    const char *all = "";
    for (size_t i = 0; i < count && parts[i] != NULL; i++) {
        const char *part = parts[i][0] == '$' ? getenv(parts[i] + 1) : parts[i];
        if (part == NULL || part[0] == '\0') {
            return NULL;
        }
        all = ng_arena_printf(arena, "%s%s", all, part);
    }
    return all;
}

const char *ng_holder_job(struct ng_arena *arena) {
    for (size_t i = 0; i < NG_COUNT(addresses); i++) {
        const char *found = address(arena, addresses[i], NG_COUNT(addresses[i]));
        if (found != NULL) {
            return clean(arena, found);
        }
    }
    return "";
}
