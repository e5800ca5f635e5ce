/* From samples to metrics of a repeat. */
#include "runner/execute/telemetry.h"

#include <math.h>
#include <string.h>

#include "runner/facts/mdstat.h"

enum metric {
    CPU,
    DISK_READ,
    DISK_WRITE,
    DSTATE,
    IO_STALL,
    LOAD1,
    NET_DROPS,
    NET_ERRORS,
    NET_RX,
    NET_TX,
    RESYNC,
    METRICS
};

/* Dimensions as constants, which units.h's are not for C. */
#define NO_UNIT                                                                                    \
    { 0, 0 }
#define RATE                                                                                       \
    { 1, -1 }
#define METRIC(metric_name, metric_dim, how, is_better, what, where)                               \
    {                                                                                              \
        .name = metric_name, .dim = metric_dim, .spelling = how, .better = is_better,              \
        .meaning = what, .source = where                                                           \
    }

const struct ng_metric_def ng_telemetry_metrics[] = {
    [CPU] = METRIC("cpu", NO_UNIT, NG_SPELLING_SHARE, NG_BETTER_NEITHER,
        "share of all cores that is at work", "the first line of /proc/stat"),
    [DISK_READ] = METRIC("disk.read", RATE, NG_SPELLING_PLAIN, NG_BETTER_NEITHER,
        "read from all disks", "/sys/block/DISK/stat"),
    [DISK_WRITE] = METRIC("disk.write", RATE, NG_SPELLING_PLAIN, NG_BETTER_NEITHER,
        "written to all disks", "/sys/block/DISK/stat"),
    [DSTATE] = METRIC("dstate", NO_UNIT, NG_SPELLING_PLAIN, NG_BETTER_LOWER,
        "tasks that wait for a disk or a server (state D)", "procs_blocked of /proc/stat"),
    [IO_STALL] = METRIC("io.stall", NO_UNIT, NG_SPELLING_SHARE, NG_BETTER_LOWER,
        "share of the time in which some task waited for I/O", "/proc/pressure/io"),
    [LOAD1] = METRIC("load1", NO_UNIT, NG_SPELLING_PLAIN, NG_BETTER_LOWER,
        "load average over a minute", "/proc/loadavg"),
    [NET_DROPS] = METRIC("net.drops", NO_UNIT, NG_SPELLING_PLAIN, NG_BETTER_LOWER,
        "packets dropped on all interfaces since the sample before", "/sys/class/net/*/statistics"),
    [NET_ERRORS] = METRIC("net.errors", NO_UNIT, NG_SPELLING_PLAIN, NG_BETTER_LOWER,
        "errors on all interfaces since the sample before", "/sys/class/net/*/statistics"),
    [NET_RX] = METRIC("net.rx", RATE, NG_SPELLING_BITS, NG_BETTER_NEITHER,
        "received on all interfaces", "/sys/class/net/*/statistics"),
    [NET_TX] = METRIC("net.tx", RATE, NG_SPELLING_BITS, NG_BETTER_NEITHER, "sent on all interfaces",
        "/sys/class/net/*/statistics"),
    [RESYNC] = METRIC("resync", RATE, NG_SPELLING_PLAIN, NG_BETTER_LOWER,
        "speed of md's resync, recovery, reshape or check per disk, 0 while idle", "/proc/mdstat"),
};
const size_t ng_telemetry_metric_count = NG_COUNT(ng_telemetry_metrics);

_Static_assert(NG_COUNT(ng_telemetry_metrics) == METRICS, "one row per metric");

/* How much a counter grew between two samples; NaN where it is not known. */
static double grown(int64_t before, int64_t now) {
    return before >= 0 && now >= before ? (double)(now - before) : (double)NAN;
}

static double known(double value) {
    return value >= 0 ? value : (double)NAN;
}

/* The value of a metric at a sample; rates and shares are since the one before. */
static double value_at(const struct ng_samples *samples, enum metric metric, size_t i) {
    const struct ng_sample *now = &samples->items[i];
    const struct ng_sample *before = i > 0 ? now - 1 : NULL;
    if (metric == LOAD1) {
        return known(now->load1);
    }
    if (metric == DSTATE) {
        return known((double)now->blocked);
    }
    if (before == NULL || now->uptime <= before->uptime) {
        return (double)NAN;
    }
    const double span = now->uptime - before->uptime;
    switch (metric) {
    case CPU:
        return grown(before->cpu_busy, now->cpu_busy) / grown(before->cpu_total, now->cpu_total);
    case DISK_READ:
        return grown(before->disk_read, now->disk_read) / span;
    case DISK_WRITE:
        return grown(before->disk_written, now->disk_written) / span;
    case IO_STALL:
        return grown(before->io_stall_us, now->io_stall_us) / (span * 1e6);
    case NET_DROPS:
        return grown(before->net_drops, now->net_drops);
    case NET_ERRORS:
        return grown(before->net_errors, now->net_errors);
    case NET_RX:
        return grown(before->rx_bytes, now->rx_bytes) / span;
    case NET_TX:
        return grown(before->tx_bytes, now->tx_bytes) / span;
    case DSTATE:
    case LOAD1:
    case RESYNC:
    case METRICS:
        break;
    }
    return (double)NAN;
}

