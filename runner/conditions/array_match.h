/**
 * array_match.h - the array that a volume states (`array: {device, level, disks, bays}`) against
 * those that were found.
 */
#ifndef NG_CONDITIONS_ARRAY_MATCH_H
#define NG_CONDITIONS_ARRAY_MATCH_H

#include "runner/conditions/array_scope.h"

/** Says how they differ. `scope` is that of the volume; nothing for one that states no array. */
void ng_array_match(struct ng_outcome *outcome, const struct ng_array_scope *scope);

#endif
