/**
 * threshold.h - thresholds from nodes, whose places are known better than those of plain texts.
 */
#ifndef NG_LANGUAGE_THRESHOLD_H
#define NG_LANGUAGE_THRESHOLD_H

#include "plans/language/expr.h"
#include "plans/language/node.h"

/** As ng_threshold_parse; errors point into the scalar where its characters stand in the file as
 * they are, else at the scalar. */
const struct ng_threshold *ng_threshold_parse_node(struct ng_arena *arena,
    const struct ng_node *node, const struct ng_plan *plan, const struct ng_phase *phase,
    struct ng_diags *diags);

#endif
