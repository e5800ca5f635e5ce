/**
 * cpufreq.h - who decides how fast the processors run, and within which limits.
 */
#ifndef NG_FACTS_CPUFREQ_H
#define NG_FACTS_CPUFREQ_H

#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"

enum { NG_CPU_POLICIES_MAX = 2048, NG_CPU_LINES_MAX = 65536 };

/** Processors that share one decision. Texts are clean; NULL: not there or not readable. */
struct ng_cpu_policy {
    const char *name; /* "policy0", or "cpu0" where kernels list processors */
    const char *governor, *driver, *preference;
    int64_t lowest, highest; /* limits in force, kHz; -1: unknown */
    int64_t ability;         /* cpuinfo_max_freq, kHz; -1: unknown */
};

struct ng_cpufreq {
    struct ng_cpu_policy *items;
    size_t count, capacity;
    enum ng_answer turbo; /* whether frequencies beyond the nominal one are allowed */
    const char *why;      /* why nothing is known, or NULL */
    size_t dropped;       /* what was beyond these bounds */
};

/** Lines `[cpufreq/]POLICY/[cpufreq/]FILE:VALUE`, `[cpufreq/]POLICY/:` for one that is there,
 * `.../boost:1` and `.../no_turbo:0`. Files that could not be read have no line. */
void ng_cpufreq_parse(
    struct ng_cpufreq *cpufreq, struct ng_arena *arena, const char *text, size_t len);

#endif
