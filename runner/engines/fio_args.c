/* fio_args.c - from a fio phase to the commands of one repeat. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/engines/fio.h"
#include "runner/engines/helpers.h"

enum { LAYOUT_BLOCK = 1024 * 1024, STARTUP_S = 60, LOOK_S = 30 };

/* The slowest that is still worth waiting for. */
#define SLOWEST_RATE 5e6 /* bytes/s */
#define SLOWEST_IOPS 50.0

static double slowest(const struct ng_fio_params *p) {
    double rate = SLOWEST_RATE;
    if (ng_fio_random(p) && SLOWEST_IOPS * (double)p->bs < rate) {
        rate = SLOWEST_IOPS * (double)p->bs;
    }
    if (p->rate > 0 && (double)p->rate / 8 / 2 < rate) {
        rate = (double)p->rate / 8 / 2;
    }
    return rate;
}

/** A file name of job `job`: what --filename_format makes. */
static void push_file(struct ng_strv *argv, const struct ng_site *site, int64_t job) {
    const struct ng_fio_params *p = site->phase->params;
    ng_strv_pushf(argv, "%s/%s.%" PRId64, site->run_dir, p->file, job);
}

/* Every number is a plain integer in base units: fio's own suffixes are a trap. */
static void push_job(struct ng_strv *argv, const struct ng_site *site, const char *rw, int64_t bs) {
    const struct ng_fio_params *p = site->phase->params;
    ng_strv_push(argv, "fio");
    ng_strv_push(argv, "--output-format=json");
    ng_strv_push(argv, "--eta=never");
    ng_strv_pushf(argv, "--name=%s", site->phase->name);
    ng_strv_push(argv, "--thread=1"); /* workers that end with the process */
    ng_strv_pushf(argv, "--rw=%s", rw);
    ng_strv_pushf(argv, "--bs=%" PRId64, bs);
    ng_strv_pushf(argv, "--size=%" PRId64, p->size);
    ng_strv_pushf(argv, "--numjobs=%" PRId64, p->jobs);
    ng_strv_pushf(argv, "--directory=%s", site->run_dir);
    ng_strv_pushf(argv, "--filename_format=%s.$jobnum", p->file);
    ng_strv_push(argv, "--fallocate=none");
    /* 31 bits, and the same for all attempts: a retry measures the same blocks */
    ng_strv_pushf(argv, "--randseed=%" PRIu64, (ng_site_bits(site, 0) & UINT64_C(0x7fffffff)) | 1);
}

static void add_removal(const struct ng_site *site, struct ng_commands *out) {
    const struct ng_fio_params *p = site->phase->params;
    struct ng_command *command = ng_commands_add(out, "prepare", p->volume->on);
    ng_strv_push(&command->argv, "rm");
    ng_strv_push(&command->argv, "-f");
    ng_strv_push(&command->argv, "--");
    for (int64_t job = 0; job < p->jobs; job++) {
        push_file(&command->argv, site, job);
    }
    command->deadline_ns = ng_seconds_bounded(STARTUP_S);
}

static void add_layout(const struct ng_site *site, struct ng_commands *out) {
    const struct ng_fio_params *p = site->phase->params;
    double total = (double)ng_fio_footprint(p);
    struct ng_command *command = ng_commands_add(out, "prepare", p->volume->on);
    push_job(&command->argv, site, "read", p->bs > LAYOUT_BLOCK ? p->bs : LAYOUT_BLOCK);
    ng_strv_push(&command->argv, "--create_only=1");
    command->deadline_ns = ng_seconds_bounded(STARTUP_S + total / SLOWEST_RATE);

    command = ng_commands_add(out, "check", p->volume->on);
    ng_strv_push(&command->argv, "stat");
    ng_strv_push(&command->argv, "-c");
    ng_strv_push(&command->argv, "%s %b %B");
    for (int64_t job = 0; job < p->jobs; job++) {
        push_file(&command->argv, site, job);
    }
    command->deadline_ns = ng_seconds_bounded(LOOK_S);
}

static void push_options(struct ng_strv *argv, const struct ng_site *site) {
    const struct ng_fio_params *p = site->phase->params;
    ng_strv_pushf(argv, "--ioengine=%s", ng_fio_ioengines[p->ioengine]);
    ng_strv_pushf(argv, "--iodepth=%" PRId64, p->iodepth);
    ng_strv_pushf(argv, "--direct=%d", ng_fio_is_direct(site, p) ? 1 : 0);
    if (p->time_ns > 0) {
        ng_strv_push(argv, "--time_based=1");
        ng_strv_pushf(argv, "--runtime=%" PRId64, p->time_ns / NG_NS_PER_S);
    }
    if (p->ramp_ns > 0) {
        ng_strv_pushf(argv, "--ramp_time=%" PRId64, p->ramp_ns / NG_NS_PER_S);
    }
    if (ng_fio_writes(p)) {
        ng_strv_pushf(argv, "--end_fsync=%d", p->end_fsync ? 1 : 0);
    } else {
        ng_strv_push(argv, "--readonly");
    }
    if (p->mix > 0) {
        ng_strv_pushf(argv, "--rwmixread=%ld", lround(p->mix * 100));
    }
    if (p->rate > 0) {
        ng_strv_pushf(argv, "--rate=%" PRId64, p->rate / 8 / p->jobs);
    }
}

static void add_measurement(const struct ng_site *site, struct ng_commands *out) {
    const struct ng_fio_params *p = site->phase->params;
    double total = (double)ng_fio_footprint(p);
    struct ng_command *command = ng_commands_add(out, "measure", p->volume->on);
    push_job(&command->argv, site, ng_fio_rws[p->rw], p->bs);
    push_options(&command->argv, site);
    command->measures = true;
    double longest = STARTUP_S;
    if (p->time_ns > 0) {
        longest += (double)(p->time_ns + p->ramp_ns) / (double)NG_NS_PER_S;
    } else {
        longest += total / slowest(p);
    }
    if (ng_fio_writes(p) && p->end_fsync && !ng_fio_is_direct(site, p)) {
        longest += total / SLOWEST_RATE; /* at most all of it waits in caches for the fsync */
    }
    command->deadline_ns = ng_site_deadline(site, ng_seconds_bounded(longest));
}

bool ng_fio_build(const struct ng_site *site, struct ng_commands *out, struct ng_err *err) {
    const struct ng_fio_params *p = site->phase->params;
    if (site->run_dir == NULL || site->run_dir[0] == '\0') {
        return ng_err_set(
            err, NG_ERR_INTERNAL, "fio phase %s has no folder to work in", site->phase->name);
    }
    if (strpbrk(site->run_dir, ":,") != NULL) {
        return ng_err_set(err, NG_ERR_ENGINE,
            "fio takes ':' and ',' in %s for a list of folders; give volume %s another path",
            site->run_dir, p->volume->name);
    }
    if (p->direct == NG_FIO_DIRECT_TRUE && site->direct == NG_ANSWER_NO) {
        return ng_err_set(err, NG_ERR_ENGINE,
            "phase %s wants direct I/O, but a direct write of 4 KiB in the run's folder on volume "
            "%s was refused: its file system does not support O_DIRECT as mounted; mount it "
            "otherwise, or write direct: auto (or false) and a size beyond the client's RAM",
            site->phase->name, p->volume->name);
    }
    if (p->rw == NG_FIO_WRITE) {
        add_removal(site, out);
    } else {
        add_layout(site, out);
    }
    add_measurement(site, out);
    return true;
}
