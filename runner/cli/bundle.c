/* The folder of one run. */
#include "runner/cli/bundle.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "plans/language/effective.h"
#include "runner/base/clock.h"
#include "runner/base/digest.h"
#include "runner/base/files.h"
#include "runner/result/store.h"

enum { SAME_SECOND_MAX = 99, EFFECTIVE_CAP = 16 * 1024 * 1024, BASELINE_CAP = 256 * 1024 * 1024 };

static bool exists(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0 || errno != ENOENT;
}

/* A folder that was asked for: new, or there and empty. */
static const char *wished(const char *wish, struct ng_err *err) {
    bool empty = false;
    if (!exists(wish)) {
        return ng_dir_create(wish, err) ? wish : NULL;
    }
    if (!ng_dir_is_empty(wish, &empty, err)) {
        return NULL;
    }
    if (!empty) {
        ng_err_set(err, NG_ERR_USAGE,
            "%s is not empty: a run is never written over another; choose a new folder", wish);
        return NULL;
    }
    return wish;
}

static const char *by_time(struct ng_plan *plan, int64_t wall_ns, struct ng_err *err) {
    char time[NG_TIME_TEXT];
    const char *parent = ng_arena_printf(&plan->arena, "nasgate-out/%s", plan->name);
    if (!ng_dir_create(parent, err)) {
        return NULL;
    }
    ng_time_format_compact(wall_ns, time);
    const char *path = ng_arena_printf(&plan->arena, "%s/%s", parent, time);
    for (int i = 2; !ng_dir_create_new(path, err); i++) {
        if (!exists(path) || i > SAME_SECOND_MAX) {
            return NULL;
        }
        *err = (struct ng_err){0}; /* of another run in this second, maybe made just now */
        path = ng_arena_printf(&plan->arena, "%s/%s-%d", parent, time, i);
    }
    return path;
}

static bool put(struct ng_plan *plan, const char *dir, const char *name, const char *text,
    size_t len, struct ng_err *err) {
    return ng_file_write_atomic(ng_arena_printf(&plan->arena, "%s/%s", dir, name), text, len, err);
}

static bool put_effective(struct ng_plan *plan, const char *dir, struct ng_err *err) {
    struct ng_buf text;
    ng_buf_init(&text, EFFECTIVE_CAP);
    ng_effective_write(plan, &text);
    const bool ok = put(plan, dir, "effective.yaml", ng_buf_text(&text), text.len, err);
    ng_buf_release(&text);
    return ok;
}

static bool put_baseline(
    struct ng_plan *plan, const struct ng_result *baseline, const char *dir, struct ng_err *err) {
    if (baseline == NULL) {
        return true;
    }
    struct ng_buf text;
    ng_buf_init(&text, BASELINE_CAP);
    ng_result_write(baseline, &text);
    const bool ok = put(plan, dir, "baseline.json", ng_buf_text(&text), text.len, err);
    ng_buf_release(&text);
    return ok;
}

static bool put_scripts(struct ng_plan *plan, const char *dir, struct ng_err *err) {
    for (size_t i = 0; i < plan->script_count; i++) {
        const struct ng_script *script = plan->scripts[i];
        const char *name = ng_arena_printf(&plan->arena, "lua/%s", script->name);
        const char *path = ng_arena_printf(&plan->arena, "%s/%s", dir, name);
        char *folder = ng_arena_strdup(&plan->arena, path);
        *strrchr(folder, '/') = '\0';
        if (!ng_dir_create(folder, err) || !put(plan, dir, name, script->text, script->len, err)) {
            return false;
        }
    }
    return true;
}

const char *const *ng_bundle_scripts(struct ng_plan *plan) {
    char digest[NG_DIGEST_TEXT];
    if (plan->script_count == 0) {
        return NULL;
    }
    const char **lines = ng_arena_array(&plan->arena, plan->script_count + 1, sizeof *lines);
    for (size_t i = 0; i < plan->script_count; i++) {
        const struct ng_script *script = plan->scripts[i];
        lines[i] = ng_arena_printf(
            &plan->arena, "%s  lua/%s", ng_digest(script->text, script->len, digest), script->name);
    }
    return lines;
}

const char *ng_bundle_new(struct ng_plan *plan, const struct ng_result *baseline, const char *wish,
    int64_t wall_ns, struct ng_err *err) {
    const char *dir = wish != NULL ? wished(wish, err) : by_time(plan, wall_ns, err);
    if (dir != NULL && put(plan, dir, "plan.yaml", plan->text, plan->text_len, err) &&
        put_effective(plan, dir, err) && put_scripts(plan, dir, err) &&
        put_baseline(plan, baseline, dir, err)) {
        return dir;
    }
    if (err->kind == NG_ERR_FULL) {
        ng_err_wrap(err, "the output cannot be kept");
    } else if (err->kind != NG_ERR_USAGE) {
        err->kind = NG_ERR_USAGE;
        ng_err_wrap(err, "the output folder cannot be used");
    }
    return NULL;
}
