/**
 * sample.h - the cheap part of a host's state, read again and again by one long-lived shell while a
 * phase runs (sampler.sh).
 *
 * A sample has the counters that change all the time, and the sources that have changed since the
 * one before. The facts at a moment are those from before the phase with these sources in the place
 * of theirs, so that a guard is the same function over facts as its precondition.
 *
 *   TOKEN H 1|forks     begins; "forks": the shell there needs a process for each pause
 *   TOKEN S UPTIME      a sample, and below it, each where the host has it:
 *     L ... /proc/loadavg   C ... the first line of /proc/stat   B procs_blocked
 *     P ... the first line of /proc/pressure/io   D DISK ... /sys/block/DISK/stat
 *     N INTERFACE rx_bytes tx_bytes rx_errors tx_errors rx_dropped tx_dropped
 *   frames of changed sources (frame.h): mountinfo and mdstat whole, md, net and block by line
 *   TOKEN Z end         it was told to end
 */
#ifndef NG_FACTS_SAMPLE_H
#define NG_FACTS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/base/strv.h"
#include "runner/facts/facts.h"

extern const unsigned char ng_sampler_sh[];
extern const size_t ng_sampler_sh_len;

enum {
    NG_SAMPLES_MAX = 1000000,
    NG_SAMPLE_DISKS_MAX = 64,
    NG_SAMPLE_NICS_MAX = 64,
    NG_SAMPLE_ARRAYS_MAX = 64,
    NG_SAMPLE_LABELS_MAX = 128,
};

/** What is sampled besides what every host has. Names as in /sys; borrowed. */
struct ng_sample_needs {
    const char *disks[NG_SAMPLE_DISKS_MAX];
    size_t disk_count;
    const char *nics[NG_SAMPLE_NICS_MAX];
    size_t nic_count;
    const char *arrays[NG_SAMPLE_ARRAYS_MAX]; /* of md */
    size_t array_count;
    const char *labels[NG_SAMPLE_LABELS_MAX]; /* lines of the source "block" (block.h) */
    size_t label_count;
    bool mounts;
};
/** All that facts show: whole disks, interfaces that are up, md arrays, what bcache and btrfs are
 * at, what lies below devices of the device mapper, and the mounts. What goes beyond the bounds is
 * not sampled. Names and labels live in `arena`.
 */
void ng_sample_needs_all(
    const struct ng_facts *facts, struct ng_arena *arena, struct ng_sample_needs *needs);
/** Appends the argv that runs the sampler; the script is its standard input. */
void ng_sample_argv(
    const struct ng_sample_needs *needs, const char *token, int64_t every_ns, struct ng_strv *argv);

/** Counters at one time; -1: not known. Bytes and errors are sums over the interfaces and disks. */
struct ng_sample {
    double uptime; /* s */
    double load1;
    int64_t blocked;                 /* tasks in state D that wait for disks */
    int64_t cpu_busy, cpu_total;     /* ticks since the start of the host */
    int64_t io_stall_us;             /* some task waited for I/O, since the start of the host */
    int64_t disk_read, disk_written; /* bytes since the start of the host */
    int64_t rx_bytes, tx_bytes, net_errors, net_drops;
};

/** A source that had changed by a sample. */
struct ng_sample_change {
    size_t sample; /* index */
    const char *source;
    const char *text;
    size_t len;
};

struct ng_samples {
    struct ng_sample *items;
    size_t count, capacity;
    struct ng_sample_change *changes; /* in order; those of the first sample are the baseline */
    size_t change_count, change_capacity;
    bool ended; /* the sampler was told to end, and nothing is missing before it */
    bool forks; /* a process was needed for each pause */
    bool cut;   /* there were more than are kept */
};

/** Never fails; what is not understood is left out. */
void ng_samples_parse(struct ng_samples *samples, struct ng_arena *arena, const char *token,
    const char *bytes, size_t len);

/** Facts as they were at a sample: those of before, with all changes up to it. Nothing but the
 * sources that are sampled is newer. */
struct ng_facts *ng_samples_facts(const struct ng_samples *samples, size_t sample,
    const struct ng_facts *before, struct ng_arena *arena);

#endif