/* The speed of what md is at by a text of /proc/mdstat. */
static double resync_speed(const struct ng_sample_change *change) {
    struct ng_arena arena;
    struct ng_md md = {0};
    int64_t fastest = 0;
    ng_arena_init(&arena);
    ng_mdstat_parse(&md, &arena, change->text, change->len);
    for (size_t i = 0; i < md.count; i++) {
        for (size_t j = 0; j < md.arrays[i].work_count; j++) {
            const int64_t speed = md.arrays[i].works[j].speed_kib;
            fastest = speed > fastest ? speed : fastest;
        }
    }
    const bool readable = md.kind == NG_MD_LINUX;
    ng_arena_release(&arena);
    return readable ? (double)fastest * 1024 : (double)NAN;
}

static void fill_resync(const struct ng_samples *samples, double *values) {
    double now = (double)NAN;
    size_t next = 0;
    for (size_t i = 0; i < samples->count; i++) {
        for (; next < samples->change_count && samples->changes[next].sample <= i; next++) {
            if (strcmp(samples->changes[next].source, "mdstat") == 0) {
                now = resync_speed(&samples->changes[next]);
            }
        }
        values[i] = now;
    }
}

static void fill(const struct ng_samples *samples, enum metric metric, double *values) {
    if (metric == RESYNC) {
        fill_resync(samples, values);
        return;
    }
    for (size_t i = 0; i < samples->count; i++) {
        values[i] = value_at(samples, metric, i);
    }
}

/* NaN when no sample has a value. */
static double reduce(const double *values, size_t count, enum ng_telemetry_stat stat) {
    double least = INFINITY, most = -INFINITY, sum = 0;
    size_t known_values = 0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i])) {
            least = fmin(least, values[i]);
            most = fmax(most, values[i]);
            sum += values[i];
            known_values++;
        }
    }
    if (known_values == 0) {
        return (double)NAN;
    }
    switch (stat) {
    case NG_STAT_MIN:
        return least;
    case NG_STAT_MAX:
        return most;
    case NG_STAT_MEAN:
        return sum / (double)known_values;
    case NG_STAT_SUM:
        return sum;
    case NG_STAT_COUNT:
        break;
    }
    return (double)NAN;
}

/* One host: its values are computed once per metric. */
struct adding {
    struct ng_run *run;
    struct ng_repeat *repeat;
    const struct ng_watched *watched;
    const struct ng_host *host;
    bool named; /* by `watch:` */
};

static bool is_used(const struct adding *adding, const char *name) {
    const struct ng_telemetry_uses *uses = adding->run->plan->telemetry;
    for (size_t i = 0; i < uses->count; i++) {
        if (strcmp(uses->items[i].metric->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_stats(const struct adding *adding, const struct ng_metric_def *of,
    const double *values, size_t count) {
    for (int stat = 0; stat < NG_STAT_COUNT; stat++) {
        struct ng_metric_def metric = *of;
        metric.name = ng_arena_printf(&adding->run->result->arena, "host.%s.%s.%s",
            adding->host->name, of->name, ng_telemetry_stat_word((enum ng_telemetry_stat)stat));
        const bool usual = stat == NG_STAT_MAX || stat == NG_STAT_MEAN;
        if ((adding->named && usual) || is_used(adding, metric.name)) {
            ng_repeat_measure(&adding->run->result->arena, adding->repeat, &metric,
                reduce(values, count, (enum ng_telemetry_stat)stat));
        }
    }
}

static void add_series(const struct adding *adding, const struct ng_metric_def *of,
    const double *values, size_t count) {
    struct ng_metric_def metric = *of;
    metric.name =
        ng_arena_printf(&adding->run->result->arena, "host.%s.%s", adding->host->name, of->name);
    ng_repeat_sample(&adding->run->result->arena, adding->repeat, &metric,
        adding->run->plan->watch_every_ns, values, count);
}

static void add_host(const struct adding *adding) {
    const struct ng_samples *samples = &adding->watched->samples;
    struct ng_arena arena;
    ng_arena_init(&arena);
    double *values = ng_arena_array(&arena, samples->count, sizeof *values);
    for (int metric = 0; metric < METRICS; metric++) {
        fill(samples, (enum metric)metric, values);
        add_stats(adding, &ng_telemetry_metrics[metric], values, samples->count);
        if (adding->named &&
            (metric == LOAD1 || metric == CPU || metric == DSTATE || metric == RESYNC)) {
            add_series(adding, &ng_telemetry_metrics[metric], values, samples->count);
        }
    }
    ng_arena_release(&arena);
}

void ng_telemetry_add(
    struct ng_run *run, const struct ng_watched *watched, size_t count, struct ng_repeat *repeat) {
    for (size_t i = 0; i < count; i++) {
        struct adding adding = {.run = run,
            .repeat = repeat,
            .watched = &watched[i],
            .host = &run->plan->hosts[watched[i].host]};
        for (size_t j = 0; j < run->plan->watched_count; j++) {
            adding.named = adding.named || run->plan->watched[j] == adding.host;
        }
        add_host(&adding);
    }
}
