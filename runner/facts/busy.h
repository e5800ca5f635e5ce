/**
 * busy.h - how busy a host is: load, pressure, processes, disks' counters, who sets the processors'
 * speed.
 */
#ifndef NG_FACTS_BUSY_H
#define NG_FACTS_BUSY_H

#include "runner/facts/cpufreq.h"
#include "runner/facts/diskstats.h"
#include "runner/facts/load.h"
#include "runner/facts/tasks.h"

/** The files of /proc/pressure. */
#define NG_PRESSURES(X)                                                                            \
    X(NG_PRESSURE_CPU, "cpu")                                                                      \
    X(NG_PRESSURE_IO, "io")                                                                        \
    X(NG_PRESSURE_MEMORY, "memory")

enum ng_pressure_kind {
#define X(name, word) name,
    NG_PRESSURES(X)
#undef X
        NG_PRESSURE_COUNT
};
const char *ng_pressure_word(enum ng_pressure_kind kind);

struct ng_busy {
    struct ng_loadavg average;
    const char *average_why; /* why it is unknown, or NULL */
    struct ng_pressure pressure[NG_PRESSURE_COUNT];
    const char *pressure_why[NG_PRESSURE_COUNT];
    double uptime;         /* seconds; -1: unknown */
    struct ng_flows disks; /* since they are there */
    const char *disks_why;
    struct ng_tasks tasks; /* where they were asked for */
    struct ng_cpufreq cpufreq;
    enum ng_answer drop_caches; /* whether the page cache may be dropped by whoever collects */
};

struct ng_facts;
/** Fills facts->load. Used by facts.c alone. */
void ng_busy_read(struct ng_facts *facts, struct ng_arena *arena);
void ng_busy_none(struct ng_busy *busy, const char *reason);

#endif
