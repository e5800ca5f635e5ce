/* fio_find.c - doubts about a fio result that was accepted. */
#include <math.h>

#include "runner/base/clock.h"
#include "runner/engines/fio.h"
#include "runner/engines/helpers.h"

/* Bounds. */
#define BELIEVED_S 0.1   /* shorter runs gave 1 GB/s from 1 MiB */
#define SHORT_S 5.0      /* caches and start-up still show */
#define DIFFERENCE 0.02  /* between what fio prints and what its counts give */
#define MISCOUNT 0.25    /* between bytes and blocks: beyond it neither can be believed */
#define SATURATED 0.95   /* of one core */
#define SPREAD 0.30      /* coefficient of variation of 500 ms samples */
#define SPREAD_SAMPLES 6 /* fewer say nothing */

static void find_length(
    const struct ng_site *site, struct ng_repeat *repeat, double runtime_s, const char *word) {
    if (runtime_s < BELIEVED_S) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_INCONCLUSIVE, "too-short",
            "the %ss took %s, too short to believe a rate: raise size, or give time", word,
            ng_say_time(site->arena, runtime_s));
    } else if (runtime_s < SHORT_S) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_NOTE, "short-run",
            "the %ss took only %s: start-up and caches weigh in", word,
            ng_say_time(site->arena, runtime_s));
    }
}

/* fio's own rates against its own counts; versions have disagreed with themselves. */
static void find_disagreement(const struct ng_site *site, struct ng_repeat *repeat,
    const struct ng_fio_job *job, const struct ng_fio_side *side, const char *word) {
    const struct ng_fio_params *p = site->phase->params;
    if (side->runtime_s < BELIEVED_S) {
        return;
    }
    double bw = side->bytes / side->runtime_s;
    double iops = side->ios / side->runtime_s;
    if (!ng_agree(bw, side->bw, DIFFERENCE) || !ng_agree(iops, side->iops, DIFFERENCE)) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "counts-disagree",
            "fio job %s prints %s and %.1f IOPS for its %ss, its own counts give %s and %.1f IOPS",
            job->name, ng_say_rate(site->arena, side->bw), side->iops, word,
            ng_say_rate(site->arena, bw), iops);
    }
    double moved = side->ios * (double)p->bs;
    if (!ng_agree(side->bytes, moved, DIFFERENCE)) {
        ng_repeat_find(site->arena, repeat,
            ng_agree(side->bytes, moved, MISCOUNT) ? NG_FINDING_WARNING : NG_FINDING_INCONCLUSIVE,
            "counts-disagree", "%.0f %ss of %s moved %.0f bytes", side->ios, word,
            ng_say_size(site->arena, (double)p->bs), side->bytes);
    }
}

static void find_spread(const struct ng_site *site, struct ng_repeat *repeat,
    const struct ng_fio_side *side, const char *word) {
    if (side->bw_samples < SPREAD_SAMPLES || side->bw_mean <= 0) {
        return;
    }
    double cv = side->bw_dev / side->bw_mean;
    if (cv > SPREAD) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "high-spread",
            "the rate of the %ss varies by %.0f%% (standard deviation over %.0f samples): "
            "something else happened meanwhile, or caches filled up",
            word, cv * 100, side->bw_samples);
    }
}

static void find_side(const struct ng_site *site, const struct ng_fio_report *report, bool write,
    struct ng_repeat *repeat) {
    const struct ng_fio_params *p = site->phase->params;
    const char *word = write ? "write" : "read";
    struct ng_fio_sum sum = ng_fio_add_up(report, write);
    find_length(site, repeat, sum.runtime_s, word);
    for (size_t i = 0; i < report->count; i++) {
        const struct ng_fio_job *job = &report->jobs[i];
        find_disagreement(site, repeat, job, write ? &job->write : &job->read, word);
    }
    if (report->count == 1) {
        const struct ng_fio_job *job = &report->jobs[0];
        find_spread(site, repeat, write ? &job->write : &job->read, word);
    }
    ng_find_faster_than_link(site, repeat, p->volume->link, write ? "write.bw" : "read.bw", sum.bw);
}

