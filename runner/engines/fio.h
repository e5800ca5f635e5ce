/**
 * fio.h - the fio engine: one fio process per measurement point, in the run's own folder.
 *
 * Commands of a repeat. `write` (a new file, from its beginning): remove what an earlier phase
 * left, then measure. All others work on a file that is there as a whole: lay it out where it is
 * missing or too small, look whether it is allocated, then measure (reads with --readonly, because
 * fio destroys a file that is smaller than asked). Only the last command is the measurement.
 * Private to runner/engines.
 */
#ifndef NG_ENGINES_FIO_H
#define NG_ENGINES_FIO_H

#include <jansson.h>

#include "runner/engines/engine.h"

enum { NG_FIO_JOBS_MAX = 256, NG_FIO_MAJOR = 3, NG_FIO_MINOR = 2 };
#define NG_FIO_MINIMUM "3.2" /* the first with bw_bytes; nanoseconds since 2.99 */

enum ng_fio_rw {
    NG_FIO_READ,
    NG_FIO_WRITE,
    NG_FIO_RANDREAD,
    NG_FIO_RANDWRITE,
    NG_FIO_RW,
    NG_FIO_RANDRW,
};
extern const char *const ng_fio_rws[]; /* fio's own words, NULL-terminated */

enum ng_fio_direct { NG_FIO_DIRECT_AUTO, NG_FIO_DIRECT_TRUE, NG_FIO_DIRECT_FALSE };

enum ng_fio_ioengine { NG_FIO_LIBAIO, NG_FIO_IO_URING, NG_FIO_PSYNC, NG_FIO_POSIXAIO };
extern const char *const ng_fio_ioengines[];

struct ng_fio_params {
    const struct ng_volume *volume;
    int rw;           /* enum ng_fio_rw */
    int64_t bs, size; /* bytes; size is that of one job's file */
    int64_t iodepth, jobs;
    int64_t time_ns, ramp_ns; /* 0: not given */
    int direct;               /* enum ng_fio_direct */
    int ioengine;             /* enum ng_fio_ioengine */
    bool end_fsync;
    const char *file;
    double mix;   /* share of reads, 0: not given, which is half */
    int64_t rate; /* bit/s, 0: no cap */
};

extern const struct ng_engine ng_fio;

bool ng_fio_reads(const struct ng_fio_params *params);
bool ng_fio_writes(const struct ng_fio_params *params);
bool ng_fio_random(const struct ng_fio_params *params);
/** Bytes of all jobs' files together. */
int64_t ng_fio_footprint(const struct ng_fio_params *params);
/** Whether the measurement uses O_DIRECT at this site. */
bool ng_fio_is_direct(const struct ng_site *site, const struct ng_fio_params *params);

void ng_fio_check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags);
bool ng_fio_build(const struct ng_site *site, struct ng_commands *out, struct ng_err *err);
bool ng_fio_parse(const struct ng_site *site, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t reply_count, struct ng_repeat *repeat, bool *transient,
    struct ng_err *err);

/** What fio says of one direction of one job. Latencies in seconds (completion latency, clat); NaN:
 *  not in the document. */
struct ng_fio_side {
    double bytes, ios, runtime_s;
    double bw, iops; /* as printed: bytes/s, 1/s */
    double short_ios, drop_ios;
    double bw_mean, bw_dev, bw_samples; /* KiB/s over 500 ms samples, of one job */
    double lat_count, lat_mean, lat_p50, lat_p95, lat_p99, lat_p99_9, lat_max;
};

struct ng_fio_job {
    const char *name;
    int error, total_err;
    double user, system; /* share of one core */
    double elapsed_s;    /* of the fio process */
    struct ng_fio_side read, write;
};

struct ng_fio_report {
    const char *version; /* "3.39-30-g58818" */
    int major, minor;
    struct ng_fio_job *jobs; /* without the sum that client mode adds */
    size_t count;
};

/**
 * Reads one document of fio's JSON output, 3.2 or later; also `client_stats`. Everything lives in
 * `arena`. False when it is not such a document; *out then holds what was read so far.
 */
bool ng_fio_read(
    struct ng_arena *arena, const json_t *doc, struct ng_fio_report *out, struct ng_err *err);

/** All jobs taken together, per direction (fio.c's metric table says how). */
struct ng_fio_sum {
    double bytes, ios, runtime_s, bw, iops;
    double lat_mean, lat_p50, lat_p95, lat_p99, lat_p99_9, lat_max;
};
struct ng_fio_sum ng_fio_add_up(const struct ng_fio_report *report, bool write);

/** The acceptance rules: whether the report is the measurement that was asked for. */
bool ng_fio_accept(const struct ng_site *site, const struct ng_fio_report *report,
    const struct ng_reply *reply, struct ng_err *err);
/** The words and the remedy for an errno that fio reports. */
bool ng_fio_explain(const struct ng_site *site, int number, const char *what, struct ng_err *err);
/** Doubts about a report that was accepted. */
void ng_fio_find(
    const struct ng_site *site, const struct ng_fio_report *report, struct ng_repeat *repeat);

#endif
