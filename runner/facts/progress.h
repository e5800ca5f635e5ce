/**
 * progress.h - how far a job is and how long it takes, in the spellings of storage tools.
 */
#ifndef NG_FACTS_PROGRESS_H
#define NG_FACTS_PROGRESS_H

#include "runner/facts/scan.h"

/** The number before the first "%": "12.34% done", "96,19% done" of a tool with a comma for a
 * point. Above 100 (ZFS prints that) is 100. -1: there is none. */
double ng_progress_percent(struct ng_span text);
/**
 * A duration that is the whole text: "1h2m", "3h12m5s", "00:19:47", "0:07", "0 days 00:19:47",
 * "1 days 02:55:32". Nanoseconds; -1: it is none, or beyond what an int64 holds.
 */
int64_t ng_progress_duration(struct ng_span text);

#endif
