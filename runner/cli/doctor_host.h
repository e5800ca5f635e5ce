/**
 * doctor_host.h - one host as the doctor sees it: what it is, with which rights, its clock, which
 * programs are there, which are missing and how to get them, what is unknown.
 */
#ifndef NG_CLI_DOCTOR_HOST_H
#define NG_CLI_DOCTOR_HOST_H

#include "plans/language/plan.h"
#include "runner/base/buf.h"
#include "runner/execute/survey.h"

/** The time of this machine from which the survey's times count: between these two. */
struct ng_doctor_began {
    int64_t earliest_wall_ns, latest_wall_ns;
};

/** Appends the lines of one host that was asked, under its name. */
void ng_doctor_host(struct ng_buf *out, const struct ng_host *host, const struct ng_facts *facts,
    const struct ng_asked *asked, const struct ng_doctor_began *began);

#endif
