/**
 * effective.h - the plan with every parameter, default and short form resolved, as a plan again.
 *
 * What it prints loads to the same plan. Thresholds stand as they were written, after substitution.
 */
#ifndef NG_LANGUAGE_EFFECTIVE_H
#define NG_LANGUAGE_EFFECTIVE_H

#include "plans/language/plan.h"
#include "runner/base/buf.h"

void ng_effective_write(const struct ng_plan *plan, struct ng_buf *out);

#endif
