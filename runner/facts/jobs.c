/* Jobs of NAS units that falsify a measurement, by the names of their processes. */
#include "runner/facts/jobs.h"

#include <string.h>

static const char *const backup[] = {"img_backup", "synodr*", "rsync", "restic", "borg", NULL};
static const char *const indexing[] = {
    "synoindexd", "synomediaparserd", "mymediadbserver", "qsirch", "updatedb", NULL};
static const char *const lazy_init[] = {"ext4lazyinit", NULL};
static const char *const mover[] = {"mover", NULL};
static const char *const rebuild[] = {"md*_resync", "md*_reshape", NULL};
static const char *const scheduled[] = {"synoscheduled*", NULL};
static const char *const trim[] = {"fstrim", NULL};

const struct ng_job_group ng_job_groups[] = {
    {"backup", backup, "Hyper Backup and snapshot replication of DSM, rsync, restic, borg"},
    {"indexing", indexing, "media and search indexing of DSM and QTS, updatedb; daemons that stay"},
    {"lazy_init", lazy_init, "ext4's initialisation after mkfs"},
    {"mover", mover, "Unraid's mover"},
    {"rebuild", rebuild, "md's threads that rebuild or check"},
    {"scheduled", scheduled, "scheduled tasks of DSM"},
    {"trim", trim, "fstrim"},
};
const size_t ng_job_group_count = NG_COUNT(ng_job_groups);

const struct ng_job_group *ng_job_group_of(const char *word) {
    for (size_t i = 0; i < ng_job_group_count; i++) {
        if (strcmp(ng_job_groups[i].word, word) == 0) {
            return &ng_job_groups[i];
        }
    }
    return NULL;
}

const char *ng_jobs_known(const struct ng_tasks *tasks, struct ng_arena *arena) {
    const char *text = "";
    for (size_t i = 0; i < ng_job_group_count; i++) {
        for (const char *const *name = ng_job_groups[i].names; *name != NULL; name++) {
            const struct ng_task_match match = ng_tasks_match(tasks, arena, *name);
            if (match.task != NULL) {
                text = ng_arena_printf(arena, "%s%s%s", text, *text != '\0' ? ", " : "", match.how);
            }
        }
    }
    return text;
}
