/**
 * array_healthy.h - the precondition `array_healthy`: no array of a host, or none that keeps the
 * data of a volume, is degraded, and each is what the plan states (`array:` of a volume).
 */
#ifndef NG_CONDITIONS_ARRAY_HEALTHY_H
#define NG_CONDITIONS_ARRAY_HEALTHY_H

#include "runner/conditions/condition.h"

struct ng_array_healthy_params {
    const struct ng_host *host;
    const struct ng_volume *volume; /* in the place of host */
};

extern const struct ng_condition ng_condition_array_healthy;

#endif
