/**
 * no_rebuild.h - the precondition `no_rebuild`: no array of a host, or on the disks of a volume, is
 * at work on its own (activity.h), or is about to be.
 */
#ifndef NG_CONDITIONS_NO_REBUILD_H
#define NG_CONDITIONS_NO_REBUILD_H

#include "runner/conditions/condition.h"

struct ng_no_rebuild_params {
    const struct ng_host *host;
    const struct ng_volume *volume; /* in the place of host */
    struct ng_texts allow;          /* words of activity.h */
    int64_t wait_ns;                /* how long the run may wait for the end; 0: not at all */
};

/** Whether a precondition of the site waits for the end of what keeps this array busy; `index` is
 * that in the host's facts->arrays. */
bool ng_no_rebuild_awaits(
    const struct ng_condition_site *site, const struct ng_host *host, size_t index);

extern const struct ng_condition ng_condition_no_rebuild;

#endif
