/* Where the files of Lua of a plan come from. */
#include "lua/host/library.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lua/host/check.h"
#include "lua/host/host.h"
#include "lua/host/run.h"
#include "lua/host/shipped.h"
#include "lua/host/unread.h"
#include "runner/base/files.h"
#include "runner/base/text.h"

enum { NAMES_MAX = 100 };

/* What to write for a name that no file has. */
static const char *nearest_shipped(const char *name) {
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (const struct ng_shipped_script *row = ng_shipped_scripts; row->name != NULL; row++) {
        if (count < NAMES_MAX) {
            names[count++] = row->name;
        }
    }
    return ng_text_nearest(name, names, count);
}

static bool read_file(
    struct ng_arena *arena, const char *path, struct ng_script *out, struct ng_err *err) {
    char *text = NULL;
    size_t len = 0;
    if (!ng_file_read(path, NG_LUA_SOURCE_MAX, &text, &len, err)) {
        return false;
    }
    out->file = path;
    out->text = ng_arena_strndup(arena, text, len);
    out->len = len;
    free(text);
    return true;
}

static bool find(void *context, struct ng_arena *arena, const char *name, struct ng_script *out,
    struct ng_err *err) {
    const struct ng_lua_library *library = context;
    struct stat st;
    if (library->folder != NULL) {
        const bool here = strcmp(library->folder, ".") == 0;
        const char *path = here ? name : ng_arena_printf(arena, "%s/%s", library->folder, name);
        if (stat(path, &st) == 0) {
            if (!ng_file_is_within(path, library->folder)) {
                return ng_err_set(err, NG_ERR_PLAN,
                    "%s leads out of the plan's folder: copy the file to beside the plan", name);
            }
            return read_file(arena, path, out, err);
        }
    }
    const struct ng_shipped_script *shipped = library->only_folder ? NULL : ng_shipped_find(name);
    if (shipped != NULL) {
        out->file = shipped->name;
        out->text = shipped->text;
        out->len = shipped->len;
        out->shipped = true;
        return true;
    }
    const char *near = nearest_shipped(name);
    return ng_err_set(err, NG_ERR_PLAN, "there is no %s %s%s%s%s", name,
        library->only_folder ? "in the bundle" : "beside the plan or among the shipped checks",
        near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
        near != NULL ? "\"?" : " (\"nasgate lua --list\" names those)");
}

static void check(const struct ng_script *script, struct ng_diags *diags) {
    ng_lua_check(script->file, script->text, script->len, diags);
}

static bool reads(
    const struct ng_script *script, const char *name, struct ng_arena *arena, const char **near) {
    return ng_lua_reads_argument(script->text, script->len, name, arena, near);
}

const struct ng_scripts *ng_lua_library_open(struct ng_lua_library *library) {
    library->scripts = (struct ng_scripts){
        .find = find, .check = check, .reads = reads, .run = ng_lua_run_call, .context = library};
    return &library->scripts;
}
