/* fio.c - the fio engine's face: fields, metrics, rules across fields, cost. */
#include "runner/engines/fio.h"

#include <string.h>

#include "runner/base/clock.h"
#include "runner/engines/helpers.h"

#define KIB 1024.0
#define NS 1e9 /* per second: durations are in nanoseconds */
#define TIB (KIB * KIB * KIB * KIB)
#define GUESSED_RATE 200e6 /* bytes/s, for what ends when its work is done */

const char *const ng_fio_rws[] = {"read", "write", "randread", "randwrite", "rw", "randrw", NULL};
const char *const ng_fio_ioengines[] = {"libaio", "io_uring", "psync", "posixaio", NULL};
static const char *const directs[] = {"auto", "true", "false", NULL};

#define AT(member) offsetof(struct ng_fio_params, member)

static const struct ng_field fields[] = {
    {.name = "volume",
        .type = NG_FIELD_VOLUME,
        .offset = AT(volume),
        .flags = NG_REQUIRED,
        .help = "where the I/O is done, in the run's own folder there"},
    {.name = "rw",
        .type = NG_FIELD_CHOICE,
        .offset = AT(rw),
        .flags = NG_REQUIRED,
        .choices = ng_fio_rws,
        .help = "what is done: write makes a new file in each repeat; all others work on a file "
                "that is laid out as a whole beforehand, outside the measurement"},
    {.name = "bs",
        .type = NG_FIELD_SIZE,
        .offset = AT(bs),
        .flags = NG_REQUIRED,
        .min = 512,
        .max = 256 * KIB * KIB,
        .help = "block size of one I/O"},
    {.name = "size",
        .type = NG_FIELD_SIZE,
        .offset = AT(size),
        .flags = NG_REQUIRED,
        .min = 512,
        .max = 1024 * TIB,
        .help = "size of each job's file: the working set of one job"},
    {.name = "time",
        .type = NG_FIELD_DURATION,
        .offset = AT(time_ns),
        .min = NS,
        .max = 86400 * NS,
        .help = "how long, in whole seconds, going over the file again as needed; without it the "
                "phase ends when the size is done"},
    {.name = "ramp",
        .type = NG_FIELD_DURATION,
        .offset = AT(ramp_ns),
        .min = NS,
        .max = 3600 * NS,
        .help = "whole seconds before the time that are not measured"},
    {.name = "iodepth",
        .type = NG_FIELD_INT,
        .offset = AT(iodepth),
        .min = 1,
        .max = 1024,
        .fallback = "1",
        .help = "I/Os in flight of each job"},
    {.name = "jobs",
        .type = NG_FIELD_INT,
        .offset = AT(jobs),
        .min = 1,
        .max = NG_FIO_JOBS_MAX,
        .fallback = "1",
        .help = "threads that do the same at the same time, each on its own file"},
    {.name = "direct",
        .type = NG_FIELD_CHOICE,
        .offset = AT(direct),
        .choices = directs,
        .fallback = "auto",
        .help = "past the client's page cache (O_DIRECT); auto uses it where a trial write in the "
                "run's folder worked, and records it; true also tries it where no trial can tell"},
    {.name = "ioengine",
        .type = NG_FIELD_CHOICE,
        .offset = AT(ioengine),
        .choices = ng_fio_ioengines,
        .fallback = "libaio",
        .help = "how fio submits I/O"},
    {.name = "end_fsync",
        .type = NG_FIELD_BOOL,
        .offset = AT(end_fsync),
        .fallback = "true",
        .help = "fsync after the last write; its time is inside the measured time"},
    {.name = "file",
        .type = NG_FIELD_NAME,
        .offset = AT(file),
        .fallback = "data",
        .help = "name of the file; phases of one volume with the same name share it"},
    {.name = "mix",
        .type = NG_FIELD_PERCENT,
        .offset = AT(mix),
        .min = 0.01,
        .max = 0.99,
        .help = "share of reads for rw and randrw, in whole percent; half of them without it"},
    {.name = "rate",
        .type = NG_FIELD_RATE,
        .offset = AT(rate),
        .help = "cap for all jobs together, in each direction"},
};

/* What both directions have in common; percentiles of several jobs cannot be merged from fio's
 * JSON, but the largest of theirs is an upper bound of the merged one. */
#define MEAN "mean completion latency"
#define UPTO "; with several jobs that of the slowest one, an upper bound"
#define CLAT "clat_ns, N-weighted over the jobs"
#define PCTL "clat_ns.percentile, largest of the jobs"

