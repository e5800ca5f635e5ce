/* fio_json.c - fio's JSON document as plain numbers in base units. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "runner/base/jsonscan.h"
#include "runner/base/text.h"
#include "runner/engines/fio.h"
#include "runner/engines/helpers.h"

enum { NAME_MAX_BYTES = 200 };

static double number_or(const json_t *object, const char *path, double otherwise) {
    double value = otherwise;
    return ng_json_number(object, path, &value) ? value : otherwise;
}

/** A percentile by its number: the keys are texts such as "99.900000". */
static double percentile(const json_t *latency, double wanted) {
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(json_object_get(latency, "percentile"), key, value) {
        double have = 0;
        size_t len = strlen(key);
        if (ng_number_scan(key, len, &have) == len && fabs(have - wanted) < 1e-4 &&
            json_is_number(value)) {
            return json_number_value(value) / 1e9;
        }
    }
    return NAN;
}

static void read_latency(const json_t *side, struct ng_fio_side *out) {
    const json_t *latency = json_object_get(side, "clat_ns");
    out->lat_count = number_or(latency, "N", 0);
    out->lat_mean = out->lat_max = NAN;
    out->lat_p50 = out->lat_p95 = out->lat_p99 = out->lat_p99_9 = NAN;
    if (out->lat_count <= 0) {
        return; /* no data: not 0 ns */
    }
    out->lat_mean = number_or(latency, "mean", NAN) / 1e9;
    out->lat_max = number_or(latency, "max", NAN) / 1e9;
    out->lat_p50 = percentile(latency, 50);
    out->lat_p95 = percentile(latency, 95);
    out->lat_p99 = percentile(latency, 99);
    out->lat_p99_9 = percentile(latency, 99.9);
}

static bool read_side(
    const json_t *job, const char *name, struct ng_fio_side *out, struct ng_err *err) {
    const json_t *side = json_object_get(job, name);
    double runtime_ms = 0;
    if (!ng_json_number(side, "io_bytes", &out->bytes) ||
        !ng_json_number(side, "total_ios", &out->ios) ||
        !ng_json_number(side, "runtime", &runtime_ms) ||
        !ng_json_number(side, "bw_bytes", &out->bw) || !ng_json_number(side, "iops", &out->iops)) {
        return ng_err_set(err, NG_ERR_FORMAT,
            "fio's result lacks io_bytes, total_ios, runtime, bw_bytes or iops in \"%s\"", name);
    }
    out->runtime_s = runtime_ms / 1000;
    out->short_ios = number_or(side, "short_ios", 0);
    out->drop_ios = number_or(side, "drop_ios", 0);
    out->bw_mean = number_or(side, "bw_mean", 0);
    out->bw_dev = number_or(side, "bw_dev", 0);
    out->bw_samples = number_or(side, "bw_samples", 0);
    read_latency(side, out);
    if (out->bytes < 0 || out->ios < 0 || runtime_ms < 0) {
        return ng_err_set(err, NG_ERR_FORMAT, "fio's result has a negative count in \"%s\"", name);
    }
    return true;
}

static int to_int(double value) {
    return value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : (int)value;
}

static bool read_job(
    struct ng_arena *arena, const json_t *entry, struct ng_fio_job *out, struct ng_err *err) {
    const char *name = ng_json_string(entry, "jobname");
    double error = 0;
    if (name == NULL || !ng_json_number(entry, "error", &error)) {
        return ng_err_set(
            err, NG_ERR_FORMAT, "a job in fio's result has no \"jobname\" or no \"error\"");
    }
    out->name = ng_text_clean_dup(arena, name, strlen(name), NG_TEXT_LINE, NAME_MAX_BYTES);
    out->error = to_int(error);
    out->total_err = to_int(number_or(entry, "total_err", 0));
    out->user = number_or(entry, "usr_cpu", NAN) / 100;
    out->system = number_or(entry, "sys_cpu", NAN) / 100;
    out->elapsed_s = number_or(entry, "elapsed", NAN);
    return read_side(entry, "read", &out->read, err) && read_side(entry, "write", &out->write, err);
}