static void find_reads_from_cache(const struct ng_site *site, struct ng_repeat *repeat) {
    double size = (double)ng_fio_footprint(site->phase->params);
    if (site->client_ram <= 0) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_INCONCLUSIVE, "page-cache",
            "the client's page cache may have answered: no direct I/O, and the client's RAM is "
            "not known");
    } else if (size < (double)site->client_ram) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_INCONCLUSIVE, "page-cache",
            "the client's page cache may have answered: no direct I/O, and the working set of %s "
            "is below the client's RAM of %s",
            ng_say_size(site->arena, size), ng_say_size(site->arena, (double)site->client_ram));
    } else {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "page-cache",
            "no direct I/O: the client's page cache answered a part of the reads (working set %s, "
            "RAM %s)",
            ng_say_size(site->arena, size), ng_say_size(site->arena, (double)site->client_ram));
    }
}

/* O_DIRECT ends at the client: the server of a network volume answers from its own memory. */
static void find_server_cache(const struct ng_site *site, struct ng_repeat *repeat) {
    double size = (double)ng_fio_footprint(site->phase->params);
    if (site->server_ram <= 0) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_NOTE, "server-cache",
            "the server's RAM is not known, so its cache may have answered the reads of a working "
            "set of %s; declare the server as a host: mount: {from: HOST}",
            ng_say_size(site->arena, size));
    } else if (size < (double)site->server_ram) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "server-cache",
            "the server's cache may have answered the reads: the working set of %s is below the "
            "server's RAM of %s",
            ng_say_size(site->arena, size), ng_say_size(site->arena, (double)site->server_ram));
    }
}

static void find_writes_to_cache(const struct ng_site *site, struct ng_repeat *repeat) {
    const struct ng_fio_params *p = site->phase->params;
    double size = (double)ng_fio_footprint(p);
    bool fits = site->client_ram <= 0 || size < (double)site->client_ram;
    if (fits && !p->end_fsync) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_INCONCLUSIVE, "page-cache",
            "the client's RAM may have taken the writes: no direct I/O, no fsync at the end, and "
            "a working set of %s",
            ng_say_size(site->arena, size));
    } else {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "page-cache",
            "no direct I/O: the writes went through the client's page cache%s",
            p->end_fsync ? "; the fsync at the end is inside the time" : "");
    }
}

static void find_cpu(
    const struct ng_site *site, const struct ng_fio_report *report, struct ng_repeat *repeat) {
    for (size_t i = 0; i < report->count; i++) {
        double cpu = report->jobs[i].user + report->jobs[i].system;
        if (cpu >= SATURATED) {
            ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "tool-bound",
                "a fio job used %.0f%% of a core: fio itself may be the limit; more jobs or "
                "larger blocks would tell",
                cpu * 100);
            return;
        }
    }
}

void ng_fio_find(
    const struct ng_site *site, const struct ng_fio_report *report, struct ng_repeat *repeat) {
    const struct ng_fio_params *p = site->phase->params;
    if (ng_fio_reads(p)) {
        find_side(site, report, false, repeat);
    }
    if (ng_fio_writes(p)) {
        find_side(site, report, true, repeat);
    }
    if (ng_fio_reads(p) && site->network) {
        find_server_cache(site, repeat);
    }
    if (p->direct == NG_FIO_DIRECT_AUTO && site->direct == NG_ANSWER_UNKNOWN) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "direct-unknown",
            "whether direct I/O works on volume %s is unknown, because no trial write could tell: "
            "the phase ran without it; direct: true tries it",
            p->volume->name);
    }
    if (!ng_fio_is_direct(site, p)) {
        if (ng_fio_reads(p)) {
            find_reads_from_cache(site, repeat);
        }
        if (ng_fio_writes(p)) {
            find_writes_to_cache(site, repeat);
        }
        if (p->iodepth > 1 && (p->ioengine == NG_FIO_LIBAIO)) {
            ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "depth-not-real",
                "libaio without direct I/O waits for each one: the depth of %lld was not reached",
                (long long)p->iodepth);
        }
    }
    find_cpu(site, report, repeat);
}
