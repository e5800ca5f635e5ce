/**
 * script.h - files of Lua that a plan names, and who finds, checks and runs them.
 *
 * The language lies below the Lua host and must not know it. So the command line hands it down, as
 * it does with the vocabulary, and the plan keeps it for those who evaluate.
 */
#ifndef NG_LANGUAGE_SCRIPT_H
#define NG_LANGUAGE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "plans/language/diag.h"
#include "runner/base/err.h"

enum { NG_SCRIPTS_MAX = 256, NG_SCRIPT_BYTES_MAX = 256 * 1024, NG_SCRIPT_NAME_MAX = 200 };

/** One file. Lives in the plan's arena; each file once, however often it is named. */
struct ng_script {
    const char *name; /* as reports call it: "no_backup_job.lua", "checks/disks.lua" */
    const char *file; /* where it was found, for messages at its places */
    const char *text;
    size_t len;
    bool shipped; /* comes with the program, not from beside the plan */
};

struct ng_script_call; /* runner/result/script_call.h */

struct ng_scripts {
    /** Finds the file of a name, which is relative, without "..", and ends with ".lua": beside the
     * plan first, then among those that are shipped. Fills all members but `name`, in the arena. */
    bool (*find)(void *context, struct ng_arena *arena, const char *name, struct ng_script *out,
        struct ng_err *err);
    /** Adds what is wrong with it, without running it. */
    void (*check)(const struct ng_script *script, struct ng_diags *diags);
    /** Whether a script may read an argument of that name; where it does not, *near is the one that
     * may be meant, in the arena, or NULL. NULL: that is not known. */
    bool (*reads)(const struct ng_script *script, const char *name, struct ng_arena *arena,
        const char **near);
    /** Runs one. */
    void (*run)(struct ng_script_call *call);
    void *context; /* of `find`, which is called only while a plan is loaded */
};

#endif
