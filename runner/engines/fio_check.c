/* fio_check.c - rules across the fields of a fio phase, told when the plan is loaded. */
#include <math.h>

#include "runner/base/clock.h"
#include "runner/engines/fio.h"

static void check_blocks(
    const struct ng_fio_params *p, const struct ng_node *node, struct ng_diags *diags) {
    if (p->bs > 0 && p->size % p->bs != 0) {
        ng_diag_error(diags, ng_field_place(node, "size"), "whole-blocks",
            "size is no whole number of blocks: %lld bytes in blocks of %lld leave %lld over",
            (long long)p->size, (long long)p->bs, (long long)(p->size % p->bs));
    }
    if (p->direct == NG_FIO_DIRECT_FALSE) {
        return;
    }
    if (p->bs % 512 != 0) {
        ng_diag_error(diags, ng_field_place(node, "bs"), "direct-block",
            "direct I/O needs blocks of a multiple of 512 bytes; this one has %lld; write a "
            "multiple of 4 KiB, or direct: false",
            (long long)p->bs);
    } else if (p->bs % 4096 != 0) {
        ng_diag_warning(diags, ng_field_place(node, "bs"), "direct-block",
            "direct I/O with blocks of %lld bytes fails on disks with 4096-byte sectors",
            (long long)p->bs);
    }
}

static void check_time(
    const struct ng_fio_params *p, const struct ng_node *node, struct ng_diags *diags) {
    if (p->time_ns % NG_NS_PER_S != 0) {
        ng_diag_error(diags, ng_field_place(node, "time"), "whole-seconds",
            "fio takes its time in whole seconds");
    }
    if (p->ramp_ns % NG_NS_PER_S != 0) {
        ng_diag_error(diags, ng_field_place(node, "ramp"), "whole-seconds",
            "fio takes its ramp in whole seconds");
    }
    if (p->ramp_ns > 0 && p->time_ns == 0) {
        ng_diag_error(diags, ng_field_place(node, "ramp"), "ramp-without-time",
            "ramp needs time: fio measures the ramp as well when the size is done before it ends");
    }
    if (p->time_ns == 0 && ng_fio_random(p) && p->size / (p->bs > 0 ? p->bs : 1) > 100000) {
        ng_diag_warning(diags, ng_field_place(node, "rw"), "no-time-limit",
            "%lld random I/Os without a time limit may take hours on disks; add time",
            (long long)(p->size / (p->bs > 0 ? p->bs : 1)));
    }
}

static void check_mix_and_rate(
    const struct ng_fio_params *p, const struct ng_node *node, struct ng_diags *diags) {
    if (p->mix > 0 && !(p->rw == NG_FIO_RW || p->rw == NG_FIO_RANDRW)) {
        ng_diag_error(diags, ng_field_place(node, "mix"), "mix-without-both",
            "mix is for rw and randrw; %s does only one of both", ng_fio_rws[p->rw]);
    }
    if (fabs(p->mix * 100 - round(p->mix * 100)) > 1e-6) {
        ng_diag_error(diags, ng_field_place(node, "mix"), "whole-percent",
            "fio takes the share of reads in whole percent");
    }
    if (p->rate > 0 && p->rate / 8 / (p->jobs > 0 ? p->jobs : 1) < 1024) {
        ng_diag_error(diags, ng_field_place(node, "rate"), "rate-too-low",
            "rate leaves less than 1 KiB/s for each job");
    }
}

void ng_fio_check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    const struct ng_fio_params *p = params;
    check_blocks(p, node, diags);
    check_time(p, node, diags);
    check_mix_and_rate(p, node, diags);
    if (p->ioengine == NG_FIO_PSYNC && p->iodepth > 1) {
        ng_diag_error(diags, ng_field_place(node, "iodepth"), "depth-without-async",
            "psync has one I/O in flight whatever iodepth says; take libaio or more jobs");
    }
    if (p->direct == NG_FIO_DIRECT_FALSE) {
        ng_diag_warning(diags, ng_field_place(node, "direct"), "direct-off",
            ng_fio_reads(p) ? "without direct I/O the client's page cache may answer; the phase is "
                              "inconclusive where the files fit into its RAM"
                            : "without direct I/O the writes go through the client's page cache");
    }
}
