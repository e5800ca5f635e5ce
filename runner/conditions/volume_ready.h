/**
 * volume_ready.h - the precondition `volume_ready`: a volume can be written to. The run adds one by
 * itself for every volume that a phase works on, so its parameters are public.
 */
#ifndef NG_CONDITIONS_VOLUME_READY_H
#define NG_CONDITIONS_VOLUME_READY_H

#include "runner/conditions/condition.h"

struct ng_volume_ready_params {
    const struct ng_volume *volume;
    int64_t room; /* bytes that must be available; 0: not asked */
};

extern const struct ng_condition ng_condition_volume_ready;

#endif