static const struct ng_metric_def metrics[] = {
    {"read.bw", NG_RATE_INIT, NG_BETTER_HIGHER, "bytes read per second, all jobs together",
        "sum of read.io_bytes / longest read.runtime"},
    {"read.iops", NG_IOPS_INIT, NG_BETTER_HIGHER, "reads per second, all jobs together",
        "sum of read.total_ios / longest read.runtime"},
    {"read.bytes", NG_SIZE_INIT, NG_BETTER_NEITHER, "bytes read", "sum of read.io_bytes"},
    {"read.lat.mean", NG_TIME_INIT, NG_BETTER_LOWER, MEAN " of reads", "read." CLAT},
    {"read.lat.p50", NG_TIME_INIT, NG_BETTER_LOWER, "median of it" UPTO, "read." PCTL},
    {"read.lat.p95", NG_TIME_INIT, NG_BETTER_LOWER, "95th percentile" UPTO, "read." PCTL},
    {"read.lat.p99", NG_TIME_INIT, NG_BETTER_LOWER, "99th percentile" UPTO, "read." PCTL},
    {"read.lat.p99.9", NG_TIME_INIT, NG_BETTER_LOWER, "99.9th percentile" UPTO, "read." PCTL},
    {"read.lat.max", NG_TIME_INIT, NG_BETTER_LOWER, "the slowest read", "read.clat_ns.max"},
    {"write.bw", NG_RATE_INIT, NG_BETTER_HIGHER,
        "bytes written per second, all jobs together, the final fsync included",
        "sum of write.io_bytes / longest write.runtime"},
    {"write.iops", NG_IOPS_INIT, NG_BETTER_HIGHER, "writes per second, all jobs together",
        "sum of write.total_ios / longest write.runtime"},
    {"write.bytes", NG_SIZE_INIT, NG_BETTER_NEITHER, "bytes written", "sum of write.io_bytes"},
    {"write.lat.mean", NG_TIME_INIT, NG_BETTER_LOWER, MEAN " of writes", "write." CLAT},
    {"write.lat.p50", NG_TIME_INIT, NG_BETTER_LOWER, "median of it" UPTO, "write." PCTL},
    {"write.lat.p95", NG_TIME_INIT, NG_BETTER_LOWER, "95th percentile" UPTO, "write." PCTL},
    {"write.lat.p99", NG_TIME_INIT, NG_BETTER_LOWER, "99th percentile" UPTO, "write." PCTL},
    {"write.lat.p99.9", NG_TIME_INIT, NG_BETTER_LOWER, "99.9th percentile" UPTO, "write." PCTL},
    {"write.lat.max", NG_TIME_INIT, NG_BETTER_LOWER, "the slowest write", "write.clat_ns.max"},
    {"runtime", NG_TIME_INIT, NG_BETTER_NEITHER, "time measured, ramp and layout not included",
        "longest read.runtime or write.runtime"},
    {"cpu.user", NG_NONE_INIT, NG_BETTER_LOWER,
        "time in fio itself, as a share of one core, all jobs together", "sum of usr_cpu / 100"},
    {"cpu.system", NG_NONE_INIT, NG_BETTER_LOWER,
        "time in the kernel for fio, as a share of one core, all jobs together",
        "sum of sys_cpu / 100"},
};

bool ng_fio_reads(const struct ng_fio_params *params) {
    return params->rw != NG_FIO_WRITE && params->rw != NG_FIO_RANDWRITE;
}

bool ng_fio_writes(const struct ng_fio_params *params) {
    return params->rw != NG_FIO_READ && params->rw != NG_FIO_RANDREAD;
}

bool ng_fio_random(const struct ng_fio_params *params) {
    return params->rw == NG_FIO_RANDREAD || params->rw == NG_FIO_RANDWRITE ||
           params->rw == NG_FIO_RANDRW;
}

int64_t ng_fio_footprint(const struct ng_fio_params *params) {
    return params->size * params->jobs;
}

bool ng_fio_is_direct(const struct ng_site *site, const struct ng_fio_params *params) {
    return params->direct == NG_FIO_DIRECT_TRUE ||
           (params->direct == NG_FIO_DIRECT_AUTO && site->direct == NG_ANSWER_YES);
}

static bool measures(const void *params, const struct ng_metric_def *metric) {
    const struct ng_fio_params *p = params;
    if (strncmp(metric->name, "write.", 6) == 0) {
        return ng_fio_writes(p);
    }
    return strncmp(metric->name, "read.", 5) != 0 || ng_fio_reads(p);
}

static void estimate(const void *params, struct ng_cost *cost) {
    const struct ng_fio_params *p = params;
    double total = (double)ng_fio_footprint(p);
    double rate = GUESSED_RATE;
    if (p->rate > 0 && (double)p->rate / 8 < rate) {
        rate = (double)p->rate / 8;
    }
    bool layout = p->rw != NG_FIO_WRITE;
    double layout_s = layout ? total / GUESSED_RATE : 0;
    double timed_s = (double)(p->time_ns + p->ramp_ns) / (double)NG_NS_PER_S;
    double measured_s = p->time_ns > 0 ? timed_s : total / rate;
    double written = layout ? total : 0;
    if (ng_fio_writes(p)) {
        written += p->time_ns > 0 ? timed_s * rate : total;
    }
    cost->time_ns = ng_seconds_bounded(layout_s + measured_s);
    cost->time_is_guess = p->time_ns == 0 || layout;
    cost->written = (int64_t)written;
    cost->footprint = ng_fio_footprint(p);
    cost->data = p->file;
    cost->parts = (int)p->jobs;
}

static const struct ng_volume *volume_of(const void *params) {
    return ((const struct ng_fio_params *)params)->volume;
}

static size_t hosts(const void *params, const struct ng_host *out[2]) {
    out[0] = ((const struct ng_fio_params *)params)->volume->on;
    return 1;
}

static const struct ng_link *link_of(const void *params) {
    return ((const struct ng_fio_params *)params)->volume->link;
}

const struct ng_engine ng_fio = {
    .kind =
        {
            .record = {.name = "fio",
                .fields = fields,
                .count = NG_COUNT(fields),
                .size = sizeof(struct ng_fio_params),
                .help = "reads and writes files on a volume"},
            .metrics = metrics,
            .metric_count = NG_COUNT(metrics),
            .check = ng_fio_check,
            .measures = measures,
            .estimate = estimate,
            .volume = volume_of,
        },
    .tool = {.tool = "fio", .package = "fio", .minimum = NG_FIO_MINIMUM},
    .hosts = hosts,
    .link = link_of,
    .build = ng_fio_build,
    .parse = ng_fio_parse,
};
