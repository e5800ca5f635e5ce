/**
 * page_drop.h - drops the page cache of hosts before a repeat, where the plan says so
 * (conditions/page_cache.h).
 */
#ifndef NG_EXECUTE_PAGE_DROP_H
#define NG_EXECUTE_PAGE_DROP_H

#include "runner/execute/context.h"

/** Drops on all hosts at the same time. What came of it is in the repeat's records and evidence; a
 * cache that was not dropped is a finding that makes it inconclusive. */
void ng_page_drop(struct ng_run *run, const struct ng_phase *phase, struct ng_repeat *repeat);

#endif
