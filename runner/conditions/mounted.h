/**
 * mounted.h - the precondition `mounted`: a volume lies on the mount that the plan describes. The
 * run adds one by itself for every volume that says `mount:` and that a phase works on, so that no
 * number is ever told of a mount that is not there.
 */
#ifndef NG_CONDITIONS_MOUNTED_H
#define NG_CONDITIONS_MOUNTED_H

#include "runner/conditions/condition.h"

struct ng_mounted_params {
    const struct ng_volume *volume;
    bool write_check; /* the server must see what is written on the volume */
};

extern const struct ng_condition ng_condition_mounted;

#endif