static bool read_version(
    struct ng_arena *arena, const json_t *doc, struct ng_fio_report *out, struct ng_err *err) {
    const char *text = ng_json_string(doc, "fio version");
    if (text == NULL) {
        return ng_err_set(err, NG_ERR_FORMAT, "the JSON has no \"fio version\": it is not fio's");
    }
    text += strncmp(text, "fio-", 4) == 0 ? 4 : 0;
    out->version = ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, NAME_MAX_BYTES);
    if (!ng_tool_version_read(text, &out->major, &out->minor)) {
        return ng_err_set(
            err, NG_ERR_FORMAT, "fio's version \"%s\" is not understood", out->version);
    }
    if (ng_tool_version_below(out->major, out->minor, NG_FIO_MAJOR, NG_FIO_MINOR)) {
        return ng_err_set(err, NG_ERR_ENGINE,
            "fio %s prints other units under the same names; %s or later is needed", out->version,
            NG_FIO_MINIMUM);
    }
    return true;
}

bool ng_fio_read(
    struct ng_arena *arena, const json_t *doc, struct ng_fio_report *out, struct ng_err *err) {
    *out = (struct ng_fio_report){0};
    if (!read_version(arena, doc, out, err)) {
        return false;
    }
    const json_t *entries = json_object_get(doc, "jobs");
    if (entries == NULL) {
        entries = json_object_get(doc, "client_stats");
    }
    if (!json_is_array(entries)) {
        return ng_err_set(err, NG_ERR_FORMAT, "fio's result has no list of jobs");
    }
    size_t count = json_array_size(entries);
    if (count > NG_FIO_JOBS_MAX + 1) {
        return ng_err_set(err, NG_ERR_LIMIT, "fio's result has %zu jobs; at most %d are read",
            count, NG_FIO_JOBS_MAX);
    }
    out->jobs = ng_arena_array(arena, count + 1, sizeof *out->jobs);
    for (size_t i = 0; i < count; i++) {
        const json_t *entry = json_array_get(entries, i);
        const char *name = ng_json_string(entry, "jobname");
        if (name != NULL && strcmp(name, "All clients") == 0) {
            continue; /* the sum of the others */
        }
        if (!read_job(arena, entry, &out->jobs[out->count], err)) {
            return false;
        }
        out->count++;
    }
    return true;
}

static double larger(double a, double b) {
    return isnan(a) ? b : isnan(b) ? a : fmax(a, b);
}

struct ng_fio_sum ng_fio_add_up(const struct ng_fio_report *report, bool write) {
    struct ng_fio_sum sum = {.lat_mean = NAN,
        .lat_p50 = NAN,
        .lat_p95 = NAN,
        .lat_p99 = NAN,
        .lat_p99_9 = NAN,
        .lat_max = NAN};
    double weighted = 0;
    double weight = 0;
    for (size_t i = 0; i < report->count; i++) {
        const struct ng_fio_side *side = write ? &report->jobs[i].write : &report->jobs[i].read;
        sum.bytes += side->bytes;
        sum.ios += side->ios;
        sum.runtime_s = fmax(sum.runtime_s, side->runtime_s);
        if (isfinite(side->lat_mean)) {
            weighted += side->lat_mean * side->lat_count;
            weight += side->lat_count;
        }
        sum.lat_p50 = larger(sum.lat_p50, side->lat_p50);
        sum.lat_p95 = larger(sum.lat_p95, side->lat_p95);
        sum.lat_p99 = larger(sum.lat_p99, side->lat_p99);
        sum.lat_p99_9 = larger(sum.lat_p99_9, side->lat_p99_9);
        sum.lat_max = larger(sum.lat_max, side->lat_max);
    }
    sum.bw = sum.runtime_s > 0 ? sum.bytes / sum.runtime_s : (double)NAN;
    sum.iops = sum.runtime_s > 0 ? sum.ios / sum.runtime_s : (double)NAN;
    sum.lat_mean = weight > 0 ? weighted / weight : (double)NAN;
    return sum;
}
