/**
 * origin.h - where the plan comes from: its commit in git and whether the tree was changed.
 */
#ifndef NG_EXECUTE_ORIGIN_H
#define NG_EXECUTE_ORIGIN_H

#include "runner/execute/context.h"

/** Asks git on the runner's machine; fills plan_commit and plan_tree of the result, which stay NULL
 * where git is missing or the plan lies outside of a work tree. Never an error of the run. */
void ng_origin_collect(struct ng_run *run);

#endif
