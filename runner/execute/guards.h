/**
 * guards.h - preconditions looked at again: while a repeat is measured, from samples, and after it,
 * from facts that are collected anew.
 *
 * What does not hold then is a break: with the moment, or with the repeat as the span in which it
 * must have been. The numbers of that repeat are kept, and nobody stands behind them.
 */
#ifndef NG_EXECUTE_GUARDS_H
#define NG_EXECUTE_GUARDS_H

#include "runner/execute/context.h"
#include "runner/execute/preflight.h"
#include "runner/execute/watch.h"

struct ng_guards;

/** The guards among all preconditions. Takes the facts of before the first phase from run->facts.
 */
struct ng_guards *ng_guards_new(struct ng_run *run, const struct ng_preflight *preflight);
void ng_guards_free(struct ng_guards *guards);

/** How many there are. */
size_t ng_guards_count(const struct ng_guards *guards);

/**
 * Judges them over a repeat that has ended: collects facts, adds every break to the result's events
 * and, as a finding that disowns its numbers, to `repeat`. Returns how many breaks there were; sets
 * run->broken when one of the guards says on_broken: stop.
 */
size_t ng_guards_judge(struct ng_guards *guards, const struct ng_phase *phase,
    const struct ng_watched *watched, size_t count, struct ng_repeat *repeat);

/** Waits until all guards hold, at most so long or until the user's signal; says whether they do.
 */
bool ng_guards_await(struct ng_guards *guards, const char *purpose, int64_t at_most_ns);

#endif
