/**
 * threshold.h - a line of `pass:` or `predict:` as a checked tree.
 */
#ifndef NG_LANGUAGE_THRESHOLD_H
#define NG_LANGUAGE_THRESHOLD_H

#include "plans/language/expr.h"
#include "plans/language/node.h"

/**
 * Parses and checks one threshold of `phase`. Errors point into the scalar where its characters
 * stand in the file as they are, else at the scalar. Earlier phases are those of `plan` before
 * `phase` (by its index). NULL after errors were added, and without one where the phase that is
 * named has no kind, because it is in error itself.
 */
const struct ng_threshold *ng_threshold_parse_node(struct ng_arena *arena,
    const struct ng_node *node, const struct ng_plan *plan, const struct ng_phase *phase,
    struct ng_diags *diags);

#endif
