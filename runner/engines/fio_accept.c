/* fio_accept.c - the rules by which a fio result is taken for the measurement that was asked for.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/engines/fio.h"
#include "runner/engines/helpers.h"

struct reason {
    int number;
    const char *name;
    const char *words; /* what it means and what to do */
};

static const struct reason reasons[] = {
    {EPERM, "EPERM", "the operation is not permitted here"},
    {ENOENT, "ENOENT", "a file or the run's folder is not there: was the volume unmounted?"},
    {EIO, "EIO", "the volume reported an I/O error: look at the kernel logs of both hosts"},
    {EAGAIN, "EAGAIN", "the kernel has no room for more requests: lower iodepth or jobs"},
    {ENOMEM, "ENOMEM", "the host is out of memory"},
    {EACCES, "EACCES", "the user of the run may not do this on the volume"},
    {EBUSY, "EBUSY", "the file is in use"},
    {EFBIG, "EFBIG", "the file is larger than the file system or a limit allows"},
    {ENOSPC, "ENOSPC", "the volume is full: free space or lower size"},
    {EROFS, "EROFS", "the volume is mounted read-only"},
    {ENOSYS, "ENOSYS", "the kernel does not have this I/O engine: choose another ioengine"},
    {EOPNOTSUPP, "EOPNOTSUPP",
        "the file system does not support this: choose another ioengine or "
        "direct: false"},
    {ENOTCONN, "ENOTCONN", "the connection to the server is gone"},
    {ETIMEDOUT, "ETIMEDOUT", "the server did not answer in time"},
    {EHOSTDOWN, "EHOSTDOWN", "the server is down"},
    {EILSEQ, "EILSEQ", "data read back is not what was written"},
    {ESTALE, "ESTALE", "the server exported something else under this mount: mount it again"},
    {EDQUOT, "EDQUOT", "the quota on the volume is used up: raise it or lower size"},
};

bool ng_fio_explain(const struct ng_site *site, int number, const char *what, struct ng_err *err) {
    const struct ng_fio_params *p = site->phase->params;
    if (number == EINVAL) {
        return ng_err_set(err, NG_ERR_ENGINE, "%s: error 22 (EINVAL): %s", what,
            ng_fio_is_direct(site, p)
                ? "the file system refuses direct I/O in blocks of this size; take a bs that is a "
                  "multiple of 4 KiB, or direct: false"
                : "the kernel refuses an I/O like this one");
    }
    for (size_t i = 0; i < NG_COUNT(reasons); i++) {
        if (reasons[i].number == number) {
            return ng_err_set(err, NG_ERR_ENGINE, "%s: error %d (%s): %s", what, number,
                reasons[i].name, reasons[i].words);
        }
    }
    return ng_err_set(err, NG_ERR_ENGINE, "%s: error %d", what, number);
}

static bool accept_side(const char *name, bool expected, const struct ng_fio_side *side,
    const char *word, struct ng_err *err) {
    if (!expected) {
        return side->ios <= 0 ||
               ng_err_set(err, NG_ERR_ENGINE, "fio job %s did %.0f %ss that nobody asked for", name,
                   side->ios, word);
    }
    if (side->ios <= 0 || side->bytes <= 0 || side->runtime_s <= 0) {
        return ng_err_set(err, NG_ERR_ENGINE,
            "fio job %s did no %ss: %.0f I/Os, %.0f bytes in %.3f s", name, word, side->ios,
            side->bytes, side->runtime_s);
    }
    if (side->short_ios > 0 || side->drop_ios > 0) {
        return ng_err_set(err, NG_ERR_ENGINE, "fio job %s had %.0f short and %.0f dropped %ss",
            name, side->short_ios, side->drop_ios, word);
    }
    return true;
}

static bool accept_amount(
    const struct ng_fio_params *p, const struct ng_fio_job *job, struct ng_err *err) {
    if (p->time_ns > 0) {
        double asked = (double)p->time_ns / (double)NG_NS_PER_S;
        double ran = fmax(job->read.runtime_s, job->write.runtime_s);
        return ran >= 0.9 * asked ||
               ng_err_set(err, NG_ERR_ENGINE, "fio job %s ran for %.3f s of the %.0f s asked for",
                   job->name, ran, asked);
    }
    double bytes = job->read.bytes + job->write.bytes;
    return fabs(bytes - (double)p->size) < 0.5 ||
           ng_err_set(err, NG_ERR_ENGINE, "fio job %s moved %.0f of the %lld bytes asked for",
               job->name, bytes, (long long)p->size);
}

static bool accept_job(const struct ng_site *site, const struct ng_fio_job *job,
    struct ng_arena *arena, struct ng_err *err) {
    const struct ng_fio_params *p = site->phase->params;
    if (strcmp(job->name, site->phase->name) != 0) {
        return ng_err_set(err, NG_ERR_ENGINE, "fio reports a job %s where %s was asked for",
            job->name, site->phase->name);
    }
    if (job->error != 0) {
        const char *what = ng_arena_printf(arena, "fio job %s failed after %s read and %s written",
            job->name, ng_say_size(arena, job->read.bytes), ng_say_size(arena, job->write.bytes));
        return ng_fio_explain(site, job->error, what, err);
    }
    if (job->total_err != 0) {
        return ng_err_set(
            err, NG_ERR_ENGINE, "fio job %s went on over %d errors", job->name, job->total_err);
    }
    return accept_side(job->name, ng_fio_reads(p), &job->read, "read", err) &&
           accept_side(job->name, ng_fio_writes(p), &job->write, "write", err) &&
           accept_amount(p, job, err);
}

bool ng_fio_accept(const struct ng_site *site, const struct ng_fio_report *report,
    const struct ng_reply *reply, struct ng_err *err) {
    const struct ng_fio_params *p = site->phase->params;
    /* errors inside first: they say more than the exit status */
    for (size_t i = 0; i < report->count; i++) {
        if (report->jobs[i].error != 0 && !accept_job(site, &report->jobs[i], site->arena, err)) {
            return false;
        }
    }
    if (ng_reply_has(reply, "got signal=")) {
        return ng_err_set(err, NG_ERR_ENGINE, "a worker of fio was killed by a signal: %s",
            ng_reply_words(site->arena, reply));
    }
    if (reply->status == 128 || ng_reply_has(reply, "terminating on signal")) {
        return ng_err_set(err, NG_ERR_ENGINE,
            "fio was ended by a signal that was not sent by this run; its result is a part");
    }
    if (reply->status != 0) {
        return ng_err_set(err, NG_ERR_ENGINE, "fio ended with status %d: %s", reply->status,
            ng_reply_words(site->arena, reply));
    }
    double longest =
        fmax(ng_fio_add_up(report, false).runtime_s, ng_fio_add_up(report, true).runtime_s);
    if (!ng_reply_lasted("fio", reply, longest, err)) {
        return false;
    }
    if (report->count != (size_t)p->jobs) {
        return ng_err_set(err, NG_ERR_ENGINE, "fio reports %zu jobs where %lld were asked for",
            report->count, (long long)p->jobs);
    }
    for (size_t i = 0; i < report->count; i++) {
        if (!accept_job(site, &report->jobs[i], site->arena, err)) {
            return false;
        }
    }
    return true;
}
